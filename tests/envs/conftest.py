"""What all tests of the environments have in common."""

from __future__ import annotations

from typing import Any

import pytest
from gymnasium.utils import seeding

draw_generator = seeding.np_random


@pytest.fixture(autouse=True)
def _chance_is_repeatable(monkeypatch: pytest.MonkeyPatch) -> None:
    """Spaces and environments that nobody has seeded do the same in every run."""

    def np_random(seed: int | None = None) -> Any:
        return draw_generator(0 if seed is None else seed)

    monkeypatch.setattr(seeding, "np_random", np_random)
    monkeypatch.setattr("secrets.randbits", lambda bits: 1)
