"""All sessions of one worker, and what they share: the store, the bus, the bots, the limits."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Coroutine
from dataclasses import dataclass

from parure.server.bot_pool import BotPool
from parure.server.bus import AnyNotice, Bus, LocalBus, RedisBus, VersionChanged, WorkerPresence
from parure.server.clock import SteadyClock
from parure.server.connection import GOING_AWAY
from parure.server.keys import Keys, new_match_id
from parure.server.limits import RateLimiter
from parure.server.log_entries import Setup
from parure.server.match import Match
from parure.server.session import MatchSession, index_of
from parure.server.settings import Settings
from parure.server.store import NewMatch, Store, Unavailable

logger = logging.getLogger("parure.server")

SWEEP = 5.0  # seconds between looking for bots and clocks that nobody sees to
EXPIRY = 3600.0  # seconds between forgetting old matches
IDLE = 60_000  # milliseconds that a session stays in memory when nobody is there
DAY = 24 * 3600 * 1000


@dataclass(slots=True)
class Metrics:
    """What has happened since the worker began."""

    created: int = 0
    entries: int = 0
    refused: int = 0
    sockets: int = 0
    messages: int = 0


class MatchRegistry:
    """All sessions of one worker."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.clock = SteadyClock()
        self.metrics = Metrics()
        self.limits = RateLimiter(settings.limits)
        self.store = Store(settings.database)
        self.bus: Bus = RedisBus(settings.redis) if settings.redis else LocalBus()
        self.bot_pool = BotPool(settings.searches)
        self.opened_at = self.clock.now()
        self.worker = secrets.token_hex(8)
        self.secret = b""
        self.sessions: dict[str, MatchSession] = {}
        self._loading: dict[str, asyncio.Task[MatchSession | None]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        """Be ready; games in which a bot was to move go on."""
        await self.store.open()
        self.secret = await self.store.secret()
        await self.bus.open(self._hear, self._sync_all)
        self.start(self._sweep())
        self.start(self._expire())

    async def close(self) -> None:
        """Send everybody home; they will come back to the next server."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for session in tuple(self.sessions.values()):
            for connection in session.presence:
                connection.drop(GOING_AWAY, "restart")
            session.close()
        self.sessions.clear()
        self.bot_pool.close()
        await self.bus.close()
        await self.store.close()

    def start(self, work: Coroutine[object, object, None]) -> None:
        """Do something beside everything else."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # --- sessions ---------------------------------------------------------------------------------

    async def create(self, setup: Setup) -> Match:
        """Keep a new match."""
        match = await asyncio.to_thread(Match, new_match_id(), setup)  # it may be a long record
        await self.store.create(NewMatch(match.id, setup, index_of(match)))
        self.metrics.created += 1
        return match

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
        match = await asyncio.to_thread(Match, id, stored.setup)
        for number, entry in enumerate(stored.entries):
            match.apply(entry)
            if number % 20 == 0:
                await asyncio.sleep(0)  # others may do something in between
        session = self.sessions[id] = MatchSession(self, match, stored.is_shared)
        if self.bus.is_shared:
            session.post(session.sync)  # what was stored while this was read
        return session

    def forget(self, session: MatchSession) -> None:
        """Let a session go from memory."""
        if self.sessions.get(session.match.id) is session:
            del self.sessions[session.match.id]
        session.close()

    async def delete(self, id: str) -> bool:
        """Delete a match that has not been shared; whether that was possible."""
        if not await self.store.delete(id, only_unshared=True):
            return False
        if id in self.sessions:
            self.sessions[id].mark_deleted()
        self.bus.publish(VersionChanged(worker=self.worker, match=id, version=-1))
        return True

    def keys(self, id: str) -> Keys:
        """The keys of a match."""
        return Keys(self.secret, id)

    # --- other workers ----------------------------------------------------------------------------

    def _hear(self, notice: AnyNotice) -> None:
        session = self.sessions.get(notice.match)
        if session is None or notice.worker == self.worker:
            return
        if isinstance(notice, WorkerPresence):
            session.hear(notice)
        elif notice.version == -1 or notice.version > session.match.version:
            session.post(session.sync)

    async def _sync_all(self) -> None:
        """Notices may have been lost: ask the store about every session."""
        for session in tuple(self.sessions.values()):
            session.post(session.sync)

    # --- what nobody asks for ---------------------------------------------------------------------

    async def _sweep(self) -> None:
        """Again and again: go on with matches that wait for a bot or a clock; let idle ones go."""
        while True:
            try:
                for id in await self.store.bots_due():
                    await self.session(id)
                for id in await self.store.clocks_due(self.clock.now()):
                    await self.session(id)
            except Unavailable:
                logger.warning("could not look for matches that wait")
            except Exception:
                logger.exception("sweeping")
            now = self.clock.now()
            for session in tuple(self.sessions.values()):
                if self.bus.is_shared:
                    session.refresh_presence()
                if session.is_idle and now - session.used_at > IDLE:
                    self.forget(session)
            await asyncio.sleep(SWEEP)

    async def _expire(self) -> None:
        """Again and again: forget old matches."""
        while True:
            now, settings = self.clock.now(), self.settings
            try:
                gone = await self.store.expire(
                    now - settings.finished_days * DAY, now - settings.idle_days * DAY
                )
                if gone:
                    logger.info("%d old matches were forgotten", gone)
            except Unavailable:
                logger.warning("could not forget old matches")
            await asyncio.sleep(EXPIRY)
