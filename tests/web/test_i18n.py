"""The page has a message for everything that Python may send it; web/tests checks the rest."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from parure.bots.evaluator import feature_names
from parure.bots.greedy import UNEXPLAINING_FEATURES
from parure.games.registry import rules

ENGLISH = Path(__file__).parents[2] / "web" / "src" / "i18n" / "en.ts"


def message_keys() -> set[str]:
    text = ENGLISH.read_text(encoding="utf-8")
    return set(re.findall(r'^  "?([\w.+-]+)"?:', text, re.MULTILINE))


@pytest.mark.page
@pytest.mark.parametrize("game", ["splendor", "duel+counterfeiters"])
def test_every_feature_of_a_hint_has_a_message(game: str) -> None:
    """`formatGains` turns the names into keys the same way."""
    names = set(feature_names(rules(game))) - set(UNEXPLAINING_FEATURES)
    plain = {re.sub(r" past \d+$", "", name) for name in names if not re.match(r"C\d\d", name)}
    assert plain
    assert {f"gain.{name.replace(' ', '-')}" for name in plain} <= message_keys()
