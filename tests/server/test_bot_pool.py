"""Bots in threads: failures, and the number and order of concurrent decisions."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from random import Random

import pytest

import parure
from parure.bots import Answer, Bot, Budget, bot
from parure.games.view import View
from parure.server import bot_pool as module
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
        tasks = [asyncio.create_task(bot_pool.decide(player, view)) for player in bots]
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


def test_addresses_take_turns() -> None:
    """Many matches of one person do not keep the bot of another one waiting."""
    view = parure.new("splendor", seed=1).view(0)
    started: list[int] = []
    may_finish = threading.Semaphore(0)

    async def decide_all() -> None:
        bot_pool = BotPool(1)
        bots = [BlockingBot(number, started, may_finish) for number in range(21)]
        addresses = ["flooder"] * 20 + ["other"]
        tasks = [
            asyncio.create_task(bot_pool.decide(player, view, address))
            for player, address in zip(bots, addresses, strict=True)
        ]
        for finished in range(len(bots)):
            while len(started) <= finished:
                await asyncio.sleep(0.001)
            may_finish.release()
        await asyncio.gather(*tasks)
        bot_pool.close()

    asyncio.run(asyncio.wait_for(decide_all(), 60))
    assert started[:4] == [0, 1, 20, 2]  # when 20 asked, 0 was running and 1 was next


class EndlessBot(Bot):
    """A bot that thinks until it is stopped, and says whether it was."""

    def __init__(self) -> None:
        self.has_started, self.has_ended = threading.Event(), threading.Event()

    def choose(self, view: View, rng: Random, budget: Budget | None) -> Answer:
        """Report progress for ever."""
        self.has_started.set()
        try:
            while True:
                assert self.on_progress is not None
                self.on_progress(0)
        finally:
            self.has_ended.set()


async def until(is_true: Callable[[], bool]) -> None:
    """Wait while the event loop runs."""
    while not is_true():
        await asyncio.sleep(0.001)


@pytest.mark.parametrize("is_cancelled", [False, True])
def test_a_thought_that_nobody_waits_for_is_stopped(
    is_cancelled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It timed out, or the match does not want it any more. Then the next bot may run."""
    monkeypatch.setattr(module, "DECISION_TIMEOUT", 600 if is_cancelled else 0.05)
    monkeypatch.setattr(module, "STOP_TIMEOUT", 600)
    view = parure.new("splendor", seed=1).view(0)

    async def decide() -> None:
        bot_pool, player = BotPool(1), EndlessBot()
        thought = asyncio.create_task(bot_pool.decide(player, view))
        if is_cancelled:
            await until(player.has_started.is_set)
            thought.cancel()
            with pytest.raises(asyncio.CancelledError):
                await thought
        else:
            assert (await thought).decision in view.legal_decisions
        await until(player.has_ended.is_set)
        await until(lambda: not bot_pool.is_running(player))
        assert (await bot_pool.decide(bot("random"), view)).decision in view.legal_decisions
        assert bot_pool.pending == 0
        bot_pool.close()

    asyncio.run(asyncio.wait_for(decide(), 60))


def test_a_stopped_bot_keeps_its_place_until_its_thread_ends() -> None:
    """The number of threads that search is limited, whatever clients do."""
    view = parure.new("splendor", seed=1).view(0)
    started: list[int] = []
    may_finish = threading.Semaphore(0)

    async def decide() -> None:
        bot_pool = BotPool(1)
        deaf, second = (BlockingBot(number, started, may_finish) for number in range(2))
        thought = asyncio.create_task(bot_pool.decide(deaf, view))
        await until(lambda: started == [0])
        thought.cancel()
        next_thought = asyncio.create_task(bot_pool.decide(second, view))
        for _ in range(20):
            await asyncio.sleep(0)
        assert started == [0]
        assert bot_pool.is_running(deaf)
        may_finish.release(2)
        await next_thought
        assert started == [0, 1]
        bot_pool.close()

    asyncio.run(asyncio.wait_for(decide(), 60))


class TreeBot(Bot):
    """A bot whose tree is as large as it may be."""

    has_tree = False

    def choose(self, view: View, rng: Random, budget: Budget | None) -> Answer:
        """Grow the tree."""
        self.has_tree = True
        return Answer(view.legal_decisions[0])

    @property
    def memory(self) -> int:
        """The limit."""
        return (self.memory_limit or 0) * self.has_tree

    def release_memory(self) -> None:
        """Forget the tree."""
        self.has_tree = False


def test_all_trees_together_have_a_limit() -> None:
    """Those that have been idle for longest are forgotten."""
    view, limit = parure.new("splendor", seed=1).view(0), 1_000_000

    async def decide_all() -> list[TreeBot]:
        bot_pool, bots = BotPool(2, limit), [TreeBot() for _ in range(6)]
        for player in (*bots, bots[0]):
            await bot_pool.decide(player, view)
            idle = sum(one.memory for one in bots)
            assert idle + 2 * (player.memory_limit or limit) <= limit
            assert idle == bot_pool.memory.idle_bytes
        bot_pool.forget(bots[0])
        assert bot_pool.memory.idle_bytes == bots[5].memory
        bot_pool.close()
        return bots

    bots = asyncio.run(asyncio.wait_for(decide_all(), 60))
    assert [player.has_tree for player in bots] == [True, False, False, False, False, True]


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
