"""The bus between workers; with a real Redis it is tested in test_workers.py."""

from __future__ import annotations

import asyncio
from typing import cast

import msgspec
import pytest
from redis.asyncio import Redis
from redis.exceptions import ConnectionError as RedisConnectionError

from parure.errors import ParureError
from parure.server import bus
from parure.server.bus import AnyNotice, NoticesLost, RedisBus, VersionChanged


def test_an_invalid_address_of_redis() -> None:
    with pytest.raises(ParureError, match="redis://"):
        RedisBus("nonsense")


class FailingRedis:
    """Redis that fails a number of times before it works."""

    def __init__(self, failures: int) -> None:
        self._failures = failures
        self.published: list[AnyNotice] = []

    async def publish(self, _: str, data: bytes) -> None:
        """Fail, or note what is published."""
        if self._failures:
            self._failures -= 1
            raise RedisConnectionError
        self.published.append(msgspec.json.decode(data, type=AnyNotice))


def published(notices: list[AnyNotice], number: int) -> list[AnyNotice]:
    """Return what arrives of notices that are published while Redis fails three times."""

    async def publish_all() -> list[AnyNotice]:
        some, redis = RedisBus("redis://localhost"), FailingRedis(3)
        some._redis = cast(Redis, redis)
        for notice in notices:
            some.publish(notice)
        sender = asyncio.create_task(some._send())
        while len(redis.published) < number:
            await asyncio.sleep(0.001)
        sender.cancel()
        return redis.published

    return asyncio.run(asyncio.wait_for(publish_all(), 60))


def test_a_notice_that_could_not_be_published_is_published_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(bus, "RETRY_DELAY", 0)
    notices: list[AnyNotice] = [VersionChanged(worker="w", match="m", version=n) for n in range(5)]
    assert published(notices, 5) == notices


def test_workers_are_notified_that_notices_were_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bus, "RETRY_DELAY", 0)
    monkeypatch.setattr(bus, "MAX_QUEUED_NOTICES", 2)
    notices: list[AnyNotice] = [VersionChanged(worker="w", match="m", version=n) for n in range(5)]
    lost = NoticesLost(worker="w", match="")
    assert published(notices, 3) == [notices[0], lost, notices[1]]
