"""What the tests of the arena share: their bots are known here and in the processes they start."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.arena import players


@pytest.fixture(autouse=True)
def test_bots(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The test bots, known while a test runs."""
    monkeypatch.syspath_prepend(Path(__file__).parents[2])  # other processes inherit it
    players.register()
    yield
    players.unregister()
