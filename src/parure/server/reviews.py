"""Reviews of finished games: computed in the background once somebody asks, then kept.

A worker computes one review at a time; addresses take turns. Between two decisions a review gives
its place to any bot that waits, so that it delays a game by one decision at most. A review that
nobody has asked for in a while ends.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from parure.analysis.review import Reviewer
from parure.analysis.review_types import TurnReview
from parure.games.record import Record
from parure.server.errors import ApiError
from parure.server.fair_queue import FairQueue
from parure.server.match import Match
from parure.server.review_messages import (
    ReviewedTurn,
    ReviewProgress,
    ReviewStatus,
    finished,
    pack,
    reviewed_turn,
    unpack,
)
from parure.server.store import Unavailable
from parure.server.warmup import wait_until_compiled

if TYPE_CHECKING:
    from parure.server.registry import MatchRegistry

logger = logging.getLogger("parure.server")

BUDGET = "2000"  # iterations of each decision
MAX_DECISIONS = 600  # of a game that is reviewed; real games have some 150
MAX_JOBS = 40  # reviews that wait or run, per worker
MAX_JOBS_OF_ADDRESS = 3
WANTED_SECONDS = 15.0  # after the last request, until a review that nobody waits for ends


class ReviewJob:
    """A review that is being computed, or waits for its turn."""

    def __init__(self, match: str, record: Record, address: str) -> None:
        self.match = match
        self.record = record
        self.address = address
        self.wanted_until = 0.0  # time of the event loop
        self.status: ReviewStatus = "waiting"
        self.reviewed = 0  # decisions
        self.turns: list[ReviewedTurn] = []
        self.values: tuple[float, ...] = ()

    def progress(self) -> ReviewProgress:
        """Return what is computed so far."""
        total = len(self.record.decisions)
        return ReviewProgress(
            status=self.status,
            reviewed=min(self.reviewed, total),
            decisions=total,
            turns=self.turns,
            values=self.values,
        )


class Reviews:
    """The reviews of all matches of a worker."""

    def __init__(self, registry: MatchRegistry) -> None:
        self._registry = registry
        self._jobs: dict[str, ReviewJob] = {}
        self._queue = FairQueue(1)
        self._thread = ThreadPoolExecutor(1, "parure-review")

    async def read(self, match: Match, address: str) -> ReviewProgress:
        """Return the review of a match as far as it is computed; start it if need be.

        Raises:
            ApiError: Too many reviews are waiting, or the game is too long.
        """
        if match.id not in self._jobs:
            stored = await self._registry.store.review(match.id)
            kept = None if stored is None else unpack(stored)
            if kept is not None:
                return kept
        job = self._jobs.get(match.id) or self._start(match, address)
        job.wanted_until = asyncio.get_running_loop().time() + WANTED_SECONDS
        return job.progress()

    def _start(self, match: Match, address: str) -> ReviewJob:
        record = match.record()
        if len(record.decisions) > MAX_DECISIONS:
            raise ApiError(409, "too_long", "the game is too long to be reviewed")
        by_address = Counter(job.address for job in self._jobs.values())
        if len(self._jobs) >= MAX_JOBS or by_address[address] >= MAX_JOBS_OF_ADDRESS:
            raise ApiError(429, "rate", "too many reviews are waiting; try again in a moment")
        job = self._jobs[match.id] = ReviewJob(match.id, record, address)
        self._registry.start_task(self._run(job))
        return job

    async def _run(self, job: ReviewJob) -> None:
        """Compute a review and store it."""
        store, worker = self._registry.store, self._registry.worker_id
        try:
            await wait_until_compiled("mcts:1", job.record.game)
            slot = await self._queue.acquire(job.address)
            try:
                if await self._claim(job):
                    await self._compute(job)
                    await store.unclaim(job.match, worker)
            finally:
                slot.release()
        except Unavailable:
            logger.warning("the review of match %s could not be stored", job.match)
        except Exception:  # the next request starts it again
            logger.exception("the review of match %s failed", job.match)
        finally:
            self._jobs.pop(job.match, None)

    async def _claim(self, job: ReviewJob) -> bool:
        """Reserve a review for this worker; False if another one computes it or has done so."""
        registry = self._registry
        now = registry.time.now()
        if not await registry.store.claim(job.match, registry.worker_id, now):
            return False
        stored = await registry.store.review(job.match)
        return stored is None or unpack(stored) is None

    async def _compute(self, job: ReviewJob) -> None:
        loop, pool = asyncio.get_running_loop(), self._registry.bot_pool
        reviewer = await loop.run_in_executor(self._thread, Reviewer, job.record, BUDGET)
        steps, found = reviewer.steps(), list[TurnReview]()
        job.status = "running"
        for number in range(len(reviewer.states)):
            if loop.time() > job.wanted_until:
                logger.info("the review of match %s ends: nobody waits for it", job.match)
                return
            turn = await pool.run_low(self._thread, lambda: next(steps), job.address)
            job.reviewed = number
            job.values = reviewer.last_values
            if turn is not None:
                found.append(turn)
                job.turns.append(reviewed_turn(turn, reviewer.states[0].seats))
            if number % 100 == 99:
                await self._claim(job)
        whole = finished(reviewer.result(found), job.turns)
        packed = await loop.run_in_executor(self._thread, pack, whole)
        await self._registry.store.keep_review(job.match, self._registry.clock.now(), packed)

    def close(self) -> None:
        """End the thread, without waiting for it."""
        self._thread.shutdown(wait=False, cancel_futures=True)
