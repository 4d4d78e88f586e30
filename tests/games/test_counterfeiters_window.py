"""counterfeiters.md: what C09 to C17 do, in the window and outside it."""

from __future__ import annotations

from typing import Unpack

import pytest
from tests.games.positions import (
    ALL_TOKENS,
    COUNTERFEIT,
    NOBODY,
    Seat,
    Table,
    duel,
    legal,
    play,
    tokens_in_all,
)

from parure.games.api import determinize
from parure.games.duel import layout
from parure.games.duel.state import DuelState
from parure.games.position import Outcome


def window(me: Seat, them: Seat = NOBODY, **table: Unpack[Table]) -> DuelState:
    """Seat 0 has taken a single black token; the window follows if there is one."""
    state = duel(me, them, board="k....", game=COUNTERFEIT, **table)
    state.play("take a1")
    return state


def is_open(state: DuelState) -> bool:
    return state.phase == "window"


# --- the window itself ----------------------------------------------------------------------------


def test_each_use_once_a_turn_and_in_any_order() -> None:
    me = Seat("vvvv", counterfeiters="C09 C10 C11 C17", privileges=3)
    state = window(me, Seat("w"), royals="R4")
    assert legal(state) == {"use C09", "use C10", "use C11", "use C17", "done"}
    play(state, "use C11", "steal w")
    assert state.phase == "window"  # nothing left to steal, and C11 was used
    assert legal(state) == {"use C09", "use C10", "use C17", "done"}
    play(state, "use C10")
    assert legal(state) == {"use C09", "use C17", "done"}
    state.play("done")
    assert (state.phase, state.seat) == ("turn", 0)


def test_the_window_closes_by_itself_when_nothing_can_be_used() -> None:
    state = window(Seat("v", counterfeiters="C11", privileges=1), Seat("ww"))
    play(state, "use C11", "steal w")
    assert (state.phase, state.seat) == ("turn", 1)
    assert state.players[0].privileges == 0


def test_no_window_without_glassware() -> None:
    assert not is_open(window(Seat("k", counterfeiters="C10", privileges=1)))


def test_no_window_without_a_card_to_use() -> None:
    assert not is_open(window(Seat("vvv", counterfeiters="C12 C13", privileges=1)))


def test_gold_is_as_good_as_glassware() -> None:
    state = window(Seat("y", counterfeiters="C10", privileges=1))
    state.play("use C10")
    assert state.players[0].tokens == {"k": 1}
    assert state.seat == 0


def test_the_window_is_open_after_a_pass() -> None:
    me = Seat("v", counterfeiters="C10", privileges=1, reserved="J3-01 J3-03 J3-05")
    rest = ALL_TOKENS.replace("v", "", 1)
    state = duel(me, Seat(rest), board=".....", bag="", game=COUNTERFEIT)
    assert legal(state) == {"pass"}
    state.play("pass")
    assert legal(state) == {"use C10", "done"}


def test_the_window_comes_before_the_discard() -> None:
    state = window(Seat("wwuuggrrkv", counterfeiters="C10", privileges=1))
    assert state.phase == "window"
    state.play("use C10")
    assert (state.phase, state.seat) == ("turn", 0)


def test_a_card_works_from_the_moment_it_is_owned() -> None:
    me = Seat("vvvrk", privileges=1)
    state = duel(me, counterfeiters="C10", board="w....", game=COUNTERFEIT)
    state.play("buy C10")
    assert legal(state) == {"use C10", "done"}


def test_what_one_use_brings_can_be_used_by_the_next() -> None:
    state = window(Seat("v", counterfeiters="C10 C11", privileges=2), Seat("v"))
    play(state, "use C11", "steal v")
    assert legal(state) == {"use C10", "done"}


def test_a_privilege_gained_in_this_turn_may_be_returned() -> None:
    me = Seat("wwwwkkpv", counterfeiters="C10")
    state = duel(me, face_up="J2-03", board="r....", game=COUNTERFEIT)
    state.play("buy J2-03")
    assert legal(state) == {"use C10", "done"}
    state.play("use C10")
    assert (state.players[0].privileges, state.privileges) == (0, 3)


def test_uses_come_back_in_the_extra_turn() -> None:
    me = Seat("vv", counterfeiters="C10", privileges=2)
    state = duel(me, board="kw...", game=COUNTERFEIT)
    play(state, "take a1", "use C10", "take b1")
    assert legal(state) == {"use C10", "done"}


# --- gold-for v -----------------------------------------------------------------------------------


def test_gold_may_stand_in_for_glassware_held() -> None:
    state = window(Seat("vy", counterfeiters="C10", privileges=1))
    state.play("use C10")
    assert (state.phase, state.buying) == ("pay", "C10")
    assert legal(state) == {"pay", "gold-for v"}
    assert state.players[0].privileges == 1
    state.play("gold-for v")
    assert state.players[0].tokens == {"k": 1, "v": 1}


def test_gold_that_is_needed_is_no_choice() -> None:
    state = window(Seat("vy", counterfeiters="C17"))
    state.play("use C17")
    assert state.phase == "deck"


def test_gold_for_one_of_two_glassware() -> None:
    state = window(Seat("vyy", counterfeiters="C17"))
    state.play("use C17")
    assert legal(state) == {"pay", "gold-for v"}
    state.play("gold-for v")
    assert state.players[0].tokens == {"k": 1, "v": 1}


def test_discounts_have_no_part_in_the_window() -> None:
    state = window(Seat("vvy", counterfeiters="C01 C08 C10", privileges=1))
    state.play("use C10")
    assert legal(state) == {"pay", "gold-for v"}


# --- C09 ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("owned", "price"), [("", 1), ("R1", 2), ("R1 R2", 3)])
def test_a_bribe_costs_one_more_for_each_royal_owned(owned: str, price: int) -> None:
    short = Seat("v" * (price - 1), counterfeiters="C09", royals=owned)
    assert not is_open(window(short))
    state = window(Seat("v" * price, counterfeiters="C09", royals=owned), royals="R4")
    state.play("use C09")
    assert state.phase == "royal"
    assert state.players[0].tokens == {"k": 1}
    assert state.bag["v"] == 4


def test_a_bribed_royal_is_replaced_at_once_before_its_ability() -> None:
    me = Seat("v", counterfeiters="C09")
    state = window(me, royals="R1 R2 R5 R4", coming_royals="R7")
    play(state, "use C09", "royal R5")
    assert state.phase == "reserve"
    assert state.royals == ("R1", "R2", "R4", "R7")


def test_a_bribe_with_an_empty_royal_deck() -> None:
    me = Seat("v", counterfeiters="C09")
    state = window(me, royals="R1 R2 R5 R4", deck_sizes="R:0")
    play(state, "use C09", "royal R4")
    assert state.royals == ("R1", "R2", "R5")


def test_a_royal_for_crowns_is_not_replaced() -> None:
    me = Seat("www", crowns=2)
    state = duel(me, face_up="J1-24", royals="R4", board="g....", game=COUNTERFEIT)
    play(state, "buy J1-24", "royal R4")
    assert len(state.royals) == 3


def test_no_bribe_where_no_royal_is_face_up() -> None:
    state = duel(Seat("v", counterfeiters="C09"), board="k....", game=COUNTERFEIT)
    state.words[layout.FACE_UP_ROYALS] = 0
    state.play("take a1")
    assert (state.phase, state.seat) == ("turn", 1)


def test_what_is_spent_is_in_the_bag_before_the_effect() -> None:
    me = Seat("v", counterfeiters="C09")
    rest = ALL_TOKENS.replace("v", "", 1).replace("k", "", 1)
    state = duel(me, Seat(rest), board="k....", bag="", royals="R10", game=COUNTERFEIT)
    play(state, "take a1", "use C09", "royal R10")
    assert state.phase == "draw"
    assert legal(state) == {"draw 0", "draw 1"}


def test_at_most_one_extra_turn_comes_of_one_turn() -> None:
    me = Seat("uuggpv", counterfeiters="C09")
    state = duel(me, face_up="J1-03", royals="R2", board="kr...", game=COUNTERFEIT)
    play(state, "buy J1-03", "use C09", "royal R2")
    assert (state.seat, state.turns) == (0, 1)
    state.play("take a1")
    assert (state.seat, state.turns) == (1, 2)


# --- C10, C11 -------------------------------------------------------------------------------------


def test_another_turn_for_a_glassware_and_a_privilege() -> None:
    state = window(Seat("v", counterfeiters="C10", privileges=1))
    state.play("use C10")
    assert (state.seat, state.turns, state.phase) == (0, 1, "turn")
    assert (state.players[0].privileges, state.privileges) == (0, 3)
    assert state.bag["v"] == 4


@pytest.mark.parametrize("card", ["C10", "C11"])
def test_no_privilege_no_use(card: str) -> None:
    assert not is_open(window(Seat("v", counterfeiters=card), Seat("w")))
    assert is_open(window(Seat("v", counterfeiters=card, privileges=1), Seat("w")))


def test_another_turn_is_not_to_be_had_twice() -> None:
    me = Seat("uuggpv", counterfeiters="C10", privileges=1)
    state = duel(me, face_up="J1-03", board="r....", game=COUNTERFEIT)
    state.play("buy J1-03")
    assert (state.seat, state.phase, state.turns) == (0, "turn", 1)
    assert state.players[0].privileges == 1


@pytest.mark.parametrize(("held", "can_steal"), [("", False), ("y", False), ("v", True)])
def test_no_use_where_there_is_nothing_to_steal(held: str, can_steal: bool) -> None:
    state = window(Seat("v", counterfeiters="C11", privileges=1), Seat(held))
    assert is_open(state) is can_steal


def test_steal_for_a_glassware_and_a_privilege() -> None:
    state = window(Seat("v", counterfeiters="C11", privileges=1), Seat("wvyp"))
    state.play("use C11")
    assert state.phase == "steal"
    assert legal(state) == {"steal w", "steal p", "steal v"}
    assert (state.players[0].privileges, state.bag["v"]) == (0, 3)
    state.play("steal v")
    assert state.players[0].tokens == {"k": 1, "v": 1}
    assert tokens_in_all(state) == ALL_TOKENS


# --- C13 ------------------------------------------------------------------------------------------


def test_the_first_privilege_takes_two() -> None:
    me = Seat(counterfeiters="C13", privileges=2)
    state = duel(me, board="wuyg. vpr..", game=COUNTERFEIT)
    state.play("privilege a1")
    assert state.phase == "second"
    assert legal(state) == {"done", *(f"privilege {cell}" for cell in "b1 d1 a2 b2 c2".split())}
    state.play("privilege a2")
    assert (state.phase, state.players[0].privileges) == ("turn", 1)
    assert state.players[0].tokens == {"w": 1, "v": 1}
    state.play("privilege b1")
    assert (state.phase, state.players[0].privileges) == ("turn", 0)


def test_the_second_may_be_declined() -> None:
    state = duel(Seat(counterfeiters="C13", privileges=2), board="wug..", game=COUNTERFEIT)
    play(state, "privilege a1", "done")
    assert (state.phase, state.players[0].privileges) == ("turn", 1)
    state.play("privilege b1")
    assert state.phase == "turn"


def test_no_second_where_no_token_is_left() -> None:
    state = duel(Seat(counterfeiters="C13", privileges=1), board="w.y..", game=COUNTERFEIT)
    state.play("privilege a1")
    assert state.phase == "turn"


def test_the_second_is_under_the_same_limit() -> None:
    me = Seat(counterfeiters="C13", privileges=1, reserved="J3-01 J3-03 J3-05")
    rest = ALL_TOKENS.replace("w", "", 1).replace("u", "", 1)
    state = duel(me, Seat(rest), board="wu...", bag="", game=COUNTERFEIT)
    state.play("privilege a1")
    assert state.phase == "turn"  # the last token must stay
    assert legal(state) == {"take b1"}


# --- C14 ------------------------------------------------------------------------------------------


def test_crowns_count_at_once_for_a_royal() -> None:
    state = duel(Seat("vvy", crowns=1), counterfeiters="C14", board="w....", game=COUNTERFEIT)
    state.play("buy C14")
    assert (state.phase, state.players[0].crowns) == ("royal", 3)


def test_crowns_count_for_victory() -> None:
    state = duel(Seat("vvy", crowns=8), counterfeiters="C14", board="w....", game=COUNTERFEIT)
    state.play("buy C14")
    assert state.outcome == Outcome((0,), "crowns")


# --- C15 ------------------------------------------------------------------------------------------


def test_one_or_two_cards_are_reserved() -> None:
    me = Seat(counterfeiters="C15")
    state = duel(me, board="yw...", face_up="J1-07", coming="J1-20 J1-21", game=COUNTERFEIT)
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
    state = duel(Seat(counterfeiters="C15"), board="yw...", coming="J2-20 J2-19", game=COUNTERFEIT)
    play(state, "gold a1", "reserve deck2")
    assert state.view(0).players[0].reserved == ("J2-20",)
    state.play("reserve deck2")
    assert state.players[0].reserved == ("J2-20", "J2-19")


def test_one_is_enough() -> None:
    state = duel(Seat(counterfeiters="C15"), board="yw...", game=COUNTERFEIT)
    play(state, "gold a1", "reserve deck2", "done")
    assert state.seat == 1


def test_five_are_the_most() -> None:
    four = "J3-01 J3-03 J3-05 J3-07"
    state = duel(Seat(counterfeiters="C15", reserved=four), board="yw...", game=COUNTERFEIT)
    play(state, "gold a1", "reserve deck1")
    assert (state.seat, len(state.players[0].reserved)) == (1, 5)
    five = Seat(counterfeiters="C15", reserved=f"{four} J3-09")
    assert not legal(duel(five, board="yw...", game=COUNTERFEIT), "gold")


# --- C16 ------------------------------------------------------------------------------------------


def collecting(board: str, me: str = "rrkk") -> DuelState:
    """A white card with the token ability has been bought with C16."""
    state = duel(Seat(me, counterfeiters="C16"), face_up="J1-01", board=board, game=COUNTERFEIT)
    state.play("buy J1-01")
    return state


def test_two_of_the_color() -> None:
    state = collecting("wuwyv w....")
    assert state.phase == "collect"
    assert legal(state) == {f"collect {cell}" for cell in "a1 b1 c1 e1 a2".split()}
    state.play("collect a1")
    assert state.phase == "collect-more"
    assert legal(state) == {"done", "collect c1", "collect a2"}
    state.play("collect c1")
    assert (state.seat, state.players[0].tokens) == (1, {"w": 2})


def test_the_second_of_the_color_may_be_declined() -> None:
    state = collecting("wuw..")
    play(state, "collect a1", "done")
    assert (state.seat, state.players[0].tokens) == (1, {"w": 1})


def test_or_one_of_any_kind_but_gold() -> None:
    state = collecting("wuwyv")
    state.play("collect e1")
    assert (state.seat, state.players[0].tokens) == (1, {"v": 1})


def test_no_more_of_the_color_is_not_asked_for() -> None:
    state = collecting("wu...")
    state.play("collect a1")
    assert state.seat == 1


def test_any_kind_even_where_the_color_is_not_on_the_board() -> None:
    state = collecting("uy...")
    assert legal(state) == {"collect a1"}


def test_a_board_with_nothing_but_gold() -> None:
    assert collecting("yy...").seat == 1


# --- C17 ------------------------------------------------------------------------------------------


def peeking(coming: str = "", deck_sizes: str = "") -> DuelState:
    """Seat 0 has paid for a look into a deck."""
    me = Seat("vv", counterfeiters="C17")
    state = window(me, coming=coming, deck_sizes=deck_sizes)
    state.play("use C17")
    return state


def test_one_of_three_is_kept_and_the_others_go_under_in_order() -> None:
    state = peeking("J2-20 J2-19 J2-18 J2-17")
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


def test_what_is_seen_is_known_to_its_user_only() -> None:
    state = peeking("J2-20 J2-19 J2-18")
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


def test_a_guess_keeps_what_was_seen() -> None:
    state = peeking("J2-20 J2-19 J2-18")
    play(state, "deck 2", "keep J2-19", "bottom J2-18")
    for seed in range(5):
        assert determinize(state.view(0), seed).deck(2)[-2:] == ("J2-18", "J2-20")
    assert len({determinize(state.view(1), seed).deck(2)[-2:] for seed in range(5)}) > 1


def test_two_cards_left_one_goes_under_without_a_decision() -> None:
    state = peeking(deck_sizes="2:2")
    first, second = state.deck(2)
    play(state, "deck 2")
    assert legal(state) == {f"keep {first}", f"keep {second}"}
    state.play(f"keep {first}")
    assert (state.seat, state.deck(2)) == (1, (second,))


def test_a_single_card_left_is_still_a_decision() -> None:
    state = peeking(deck_sizes="2:1")
    (card,) = state.deck(2)
    state.play("deck 2")
    assert legal(state) == {f"keep {card}"}
    state.play(f"keep {card}")
    assert (state.seat, state.deck(2)) == (1, ())


def test_three_cards_left_become_two() -> None:
    state = peeking(deck_sizes="2:3")
    first, second, third = state.deck(2)
    play(state, "deck 2", f"keep {second}", f"bottom {third}")
    assert state.deck(2) == (third, first)


def test_an_empty_deck_is_not_offered() -> None:
    assert legal(peeking(deck_sizes="2:0")) == {"deck 1", "deck 3"}


def test_no_peek_with_a_full_reserve_or_without_decks() -> None:
    full = "J3-01 J3-03 J3-05"
    assert not is_open(window(Seat("vv", counterfeiters="C17", reserved=full)))
    assert is_open(window(Seat("vv", counterfeiters="C15 C17", reserved=full)))
    no_decks = "1:0 2:0 3:0"
    assert not is_open(window(Seat("vv", counterfeiters="C17"), deck_sizes=no_decks))
    assert not is_open(window(Seat("v", counterfeiters="C17")))
