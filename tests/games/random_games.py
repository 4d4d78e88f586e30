"""What tests on random games share: the games, seeds, and a test for uniformity."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from parure.games.engine.jit import JIT

GAMES = [("duel", 2), ("duel+counterfeiters", 2), ("splendor", 2), ("splendor", 3), ("splendor", 4)]
SEEDS = st.integers(0, 2**64 - 1)

each_game = pytest.mark.parametrize(("game", "seats"), GAMES)


def examples(number: int) -> settings:
    """Return settings for a number of examples; fewer if the kernels are not compiled."""
    return settings(
        max_examples=number if JIT else max(1, number // 8),
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )


def is_uniform(counts: Counter[Any], number: int) -> bool:
    """Return whether counts of `number` equally likely outcomes are plausible.

    A chi-square test with a false alarm rate of one in a million; the bound is the approximation of
    Wilson and Hilferty.
    """
    if number == 1:
        return len(counts) == 1
    expected = counts.total() / number
    chi_square = sum((n - expected) ** 2 for n in counts.values()) / expected
    chi_square += (number - len(counts)) * expected
    freedom = number - 1
    bound = 1 - 2 / (9 * freedom) + 4.75 * (2 / (9 * freedom)) ** 0.5
    return bool(chi_square < freedom * bound**3)
