"""Rate limits: buckets that fill with time and are emptied by requests."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass

MAX_BUCKETS = 10_000


@dataclass(frozen=True, slots=True)
class Rate:
    """So many at once, and so many a second after that."""

    burst: float
    per_second: float


REQUESTS = Rate(60, 10)  # HTTP requests of one address
CREATIONS = Rate(20, 0.2)  # matches and imports of one address
SOCKETS = Rate(40, 1)  # sockets opened by one address
WRONG_KEYS = Rate(20, 0.1)  # links that did not open, of one address
MESSAGES = Rate(60, 15)  # messages on one socket
HINTS = Rate(5, 0.2)  # on one socket


class TokenBucket:
    """What one sender may still send."""

    __slots__ = ("_clock", "_level", "_rate", "_seen")

    def __init__(self, rate: Rate, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = rate
        self._clock = clock
        self._level = rate.burst
        self._seen = clock()

    def take(self) -> bool:
        """Whether one more is allowed; if so it is counted."""
        now = self._clock()
        self._level = min(
            self._rate.burst, self._level + (now - self._seen) * self._rate.per_second
        )
        self._seen = now
        if self._level < 1:
            return False
        self._level -= 1
        return True

    @property
    def is_full(self) -> bool:
        """Whether the sender has been quiet long enough to be forgotten."""
        filled = self._level + (self._clock() - self._seen) * self._rate.per_second
        return filled >= self._rate.burst


class RateLimiter:
    """A bucket for each rate and sender; `scale` 0 allows everything."""

    def __init__(self, scale: float = 1.0) -> None:
        self._scale = scale
        self._buckets: dict[tuple[Rate, Hashable], TokenBucket] = {}

    def allow(self, rate: Rate, sender: Hashable) -> bool:
        """Whether a sender may go on; counts it."""
        if not self._scale:
            return True
        bucket = self._buckets.get((rate, sender))
        if bucket is None:
            if len(self._buckets) >= MAX_BUCKETS:
                self._forget()
            bucket = self._buckets[rate, sender] = self.bucket(rate)
        return bucket.take()

    def bucket(self, rate: Rate) -> TokenBucket:
        """A bucket of one's own; an endless one if limits are off."""
        scale = self._scale or 1e9
        return TokenBucket(Rate(rate.burst * scale, rate.per_second * scale))

    def _forget(self) -> None:
        """Forget the quiet ones; all, if nobody was quiet."""
        kept = {name: bucket for name, bucket in self._buckets.items() if not bucket.is_full}
        self._buckets = kept if len(kept) < MAX_BUCKETS else {}
