"""Who is connected to a match: the connections of this worker, and those other workers report."""

from __future__ import annotations

from collections.abc import Iterator

from parure.server.bus import WorkerPresence
from parure.server.connection import Connection
from parure.server.match import Match
from parure.server.messages import AnyOutgoing, Presence, SeatStatus, encode
from parure.server.warmup import is_compiled

WORKER_TIMEOUT_MS = 30_000  # after which a worker that reports nothing is considered dead


class PresenceTracker:
    """All clients connected to one match. Iterates over the connections of this worker."""

    def __init__(self, seats: int, now: int) -> None:
        self._connections: dict[Connection, None] = {}  # the oldest first
        self._other_workers: dict[str, tuple[WorkerPresence, int]] = {}  # with the time of receipt
        self._last_seen = [now] * seats

    def __iter__(self) -> Iterator[Connection]:
        return iter(tuple(self._connections))

    def __len__(self) -> int:
        return len(self._connections)

    def __contains__(self, connection: object) -> bool:
        return connection in self._connections

    def connections_of(self, seat: int | None) -> list[Connection]:
        """Return the connections of a seat, or (None) of watchers, the oldest first."""
        return [connection for connection in self._connections if connection.seat == seat]

    @property
    def address(self) -> str:
        """The address of a connected player, or of a watcher if there is no player."""
        by_seat = sorted(self._connections, key=lambda one: (one.seat is None, one.seat or 0))
        return by_seat[0].address if by_seat else ""

    def add(self, connection: Connection) -> None:
        """Add a connection."""
        self._connections[connection] = None

    def remove(self, connection: Connection, now: int) -> bool:
        """Remove a connection; return whether it was there."""
        if connection not in self._connections:
            return False
        del self._connections[connection]
        if connection.seat is not None:
            self._last_seen[connection.seat] = now
        return True

    def broadcast(self, message: AnyOutgoing) -> None:
        """Send a message to all clients of this worker."""
        encoded = encode(message)
        for connection in self:
            connection.send_bytes(encoded)

    def notice(self, worker: str, match: str, wants_reply: bool) -> WorkerPresence:
        """Return this worker's clients as a notice; `wants_reply` asks for the others'."""
        return WorkerPresence(
            worker=worker,
            match=match,
            seats=sorted({c.seat for c in self._connections if c.seat is not None}),
            watchers=self._own_watchers,
            wants_reply=wants_reply,
        )

    def update_worker(self, notice: WorkerPresence, now: int) -> bool:
        """Note who is connected to another worker; return whether that changed."""
        known = self._other_workers.get(notice.worker)
        self._other_workers[notice.worker] = (notice, now)
        if known is None:
            return True
        for seat in set(known[0].seats) - set(notice.seats):
            self._last_seen[seat] = now
        return (known[0].seats, known[0].watchers) != (notice.seats, notice.watchers)

    def drop_silent_workers(self, now: int) -> bool:
        """Forget workers that have timed out; return whether there were any."""
        silent = [
            worker
            for worker, (_, received) in self._other_workers.items()
            if now - received > WORKER_TIMEOUT_MS
        ]
        for worker in silent:
            notice, received = self._other_workers.pop(worker)
            for seat in notice.seats:
                self._last_seen[seat] = max(self._last_seen[seat], received)
        return bool(silent)

    def seconds_away(self, seat: int, now: int) -> int | None:
        """Return for how long nobody has been connected to a seat; None if somebody is."""
        if any(connection.seat == seat for connection in self._connections):
            return None
        if any(seat in notice.seats for notice, _ in self._other_workers.values()):
            return None
        return max(0, now - self._last_seen[seat]) // 1000

    def players(self, match: Match, now: int) -> list[SeatStatus]:
        """Return who sits where and whether they are connected."""
        players = []
        for seat, who in enumerate(match.occupants):
            away = self.seconds_away(seat, now)
            players.append(
                SeatStatus(
                    seat=seat,
                    kind="person" if who.is_person else "bot",
                    name=who.name,
                    bot=who.bot,
                    is_ready=who.bot is None or is_compiled(who.bot, match.setup.game),
                    is_connected=away is None,
                    has_resigned=who.has_resigned,
                    wants_rematch=who.wants_rematch,
                    away=away if who.is_person else None,
                )
            )
        return players

    def message(self, match: Match, now: int) -> Presence:
        """Return who is connected, to any worker, as a message to the clients."""
        elsewhere = sum(notice.watchers for notice, _ in self._other_workers.values())
        return Presence(players=self.players(match, now), watchers=self._own_watchers + elsewhere)

    @property
    def _own_watchers(self) -> int:
        return sum(connection.seat is None for connection in self._connections)
