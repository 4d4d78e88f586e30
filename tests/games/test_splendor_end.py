"""Splendor: the last round, ties, stalemate and the limit."""

from __future__ import annotations

import pytest
from tests.games.positions import Seat, legal, play, splendor

from parure.games.position import Outcome

EXPENSIVE_RESERVES = ("D3-01 D3-02 D3-03", "D3-04 D3-05 D3-06", "D3-07 D3-08 D3-09")


# --- docs/rules/splendor.md, "End" ----------------------------------------------------------------


def test_the_round_is_completed() -> None:
    state = splendor(Seat(points=15), Seat(), Seat())
    state.play("take wug")
    assert not state.is_over
    state.play("take wug")
    assert not state.is_over
    state.play("take wug")
    assert state.outcome == Outcome((0,), "points")
    assert (state.phase, legal(state)) == ("over", set())


def test_the_last_seat_ends_the_game_at_once() -> None:
    state = splendor(Seat(), Seat(points=15), seat=1)
    state.play("take wug")
    assert state.outcome == Outcome((1,), "points")


def test_fifteen_of_another_seat_do_not_count_before_its_own_turn() -> None:
    state = splendor(Seat(), Seat(points=15), Seat())
    state.play("take wug")
    assert not state.is_over


def test_fourteen_are_not_enough() -> None:
    state = splendor(Seat(), Seat(points=14), seat=1)
    state.play("take wug")
    assert not state.is_over


def test_a_noble_can_bring_the_fifteenth_point() -> None:
    state = splendor(Seat(), Seat(points=12, bonuses="wwwwuuuu"), seat=1, nobles="N01 N03 N04")
    play(state, "take wug", "noble N01")
    assert state.outcome == Outcome((1,), "points")


def test_a_later_seat_may_overtake_in_the_last_round() -> None:
    state = splendor(Seat(points=15), Seat(points=16))
    play(state, "take wug", "take wug")
    assert state.outcome == Outcome((1,), "points")


def test_a_tie_goes_to_the_fewest_cards() -> None:
    one, two = Seat(points=11, cards="D3-02"), Seat(points=11, cards="D2-03 D2-04")
    state = splendor(one, two)
    play(state, "take wug", "take wug")
    assert [player.points for player in state.players] == [15, 15]
    assert state.outcome == Outcome((0,), "points")
    state = splendor(two, one)
    play(state, "take wug", "take wug")
    assert state.outcome == Outcome((1,), "points")


def test_reserved_cards_do_not_count_as_bought() -> None:
    state = splendor(Seat(points=15, reserved="D1-01"), Seat(points=15))
    play(state, "take wug", "take wug")
    assert state.outcome == Outcome((0, 1), "points")


def test_tied_players_share_the_victory() -> None:
    seats = (Seat(points=15, bonuses="ww"), Seat(points=15, bonuses="u"))
    state = splendor(*seats, Seat(points=15, bonuses="k"), Seat(points=14))
    play(state, *["take wug"] * 4)
    assert state.outcome == Outcome((1, 2), "points")


# --- docs/rules/splendor.md, "Stalemate and limit" ------------------------------------------------


def test_a_stalemate_is_every_seat_passing_in_succession() -> None:
    state = splendor(*(Seat(reserved=cards) for cards in EXPENSIVE_RESERVES), supply="y")
    play(state, "pass", "pass")
    assert not state.is_over
    state.play("pass")
    assert state.outcome == Outcome((0, 1, 2), "stalemate")


def test_a_stalemate_is_scored() -> None:
    state = splendor(
        Seat(reserved=EXPENSIVE_RESERVES[0]),
        Seat(points=1, reserved=EXPENSIVE_RESERVES[1]),
        supply="",
    )
    play(state, "pass", "pass")
    assert state.outcome == Outcome((1,), "stalemate")


def test_a_stalemate_may_end_within_a_round() -> None:
    one, two = (Seat("k", reserved=cards) for cards in EXPENSIVE_RESERVES[:2])
    state = splendor(one, two, supply="", seat=1)
    play(state, "pass", "pass")
    assert (state.seat, state.outcome) == (0, Outcome((0, 1), "stalemate"))


def test_another_decision_breaks_the_succession() -> None:
    one = Seat(reserved=EXPENSIVE_RESERVES[0])
    two = Seat("kkk", reserved="D1-09 D3-05 D3-06")
    state = splendor(one, two, supply="")
    play(state, "pass", "buy D1-09")  # three black pieces are back in the supply
    play(state, "take k")
    assert not state.is_over
    assert "pass" not in legal(state)


def test_five_hundred_turns_of_all_seats_together() -> None:
    state = splendor(Seat(), Seat(points=3), Seat(), turns=498)
    state.play("take wug")
    assert not state.is_over
    state.play("take wug")
    assert state.turns == 500
    assert state.outcome == Outcome((1,), "limit")


def test_points_come_before_the_limit_if_the_round_is_complete() -> None:
    state = splendor(Seat(), Seat(points=15), seat=1, turns=499)
    state.play("take wug")
    assert state.outcome == Outcome((1,), "points")


def test_points_need_a_completed_round() -> None:
    state = splendor(Seat(), Seat(points=15), Seat(), seat=1, turns=499)
    state.play("take wug")
    assert state.outcome == Outcome((1,), "limit")


def test_stalemate_comes_before_the_limit() -> None:
    one, two = (Seat(reserved=cards) for cards in EXPENSIVE_RESERVES[:2])
    state = splendor(one, two, supply="", turns=498)
    play(state, "pass", "pass")
    assert state.outcome == Outcome((0, 1), "stalemate")


@pytest.mark.parametrize("points", [0, 15])
def test_points_come_before_stalemate(points: int) -> None:
    one, two = (
        Seat(reserved=EXPENSIVE_RESERVES[0]),
        Seat(points=points, reserved=EXPENSIVE_RESERVES[1]),
    )
    state = splendor(one, two, supply="")
    play(state, "pass", "pass")
    assert state.outcome is not None
    assert state.outcome.reason == ("points" if points else "stalemate")
