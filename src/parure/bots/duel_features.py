"""What a seat of Splendor Duel has: the features that its worth is summed up from."""

from __future__ import annotations

from parure.bots import reachable_cards as prospects
from parure.bots.doors import doors
from parure.bots.evaluator import Numbers
from parure.games.duel import decisions, kernel, layout
from parure.games.duel.paying import least_gold, price_of
from parure.games.engine.arrays import Cards, Row
from parure.games.engine.bits import (
    GLASS_SHIFT,
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

FEATURES = (
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
    prospects.TURN,
    *prospects.NAMES,
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
) = range(FEATURES.index(prospects.NAMES[0]))
C01_TO_C05, C06_ON = FEATURES.index("C01 to C05"), FEATURES.index("C06")

# What a card brings, for the prospects: each row of the card table with its factor.
WORTH = ((layout.POINTS, 1.0), (layout.CROWNS, 0.8))
BONUS_WORTH = 0.9
ABILITY_WORTH = 0.7


@inlined
def gold_lacking(s: Row, cards: Cards, me: int, priced: int) -> int:
    """The gold with which a seat could buy a card."""
    if s[me + layout.DISCOUNTS]:
        price = price_of(cards, card_number(priced), s[me + layout.BONUSES])
        return least_gold(price, s[me + layout.TOKENS], s[me + layout.DISCOUNTS])
    wealth = s[me + layout.BONUSES] + (s[me + layout.TOKENS] & NON_GOLD_LANES)
    return lane_sum(guarded_saturating_sub(priced & NON_GOLD_LANES, wealth))


@inlined
def head_start(s: Row, me: int, royal: int) -> int:
    """One if a royal of the seat lowers a goal by so much."""
    return 1 if has_bit(s[me + layout.ROYALS_HELD], royal) else 0


@inlined
def reaches_goal(s: Row, cards: Cards, me: int, card: int) -> bool:
    """Whether a seat has points or crowns enough if it buys a card, without a royal."""
    color_points = 0
    for kind in range(5):
        if cards[layout.CARD_COLOR, card] == kind or cards[layout.CARD_COLOR, card] == layout.JOKER:
            color_points = max(color_points, count_of(s[me + layout.SCORE_BY_COLOR], kind))
    color_points += cards[layout.POINTS, card] + head_start(s, me, layout.R6)
    crowns = s[me + layout.CROWNS_HELD] + cards[layout.CROWNS, card] + head_start(s, me, layout.R7)
    return (
        s[me + layout.SCORE] + cards[layout.POINTS, card] >= layout.GOAL
        or crowns >= layout.CROWNS_GOAL
        or color_points >= layout.COLOR_GOAL
    )


find_prospects = prospects.prospects_in(
    layout, FEATURES, layout.PYRAMID_SLOTS, gold_lacking, reaches_goal
)


@outlined
def features(s: Row, cards: Cards, worth: Numbers, seat: int, found: Numbers) -> None:
    """Write the features of a seat."""
    me = layout.SEATS + seat * layout.SEAT_WORDS
    points = s[me + layout.SCORE]
    crowns = s[me + layout.CROWNS_HELD] + head_start(s, me, layout.R7)
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
    color_points += head_start(s, me, layout.R6)
    counted = tokens
    if has_bit(s[me + layout.COUNTERFEITERS_HELD], decisions.C12):
        counted &= ~(0x7F << GLASS_SHIFT)
    found[POINTS] = points
    found[POINTS_10] = max(points - 10, 0)
    found[POINTS_15] = max(points - 15, 0)
    found[CROWNS] = crowns
    found[CROWNS_5] = max(crowns - 5, 0)
    found[CROWNS_7] = max(crowns - 7, 0)
    found[CROWN_3] = min(crowns, 3)
    found[COLOR] = color_points
    found[COLOR_4] = max(color_points - 4, 0)
    found[COLOR_7] = max(color_points - 7, 0)
    found[SECOND_COLOR] = second_color
    found[BONUSES] = lane_sum(bonuses)
    found[MANY_BONUSES] = found[BONUSES] ** 2
    found[COLORS] = colors
    found[COLORS_2] = colors_2
    found[BONUSES_4] = bonuses_4
    found[GEMS] = gems - max(lane_sum(counted) - layout.TOKEN_LIMIT, 0)
    found[GEM_KINDS] = gem_kinds
    found[PEARLS] = count_of(tokens, P)
    found[GOLD] = gold_in(tokens)
    found[GLASS] = count_of(tokens, V)
    found[PRIVILEGES] = s[me + layout.PRIVILEGES]
    found[ROOM_TO_RESERVE] = layout.RESERVE_LIMIT - s[me + layout.RESERVED_COUNT]
    found[TURN] = 1.0 if s[layout.SEAT] == seat and s[layout.PHASE] <= layout.SECOND else 0.0
    find_prospects(s, cards, worth, me, found)
    held = s[me + layout.COUNTERFEITERS_HELD]
    found[C01_TO_C05] = popcount(held & ((1 << decisions.C06) - 1))
    for number in range(decisions.C06, layout.COUNTERFEITERS):
        found[C06_ON + number - decisions.C06] = 1.0 if has_bit(held, number) else 0.0


@inlined
def progress(s: Row) -> float:
    """How far a game is: 0 at its start, 1 when a seat has points enough."""
    first, second = (
        s[layout.SEATS + layout.SCORE],
        s[layout.SEATS + layout.SEAT_WORDS + layout.SCORE],
    )
    return min(max(first, second) / layout.GOAL, 1.0)


@inlined
def is_settled(s: Row) -> bool:
    """Whether a position can be judged: nothing is half done that is worth something."""
    phase = s[layout.PHASE]
    return phase <= layout.RESERVE_MORE or phase == layout.DISCARD or phase == layout.OVER


def worth_of(cards: Cards) -> list[float]:
    """What each card brings, in points."""
    worth = []
    for card in range(layout.CARDS):
        value = sum(factor * float(cards[row, card]) for row, factor in WORTH)
        value += BONUS_WORTH * (1 if cards[layout.CARD_COLOR, card] == layout.JOKER else 0)
        value += BONUS_WORTH * sum(unpack(cards[layout.BONUS, card]))
        value += ABILITY_WORTH if cards[layout.ABILITY, card] else 0.0
        worth.append(value if card < layout.JEWELS else 0.0)
    return worth


@inlined
def bag(s: Row) -> int:
    """The tokens that chance draws from, packed."""
    return s[layout.BAG]


DOORS = doors(kernel, layout)
