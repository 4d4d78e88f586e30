"""The matches of one worker, and what they share: store, bus, bots, clock and rate limits."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from parure.server.bot_pool import BotPool
from parure.server.bus import (
    AnyNotice,
    Bus,
    LocalBus,
    MatchDeleted,
    NoticesLost,
    RedisBus,
    VersionChanged,
    WorkerPresence,
)
from parure.server.clock import MatchTime, Run, SteadyClock, WallClock
from parure.server.connection import CloseCode
from parure.server.errors import ApiError
from parure.server.fair_queue import FairQueue
from parure.server.keys import MatchKeys, is_match_id
from parure.server.limits import RateLimiter
from parure.server.match import Match
from parure.server.reviews import Reviews
from parure.server.session import MatchSession
from parure.server.settings import Settings
from parure.server.store import NewMatch, Store, Unavailable, UnreadableMatch

Result = TypeVar("Result")

logger = logging.getLogger("parure.server")

SWEEP_INTERVAL = 5.0  # seconds between searches for matches in which a clock has run out
EXPIRY_INTERVAL = 3600.0  # seconds between deletions of expired matches
LOADED_AT_ONCE = 5  # entries of a match that is loaded, before other tasks run
MAX_WAITING = 8  # requests of an address that wait to be computed
IDLE_MS = 60_000  # after which an idle session leaves the memory
DAY_MS = 24 * 3600 * 1000
MEGABYTE = 1 << 20


@dataclass(slots=True)
class Metrics:
    """Counters since the worker started."""

    created: int = 0
    entries: int = 0
    refused: int = 0
    sockets: int = 0
    messages: int = 0
    sweeps: int = 0  # searches for what is due


class MatchRegistry:
    """All matches of one worker; those in use are in memory as sessions."""

    def __init__(
        self, settings: Settings, clock: WallClock | None = None, run: Run | None = None
    ) -> None:
        self.settings = settings
        self.run = run or Run.start()
        self.clock = clock or SteadyClock(self.run)
        self.time = MatchTime(self.clock)
        self.metrics = Metrics()
        self.limits = RateLimiter(settings.limits)
        self.store = Store(settings.database)
        self.bus: Bus = RedisBus(settings.redis) if settings.redis else LocalBus()
        memory = settings.bot_memory * MEGABYTE // settings.workers
        self.bot_pool = BotPool(settings.searches, memory)
        self.reviews = Reviews(self)
        self.started_at = self.clock.now()
        self.started_time = self.time.now()
        self.worker_id = secrets.token_hex(8)
        self.secret = b""
        self.sessions: dict[str, MatchSession] = {}
        self._computations = FairQueue(1)
        self._loading: dict[str, asyncio.Task[MatchSession | None]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        """Open the store and the bus, and start the background tasks."""
        await self.store.open()
        self.secret = await self.store.secret()
        self.time.start(await self.store.start_run(self.run.id, self.clock.now()))
        self.started_time = self.time.now()
        await self.bus.open(self._receive_notice, self._sync_all)
        self.start_task(self._sweep())
        self.start_task(self._delete_expired())

    async def close(self) -> None:
        """Close all connections with a code that tells clients to reconnect, then all services."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for session in tuple(self.sessions.values()):
            for connection in session.presence:
                connection.close(CloseCode.RESTART, "restart")
            session.close()
        self.sessions.clear()
        await self.bot_pool.stop()
        self.bot_pool.close()
        self.reviews.close()
        await self.bus.close()
        await self._store_time()
        await self.store.close()

    def start_task(self, work: Coroutine[object, object, None]) -> None:
        """Run a coroutine in the background until the registry is closed."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # --- matches ----------------------------------------------------------------------------------

    async def create(self, match: NewMatch) -> None:
        """Store a new match."""
        await self.store.create(match)
        self.metrics.created += 1

    async def compute(
        self, address: str, work: Callable[[], Result], *, is_long: bool = False
    ) -> Result:
        """Run work for a client in a thread: one at a time, addresses in turn.

        Threads that compute in Python take the interpreter from all matches, and what waits takes
        memory.

        Args:
            address: Of the client.
            work: Must not wait for anything.
            is_long: It may take a second, and comes after what is short: a record is replayed.

        Raises:
            ApiError: Too much work of this address waits.
        """
        if self._computations.waiting(address) >= MAX_WAITING:
            raise ApiError(429, "rate", "too many requests at once; wait for their answers")
        return await self._compute(address, work, is_long)

    async def _compute(self, sender: str, work: Callable[[], Result], is_long: bool) -> Result:
        slot = await self._computations.acquire(sender, has_low_priority=is_long)
        try:
            return await asyncio.to_thread(work)
        finally:
            slot.release()

    async def session(self, id: str) -> MatchSession | None:
        """Return the session of a match, loading it if need be; None if there is no such match."""
        if id in self.sessions:
            return self.sessions[id]
        if not is_match_id(id):
            return None  # PostgreSQL cannot even look for some texts
        if id not in self._loading:
            self._loading[id] = asyncio.create_task(self._load(id))
            self._loading[id].add_done_callback(lambda _: self._loading.pop(id, None))
        return await asyncio.shield(self._loading[id])

    async def _load(self, id: str) -> MatchSession | None:
        try:
            stored = await self.store.load(id)
            if stored is None:
                return None
            has_opening = bool(stored.setup.opening)  # which is replayed
            match = await self._compute(id, partial(Match, id, stored.setup), has_opening)
            for number, entry in enumerate(stored.entries):
                match.apply(entry)
                if number % LOADED_AT_ONCE == 0:
                    await asyncio.sleep(0)  # let other tasks run
        except Unavailable:
            raise
        except Exception as error:  # of decoding or replaying what is stored
            self.store.note_failure(f"match {id} cannot be replayed: {error!r}")
            raise UnreadableMatch from None
        session = self.sessions[id] = MatchSession(self, match, stored.is_shared)
        if self.bus.is_shared:
            session.post(session.sync)  # for entries stored while the match was loading
        return session

    def unload(self, session: MatchSession) -> None:
        """Remove a session from memory."""
        if self.sessions.get(session.match.id) is session:
            del self.sessions[session.match.id]
        session.close()

    async def delete(self, id: str) -> bool:
        """Delete a match that was not shared; return whether that was possible."""
        if not await self.store.delete(id, only_unshared=True):
            return False
        if id in self.sessions:
            self.sessions[id].mark_deleted()
        self.bus.publish(MatchDeleted(worker=self.worker_id, match=id))
        return True

    def keys(self, id: str) -> MatchKeys:
        """Return the keys of a match."""
        return MatchKeys(self.secret, id)

    # --- other workers ----------------------------------------------------------------------------

    def _receive_notice(self, notice: AnyNotice) -> None:
        if notice.worker == self.worker_id:
            return
        if isinstance(notice, NoticesLost):
            self._post_sync_to_all()
            return
        session = self.sessions.get(notice.match)
        if session is None:
            return
        match notice:
            case WorkerPresence():
                session.update_worker_presence(notice)
            case VersionChanged():
                if notice.version > session.match.version:
                    session.post(session.sync)
            case MatchDeleted():
                session.post(session.sync)

    async def _sync_all(self) -> None:
        """Read new entries of all sessions: notices may have been lost."""
        self._post_sync_to_all()

    def _post_sync_to_all(self) -> None:
        for session in self.sessions.values():
            session.post(session.sync)

    async def _compare_versions(self) -> None:
        """Read new entries of sessions that are behind the database: a notice may be lost."""
        stored = await self.store.versions(list(self.sessions))
        for id, session in self.sessions.items():
            if stored.get(id) != session.match.version:
                session.post(session.sync)

    # --- background tasks -------------------------------------------------------------------------

    async def _sweep(self) -> None:
        """Load the matches in which a clock has run out, and unload idle ones, periodically."""
        while True:
            await self._store_time()
            try:
                await self._load_due_matches()
                if self.bus.is_shared:
                    await self._compare_versions()
            except Unavailable:
                logger.warning("could not look for matches in which something is due")
            now = self.clock.now()
            for session in tuple(self.sessions.values()):
                if self.bus.is_shared:
                    session.refresh_presence()
                if session.is_idle and now - session.used_at > IDLE_MS:
                    self.unload(session)
            self.metrics.sweeps += 1
            await asyncio.sleep(SWEEP_INTERVAL)

    async def _store_time(self) -> None:
        """Store the match time, at which the next run continues; stop it if that fails."""
        time = self.time.now()
        try:
            await self.store.store_time(time)
        except Unavailable:
            self.time.not_stored()
        else:
            self.time.stored(time)

    async def _load_due_matches(self) -> None:
        """Load the matches in which a clock has run out, each in one worker."""
        now = self.time.now()
        for id in await self.store.clocks_due(now):
            if id in self.sessions:
                continue
            if self.bus.is_shared and not await self.store.claim(
                id, self.worker_id, now, is_clock=True
            ):
                continue
            with contextlib.suppress(UnreadableMatch):  # logged by `_load`
                await self.session(id)

    async def _delete_expired(self) -> None:
        """Delete old matches, periodically."""
        while True:
            now, settings = self.clock.now(), self.settings
            try:
                number = await self.store.delete_expired(
                    now - settings.finished_days * DAY_MS, now - settings.idle_days * DAY_MS
                )
                if number:
                    logger.info("deleted %d expired matches", number)
            except Unavailable:
                logger.warning("could not delete expired matches")
            await asyncio.sleep(EXPIRY_INTERVAL)
