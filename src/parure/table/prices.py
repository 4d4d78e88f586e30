"""Prices of cards, and changes of tokens, as packed counts.

A table computes them for each viewer after each decision. The dictionaries are cached and shared,
so nobody may change them; they depend on nothing but the arguments.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from parure.games.engine.tokens import LETTERS, counts_by_letter, pack
from parure.games.position import Position
from parure.games.rules import Rules

CACHE_SIZE = 1 << 14
LANE = 8  # bits of a packed count for one kind of token
HIGH_BITS = pack([128] * 8)


class Price(NamedTuple):
    """What a card costs a seat, and what the seat lacks to pay it: packed counts."""

    due: int  # after bonuses
    missing: int  # tokens that the seat lacks, gold not yet used


class Holdings(NamedTuple):
    """The tokens and bonuses of a seat: packed counts."""

    tokens: int
    bonuses: int


def holdings(position: Position, seat: int) -> Holdings:
    """Return what a seat holds."""
    layout, words = position.rules.layout, position.words
    first = layout.SEATS + seat * layout.SEAT_WORDS
    return Holdings(words.item(first + layout.TOKENS), words.item(first + layout.BONUSES))


def price(rules: Rules, card: str, held: Holdings) -> Price:
    """Return the price of a card for a seat with some holdings."""
    due = subtract(_packed_costs(rules)[card], held.bonuses)
    return Price(due, subtract(due, held.tokens))


@lru_cache
def _packed_costs(rules: Rules) -> dict[str, int]:
    costs = rules.cards[rules.layout.COST]
    return {card: costs.item(number) for card, number in rules.state_type.card_numbers.items()}


def subtract(count: int, other: int) -> int:
    """Return a packed count less another one; nothing becomes less than 0.

    >>> hex(subtract(0x0203, 0x0301))
    '0x2'
    """
    difference = (count | HIGH_BITS) - other  # a lane keeps its high bit unless it is below 0
    kept = difference & HIGH_BITS
    return difference & (kept - (kept >> LANE - 1))


@lru_cache(CACHE_SIZE)
def shared_counts(packed: int) -> dict[str, int]:
    """Like `counts_by_letter`, but the result is shared: nobody may change it."""
    return counts_by_letter(packed)


def token_changes(before: int, after: int) -> dict[str, int]:
    """Return the tokens gained, or below 0 lost, between two packed counts.

    >>> token_changes(pack([1, 0, 2]), pack([3, 0, 1]))
    {'w': 2, 'g': -1}
    """
    return _changes(after - before)


@lru_cache(CACHE_SIZE)
def _changes(difference: int) -> dict[str, int]:
    """Return the changes whose sum, each shifted to its lane, is a difference."""
    changes = {}
    for letter in LETTERS:
        change = (difference + (1 << LANE - 1)) % (1 << LANE) - (1 << LANE - 1)
        difference = (difference - change) >> LANE
        if change:
            changes[letter] = change
    return changes
