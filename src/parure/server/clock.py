"""The server's clock, and the time that each player has left in a match."""

from __future__ import annotations

import os
import secrets
import time
from typing import Protocol

import msgspec
from msgspec import Struct

from parure.server.log_entries import Clock

MILLISECONDS = 1000
VARIABLE = "PARURE_RUN"  # the environment variable that passes a run to worker processes


class WallClock(Protocol):
    """A source of the current time."""

    def now(self) -> int:
        """Return the time in milliseconds since the epoch."""


class Run(Struct, frozen=True):
    """One start of the server. All its worker processes, also those started later, share it."""

    id: str
    wall_offset: float  # the wall clock at the start, less the monotonic clock of the machine

    @classmethod
    def start(cls) -> Run:
        """Return a new run."""
        return cls(secrets.token_hex(8), time.time() - time.monotonic())

    def to_environment(self) -> None:
        """Store the run in an environment variable, for worker processes."""
        os.environ[VARIABLE] = msgspec.json.encode(self).decode()

    @classmethod
    def from_environment(cls) -> Run:
        """Read the run that `to_environment` stored."""
        return msgspec.json.decode(os.environ[VARIABLE], type=cls)


class SteadyClock:
    """The wall clock, read once at the start of a run and then advanced by the monotonic clock.

    Setting the machine's clock while the server runs costs no player any time.
    """

    def __init__(self, run: Run | None = None) -> None:
        self._offset = (run or Run.start()).wall_offset

    def now(self) -> int:
        """Return the time in milliseconds since the epoch."""
        return int((time.monotonic() + self._offset) * MILLISECONDS)


class MatchTime:
    """The milliseconds on which the clocks of players run.

    They advance as the server's clock does, but stand still while the server is down or cannot
    store anything. The database holds the time at which a run ended; the next run continues there,
    whatever the wall clock says by then.
    """

    def __init__(self, clock: WallClock) -> None:
        self._clock = clock
        self._offset = 0
        self._stored_at = clock.now()
        self._stopped_at: int | None = None

    def now(self) -> int:
        """Return the time."""
        return self._clock.now() + self._offset if self._stopped_at is None else self._stopped_at

    def start(self, offset: int) -> None:
        """Continue the time of earlier runs, which differs by an offset from the server's clock."""
        self._offset = offset
        self._stored_at = self.now()

    def stored(self, time: int) -> None:
        """Note that the database works at a time; go on if the time stood still."""
        self._stored_at = time
        if self._stopped_at is not None:
            self._offset = self._stopped_at - self._clock.now()
            self._stopped_at = None

    def not_stored(self) -> None:
        """Note that the database does not work: the time stands still since it last did."""
        if self._stopped_at is None:
            self._stopped_at = self._stored_at


class PlayerClocks:
    """The time each seat of a match has left, computed from the log. All times are match times."""

    def __init__(self, clock: Clock | None, seats: int, created: int) -> None:
        self.clock = clock
        self.left = [clock.seconds * MILLISECONDS if clock else 0] * seats
        self.turn_started_at = created  # until all have joined: when the match was created
        self.is_running = False

    def copy(self) -> PlayerClocks:
        """Return an independent copy."""
        new = PlayerClocks.__new__(PlayerClocks)
        new.__dict__.update(self.__dict__, left=self.left.copy())
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
