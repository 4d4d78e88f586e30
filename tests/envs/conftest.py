"""Fixtures for all tests of the environments."""

from __future__ import annotations

from typing import Any

import pytest
from gymnasium.utils import seeding

original_np_random = seeding.np_random


@pytest.fixture(autouse=True)
def _fixed_seeds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Spaces and environments without a seed do the same in every run."""

    def np_random(seed: int | None = None) -> Any:
        return original_np_random(0 if seed is None else seed)

    monkeypatch.setattr(seeding, "np_random", np_random)
    monkeypatch.setattr("secrets.randbits", lambda bits: 1)
