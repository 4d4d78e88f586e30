"""Cards in a state's row: decks, reserves, sets of cards, and priced cards.

- A *card* is its number in the card table.
- A *deck* is a range of bytes, one card each. All decks lie one after the other, and an *index*
  counts the bytes from the first one. A deck ends at a fixed index; its top card comes first.
- A *set of cards* is two words with a bit for each card.
- A *priced card* is one word: the card in the lane of gold, and its cost with `LANE_HIGH_BITS` in
  the other lanes. Slots and reserves hold priced cards, so that the affordable ones are found
  without looking up their costs (:func:`parure.games.engine.simd.find_affordable`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

import numpy as np

from parure.games.engine.arrays import Rng, Row
from parure.games.engine.bits import (
    GOLD_SHIFT,
    LANE_HIGH_BITS,
    NON_GOLD_LANES,
    has_bit,
    nth_bit,
    popcount,
)
from parure.games.engine.jit import inlined
from parure.games.engine.rng import random_below
from parure.games.engine.tokens import pack

UNAFFORDABLE = pack([127])  # the cost of what is not a card and cannot be bought
CARD_MASK = 127  # `card & CARD_MASK` is the card, and tells the compiler that it is not negative


def priced_cards(costs: Row) -> Row:
    """Return all cards as priced cards, given their costs in the order of the card table.

    >>> [hex(card) for card in priced_cards(np.array([0x0001, 0x0200]))]
    ['0x80808080808081', '0x180808080808280']
    """
    priced = (costs & NON_GOLD_LANES) | LANE_HIGH_BITS | np.arange(len(costs)) << GOLD_SHIFT
    priced.setflags(write=False)
    return priced


def card_numbers(priced: Row) -> list[int]:
    """Return the cards of some priced cards."""
    numbers: list[int] = (priced >> GOLD_SHIFT).tolist()
    return numbers


@inlined
def card_number(priced: int) -> int:
    """Return the card of a priced card."""
    return priced >> GOLD_SHIFT


@inlined
def random_member(bits: int, rng: Rng) -> int:
    """Return a random member of a set that is one word."""
    return nth_bit(bits, random_below(rng, popcount(bits)))


# --- functions that depend on the layout of a game's row ------------------------------------------


class CardLayout(Protocol):
    """What `card_functions` needs of a game's layout."""

    # ruff: noqa: N802
    @property
    def DECK_BYTES(self) -> int: ...
    @property
    def DECK_SIZES(self) -> int: ...
    @property
    def DECK_ENDS(self) -> Sequence[int]: ...
    @property
    def RESERVED(self) -> int: ...
    @property
    def RESERVED_COUNT(self) -> int: ...
    @property
    def EMPTY(self) -> int: ...


class CardFunctions(NamedTuple):
    """Compiled functions on the cards of a game; see `card_functions`."""

    add_card: Callable[[Row, int, int], None]
    has_card: Callable[[Row, int, int], bool]
    remove_card: Callable[[Row, int, int], None]
    card_at: Callable[[Row, int], int]
    put_card: Callable[[Row, int, int], None]
    top_index: Callable[[Row, int], int]
    draw_card: Callable[[Row, int], int]
    shuffle_deck: Callable[[Row, int, int, Rng], None]
    priced_card: Callable[[int], int]
    add_to_reserve: Callable[[Row, int, int], None]
    remove_from_reserve: Callable[[Row, int, int], None]


def card_functions(layout: CardLayout, split: int, priced: Row) -> CardFunctions:
    """Return the functions on cards for a game, with the offsets of its layout as constants.

    Args:
        layout: the layout of the game's row.
        split: the first card in the second word of a set of cards.
        priced: all priced cards of the game.
    """
    deck_ends = np.array(layout.DECK_ENDS)
    no_card = int(priced[layout.EMPTY])

    @inlined
    def add_card(s: Row, offset: int, card: int) -> None:
        """Add a card to the set of cards at an offset."""
        if card < split:
            s[offset] |= 1 << card
        else:
            s[offset + 1] |= 1 << (card - split)

    @inlined
    def has_card(s: Row, offset: int, card: int) -> bool:
        """Return whether a card is in the set of cards at an offset."""
        if card < split:
            return has_bit(s[offset], card)
        return has_bit(s[offset + 1], card - split)

    @inlined
    def remove_card(s: Row, offset: int, card: int) -> None:
        """Remove a card from the set of cards at an offset, if it is a member."""
        if card < split:
            s[offset] &= ~(1 << card)
        else:
            s[offset + 1] &= ~(1 << (card - split))

    @inlined
    def card_at(s: Row, index: int) -> int:
        """Return the card at an index of the decks."""
        return (s[layout.DECK_BYTES + (index >> 3)] >> ((index & 7) << 3)) & 0x7F

    @inlined
    def put_card(s: Row, index: int, card: int) -> None:
        """Write a card at an index of the decks."""
        word, shift = layout.DECK_BYTES + (index >> 3), (index & 7) << 3
        s[word] = (s[word] & ~(0x7F << shift)) | (card << shift)

    @inlined
    def top_index(s: Row, deck: int) -> int:
        """Return the index of a deck's top card."""
        return deck_ends[deck] - s[layout.DECK_SIZES + deck]

    @inlined
    def draw_card(s: Row, deck: int) -> int:
        """Remove and return the top card of a deck; EMPTY if there is none."""
        if s[layout.DECK_SIZES + deck] == 0:
            return layout.EMPTY
        index = top_index(s, deck)
        card = card_at(s, index)
        put_card(s, index, 0)
        s[layout.DECK_SIZES + deck] -= 1
        return card

    @inlined
    def shuffle_deck(s: Row, deck: int, first_card: int, rng: Rng) -> None:
        """Fill a deck with consecutive cards in random order."""
        left = (1 << s[layout.DECK_SIZES + deck]) - 1
        for index in range(top_index(s, deck), deck_ends[deck]):
            card = random_member(left, rng)
            left ^= 1 << card
            put_card(s, index, first_card + card)

    @inlined
    def priced_card(card: int) -> int:
        """Return a card as it is stored in a slot or a reserve."""
        return priced[card & CARD_MASK]

    @inlined
    def add_to_reserve(s: Row, seat: int, card: int) -> None:
        """Add a card to the reserve of the seat at an offset."""
        s[seat + layout.RESERVED + s[seat + layout.RESERVED_COUNT]] = priced_card(card)
        s[seat + layout.RESERVED_COUNT] += 1

    @inlined
    def remove_from_reserve(s: Row, seat: int, card: int) -> None:
        """Remove a card from the reserve of the seat at an offset, if it is there."""
        kept = 0
        for i in range(s[seat + layout.RESERVED_COUNT]):
            other = s[seat + layout.RESERVED + i]
            if card_number(other) != card:
                s[seat + layout.RESERVED + kept] = other
                kept += 1
        if kept < s[seat + layout.RESERVED_COUNT]:
            s[seat + layout.RESERVED + kept] = no_card
            s[seat + layout.RESERVED_COUNT] = kept

    return CardFunctions(
        add_card,
        has_card,
        remove_card,
        card_at,
        put_card,
        top_index,
        draw_card,
        shuffle_deck,
        priced_card,
        add_to_reserve,
        remove_from_reserve,
    )
