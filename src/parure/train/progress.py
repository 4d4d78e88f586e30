"""Lines of progress."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

Log = Callable[[str], object]  # receives a line


class Progress:
    """Logs lines, at most one every few seconds; those in between are dropped."""

    def __init__(
        self, log: Log, seconds: float = 5.0, clock: Callable[[], float] = perf_counter
    ) -> None:
        self._log = log
        self._seconds = seconds
        self._clock = clock
        self._last = clock()

    def __call__(self, line: str) -> None:
        """Log a line if the last one is long enough ago."""
        now = self._clock()
        if now - self._last >= self._seconds:
            self._last = now
            self._log(line)
