"""The Counterfeiters: royals. docs/rules/counterfeiters.md, "Royals R5 to R12"."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.games.positions import (
    ALL_TOKENS,
    DUEL_COUNTERFEITERS,
    EMPTY_SEAT,
    Seat,
    Table,
    duel,
    legal,
    play,
)

from parure.games.duel import layout
from parure.games.duel.card_table import NO_CARD
from parure.games.duel.state import DuelState
from parure.games.position import Outcome


def state_after_royal(
    royal: str,
    me: Seat = EMPTY_SEAT,
    them: Seat = EMPTY_SEAT,
    *,
    board: str = "w....",
    coming: str = "",
    counterfeiters: str = "",
    coming_counterfeiters: str = "",
) -> DuelState:
    """Return a state after seat 0 has bought its third crown at no cost and taken a royal."""
    state = duel(
        replace(me, bonuses="www", crowns=2),
        them,
        board=board,
        face_up="J1-24",
        coming=coming,
        royals=royal,
        counterfeiters=counterfeiters,
        coming_counterfeiters=coming_counterfeiters,
        game=DUEL_COUNTERFEITERS,
    )
    play(state, "buy J1-24", f"royal {royal}")
    return state


def cells(state: DuelState) -> set[str]:
    return {text.removeprefix("collect ") for text in legal(state)}


# --- R5 -------------------------------------------------------------------------------------------


def test_r5_reserves_without_gold() -> None:
    state = state_after_royal("R5", coming="J1-20 J2-20")
    assert (state.phase, state.seat) == ("reserve", 0)
    assert "reserve J1-24" not in legal(state)
    assert "done" not in legal(state)
    state.play("reserve deck2")
    assert state.players[0].reserved == ("J2-20",)
    assert state.players[0].tokens == {}
    assert (state.seat, state.players[0].points) == (1, 2)


def test_r5_is_skipped_when_the_reserve_is_full() -> None:
    state = state_after_royal("R5", Seat(reserved="J3-01 J3-03 J3-05"))
    assert (state.phase, state.seat) == ("turn", 1)


def test_r5_is_for_one_card_with_c15_too() -> None:
    state = state_after_royal("R5", Seat(counterfeiters="C15", reserved="J3-01 J3-03 J3-05"))
    assert state.phase == "reserve"
    state.play("reserve deck1")
    assert (state.phase, state.seat) == ("turn", 1)


# --- R6, R7 ---------------------------------------------------------------------------------------


NINE_WHITE = "J3-01 J3-02 J2-03"


def test_r6_wins_with_nine_points_in_a_color() -> None:
    me = Seat(cards=NINE_WHITE, bonuses="www")  # with two crowns
    state = duel(me, face_up="J1-24", royals="R6", board="w....", game=DUEL_COUNTERFEITERS)
    play(state, "buy J1-24", "royal R6")
    assert state.outcome == Outcome((0,), "color")


def test_r6_does_not_lower_the_crowns_or_the_goal_of_the_opponent() -> None:
    state = duel(Seat(royals="R6", crowns=9), board="wu...", game=DUEL_COUNTERFEITERS)
    state.play("take a1")
    assert not state.is_over
    them = Seat(cards=NINE_WHITE)
    state = duel(Seat(royals="R6"), them, board="wu...", game=DUEL_COUNTERFEITERS)
    play(state, "take a1", "take b1")
    assert not state.is_over


def test_r7_wins_with_nine_crowns() -> None:
    state = duel(Seat(royals="R7", crowns=9), board="wu...", game=DUEL_COUNTERFEITERS)
    state.play("take a1")
    assert state.outcome == Outcome((0,), "crowns")


def test_r7_does_not_lower_the_points_or_the_goal_of_the_opponent() -> None:
    me, them = Seat(royals="R7", cards=NINE_WHITE), Seat(crowns=9)
    state = duel(me, them, board="wu...", game=DUEL_COUNTERFEITERS)
    play(state, "take a1", "take b1")
    assert not state.is_over


# --- R8 -------------------------------------------------------------------------------------------


def test_r8_takes_up_to_four_of_one_kind() -> None:
    state = state_after_royal("R8", board="vwv.y vwv..")
    assert state.phase == "collect"
    assert cells(state) == {*"a1 b1 c1 a2 b2 c2".split(), "done"}
    state.play("collect a1")
    assert state.phase == "collect-more"
    assert cells(state) == {"c1", "a2", "c2", "done"}
    play(state, "collect c1", "collect a2")
    assert cells(state) == {"c2", "done"}
    state.play("collect c2")
    assert (state.seat, state.players[0].tokens) == (1, {"v": 4})
    assert state.players[1].privileges == 0


def test_r8_may_be_declined_from_the_start() -> None:
    state = state_after_royal("R8", board="ww...")
    state.play("done")
    assert (state.seat, state.players[0].tokens) == (1, {})


def test_r8_ends_if_none_of_the_kind_is_left() -> None:
    state = state_after_royal("R8", board="wwu..")
    play(state, "collect a1", "collect b1")
    assert state.seat == 1


def test_r8_is_skipped_with_nothing_but_gold() -> None:
    assert state_after_royal("R8", board="yy...").seat == 1


# --- R9 -------------------------------------------------------------------------------------------


def test_r9_takes_a_counterfeiter_at_no_cost() -> None:
    state = state_after_royal("R9", counterfeiters="C01 C02 C03", coming_counterfeiters="C17 C16")
    assert state.phase == "counterfeiter"
    assert legal(state) == {f"counterfeiter {name}" for name in ("C01", "C02", "C03", "deck")}
    state.play("counterfeiter C02")
    assert state.players[0].counterfeiters == ("C02",)
    assert state.counterfeiters == ("C01", "C17", "C03")


def test_r9_takes_the_top_of_the_deck_and_shows_it() -> None:
    state = state_after_royal("R9", counterfeiters="C01 C02 C03", coming_counterfeiters="C17 C16")
    state.play("counterfeiter deck")
    assert state.view(1).players[0].counterfeiters == ("C17",)
    assert state.counterfeiters == ("C01", "C02", "C03")


def test_r9_is_skipped_with_no_counterfeiter_left() -> None:
    owned = " ".join(f"C{n:02}" for n in range(4, 18) if n != 9)
    state = duel(
        *(Seat(bonuses="www", crowns=2), Seat(counterfeiters=owned)),
        face_up="J1-24",
        royals="R9",
        counterfeiters="C01 C02 C03",
        deck_sizes="C:0",
        board="w....",
        game=DUEL_COUNTERFEITERS,
    )
    state.words[layout.COUNTERFEITER_ROW : layout.COUNTERFEITER_ROW + 3] = NO_CARD
    play(state, "buy J1-24", "royal R9")
    assert state.seat == 1


# --- R10 ------------------------------------------------------------------------------------------


def test_r10_draws_from_the_bag_gold_included() -> None:
    state = state_after_royal("R10")
    assert (state.phase, legal(state)) == ("draw", {"draw 0", "draw 1", "draw 2"})
    assert state.play("draw 2 > vy") == "draw 2 > vy"
    assert (state.seat, state.players[0].tokens) == (1, {"v": 1, "y": 1})
    assert state.log(1)[-1] == "draw 2 > vy"


def test_r10_may_draw_nothing() -> None:
    state = state_after_royal("R10")
    with pytest.raises(ValueError, match="chance has no part"):
        state.play("draw 0 > ")
    assert state.play("draw 0") == "draw 0"
    assert state.seat == 1


def test_r10_draws_at_most_what_the_bag_holds() -> None:
    rest = ALL_TOKENS.replace("w", "", 1).replace("k", "", 1)
    state = state_after_royal("R10", them=Seat(rest))
    assert state.bag == {"k": 1}
    assert legal(state) == {"draw 0", "draw 1"}


def test_r10_is_skipped_with_an_empty_bag() -> None:
    rest = ALL_TOKENS.replace("w", "", 1)
    assert state_after_royal("R10", them=Seat(rest)).seat == 1


def test_r10_is_recorded_in_kind_order() -> None:
    state = state_after_royal("R10")
    drawn = state.play("draw 2").split()[3]
    assert list(drawn) == sorted(drawn, key="wugrkpvy".index)
    with pytest.raises(ValueError, match="order"):
        state_after_royal("R10").play("draw 2 > yv")


# --- R11, R12 -------------------------------------------------------------------------------------


def test_r11_takes_a_gold() -> None:
    state = state_after_royal("R11", board="wy..y")
    assert (state.phase, cells(state)) == ("collect", {"b1", "e1"})
    state.play("collect e1")
    assert (state.phase, state.seat, state.players[0].tokens) == ("turn", 1, {"y": 1})


def test_r11_is_skipped_without_gold() -> None:
    assert state_after_royal("R11", board="ww...").seat == 1


def test_r12_takes_up_to_three_of_any_kinds() -> None:
    state = state_after_royal("R12", board="ppvyw")
    assert cells(state) == {"a1", "b1", "c1", "e1", "done"}
    play(state, "collect a1", "collect b1")
    assert (state.phase, cells(state)) == ("collect-more", {"c1", "e1", "done"})
    state.play("collect c1")
    assert (state.seat, state.players[0].tokens) == (1, {"p": 2, "v": 1})
    assert state.players[1].privileges == 0  # two pearls, but not by a line


def test_r12_may_be_declined_from_the_start() -> None:
    state = state_after_royal("R12", board="ppv..")
    state.play("done")
    assert state.seat == 1


# --- docs/rules/counterfeiters.md, "Privileges, replacement and crowns", 1 ------------------------


def test_three_alike_taken_with_a_royal_give_no_privilege() -> None:
    state = state_after_royal("R12", board="www..")
    play(state, "collect a1", "collect b1", "collect c1")
    assert state.players[1].privileges == 0


# --- docs/rules/counterfeiters.md, "Privileges, replacement and crowns", 2 ------------------------


def test_a_bribed_royal_can_bring_another_which_is_not_replaced() -> None:
    me = Seat("v", counterfeiters="C09", crowns=4)
    table: Table = {"royals": "R9 R4 R1 R2", "counterfeiters": "C14", "coming_royals": "R7 R6"}
    state = duel(me, board="w....", game=DUEL_COUNTERFEITERS, **table)
    play(state, "take a1", "use C09", "royal R9", "counterfeiter C14")
    assert state.phase == "royal"
    assert set(state.royals) == {"R1", "R2", "R4", "R7"}
    state.play("royal R4")
    assert set(state.royals) == {"R1", "R2", "R7"}


# --- docs/rules/counterfeiters.md, "Privileges, replacement and crowns", 3 ------------------------


def test_a_royal_can_bring_another_through_c14() -> None:
    me = Seat(bonuses="kkkkkkkk", crowns=1)
    table: Table = {"face_up": "J3-11", "royals": "R9 R4", "counterfeiters": "C14"}
    state = duel(me, board="w....", game=DUEL_COUNTERFEITERS, **table)
    play(state, "buy J3-11", "color k", "royal R9", "counterfeiter C14")
    assert (state.phase, state.players[0].crowns) == ("royal", 6)
    state.play("royal R4")
    assert state.players[0].royals == ("R4", "R9")
    assert state.seat == 1
