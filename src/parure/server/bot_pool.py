"""The threads in which bots decide: a limited number at once, in the order of the requests.

A match requests one decision at a time, so the queue is fair. Searches release the interpreter's
lock, so they do not slow down the event loop.
"""

from __future__ import annotations

import asyncio
import logging
import re
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from random import Random, SystemRandom

from parure.bots import Answer, Bot, Budget, bot
from parure.bots.greedy import gains
from parure.errors import NotationError, ParureError
from parure.games.view import View
from parure.server.http_models import BotInfo
from parure.server.warmup import is_compiled

logger = logging.getLogger("parure.server")

LEVELS = tuple(f"level:{n}" for n in range(1, 9))
OFFERED_BOTS = ("random", "greedy", *LEVELS)  # weakest first
REPLACEMENT_BOTS = ("level:4", "greedy", "random")  # for a player who resigned, best first
HINT_BOTS = ("level:6", "greedy")  # best first

MAX_SECONDS = 5.0
MAX_ITERATIONS = 50_000
DECISION_TIMEOUT = 60.0  # seconds until a random decision replaces that of a hanging bot
SPARE_THREADS = 4  # for bots that timed out and still run


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


def hint_bot(game: str) -> str | None:
    """Return the strongest compiled bot for hints; None while there is none."""
    compiled = [spec for spec in HINT_BOTS if is_compiled(spec, game)]
    return compiled[0] if "greedy" in compiled else None  # `greedy` computes the reasons


class BotPool:
    """Runs the bots of all matches of a worker."""

    def __init__(self, searches: int) -> None:
        self._free = asyncio.Semaphore(searches)  # first come, first served
        self._threads = ThreadPoolExecutor(searches + SPARE_THREADS, "parure-bot")
        self.pending = 0  # decisions requested and not yet made

    async def decide(self, player: Bot, view: View) -> Answer:
        """Return a bot's decision, or a random one if the bot fails or times out."""
        self.pending += 1
        try:
            async with self._free:
                return await self._run(player, view)
        finally:
            self.pending -= 1

    async def hint(self, spec: str, view: View) -> tuple[Answer, list[str]]:
        """Return a bot's decision, and the names of the features that it improves."""
        player = bot(spec)
        try:
            answer = await self.decide(player, view)
        finally:
            player.close()
        return answer, await asyncio.to_thread(gains, view, answer.decision, Random())

    async def _run(self, player: Bot, view: View) -> Answer:
        loop = asyncio.get_running_loop()
        rng = Random(SystemRandom().getrandbits(64))
        decision = loop.run_in_executor(self._threads, player.decide, view, rng)
        name = type(player).__name__
        try:
            answer = await asyncio.wait_for(decision, DECISION_TIMEOUT)
            if answer.decision in view.legal_decisions:
                return answer
            logger.error("%s made an illegal decision", name)
        except TimeoutError:
            logger.error("%s did not decide within %s seconds", name, DECISION_TIMEOUT)
        except Exception:  # a failing bot must not stop its opponent's game
            logger.exception("%s failed", name)
        return Answer(rng.choice(view.legal_decisions))

    def close(self) -> None:
        """Stop without waiting for running bots."""
        self._threads.shutdown(wait=False, cancel_futures=True)
