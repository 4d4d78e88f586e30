"""Storage of matches. The database is authoritative; everything in memory is computed from it.

Database work runs in threads. Appends that arrive while another one is being written are queued
and written in one transaction, so that many matches share the cost of a commit.
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import compress
from typing import Any, TypeAlias, TypeVar

import sqlalchemy as sa

from parure.errors import ParureError
from parure.server import log_entries as log
from parure.server import review_store, server_state
from parure.server.log_entries import AnyEntry, Setup
from parure.server.match import Match
from parure.server.schema import (
    check_integrity,
    create_engine,
    create_private_file,
    database_url,
    entries,
    matches,
    migrate,
)

Result = TypeVar("Result")

logger = logging.getLogger("parure.server")

RETRY_TIMEOUT = 8.0  # seconds the database may be unreachable before an operation fails
FIRST_RETRY_DELAY, MAX_RETRY_DELAY = 0.05, 1.0  # seconds
MAX_BATCH = 200  # appends in one transaction
# A commit costs as much as ten appends: under load they are collected for some milliseconds.
MIN_WRITE_INTERVAL = 0.02  # seconds between the starts of two transactions
READER_THREADS = 4
CLAIM_MS = 90_000  # after which another worker may do what one has reserved and not done
FAILURE_MEMORY = 60.0  # seconds for which an unexpected error makes the server unhealthy
CHECK_TIMEOUT = 5.0  # seconds until a database that does not answer is unhealthy

# Errors of SQLite that trying again does not help against.
LASTING_SQLITE_ERRORS = frozenset(
    (
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_CORRUPT,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_NOTADB,
    )
)


class Unavailable(ParureError):
    """The database does not answer."""

    code = "unavailable"


class DatabaseFailed(Unavailable):
    """The database answered with an error that trying again does not help against."""

    code = "failed"


class UnreadableMatch(ParureError):
    """What is stored of a match is damaged."""

    def __init__(self) -> None:
        super().__init__("what is stored of this match is damaged; the server logged why")


@dataclass(frozen=True, slots=True)
class MatchIndex:
    """Facts about a match that queries need without replaying its log."""

    changed: int
    is_over: bool
    deadline: int | None

    @classmethod
    def of(cls, match: Match) -> MatchIndex:
        """Return the index of a match."""
        return cls(match.changed_at, match.is_over, match.deadline())


@dataclass(frozen=True, slots=True)
class NewMatch:
    """A match without log entries, to be stored."""

    id: str
    setup: Setup

    @property
    def index(self) -> MatchIndex:
        """The index of the match. Clocks do not run before all players have joined."""
        return MatchIndex(
            changed=self.setup.created,
            is_over=False,
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
        url = self._url = database_url(address)
        self._write_engine = create_engine(url, for_writing=True)
        self._read_engine = create_engine(url, for_writing=False)
        self._write_threads = ThreadPoolExecutor(1, "parure-writer")
        self._read_threads = ThreadPoolExecutor(READER_THREADS, "parure-reader")
        self._queue: asyncio.Queue[_QueuedAppend] = asyncio.Queue()
        self._appender: asyncio.Task[None] | None = None
        self._check: asyncio.Task[bool] | None = None
        self._failed_at: float | None = None

    async def open(self) -> None:
        """Check, then create or migrate the database, and start writing appends."""
        loop = asyncio.get_running_loop()
        try:
            create_private_file(self._url)
            await loop.run_in_executor(self._read_threads, check_integrity, self._read_engine)
            await loop.run_in_executor(self._write_threads, migrate, self._write_engine)
        except OSError as error:
            raise ParureError(f"the database cannot be used: {error.strerror}") from None
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
        loop, last_start = asyncio.get_running_loop(), 0.0
        while True:
            batch = [await self._queue.get()]
            await asyncio.sleep(last_start + MIN_WRITE_INTERVAL - loop.time())
            last_start = loop.time()
            while not self._queue.empty() and len(batch) < MAX_BATCH:
                batch.append(self._queue.get_nowait())
            try:
                await self._write_batch(batch)
            except Exception as error:
                is_unreachable = type(error) is Unavailable
                if is_unreachable or len(batch) == 1:
                    _fail(batch, error)
                else:  # one entry may be the cause: the others are stored without it
                    for one in batch:
                        await self._write_alone(one)

    async def _write_alone(self, one: _QueuedAppend) -> None:
        try:
            await self._write_batch([one])
        except Exception as error:  # passed on to the caller of `append`
            _fail([one], error)

    async def _write_batch(self, batch: list[_QueuedAppend]) -> None:
        """Store appends in one transaction, and report to their callers."""
        outcome = await self._write(partial(_append_all, [append for append, _ in batch]))
        for (_, future), is_stored in zip(batch, outcome, strict=True):
            if not future.done():
                future.set_result(is_stored)

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

    async def claim(self, match: str, worker: str, now: int, *, is_clock: bool = False) -> bool:
        """Reserve what is next in a match for one worker, for `CLAIM_MS`.

        That is a bot's decision, the end of a player's time (`is_clock`), or a review.

        Returns:
            False if another worker has it, or if the player's time has not run out any more.
        """
        is_free = sa.or_(
            matches.c.claimed_by.is_(None),
            matches.c.claimed_by == worker,
            matches.c.claimed_until < now,
        )
        update = (
            sa.update(matches)
            .where(matches.c.id == match, is_free, *(_is_clock_due(now) if is_clock else ()))
            .values(claimed_by=worker, claimed_until=now + CLAIM_MS)
        )
        return await self._write(lambda connection: connection.execute(update).rowcount > 0)

    async def unclaim(self, match: str, worker: str) -> None:
        """Give up a bot's decision that was reserved for a worker."""
        update = (
            sa.update(matches)
            .where(matches.c.id == match, matches.c.claimed_by == worker)
            .values(claimed_by=None)
        )
        await self._write(lambda connection: connection.execute(update))

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
        return await self._write(server_state.secret)

    async def keep_review(self, match: str, created: int, review: bytes) -> None:
        """Store the review of a match, unless the match was deleted; the oldest ones make room."""
        await self._write(partial(review_store.keep, match=match, created=created, review=review))

    # --- the time of matches ----------------------------------------------------------------------

    async def start_run(self, run: str, now: int) -> int:
        """Return the match time less `now`; a new run continues where the last one ended."""
        return await self._write(partial(server_state.start_run, run=run, now=now))

    async def store_time(self, match_time: int) -> None:
        """Store the match time of a running server."""
        await self._write(partial(server_state.store_time, match_time=match_time))

    # --- reading ----------------------------------------------------------------------------------

    async def load(self, match: str) -> StoredMatch | None:
        """Return a match with its whole log; None if there is none."""
        return await self._read(lambda connection: _load(connection, match))

    async def entries_after(self, match: str, version: int) -> list[AnyEntry] | None:
        """Return the entries after a version; None if the match was deleted."""
        return await self._read(lambda connection: _entries(connection, match, version))

    async def versions(self, ids: list[str]) -> dict[str, int]:
        """Return the versions of matches; those that were deleted are missing."""
        query = sa.select(matches.c.id, matches.c.version).where(matches.c.id.in_(ids))
        return await self._read(lambda connection: dict(connection.execute(query).all()))

    async def clocks_due(self, now: int) -> list[str]:
        """Return the matches in which a player's time has run out."""
        query = sa.select(matches.c.id).where(*_is_clock_due(now))
        return await self._read(lambda connection: list(connection.scalars(query)))

    async def review(self, match: str) -> bytes | None:
        """Return the review of a match; None if there is none."""
        return await self._read(partial(review_store.read, match=match))

    # --- health -----------------------------------------------------------------------------------

    async def can_write(self) -> bool:
        """Return whether the database stores something now, without retrying."""
        if self._check is None:  # one check answers everybody who asks meanwhile
            self._check = asyncio.create_task(self._check_write())
            self._check.add_done_callback(lambda _: setattr(self, "_check", None))
        return await asyncio.shield(self._check)

    async def _check_write(self) -> bool:
        loop = asyncio.get_running_loop()
        writing = loop.run_in_executor(
            self._write_threads, _in_transaction, self._write_engine, server_state.check_write
        )
        done, _ = await asyncio.wait((writing,), timeout=CHECK_TIMEOUT)
        writing.add_done_callback(lambda future: future.cancelled() or future.exception())
        return bool(done) and writing.exception() is None

    @property
    def has_failed(self) -> bool:
        """Whether the database has lately failed in an unexpected way."""
        return self._failed_at is not None and time.monotonic() < self._failed_at + FAILURE_MEMORY

    def note_failure(self, reason: str) -> None:
        """Log a failure, and make the server unhealthy for some time."""
        logger.error("the database failed: %s", reason)
        self._failed_at = time.monotonic()

    # --- in threads -------------------------------------------------------------------------------

    async def _write(self, work: Callable[[sa.Connection], Result]) -> Result:
        return await self._with_retries(self._write_threads, self._write_engine, work)

    async def _read(self, work: Callable[[sa.Connection], Result]) -> Result:
        return await self._with_retries(self._read_threads, self._read_engine, work)

    async def _with_retries(
        self,
        threads: ThreadPoolExecutor,
        engine: sa.Engine,
        work: Callable[[sa.Connection], Result],
    ) -> Result:
        """Run one transaction; retry while the database is briefly unreachable.

        Raises:
            Unavailable: The database did not answer within `RETRY_TIMEOUT`.
            DatabaseFailed: It answered with another error.
        """
        loop = asyncio.get_running_loop()
        deadline, delay = loop.time() + RETRY_TIMEOUT, FIRST_RETRY_DELAY
        while True:
            try:
                return await loop.run_in_executor(threads, _in_transaction, engine, work)
            except sa.exc.SQLAlchemyError as error:
                if not _is_passing(error):
                    self.note_failure(f"{type(error).__name__}: {_cause(error)}")
                    message = "the database failed; the server logged why"
                    raise DatabaseFailed(message) from None
                if loop.time() + delay > deadline:
                    logger.error("the database does not answer: %s", type(error).__name__)
                    raise Unavailable("the database does not answer; try again") from None
            await asyncio.sleep(delay)
            delay = min(2 * delay, MAX_RETRY_DELAY)


_QueuedAppend: TypeAlias = tuple[Append, "asyncio.Future[bool]"]


def _fail(batch: list[_QueuedAppend], error: Exception) -> None:
    for _, future in batch:
        if not future.done():
            future.set_exception(error)


def _is_passing(error: sa.exc.SQLAlchemyError) -> bool:
    """Return whether trying again may help: the database is locked, or cannot be reached."""
    passing = (sa.exc.OperationalError, sa.exc.InterfaceError, sa.exc.TimeoutError)
    number = getattr(getattr(error, "orig", None), "sqlite_errorcode", 0)
    return isinstance(error, passing) and number & 0xFF not in LASTING_SQLITE_ERRORS


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


def _is_clock_due(now: int) -> tuple[sa.ColumnElement[bool], ...]:
    return matches.c.deadline <= now, matches.c.is_over.is_(False)


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
        "deadline": index.deadline,
    }


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


def _cause(error: sa.exc.SQLAlchemyError) -> str:
    """Return the database's message in one line, without its address or the statement."""
    cause = getattr(error, "orig", None) or error
    return str(cause).partition("\n")[0]
