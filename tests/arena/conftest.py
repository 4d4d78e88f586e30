"""Fixtures of the arena's tests."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def _importable_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let worker processes, which inherit the path, import `tests.arena.sample_bots`."""
    monkeypatch.syspath_prepend(Path(__file__).parents[2])
