"""`parure bench`: every game is measured."""

from __future__ import annotations

import json

import pytest
from tests.command_line import Run

from parure.envs.bench import KINDS
from parure.terminal.bench import median_speed


def test_every_game_is_measured(run: Run) -> None:
    pytest.importorskip("pettingzoo")
    speeds = json.loads(run("bench", "--json", "--seconds", 0).out)
    assert list(speeds) == [
        "duel",
        "duel+counterfeiters",
        "splendor-2",
        "splendor-3",
        "splendor-4",
        "search",
        "batch",
        "envs",
    ]
    assert set(speeds["duel"]) == {"games_per_second", "decisions_per_second"}
    assert speeds["batch"]["steps_per_second"] > 0
    assert set(speeds["envs"]) == {
        f"{kind} {game}" for kind in KINDS for game in ("duel", "duel+counterfeiters", "splendor-2")
    }


def test_the_speed_is_the_median_of_slices() -> None:
    times = iter([0.0, 1.0, 2.0, 12.0, 13.0])  # one slice was disturbed
    assert median_speed(lambda: 100, seconds=12.5, clock=lambda: next(times)) == 100


def test_at_least_one_slice_is_measured() -> None:
    times = iter([0.0, 4.0])
    assert median_speed(lambda: 100, seconds=0, clock=lambda: next(times)) == 25
