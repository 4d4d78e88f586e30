"""A limited number of slots, for which senders queue; they take turns, whatever each has queued."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import TypeAlias

_Senders: TypeAlias = "dict[str, deque[asyncio.Future[None]]]"  # the next sender first


class FairQueue:
    """A semaphore that serves waiting senders in turn, and each sender's requests in order."""

    def __init__(self, slots: int) -> None:
        self._free = slots
        self._waiting: _Senders = {}
        self._waiting_low: _Senders = {}  # served only while nobody else waits

    async def acquire(self, sender: str, *, has_low_priority: bool = False) -> Slot:
        """Wait for a slot."""
        if self._free:
            self._free -= 1
            return Slot(self)
        waiting = self._waiting_low if has_low_priority else self._waiting
        granted = asyncio.get_running_loop().create_future()
        waiting.setdefault(sender, deque()).append(granted)
        try:
            await granted
        except asyncio.CancelledError:
            if granted.cancelled():
                _remove(waiting, sender, granted)
            else:  # granted at the same moment
                self.release_one()
            raise
        return Slot(self)

    def waiting(self, sender: str) -> int:
        """Return the number of requests of a sender that wait."""
        return len(self._waiting.get(sender, ())) + len(self._waiting_low.get(sender, ()))

    def release_one(self) -> None:
        """Give a slot to the next sender."""
        waiting = self._waiting or self._waiting_low
        if not waiting:
            self._free += 1
            return
        sender = next(iter(waiting))
        queue = waiting.pop(sender)
        queue.popleft().set_result(None)
        if queue:
            waiting[sender] = queue  # behind all other senders


def _remove(waiting: _Senders, sender: str, granted: asyncio.Future[None]) -> None:
    queue = waiting[sender]
    queue.remove(granted)
    if not queue:
        del waiting[sender]


class Slot:
    """An acquired slot, which is released once."""

    def __init__(self, queue: FairQueue) -> None:
        self._queue: FairQueue | None = queue

    def release(self) -> None:
        """Give the slot to the next sender; a second call does nothing."""
        if self._queue is not None:
            self._queue.release_one()
            self._queue = None
