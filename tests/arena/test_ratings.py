"""Ratings recover the strengths that simulated results were drawn from."""

from __future__ import annotations

from itertools import combinations
from math import log

import numpy as np
import pytest

from parure.arena.ratings import ELO_PER_LOG_ODDS, ratings

STRENGTHS = [200.0, 50.0, -50.0, -200.0]  # Elo, relative to their mean


@pytest.fixture
def rng() -> np.random.Generator:
    """The same random numbers for every test."""
    return np.random.default_rng(3)


def simulated_results(
    rng: np.random.Generator, seats: int, sets: int
) -> list[tuple[int, int, list[float]]]:
    """Return the results of a round robin between bots of known strength."""
    results = []
    for first, other in combinations(range(len(STRENGTHS)), 2):
        ratio = np.exp((STRENGTHS[first] - STRENGTHS[other]) / ELO_PER_LOG_ODDS)
        score = ratio / (ratio + seats - 1)
        results.append((first, other, list((rng.random((sets, seats)) < score).mean(axis=1))))
    return results


@pytest.mark.parametrize("seats", [2, 4])
def test_strengths_are_found_within_their_errors(rng: np.random.Generator, seats: int) -> None:
    inside = []
    for _ in range(40):
        found = ratings(len(STRENGTHS), simulated_results(rng, seats, 60), 1 / seats)
        assert sum(rating.elo for rating in found) == pytest.approx(0, abs=1e-6)
        inside += [
            abs(rating.elo - truth) <= rating.error
            for rating, truth in zip(found, STRENGTHS, strict=True)
        ]
    assert 0.9 <= np.mean(inside) <= 1


def test_more_games_make_errors_smaller(rng: np.random.Generator) -> None:
    few, many = (ratings(4, simulated_results(rng, 2, sets)) for sets in (50, 800))
    for one, other in zip(few, many, strict=True):
        assert other.error == pytest.approx(one.error / 4, rel=0.2)


def test_a_bot_that_always_wins_has_a_finite_rating() -> None:
    best, worst = ratings(2, [(0, 1, [1.0] * 100)])
    assert 300 < best.elo < 1000
    assert best.elo == pytest.approx(-worst.elo)
    assert best.error > 50


def test_a_pair_alone_gives_the_difference_of_its_score() -> None:
    results = [1.0, 0.5, 1.0, 0.5] * 500  # 75 %
    best, worst = ratings(2, [(0, 1, results)])
    assert best.elo - worst.elo == pytest.approx(400 * log(3, 10), abs=1)


def test_at_four_seats_a_quarter_is_equal() -> None:
    one, other = ratings(2, [(0, 1, [0.25] * 50)], equal_score=0.25)
    assert one.elo == pytest.approx(other.elo, abs=1e-6)


def test_the_anchor_is_zero_and_differences_stay(rng: np.random.Generator) -> None:
    results = simulated_results(rng, 2, 100)
    free, anchored = ratings(4, results), ratings(4, results, anchor=2)
    assert anchored[2].elo == pytest.approx(0)
    assert anchored[2].error == pytest.approx(0)
    for one, other in zip(free, anchored, strict=True):
        assert other.elo == pytest.approx(one.elo - free[2].elo)
    assert anchored[0].error > free[0].error


def test_without_games_all_are_equal_and_errors_are_large() -> None:
    assert all(
        rating.elo == pytest.approx(0) and rating.error > 300
        for rating in ratings(3, [(0, 1, []), (0, 2, []), (1, 2, [])])
    )
