"""Compiled functions refuse what would crash the interpreter or write garbage."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import parure
from parure.games.engine import bits
from parure.games.engine.jit import JIT, inlined, kernel, outlined
from parure.games.engine.rng import new_rng
from parure.games.registry import GAMES, rules

pytestmark = pytest.mark.skipif(not JIT, reason="nothing is compiled")


def double(number: int) -> int:
    return 2 * number


def test_functions_without_a_wrapper_raise_when_python_calls_them() -> None:
    helper, routine = inlined(double), outlined(double)
    for function in (helper, routine, bits.lane_sum):
        with pytest.raises(TypeError, match="can be called by compiled functions only"):
            function(3)

    @kernel
    def call_both(number: int) -> int:
        return helper(number) + routine(number)

    assert call_both(3) == 12


@pytest.mark.parametrize("game", GAMES)
def test_kernels_refuse_arrays_of_another_dtype(game: str) -> None:
    found = rules(game)
    row = parure.new(game, seed=1).words
    menu, ids = np.zeros(8, np.int64), np.zeros(256, np.int64)
    wrong: Any
    for wrong in (row.view(np.uint8), row.astype(np.float64), row.view(np.uint64), [1, 2], None):
        with pytest.raises(TypeError, match="legal_ids: s must be an array of int64, not "):
            found.kernel.legal_ids(wrong, found.cards, menu, ids)
    with pytest.raises(TypeError, match="deal: rng must be an array of uint64, not "):
        found.kernel.deal(row.copy(), new_rng(1).view(np.int64), np.zeros(32, np.uint8))
    with pytest.raises(TypeError, match="deal: chance must be an array of uint8, not "):
        found.kernel.deal(row.copy(), new_rng(1), np.zeros(32, np.int64))
