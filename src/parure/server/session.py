"""A match in memory: its connections, its commands, and the way from a command to the database.

One task owns a session and runs its jobs one after another. A command becomes a log entry; the
entry is stored, then applied, then sent to the clients. If another worker stored an entry first,
that entry is read and applied, and the command is checked again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING

from parure.server.bus import VersionChanged, WorkerPresence
from parure.server.commands import VALID_AT_ANY_VERSION, entry_of
from parure.server.connection import CloseCode, Connection
from parure.server.hints import require_hint, start_hint
from parure.server.keys import MatchKeys, key_digest
from parure.server.limits import READ_STEPS, RESENT_SNAPSHOTS
from parure.server.log_entries import AnyEntry, WantsRematch
from parure.server.match import Match, Refusal
from parure.server.match_setup import rematch
from parure.server.messages import (
    AnyCommand,
    Done,
    Hint,
    NextMatch,
    Refused,
    RenewLink,
    Snapshot,
    Update,
    Welcome,
    encode,
)
from parure.server.names import clean_name
from parure.server.presence import PresenceTracker
from parure.server.scheduler import TurnScheduler
from parure.server.snapshots import SnapshotBuilder, log_page, steps_between
from parure.server.store import Append, MatchIndex, Unavailable

if TYPE_CHECKING:
    from parure.server.registry import MatchRegistry

logger = logging.getLogger("parure.server")

MAX_WATCHERS = 150  # of one match, per worker
MAX_SEAT_CONNECTIONS = 20  # of one seat, per worker; then the oldest one is closed
MAX_CONFLICTS = 20  # with other workers, per entry
KEEP_LOADED_MS = 600_000  # a match stays in memory if a clock runs out within this time


class MatchSession:
    """A match in memory."""

    def __init__(self, registry: MatchRegistry, match: Match, is_shared: bool) -> None:
        self.registry = registry
        self.match = match
        self.is_shared = is_shared
        self.is_deleted = False
        self.keys = MatchKeys(registry.secret, match.id)
        self.used_at = registry.clock.now()
        self.presence = PresenceTracker(len(match.occupants), self.used_at)
        self.scheduler = TurnScheduler(self)
        self._jobs: asyncio.Queue[Callable[[], Awaitable[None]]] = asyncio.Queue()
        self._runner = asyncio.create_task(self._run(), name=f"session {match.id}")

    # --- jobs -------------------------------------------------------------------------------------

    def post(self, job: Callable[[], Awaitable[None]]) -> None:
        """Queue a job; jobs run one at a time."""
        self._jobs.put_nowait(job)

    async def call(self, job: Callable[[], Awaitable[None]]) -> None:
        """Queue a job and wait until it has run.

        Raises:
            Unavailable: The session was closed before.
            Exception: What the job raises.
        """
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        async def run() -> None:
            try:
                await job()
            except Exception as error:
                if not done.done():
                    done.set_exception(error)
            else:
                if not done.done():
                    done.set_result(None)

        self.post(run)
        await asyncio.wait((done, self._runner), return_when=asyncio.FIRST_COMPLETED)
        if not done.done():
            raise Unavailable("the match was just unloaded; try again")
        done.result()

    async def _run(self) -> None:
        self.scheduler.update()
        while True:
            job = await self._jobs.get()
            self.used_at = self.registry.clock.now()
            try:
                await job()
            except Exception:
                logger.exception("a job of match %s failed", self.match.id)
            self.used_at = self.registry.clock.now()
            await asyncio.sleep(0)  # many queued jobs must not keep other matches waiting

    def close(self) -> None:
        """Stop the session. Everything acknowledged is in the database."""
        self._runner.cancel()
        self.scheduler.close()

    @property
    def is_idle(self) -> bool:
        """Whether nobody is connected and nothing is about to happen."""
        deadline = self.match.deadline()
        is_due_soon = deadline is not None and deadline - self.registry.time.now() < KEEP_LOADED_MS
        return not (
            self.presence or self.scheduler.is_deciding or is_due_soon or not self._jobs.empty()
        )

    # --- connections ------------------------------------------------------------------------------

    def role(self, key: str) -> int | str | None:
        """Return the role of a key at this moment; see `MatchKeys.role`."""
        return self.keys.role(key, [occupant.key_digest for occupant in self.match.occupants])

    async def join(self, connection: Connection, name: str | None, is_creator: bool) -> None:
        """Add a connection whose key was checked, and send it the match."""
        if self._reject_if_deleted(connection) or self._reject_if_outdated(connection):
            return
        others = self.presence.connections_of(connection.seat)
        if connection.seat is None and len(others) >= MAX_WATCHERS:
            connection.fail(CloseCode.RATE_LIMIT, "rate", "too many watchers of this match")
            return
        try:
            if self.registry.bus.is_shared:
                await self.sync()  # a notice may still be on its way
            if self._reject_if_deleted(connection) or self._reject_if_outdated(connection):
                return
            await self._store_arrival(connection.seat, name, is_creator)
        except Unavailable as error:
            connection.fail(CloseCode.RESTART, error.code, str(error))
            return
        except Refusal as refusal:  # deleted in the meantime
            connection.fail(CloseCode.MATCH_DELETED, refusal.code, str(refusal))
            return
        except Exception:  # whatever happens, the client receives an answer
            logger.exception("a connection to match %s failed", self.match.id)
            connection.fail(CloseCode.RESTART, "failed", "the server failed, and logged why")
            return
        if connection.seat is not None and len(others) >= MAX_SEAT_CONNECTIONS:
            # it may be one that was lost, and whose place the player needs to return
            others[0].fail(CloseCode.RATE_LIMIT, "rate", "too many connections of this seat")
            self.presence.remove(others[0], self.registry.clock.now())
        self.presence.add(connection)
        connection.send(self._welcome(connection))
        self._publish_presence(wants_reply=True)
        self._broadcast_presence()
        self.scheduler.update()

    def _reject_if_deleted(self, connection: Connection) -> bool:
        if self.is_deleted:
            connection.fail(CloseCode.MATCH_DELETED, "gone", "this match was deleted")
        return self.is_deleted

    def _reject_if_outdated(self, connection: Connection) -> bool:
        """Close a connection whose key was replaced; return whether it was."""
        if connection.seat is None:
            return False
        digest = self.match.occupants[connection.seat].key_digest
        is_outdated = digest not in ("", connection.key_digest)
        if is_outdated:
            connection.fail(CloseCode.WRONG_KEY, "link", "this link was replaced by another one")
        return is_outdated

    def _close_outdated(self) -> None:
        for connection in self.presence:
            self._reject_if_outdated(connection)

    async def _store_arrival(self, seat: int | None, name: str | None, is_creator: bool) -> None:
        """Store that the match is shared, and that a player has joined under a name."""
        if not self.is_shared and not is_creator and seat != self.match.setup.creator:
            await self.registry.store.mark_shared(self.match.id)
            self.is_shared = True
        if seat is None:
            return
        new_name = self.match.occupants[seat].name if name is None else clean_name(name)
        await self.store_entry(lambda at: self.match.join(seat, new_name, at))

    async def leave(self, connection: Connection) -> None:
        """Remove a closed connection."""
        if self.presence.remove(connection, self.registry.clock.now()):
            self._publish_presence(wants_reply=True)
            self._broadcast_presence()
            self.scheduler.update()

    def update_worker_presence(self, notice: WorkerPresence) -> None:
        """Note who is connected to another worker."""
        if notice.wants_reply:
            self._publish_presence(wants_reply=False)
        if self.presence.update_worker(notice, self.registry.clock.now()):
            self._broadcast_presence()

    def refresh_presence(self) -> None:
        """Repeat who is connected here, and drop workers that no longer do the same."""
        if self.presence:
            self._publish_presence(wants_reply=False)
        if self.presence.drop_silent_workers(self.registry.clock.now()):
            self._broadcast_presence()

    def _publish_presence(self, wants_reply: bool) -> None:
        worker = self.registry.worker_id
        self.registry.bus.publish(self.presence.notice(worker, self.match.id, wants_reply))

    def _broadcast_presence(self) -> None:
        self.presence.broadcast(self.presence.message(self.match, self.registry.clock.now()))

    # --- messages to clients ----------------------------------------------------------------------

    def _snapshots(self) -> SnapshotBuilder:
        players = self.presence.players(self.match, self.registry.clock.now())
        return SnapshotBuilder(self.match, players, self.registry.time.now())

    def _next_match(self, seat: int | None) -> NextMatch | None:
        """Return the rematch, with the viewer's key. All players move up one seat there."""
        successor = self.match.successor
        if not successor:
            return None
        keys = MatchKeys(self.registry.secret, successor)
        if seat is None:
            return NextMatch(match=successor, key=keys.watch_key)
        new_seat = (seat - 1) % len(self.match.occupants)
        return NextMatch(match=successor, key=keys.seat_key(new_seat))

    def _full_snapshot(self, connection: Connection) -> Snapshot:
        """Return a snapshot with the end of the log, whatever the client has of it."""
        connection.final_lines = self.match.fixed_count
        return self._snapshots().build(connection.seat, self._next_match(connection.seat))

    def _welcome(self, connection: Connection) -> Welcome:
        return Welcome(
            match=self.match.id,
            seat=connection.seat,
            clock_setting=self.match.setup.clock,
            take_over_after=self.registry.settings.take_over_after,
            has_known_decks=self.match.setup.has_known_decks,
            snapshot=self._full_snapshot(connection),
        )

    def _broadcast_update(self, seats: Collection[int] | None) -> None:
        """Send the match to all clients (None), or only to those of some seats."""
        snapshots = self._snapshots()
        encoded: dict[tuple[int | None, int], bytes] = {}
        for connection in self.presence:
            if seats is not None and connection.seat not in seats:
                continue
            seat, log_start = key = (connection.seat, connection.final_lines)
            if key not in encoded:
                snapshot = snapshots.build(seat, self._next_match(seat), log_start)
                encoded[key] = encode(Update(snapshot=snapshot))
            connection.send_bytes(encoded[key])
            connection.final_lines = self.match.fixed_count

    # Reading does not wait for queued jobs: the time that it takes would show when another seat
    # stores something that only this seat may see.

    def check_version(self, connection: Connection, version: int) -> None:
        """Send the match again to a client that has another version of it."""
        seat, limits = connection.seat, self.registry.limits
        if connection not in self.presence or version == self.match.version_for(seat):
            return
        sender = (self.match.id, connection.address if seat is None else seat)
        if limits.allow(RESENT_SNAPSHOTS, sender):
            connection.send(Update(snapshot=self._full_snapshot(connection)))

    def send_log(self, connection: Connection, before: int) -> None:
        """Send a client the lines of the log before a line."""
        if connection in self.presence:
            connection.send(log_page(self.match, connection.seat, before))

    def send_steps(self, connection: Connection, start: int, end: int) -> None:
        """Send a client the tables around some lines of the log, unless it asks too often."""
        seat = connection.seat
        sender = (self.match.id, connection.address if seat is None else seat)
        if connection in self.presence and self.registry.limits.allow(READ_STEPS, sender):
            connection.send(steps_between(self.match, seat, start, end))

    def _replace_match(self, after: Match) -> Collection[int] | None:
        """Replace the match by a later one; return the seats that see a change, None for all."""
        before, self.match = self.match, after
        for connection in self.presence:
            connection.final_lines = min(connection.final_lines, after.fixed_count)
        if after.visible_changes != before.visible_changes:
            return None
        is_changed = after.private_version != before.private_version
        return (after.mover,) if is_changed and after.mover is not None else ()

    # --- commands ---------------------------------------------------------------------------------

    def receive(self, connection: Connection, command: AnyCommand) -> None:
        """Queue a command of a client.

        What a seat that is not to move cannot do is refused at once, for the same reason for which
        reading does not wait.
        """
        if connection.seat != self.match.mover and connection in self.presence:
            try:
                self._check(connection.seat, command)
            except Refusal as refusal:
                self._refuse(connection, command, refusal.code, str(refusal))
                return
        self.post(partial(self.handle, connection, command))

    def _check(self, seat: int | None, command: AnyCommand) -> None:
        """Raise Refusal if a seat, or a watcher, cannot give a command now."""
        if seat is None:
            raise Refusal("watcher", "watchers cannot play")
        if isinstance(command, Hint):
            require_hint(self.match, seat, command)
        else:
            self._entry_of(seat, command, self.match.changed_at)

    async def handle(self, connection: Connection, command: AnyCommand) -> None:
        """Carry out a command of a client, or refuse it."""
        if (
            self._reject_if_deleted(connection)
            or self._reject_if_outdated(connection)
            or connection not in self.presence
        ):
            return
        seat = connection.seat
        try:
            if seat is None:
                raise Refusal("watcher", "watchers cannot play")
            if isinstance(command, Hint):
                start_hint(self, connection, seat, command)
                return
            is_new = await self._carry_out(seat, command)
        except Refusal as refusal:
            self._refuse(connection, command, refusal.code, str(refusal))
        except Unavailable as error:
            self._refuse(connection, command, error.code, str(error))
        except Exception:  # whatever happens, the client receives an answer
            logger.exception("a command in match %s failed", self.match.id)
            self._refuse(connection, command, "failed", "the server failed, and logged why")
        else:
            version = self.match.version_for(seat)
            if isinstance(command, RenewLink):
                connection.key_digest = key_digest(command.key)
                self._close_outdated()
            connection.send(Done(id=command.id, version=version, is_repeated=not is_new))

    def _refuse(self, connection: Connection, command: AnyCommand, code: str, reason: str) -> None:
        version = self.match.version_for(connection.seat)
        connection.send(Refused(id=command.id, code=code, message=reason, version=version))
        self.registry.metrics.refused += 1

    async def _carry_out(self, seat: int, command: AnyCommand) -> bool:
        """Store and apply a command; return False if it was carried out before."""
        return await self.store_entry(partial(self._entry_of, seat, command))

    def _entry_of(self, seat: int, command: AnyCommand, at: int) -> AnyEntry | None:
        """Return the entry of a command; None if it was carried out before."""
        if (seat, command.id) in self.match.commands:
            return None
        is_stale = command.version != self.match.version_for(seat)
        if is_stale and not isinstance(command, VALID_AT_ANY_VERSION):
            raise Refusal("stale", "the match has changed in the meantime")
        return entry_of(self, seat, command, at)

    # --- storing ----------------------------------------------------------------------------------

    async def store_entry(self, build: Callable[[int], AnyEntry | None]) -> bool:
        """Store an entry, apply it, and send the result to all workers and clients.

        Args:
            build: Returns the entry for a given time, computed from the current match, or None if
                nothing should be stored. Called again after a conflict with another worker.

        Returns:
            Whether an entry was stored.

        Raises:
            Refusal: The match was deleted, or `build` refused.
            Unavailable: The database does not answer, or other workers were always faster.
        """
        for _ in range(MAX_CONFLICTS):
            entry = build(max(self.registry.clock.now(), self.match.changed_at))
            if entry is None:
                return False
            entry.time = max(self.registry.time.now(), self.match.time)
            after = self.match.after(entry)
            if await self.registry.store.append(self._append(entry, after)):
                seats = self._replace_match(after)
                self.registry.metrics.entries += 1
                self.registry.bus.publish(
                    VersionChanged(
                        worker=self.registry.worker_id, match=after.id, version=after.version
                    )
                )
                self._broadcast_update(seats)
                self.scheduler.update()
                return True
            await self.sync()
            if self.is_deleted:
                raise Refusal("gone", "this match was deleted")
        raise Unavailable("too many conflicting changes; try again")

    def _append(self, entry: AnyEntry, after: Match) -> Append:
        new_match = None
        if isinstance(entry, WantsRematch) and entry.successor:
            new_match = rematch(self.match, entry.successor, entry.at)
        return Append(self.match.id, self.match.version, entry, MatchIndex.of(after), new_match)

    async def sync(self) -> None:
        """Read and apply the entries that other workers have stored."""
        entries = await self.registry.store.entries_after(self.match.id, self.match.version)
        if entries is None:
            self.mark_deleted()
            return
        if entries:
            seen_by = [self._replace_match(self.match.after(entry)) for entry in entries]
            self._close_outdated()
            is_private = None not in seen_by
            self._broadcast_update({*chain(*filter(None, seen_by))} if is_private else None)
            self.scheduler.update()

    async def disclose(self) -> None:
        """Make the end of the game final, because its record is going to be read.

        Raises:
            Refusal: The game is not over, or the match was deleted.
            Unavailable: The database does not answer.
        """
        if self.match.disclose(self.match.changed_at) is not None:
            await self.call(self._store_disclosure)

    async def _store_disclosure(self) -> None:
        await self.store_entry(lambda at: self.match.disclose(at))

    def mark_deleted(self) -> None:
        """Close all connections: the match was deleted from the database."""
        self.is_deleted = True
        for connection in self.presence:
            connection.fail(CloseCode.MATCH_DELETED, "gone", "this match was deleted")
        self.registry.unload(self)
