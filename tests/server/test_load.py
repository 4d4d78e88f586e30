"""Many matches at once, as `benchmarks/load.py` plays them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

BENCHMARK = Path(__file__).parents[2] / "benchmarks" / "load.py"


def load(*options: str, timeout: float) -> dict[str, Any]:
    """The summary of the benchmark."""
    done = subprocess.run(
        [sys.executable, str(BENCHMARK), *options],
        capture_output=True,
        text=True,
        timeout=timeout,
        check=True,
    )
    summary: dict[str, Any] = json.loads(done.stdout)
    return summary


def test_a_few_matches_lose_nothing() -> None:
    summary = load("--matches", "20", "--seconds", "6", timeout=120)
    assert summary["decisions"] > 50
    assert summary["lost"] == summary["refused"] == 0


@pytest.mark.long
def test_three_hundred_matches_are_answered_in_time() -> None:
    summary = load("--matches", "300", "--seconds", "60", timeout=400)
    assert summary["decisions"] > 60 * 300 * 0.5
    assert summary["lost"] == summary["refused"] == 0
    assert summary["99 of 100 within ms"] <= 150
