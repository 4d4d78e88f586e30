"""With PostgreSQL and Redis: several workers, servers that go away, and come back."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from tests.server.clients import ServerProcess, SocketClient, free_port, running, settings_for
from tests.server.services import PostgreSQL, Redis

from parure.errors import ParureError
from parure.server.messages import Done
from parure.server.store import Store

pytestmark = pytest.mark.servers


@pytest.fixture(scope="module")
def postgresql() -> Iterator[PostgreSQL]:
    with PostgreSQL() as server:
        yield server


@pytest.fixture(scope="module")
def redis() -> Iterator[Redis]:
    with Redis() as server:
        yield server


def a_take(client: SocketClient) -> str:
    return next(c.decision for c in client.now.choices if c.decision.startswith("take"))


def test_a_game_on_postgresql(tmp_path: Path, postgresql: PostgreSQL) -> None:
    with running(settings_for(tmp_path, database=postgresql.url)) as (api, registry):
        match, rng = api.create("Ann", "bot:random", game="splendor"), Random(1)
        with api.connect(match, 0) as ann:
            for _ in range(20):
                ann.until_turn()
                assert isinstance(ann.decide(ann.any_decision(rng), end_turn=True), Done)
            ann.until_turn()
            log = ann.log
        secret = registry.secret
    with running(settings_for(tmp_path, database=postgresql.url)) as (api, registry):
        assert registry.secret == secret
        with api.connect(match, 0) as ann:
            assert ann.log == log


def test_two_workers_share_a_match(tmp_path: Path, postgresql: PostgreSQL, redis: Redis) -> None:
    """Ann and Bob are connected to different workers; each sees what the other does."""
    shared = {"database": postgresql.url, "redis": redis.url}
    with (
        running(settings_for(tmp_path, **shared)) as (here, _),
        running(settings_for(tmp_path, **shared)) as (there, _),
    ):
        match = here.create("Ann", "Bob")
        with here.connect(match, 0) as ann, there.connect(match, 1) as bob:
            for _ in range(6):
                ann.play_turn()
                bob.until_turn()
                assert bob.now.version == ann.now.version
                bob.play_turn()
            ann.until_turn()
            assert [line.decision for line in ann.log] == [line.decision for line in bob.log]
            assert ann.now.players[1].is_connected


def test_the_same_seat_at_two_workers(tmp_path: Path, postgresql: PostgreSQL, redis: Redis) -> None:
    """Whoever is later is refused, and a repeated command is known everywhere."""
    shared = {"database": postgresql.url, "redis": redis.url}
    with (
        running(settings_for(tmp_path, **shared)) as (here, _),
        running(settings_for(tmp_path, **shared)) as (there, _),
    ):
        match = here.create("Ann", "Bob")
        with here.connect(match, 0) as left, there.connect(match, 0) as right:
            version, take = left.now.version, a_take(left)
            left.send(type="decide", id="l", version=version, decisions=[take])
            right.send(type="decide", id="r", version=version, decisions=[take])
            answers = [left.answer("l"), right.answer("r")]
            assert sorted(type(answer).__name__ for answer in answers) == ["Done", "Refused"]
            first = "l" if isinstance(answers[0], Done) else "r"
            again = right.decide(take, id=first, version=version)
            assert isinstance(again, Done)
            assert again.is_repeated


def test_bots_are_thought_for_by_one_worker(
    tmp_path: Path, postgresql: PostgreSQL, redis: Redis
) -> None:
    shared = {"database": postgresql.url, "redis": redis.url}
    with (
        running(settings_for(tmp_path, **shared)) as (here, _),
        running(settings_for(tmp_path, **shared)) as (there, _),
    ):
        match = here.create("Ann", "bot:random", "Bob", game="splendor")
        with here.connect(match, 0) as ann, there.connect(match, 2) as bob:
            for _ in range(4):
                ann.play_turn()
                bob.play_turn()
            ann.until_turn()
            assert [line.seat for line in ann.log if line.ends_turn] == [0, 1, 2] * 4


def test_redis_forgets_and_nothing_is_lost(tmp_path: Path, postgresql: PostgreSQL) -> None:
    with Redis() as redis:
        shared = {"database": postgresql.url, "redis": redis.url}
        with (
            running(settings_for(tmp_path, **shared)) as (here, _),
            running(settings_for(tmp_path, **shared)) as (there, _),
        ):
            match = here.create("Ann", "Bob")
            with here.connect(match, 0) as ann, there.connect(match, 1) as bob:
                redis.stop()
                assert isinstance(ann.decide(a_take(ann), end_turn=True), Done)
                time.sleep(0.5)
                redis.start()
                bob.until_turn()  # told by the database after the subscription is back
                assert isinstance(bob.decide(a_take(bob), end_turn=True), Done)


def test_a_database_that_is_briefly_away(tmp_path: Path) -> None:
    with (
        PostgreSQL() as database,
        running(settings_for(tmp_path, database=database.url)) as (api, _),
    ):
        match = api.create("Ann", "Bob")
        with api.connect(match, 0) as ann:
            database.stop()
            assert api.http.get("/api/health").status_code == 503
            take, version = a_take(ann), ann.now.version
            ann.send(type="decide", id="x", version=version, decisions=[take], end_turn=True)
            time.sleep(1)
            database.start()
            assert isinstance(ann.answer("x"), Done)
            assert len(ann.log) == 1
            assert api.http.get("/api/health").status_code == 200


def test_worker_processes(postgresql: PostgreSQL, redis: Redis) -> None:
    """`parure serve --workers 2`: sockets land anywhere, the game goes on."""
    options = ["--redis", redis.url, "--workers", "2"]
    with ServerProcess(postgresql.url, *options) as server:
        match, rng = server.api.create("Ann", "Bob"), Random(2)
        for _ in range(6):
            with server.api.connect(match, 0) as ann, server.api.connect(match, 1) as bob:
                mover = ann if ann.now.turn.is_yours else bob
                before = len(mover.log)
                assert isinstance(mover.decide(mover.any_decision(rng), end_turn=True), Done)
                assert len(mover.log) == before + 1


def test_several_workers_need_redis(tmp_path: Path) -> None:
    with pytest.raises(ParureError, match="need --redis"):
        settings_for(tmp_path, workers=2).check()


async def _opened(address: str) -> None:
    store = Store(address)
    try:
        await store.open()
    finally:
        await store.close()


def test_a_database_that_is_not_there_is_named() -> None:
    with pytest.raises(ParureError, match="the database cannot be used"):
        asyncio.run(_opened(f"postgresql://parure@127.0.0.1:{free_port()}/postgres"))
