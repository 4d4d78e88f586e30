"""The features that say which cards a seat can buy soon; the same for all games."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from parure.bots.evaluator import Floats
from parure.games.engine.arrays import Cards, Row
from parure.games.engine.bits import NON_GOLD_LANES, gold_in, guarded_saturating_sub, lane_sum
from parure.games.engine.card_storage import card_number
from parure.games.engine.jit import inlined
from parure.games.rules import Layout

FEATURE_NAMES = (
    "the best card within reach",
    "a second card within reach",
    "a third card within reach",
    "cards that can be bought at once",
    "a purchase that reaches the goal",
    "a purchase that reaches the goal now",
    "cards that bonuses bring near",
    "points that bonuses bring near",
)
BEST, SECOND, THIRD, BUYABLE, GOAL, GOAL_NOW, NEAR, NEAR_POINTS = range(len(FEATURE_NAMES))
TURN_FEATURE = "the turn"

# The factor on a card's worth, by the number of tokens that the seat lacks.
REACH = np.array([1.0, 0.72, 0.5, 0.33, 0.2, 0.12, 0.06, 0.0])

# The factor on a card's worth, by the number of tokens to pay after bonuses.
NEARNESS = 0.8 ** np.arange(16.0)

WriteReachableCards: TypeAlias = Callable[[Row, Cards, Floats, int, Floats], None]


def reachable_cards(
    layout: Layout,
    feature_names: tuple[str, ...],
    slots: int,
    gold_needed: Callable[[Row, Cards, int, int], int],
    reaches_goal: Callable[[Row, Cards, int, int], bool],
) -> WriteReachableCards:
    """Return the function that writes these features for a game.

    Args:
        layout: Where the game keeps what is counted.
        feature_names: All features of the game, these and `TURN_FEATURE` among them.
        slots: The number of face-up cards that count; Counterfeiters do not.
        gold_needed: The number of gold tokens with which a seat could buy a card.
        reaches_goal: Whether a seat would win by buying a card.
    """
    first, turn = feature_names.index(FEATURE_NAMES[0]), feature_names.index(TURN_FEATURE)

    @inlined
    def write_reachable_cards(
        s: Row, cards: Cards, card_worth: Floats, me: int, features: Floats
    ) -> None:
        gold, bonuses = gold_in(s[me + layout.TOKENS]), s[me + layout.BONUSES]
        best = second = third = near = near_points = goal = 0.0
        buyable = 0
        for place in range(slots + s[me + layout.RESERVED_COUNT]):
            priced = (
                s[layout.SLOTS + place]
                if place < slots
                else s[me + layout.RESERVED + place - slots]
            )
            card = card_number(priced)
            if card >= layout.EMPTY:
                continue
            to_pay = lane_sum(guarded_saturating_sub(priced & NON_GOLD_LANES, bonuses))
            nearness = NEARNESS[min(to_pay, 15)]
            near += card_worth[card] * nearness
            near_points += cards[layout.POINTS, card] * nearness
            lacking = max(gold_needed(s, cards, me, priced) - gold, 0)
            if lacking == 0:
                buyable += 1
                if reaches_goal(s, cards, me, card):
                    goal = 1.0
            value = card_worth[card] * REACH[min(lacking, 7)]
            if value > best:
                best, second, third = value, best, second
            elif value > second:
                second, third = value, second
            elif value > third:
                third = value
        features[first + BEST] = best
        features[first + SECOND] = second
        features[first + THIRD] = third
        features[first + BUYABLE] = min(buyable, 4)
        features[first + GOAL] = goal
        features[first + GOAL_NOW] = goal * features[turn]
        features[first + NEAR] = near
        features[first + NEAR_POINTS] = near_points

    return write_reachable_cards
