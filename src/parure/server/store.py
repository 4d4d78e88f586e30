"""Where matches are kept. The database is the truth; whatever is in memory follows from it.

The database is worked on in threads. Appends that come while another one is being written wait
and are written together, so that many matches share the cost of making sure.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import compress
from typing import Any, TypeVar

import sqlalchemy as sa

from parure.errors import ParureError
from parure.server import log_entries as log
from parure.server.keys import new_secret
from parure.server.log_entries import AnyEntry, Setup
from parure.server.schema import database_url, engine_for, entries, matches, memory, migrate

Result = TypeVar("Result")

logger = logging.getLogger("parure.server")

RETRY_TIMEOUT = 8.0  # seconds that a database may be away before a command is refused
FIRST_PAUSE, LONGEST_PAUSE = 0.05, 1.0
MAX_APPENDS = 200  # in one transaction


class Unavailable(ParureError):
    """The database does not answer."""


@dataclass(frozen=True, slots=True)
class MatchIndex:
    """What the database should know of a match without reading its log."""

    changed: int
    is_over: bool
    is_bot_due: bool
    deadline: int | None


@dataclass(frozen=True, slots=True)
class NewMatch:
    """A new match."""

    id: str
    setup: Setup
    index: MatchIndex


@dataclass(frozen=True, slots=True)
class Append:
    """The next entry of a match that is at a version; perhaps it brings another match about."""

    match: str
    version: int
    entry: AnyEntry
    index: MatchIndex
    new_match: NewMatch | None = None


@dataclass(frozen=True, slots=True)
class Stored:
    """A match as it is kept."""

    setup: Setup
    entries: list[AnyEntry]
    is_shared: bool
    changed: int


class Store:
    """The database of all matches."""

    def __init__(self, address: str) -> None:
        url = database_url(address)
        self._writer = engine_for(url, for_writing=True)
        self._reader = engine_for(url, for_writing=False)
        self._writing = ThreadPoolExecutor(1, "parure-writing")
        self._reading = ThreadPoolExecutor(4, "parure-reading")
        self._queue: asyncio.Queue[tuple[Append, asyncio.Future[bool]]] = asyncio.Queue()
        self._appender: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Create or migrate the database, and be ready for appends."""
        loop = asyncio.get_running_loop()
        try:
            await loop.run_in_executor(self._writing, migrate, self._writer)
        except sa.exc.SQLAlchemyError as error:
            raise ParureError(f"the database cannot be used: {_cause(error)}") from None
        self._appender = asyncio.create_task(self._keep_appending())

    async def close(self) -> None:
        """Finish what is being written, and let go of all connections."""
        if self._appender is not None:
            self._appender.cancel()
            await asyncio.gather(self._appender, return_exceptions=True)
        self._writing.shutdown(wait=True)
        self._reading.shutdown(wait=True)
        self._writer.dispose()
        self._reader.dispose()

    # --- writing ----------------------------------------------------------------------------------

    async def append(self, append: Append) -> bool:
        """Store an entry for good; False, and nothing stored, if the match has moved on."""
        future: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._queue.put_nowait((append, future))
        return await future

    async def _keep_appending(self) -> None:
        while True:
            batch = [await self._queue.get()]
            while not self._queue.empty() and len(batch) < MAX_APPENDS:
                batch.append(self._queue.get_nowait())
            appends = [append for append, _ in batch]
            outcome: list[bool] | Exception
            try:
                outcome = await self._write(partial(_append_all, appends))
            except Exception as error:  # each one that waits is told
                outcome = error
            for i, (_, future) in enumerate(batch):
                if future.done():
                    continue
                if isinstance(outcome, Exception):
                    future.set_exception(outcome)
                else:
                    future.set_result(outcome[i])

    async def create(self, new_match: NewMatch) -> None:
        """Keep a new match."""
        await self._write(lambda connection: _create(connection, new_match))

    async def share(self, match: str) -> None:
        """Remember that somebody else has used a link."""
        mark = sa.update(matches).where(matches.c.id == match).values(is_shared=True)
        await self._write(lambda connection: connection.execute(mark))

    async def delete(self, match: str, *, only_unshared: bool = False) -> bool:
        """Forget a match; whether it was there to be forgotten."""
        which = sa.delete(matches).where(matches.c.id == match)
        if only_unshared:
            which = which.where(matches.c.is_shared.is_(False))
        return await self._write(lambda connection: connection.execute(which).rowcount > 0)

    async def claim(self, match: str, worker: str, now: int, until: int) -> bool:
        """Let one worker at a time think about a match; whether it is this one."""
        free = sa.or_(
            matches.c.claimed_by.is_(None),
            matches.c.claimed_by == worker,
            matches.c.claimed_until < now,
        )
        take = (
            sa.update(matches)
            .where(matches.c.id == match, free)
            .values(claimed_by=worker, claimed_until=until)
        )
        return await self._write(lambda connection: connection.execute(take).rowcount > 0)

    async def expire(self, finished_before: int, idle_before: int) -> int:
        """Forget matches that ended, or were last touched, before some time; how many."""
        old = sa.or_(
            sa.and_(matches.c.is_over, matches.c.changed < finished_before),
            sa.and_(matches.c.is_over.is_(False), matches.c.changed < idle_before),
        )
        gone = sa.delete(matches).where(old)
        return await self._write(lambda connection: connection.execute(gone).rowcount)

    async def secret(self) -> bytes:
        """The secret that all links follow from; made when it is first asked for."""
        return await self._write(_secret)

    # --- reading ----------------------------------------------------------------------------------

    async def load(self, match: str) -> Stored | None:
        """A match with its whole log."""
        return await self._read(lambda connection: _load(connection, match))

    async def entries_after(self, match: str, version: int) -> list[AnyEntry] | None:
        """What has come since a version; None if the match is gone."""
        return await self._read(lambda connection: _entries(connection, match, version))

    async def bots_due(self) -> list[str]:
        """The matches in which a bot is to move."""
        due = sa.select(matches.c.id).where(matches.c.is_bot_due, matches.c.is_over.is_(False))
        return await self._read(lambda connection: list(connection.scalars(due)))

    async def clocks_due(self, now: int) -> list[str]:
        """The matches in which somebody has run out of time."""
        due = sa.select(matches.c.id).where(matches.c.deadline <= now, matches.c.is_over.is_(False))
        return await self._read(lambda connection: list(connection.scalars(due)))

    async def is_available(self) -> bool:
        """Whether the database answers at once."""
        loop = asyncio.get_running_loop()
        try:
            await loop.run_in_executor(self._reading, self._do, self._reader, _nothing)
        except sa.exc.SQLAlchemyError:
            return False
        return True

    # --- in threads -------------------------------------------------------------------------------

    async def _write(self, work: Callable[[sa.Connection], Result]) -> Result:
        return await self._patiently(self._writing, self._writer, work)

    async def _read(self, work: Callable[[sa.Connection], Result]) -> Result:
        return await self._patiently(self._reading, self._reader, work)

    async def _patiently(
        self,
        threads: ThreadPoolExecutor,
        engine: sa.Engine,
        work: Callable[[sa.Connection], Result],
    ) -> Result:
        """Work in one transaction, again and again while the database is briefly away."""
        loop = asyncio.get_running_loop()
        give_up, pause = loop.time() + RETRY_TIMEOUT, FIRST_PAUSE
        while True:
            try:
                return await loop.run_in_executor(threads, self._do, engine, work)
            except (sa.exc.OperationalError, sa.exc.InterfaceError, sa.exc.TimeoutError) as error:
                if loop.time() + pause > give_up:
                    logger.error("the database is away: %s", type(error).__name__)
                    raise Unavailable("the database does not answer; try again") from None
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    @staticmethod
    def _do(engine: sa.Engine, work: Callable[[sa.Connection], Result]) -> Result:
        with engine.begin() as connection:
            return work(connection)


# --- inside a transaction -------------------------------------------------------------------------


def _create(connection: sa.Connection, new_match: NewMatch) -> None:
    connection.execute(
        sa.insert(matches),
        {
            "id": new_match.id,
            "setup": log.encode(new_match.setup),
            "version": 0,
            "created": new_match.setup.created,
            "is_shared": False,
            **_columns(new_match.index),
        },
    )


_LOCK = (
    sa.select(matches.c.id, matches.c.version)
    .where(matches.c.id.in_(sa.bindparam("names", expanding=True)))
    .order_by(matches.c.id)  # all workers lock in the same order
    .with_for_update()
)

_MOVE_ON = (
    sa.update(matches)
    .where(matches.c.id == sa.bindparam("match"))
    .values(
        version=sa.bindparam("new"),
        changed=sa.bindparam("changed"),
        is_over=sa.bindparam("is_over"),
        is_bot_due=sa.bindparam("is_bot_due"),
        deadline=sa.bindparam("deadline"),
        claimed_by=None,
    )
)


def _append_all(appends: list[Append], connection: sa.Connection) -> list[bool]:
    """Store the entries that fit, each the next one of its match; whether each did."""
    names = [append.match for append in appends]
    versions = dict(connection.execute(_LOCK, {"names": names}).all())
    fits = []
    for append in appends:
        fits.append(versions.get(append.match) == append.version)
        versions[append.match] = versions.get(append.match, 0) + fits[-1]
    fitting = list(compress(appends, fits))
    if fitting:
        connection.execute(_MOVE_ON, [_moved(append) for append in fitting])
        connection.execute(sa.insert(entries), [_row(append) for append in fitting])
    for append in fitting:
        if append.new_match is not None:
            _create(connection, append.new_match)
    return fits


def _moved(append: Append) -> dict[str, Any]:
    return {"match": append.match, "new": append.version + 1, **_columns(append.index)}


def _row(append: Append) -> dict[str, Any]:
    number, entry = append.version + 1, log.encode(append.entry)
    return {"match_id": append.match, "number": number, "entry": entry}


def _columns(index: MatchIndex) -> dict[str, Any]:
    return {
        "changed": index.changed,
        "is_over": index.is_over,
        "is_bot_due": index.is_bot_due,
        "deadline": index.deadline,
    }


def _secret(connection: sa.Connection) -> bytes:
    if connection.dialect.name == "postgresql":
        connection.execute(sa.text("LOCK TABLE memory IN EXCLUSIVE MODE"))
    value = connection.scalar(sa.select(memory.c.value).where(memory.c.name == "secret"))
    if value is None:
        value = new_secret()
        connection.execute(sa.insert(memory), {"name": "secret", "value": value})
    return bytes.fromhex(value)


def _load(connection: sa.Connection, match: str) -> Stored | None:
    row = connection.execute(
        sa.select(matches.c.setup, matches.c.is_shared, matches.c.changed).where(
            matches.c.id == match
        )
    ).first()
    if row is None:
        return None
    found = _entries(connection, match, 0)
    return Stored(log.decode_setup(row.setup), found or [], row.is_shared, row.changed)


def _entries(connection: sa.Connection, match: str, version: int) -> list[AnyEntry] | None:
    later = (
        sa.select(entries.c.entry)
        .where(entries.c.match_id == match, entries.c.number > version)
        .order_by(entries.c.number)
    )
    found = [log.decode_entry(entry) for entry in connection.scalars(later)]
    if (
        not found
        and connection.scalar(sa.select(matches.c.id).where(matches.c.id == match)) is None
    ):
        return None
    return found


def _nothing(connection: sa.Connection) -> None:
    connection.execute(sa.select(1))


def _cause(error: sa.exc.SQLAlchemyError) -> str:
    """What the database said, in one line and without its address or a statement."""
    cause = getattr(error, "orig", None) or error
    return str(cause).partition("\n")[0]
