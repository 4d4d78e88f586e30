"""The cards within a seat's reach, as features, in whichever game."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

from parure.bots.evaluator import BROUGHT_NEAR, REACH, Numbers
from parure.games.engine.arrays import Cards, Row
from parure.games.engine.bits import NON_GOLD_LANES, gold_in, guarded_saturating_sub, lane_sum
from parure.games.engine.card_storage import card_number
from parure.games.engine.jit import inlined

NAMES = (
    "the best card within reach",
    "a second card within reach",
    "a third card within reach",
    "cards that can be bought at once",
    "a purchase that reaches the goal",
    "a purchase that reaches the goal now",
    "cards that bonuses bring near",
    "points that bonuses bring near",
)
BEST, SECOND, THIRD, BUYABLE, GOAL, GOAL_NOW, NEAR, NEAR_POINTS = range(len(NAMES))
TURN = "the turn"


def prospects_in(
    layout: ModuleType,
    features: tuple[str, ...],
    slots: int,
    gold_lacking: Callable[..., int],
    reaches_goal: Callable[..., bool],
) -> Callable[..., None]:
    """The function for a game.

    It is told the features of the game, these among them; how many slots count, which leaves out
    Counterfeiters; how much gold a seat would need to buy a card; and whether a purchase would
    reach a goal.
    """
    at: Any = layout
    first, turn = features.index(NAMES[0]), features.index(TURN)

    @inlined
    def prospects(s: Row, cards: Cards, worth: Numbers, me: int, found: Numbers) -> None:
        """The cards that a seat could buy soonest, by what they are worth and what is lacking."""
        gold, bonuses = gold_in(s[me + at.TOKENS]), s[me + at.BONUSES]
        best = second = third = near = near_points = goal = 0.0
        buyable = 0
        for place in range(slots + s[me + at.RESERVED_COUNT]):
            priced = s[at.SLOTS + place] if place < slots else s[me + at.RESERVED + place - slots]
            card = card_number(priced)
            if card >= at.EMPTY:
                continue
            brought = BROUGHT_NEAR[
                min(lane_sum(guarded_saturating_sub(priced & NON_GOLD_LANES, bonuses)), 15)
            ]
            near += worth[card] * brought
            near_points += cards[at.POINTS, card] * brought
            lacking = max(gold_lacking(s, cards, me, priced) - gold, 0)
            if lacking == 0:
                buyable += 1
                if reaches_goal(s, cards, me, card):
                    goal = 1.0
            value = worth[card] * REACH[min(lacking, 7)]
            if value > best:
                best, second, third = value, best, second
            elif value > second:
                second, third = value, second
            elif value > third:
                third = value
        found[first + BEST] = best
        found[first + SECOND] = second
        found[first + THIRD] = third
        found[first + BUYABLE] = min(buyable, 4)
        found[first + GOAL] = goal
        found[first + GOAL_NOW] = goal * found[turn]
        found[first + NEAR] = near
        found[first + NEAR_POINTS] = near_points

    return prospects
