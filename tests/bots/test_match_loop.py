"""Preparing bots, and playing their decisions."""

from __future__ import annotations

from random import Random

import pytest

import parure
from parure.bots import Answer, Bot, BotFailure, BotLike, Budget, match_loop
from parure.bots.base import BotTimeout
from parure.bots.greedy import GreedyBot
from parure.bots.match_loop import play_decision, prepare
from parure.bots.random_bot import RandomBot
from parure.games.view import View


class FailingBot(Bot):
    """Raises an exception instead of deciding."""

    def __init__(self, failure: Exception) -> None:
        self.failure = failure

    def choose(self, view: View, rng: Random, budget: Budget | None) -> Answer:
        raise self.failure


def test_compiled_bots_are_prepared_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def choose(self: Bot, *_: object) -> Answer:
        asked.append(type(self).__name__)
        return Answer("pass")

    for kind in (GreedyBot, RandomBot):
        monkeypatch.setattr(kind, "choose", choose)
    monkeypatch.setattr(match_loop, "_prepared", set())
    greedy = GreedyBot()
    forms: list[BotLike] = ["greedy", "random", RandomBot, GreedyBot, greedy]
    for _ in range(2):
        for bot_like in forms:
            prepare(bot_like, parure.rules("splendor"))
    # A class and its objects share their compiled code.
    assert asked == ["GreedyBot", "GreedyBot"]


@pytest.mark.parametrize(
    ("failure", "reason"),
    [(BotFailure("crashed"), "resigned"), (BotTimeout("took too long"), "timeout")],
)
def test_a_bot_that_fails_loses(failure: Exception, reason: str) -> None:
    state = parure.new("splendor", players=3, seed=7)
    state.play("take wug")
    assert play_decision(state, FailingBot(failure), Random(1)) is failure
    assert state.outcome == parure.Outcome((0, 2), reason)


def test_a_mistake_in_a_bot_is_not_hidden() -> None:
    """The author of a bot wants to see where it crashed."""
    state = parure.new("splendor", seed=7)
    with pytest.raises(ZeroDivisionError):
        play_decision(state, FailingBot(ZeroDivisionError()), Random(1))
    assert not state.is_over
