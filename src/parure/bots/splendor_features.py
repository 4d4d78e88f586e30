"""The features of a seat in Splendor."""

from __future__ import annotations

from typing import NamedTuple

from parure.bots import reachable_cards as reachable
from parure.bots.evaluator import MAY_WIN, NO_WIN, Floats, GameEvaluation, compile_rules
from parure.games.engine.arrays import Cards, Row
from parure.games.engine.bits import (
    NON_GOLD_LANES,
    count_of,
    gold_in,
    guarded_saturating_sub,
    lane_sum,
    lowest_bit,
    saturating_sub,
)
from parure.games.engine.jit import inlined, outlined
from parure.games.splendor import kernel, layout
from parure.games.splendor.cards import DEVELOPMENTS
from parure.games.splendor.cards import NOBLES as NOBLE_CARDS

FEATURE_NAMES = (
    "points",
    "points past 7",
    "points past 11",
    "the goal reached",
    "bonuses",
    "many bonuses",
    "colors with a bonus",
    "colors with two",
    "bonuses up to four of a color",
    "gems",
    "kinds of gems",
    "gold",
    "room to reserve",
    "the nearest noble",
    "all nobles together",
    reachable.TURN_FEATURE,
    "a turn still to come",
    *reachable.FEATURE_NAMES,
)
(
    POINTS,
    POINTS_7,
    POINTS_11,
    GOAL,
    BONUSES,
    MANY_BONUSES,
    COLORS,
    COLORS_2,
    BONUSES_4,
    GEMS,
    GEM_KINDS,
    GOLD,
    ROOM_TO_RESERVE,
    NOBLE,
    NOBLES,
    TURN,
    TURN_TO_COME,
) = range(FEATURE_NAMES.index(reachable.FEATURE_NAMES[0]))

BONUS_WORTH = 0.9  # of a card, in points
MOST_POINTS_OF_A_TURN = max(card.points for card in DEVELOPMENTS) + max(
    noble.points for noble in NOBLE_CARDS
)

GOAL_NOW = FEATURE_NAMES.index(reachable.FEATURE_NAMES[reachable.GOAL_NOW])


@inlined
def gold_needed(s: Row, cards: Cards, me: int, priced: int) -> int:
    """Return the number of gold tokens with which a seat could buy a card."""
    wealth = s[me + layout.BONUSES] + (s[me + layout.TOKENS] & NON_GOLD_LANES)
    return lane_sum(guarded_saturating_sub(priced & NON_GOLD_LANES, wealth))


@inlined
def reaches_goal(s: Row, cards: Cards, me: int, card: int) -> bool:
    """Return whether buying a card, and the noble that then visits, brings enough points."""
    lacking = layout.GOAL - s[me + layout.SCORE] - cards[layout.POINTS, card]
    bonuses = s[me + layout.BONUSES] + cards[layout.BONUS, card]
    left = s[layout.FACE_UP_NOBLES]
    while lacking > 0 and left:
        noble = layout.FIRST_NOBLE + lowest_bit(left)
        left &= left - 1
        if lacking <= cards[layout.POINTS, noble] and not saturating_sub(
            cards[layout.COST, noble], bonuses
        ):
            lacking = 0
    return lacking <= 0


write_reachable_cards = reachable.reachable_cards(
    layout, FEATURE_NAMES, layout.DECKS * layout.FACE_UP, gold_needed, reaches_goal
)


@outlined
def write_features(s: Row, cards: Cards, card_worth: Floats, seat: int, features: Floats) -> None:
    """Write the features of a seat."""
    me = layout.SEATS + seat * layout.SEAT_WORDS
    points = s[me + layout.SCORE]
    bonuses = s[me + layout.BONUSES]
    tokens = s[me + layout.TOKENS]
    colors = colors_2 = bonuses_4 = gem_kinds = 0
    for kind in range(5):
        bonus = count_of(bonuses, kind)
        colors += min(bonus, 1)
        colors_2 += min(bonus, 2)
        bonuses_4 += min(bonus, 4)
        gem_kinds += min(count_of(tokens, kind), 1)
    features[POINTS] = points
    features[POINTS_7] = max(points - 7, 0)
    features[POINTS_11] = max(points - 11, 0)
    features[GOAL] = 1.0 if points >= layout.GOAL else 0.0
    features[BONUSES] = lane_sum(bonuses)
    features[MANY_BONUSES] = features[BONUSES] ** 2
    features[COLORS] = colors
    features[COLORS_2] = colors_2
    features[BONUSES_4] = bonuses_4
    features[GEMS] = min(lane_sum(tokens), layout.TOKEN_LIMIT) - gold_in(tokens)
    features[GEM_KINDS] = gem_kinds
    features[GOLD] = gold_in(tokens)
    features[ROOM_TO_RESERVE] = layout.RESERVE_LIMIT - s[me + layout.RESERVED_COUNT]
    features[TURN] = 1.0 if s[layout.SEAT] == seat and s[layout.PHASE] == layout.TURN else 0.0
    features[TURN_TO_COME] = 1.0 if not s[layout.LAST_ROUND] or seat >= s[layout.SEAT] else 0.0
    write_reachable_cards(s, cards, card_worth, me, features)
    write_nobles(s, cards, bonuses, features)


@inlined
def write_nobles(s: Row, cards: Cards, bonuses: int, features: Floats) -> None:
    """Write how near the nobles are, by the number of bonuses that the seat lacks."""
    nearest = all_nobles = 0.0
    left = s[layout.FACE_UP_NOBLES]
    while left:
        noble = layout.FIRST_NOBLE + lowest_bit(left)
        lacking = lane_sum(saturating_sub(cards[layout.COST, noble], bonuses))
        left &= left - 1
        near = reachable.REACH[min(lacking, 7)]
        nearest = max(nearest, near)
        all_nobles += near
    features[NOBLE] = nearest
    features[NOBLES] = all_nobles


@inlined
def progress(s: Row) -> float:
    """Return the progress of a game: 0 at its start, 1 when a seat has the points to win."""
    most = 0
    for seat in range(s[layout.SEAT_COUNT]):
        most = max(most, s[layout.SEATS + seat * layout.SEAT_WORDS + layout.SCORE])
    return min(most / layout.GOAL, 1.0)


@inlined
def is_settled(s: Row) -> bool:
    """Return whether a position can be evaluated: nothing of value is pending."""
    phase = s[layout.PHASE]
    return phase == layout.TURN or phase == layout.DISCARD or phase == layout.OVER


@inlined
def can_win_now(s: Row, features: Floats) -> bool:
    """Return whether a purchase in this turn may win, given the features of the seat to move."""
    return features[GOAL_NOW] > 0 and s[layout.SEAT] == s[layout.SEAT_COUNT] - 1


@inlined
def turn_outlook(s: Row, cards: Cards) -> int:
    """Return whether the seat to move may win in this turn, with one purchase and one noble."""
    seats = s[layout.SEAT_COUNT]
    if s[layout.TURNS] + 1 >= layout.MAX_TURNS or s[layout.PASSES] + 1 >= seats:
        return MAY_WIN
    if s[layout.SEAT] != seats - 1:  # otherwise a game ends with a round only
        return NO_WIN
    needed = layout.GOAL
    for seat in range(seats - 1):
        needed = max(needed, s[layout.SEATS + seat * layout.SEAT_WORDS + layout.SCORE])
    own = s[layout.SEATS + (seats - 1) * layout.SEAT_WORDS + layout.SCORE]
    return MAY_WIN if own + MOST_POINTS_OF_A_TURN >= needed else NO_WIN


def card_worth(cards: Cards) -> list[float]:
    """Return what each card is worth to its buyer, in points."""
    return [
        float(cards[layout.POINTS, card]) + BONUS_WORTH if card < layout.DEVELOPMENTS else 0.0
        for card in range(layout.CARDS)
    ]


@inlined
def bag(s: Row) -> int:
    """Return 0: this game has no bag."""
    return 0


class SplendorEvaluator(NamedTuple):
    """The evaluator of Splendor; its type selects the functions of this module."""

    cards: Cards
    weights: Floats
    card_worth: Floats

    @staticmethod
    def game() -> GameEvaluation:
        """Return the functions for Splendor."""
        return EVALUATION


EVALUATION = GameEvaluation(
    evaluator_type=SplendorEvaluator,
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
