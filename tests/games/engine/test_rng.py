"""The random generator: splitmix64 and unbiased bounded integers."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.games.engine.calls import callable_from_python
from tests.games.random_games import SEEDS, examples, is_uniform

from parure.games.engine import rng as rng_module
from parure.games.engine.jit import JIT
from parure.games.engine.rng import new_rng

DRAWS = 2_000 if JIT else 200
RANDOM_BELOW = callable_from_python(rng_module.random_below, 2)


def random_below(rng: Any, n: int) -> int:
    """Compute `rng.random_below` with plain integers: splitmix64 and Lemire's method."""
    while True:
        rng[0] = (int(rng[0]) + 0x9E3779B97F4A7C15) % 2**64
        z = int(rng[0])
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % 2**64
        z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
        product = ((z ^ z >> 31) >> 32) * n
        if product % 2**32 >= 2**32 % n:
            return product >> 32


@given(seed=SEEDS, n=st.integers(1, 2**31) | st.integers(1, 40))
@examples(200)
def test_random_below_equals_plain_integers(seed: int, n: int) -> None:
    rng, slow = new_rng(seed), new_rng(seed)
    assert [RANDOM_BELOW(rng, n) for _ in range(5)] == [random_below(slow, n) for _ in range(5)]
    assert (rng == slow).all()


@pytest.mark.parametrize("n", [1, 2, 3, 7, 25, 111])
def test_random_below_is_uniform(n: int) -> None:
    rng = new_rng(1)
    counts = Counter(int(RANDOM_BELOW(rng, n)) for _ in range(10 * DRAWS))
    assert set(counts) <= set(range(n))
    assert is_uniform(counts, n)


def test_random_below_rejects_biased_draws() -> None:
    """For a number just above 2**31, half of all draws are rejected."""
    n, rng = 2**31 + 1, new_rng(1)
    draws = [int(RANDOM_BELOW(rng, n)) for _ in range(DRAWS)]
    steps = int(rng[0] - np.uint64(1)) * pow(0x9E3779B97F4A7C15, -1, 2**64) % 2**64
    assert all(0 <= draw < n for draw in draws)
    assert 1.8 < steps / DRAWS < 2.2
