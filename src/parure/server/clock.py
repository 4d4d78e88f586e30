"""Time: how much each seat has left, and a clock that does not jump."""

from __future__ import annotations

import time
from copy import copy

from parure.server.log_entries import Clock

MILLISECONDS = 1000


class PlayerClocks:
    """What is left for each seat of a match, as its log tells."""

    def __init__(self, clock: Clock | None, seats: int, created: int) -> None:
        self.clock = clock
        self.left = [clock.seconds * MILLISECONDS if clock else 0] * seats
        self.began = created  # when the turn, or the wait for the last person, began
        self.is_running = False

    def copy(self) -> PlayerClocks:
        """An independent copy."""
        new = copy(self)
        new.left = self.left.copy()
        return new

    def start(self, at: int) -> None:
        """Everybody is here: time runs from now on."""
        if not self.is_running:
            self.is_running = True
            self.began = at

    def turn_ended(self, seat: int | None, at: int) -> None:
        """A turn of a seat ended, or the table was changed in some other way that restarts it."""
        if self.clock is not None and seat is not None and self.is_running:
            if self.clock.kind == "bank":
                spent = max(0, at - self.began)
                self.left[seat] = max(0, self.left[seat] - spent)
                self.left[seat] += self.clock.increment * MILLISECONDS
        self.began = at

    def deadline(self, seat: int) -> int | None:
        """When a seat that is to move runs out of time."""
        if self.clock is None or not self.is_running:
            return None
        return self.began + self.left[seat]

    def remaining(self, mover: int | None, at: int) -> list[int]:
        """What each seat has left at a moment."""
        left = self.left.copy()
        if mover is not None and self.is_running:
            left[mover] = max(0, left[mover] - max(0, at - self.began))
        return left


class SteadyClock:
    """Milliseconds of the wall clock, read once; from then on it goes on evenly.

    A wall clock that is set anew while the server runs takes nobody's time.
    """

    def __init__(self) -> None:
        self._offset = time.time() - time.monotonic()

    def now(self) -> int:
        """The time in milliseconds."""
        return int((time.monotonic() + self._offset) * MILLISECONDS)
