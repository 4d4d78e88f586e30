"""Intervals contain the true mean as often as they claim, on simulated results."""

from __future__ import annotations

import numpy as np
import pytest

from parure.arena.confidence import (
    SequentialTest,
    anytime_interval,
    effective_number,
    interval,
)


@pytest.fixture
def rng() -> np.random.Generator:
    """The same random numbers for every test."""
    return np.random.default_rng(7)


def paired(rng: np.random.Generator, strength: float, deal: float, sets: int) -> list[float]:
    """Return sets of two games whose deal helps one side as much as it hurts the other."""
    luck = rng.choice([-deal, deal], sets)
    first, second = rng.random((2, sets))
    return list(((first < strength + luck).astype(float) + (second < strength - luck)) / 2)


@pytest.mark.parametrize("sets", [5, 20, 100])
@pytest.mark.parametrize(("strength", "deal"), [(0.5, 0.0), (0.5, 0.4), (0.7, 0.2), (0.95, 0.05)])
def test_the_interval_contains_the_true_mean(
    rng: np.random.Generator, strength: float, deal: float, sets: int
) -> None:
    tries = 1500
    held = 0
    for _ in range(tries):
        low, high = interval(paired(rng, strength, deal, sets))
        held += low <= strength <= high
    assert held / tries > 0.93


def test_pairing_makes_the_interval_narrower(rng: np.random.Generator) -> None:
    loose, tight = interval(paired(rng, 0.5, 0.0, 300)), interval(paired(rng, 0.5, 0.45, 300))
    assert tight[1] - tight[0] < 0.6 * (loose[1] - loose[0])


@pytest.mark.parametrize("result", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("sets", [1, 2, 100, 5000])
def test_the_interval_is_never_empty(result: float, sets: int) -> None:
    for low, high in (interval([result] * sets), anytime_interval([result] * sets)):
        assert 0 <= low < high <= 1
        assert low <= result <= high


def test_without_games_the_interval_is_everything() -> None:
    assert interval([]) == (0, 1)
    low, high = anytime_interval([])
    assert low < 0.001
    assert high > 0.999


def test_effective_number_of_unpaired_games_is_their_number(rng: np.random.Generator) -> None:
    assert effective_number(paired(rng, 0.6, 0.0, 5000)) == pytest.approx(10_000, rel=0.05)


# --- sequential test ------------------------------------------------------------------------------


def verdict(results: list[float], equal_score: float = 0.5) -> tuple[int | None, int]:
    """Return who is found to be stronger, and after how many sets."""
    test = SequentialTest(equal_score)
    for number, result in enumerate(results, 1):
        test.add(result)
        if test.stronger is not None:
            return test.stronger, number
    return None, len(results)


@pytest.mark.parametrize("deal", [0.0, 0.3, 0.5])
def test_equal_bots_are_rarely_found_unequal(rng: np.random.Generator, deal: float) -> None:
    tries = 200
    wrong = sum(verdict(paired(rng, 0.5, deal, 300))[0] is not None for _ in range(tries))
    assert wrong / tries <= 0.05, "tested after each of 300 sets"


def test_equal_bots_at_four_seats_are_rarely_found_unequal(rng: np.random.Generator) -> None:
    tries = 200
    wins = rng.random((tries, 300, 4)) < 0.25
    wrong = sum(verdict(list(sets.mean(axis=1)), 0.25)[0] is not None for sets in wins)
    assert wrong / tries <= 0.05


@pytest.mark.parametrize(("strength", "enough"), [(0.9, 30), (0.7, 90), (0.6, 400)])
def test_the_stronger_bot_is_found_soon(
    rng: np.random.Generator, strength: float, enough: int
) -> None:
    for score, winner in ((strength, 0), (1 - strength, 1)):
        verdicts = [verdict(paired(rng, score, 0.0, 1500)) for _ in range(60)]
        assert {stronger for stronger, _ in verdicts} == {winner}
        assert np.median([number for _, number in verdicts]) < enough


def test_the_anytime_interval_is_valid_at_all_times(rng: np.random.Generator) -> None:
    held = 0
    for _ in range(100):
        results = paired(rng, 0.65, 0.1, 200)
        ends = [anytime_interval(results[:number]) for number in range(1, 200, 20)]
        held += all(low <= 0.65 <= high for low, high in ends)
    assert held / 100 >= 0.95


def test_test_and_interval_agree(rng: np.random.Generator) -> None:
    for _ in range(20):
        results = paired(rng, 0.6, 0.0, 600)
        stronger, number = verdict(results)
        assert stronger == 0
        assert anytime_interval(results[:number])[0] > 0.5
        assert anytime_interval(results[: number - 1])[0] <= 0.5
