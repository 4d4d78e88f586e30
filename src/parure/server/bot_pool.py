"""Bots, thinking in threads of their own: so many at once, in the order in which they were asked.

A match asks for one decision at a time, so the queue is fair to all of them. Searches leave the
interpreter's lock alone while they run, so the others are not slowed down.
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
OFFERED_BOTS = ("random", "greedy", *LEVELS)  # by strength
REPLACEMENT_BOTS = ("level:4", "greedy", "random")  # the first of them that there is plays on
HINT_BOTS = ("level:6", "greedy")  # the first of them that is ready gives hints

MAX_SECONDS = 5.0
MAX_ITERATIONS = 50_000
DECISION_TIMEOUT = 60.0  # seconds; a bot that takes longer is given up
SPARE_THREADS = 4  # for those that were given up and go on


@lru_cache(maxsize=256)
def is_allowed(spec: str) -> bool:
    """Whether a bot may be asked for over the web: nothing that runs programs or thinks too long.

    >>> is_allowed("random"), is_allowed("exec:rm")
    (True, False)
    """
    if spec not in OFFERED_BOTS:
        match = re.fullmatch(r"mcts:(\d.*)", spec)
        if match is None:
            return False
        try:
            asked = Budget.parse(match[1])
        except NotationError:
            return False
        if (asked.seconds or 0) > MAX_SECONDS or (asked.iterations or 0) > MAX_ITERATIONS:
            return False
    try:
        bot(spec).close()
    except (ParureError, ImportError, OSError):
        return False
    return True


def offered_bots() -> list[BotInfo]:
    """The bots that there are, weakest first."""
    return [
        BotInfo(bot=spec, strength=strength)
        for strength, spec in enumerate(OFFERED_BOTS)
        if is_allowed(spec)
    ]


def first_allowed(specs: tuple[str, ...]) -> str:
    """The first of some bots that there is."""
    return next(spec for spec in specs if is_allowed(spec))


def hint_bot_for(game: str) -> str | None:
    """The bot that gives hints now; None while none is ready."""
    ready = [spec for spec in HINT_BOTS if is_compiled(spec, game)]
    return ready[0] if "greedy" in ready else None  # its judgement gives the reasons


class BotPool:
    """The place where bots think."""

    def __init__(self, searches: int) -> None:
        self._free = asyncio.Semaphore(searches)  # wakes those who wait in their order
        self._threads = ThreadPoolExecutor(searches + SPARE_THREADS, "parure-thinking")
        self.waiting = 0

    async def decide(self, player: Bot, view: View) -> Answer:
        """What a bot decides; any legal decision if it fails, so that the game goes on."""
        self.waiting += 1
        try:
            async with self._free:
                return await self._think(player, view)
        finally:
            self.waiting -= 1

    async def advise(self, spec: str, view: View) -> tuple[Answer, list[str]]:
        """What a bot would decide, and in which features that brings something."""
        adviser = bot(spec)
        try:
            answer = await self.decide(adviser, view)
        finally:
            adviser.close()
        return answer, await asyncio.to_thread(gains, view, answer.decision, Random())

    async def _think(self, player: Bot, view: View) -> Answer:
        loop = asyncio.get_running_loop()
        rng = Random(SystemRandom().getrandbits(64))
        thought = loop.run_in_executor(self._threads, player.decide, view, rng)
        try:
            answer = await asyncio.wait_for(thought, DECISION_TIMEOUT)
            if answer.decision in view.legal_decisions:
                return answer
            logger.error("%s decided what is not legal", type(player).__name__)
        except TimeoutError:
            logger.error("%s thought for too long", type(player).__name__)
        except Exception:  # whatever a bot does wrong, its opponent can play on
            logger.exception("%s failed", type(player).__name__)
        return Answer(rng.choice(view.legal_decisions))

    def close(self) -> None:
        """Wait for nobody."""
        self._threads.shutdown(wait=False, cancel_futures=True)
