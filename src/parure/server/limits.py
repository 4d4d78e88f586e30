"""Rate limits: token buckets that requests empty and time refills."""

from __future__ import annotations

import ipaddress
import time
from collections import Counter
from collections.abc import Callable, Hashable
from dataclasses import dataclass

MAX_BUCKETS = 50_000
DISCARDED_SHARE = 0.5  # of the buckets, when there are too many: those that lose least
IPV6_PREFIX = 64  # bits that a provider gives to one customer


@dataclass(frozen=True, slots=True)
class Rate:
    """A burst size, and the number of further requests allowed per second."""

    burst: float
    per_second: float


REQUESTS = Rate(60, 10)  # requests to the API per address
PAGES = Rate(200, 40)  # requests for the page and its files per address
CREATIONS = Rate(20, 0.2)  # created and imported matches per address
REPLAYS = Rate(20, 0.5)  # replays of finished matches per address
SOCKETS = Rate(40, 1)  # opened sockets per address
WRONG_KEYS = Rate(20, 0.1)  # failed attempts to use a key per address
MESSAGES = Rate(60, 15)  # messages per seat, over all of its sockets; a watcher's per address
ADDRESS_MESSAGES = Rate(300, 60)  # messages per address, over all seats
MAX_SOCKETS = 100  # open at once per address
RESENT_SNAPSHOTS = Rate(5, 0.2)  # snapshots sent again to a seat whose client has an old version
READ_STEPS = Rate(10, 0.5)  # requests for earlier tables per seat; a watcher's per address
HINTS = Rate(5, 0.2)  # hints per seat
POSITIONS = Rate(60, 6)  # positions of the analysis board per address
ANALYSES = Rate(30, 1)  # analyses per address
ADDRESS_HINTS = Rate(20, 1)  # hints per address, over all seats
REVIEWS = Rate(20, 2)  # requests for reviews per address, while one is computed every second


def address_group(address: str) -> str:
    """Return what limits count as one sender: an IPv4 address, or the network of an IPv6 one.

    >>> address_group("192.0.2.7"), address_group("2001:db8::1"), address_group("::ffff:192.0.2.7")
    ('192.0.2.7', '2001:db8::/64', '192.0.2.7')
    """
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:  # the name that a test or a local socket has
        return address
    if isinstance(parsed, ipaddress.IPv6Address):
        if parsed.ipv4_mapped is not None:
            return str(parsed.ipv4_mapped)
        return str(ipaddress.ip_network((int(parsed), IPV6_PREFIX), strict=False))
    return address


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
        return self.used_share <= 0

    @property
    def used_share(self) -> float:
        """The share of the burst that is used up: 0 or less if the bucket is full."""
        return 1 - self._refilled(self._clock()) / self._rate.burst

    def _refilled(self, now: float) -> float:
        return self._level + (now - self._updated_at) * self._rate.per_second


class RateLimiter:
    """One bucket per rate and sender. `scale` multiplies all rates; 0 disables the limits."""

    def __init__(self, scale: float = 1.0) -> None:
        self._scale = scale
        self._buckets: dict[tuple[Rate, Hashable], TokenBucket] = {}
        self._open_sockets: Counter[str] = Counter()  # by address

    def allow(self, rate: Rate, sender: Hashable) -> bool:
        """Count one request of a sender; return whether it is allowed."""
        if not self._scale:
            return True
        bucket = self._buckets.get((rate, sender))
        if bucket is None:
            if len(self._buckets) >= MAX_BUCKETS:
                self._discard_fullest_buckets()
            bucket = self._buckets[rate, sender] = self.bucket(rate)
        return bucket.take()

    def open_socket(self, address: str) -> bool:
        """Count an open socket; return False, and do not count it, if there are too many."""
        if self._scale and self._open_sockets[address] >= MAX_SOCKETS * self._scale:
            return False
        self._open_sockets[address] += 1
        return True

    def close_socket(self, address: str) -> None:
        """Count a closed socket that `open_socket` has counted."""
        self._open_sockets[address] -= 1
        if not self._open_sockets[address]:
            del self._open_sockets[address]

    def bucket(self, rate: Rate) -> TokenBucket:
        """Return a separate bucket, practically unlimited if limits are disabled."""
        scale = self._scale or 1e9
        return TokenBucket(Rate(rate.burst * scale, rate.per_second * scale))

    def _discard_fullest_buckets(self) -> None:
        """Discard the buckets whose senders gain least by it.

        Those of senders that are at their limit are kept, so that requests from many other
        addresses do not give them a new allowance.
        """
        by_use = sorted(self._buckets.items(), key=lambda item: item[1].used_share, reverse=True)
        number = int(MAX_BUCKETS * (1 - DISCARDED_SHARE))
        self._buckets = {name: bucket for name, bucket in by_use[:number] if not bucket.is_full}
