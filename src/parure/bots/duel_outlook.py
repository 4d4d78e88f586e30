"""Whether the seat to move in Splendor Duel can win in this turn."""

from __future__ import annotations

from parure.bots.evaluator import MAY_WIN, NO_WIN, SURE_WIN
from parure.games.duel import decisions, layout
from parure.games.duel.kernel import victory
from parure.games.duel.legal import card_in_place
from parure.games.duel.row_access import mover
from parure.games.engine.arrays import Cards, Row
from parure.games.engine.bits import (
    NON_GOLD_LANES,
    count_of,
    gold_in,
    has_bit,
    lane_min,
    lane_sum,
    one_of,
    popcount,
    saturating_sub,
)
from parure.games.engine.card_storage import CARD_MASK
from parure.games.engine.jit import inlined, outlined
from parure.games.engine.payment import gold_needed
from parure.games.engine.tokens import Y

MOST_ROYAL_POINTS = 3
MOST_ROYALS = 3  # in one turn: for three crowns, for six, and one bribed


@outlined
def turn_outlook(s: Row, cards: Cards) -> int:
    """Return whether the seat to move wins in this turn.

    `NO_WIN` and `SURE_WIN` are certain: nothing takes a goal away that was reached, and after the
    mandatory action only what it brought can reach one.
    """
    me = mover(s)
    if victory(s, me):
        return SURE_WIN
    if can_still_bribe(s, me) or s[layout.CLAIMABLE] or s[layout.ROYALS_DUE]:
        return MAY_WIN
    phase = s[layout.PHASE]
    if phase == layout.TURN or phase == layout.SECOND:
        return MAY_WIN if a_purchase_may_win(s, cards, me) else NO_WIN
    is_gaining = (
        phase == layout.PAY
        or phase == layout.COLOR
        or phase == layout.ROYAL
        or phase == layout.COUNTERFEITER
    )
    return MAY_WIN if is_gaining else NO_WIN


@inlined
def can_still_bribe(s: Row, me: int) -> bool:
    """Return whether the seat may take a royal with C09 in this turn, if it has the glassware."""
    is_unused = has_bit(s[me + layout.COUNTERFEITERS_HELD] & ~s[layout.USED], layout.C09)
    return is_unused and s[layout.FACE_UP_ROYALS] != 0 and s[layout.WINDOW_IS_PAST] == 0


@outlined
def a_purchase_may_win(s: Row, cards: Cards, me: int) -> bool:
    """Return whether a card could win whose price could be paid after some privileges."""
    on_board = 0
    for kind in range(Y):
        on_board += popcount(s[layout.BOARD + kind]) * one_of(kind)
    privileges = 0 if s[layout.REPLENISHED] else s[me + layout.PRIVILEGES]
    has_second = has_bit(s[me + layout.COUNTERFEITERS_HELD], layout.C13)  # token of a privilege
    if s[layout.PHASE] == layout.SECOND or (has_second and privileges):
        privileges += 1
    for place in range(decisions.PLACES):
        card = card_in_place(s, me, place) & CARD_MASK
        if (
            card < layout.EMPTY
            and may_reach_goal(s, cards, me, card)
            and may_be_paid(s, cards[layout.COST, card], me, on_board, privileges)
        ):
            return True
    return False


@inlined
def may_be_paid(s: Row, cost: int, me: int, on_board: int, privileges: int) -> bool:
    """Return whether a cost could be paid after privileges took this number of tokens."""
    if s[me + layout.DISCOUNTS]:
        return True
    tokens = s[me + layout.TOKENS]
    wealth = s[me + layout.BONUSES] + (tokens & NON_GOLD_LANES)
    taken = lane_sum(lane_min(saturating_sub(cost, wealth), on_board))
    return gold_needed(cost, wealth) - min(taken, privileges) <= gold_in(tokens)


@inlined
def may_reach_goal(s: Row, cards: Cards, me: int, card: int) -> bool:
    """Return whether a card could win, with the royals that may come with it."""
    crowns = s[me + layout.CROWNS_HELD]
    crowns_after = crowns + cards[layout.CROWNS, card]
    points = cards[layout.POINTS, card]
    royals = min(crowns_after // 3, 2) - min(crowns // 3, 2)
    color_goal, crowns_goal = layout.COLOR_GOAL, layout.CROWNS_GOAL
    if s[layout.WITH_COUNTERFEITERS]:
        color_goal -= 1  # R6
        crowns_goal -= 1  # R7
        if royals or card == layout.FIRST_COUNTERFEITER + layout.C09:
            royals = MOST_ROYALS
            crowns_goal -= 2  # R9 may bring C14
    color = cards[layout.CARD_COLOR, card]
    color_points = 0
    for kind in range(layout.JOKER):
        if color == kind or color == layout.JOKER:
            color_points = max(color_points, count_of(s[me + layout.SCORE_BY_COLOR], kind))
    return (
        s[me + layout.SCORE] + points + MOST_ROYAL_POINTS * royals >= layout.GOAL
        or crowns_after >= crowns_goal
        or (points > 0 and color_points + points >= color_goal)
    )
