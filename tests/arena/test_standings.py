"""Which games count, and the results of pairs."""

from __future__ import annotations

from random import Random

import pytest

from parure.arena.game import GameResult
from parure.arena.plan import Fixture, Plan
from parure.arena.standings import PairStanding, Standings


def won_by(fixture: Fixture, winners: list[int]) -> GameResult:
    """Return a made-up game."""
    seconds = [0.0] * fixture.plan.seats
    return GameResult(*fixture.key, fixture.lineup, winners, "points", 60, 40, seconds)


def games(plan: Plan, sets: int, first_wins: float, seed: int = 0) -> list[GameResult]:
    """Return made-up games; `first_wins` is the chance of the first bot of a pair."""
    rng = Random(seed)
    played = []
    for number in range(sets):
        for pair in range(len(plan.pairs)):
            for fixture in plan.fixtures(pair, number):
                others = [seat for seat in range(plan.seats) if seat != fixture.game]
                winner = fixture.game if rng.random() < first_wins else rng.choice(others)
                played.append(won_by(fixture, [winner]))
    return played


def numbers(standing: PairStanding) -> tuple[object, ...]:
    return standing.results, standing.wins, standing.draws, standing.score, standing.interval


def test_the_order_in_which_games_end_makes_no_difference() -> None:
    plan = Plan.create("duel", ["random"] * 3)
    played = games(plan, 40, 0.7)
    shuffled = played.copy()
    Random(5).shuffle(shuffled)
    for until_sure in (False, True):
        one, other = (Standings(plan, 40, until_sure, given) for given in (played, shuffled))
        assert [numbers(pair) for pair in one.pairs] == [numbers(pair) for pair in other.pairs]
        assert [pair.stronger for pair in one.pairs] == [pair.stronger for pair in other.pairs]


def test_only_whole_sets_count_and_only_in_order() -> None:
    plan = Plan.create("duel", ["random", "random"])
    played = games(plan, 5, 0.5)
    standing = Standings(plan, 5, games=[*played[:3], *played[4:]]).pairs[0]
    assert standing.games == played[:2], "one game of the second set is missing"
    standing.add(played[3])
    assert standing.games == played
    assert standing.is_complete


def test_games_beyond_the_request_do_not_count() -> None:
    plan = Plan.create("duel", ["random", "random"])
    assert len(Standings(plan, 3, games=games(plan, 5, 0.5)).games) == 6


def test_until_sure_counts_no_game_after_the_decision() -> None:
    plan = Plan.create("duel", ["greedy", "random"])
    played = games(plan, 200, 0.9)
    standing = Standings(plan, 200, True, played).pairs[0]
    assert standing.stronger == "greedy"
    assert standing.is_complete
    assert len(standing.sets) < 60
    low, _ = standing.interval
    assert low > 0.5
    fewer = Standings(plan, 200, True, played[: len(standing.games)]).pairs[0]
    assert numbers(fewer) == numbers(standing)


def test_wins_draws_and_score() -> None:
    plan = Plan.create("splendor-3", ["random", "random"])
    winners: list[list[int]] = [[0], [0, 1], [1]]  # the first bot sits at 0, 1, 2
    played = [won_by(*game) for game in zip(plan.fixtures(0, 0), winners, strict=True)]
    standing = Standings(plan, 1, games=played).pairs[0]
    assert (standing.wins, standing.draws) == ((1, 1), 1)
    assert standing.score == pytest.approx((1 + 1 / 2 + 0) / 3)


def test_seat_results_do_not_depend_on_strength() -> None:
    plan = Plan.create("duel", ["random", "random"])
    standings = Standings(plan, 50, games=games(plan, 50, 1.0))
    assert standings.seat_results() == [[0.5] * 50] * 2


def test_ratings_follow_the_results() -> None:
    plan = Plan.create("duel", ["random"] * 3)
    best, middle, worst = Standings(plan, 60, games=games(plan, 60, 0.8)).ratings()
    assert best.elo > middle.elo > worst.elo
    assert Standings(plan, 60, games=games(plan, 60, 0.8)).ratings(anchor=2)[2].elo == 0
