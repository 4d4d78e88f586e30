"""Storage of matches. The database is authoritative; everything in memory is computed from it.

Database work runs in threads. Appends that arrive while another one is being written are queued
and written in one transaction, so that many matches share the cost of a commit.
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
from parure.server.match import Match
from parure.server.schema import (
    create_engine,
    database_url,
    entries,
    matches,
    migrate,
    server_state,
)

Result = TypeVar("Result")

logger = logging.getLogger("parure.server")

RETRY_TIMEOUT = 8.0  # seconds the database may be unreachable before an operation fails
FIRST_RETRY_DELAY, MAX_RETRY_DELAY = 0.05, 1.0  # seconds
MAX_BATCH = 200  # appends in one transaction
READER_THREADS = 4


class Unavailable(ParureError):
    """The database does not answer."""


@dataclass(frozen=True, slots=True)
class MatchIndex:
    """Facts about a match that queries need without replaying its log."""

    changed: int
    is_over: bool
    is_bot_due: bool
    deadline: int | None

    @classmethod
    def of(cls, match: Match) -> MatchIndex:
        """Return the index of a match."""
        return cls(match.changed_at, match.is_over, match.is_bot_to_move, match.deadline())


@dataclass(frozen=True, slots=True)
class NewMatch:
    """A match without log entries, to be stored; `mover` is the seat to move."""

    id: str
    setup: Setup
    mover: int

    @property
    def index(self) -> MatchIndex:
        """The index of the match. Clocks do not run before all players have joined."""
        return MatchIndex(
            changed=self.setup.created,
            is_over=False,
            is_bot_due=self.setup.players[self.mover].bot is not None,
            deadline=None,
        )


@dataclass(frozen=True, slots=True)
class Append:
    """The next log entry of a match at `version`; the last rematch entry also creates a match."""

    match: str
    version: int
    entry: AnyEntry
    index: MatchIndex  # after the entry
    rematch: NewMatch | None = None


@dataclass(frozen=True, slots=True)
class StoredMatch:
    """A match read from the database."""

    setup: Setup
    entries: list[AnyEntry]
    is_shared: bool
    changed: int


class Store:
    """The database of all matches."""

    def __init__(self, address: str) -> None:
        url = database_url(address)
        self._write_engine = create_engine(url, for_writing=True)
        self._read_engine = create_engine(url, for_writing=False)
        self._write_threads = ThreadPoolExecutor(1, "parure-writer")
        self._read_threads = ThreadPoolExecutor(READER_THREADS, "parure-reader")
        self._queue: asyncio.Queue[tuple[Append, asyncio.Future[bool]]] = asyncio.Queue()
        self._appender: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Create or migrate the database, and start writing appends."""
        loop = asyncio.get_running_loop()
        try:
            await loop.run_in_executor(self._write_threads, migrate, self._write_engine)
        except sa.exc.SQLAlchemyError as error:
            raise ParureError(f"the database cannot be used: {_cause(error)}") from None
        self._appender = asyncio.create_task(self._write_appends())

    async def close(self) -> None:
        """Finish the current write, and close all connections."""
        if self._appender is not None:
            self._appender.cancel()
            await asyncio.gather(self._appender, return_exceptions=True)
        self._write_threads.shutdown(wait=True)
        self._read_threads.shutdown(wait=True)
        self._write_engine.dispose()
        self._read_engine.dispose()

    # --- writing ----------------------------------------------------------------------------------

    async def append(self, append: Append) -> bool:
        """Commit an entry; return False, and store nothing, if the match has a newer version."""
        future: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._queue.put_nowait((append, future))
        return await future

    async def _write_appends(self) -> None:
        while True:
            batch = [await self._queue.get()]
            while not self._queue.empty() and len(batch) < MAX_BATCH:
                batch.append(self._queue.get_nowait())
            appends = [append for append, _ in batch]
            outcome: list[bool] | Exception
            try:
                outcome = await self._write(partial(_append_all, appends))
            except Exception as error:  # passed on to every caller of `append`
                outcome = error
            for i, (_, future) in enumerate(batch):
                if future.done():
                    continue
                if isinstance(outcome, Exception):
                    future.set_exception(outcome)
                else:
                    future.set_result(outcome[i])

    async def create(self, match: NewMatch) -> None:
        """Store a new match."""
        await self._write(lambda connection: _create(connection, match))

    async def mark_shared(self, match: str) -> None:
        """Record that somebody other than the creator has used a key."""
        update = sa.update(matches).where(matches.c.id == match).values(is_shared=True)
        await self._write(lambda connection: connection.execute(update))

    async def delete(self, match: str, *, only_unshared: bool = False) -> bool:
        """Delete a match; return whether there was one to delete."""
        delete = sa.delete(matches).where(matches.c.id == match)
        if only_unshared:
            delete = delete.where(matches.c.is_shared.is_(False))
        return await self._write(lambda connection: connection.execute(delete).rowcount > 0)

    async def claim(self, match: str, worker: str, now: int, until: int) -> bool:
        """Reserve a bot's decision for one worker; return False if another worker has it."""
        is_free = sa.or_(
            matches.c.claimed_by.is_(None),
            matches.c.claimed_by == worker,
            matches.c.claimed_until < now,
        )
        update = (
            sa.update(matches)
            .where(matches.c.id == match, is_free)
            .values(claimed_by=worker, claimed_until=until)
        )
        return await self._write(lambda connection: connection.execute(update).rowcount > 0)

    async def delete_expired(self, finished_before: int, idle_before: int) -> int:
        """Delete matches that ended, or last changed, before given times; return their number."""
        is_expired = sa.or_(
            sa.and_(matches.c.is_over, matches.c.changed < finished_before),
            sa.and_(matches.c.is_over.is_(False), matches.c.changed < idle_before),
        )
        delete = sa.delete(matches).where(is_expired)
        return await self._write(lambda connection: connection.execute(delete).rowcount)

    async def secret(self) -> bytes:
        """Return the secret that all keys are derived from; create it on first use."""
        return await self._write(_secret)

    # --- reading ----------------------------------------------------------------------------------

    async def load(self, match: str) -> StoredMatch | None:
        """Return a match with its whole log; None if there is none."""
        return await self._read(lambda connection: _load(connection, match))

    async def entries_after(self, match: str, version: int) -> list[AnyEntry] | None:
        """Return the entries after a version; None if the match was deleted."""
        return await self._read(lambda connection: _entries(connection, match, version))

    async def bots_due(self) -> list[str]:
        """Return the matches in which a bot is to move."""
        query = sa.select(matches.c.id).where(matches.c.is_bot_due, matches.c.is_over.is_(False))
        return await self._read(lambda connection: list(connection.scalars(query)))

    async def clocks_due(self, now: int) -> list[str]:
        """Return the matches in which a player's time has run out."""
        query = sa.select(matches.c.id).where(
            matches.c.deadline <= now, matches.c.is_over.is_(False)
        )
        return await self._read(lambda connection: list(connection.scalars(query)))

    async def is_available(self) -> bool:
        """Return whether the database answers, without retrying."""
        loop = asyncio.get_running_loop()
        try:
            await loop.run_in_executor(
                self._read_threads, _in_transaction, self._read_engine, _ping
            )
        except sa.exc.SQLAlchemyError:
            return False
        return True

    # --- in threads -------------------------------------------------------------------------------

    async def _write(self, work: Callable[[sa.Connection], Result]) -> Result:
        return await _with_retries(self._write_threads, self._write_engine, work)

    async def _read(self, work: Callable[[sa.Connection], Result]) -> Result:
        return await _with_retries(self._read_threads, self._read_engine, work)


async def _with_retries(
    threads: ThreadPoolExecutor, engine: sa.Engine, work: Callable[[sa.Connection], Result]
) -> Result:
    """Run one transaction; retry while the database is briefly unreachable.

    Raises:
        Unavailable: The database did not answer within `RETRY_TIMEOUT`.
    """
    loop = asyncio.get_running_loop()
    deadline, delay = loop.time() + RETRY_TIMEOUT, FIRST_RETRY_DELAY
    while True:
        try:
            return await loop.run_in_executor(threads, _in_transaction, engine, work)
        except (sa.exc.OperationalError, sa.exc.InterfaceError, sa.exc.TimeoutError) as error:
            if loop.time() + delay > deadline:
                logger.error("the database does not answer: %s", type(error).__name__)
                raise Unavailable("the database does not answer; try again") from None
        await asyncio.sleep(delay)
        delay = min(2 * delay, MAX_RETRY_DELAY)


def _in_transaction(engine: sa.Engine, work: Callable[[sa.Connection], Result]) -> Result:
    with engine.begin() as connection:
        return work(connection)


# --- statements of a transaction ------------------------------------------------------------------


def _create(connection: sa.Connection, match: NewMatch) -> None:
    connection.execute(
        sa.insert(matches),
        {
            "id": match.id,
            "setup": log.encode(match.setup),
            "version": 0,
            "created": match.setup.created,
            "is_shared": False,
            **_index_columns(match.index),
        },
    )


_LOCK_MATCHES = (
    sa.select(matches.c.id, matches.c.version)
    .where(matches.c.id.in_(sa.bindparam("ids", expanding=True)))
    .order_by(matches.c.id)  # the same order in all workers prevents deadlocks
    .with_for_update()
)

_UPDATE_MATCH = (
    sa.update(matches)
    .where(matches.c.id == sa.bindparam("match"))
    .values(
        version=sa.bindparam("new_version"),
        changed=sa.bindparam("changed"),
        is_over=sa.bindparam("is_over"),
        is_bot_due=sa.bindparam("is_bot_due"),
        deadline=sa.bindparam("deadline"),
        claimed_by=None,
    )
)


def _append_all(appends: list[Append], connection: sa.Connection) -> list[bool]:
    """Store each entry whose version is the current one of its match; return which were stored."""
    ids = [append.match for append in appends]
    versions = dict(connection.execute(_LOCK_MATCHES, {"ids": ids}).all())
    is_current = []
    for append in appends:
        is_current.append(versions.get(append.match) == append.version)
        versions[append.match] = versions.get(append.match, 0) + is_current[-1]
    current = list(compress(appends, is_current))
    if current:
        connection.execute(_UPDATE_MATCH, [_match_columns(append) for append in current])
        connection.execute(sa.insert(entries), [_entry_columns(append) for append in current])
    for append in current:
        if append.rematch is not None:
            _create(connection, append.rematch)
    return is_current


def _match_columns(append: Append) -> dict[str, Any]:
    columns = _index_columns(append.index)
    return {"match": append.match, "new_version": append.version + 1, **columns}


def _entry_columns(append: Append) -> dict[str, Any]:
    number, entry = append.version + 1, log.encode(append.entry)
    return {"match_id": append.match, "number": number, "entry": entry}


def _index_columns(index: MatchIndex) -> dict[str, Any]:
    return {
        "changed": index.changed,
        "is_over": index.is_over,
        "is_bot_due": index.is_bot_due,
        "deadline": index.deadline,
    }


def _secret(connection: sa.Connection) -> bytes:
    if connection.dialect.name == "postgresql":  # SQLite's transaction has locked the file
        connection.execute(sa.text("LOCK TABLE server_state IN EXCLUSIVE MODE"))
    query = sa.select(server_state.c.value).where(server_state.c.name == "secret")
    value = connection.scalar(query)
    if value is None:
        value = new_secret()
        connection.execute(sa.insert(server_state), {"name": "secret", "value": value})
    return bytes.fromhex(value)


def _load(connection: sa.Connection, match: str) -> StoredMatch | None:
    row = connection.execute(
        sa.select(matches.c.setup, matches.c.is_shared, matches.c.changed).where(
            matches.c.id == match
        )
    ).first()
    if row is None:
        return None
    log_entries = _entries(connection, match, 0)
    return StoredMatch(log.decode_setup(row.setup), log_entries or [], row.is_shared, row.changed)


def _entries(connection: sa.Connection, match: str, version: int) -> list[AnyEntry] | None:
    query = (
        sa.select(entries.c.entry)
        .where(entries.c.match_id == match, entries.c.number > version)
        .order_by(entries.c.number)
    )
    found = [log.decode_entry(entry) for entry in connection.scalars(query)]
    if (
        not found
        and connection.scalar(sa.select(matches.c.id).where(matches.c.id == match)) is None
    ):
        return None
    return found


def _ping(connection: sa.Connection) -> None:
    connection.execute(sa.select(1))


def _cause(error: sa.exc.SQLAlchemyError) -> str:
    """Return the database's message in one line, without its address or the statement."""
    cause = getattr(error, "orig", None) or error
    return str(cause).partition("\n")[0]
