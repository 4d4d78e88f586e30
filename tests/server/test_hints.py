"""Who may ask for hints without a limit."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import parure
from parure.server.hints import GreedyHintBot, HintBot, is_own_machine
from parure.server.limits import address_group
from parure.server.settings import Settings


@pytest.mark.parametrize(
    ("settings", "address", "is_own"),
    [
        ({}, "127.0.0.1", True),
        ({}, "::1", True),
        ({"host": "0.0.0.0"}, "127.0.0.1", True),
        ({"host": "0.0.0.0"}, "192.0.2.7", False),
        ({"public_url": "https://example.org"}, "127.0.0.1", False),  # perhaps a proxy's
        ({"host": "192.0.2.1"}, "127.0.0.1", False),
    ],
)
def test_own_machine(settings: dict[str, Any], address: str, is_own: bool) -> None:
    assert is_own_machine(Settings(**settings), address_group(address)) is is_own


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("kind", [HintBot, GreedyHintBot])
def test_no_two_ideas_read_the_same(kind: type[HintBot]) -> None:
    for seed in range(4):
        view, bot = parure.new("duel", seed=seed).view(0), kind()
        bot.decide(view, Random(seed))
        words = [candidate.words["en"] for candidate in bot.candidates(view)]
        assert 1 < len(words) <= 3
        assert len(set(words)) == len(words)
