"""Who is at a table: the connections of this worker, and what other workers say of theirs."""

from __future__ import annotations

from collections.abc import Iterator

from parure.server.bus import WorkerPresence
from parure.server.connection import Connection
from parure.server.match import Match
from parure.server.messages import AnyOutgoing, Presence, Seated
from parure.server.warmup import is_compiled

FORGOTTEN = 30_000  # milliseconds after which a silent worker is taken for gone


class PresenceTracker:
    """Everybody who is connected to one match."""

    def __init__(self, seats: int, now: int) -> None:
        self._connections: set[Connection] = set()
        self._elsewhere: dict[
            str, tuple[WorkerPresence, int]
        ] = {}  # by worker: who, and when it was told
        self._last_seen = [now] * seats

    def __iter__(self) -> Iterator[Connection]:
        return iter(tuple(self._connections))

    def __len__(self) -> int:
        return len(self._connections)

    def add(self, connection: Connection) -> None:
        """Somebody came."""
        self._connections.add(connection)

    def remove(self, connection: Connection, now: int) -> bool:
        """Somebody left; whether they were here."""
        if connection not in self._connections:
            return False
        self._connections.discard(connection)
        if connection.seat is not None:
            self._last_seen[connection.seat] = now
        return True

    def send(self, message: AnyOutgoing) -> None:
        """Tell everybody of this worker."""
        for connection in self:
            connection.send(message)

    def notice(self, worker: str, match: str, asks: bool) -> WorkerPresence:
        """Who is here, for other workers; with `asks` they are to say the same of theirs."""
        seats = sorted({v.seat for v in self._connections if v.seat is not None})
        watchers = sum(connection.seat is None for connection in self._connections)
        return WorkerPresence(worker=worker, match=match, seats=seats, watchers=watchers, asks=asks)

    def hear(self, notice: WorkerPresence, now: int) -> bool:
        """Note who is connected at another worker; whether that is new."""
        before = self._elsewhere.get(notice.worker)
        self._elsewhere[notice.worker] = (notice, now)
        told = (notice.seats, notice.watchers)
        return before is None or (before[0].seats, before[0].watchers) != told

    def forget_silent(self, now: int) -> bool:
        """Forget workers that have not been heard for long; whether there were any."""
        silent = [name for name, (_, told) in self._elsewhere.items() if now - told > FORGOTTEN]
        for name in silent:
            del self._elsewhere[name]
        return bool(silent)

    def away(self, seat: int, now: int) -> int | None:
        """For how many seconds nobody has been at a seat; None if somebody is."""
        is_here = any(connection.seat == seat for connection in self._connections)
        if is_here or any(seat in notice.seats for notice, _ in self._elsewhere.values()):
            return None
        return max(0, now - self._last_seen[seat]) // 1000

    def seated(self, match: Match, now: int) -> list[Seated]:
        """Who sits where, and whether they are connected."""
        found = []
        for seat, who in enumerate(match.occupants):
            away = self.away(seat, now)
            found.append(
                Seated(
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
        return found

    def presence(self, match: Match, now: int) -> Presence:
        """Who is connected, everywhere."""
        watchers = sum(connection.seat is None for connection in self._connections)
        watchers += sum(notice.watchers for notice, _ in self._elsewhere.values())
        return Presence(players=self.seated(match, now), watchers=watchers)
