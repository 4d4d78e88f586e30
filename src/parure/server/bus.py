"""What workers tell each other: which match is at which version, and who is connected where.

The database is the truth. A notice that is lost costs a moment, never a decision: whoever has
been cut off asks the database again.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from typing import ClassVar, TypeAlias

import msgspec
from msgspec import Struct
from redis.asyncio import Redis
from redis.exceptions import RedisError

from parure.errors import ParureError

logger = logging.getLogger("parure.server")

CHANNEL = "parure"
PAUSE = 0.5  # seconds before Redis is tried again


class Notice(Struct, tag_field="t", kw_only=True):
    """Something that other workers should know."""

    worker: str
    match: str


class VersionChanged(Notice, tag="at"):
    """A match is at a version; -1 means that it is gone."""

    version: int


class WorkerPresence(Notice, tag="here"):
    """The seats and watchers connected at a worker; `asks` for the others' to be told."""

    seats: list[int]
    watchers: int
    asks: bool = False


AnyNotice: TypeAlias = VersionChanged | WorkerPresence
_decode = msgspec.json.Decoder(AnyNotice).decode

Listener: TypeAlias = Callable[[AnyNotice], None]
Resync: TypeAlias = Callable[[], Awaitable[None]]


class Bus(ABC):
    """How notices travel."""

    is_shared: ClassVar[bool]  # whether there are other workers

    @abstractmethod
    async def open(self, listener: Listener, resync: Resync) -> None:
        """Begin to listen; `resync` is called whenever notices may have been lost."""

    @abstractmethod
    def publish(self, notice: AnyNotice) -> None:
        """Tell the other workers, soon."""

    @abstractmethod
    async def close(self) -> None:
        """Stop listening."""


class LocalBus(Bus):
    """One worker needs no bus."""

    is_shared = False

    async def open(self, listener: Listener, resync: Resync) -> None:
        """Nobody else will ever say anything."""

    def publish(self, notice: AnyNotice) -> None:
        """Nobody else is there."""

    async def close(self) -> None:
        """Nothing was opened."""


class RedisBus(Bus):
    """Notices over Redis."""

    is_shared = True

    def __init__(self, url: str) -> None:
        try:
            self._redis = Redis.from_url(url, socket_timeout=None, socket_connect_timeout=5)
        except ValueError:
            raise ParureError("the address of Redis cannot be read; write redis://…") from None
        self._outgoing: asyncio.Queue[AnyNotice] = asyncio.Queue(10_000)
        self._tasks: list[asyncio.Task[None]] = []

    async def open(self, listener: Listener, resync: Resync) -> None:
        """Subscribe, now and after every interruption."""
        try:
            await self._redis.ping()
        except RedisError:
            raise ParureError("Redis does not answer") from None
        ready = asyncio.Event()
        self._tasks = [
            asyncio.create_task(self._listen(listener, resync, ready)),
            asyncio.create_task(self._send()),
        ]
        await ready.wait()

    def publish(self, notice: AnyNotice) -> None:
        """Tell the other workers, soon; what does not fit is forgotten, as Redis itself would."""
        with contextlib.suppress(asyncio.QueueFull):
            self._outgoing.put_nowait(notice)

    async def close(self) -> None:
        """Stop listening."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._redis.aclose()

    async def _send(self) -> None:
        while True:
            notice = await self._outgoing.get()
            try:
                await self._redis.publish(CHANNEL, msgspec.json.encode(notice))
            except (RedisError, OSError):
                await asyncio.sleep(PAUSE)

    async def _listen(self, listener: Listener, resync: Resync, ready: asyncio.Event) -> None:
        while True:
            try:
                async with self._redis.pubsub() as subscription:
                    await subscription.subscribe(CHANNEL)
                    await resync()
                    ready.set()
                    async for message in subscription.listen():
                        if message["type"] == "message":
                            self._hear(message["data"], listener)
            except (RedisError, OSError):
                logger.warning("Redis is away; trying again")
            await asyncio.sleep(PAUSE)

    @staticmethod
    def _hear(data: bytes, listener: Listener) -> None:
        try:
            listener(_decode(data))
        except msgspec.MsgspecError:
            logger.warning("a notice that nobody understands")
