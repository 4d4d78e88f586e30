"""Notices between worker processes: the version of a match, and who is connected where.

The database is authoritative. A lost notice delays an update and never loses a decision: after an
interruption every worker reads the database again.
"""

from __future__ import annotations

import asyncio
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
MAX_QUEUED_NOTICES = 10_000
CONNECT_TIMEOUT = 5.0  # seconds
RETRY_DELAY = 0.5  # seconds until Redis is tried again


class Notice(Struct, tag_field="type", kw_only=True):
    """A message to the other workers."""

    worker: str
    match: str


class VersionChanged(Notice, tag="version"):
    """A match has a new version."""

    version: int


class MatchDeleted(Notice, tag="deleted"):
    """A match was deleted."""


class WorkerPresence(Notice, tag="presence"):
    """The seats and watchers connected to a worker; `wants_reply` asks for the others'."""

    seats: list[int]
    watchers: int
    wants_reply: bool = False


class NoticesLost(Notice, tag="lost"):
    """Notices of a worker were lost, whatever match they were about (`match` is empty)."""


AnyNotice: TypeAlias = VersionChanged | MatchDeleted | WorkerPresence | NoticesLost
_decode = msgspec.json.Decoder(AnyNotice).decode

Listener: TypeAlias = Callable[[AnyNotice], None]
Resync: TypeAlias = Callable[[], Awaitable[None]]


class Bus(ABC):
    """A channel between workers."""

    is_shared: ClassVar[bool]  # whether there may be other workers

    @abstractmethod
    async def open(self, listener: Listener, resync: Resync) -> None:
        """Start listening. `resync` is called whenever notices may have been lost."""

    @abstractmethod
    def publish(self, notice: AnyNotice) -> None:
        """Queue a notice for the other workers."""

    @abstractmethod
    async def close(self) -> None:
        """Stop listening."""


class LocalBus(Bus):
    """The bus of a single worker: does nothing."""

    is_shared = False

    async def open(self, listener: Listener, resync: Resync) -> None:
        """Do nothing: there is no other worker."""

    def publish(self, notice: AnyNotice) -> None:
        """Do nothing: there is no other worker."""

    async def close(self) -> None:
        """Do nothing: nothing was opened."""


class RedisBus(Bus):
    """A bus over Redis publish/subscribe."""

    is_shared = True

    def __init__(self, url: str) -> None:
        try:
            self._redis = Redis.from_url(
                url, socket_timeout=None, socket_connect_timeout=CONNECT_TIMEOUT
            )
        except ValueError:
            raise ParureError("invalid address of Redis; use redis://…") from None
        self._outgoing: asyncio.Queue[AnyNotice] = asyncio.Queue(MAX_QUEUED_NOTICES)
        self._lost: NoticesLost | None = None  # to be sent, because the queue was full
        self._tasks: list[asyncio.Task[None]] = []

    async def open(self, listener: Listener, resync: Resync) -> None:
        """Subscribe, and subscribe again after every interruption."""
        try:
            await self._redis.ping()
        except RedisError:
            raise ParureError("Redis does not answer") from None
        is_subscribed = asyncio.Event()
        self._tasks = [
            asyncio.create_task(self._listen(listener, resync, is_subscribed)),
            asyncio.create_task(self._send()),
        ]
        await is_subscribed.wait()

    def publish(self, notice: AnyNotice) -> None:
        """Queue a notice. It is sent when Redis answers; if too many wait, all workers resync."""
        try:
            self._outgoing.put_nowait(notice)
        except asyncio.QueueFull:
            self._lost = NoticesLost(worker=notice.worker, match="")

    async def close(self) -> None:
        """Stop listening."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._redis.aclose()

    async def _send(self) -> None:
        while True:
            await self._send_surely(await self._outgoing.get())
            if self._lost is not None:
                lost, self._lost = self._lost, None
                await self._send_surely(lost)

    async def _send_surely(self, notice: AnyNotice) -> None:
        """Send a notice as soon as Redis answers."""
        while True:
            try:
                await self._redis.publish(CHANNEL, msgspec.json.encode(notice))
            except (RedisError, OSError):
                await asyncio.sleep(RETRY_DELAY)
            else:
                return

    async def _listen(
        self, listener: Listener, resync: Resync, is_subscribed: asyncio.Event
    ) -> None:
        while True:
            try:
                async with self._redis.pubsub() as subscription:
                    await subscription.subscribe(CHANNEL)
                    await resync()
                    is_subscribed.set()
                    async for message in subscription.listen():
                        if message["type"] == "message":
                            self._dispatch(message["data"], listener)
            except (RedisError, OSError):
                logger.warning("lost the connection to Redis; reconnecting")
            await asyncio.sleep(RETRY_DELAY)

    @staticmethod
    def _dispatch(data: bytes, listener: Listener) -> None:
        try:
            listener(_decode(data))
        except msgspec.MsgspecError:
            logger.warning("ignored a notice that could not be decoded")
