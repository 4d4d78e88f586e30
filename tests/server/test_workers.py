"""Several workers with PostgreSQL and Redis, and interruptions of both."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import psycopg
import pytest
import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from tests.server.clients import (
    HOST,
    ServerProcess,
    SocketClient,
    free_port,
    running,
    settings_for,
)
from tests.server.responses import bearer
from tests.server.services import PostgreSQL, Redis
from tests.server.test_routes import play_to_the_end
from tests.server.test_sockets import rejection

from parure.errors import ParureError
from parure.server.messages import Done, Refused
from parure.server.schema import MIGRATIONS, create_engine, database_url
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


def test_a_game_on_postgresql(tmp_path: Path, postgresql: PostgreSQL) -> None:
    with running(settings_for(tmp_path, database=postgresql.url)) as (api, registry):
        match, rng = api.create("Ann", "bot:random", game="splendor"), Random(1)
        with api.connect(match, 0) as ann:
            for _ in range(20):
                ann.wait_for_turn()
                assert isinstance(ann.decide(ann.random_decision(rng), end_turn=True), Done)
            ann.wait_for_turn()
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
        running(settings_for(tmp_path, **shared)) as (first, _),
        running(settings_for(tmp_path, **shared)) as (second, _),
    ):
        match = first.create("Ann", "Bob")
        with first.connect(match, 0) as ann, second.connect(match, 1) as bob:
            for _ in range(6):
                ann.play_turn()
                bob.wait_for_turn()
                assert bob.now.version == ann.now.version
                bob.play_turn()
            ann.wait_for_turn()
            assert [line.decision for line in ann.log] == [line.decision for line in bob.log]
            assert ann.now.players[1].is_connected


def test_one_seat_at_two_workers(tmp_path: Path, postgresql: PostgreSQL, redis: Redis) -> None:
    """The later command is refused, and a repeated command is recognized by both workers."""
    shared = {"database": postgresql.url, "redis": redis.url}
    with (
        running(settings_for(tmp_path, **shared)) as (first, _),
        running(settings_for(tmp_path, **shared)) as (second, _),
    ):
        match = first.create("Ann", "Bob")
        with first.connect(match, 0) as left, second.connect(match, 0) as right:
            version, take = left.now.version, left.take_decision()
            left.send(type="decide", id="l", version=version, decisions=[take])
            right.send(type="decide", id="r", version=version, decisions=[take])
            answers = [left.answer("l"), right.answer("r")]
            assert sorted(type(answer).__name__ for answer in answers) == ["Done", "Refused"]
            stored = "l" if isinstance(answers[0], Done) else "r"
            again = right.decide(take, id=stored, version=version)
            assert isinstance(again, Done)
            assert again.is_repeated


def test_one_worker_decides_for_a_bot(tmp_path: Path, postgresql: PostgreSQL, redis: Redis) -> None:
    shared = {"database": postgresql.url, "redis": redis.url}
    with (
        running(settings_for(tmp_path, **shared)) as (first, _),
        running(settings_for(tmp_path, **shared)) as (second, _),
    ):
        match = first.create("Ann", "bot:random", "Bob", game="splendor")
        with first.connect(match, 0) as ann, second.connect(match, 2) as bob:
            for _ in range(4):
                ann.play_turn()
                bob.play_turn()
            ann.wait_for_turn()
            assert [line.seat for line in ann.log if line.ends_turn] == [0, 1, 2] * 4


def test_an_interruption_of_redis_loses_nothing(tmp_path: Path, postgresql: PostgreSQL) -> None:
    with Redis() as redis:
        shared = {"database": postgresql.url, "redis": redis.url}
        with (
            running(settings_for(tmp_path, **shared)) as (first, _),
            running(settings_for(tmp_path, **shared)) as (second, _),
        ):
            match = first.create("Ann", "Bob")
            with first.connect(match, 0) as ann, second.connect(match, 1) as bob:
                redis.stop()
                assert isinstance(ann.decide(ann.take_decision(), end_turn=True), Done)
                time.sleep(0.5)
                redis.start()
                bob.wait_for_turn()  # read from the database after the new subscription
                assert isinstance(bob.decide(bob.take_decision(), end_turn=True), Done)


def test_a_short_interruption_of_the_database(tmp_path: Path) -> None:
    with (
        PostgreSQL() as database,
        running(settings_for(tmp_path, database=database.url)) as (api, _),
    ):
        match = api.create("Ann", "Bob")
        with api.connect(match, 0) as ann:
            database.stop()
            assert api.http.get("/api/health").status_code == 503
            take, version = ann.take_decision(), ann.now.version
            ann.send(type="decide", id="x", version=version, decisions=[take], end_turn=True)
            time.sleep(1)
            database.start()
            assert isinstance(ann.answer("x"), Done)
            assert len(ann.log) == 1
            assert api.http.get("/api/health").status_code == 200


def test_worker_processes(postgresql: PostgreSQL, redis: Redis) -> None:
    """`parure serve --workers 2`: sockets are distributed over the workers."""
    options = ["--redis", redis.url, "--workers", "2"]
    with ServerProcess(postgresql.url, *options) as server:
        match, rng = server.api.create("Ann", "Bob"), Random(2)
        for _ in range(6):
            with server.api.connect(match, 0) as ann, server.api.connect(match, 1) as bob:
                mover = ann if ann.now.turn.is_yours else bob
                before = len(mover.log)
                assert isinstance(mover.decide(mover.random_decision(rng), end_turn=True), Done)
                assert len(mover.log) == before + 1


def test_migrations_run_on_postgresql(postgresql: PostgreSQL) -> None:
    """A database of schema 0001 keeps its secret and can be migrated only once."""
    address = postgresql.url.replace("/postgres", "/old")
    with psycopg.connect(postgresql.url, autocommit=True) as connection:
        connection.execute("CREATE DATABASE old")
    engine = create_engine(database_url(address), for_writing=True)
    with engine.begin() as database:
        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS))
        config.attributes["connection"] = database
        command.upgrade(config, "0001")
        database.execute(sa.text("INSERT INTO memory VALUES ('secret', '0123')"))
    for _ in range(2):
        assert asyncio.run(_secret_of(address)) == bytes.fromhex("0123")
    names = set(sa.inspect(engine).get_table_names())
    engine.dispose()
    assert names == {"alembic_version", "entries", "matches", "reviews", "server_state"}


async def _secret_of(address: str) -> bytes:
    store = Store(address)
    try:
        await store.open()
        return await store.secret()
    finally:
        await store.close()


def test_an_unreachable_database_is_reported() -> None:
    with pytest.raises(ParureError, match="the database cannot be used"):
        asyncio.run(_secret_of(f"postgresql://parure@{HOST}:{free_port()}/postgres"))


def test_a_renewed_link_and_a_final_end_hold_at_all_workers(
    tmp_path: Path, postgresql: PostgreSQL, redis: Redis
) -> None:
    shared = {"database": postgresql.url, "redis": redis.url}
    with (
        running(settings_for(tmp_path, **shared)) as (first, _),
        running(settings_for(tmp_path, **shared)) as (second, _),
    ):
        match, new_key = first.create("Ann", "bot:random", game="splendor"), "A" * 24
        with first.connect(match, 0) as ann, second.connect(match, 0) as thief:
            assert isinstance(ann.command("renew_link", key=new_key), Done)
            assert thief.close_reason() == (4401, "link")
            old = match["seats"][0]["key"]
            assert rejection(second, match["match"], type="hello", key=old) == (4401, "link")
            with SocketClient(second.port, match["match"], new_key) as elsewhere:
                play_to_the_end(ann, Random(1))
                elsewhere.wait_for_end()
                url = f"/api/matches/{match['match']}/record"
                assert first.http.get(url, headers=bearer(new_key)).status_code == 200
                refused = elsewhere.command("take_back")
                assert isinstance(refused, Refused)
                assert refused.code == "no_take_back"
