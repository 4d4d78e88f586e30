"""Reaching into the row of a Duel state: seats, sets of cards, decks, the board.

Functions of the kernel take the state as `s`, a row of words whose fields are named in
:mod:`.layout`; `me` and `them` are the offsets of two seats in it.
"""

from __future__ import annotations

import numpy as np

from parure.games.bits import as_int, below, has, nth, popcount
from parure.games.compiled import helper
from parure.games.duel import geometry
from parure.games.duel import layout as at
from parure.games.duel.geometry import ALL_CELLS
from parure.games.duel.tables import PRICED
from parure.games.kinds import Y
from parure.games.typing import Rng, Row

SPIRAL = np.array(geometry.SPIRAL)
ALONG_SPIRAL = np.array(geometry.ALONG_SPIRAL)
DECK_ENDS = np.array(at.DECK_ENDS)
FIRST_PLACES = np.array([0, *at.DECK_ENDS[:-1]])


@helper
def mover(s: Row) -> int:
    """The seat whose decision it is."""
    return at.SEATS + (s[at.SEAT] & 1) * at.SEAT_WORDS


@helper
def opponent(s: Row) -> int:
    """The other one."""
    return at.SEATS + (~s[at.SEAT] & 1) * at.SEAT_WORDS


@helper
def add_card(s: Row, cards_at: int, card: int) -> None:
    """Put a jewel into a set of cards."""
    if card < at.LEVEL_3:
        s[cards_at] |= 1 << card
    else:
        s[cards_at + 1] |= 1 << (card - at.LEVEL_3)


@helper
def has_card(s: Row, cards_at: int, card: int) -> bool:
    """Whether a jewel is in a set of cards."""
    if card < at.LEVEL_3:
        return has(s[cards_at], card)
    return has(s[cards_at + 1], card - at.LEVEL_3)


@helper
def remove_card(s: Row, cards_at: int, card: int) -> None:
    """Take a jewel out of a set of cards, if it is there."""
    if card < at.LEVEL_3:
        s[cards_at] &= ~(1 << card)
    else:
        s[cards_at + 1] &= ~(1 << (card - at.LEVEL_3))


@helper
def level_of(card: int) -> int:
    """The deck, 0 to 2, that a jewel belongs to."""
    return as_int(card >= at.LEVEL_2) + as_int(card >= at.LEVEL_3)


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
    return PRICED[card & at.CARD_MASK]


@helper
def tokens_on_board(s: Row) -> int:
    """The cells that hold a token other than gold."""
    cells = 0
    for kind in range(Y):
        cells |= s[at.BOARD + kind]
    return cells


@helper
def empty_cells(s: Row) -> int:
    """The cells without a token."""
    return ALL_CELLS & ~(tokens_on_board(s) | s[at.BOARD + Y])


@helper
def kind_at(s: Row, cell: int) -> int:
    """The kind of the token on a cell."""
    kind = 0
    for other in range(1, 8):  # without a branch: which it is cannot be foreseen
        kind += other * as_int(s[at.BOARD + other] & cell != 0)
    return kind


@helper
def draw_unseen(cards_left: int, rng: Rng) -> int:
    """A random member of a set."""
    return nth(cards_left, below(rng, popcount(cards_left)))
