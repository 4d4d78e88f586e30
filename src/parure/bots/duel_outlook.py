"""Whether the seat to move in Splendor Duel can win in this turn."""

from __future__ import annotations

from parure.bots.evaluator import MAY_WIN, NO_WIN, SURE_WIN
from parure.games.duel import decisions, layout
from parure.games.duel.cards import ROYALS
from parure.games.duel.kernel import victory
from parure.games.duel.legal import card_in_place
from parure.games.duel.row_access import mover
from parure.games.engine.arrays import Cards, Row
from parure.games.engine.bits import (
    NON_GOLD_LANES,
    as_int,
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

MOST_ROYAL_POINTS = max(royal.points for royal in ROYALS)
MOST_ROYALS = 3  # in one turn: for three crowns, for six, and one bribed
MOST_ROYALS_OF_A_BRIBE = 2  # R9, and one for the crowns of C14
MOST_ROYAL_CROWNS = 2  # R9 may bring C14
COLOR_ROYAL, CROWNS_ROYAL = 1, 1  # by how much R6 and R7 lower a goal


@outlined
def turn_outlook(s: Row, cards: Cards) -> int:
    """Return whether the seat to move wins in this turn.

    Points and crowns are never lost. After the mandatory action only what it brought and a royal
    bribed with C09 can still bring a win.
    """
    me, phase = mover(s), s[layout.PHASE]
    if victory(s, me):
        return SURE_WIN
    is_gaining = (
        phase == layout.PAY
        or phase == layout.COLOR
        or phase == layout.ROYAL
        or phase == layout.COUNTERFEITER
    )
    if is_gaining or s[layout.ROYALS_DUE] or s[layout.CLAIMABLE]:
        return MAY_WIN
    may_bribe = can_still_bribe(s, me)
    if may_bribe and may_reach_goal(s, cards, me, layout.EMPTY, MOST_ROYALS_OF_A_BRIBE):
        return MAY_WIN
    is_before_action = phase == layout.TURN or phase == layout.SECOND
    if is_before_action and a_purchase_may_win(s, cards, me, may_bribe):
        return MAY_WIN
    return NO_WIN


@inlined
def can_still_bribe(s: Row, me: int) -> bool:
    """Return whether the seat may use C09 in this turn; its price is not checked."""
    is_unused = has_bit(s[me + layout.COUNTERFEITERS_HELD] & ~s[layout.USED], layout.C09)
    return is_unused and s[layout.FACE_UP_ROYALS] != 0 and s[layout.WINDOW_IS_PAST] == 0


@outlined
def a_purchase_may_win(s: Row, cards: Cards, me: int, may_bribe: bool) -> bool:
    """Return whether a card could win that is affordable, or that privileges may make so."""
    on_board = 0
    for kind in range(Y):
        on_board += popcount(s[layout.BOARD + kind]) * one_of(kind)
    privileges = 0 if s[layout.REPLENISHED] else s[me + layout.PRIVILEGES]
    has_double = has_bit(s[me + layout.COUNTERFEITERS_HELD], layout.C13)
    if s[layout.PHASE] == layout.SECOND or (has_double and privileges):
        privileges += 1  # with C13, the first privilege of a turn takes two tokens
    crowns = s[me + layout.CROWNS_HELD]
    for place in range(decisions.PLACES):
        card = card_in_place(s, me, place) & CARD_MASK
        if card >= layout.EMPTY:
            continue
        royals = min((crowns + cards[layout.CROWNS, card]) // 3, 2) - min(crowns // 3, 2)
        if s[layout.WITH_COUNTERFEITERS] and royals:
            royals = MOST_ROYALS
        if may_bribe or card == layout.FIRST_COUNTERFEITER + layout.C09:
            royals = MOST_ROYALS
        if may_reach_goal(s, cards, me, card, royals) and may_be_paid(
            s, cards[layout.COST, card], me, on_board, privileges
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
def may_reach_goal(s: Row, cards: Cards, me: int, card: int, royals: int) -> bool:
    """Return whether a card could win together with a number of royals."""
    held = s[me + layout.ROYALS_HELD]
    color_goal = layout.COLOR_GOAL - as_int(has_bit(held, layout.R6))
    crowns_goal = layout.CROWNS_GOAL - as_int(has_bit(held, layout.R7))
    if s[layout.WITH_COUNTERFEITERS] and royals:
        color_goal = layout.COLOR_GOAL - COLOR_ROYAL
        crowns_goal = layout.CROWNS_GOAL - CROWNS_ROYAL - MOST_ROYAL_CROWNS
    points, color = cards[layout.POINTS, card], cards[layout.CARD_COLOR, card]
    color_points = 0
    for kind in range(layout.JOKER):
        is_of_kind = as_int(color == kind or color == layout.JOKER)
        in_color = count_of(s[me + layout.SCORE_BY_COLOR], kind) + is_of_kind * points
        color_points = max(color_points, in_color)
    return (
        s[me + layout.SCORE] + points + royals * MOST_ROYAL_POINTS >= layout.GOAL
        or s[me + layout.CROWNS_HELD] + cards[layout.CROWNS, card] >= crowns_goal
        or color_points >= color_goal
    )
