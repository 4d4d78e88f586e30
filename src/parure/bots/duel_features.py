"""The features of a seat in Splendor Duel, with or without The Counterfeiters."""

from __future__ import annotations

from typing import NamedTuple

from parure.bots import reachable_cards as reachable
from parure.bots.duel_outlook import turn_outlook
from parure.bots.evaluator import Floats, GameEvaluation, compile_rules
from parure.games.duel import kernel, layout
from parure.games.duel.legal import uncounted_lanes
from parure.games.duel.paying import least_gold, price_of
from parure.games.engine.arrays import Cards, Row
from parure.games.engine.bits import (
    NON_GOLD_LANES,
    count_of,
    gold_in,
    guarded_saturating_sub,
    has_bit,
    lane_sum,
    popcount,
)
from parure.games.engine.card_storage import card_number
from parure.games.engine.jit import inlined, outlined
from parure.games.engine.tokens import P, V, unpack

FEATURE_NAMES = (
    "points",
    "points past 10",
    "points past 15",
    "crowns",
    "crowns past 5",
    "crowns past 7",
    "a third crown",
    "points in one color",
    "points in one color past 4",
    "points in one color past 7",
    "points in a second color",
    "bonuses",
    "many bonuses",
    "colors with a bonus",
    "colors with two",
    "bonuses up to four of a color",
    "gems",
    "kinds of gems",
    "pearls",
    "gold",
    "glassware",
    "privileges",
    "room to reserve",
    reachable.TURN_FEATURE,
    *reachable.FEATURE_NAMES,
    "C01 to C05",
    *(f"C{number:02}" for number in range(6, 18)),
)
(
    POINTS,
    POINTS_10,
    POINTS_15,
    CROWNS,
    CROWNS_5,
    CROWNS_7,
    CROWN_3,
    COLOR,
    COLOR_4,
    COLOR_7,
    SECOND_COLOR,
    BONUSES,
    MANY_BONUSES,
    COLORS,
    COLORS_2,
    BONUSES_4,
    GEMS,
    GEM_KINDS,
    PEARLS,
    GOLD,
    GLASS,
    PRIVILEGES,
    ROOM_TO_RESERVE,
    TURN,
) = range(FEATURE_NAMES.index(reachable.FEATURE_NAMES[0]))
GOAL_NOW = FEATURE_NAMES.index(reachable.FEATURE_NAMES[reachable.GOAL_NOW])
C01_TO_C05, C06_ON = FEATURE_NAMES.index("C01 to C05"), FEATURE_NAMES.index("C06")

# What a card is worth to its buyer, in points.
CROWN_WORTH = 0.8
BONUS_WORTH = 0.9
ABILITY_WORTH = 0.7


@inlined
def gold_needed(s: Row, cards: Cards, me: int, priced: int) -> int:
    """Return the number of gold tokens with which a seat could buy a card."""
    if s[me + layout.DISCOUNTS]:
        price = price_of(cards, card_number(priced), s[me + layout.BONUSES])
        return least_gold(price, s[me + layout.TOKENS], s[me + layout.DISCOUNTS])
    wealth = s[me + layout.BONUSES] + (s[me + layout.TOKENS] & NON_GOLD_LANES)
    return lane_sum(guarded_saturating_sub(priced & NON_GOLD_LANES, wealth))


@inlined
def royal_bonus(s: Row, me: int, royal: int) -> int:
    """Return 1 if the seat has a royal that lowers a goal by 1."""
    return 1 if has_bit(s[me + layout.ROYALS_HELD], royal) else 0


@inlined
def reaches_goal(s: Row, cards: Cards, me: int, card: int) -> bool:
    """Return whether a seat wins by buying a card; a royal that it may then take is left out."""
    color_points = 0
    for kind in range(5):
        if cards[layout.CARD_COLOR, card] == kind or cards[layout.CARD_COLOR, card] == layout.JOKER:
            color_points = max(color_points, count_of(s[me + layout.SCORE_BY_COLOR], kind))
    color_points += cards[layout.POINTS, card] + royal_bonus(s, me, layout.R6)
    crowns = s[me + layout.CROWNS_HELD] + cards[layout.CROWNS, card] + royal_bonus(s, me, layout.R7)
    return (
        s[me + layout.SCORE] + cards[layout.POINTS, card] >= layout.GOAL
        or crowns >= layout.CROWNS_GOAL
        or color_points >= layout.COLOR_GOAL
    )


write_reachable_cards = reachable.reachable_cards(
    layout, FEATURE_NAMES, layout.PYRAMID_SLOTS, gold_needed, reaches_goal
)


@outlined
def write_features(s: Row, cards: Cards, card_worth: Floats, seat: int, features: Floats) -> None:
    """Write the features of a seat."""
    me = layout.SEATS + seat * layout.SEAT_WORDS
    points = s[me + layout.SCORE]
    crowns = s[me + layout.CROWNS_HELD] + royal_bonus(s, me, layout.R7)
    color_points = second_color = 0
    bonuses = s[me + layout.BONUSES]
    tokens = s[me + layout.TOKENS]
    colors = colors_2 = bonuses_4 = gem_kinds = gems = 0
    for kind in range(5):
        in_color = count_of(s[me + layout.SCORE_BY_COLOR], kind)
        second_color = max(second_color, min(in_color, color_points))
        color_points = max(color_points, in_color)
        bonus = count_of(bonuses, kind)
        colors += min(bonus, 1)
        colors_2 += min(bonus, 2)
        bonuses_4 += min(bonus, 4)
        gems += count_of(tokens, kind)
        gem_kinds += min(count_of(tokens, kind), 1)
    color_points += royal_bonus(s, me, layout.R6)
    counted = tokens & ~uncounted_lanes(s, me)
    features[POINTS] = points
    features[POINTS_10] = max(points - 10, 0)
    features[POINTS_15] = max(points - 15, 0)
    features[CROWNS] = crowns
    features[CROWNS_5] = max(crowns - 5, 0)
    features[CROWNS_7] = max(crowns - 7, 0)
    features[CROWN_3] = min(crowns, 3)
    features[COLOR] = color_points
    features[COLOR_4] = max(color_points - 4, 0)
    features[COLOR_7] = max(color_points - 7, 0)
    features[SECOND_COLOR] = second_color
    features[BONUSES] = lane_sum(bonuses)
    features[MANY_BONUSES] = features[BONUSES] ** 2
    features[COLORS] = colors
    features[COLORS_2] = colors_2
    features[BONUSES_4] = bonuses_4
    features[GEMS] = gems - max(lane_sum(counted) - layout.TOKEN_LIMIT, 0)
    features[GEM_KINDS] = gem_kinds
    features[PEARLS] = count_of(tokens, P)
    features[GOLD] = gold_in(tokens)
    features[GLASS] = count_of(tokens, V)
    features[PRIVILEGES] = s[me + layout.PRIVILEGES]
    features[ROOM_TO_RESERVE] = layout.RESERVE_LIMIT - s[me + layout.RESERVED_COUNT]
    features[TURN] = 1.0 if s[layout.SEAT] == seat and s[layout.PHASE] <= layout.SECOND else 0.0
    write_reachable_cards(s, cards, card_worth, me, features)
    held = s[me + layout.COUNTERFEITERS_HELD]
    features[C01_TO_C05] = popcount(held & ((1 << layout.C06) - 1))
    for number in range(layout.C06, layout.COUNTERFEITERS):
        features[C06_ON + number - layout.C06] = 1.0 if has_bit(held, number) else 0.0


@inlined
def progress(s: Row) -> float:
    """Return the progress of a game: 0 at its start, 1 when a seat has the points to win."""
    first = s[layout.SEATS + layout.SCORE]
    second = s[layout.SEATS + layout.SEAT_WORDS + layout.SCORE]
    return min(max(first, second) / layout.GOAL, 1.0)


@inlined
def is_settled(s: Row) -> bool:
    """Return whether a position can be evaluated: nothing of value is pending."""
    phase = s[layout.PHASE]
    return phase <= layout.RESERVE_MORE or phase == layout.DISCARD or phase == layout.OVER


@inlined
def can_win_now(s: Row, features: Floats) -> bool:
    """Return whether a purchase in this turn wins, given the features of the seat to move."""
    return features[GOAL_NOW] > 0


def card_worth(cards: Cards) -> list[float]:
    """Return what each card is worth to its buyer, in points."""
    worth = []
    for card in range(layout.CARDS):
        value = float(cards[layout.POINTS, card]) + CROWN_WORTH * float(cards[layout.CROWNS, card])
        value += BONUS_WORTH * (1 if cards[layout.CARD_COLOR, card] == layout.JOKER else 0)
        value += BONUS_WORTH * sum(unpack(cards[layout.BONUS, card]))
        value += ABILITY_WORTH if cards[layout.ABILITY, card] else 0.0
        worth.append(value if card < layout.JEWELS else 0.0)
    return worth


@inlined
def bag(s: Row) -> int:
    """Return the tokens in the bag, packed."""
    return s[layout.BAG]


class DuelEvaluator(NamedTuple):
    """The evaluator of Duel; its type selects the functions of this module."""

    cards: Cards
    weights: Floats
    card_worth: Floats

    @staticmethod
    def game() -> GameEvaluation:
        """Return the functions for Duel."""
        return EVALUATION


EVALUATION = GameEvaluation(
    evaluator_type=DuelEvaluator,
    rules=compile_rules(kernel, layout),
    feature_names=FEATURE_NAMES,
    write_features=write_features,
    progress=progress,
    is_settled=is_settled,
    can_win_now=can_win_now,
    turn_outlook=turn_outlook,
    bag=bag,
    card_worth=card_worth,
)
