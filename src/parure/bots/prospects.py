"""The cards within a seat's reach, as features, in whichever game."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

from parure.bots.knowledge import REACH, Numbers
from parure.games.bits import NO_GOLD, gold_in, guarded_excess, total
from parure.games.compiled import helper
from parure.games.placing import number_of
from parure.games.typing import Cards, Row

NAMES = (
    "the best card within reach",
    "a second card within reach",
    "a third card within reach",
    "cards that can be bought at once",
)


def prospects_in(layout: ModuleType, first_feature: int, asks_gold: bool) -> Callable[..., None]:
    """The function for a game: where its features have these four, and if a price may name gold."""
    at: Any = layout

    @helper
    def prospects(
        s: Row, cards: Cards, worth: Numbers, me: int, slots: int, found: Numbers
    ) -> None:
        """The cards that a seat could buy soonest, by what they are worth and what is lacking."""
        tokens = s[me + at.TOKENS]
        wealth = s[me + at.BONUSES] + (tokens & NO_GOLD)
        gold = gold_in(tokens)
        first = second = third = 0.0
        buyable = 0
        for place in range(slots + s[me + at.RESERVED_COUNT]):
            priced = s[at.SLOTS + place] if place < slots else s[me + at.RESERVED + place - slots]
            card = number_of(priced)
            if card >= at.EMPTY:
                continue
            lacking = total(guarded_excess(priced & NO_GOLD, wealth)) - gold
            if asks_gold:
                lacking += gold_in(cards[at.COST, card])
            lacking = max(lacking, 0)
            buyable += 1 if lacking == 0 else 0
            value = worth[card] * REACH[min(lacking, 7)]
            if value > first:
                first, second, third = value, first, second
            elif value > second:
                second, third = value, second
            elif value > third:
                third = value
        found[first_feature] = first
        found[first_feature + 1] = second
        found[first_feature + 2] = third
        found[first_feature + 3] = min(buyable, 4)

    return prospects
