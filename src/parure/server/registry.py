"""All tables of one worker, and what they share: the store, the bus, the bots, the limits."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Coroutine
from dataclasses import dataclass

from parure.server.bot_pool import Thinker
from parure.server.bus import AnyNotice, Bus, Here, LocalBus, Moved, RedisBus
from parure.server.clock import SteadyClock
from parure.server.connection import GOING_AWAY
from parure.server.keys import Keys, new_match_id
from parure.server.limits import Limits
from parure.server.log_entries import Setup
from parure.server.match import Match
from parure.server.settings import Settings
from parure.server.store import Birth, Store, Unavailable
from parure.server.table import Table, facts_of

logger = logging.getLogger("parure.server")

SWEEP = 5.0  # seconds between looking for bots and clocks that nobody sees to
EXPIRY = 3600.0  # seconds between forgetting old matches
IDLE = 60_000  # milliseconds that a table stays in memory when nobody is there
DAY = 24 * 3600 * 1000


@dataclass(slots=True)
class Metrics:
    """What has happened since the worker began."""

    created: int = 0
    entries: int = 0
    refused: int = 0
    sockets: int = 0
    messages: int = 0


class Hall:
    """All tables of one worker."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.clock = SteadyClock()
        self.metrics = Metrics()
        self.limits = Limits(settings.limits)
        self.store = Store(settings.database)
        self.bus: Bus = RedisBus(settings.redis) if settings.redis else LocalBus()
        self.thinker = Thinker(settings.searches)
        self.opened_at = self.clock.now()
        self.worker = secrets.token_hex(8)
        self.secret = b""
        self.tables: dict[str, Table] = {}
        self._loading: dict[str, asyncio.Task[Table | None]] = {}
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
        for table in tuple(self.tables.values()):
            for visitor in table.company:
                visitor.drop(GOING_AWAY, "restart")
            table.close()
        self.tables.clear()
        self.thinker.close()
        await self.bus.close()
        await self.store.close()

    def start(self, work: Coroutine[object, object, None]) -> None:
        """Do something beside everything else."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # --- tables -----------------------------------------------------------------------------------

    async def create(self, setup: Setup) -> Match:
        """Keep a new match."""
        match = await asyncio.to_thread(Match, new_match_id(), setup)  # it may be a long record
        await self.store.create(Birth(match.id, setup, facts_of(match)))
        self.metrics.created += 1
        return match

    async def table(self, id: str) -> Table | None:
        """The table of a match, read from the store if need be; None if there is no such match."""
        if id in self.tables:
            return self.tables[id]
        if id not in self._loading:
            self._loading[id] = asyncio.create_task(self._load(id))
            self._loading[id].add_done_callback(lambda _: self._loading.pop(id, None))
        return await asyncio.shield(self._loading[id])

    async def _load(self, id: str) -> Table | None:
        stored = await self.store.load(id)
        if stored is None:
            return None
        match = await asyncio.to_thread(Match, id, stored.setup)
        for number, entry in enumerate(stored.entries):
            match.apply(entry)
            if number % 20 == 0:
                await asyncio.sleep(0)  # others may do something in between
        table = self.tables[id] = Table(self, match, stored.is_shared)
        if self.bus.is_shared:
            table.post(table.sync)  # what was stored while this was read
        return table

    def forget(self, table: Table) -> None:
        """Let a table go from memory."""
        if self.tables.get(table.match.id) is table:
            del self.tables[table.match.id]
        table.close()

    async def delete(self, id: str) -> bool:
        """Delete a match that has not been shared; whether that was possible."""
        if not await self.store.delete(id, only_unshared=True):
            return False
        if id in self.tables:
            self.tables[id].vanish()
        self.bus.publish(Moved(worker=self.worker, match=id, version=-1))
        return True

    def keys(self, id: str) -> Keys:
        """The keys of a match."""
        return Keys(self.secret, id)

    # --- other workers ----------------------------------------------------------------------------

    def _hear(self, notice: AnyNotice) -> None:
        table = self.tables.get(notice.match)
        if table is None or notice.worker == self.worker:
            return
        if isinstance(notice, Here):
            table.hear(notice)
        elif notice.version == -1 or notice.version > table.match.version:
            table.post(table.sync)

    async def _sync_all(self) -> None:
        """Notices may have been lost: ask the store about every table."""
        for table in tuple(self.tables.values()):
            table.post(table.sync)

    # --- what nobody asks for ---------------------------------------------------------------------

    async def _sweep(self) -> None:
        """Again and again: go on with matches that wait for a bot or a clock; let idle ones go."""
        while True:
            try:
                for id in await self.store.bots_due():
                    await self.table(id)
                for id in await self.store.clocks_due(self.clock.now()):
                    await self.table(id)
            except Unavailable:
                logger.warning("could not look for matches that wait")
            except Exception:
                logger.exception("sweeping")
            now = self.clock.now()
            for table in tuple(self.tables.values()):
                if self.bus.is_shared:
                    table.refresh_presence()
                if table.is_idle and now - table.used_at > IDLE:
                    self.forget(table)
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
