"""The Counterfeiters, C09 to C17: docs/rules/counterfeiters.md, "Counterfeiter cards"."""

from __future__ import annotations

import pytest
from tests.games.counterfeiter_positions import is_window_open, state_after_take
from tests.games.positions import (
    ALL_TOKENS,
    DUEL_COUNTERFEITERS,
    Seat,
    all_tokens,
    duel,
    legal,
    play,
)

from parure.games.api import determinize
from parure.games.duel import layout
from parure.games.duel.state import DuelState
from parure.games.position import Outcome

# --- C09 ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("owned", "price"), [("", 1), ("R1", 2), ("R1 R2", 3)])
def test_a_bribe_costs_one_more_for_each_royal_owned(owned: str, price: int) -> None:
    short = Seat("v" * (price - 1), counterfeiters="C09", royals=owned)
    assert not is_window_open(state_after_take(short))
    state = state_after_take(Seat("v" * price, counterfeiters="C09", royals=owned), royals="R4")
    state.play("use C09")
    assert state.phase == "royal"
    assert state.players[0].tokens == {"k": 1}
    assert state.bag["v"] == 4


def test_a_bribed_royal_is_replaced_at_once_before_its_ability() -> None:
    me = Seat("v", counterfeiters="C09")
    state = state_after_take(me, royals="R1 R2 R5 R4", coming_royals="R7")
    play(state, "use C09", "royal R5")
    assert state.phase == "reserve"
    assert state.royals == ("R1", "R2", "R4", "R7")


def test_a_bribe_with_an_empty_royal_deck() -> None:
    me = Seat("v", counterfeiters="C09")
    state = state_after_take(me, royals="R1 R2 R5 R4", deck_sizes="R:0")
    play(state, "use C09", "royal R4")
    assert state.royals == ("R1", "R2", "R5")


def test_a_royal_for_crowns_is_not_replaced() -> None:
    me = Seat("www", crowns=2)
    state = duel(me, face_up="J1-24", royals="R4", board="g....", game=DUEL_COUNTERFEITERS)
    play(state, "buy J1-24", "royal R4")
    assert len(state.royals) == 3


def test_a_bribe_needs_a_face_up_royal() -> None:
    state = duel(Seat("v", counterfeiters="C09"), board="k....", game=DUEL_COUNTERFEITERS)
    state.words[layout.FACE_UP_ROYALS] = 0
    state.play("take a1")
    assert (state.phase, state.seat) == ("turn", 1)


def test_at_most_one_extra_turn_comes_of_one_turn() -> None:
    me = Seat("uuggpv", counterfeiters="C09")
    state = duel(me, face_up="J1-03", royals="R2", board="kr...", game=DUEL_COUNTERFEITERS)
    play(state, "buy J1-03", "use C09", "royal R2")
    assert (state.seat, state.turns) == (0, 1)
    state.play("take a1")
    assert (state.seat, state.turns) == (1, 2)


# --- C10, C11 -------------------------------------------------------------------------------------


def test_another_turn_for_a_glassware_and_a_privilege() -> None:
    state = state_after_take(Seat("v", counterfeiters="C10", privileges=1))
    state.play("use C10")
    assert (state.seat, state.turns, state.phase) == (0, 1, "turn")
    assert (state.players[0].privileges, state.privileges) == (0, 3)
    assert state.bag["v"] == 4


@pytest.mark.parametrize("card", ["C10", "C11"])
def test_c10_and_c11_need_a_privilege(card: str) -> None:
    assert not is_window_open(state_after_take(Seat("v", counterfeiters=card), Seat("w")))
    assert is_window_open(state_after_take(Seat("v", counterfeiters=card, privileges=1), Seat("w")))


def test_c10_is_not_usable_if_an_extra_turn_is_due() -> None:
    me = Seat("uuggpv", counterfeiters="C10", privileges=1)
    state = duel(me, face_up="J1-03", board="r....", game=DUEL_COUNTERFEITERS)
    state.play("buy J1-03")
    assert (state.seat, state.phase, state.turns) == (0, "turn", 1)
    assert state.players[0].privileges == 1


@pytest.mark.parametrize(("held", "can_steal"), [("", False), ("y", False), ("v", True)])
def test_c11_needs_something_to_steal(held: str, can_steal: bool) -> None:
    state = state_after_take(Seat("v", counterfeiters="C11", privileges=1), Seat(held))
    assert is_window_open(state) is can_steal


def test_steal_for_a_glassware_and_a_privilege() -> None:
    state = state_after_take(Seat("v", counterfeiters="C11", privileges=1), Seat("wvyp"))
    state.play("use C11")
    assert state.phase == "steal"
    assert legal(state) == {"steal w", "steal p", "steal v"}
    assert (state.players[0].privileges, state.bag["v"]) == (0, 3)
    state.play("steal v")
    assert state.players[0].tokens == {"k": 1, "v": 1}
    assert all_tokens(state) == ALL_TOKENS


# --- C13 ------------------------------------------------------------------------------------------


def test_the_first_privilege_takes_two() -> None:
    me = Seat(counterfeiters="C13", privileges=2)
    state = duel(me, board="wuyg. vpr..", game=DUEL_COUNTERFEITERS)
    state.play("privilege a1")
    assert state.phase == "second"
    assert legal(state) == {"done", *(f"privilege {cell}" for cell in "b1 d1 a2 b2 c2".split())}
    state.play("privilege a2")
    assert (state.phase, state.players[0].privileges) == ("turn", 1)
    assert state.players[0].tokens == {"w": 1, "v": 1}
    state.play("privilege b1")
    assert (state.phase, state.players[0].privileges) == ("turn", 0)


def test_the_second_may_be_declined() -> None:
    state = duel(Seat(counterfeiters="C13", privileges=2), board="wug..", game=DUEL_COUNTERFEITERS)
    play(state, "privilege a1", "done")
    assert (state.phase, state.players[0].privileges) == ("turn", 1)
    state.play("privilege b1")
    assert state.phase == "turn"


def test_no_second_token_if_none_is_left() -> None:
    state = duel(Seat(counterfeiters="C13", privileges=1), board="w.y..", game=DUEL_COUNTERFEITERS)
    state.play("privilege a1")
    assert state.phase == "turn"


def test_the_second_is_under_the_same_limit() -> None:
    me = Seat(counterfeiters="C13", privileges=1, reserved="J3-01 J3-03 J3-05")
    rest = ALL_TOKENS.replace("w", "", 1).replace("u", "", 1)
    state = duel(me, Seat(rest), board="wu...", bag="", game=DUEL_COUNTERFEITERS)
    state.play("privilege a1")
    assert state.phase == "turn"  # the last token must stay
    assert legal(state) == {"take b1"}


# --- C14 ------------------------------------------------------------------------------------------


def test_crowns_count_at_once_for_a_royal() -> None:
    state = duel(
        Seat("vvy", crowns=1), counterfeiters="C14", board="w....", game=DUEL_COUNTERFEITERS
    )
    state.play("buy C14")
    assert (state.phase, state.players[0].crowns) == ("royal", 3)


def test_crowns_count_for_victory() -> None:
    state = duel(
        Seat("vvy", crowns=8), counterfeiters="C14", board="w....", game=DUEL_COUNTERFEITERS
    )
    state.play("buy C14")
    assert state.outcome == Outcome((0,), "crowns")


# --- C15 ------------------------------------------------------------------------------------------


def test_one_or_two_cards_are_reserved() -> None:
    me = Seat(counterfeiters="C15")
    state = duel(me, board="yw...", face_up="J1-07", coming="J1-20 J1-21", game=DUEL_COUNTERFEITERS)
    play(state, "gold a1", "reserve J1-07")
    assert (state.phase, state.seat) == ("reserve-more", 0)
    assert "done" in legal(state)
    assert state.pyramid[0][:1] == (None,)  # not refilled yet
    assert "reserve J1-07" not in legal(state)
    state.play("reserve deck1")
    assert state.players[0].reserved == ("J1-07", "J1-20")
    assert (state.seat, state.pyramid[0][:1]) == (1, ("J1-21",))
    assert state.players[0].tokens == {"y": 1}


def test_a_deck_may_be_drawn_from_twice_and_the_first_card_is_seen() -> None:
    state = duel(
        Seat(counterfeiters="C15"), board="yw...", coming="J2-20 J2-19", game=DUEL_COUNTERFEITERS
    )
    play(state, "gold a1", "reserve deck2")
    assert state.view(0).players[0].reserved == ("J2-20",)
    state.play("reserve deck2")
    assert state.players[0].reserved == ("J2-20", "J2-19")


def test_a_second_reservation_may_be_declined() -> None:
    state = duel(Seat(counterfeiters="C15"), board="yw...", game=DUEL_COUNTERFEITERS)
    play(state, "gold a1", "reserve deck2", "done")
    assert state.seat == 1


def test_at_most_five_cards_are_reserved() -> None:
    four = "J3-01 J3-03 J3-05 J3-07"
    state = duel(Seat(counterfeiters="C15", reserved=four), board="yw...", game=DUEL_COUNTERFEITERS)
    play(state, "gold a1", "reserve deck1")
    assert (state.seat, len(state.players[0].reserved)) == (1, 5)
    five = Seat(counterfeiters="C15", reserved=f"{four} J3-09")
    assert not legal(duel(five, board="yw...", game=DUEL_COUNTERFEITERS), "gold")


# --- C16 ------------------------------------------------------------------------------------------


def state_collecting(board: str, me: str = "rrkk") -> DuelState:
    """Return a state after buying a white card with the token ability and with C16."""
    state = duel(
        Seat(me, counterfeiters="C16"), face_up="J1-01", board=board, game=DUEL_COUNTERFEITERS
    )
    state.play("buy J1-01")
    return state


def test_two_of_the_color() -> None:
    state = state_collecting("wuwyv w....")
    assert state.phase == "collect"
    assert legal(state) == {f"collect {cell}" for cell in "a1 b1 c1 e1 a2".split()}
    state.play("collect a1")
    assert state.phase == "collect-more"
    assert legal(state) == {"done", "collect c1", "collect a2"}
    state.play("collect c1")
    assert (state.seat, state.players[0].tokens) == (1, {"w": 2})


def test_the_second_of_the_color_may_be_declined() -> None:
    state = state_collecting("wuw..")
    play(state, "collect a1", "done")
    assert (state.seat, state.players[0].tokens) == (1, {"w": 1})


def test_or_one_of_any_kind_but_gold() -> None:
    state = state_collecting("wuwyv")
    state.play("collect e1")
    assert (state.seat, state.players[0].tokens) == (1, {"v": 1})


def test_collect_more_is_skipped_if_the_color_is_not_on_the_board() -> None:
    state = state_collecting("wu...")
    state.play("collect a1")
    assert state.seat == 1


def test_any_kind_may_be_collected_if_the_color_is_not_on_the_board() -> None:
    state = state_collecting("uy...")
    assert legal(state) == {"collect a1"}


def test_collect_is_skipped_with_nothing_but_gold_on_the_board() -> None:
    assert state_collecting("yy...").seat == 1


# --- C17 ------------------------------------------------------------------------------------------


def state_peeking(coming: str = "", deck_sizes: str = "") -> DuelState:
    """Return a state after seat 0 has used C17."""
    me = Seat("vv", counterfeiters="C17")
    state = state_after_take(me, coming=coming, deck_sizes=deck_sizes)
    state.play("use C17")
    return state


def test_one_of_three_is_kept_and_the_others_go_under_in_order() -> None:
    state = state_peeking("J2-20 J2-19 J2-18 J2-17")
    assert state.phase == "deck"
    assert legal(state) == {"deck 1", "deck 2", "deck 3"}
    assert state.players[0].tokens == {"k": 1}
    state.play("deck 2")
    assert state.phase == "keep"
    assert legal(state) == {"keep J2-20", "keep J2-19", "keep J2-18"}
    state.play("keep J2-19")
    assert state.players[0].reserved == ("J2-19",)
    assert state.phase == "bottom"
    assert legal(state) == {"bottom J2-20", "bottom J2-18"}
    upper, lower = state.copy(), state.copy()
    upper.play("bottom J2-20")
    assert upper.deck(2)[-2:] == ("J2-20", "J2-18")
    lower.play("bottom J2-18")
    assert lower.deck(2)[-2:] == ("J2-18", "J2-20")
    assert lower.deck(2)[0] == "J2-17"
    assert len(lower.deck(2)) == 19
    assert lower.seat == 1


def test_of_two_cards_the_other_goes_under_without_a_decision() -> None:
    state = state_peeking(deck_sizes="2:2")
    first, second = state.deck(2)
    play(state, "deck 2")
    assert legal(state) == {f"keep {first}", f"keep {second}"}
    state.play(f"keep {first}")
    assert (state.seat, state.deck(2)) == (1, (second,))


def test_a_single_card_left_is_still_a_decision() -> None:
    state = state_peeking(deck_sizes="2:1")
    (card,) = state.deck(2)
    state.play("deck 2")
    assert legal(state) == {f"keep {card}"}
    state.play(f"keep {card}")
    assert (state.seat, state.deck(2)) == (1, ())


def test_a_deck_of_three_cards_can_be_peeked() -> None:
    state = state_peeking(deck_sizes="2:3")
    first, second, third = state.deck(2)
    play(state, "deck 2", f"keep {second}", f"bottom {third}")
    assert state.deck(2) == (third, first)


def test_an_empty_deck_is_not_offered() -> None:
    assert legal(state_peeking(deck_sizes="2:0")) == {"deck 1", "deck 3"}


def test_c17_needs_space_in_the_reserve_and_a_deck() -> None:
    full = "J3-01 J3-03 J3-05"
    assert not is_window_open(state_after_take(Seat("vv", counterfeiters="C17", reserved=full)))
    assert is_window_open(state_after_take(Seat("vv", counterfeiters="C15 C17", reserved=full)))
    no_decks = "1:0 2:0 3:0"
    assert not is_window_open(
        state_after_take(Seat("vv", counterfeiters="C17"), deck_sizes=no_decks)
    )
    assert not is_window_open(state_after_take(Seat("v", counterfeiters="C17")))


# --- docs/rules/counterfeiters.md, "What each player knows" ---------------------------------------


def test_peeked_cards_are_known_to_the_user_only() -> None:
    state = state_peeking("J2-20 J2-19 J2-18")
    state.play("deck 2")
    assert state.view(0).deck(2)[:3] == ("J2-20", "J2-19", "J2-18")
    assert set(state.view(1).deck(2)) == {"??2"}
    play(state, "keep J2-19", "bottom J2-18")
    assert state.view(0).deck(2)[-2:] == ("J2-18", "J2-20")
    assert set(state.view(0).deck(2)[:-2]) == {"??2"}
    for seat in (1, None):
        assert set(state.view(seat).deck(2)) == {"??2"}
        assert state.view(seat).players[0].reserved == ("??2",)
        assert state.log(seat)[-3:] == ["deck 2", "keep ??", "bottom ??"]
    assert state.log(0)[-3:] == ["deck 2", "keep J2-19", "bottom J2-18"]


def test_determinize_keeps_peeked_cards() -> None:
    state = state_peeking("J2-20 J2-19 J2-18")
    play(state, "deck 2", "keep J2-19", "bottom J2-18")
    for seed in range(5):
        assert determinize(state.view(0), seed).deck(2)[-2:] == ("J2-18", "J2-20")
    assert len({determinize(state.view(1), seed).deck(2)[-2:] for seed in range(5)}) > 1
