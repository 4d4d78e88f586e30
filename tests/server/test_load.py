"""Many concurrent matches, played by `benchmarks/load.py`."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

BENCHMARK = Path(__file__).parents[2] / "benchmarks" / "load.py"


def load(*options: str, timeout: float) -> dict[str, Any]:
    """Run the benchmark and return its summary."""
    done = subprocess.run(
        [sys.executable, str(BENCHMARK), *options],
        capture_output=True,
        text=True,
        timeout=timeout,
        check=True,
    )
    summary: dict[str, Any] = json.loads(done.stdout)
    return summary


def test_concurrent_matches_lose_nothing() -> None:
    summary = load("--matches", "20", "--seconds", "6", timeout=600)
    assert summary["decisions"] > 0
    assert summary["lost"] == summary["refused"] == 0


def test_the_limit_is_found() -> None:
    """No number of matches is within a goal of 0 ms."""
    options = ["--find-limit", "--matches", "4", "--seconds", "3", "--goal", "0"]
    assert load(*options, timeout=600) == {"goal ms": 0.0, "limits": {"": 0}}


@pytest.mark.long
def test_three_hundred_matches_lose_nothing() -> None:
    """How long they wait is measured, not tested: docs/research/load.md."""
    summary = load("--matches", "300", "--seconds", "60", timeout=400)
    assert summary["decisions"] > 0
    assert summary["lost"] == summary["refused"] == summary["unanswered"] == 0
