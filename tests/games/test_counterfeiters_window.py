"""The Counterfeiters: the window. docs/rules/counterfeiters.md, "The window"."""

from __future__ import annotations

from tests.games.counterfeiter_positions import is_window_open, state_after_take
from tests.games.positions import (
    ALL_TOKENS,
    DUEL_COUNTERFEITERS,
    Seat,
    duel,
    legal,
    play,
)


def test_each_use_once_a_turn_and_in_any_order() -> None:
    me = Seat("vvvv", counterfeiters="C09 C10 C11 C17", privileges=3)
    state = state_after_take(me, Seat("w"), royals="R4")
    assert legal(state) == {"use C09", "use C10", "use C11", "use C17", "done"}
    play(state, "use C11", "steal w")
    assert state.phase == "window"  # nothing left to steal, and C11 was used
    assert legal(state) == {"use C09", "use C10", "use C17", "done"}
    play(state, "use C10")
    assert legal(state) == {"use C09", "use C17", "done"}
    state.play("done")
    assert (state.phase, state.seat) == ("turn", 0)


def test_the_window_closes_when_nothing_can_be_used() -> None:
    """docs/rules/README.md, "Decisions and phases", 2."""
    state = state_after_take(Seat("v", counterfeiters="C11", privileges=1), Seat("ww"))
    play(state, "use C11", "steal w")
    assert (state.phase, state.seat) == ("turn", 1)
    assert state.players[0].privileges == 0


def test_no_window_without_glassware() -> None:
    assert not is_window_open(state_after_take(Seat("k", counterfeiters="C10", privileges=1)))


def test_no_window_without_a_card_to_use() -> None:
    assert not is_window_open(state_after_take(Seat("vvv", counterfeiters="C12 C13", privileges=1)))


def test_gold_pays_for_a_use() -> None:
    state = state_after_take(Seat("y", counterfeiters="C10", privileges=1))
    state.play("use C10")
    assert state.players[0].tokens == {"k": 1}
    assert state.seat == 0


def test_the_window_comes_before_the_discard() -> None:
    """docs/rules/counterfeiters.md, "The window", 5."""
    state = state_after_take(Seat("wwuuggrrkv", counterfeiters="C10", privileges=1))
    assert state.phase == "window"
    state.play("use C10")
    assert (state.phase, state.seat) == ("turn", 0)


def test_a_card_works_from_the_moment_it_is_owned() -> None:
    me = Seat("vvvrk", privileges=1)
    state = duel(me, counterfeiters="C10", board="w....", game=DUEL_COUNTERFEITERS)
    state.play("buy C10")
    assert legal(state) == {"use C10", "done"}


def test_uses_come_back_in_the_extra_turn() -> None:
    me = Seat("vv", counterfeiters="C10", privileges=2)
    state = duel(me, board="kw...", game=DUEL_COUNTERFEITERS)
    play(state, "take a1", "use C10", "take b1")
    assert legal(state) == {"use C10", "done"}


# --- docs/rules/counterfeiters.md, "The window", 1 ------------------------------------------------


def test_what_one_use_brings_can_be_used_by_the_next() -> None:
    state = state_after_take(Seat("v", counterfeiters="C10 C11", privileges=2), Seat("v"))
    play(state, "use C11", "steal v")
    assert legal(state) == {"use C10", "done"}


def test_a_privilege_gained_in_this_turn_may_be_returned() -> None:
    me = Seat("wwwwkkpv", counterfeiters="C10")
    state = duel(me, face_up="J2-03", board="r....", game=DUEL_COUNTERFEITERS)
    state.play("buy J2-03")
    assert legal(state) == {"use C10", "done"}
    state.play("use C10")
    assert (state.players[0].privileges, state.privileges) == (0, 3)


# --- docs/rules/counterfeiters.md, "The window", 2 ------------------------------------------------


def test_what_is_spent_is_in_the_bag_before_the_effect() -> None:
    me = Seat("v", counterfeiters="C09")
    rest = ALL_TOKENS.replace("v", "", 1).replace("k", "", 1)
    state = duel(me, Seat(rest), board="k....", bag="", royals="R10", game=DUEL_COUNTERFEITERS)
    play(state, "take a1", "use C09", "royal R10")
    assert state.phase == "draw"
    assert legal(state) == {"draw 0", "draw 1"}


# --- docs/rules/counterfeiters.md, "The window", 3 ------------------------------------------------


def test_the_window_is_open_after_a_pass() -> None:
    me = Seat("v", counterfeiters="C10", privileges=1, reserved="J3-01 J3-03 J3-05")
    rest = ALL_TOKENS.replace("v", "", 1)
    state = duel(me, Seat(rest), board=".....", bag="", game=DUEL_COUNTERFEITERS)
    assert legal(state) == {"pass"}
    state.play("pass")
    assert legal(state) == {"use C10", "done"}


# --- docs/rules/counterfeiters.md, "The window", 4 ------------------------------------------------


def test_gold_may_replace_glassware_held() -> None:
    state = state_after_take(Seat("vy", counterfeiters="C10", privileges=1))
    state.play("use C10")
    assert (state.phase, state.buying) == ("pay", "C10")
    assert legal(state) == {"pay", "gold-for v"}
    assert state.players[0].privileges == 1
    state.play("gold-for v")
    assert state.players[0].tokens == {"k": 1, "v": 1}


def test_gold_that_is_needed_is_no_choice() -> None:
    state = state_after_take(Seat("vy", counterfeiters="C17"))
    state.play("use C17")
    assert state.phase == "deck"


def test_gold_for_one_of_two_glassware() -> None:
    state = state_after_take(Seat("vyy", counterfeiters="C17"))
    state.play("use C17")
    assert legal(state) == {"pay", "gold-for v"}
    state.play("gold-for v")
    assert state.players[0].tokens == {"k": 1, "v": 1}


def test_discounts_do_not_apply_in_the_window() -> None:
    state = state_after_take(Seat("vvy", counterfeiters="C01 C08 C10", privileges=1))
    state.play("use C10")
    assert legal(state) == {"pay", "gold-for v"}
