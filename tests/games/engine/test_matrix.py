"""Sums of rows and dot products, against NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from tests.games.engine.calls import callable_from_python

from parure.games.engine import matrix

ADD_ROWS = callable_from_python(matrix.add_rows, 5)
DOT = callable_from_python(matrix.dot, 5)


@pytest.mark.parametrize("columns", [16, 32, 48, 64, 80, 112, 128, 240])
@pytest.mark.parametrize("count", [0, 1, 2, 7, 30])
def test_add_rows(columns: int, count: int) -> None:
    generator = np.random.default_rng(count + columns)
    weights = generator.normal(size=(40, columns)).astype(np.float32)
    rows = generator.choice(40, 30, replace=False)
    factors = generator.normal(size=30).astype(np.float32)
    total = generator.normal(size=columns).astype(np.float32)
    expected = total + factors[:count].astype(np.float64) @ weights[rows[:count]]
    ADD_ROWS(weights, rows, factors, count, total)
    np.testing.assert_allclose(total, expected, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("length", [8, 16, 32, 64])
def test_dot(length: int) -> None:
    generator = np.random.default_rng(length)
    a, b = (generator.normal(size=100).astype(np.float32) for _ in range(2))
    expected = a[3 : 3 + length] @ b[11 : 11 + length]
    assert DOT(a, 3, b, 11, length) == pytest.approx(expected, rel=1e-4, abs=1e-5)
