"""Bots in threads: failures, and the number and order of concurrent decisions."""

from __future__ import annotations

import asyncio
import threading
from random import Random

import pytest

import parure
from parure.bots import Answer, Bot, Budget
from parure.games.view import View
from parure.server.bot_pool import BotPool, is_allowed


class BrokenBot(Bot):
    """A bot that fails, or makes an illegal decision."""

    def choose(self, view: View, rng: Random, budget: Budget | None) -> Answer:
        """Fail in half of the calls."""
        if rng.random() < 0.5:
            raise RuntimeError("broken")
        return Answer("take z9")


def test_a_broken_bot_is_replaced_by_random_decisions() -> None:
    view = parure.new("splendor", seed=1).view(0)

    async def decisions() -> list[str]:
        bot_pool = BotPool(1)
        found = [(await bot_pool.decide(BrokenBot(), view)).decision for _ in range(6)]
        bot_pool.close()
        return found

    legal = list(view.legal_decisions)
    assert all(decision in legal for decision in asyncio.run(decisions()))


class BlockingBot(Bot):
    """A bot that decides when it is allowed to."""

    def __init__(self, number: int, started: list[int], may_finish: threading.Semaphore) -> None:
        self._number = number
        self._started = started
        self._may_finish = may_finish

    def choose(self, view: View, rng: Random, budget: Budget | None) -> Answer:
        """Note the start, then wait."""
        self._started.append(self._number)
        self._may_finish.acquire()
        return Answer(view.legal_decisions[0])


def test_two_bots_decide_at_once_in_the_order_of_the_requests() -> None:
    view = parure.new("splendor", seed=1).view(0)
    started: list[int] = []
    may_finish = threading.Semaphore(0)

    async def decide_all() -> None:
        bot_pool = BotPool(2)
        bots = [BlockingBot(number, started, may_finish) for number in range(8)]
        tasks = [asyncio.create_task(bot_pool.decide(bot, view)) for bot in bots]
        for finished in range(len(bots)):
            running = min(2, len(bots) - finished)
            while len(started) < finished + running or bot_pool.pending != len(bots) - finished:
                await asyncio.sleep(0.001)  # the event loop runs while bots decide
            assert len(started) == finished + running
            may_finish.release()
        await asyncio.gather(*tasks)
        assert bot_pool.pending == 0
        bot_pool.close()

    asyncio.run(asyncio.wait_for(decide_all(), 60))
    assert sorted(started[:2]) == [0, 1]  # these two start at the same time
    assert started[2:] == [2, 3, 4, 5, 6, 7]


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ("greedy", True),
        ("level:8", True),
        ("mcts:5s", True),
        ("mcts:6s", False),
        ("mcts:50000", True),
        ("mcts:50001", False),
        ("mcts:x", False),
        ("level:99", False),
        ("exec:/bin/sh", False),
    ],
)
def test_bots_that_clients_may_choose(spec: str, expected: bool) -> None:
    assert is_allowed(spec) is expected
