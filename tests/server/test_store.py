"""The database: interruptions, migrations, expiry."""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
import time
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from tests.server.clients import FakeClock, running, settings_for
from tests.server.matches import new_match
from tests.server.responses import error

from parure.errors import ParureError
from parure.server import store
from parure.server.log_entries import Joined
from parure.server.messages import Done
from parure.server.schema import create_engine, database_url
from parure.server.store import Append, MatchIndex, NewMatch, Store

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
    assert set(columns[0]) == {
        "alembic_version",
        "entries",
        "matches",
        "reviews",
        "server_state",
    }


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


@pytest.mark.skipif(os.name != "posix", reason="permissions are those of POSIX")
def test_the_database_is_readable_by_its_owner_only(tmp_path: Path) -> None:
    """Also the journals, which hold the same."""
    before = os.umask(0o022)
    try:
        settings = settings_for(tmp_path, database=str(tmp_path / "new" / "matches.sqlite"))
        with running(settings) as (api, _):
            api.create("Ann", "Bob")
            files = sorted((tmp_path / "new").iterdir())
            modes = {file.name: file.stat().st_mode & 0o777 for file in files}
    finally:
        os.umask(before)
    assert modes.pop("matches.sqlite") == 0o600
    assert len(modes) == 2
    assert set(modes.values()) == {0o600}


def fail_to_insert(*_: object) -> list[bool]:
    raise sa.exc.IntegrityError("x", {}, sqlite3.IntegrityError("constraint failed"))


def test_an_unexpected_error_of_the_database_is_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Over the socket and over HTTP; the server is unhealthy, and goes on."""
    with running(settings_for(tmp_path)) as (api, registry):
        match = api.create("Ann", "Bob")
        with api.connect(match, 0) as ann:
            monkeypatch.setattr(store, "_append_all", fail_to_insert)
            monkeypatch.setattr(store, "_create", fail_to_insert)
            take, version = ann.take_decision(), ann.now.version
            refused = ann.decide(take, id="x", version=version)
            assert getattr(refused, "code", "") == "failed"
            body: dict[str, Any] = {"players": [{}, {}]}
            assert error(api.http.post("/api/matches", json=body)) == (503, "failed")
            with pytest.raises(AssertionError, match="failed"):
                api.connect(match, 1)  # the arrival cannot be stored
            health = api.http.get("/api/health")
            assert (health.status_code, health.json()["status"]) == (503, "database failed")
            monkeypatch.undo()
            assert isinstance(ann.decide(take, id="x", version=version), Done)
            monkeypatch.setattr(registry.store, "_failed_at", None)  # after some time
            assert api.http.get("/api/health").status_code == 200


def test_one_entry_that_cannot_be_stored_does_not_affect_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Many entries share a transaction."""
    append_all = store._append_all

    def fail_for_one(appends: list[Append], connection: sa.Connection) -> list[bool]:
        if any(append.match == "bad" for append in appends):
            fail_to_insert()
        return append_all(appends, connection)

    async def append_both() -> list[bool | BaseException]:
        database = Store(str(tmp_path / "matches.sqlite"))
        await database.open()
        try:
            match = new_match("Ann", "Bob")
            appends = []
            for id in ("first", "bad", "last"):
                await database.create(NewMatch(id, match.setup))
                index = MatchIndex.of(match)
                appends.append(Append(id, 0, Joined(at=1, seat=0, name="Ann"), index))
            monkeypatch.setattr(store, "_append_all", fail_for_one)
            work = [database.append(append) for append in appends]
            return await asyncio.gather(*work, return_exceptions=True)
        finally:
            await database.close()

    first, bad, last = asyncio.run(append_both())
    assert first is last is True
    assert isinstance(bad, store.DatabaseFailed)


def test_a_damaged_match_is_reported_and_the_others_are_played(tmp_path: Path) -> None:
    settings = settings_for(tmp_path)
    with running(settings) as (api, _):
        damaged, sound = api.create("Ann", "Bob"), api.create("Ann", "Bob")
        for match in (damaged, sound):
            with api.connect(match, 0):
                pass
    with sqlite3.connect(settings.database) as connection:
        update = "UPDATE entries SET entry = x'7b' WHERE match_id = ?"
        connection.execute(update, (damaged["match"],))
    connection.close()
    with running(settings) as (api, _):
        url = f"/api/matches/{damaged['match']}"
        key = {"Authorization": f"Bearer {damaged['seats'][0]['key']}"}
        assert error(api.http.get(url, headers=key)) == (500, "damaged")
        with pytest.raises(AssertionError, match="damaged"):
            api.connect(damaged, 0)
        assert api.http.get("/api/health").status_code == 503
        with api.connect(sound, 0) as ann:
            assert isinstance(ann.decide(ann.take_decision()), Done)


def test_a_damaged_file_is_refused_at_the_start(tmp_path: Path) -> None:
    settings = settings_for(tmp_path)
    with running(settings) as (api, _):
        api.create("Ann", "Bob")
    with sqlite3.connect(settings.database) as connection:
        query = "SELECT rootpage FROM sqlite_master WHERE name = 'ix_matches_changed'"
        ((page,),) = connection.execute(query)
        ((size,),) = connection.execute("PRAGMA page_size")
    connection.close()
    with Path(settings.database).open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xff" * 64)
    with pytest.raises(ParureError, match="damaged"):
        asyncio.run(open_and_close(settings.database))


def test_health_checks_that_something_can_be_stored(tmp_path: Path) -> None:
    """As with a full disk, the database can be read and not written."""
    with running(settings_for(tmp_path)) as (api, registry):
        threads, engine = registry.store._write_threads, registry.store._write_engine

        def set_read_only(is_read_only: bool) -> None:
            connection = engine.raw_connection()
            connection.cursor().execute(f"PRAGMA query_only = {int(is_read_only)}")
            connection.close()

        threads.submit(set_read_only, True).result()
        health = api.http.get("/api/health")
        assert (health.status_code, health.json()["status"]) == (503, "no database")
        threads.submit(set_read_only, False).result()
        assert api.http.get("/api/health").status_code == 200


def test_the_match_time_continues_where_the_last_run_ended(tmp_path: Path) -> None:
    """Whatever the wall clock says; all workers of a run agree."""

    async def offsets() -> list[int]:
        database = Store(str(tmp_path / "matches.sqlite"))
        await database.open()
        try:
            found = [await database.start_run("a", 1000)]
            await database.store_time(5000)
            await database.store_time(4000)  # of a worker that is late
            found.append(await database.start_run("b", 9_000_000))
            await database.store_time(7000)
            found.append(await database.start_run("b", 9_003_000))
            found.append(await database.start_run("c", 100))
        finally:
            await database.close()
        return found

    assert asyncio.run(offsets()) == [0, 5000 - 9_000_000, 5000 - 9_000_000, 7000 - 100]


def test_entries_of_many_matches_share_a_transaction(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those that arrive one after another too: a commit costs as much as many entries."""
    monkeypatch.setattr(store, "MIN_WRITE_INTERVAL", 0.2)
    append_all, sizes = store._append_all, []

    def noting(appends: list[Append], connection: sa.Connection) -> list[bool]:
        sizes.append(len(appends))
        return append_all(appends, connection)

    async def append_slowly() -> None:
        database = Store(str(tmp_path / "matches.sqlite"))
        await database.open()
        match = new_match("Ann", "Bob")
        ids = [f"match {number}" for number in range(20)]
        for id in ids:
            await database.create(NewMatch(id, match.setup))
        monkeypatch.setattr(store, "_append_all", noting)
        work = []
        for id in ids:
            entry, index = Joined(at=1, seat=0, name="Ann"), MatchIndex.of(match)
            append = Append(id, 0, entry, index)
            work.append(asyncio.create_task(database.append(append)))
            while not work[0].done() and id == ids[0]:
                await asyncio.sleep(0.001)  # the first is written at once
            await asyncio.sleep(0)
        assert all(await asyncio.gather(*work))
        await database.close()

    asyncio.run(append_slowly())
    assert sizes == [1, 19]
