"""The cards within a seat's reach, as features, in whichever game."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

from parure.bots.knowledge import REACH, Numbers
from parure.games.bits import gold_in
from parure.games.compiled import helper
from parure.games.placing import number_of
from parure.games.typing import Cards, Row

NAMES = (
    "the best card within reach",
    "a second card within reach",
    "a third card within reach",
    "cards that can be bought at once",
)


def prospects_in(
    layout: ModuleType, first_feature: int, slots: int, gold_lacking: Callable[..., int]
) -> Callable[..., None]:
    """The function for a game.

    It is told where the features of the game have these four, how many slots count, and how much
    gold a seat would need to buy a card.
    """
    at: Any = layout

    @helper
    def prospects(s: Row, cards: Cards, worth: Numbers, me: int, found: Numbers) -> None:
        """The cards that a seat could buy soonest, by what they are worth and what is lacking."""
        gold = gold_in(s[me + at.TOKENS])
        first = second = third = 0.0
        buyable = 0
        for place in range(slots + s[me + at.RESERVED_COUNT]):
            priced = s[at.SLOTS + place] if place < slots else s[me + at.RESERVED + place - slots]
            card = number_of(priced)
            if card >= at.EMPTY:
                continue
            lacking = max(gold_lacking(s, cards, me, priced) - gold, 0)
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
