"""A match in memory: its connections, its commands, and the way from a command to the database.

One task owns a session and runs its jobs one after another. A command becomes a log entry; the
entry is stored, then applied, then sent to the clients. If another worker stored an entry first,
that entry is read and applied, and the command is checked again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from parure.server.bus import VersionChanged, WorkerPresence
from parure.server.commands import entry_of
from parure.server.connection import CloseCode, Connection
from parure.server.hints import start_hint
from parure.server.keys import MatchKeys
from parure.server.log_entries import AnyEntry, Joined, WantsRematch
from parure.server.match import Match, Refusal
from parure.server.match_setup import rematch
from parure.server.messages import (
    AnyCommand,
    Done,
    Hint,
    NextMatch,
    Refused,
    Snapshot,
    Update,
    Welcome,
    encode,
)
from parure.server.presence import PresenceTracker
from parure.server.scheduler import TurnScheduler
from parure.server.snapshots import SnapshotBuilder
from parure.server.store import Append, MatchIndex, Unavailable

if TYPE_CHECKING:
    from parure.server.registry import MatchRegistry

logger = logging.getLogger("parure.server")

MAX_CONNECTIONS = 200  # to one match
MAX_ENTRIES = 10_000  # of one match; real ones have some hundred
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

    def close(self) -> None:
        """Stop the session. Everything acknowledged is in the database."""
        self._runner.cancel()
        self.scheduler.close()

    @property
    def is_idle(self) -> bool:
        """Whether nobody is connected and nothing is about to happen."""
        deadline = self.match.deadline()
        is_due_soon = deadline is not None and deadline - self.registry.clock.now() < KEEP_LOADED_MS
        return not (
            self.presence or self.scheduler.is_deciding or is_due_soon or not self._jobs.empty()
        )

    # --- connections ------------------------------------------------------------------------------

    async def join(self, connection: Connection, name: str | None, is_creator: bool) -> None:
        """Add a connection whose key was checked, and send it the match."""
        if self._reject_if_deleted(connection):
            return
        if len(self.presence) >= MAX_CONNECTIONS:
            connection.fail(CloseCode.RATE_LIMIT, "rate", "too many connections to this match")
            return
        try:
            if self.registry.bus.is_shared:
                await self.sync()  # a notice may still be on its way
            if self._reject_if_deleted(connection):
                return
            await self._store_arrival(connection.seat, name, is_creator)
        except Unavailable as error:
            connection.fail(CloseCode.RESTART, "unavailable", str(error))
            return
        except Refusal as refusal:  # deleted in the meantime
            connection.fail(CloseCode.MATCH_DELETED, refusal.code, str(refusal))
            return
        self.presence.add(connection)
        connection.send(self._welcome(connection))
        self._publish_presence(wants_reply=True)
        self._broadcast_presence()
        self.scheduler.update()

    def _reject_if_deleted(self, connection: Connection) -> bool:
        if self.is_deleted:
            connection.fail(CloseCode.MATCH_DELETED, "gone", "this match was deleted")
        return self.is_deleted

    async def _store_arrival(self, seat: int | None, name: str | None, is_creator: bool) -> None:
        """Store that the match is shared, and that a player has joined under a name."""
        if not self.is_shared and not is_creator and seat != self.match.setup.creator:
            await self.registry.store.mark_shared(self.match.id)
            self.is_shared = True
        if seat is None:
            return
        who = self.match.occupants[seat]
        name = who.name if name is None else name.strip()
        is_new = not who.has_joined or name != who.name
        if is_new and self.match.version < MAX_ENTRIES:
            await self.store_entry(lambda at: Joined(at=at, seat=seat, name=name))

    async def leave(self, connection: Connection) -> None:
        """Remove a closed connection."""
        if self.presence.remove(connection, self.registry.clock.now()):
            self._publish_presence(wants_reply=True)
            self._broadcast_presence()

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
        now = self.registry.clock.now()
        return SnapshotBuilder(self.match, self.presence.players(self.match, now), now)

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
        """Return a snapshot with the whole log."""
        connection.final_lines = self.match.fixed_count
        return self._snapshots().build(connection.seat, self._next_match(connection.seat))

    def _welcome(self, connection: Connection) -> Welcome:
        return Welcome(
            match=self.match.id,
            seat=connection.seat,
            clock_setting=self.match.setup.clock,
            take_over_after=self.registry.settings.take_over_after,
            snapshot=self._full_snapshot(connection),
        )

    def _broadcast_update(self, is_private: bool) -> None:
        """Send the match to all clients, or only to those of the seat to move."""
        snapshots = self._snapshots()
        encoded: dict[tuple[int | None, int], bytes] = {}
        for connection in self.presence:
            if is_private and connection.seat != self.match.mover:
                continue
            seat, log_start = key = (connection.seat, connection.final_lines)
            if key not in encoded:
                snapshot = snapshots.build(seat, self._next_match(seat), log_start)
                encoded[key] = encode(Update(snapshot=snapshot))
            connection.send_bytes(encoded[key])
            connection.final_lines = self.match.fixed_count

    def _replace_match(self, after: Match) -> bool:
        """Replace the match by a later one; return whether only the seat to move sees a change."""
        before, self.match = self.match, after
        for connection in self.presence:
            connection.final_lines = min(connection.final_lines, after.fixed_count)
        is_same_for_all = after.fixed_version == before.fixed_version
        return is_same_for_all and after.own_version != before.own_version

    # --- commands ---------------------------------------------------------------------------------

    async def handle(self, connection: Connection, command: AnyCommand) -> None:
        """Carry out a command of a client, or refuse it."""
        if self._reject_if_deleted(connection):
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
            self._refuse(connection, command, "unavailable", str(error))
        else:
            version = self.match.version_for(seat)
            connection.send(Done(id=command.id, version=version, is_repeated=not is_new))

    def _refuse(self, connection: Connection, command: AnyCommand, code: str, reason: str) -> None:
        snapshot = self._full_snapshot(connection)
        connection.send(Refused(id=command.id, code=code, message=reason, snapshot=snapshot))
        self.registry.metrics.refused += 1

    async def _carry_out(self, seat: int, command: AnyCommand) -> bool:
        """Store and apply a command; return False if it was carried out before."""

        def build(at: int) -> AnyEntry | None:
            if (seat, command.id) in self.match.commands:
                return None
            if command.version != self.match.version_for(seat):
                raise Refusal("stale", "the match has changed in the meantime")
            if self.match.version >= MAX_ENTRIES:
                raise Refusal("long", "this match has too many log entries")
            return entry_of(self, seat, command, at)

        return await self.store_entry(build)

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
            after = self.match.after(entry)
            if await self.registry.store.append(self._append(entry, after)):
                is_private = self._replace_match(after)
                self.registry.metrics.entries += 1
                self.registry.bus.publish(
                    VersionChanged(
                        worker=self.registry.worker_id, match=after.id, version=after.version
                    )
                )
                self._broadcast_update(is_private)
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
            privacies = [self._replace_match(self.match.after(entry)) for entry in entries]
            self._broadcast_update(is_private=all(privacies))
            self.scheduler.update()

    def mark_deleted(self) -> None:
        """Close all connections: the match was deleted from the database."""
        self.is_deleted = True
        for connection in self.presence:
            connection.fail(CloseCode.MATCH_DELETED, "gone", "this match was deleted")
        self.registry.unload(self)
