"""The server's clock, and the time that each player has left in a match."""

from __future__ import annotations

import time
from copy import copy
from typing import Protocol

from parure.server.log_entries import Clock

MILLISECONDS = 1000


class WallClock(Protocol):
    """A source of the current time."""

    def now(self) -> int:
        """Return the time in milliseconds since the epoch."""


class SteadyClock:
    """The wall clock, read once at the start and then advanced by the monotonic clock.

    Setting the machine's clock while the server runs costs no player any time.
    """

    def __init__(self) -> None:
        self._offset = time.time() - time.monotonic()

    def now(self) -> int:
        """Return the time in milliseconds since the epoch."""
        return int((time.monotonic() + self._offset) * MILLISECONDS)


class PlayerClocks:
    """The time each seat of a match has left, computed from the log. All times in milliseconds."""

    def __init__(self, clock: Clock | None, seats: int, created: int) -> None:
        self.clock = clock
        self.left = [clock.seconds * MILLISECONDS if clock else 0] * seats
        self.turn_started_at = created  # until all have joined: when the match was created
        self.is_running = False

    def copy(self) -> PlayerClocks:
        """Return an independent copy."""
        new = copy(self)
        new.left = self.left.copy()
        return new

    def start(self, at: int) -> None:
        """Start the clock if it is not running: all players have joined."""
        if not self.is_running:
            self.is_running = True
            self.turn_started_at = at

    def turn_ended(self, seat: int | None, at: int) -> None:
        """Charge a seat for the turn that ended, and begin the next turn."""
        if self.clock is not None and seat is not None and self.is_running:
            if self.clock.kind == "bank":
                spent = max(0, at - self.turn_started_at)
                self.left[seat] = max(0, self.left[seat] - spent)
                self.left[seat] += self.clock.increment * MILLISECONDS
        self.turn_started_at = at

    def deadline(self, seat: int) -> int | None:
        """Return when the seat to move runs out of time; None if no clock is running."""
        if self.clock is None or not self.is_running:
            return None
        return self.turn_started_at + self.left[seat]

    def remaining(self, mover: int | None, at: int) -> list[int]:
        """Return what each seat has left at a given time."""
        left = self.left.copy()
        if mover is not None and self.is_running:
            left[mover] = max(0, left[mover] - max(0, at - self.turn_started_at))
        return left
