"""The matches of one worker, and what they share: store, bus, bots, clock and rate limits."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Coroutine
from dataclasses import dataclass

from parure.server.bot_pool import BotPool
from parure.server.bus import (
    AnyNotice,
    Bus,
    LocalBus,
    MatchDeleted,
    RedisBus,
    VersionChanged,
    WorkerPresence,
)
from parure.server.clock import SteadyClock, WallClock
from parure.server.connection import CloseCode
from parure.server.keys import MatchKeys
from parure.server.limits import RateLimiter
from parure.server.match import Match
from parure.server.session import MatchSession
from parure.server.settings import Settings
from parure.server.store import NewMatch, Store, Unavailable

logger = logging.getLogger("parure.server")

SWEEP_INTERVAL = 5.0  # seconds between searches for matches that wait for a bot or a clock
EXPIRY_INTERVAL = 3600.0  # seconds between deletions of expired matches
IDLE_MS = 60_000  # after which an idle session leaves the memory
DAY_MS = 24 * 3600 * 1000


@dataclass(slots=True)
class Metrics:
    """Counters since the worker started."""

    created: int = 0
    entries: int = 0
    refused: int = 0
    sockets: int = 0
    messages: int = 0


class MatchRegistry:
    """All matches of one worker; those in use are in memory as sessions."""

    def __init__(self, settings: Settings, clock: WallClock | None = None) -> None:
        self.settings = settings
        self.clock = clock or SteadyClock()
        self.metrics = Metrics()
        self.limits = RateLimiter(settings.limits)
        self.store = Store(settings.database)
        self.bus: Bus = RedisBus(settings.redis) if settings.redis else LocalBus()
        self.bot_pool = BotPool(settings.searches)
        self.started_at = self.clock.now()
        self.worker_id = secrets.token_hex(8)
        self.secret = b""
        self.sessions: dict[str, MatchSession] = {}
        self._loading: dict[str, asyncio.Task[MatchSession | None]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        """Open the store and the bus, and resume the matches in which a bot is to move."""
        await self.store.open()
        self.secret = await self.store.secret()
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
        self.bot_pool.close()
        await self.bus.close()
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

    async def session(self, id: str) -> MatchSession | None:
        """Return the session of a match, loading it if need be; None if there is no such match."""
        if id in self.sessions:
            return self.sessions[id]
        if id not in self._loading:
            self._loading[id] = asyncio.create_task(self._load(id))
            self._loading[id].add_done_callback(lambda _: self._loading.pop(id, None))
        return await asyncio.shield(self._loading[id])

    async def _load(self, id: str) -> MatchSession | None:
        stored = await self.store.load(id)
        if stored is None:
            return None
        match = await asyncio.to_thread(Match, id, stored.setup)  # may replay a long record
        for number, entry in enumerate(stored.entries):
            match.apply(entry)
            if number % 20 == 0:
                await asyncio.sleep(0)  # let other tasks run
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
        session = self.sessions.get(notice.match)
        if session is None or notice.worker == self.worker_id:
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
        for session in tuple(self.sessions.values()):
            session.post(session.sync)

    # --- background tasks -------------------------------------------------------------------------

    async def _sweep(self) -> None:
        """Load the matches that wait for a bot or a clock, and unload idle ones, periodically."""
        while True:
            try:
                for id in await self.store.bots_due():
                    await self.session(id)
                for id in await self.store.clocks_due(self.clock.now()):
                    await self.session(id)
            except Unavailable:
                logger.warning("could not look for matches that wait for a bot or a clock")
            except Exception:
                logger.exception("could not load a match that waits for a bot or a clock")
            now = self.clock.now()
            for session in tuple(self.sessions.values()):
                if self.bus.is_shared:
                    session.refresh_presence()
                if session.is_idle and now - session.used_at > IDLE_MS:
                    self.unload(session)
            await asyncio.sleep(SWEEP_INTERVAL)

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
