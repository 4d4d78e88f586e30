"""Fitting."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.train.test_selfplay import play

from parure.bots.network.weights import load_parameters
from parure.games.registry import rules
from parure.train.config import Fit

pytest.importorskip("torch")
pytestmark = pytest.mark.slow_without_jit


def test_a_fit_may_have_any_number_of_steps(tmp_path: Path) -> None:
    from parure.train.fit import _split, fit

    found = rules("splendor", 2)
    samples = play(found)
    training, _ = _split(samples, 0.5)
    for steps in (1, 2, 3, 18, 19, 20, 21, 39, 40):
        config = Fit(window=2, first_epochs=steps / len(training), batch=1, held_out=0.5)
        shares: list[float] = []
        result = fit(found, samples, config, None, tmp_path / "a.npz", 1, shares.append)
        assert result.steps == steps
        assert shares == [(step + 1) / steps for step in range(steps)]
        load_parameters(tmp_path / "a.npz", found)
