"""What a seat of Splendor has: the features that its worth is summed up from."""

from __future__ import annotations

from parure.bots import reachable_cards as prospects
from parure.bots.doors import doors
from parure.bots.evaluator import REACH, Numbers
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

FEATURES = (
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
    prospects.TURN,
    "a turn still to come",
    *prospects.NAMES,
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
) = range(FEATURES.index(prospects.NAMES[0]))

BONUS_WORTH = 0.9


@inlined
def gold_lacking(s: Row, cards: Cards, me: int, priced: int) -> int:
    """The gold with which a seat could buy a card."""
    wealth = s[me + layout.BONUSES] + (s[me + layout.TOKENS] & NON_GOLD_LANES)
    return lane_sum(guarded_saturating_sub(priced & NON_GOLD_LANES, wealth))


@inlined
def reaches_goal(s: Row, cards: Cards, me: int, card: int) -> bool:
    """Whether a seat has points enough if it buys a card, with a noble who comes then."""
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


find_prospects = prospects.prospects_in(
    layout, FEATURES, layout.DECKS * layout.FACE_UP, gold_lacking, reaches_goal
)


@outlined
def features(s: Row, cards: Cards, worth: Numbers, seat: int, found: Numbers) -> None:
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
    found[POINTS] = points
    found[POINTS_7] = max(points - 7, 0)
    found[POINTS_11] = max(points - 11, 0)
    found[GOAL] = 1.0 if points >= layout.GOAL else 0.0
    found[BONUSES] = lane_sum(bonuses)
    found[MANY_BONUSES] = found[BONUSES] ** 2
    found[COLORS] = colors
    found[COLORS_2] = colors_2
    found[BONUSES_4] = bonuses_4
    found[GEMS] = min(lane_sum(tokens), layout.TOKEN_LIMIT) - gold_in(tokens)
    found[GEM_KINDS] = gem_kinds
    found[GOLD] = gold_in(tokens)
    found[ROOM_TO_RESERVE] = layout.RESERVE_LIMIT - s[me + layout.RESERVED_COUNT]
    found[TURN] = 1.0 if s[layout.SEAT] == seat and s[layout.PHASE] == layout.TURN else 0.0
    found[TURN_TO_COME] = 1.0 if not s[layout.LAST_ROUND] or seat >= s[layout.SEAT] else 0.0
    find_prospects(s, cards, worth, me, found)
    nobles(s, cards, bonuses, found)


@inlined
def nobles(s: Row, cards: Cards, bonuses: int, found: Numbers) -> None:
    """How near the nobles are, by the bonuses that are lacking."""
    nearest = together = 0.0
    left = s[layout.FACE_UP_NOBLES]
    while left:
        lacking = lane_sum(
            saturating_sub(cards[layout.COST, layout.FIRST_NOBLE + lowest_bit(left)], bonuses)
        )
        left &= left - 1
        near = REACH[min(lacking, 7)]
        nearest = max(nearest, near)
        together += near
    found[NOBLE] = nearest
    found[NOBLES] = together


@inlined
def progress(s: Row) -> float:
    """How far a game is: 0 at its start, 1 when a seat has points enough."""
    most = 0
    for seat in range(s[layout.SEAT_COUNT]):
        most = max(most, s[layout.SEATS + seat * layout.SEAT_WORDS + layout.SCORE])
    return min(most / layout.GOAL, 1.0)


@inlined
def is_settled(s: Row) -> bool:
    """Whether a position can be judged: nothing is half done that is worth something."""
    phase = s[layout.PHASE]
    return phase == layout.TURN or phase == layout.DISCARD or phase == layout.OVER


def worth_of(cards: Cards) -> list[float]:
    """What each card brings, in points."""
    return [
        float(cards[layout.POINTS, card]) + BONUS_WORTH if card < layout.DEVELOPMENTS else 0.0
        for card in range(layout.CARDS)
    ]


@inlined
def bag(s: Row) -> int:
    """The tokens that chance draws from: there is no such thing in this game."""
    return 0


DOORS = doors(kernel, layout)
