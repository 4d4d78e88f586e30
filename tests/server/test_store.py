"""The database: interruptions, migrations, expiry."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import time
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from tests.server.clients import FakeClock, running, settings_for

from parure.errors import ParureError
from parure.server import store
from parure.server.messages import Done
from parure.server.schema import create_engine, database_url
from parure.server.store import Store

DATABASES = Path(__file__).parents[1] / "data" / "databases"


async def open_and_close(address: str) -> None:
    """Migrate a database."""
    database = Store(address)
    try:
        await database.open()
    finally:
        await database.close()


def test_a_locked_file_delays_a_decision(tmp_path: Path) -> None:
    """Another process writes to the SQLite file: the decision waits, and is stored."""
    settings = settings_for(tmp_path)
    with running(settings) as (api, _):
        match = api.create("Ann", "Bob")
        engine = create_engine(database_url(settings.database), for_writing=True)
        with api.connect(match, 0) as ann:
            with engine.begin():
                take = ann.take_decision()
                ann.send(type="decide", id="x", version=ann.now.version, decisions=[take])
                time.sleep(0.5)
            assert isinstance(ann.answer("x"), Done)
        engine.dispose()


def test_an_unreachable_database_refuses_commands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command is refused, nothing has changed, and the same command works later."""
    monkeypatch.setattr(store, "RETRY_TIMEOUT", 0.3)
    with running(settings_for(tmp_path)) as (api, _):
        match = api.create("Ann", "Bob")
        with api.connect(match, 0) as ann:
            version, take = ann.now.version, ann.take_decision()
            append_all = store._append_all

            def fail(*_: object) -> list[bool]:
                raise sa.exc.OperationalError("x", {}, Exception("unreachable"))

            monkeypatch.setattr(store, "_append_all", fail)
            refused = ann.decide(take, id="x", version=version)
            assert getattr(refused, "code", "") == "unavailable"
            monkeypatch.setattr(store, "_append_all", append_all)
            again = ann.decide(take, id="x", version=version)
            assert isinstance(again, Done)
            assert not again.is_repeated


def old_database(version: str, folder: Path) -> tuple[str, int, dict[str, Any]]:
    """Restore a database of an old schema; return its file, the last change, and its matches."""
    file = str(folder / "matches.sqlite")
    with sqlite3.connect(file) as connection:
        connection.executescript((DATABASES / f"{version}.sql").read_text("utf-8"))
        (changed,) = connection.execute("SELECT max(changed) FROM matches").fetchone()
    connection.close()
    return file, changed, json.loads((DATABASES / f"{version}.json").read_text("utf-8"))


def test_an_old_database_keeps_its_matches(tmp_path: Path) -> None:
    file, changed, matches = old_database("0001", tmp_path)
    clock = FakeClock(changed + 1000)
    for _ in range(2):  # migrated, then reopened
        with running(settings_for(tmp_path, database=file), clock) as (api, _):
            for match in matches.values():
                with api.connect(match, 0) as ann:
                    assert [line.decision for line in ann.log] == match["log"]
    with running(settings_for(tmp_path, database=file), clock) as (api, _):
        match = matches["running"]
        with api.connect(match, 0) as ann, api.connect(match, 1) as bob:
            assert ann.now.players[1].name == "Bobby"
            assert ann.now.turn.is_complete  # a provisional decision was stored
            assert isinstance(ann.command("end_turn"), Done)
            bob.play_turn()
        key = {"Authorization": f"Bearer {matches['finished']['seats'][0]['key']}"}
        url = f"/api/matches/{matches['finished']['match']}/record"
        record = api.http.get(url, headers=key).json()
        assert record["decisions"] == matches["finished"]["log"]
        assert record["result"] == {"winners": [1], "reason": "resigned"}


def test_a_migrated_database_has_the_current_schema(tmp_path: Path) -> None:
    old, _, _ = old_database("0001", tmp_path)
    new = str(tmp_path / "new.sqlite")
    columns = []
    for file in (old, new):
        asyncio.run(open_and_close(file))
        engine = create_engine(database_url(file), for_writing=False)
        inspector = sa.inspect(engine)
        columns.append(
            {
                table: [column["name"] for column in inspector.get_columns(table)]
                for table in sorted(inspector.get_table_names())
            }
        )
        engine.dispose()
    assert columns[0] == columns[1]
    assert set(columns[0]) == {"alembic_version", "entries", "matches", "server_state"}


def test_a_newer_database_is_refused(tmp_path: Path) -> None:
    file = str(tmp_path / "matches.sqlite")
    asyncio.run(open_and_close(file))
    engine = create_engine(database_url(file), for_writing=True)
    with engine.begin() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    engine.dispose()
    with pytest.raises(ParureError, match="another version"):
        asyncio.run(open_and_close(file))


def test_expired_matches_are_deleted(tmp_path: Path) -> None:
    with running(settings_for(tmp_path)) as (api, registry):
        match = api.create("Ann", "Bob")
        now = registry.clock.now()
        with api.connect(match, 0):
            loop = registry.sessions[match["match"]]._runner.get_loop()

            def expire(finished_before: int, idle_before: int) -> int:
                work = registry.store.delete_expired(finished_before, idle_before)
                return asyncio.run_coroutine_threadsafe(work, loop).result(60)

            assert expire(now + 10**9, now - 1000) == 0
            assert expire(now - 1000, now + 10**9) == 1
            assert api.http.get("/api/health").status_code == 200
