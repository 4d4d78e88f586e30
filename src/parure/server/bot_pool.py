"""The threads in which bots decide: a limited number at once, with a limited memory.

Addresses take turns, so that one person's many matches do not keep those of others waiting.
Searches release the interpreter's lock, so they do not slow down the event loop.
"""

from __future__ import annotations

import asyncio
import logging
import re
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache, partial
from random import Random, SystemRandom
from typing import NamedTuple, TypeVar

from parure.bots import Answer, Bot, Budget, bot
from parure.errors import NotationError, ParureError
from parure.games.view import View
from parure.server.fair_queue import FairQueue, Slot
from parure.server.http_models import BotInfo

Result = TypeVar("Result")

logger = logging.getLogger("parure.server")

LEVELS = tuple(f"level:{n}" for n in range(1, 9))
OFFERED_BOTS = ("random", "greedy", *LEVELS)  # weakest first
REPLACEMENT_BOTS = ("level:4", "greedy", "random")  # for a player who resigned, best first

# Of a search that a client may ask for; docs/how-to/operate.md states them.
MAX_SECONDS = 5.0
MAX_ITERATIONS = 50_000

DECISION_TIMEOUT = 60.0  # seconds until a random decision replaces that of a hanging bot
STOP_TIMEOUT = 5.0  # seconds until the place of a bot that does not stop is given to another one
SPARE_THREADS = 4  # for bots that do not stop
SEARCH_SHARE = 0.5  # of the memory for searches that run; the rest is for trees between decisions


@lru_cache(maxsize=256)
def is_allowed(spec: str) -> bool:
    """Return whether a client may choose a bot: one that runs no program and decides soon enough.

    >>> is_allowed("random"), is_allowed("exec:rm")
    (True, False)
    """
    if spec not in OFFERED_BOTS:
        match = re.fullmatch(r"mcts:(\d.*)", spec)
        if match is None:
            return False
        try:
            requested = Budget.parse(match[1])
        except NotationError:
            return False
        if (requested.seconds or 0) > MAX_SECONDS or (requested.iterations or 0) > MAX_ITERATIONS:
            return False
    try:
        bot(spec).close()
    except (ParureError, ImportError, OSError):
        return False
    return True


def offered_bots() -> list[BotInfo]:
    """Return the bots that can be chosen, weakest first."""
    return [
        BotInfo(bot=spec, strength=strength)
        for strength, spec in enumerate(OFFERED_BOTS)
        if is_allowed(spec)
    ]


def replacement_bot() -> str:
    """Return the bot that replaces a player who resigned."""
    return next(spec for spec in REPLACEMENT_BOTS if is_allowed(spec))


class ThoughtStopped(Exception):
    """Raised in the thread of a bot whose decision is not wanted any more."""


class _Thought(NamedTuple):
    """A bot that runs in a thread."""

    thread: asyncio.Future[Answer]
    stop: threading.Event  # set: the bot stops when it next reports progress


class SearchMemory:
    """Divides a number of bytes among the searches that run and the trees of idle bots."""

    def __init__(self, limit: int, searches: int) -> None:
        self._search_limit = int(limit * SEARCH_SHARE) // searches
        self._idle_limit = limit - int(limit * SEARCH_SHARE)
        self._idle: dict[Bot, int] = {}  # with the bytes of their trees, longest idle first

    @property
    def idle_bytes(self) -> int:
        """The memory of the trees of idle bots."""
        return sum(self._idle.values())

    def start(self, player: Bot) -> None:
        """Limit a bot that is about to search."""
        self._idle.pop(player, None)
        player.memory_limit = self._search_limit

    def finish(self, player: Bot) -> None:
        """Let a bot keep its tree, at the cost of those that have been idle for longest."""
        if player.memory:
            self._idle[player] = player.memory
        while self.idle_bytes > self._idle_limit:
            longest = next(iter(self._idle))
            del self._idle[longest]
            longest.release_memory()

    def forget(self, player: Bot) -> None:
        """Stop counting a bot that is not used any more."""
        self._idle.pop(player, None)


class StoppableBot(Bot):
    """A bot that asks while it analyses whether its answer is still wanted."""

    is_compiled = True

    def _is_wanted(self) -> bool:
        """Return True; raise ThoughtStopped once nobody waits any more."""
        if self.on_progress is not None:
            self.on_progress(0)
        return True


class BotPool:
    """Runs the bots of all matches of a worker.

    Args:
        searches: The number of bots that may decide at the same time.
        memory: The bytes for all search trees together.
    """

    def __init__(self, searches: int, memory: int = 1 << 30) -> None:
        self._queue = FairQueue(searches)
        self._threads = ThreadPoolExecutor(searches + SPARE_THREADS, "parure-bot")
        self._running: dict[Bot, _Thought] = {}
        self.memory = SearchMemory(memory, searches)
        self.pending = 0  # decisions requested and not yet made

    async def decide(self, player: Bot, view: View, address: str = "") -> Answer:
        """Return a bot's decision, or a random one if the bot fails or times out.

        A bot that times out, or whose caller is cancelled, is stopped.

        Args:
            player: Must not be running: see `is_running`.
            view: What the bot knows.
            address: Requests of different addresses are served in turn.
        """
        self.pending += 1
        try:
            slot = await self._queue.acquire(address)
            return await self._run(player, view, slot)
        finally:
            self.pending -= 1

    async def run_low(
        self, threads: ThreadPoolExecutor, work: Callable[[], Result], address: str
    ) -> Result:
        """Run something in one of the places for bots, once no bot waits for it.

        The place is released when the work ends, even if its caller is cancelled before.
        """
        slot = await self._queue.acquire(address, has_low_priority=True)
        running = asyncio.get_running_loop().run_in_executor(threads, work)
        running.add_done_callback(lambda _: slot.release())
        return await asyncio.shield(running)

    async def analyse(self, player: Bot, view: View, address: str = "") -> None:
        """Run a bot that keeps what it finds; what it raises is raised here.

        It takes its turn like a decision, and is stopped if the caller is cancelled.
        """
        self.pending += 1
        try:
            slot = await self._queue.acquire(address)
            await self._think(player, view, slot, Random(SystemRandom().getrandbits(64)))
        finally:
            self.pending -= 1

    def is_running(self, player: Bot) -> bool:
        """Return whether the thread of a bot still runs, even if nobody waits for its decision."""
        return player in self._running

    def forget(self, player: Bot) -> None:
        """Stop a bot that is not used any more, and release what it holds."""
        if player in self._running:
            self._running[player].stop.set()
        self.memory.forget(player)
        player.close()

    async def _run(self, player: Bot, view: View, slot: Slot) -> Answer:
        """Return a bot's decision, or a random one."""
        rng, name = Random(SystemRandom().getrandbits(64)), type(player).__name__
        try:
            answer = await self._think(player, view, slot, rng)
            if answer.decision in view.legal_decisions:
                return answer
            logger.error("%s made an illegal decision", name)
        except TimeoutError:
            logger.error("%s did not decide within %s seconds", name, DECISION_TIMEOUT)
        except Exception:  # a failing bot must not stop its opponent's game
            logger.exception("%s failed", name)
        return Answer(rng.choice(view.legal_decisions))

    async def _think(self, player: Bot, view: View, slot: Slot, rng: Random) -> Answer:
        """Run a bot in a thread; the slot is released when its thread ends."""
        assert player not in self._running, "two threads would share a tree"
        stop, loop = threading.Event(), asyncio.get_running_loop()
        player.on_progress = partial(_stop_if_set, stop)
        self.memory.start(player)
        thread = loop.run_in_executor(self._threads, player.decide, view, rng)
        self._running[player] = _Thought(thread, stop)
        thread.add_done_callback(lambda _: self._finish(player, slot))
        try:
            return await asyncio.wait_for(asyncio.shield(thread), DECISION_TIMEOUT)
        finally:
            if not thread.done():  # timed out or cancelled
                stop.set()
                loop.call_later(STOP_TIMEOUT, slot.release)

    def _finish(self, player: Bot, slot: Slot) -> None:
        """Note that the thread of a bot has ended."""
        thought = self._running.pop(player)
        slot.release()
        has_failed = thought.thread.cancelled() or thought.thread.exception() is not None
        if has_failed or thought.stop.is_set():
            player.release_memory()  # a stopped search may have left its tree half changed
        else:
            self.memory.finish(player)

    async def stop(self) -> None:
        """Stop all bots, and wait some time for them."""
        for thought in self._running.values():
            thought.stop.set()
        threads = [thought.thread for thought in self._running.values()]
        if threads:
            await asyncio.wait(threads, timeout=STOP_TIMEOUT)

    def close(self) -> None:
        """End the threads, without waiting for running bots."""
        self._threads.shutdown(wait=False, cancel_futures=True)


def _stop_if_set(stop: threading.Event, _: int) -> None:
    """Raise ThoughtStopped in the thread of a bot that has to stop."""
    if stop.is_set():
        raise ThoughtStopped
