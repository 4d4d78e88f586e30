"""Reaching into the row of a Splendor state: seats, sets of cards, decks.

Functions of the kernel take the state as `s`, a row of words whose fields are named in
:mod:`.layout`.
"""

from __future__ import annotations

import numpy as np

from parure.games.bits import below, has, nth, popcount
from parure.games.compiled import helper
from parure.games.splendor import layout as at
from parure.games.splendor.tables import PRICED
from parure.games.typing import Rng, Row

DECK_STARTS = np.array([0, *at.DECK_ENDS[:-1]])
DECK_ENDS = np.array(at.DECK_ENDS)


@helper
def mover(s: Row) -> int:
    """The seat whose decision it is."""
    return at.SEATS + s[at.SEAT] * at.SEAT_WORDS


@helper
def add_card(s: Row, cards_at: int, card: int) -> None:
    """Put a development into a set of cards."""
    if card < at.LEVEL_2:
        s[cards_at] |= 1 << card
    else:
        s[cards_at + 1] |= 1 << (card - at.LEVEL_2)


@helper
def has_card(s: Row, cards_at: int, card: int) -> bool:
    """Whether a development is in a set of cards."""
    if card < at.LEVEL_2:
        return has(s[cards_at], card)
    return has(s[cards_at + 1], card - at.LEVEL_2)


@helper
def remove_card(s: Row, cards_at: int, card: int) -> None:
    """Take a development out of a set of cards, if it is there."""
    if card < at.LEVEL_2:
        s[cards_at] &= ~(1 << card)
    else:
        s[cards_at + 1] &= ~(1 << (card - at.LEVEL_2))


@helper
def level_of(card: int) -> int:
    """The deck, 0 to 2, that a development belongs to."""
    if card < at.LEVEL_2:
        return 0
    return 1 if card < at.LEVEL_3 else 2


@helper
def card_at(s: Row, place: int) -> int:
    """The card at a place among all decks' places."""
    return (s[at.DECK_BYTES + (place >> 3)] >> ((place & 7) << 3)) & 0x7F


@helper
def lay_card(s: Row, place: int, card: int) -> None:
    """Put a card at a place among all decks' places."""
    word, shift = at.DECK_BYTES + (place >> 3), (place & 7) << 3
    s[word] = (s[word] & ~(0x7F << shift)) | (card << shift)


@helper
def top_of(s: Row, deck: int) -> int:
    """The place of a deck's top card."""
    return DECK_ENDS[deck] - s[at.DECK_SIZES + deck]


@helper
def draw_card(s: Row, deck: int) -> int:
    """Take the top card of a deck; EMPTY if there is none."""
    if s[at.DECK_SIZES + deck] == 0:
        return at.EMPTY
    place = top_of(s, deck)
    card = card_at(s, place)
    lay_card(s, place, 0)
    s[at.DECK_SIZES + deck] -= 1
    return card


@helper
def priced(card: int) -> int:
    """A card as it lies in a slot or a reserve."""
    return PRICED[card]


@helper
def draw_unseen(cards_left: int, rng: Rng) -> int:
    """A random member of a set."""
    return nth(cards_left, below(rng, popcount(cards_left)))
