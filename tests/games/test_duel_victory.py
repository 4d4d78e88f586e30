"""Duel: victory, and the draw at the limit."""

from __future__ import annotations

import pytest
from tests.games.positions import Seat, duel, legal, play

from parure.errors import IllegalDecision
from parure.games.position import Outcome

# --- docs/rules/duel.md, "After the mandatory action", 6 ------------------------------------------


def test_twenty_points() -> None:
    state = duel(Seat("ggrrr", points=19), face_up="J1-05", board="w....")
    state.play("buy J1-05")
    assert state.outcome == Outcome((0,), "points")
    assert (state.phase, state.seat) == ("over", 0)
    assert not legal(state)


def test_nineteen_points_are_not_enough() -> None:
    state = duel(Seat("ggrrr", points=18), face_up="J1-05", board="w....")
    state.play("buy J1-05")
    assert not state.is_over


def test_points_of_royals_count_among_the_twenty() -> None:
    state = duel(Seat("www", points=17, crowns=2), face_up="J1-24", board="g....")
    play(state, "buy J1-24", "royal R4")
    assert state.outcome == Outcome((0,), "points")


@pytest.mark.parametrize(("crowns", "is_over"), [(9, True), (8, False)])
def test_ten_crowns(crowns: int, is_over: bool) -> None:
    state = duel(Seat("www", crowns=crowns), face_up="J1-24", board="g....")
    state.play("buy J1-24")
    assert state.outcome == (Outcome((0,), "crowns") if is_over else None)


NINE_WHITE = "J3-01 J3-02 J2-03"  # 3, 4 and 2 points


def test_ten_points_in_a_color() -> None:
    state = duel(Seat("ggrrr", cards=NINE_WHITE), face_up="J1-05", board="w....")
    assert state.players[0].points_by_color == {"w": 9}
    state.play("buy J1-05")
    assert state.outcome == Outcome((0,), "color")


def test_a_joker_counts_in_its_color() -> None:
    state = duel(Seat("kkkkp", cards=f"{NINE_WHITE} J1-09"), face_up="J1-27", board="w....")
    won, lost = state.copy(), state.copy()
    play(won, "buy J1-27", "color w")
    assert won.outcome == Outcome((0,), "color")
    play(lost, "buy J1-27", "color u")
    assert not lost.is_over


def test_cards_without_a_bonus_and_royals_do_not_count_for_a_color() -> None:
    state = duel(Seat("rrrrp", cards=NINE_WHITE, royals="R4"), face_up="J1-30", board="w....")
    state.play("buy J1-30")
    assert state.players[0].points == 9 + 3 + 3
    assert not state.is_over


def test_points_in_different_colors_do_not_add_up() -> None:
    state = duel(Seat("rrkkk", cards=NINE_WHITE), face_up="J1-10", board="w....")
    state.play("buy J1-10")
    assert not state.is_over


def test_the_first_reason_that_holds_is_recorded() -> None:
    all_three = Seat("ggrrr", cards=NINE_WHITE, points=10, crowns=10)
    state = duel(all_three, face_up="J1-05", board="w....")
    state.play("buy J1-05")
    assert state.outcome == Outcome((0,), "points")
    two = Seat("ggrrr", cards=NINE_WHITE, crowns=10)
    state = duel(two, face_up="J1-05", board="w....")
    state.play("buy J1-05")
    assert state.outcome == Outcome((0,), "crowns")


def test_only_the_player_to_move_can_win() -> None:
    state = duel(Seat(), Seat(points=25, crowns=10), board="wu...")
    state.play("take a1")
    assert not state.is_over
    state.play("take b1")
    assert state.outcome == Outcome((1,), "points")


def test_victory_comes_after_the_discard_and_the_refill() -> None:
    me = Seat("wwwuuuugggrrrkky", points=20)
    state = duel(me, face_up="J1-24", coming="J1-20", board="p....")
    play(state, "buy J1-24", "pay")
    assert (state.phase, state.is_over) == ("discard", False)
    play(state, "discard u", "discard u", "discard u")
    assert state.outcome == Outcome((0,), "points")
    assert state.pyramid[0][0] == "J1-20"


def test_victory_comes_before_an_extra_turn() -> None:
    state = duel(Seat("uuggp", points=20), face_up="J1-03", board="w....")
    state.play("buy J1-03")
    assert state.outcome == Outcome((0,), "points")


def test_nothing_can_be_played_after_the_end() -> None:
    state = duel(Seat(points=20), board="wu...")
    state.play("take a1")
    with pytest.raises(IllegalDecision, match="the game is over"):
        state.play("take b1")


# --- docs/rules/duel.md, "Length" -----------------------------------------------------------------


def test_five_hundred_turns_are_a_draw() -> None:
    state = duel(board="wu...", turns=498)
    state.play("take a1")
    assert not state.is_over
    state.play("take b1")
    assert state.turns == 500
    assert state.outcome == Outcome((), "limit")


def test_extra_turns_are_counted() -> None:
    state = duel(Seat("uuggp"), face_up="J1-03", board="w....", turns=499)
    state.play("buy J1-03")
    assert state.outcome == Outcome((), "limit")


def test_victory_in_the_last_turn() -> None:
    state = duel(Seat(points=20), board="w....", turns=499)
    state.play("take a1")
    assert state.outcome == Outcome((0,), "points")
