"""Rate limits: token buckets that requests empty and time refills."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass

MAX_BUCKETS = 10_000


@dataclass(frozen=True, slots=True)
class Rate:
    """A burst size, and the number of further requests allowed per second."""

    burst: float
    per_second: float


REQUESTS = Rate(60, 10)  # HTTP requests per address
CREATIONS = Rate(20, 0.2)  # created and imported matches per address
SOCKETS = Rate(40, 1)  # opened sockets per address
WRONG_KEYS = Rate(20, 0.1)  # failed attempts to use a key per address
MESSAGES = Rate(60, 15)  # messages per socket
HINTS = Rate(5, 0.2)  # hints per socket


class TokenBucket:
    """The remaining allowance of one sender."""

    __slots__ = ("_clock", "_level", "_rate", "_updated_at")

    def __init__(self, rate: Rate, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = rate
        self._clock = clock
        self._level = rate.burst
        self._updated_at = clock()

    def take(self) -> bool:
        """Use one token; return False if there is none."""
        now = self._clock()
        self._level = min(self._rate.burst, self._refilled(now))
        self._updated_at = now
        if self._level < 1:
            return False
        self._level -= 1
        return True

    @property
    def is_full(self) -> bool:
        """Whether the bucket has refilled completely, so that it can be discarded."""
        return self._refilled(self._clock()) >= self._rate.burst

    def _refilled(self, now: float) -> float:
        return self._level + (now - self._updated_at) * self._rate.per_second


class RateLimiter:
    """One bucket per rate and sender. `scale` multiplies all rates; 0 disables the limits."""

    def __init__(self, scale: float = 1.0) -> None:
        self._scale = scale
        self._buckets: dict[tuple[Rate, Hashable], TokenBucket] = {}

    def allow(self, rate: Rate, sender: Hashable) -> bool:
        """Count one request of a sender; return whether it is allowed."""
        if not self._scale:
            return True
        bucket = self._buckets.get((rate, sender))
        if bucket is None:
            if len(self._buckets) >= MAX_BUCKETS:
                self._discard_full_buckets()
            bucket = self._buckets[rate, sender] = self.bucket(rate)
        return bucket.take()

    def bucket(self, rate: Rate) -> TokenBucket:
        """Return a separate bucket, practically unlimited if limits are disabled."""
        scale = self._scale or 1e9
        return TokenBucket(Rate(rate.burst * scale, rate.per_second * scale))

    def _discard_full_buckets(self) -> None:
        """Discard full buckets; all of them if that frees nothing."""
        kept = {name: bucket for name, bucket in self._buckets.items() if not bucket.is_full}
        self._buckets = kept if len(kept) < MAX_BUCKETS else {}
