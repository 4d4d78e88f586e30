"""Cards in the row of a state, where both games do the same: decks, sets of cards, priced cards.

A deck is a part of the row's bytes, its top card first. A set of cards is two words. A card in a
slot or a reserve is *priced*: its number in the lane of gold, and below it what it costs, guarded,
so that what a purse can pay for is found without looking up a single card.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from parure.games.engine.arrays import Rng, Row
from parure.games.engine.bits import GOLD_SHIFT, HIGH, NO_GOLD, has, nth, popcount
from parure.games.engine.jit import helper
from parure.games.engine.rng import random_below

CARD_MASK = 127  # a card & CARD_MASK is the card, and the compiler sees that it is not negative


def priced_cards(costs: Row) -> Row:
    """All cards as they lie in slots and reserves, given the costs in the order of their numbers.

    >>> [hex(card) for card in priced_cards(np.array([0x0001, 0x0200]))]
    ['0x80808080808081', '0x180808080808280']
    """
    priced = (costs & NO_GOLD) | HIGH | np.arange(len(costs)) << GOLD_SHIFT
    priced.setflags(write=False)
    return priced


def numbers_of(priced: Row) -> list[int]:
    """The numbers of some priced cards."""
    numbers: list[int] = (priced >> GOLD_SHIFT).tolist()
    return numbers


@helper
def number_of(priced: int) -> int:
    """The number of a priced card."""
    return priced >> GOLD_SHIFT


@helper
def draw_unseen(cards_left: int, rng: Rng) -> int:
    """A random member of a set that is one word."""
    return nth(cards_left, random_below(rng, popcount(cards_left)))


# --- what needs the offsets of a layout, as constants ---------------------------------------------


class Placing(NamedTuple):
    """What can be done with the cards of a game."""

    add_card: Callable[[Row, int, int], None]
    has_card: Callable[[Row, int, int], bool]
    remove_card: Callable[[Row, int, int], None]
    card_at: Callable[[Row, int], int]
    lay_card: Callable[[Row, int, int], None]
    top_of: Callable[[Row, int], int]
    draw_card: Callable[[Row, int], int]
    priced: Callable[[int], int]


def placing(layout: ModuleType, split: int, cards: Row) -> Placing:
    """The functions for a game, all of whose cards are given priced.

    Its sets of cards have card `split` first in their second word.
    """
    at: Any = layout
    ends = np.array(at.DECK_ENDS)

    @helper
    def add_card(s: Row, cards_at: int, card: int) -> None:
        """Put a card into a set."""
        if card < split:
            s[cards_at] |= 1 << card
        else:
            s[cards_at + 1] |= 1 << (card - split)

    @helper
    def has_card(s: Row, cards_at: int, card: int) -> bool:
        """Whether a card is in a set."""
        if card < split:
            return has(s[cards_at], card)
        return has(s[cards_at + 1], card - split)

    @helper
    def remove_card(s: Row, cards_at: int, card: int) -> None:
        """Take a card out of a set, if it is there."""
        if card < split:
            s[cards_at] &= ~(1 << card)
        else:
            s[cards_at + 1] &= ~(1 << (card - split))

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
        return ends[deck] - s[at.DECK_SIZES + deck]

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
        return cards[card & CARD_MASK]

    return Placing(add_card, has_card, remove_card, card_at, lay_card, top_of, draw_card, priced)
