"""A match in memory: many queued commands, refusals, and limits over all sockets of a sender."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from functools import partial
from pathlib import Path

import msgspec
import pytest
from tests.server.clients import HOST, ApiClient, SocketClient, running, settings_for
from tests.server.responses import bearer, error
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from parure.server import limits, session, sockets
from parure.server.limits import Rate
from parure.server.messages import Done, LogPage, Pong, Refused, Steps, Update
from parure.server.registry import MatchRegistry


def test_a_refusal_does_not_grow_with_the_match(api: ApiClient) -> None:
    match = api.create("Ann", "Bob")
    with api.connect(match, 0) as ann, api.connect(match, 1) as bob:
        sizes = []
        for _ in range(3):
            refused = ann.decide("pass", version=10**6)
            assert isinstance(refused, Refused)
            sizes.append(len(msgspec.json.encode(refused)))
            ann.play_turn()
            bob.play_turn()
        assert max(sizes) < 200
        assert ann.command("undo", version=0).version == ann.now.version


def test_queued_commands_do_not_keep_other_matches_waiting(
    api: ApiClient, registry: MatchRegistry
) -> None:
    """Between two jobs of one match everything else may run."""
    match, jobs = api.create("Ann", "Bob"), 20
    with api.connect(match, 0):
        running_session = registry.sessions[match["match"]]
        order: list[str] = []
        is_done = asyncio.Event()

        async def job(number: int) -> None:
            order.append("job")
            if number == jobs - 1:
                is_done.set()

        async def other_match() -> None:
            while not is_done.is_set():
                order.append("other")
                await asyncio.sleep(0)

        async def run_both() -> None:
            for number in range(jobs):
                running_session.post(partial(job, number))
            await asyncio.gather(other_match(), is_done.wait())

        loop = running_session._runner.get_loop()
        asyncio.run_coroutine_threadsafe(run_both(), loop).result(60)
        assert order.count("other") >= jobs / 2


def test_what_others_receive_does_not_wait_for_the_seat_to_move(
    api: ApiClient, registry: MatchRegistry
) -> None:
    """Otherwise the time of an answer would show when that seat tries something out."""
    match = api.create("Ann", "Bob")
    with api.connect(match, 0) as ann, api.connect(match, 1) as bob, api.connect(match, None) as w:
        ann.receive_all()
        running_session, is_stored = registry.sessions[match["match"]], threading.Event()

        async def slow_command() -> None:
            await asyncio.to_thread(is_stored.wait)

        loop = running_session._runner.get_loop()
        loop.call_soon_threadsafe(running_session.post, slow_command)
        try:
            for command in ("undo", "end_turn", "hint", "rematch", "sit_down", "take_back"):
                assert isinstance(bob.command(command), Refused)
                assert isinstance(w.command(command), Refused)
            assert isinstance(bob.decide("take wug"), Refused)
            bob.send(type="steps", start=0, end=5)
            assert any(isinstance(message, Steps) for message in bob.receive_all())
            path, key = f"/api/matches/{match['match']}/record", match["seats"][1]["key"]
            assert error(api.http.get(path, headers=bearer(key))) == (409, "running")
        finally:
            is_stored.set()
        assert isinstance(ann.decide(ann.take_decision()), Done)


def pings(client: SocketClient, number: int) -> None:
    """Send pings until the server closes the socket, which it may do before the last one."""
    with contextlib.suppress(ConnectionClosed):
        for _ in range(number):
            client.send(type="ping")


def test_messages_are_limited_over_all_sockets_of_a_seat(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sockets, "MESSAGES", Rate(10, 0))
    with running(settings_for(tmp_path, limits=1)) as (api, _):
        match = api.create("Ann", "Bob")
        with api.connect(match, 0) as first, api.connect(match, 0) as second:
            pings(first, 9)
            while not isinstance(first.receive(), Pong):
                pass
            pings(second, 9)
            assert second.close_reason() == (4429, "rate")
        with api.connect(match, 1) as bob:  # another seat has its own allowance
            assert bob.receive_all() is not None


def test_messages_are_limited_over_all_seats_of_an_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sockets, "ADDRESS_MESSAGES", Rate(10, 0))
    with running(settings_for(tmp_path, limits=1)) as (api, _):
        one, other = api.create("Ann", "Bob"), api.create("Ann", "Bob")
        with api.connect(one, 0) as first, api.connect(other, 1) as second:
            pings(first, 9)
            while not isinstance(first.receive(), Pong):
                pass
            pings(second, 9)
            assert second.close_reason() == (4429, "rate")


def test_a_client_with_an_old_version_receives_the_match_again(api: ApiClient) -> None:
    match = api.create("Ann", "Bob")
    with api.connect(match, 0) as ann:
        ann.play_turn()
        ann.receive_all()
        ann.send(type="ping", version=ann.now.version)
        ann.send(type="ping", version=0)
        while not isinstance(update := ann.receive(), Update):
            assert isinstance(update, Pong)
        assert update.snapshot.version == ann.now.version
        assert len(update.snapshot.log.lines) == len(ann.log)
        assert ann.receive_all() == []


def test_earlier_lines_of_the_log_can_be_read(api: ApiClient) -> None:
    match = api.create("Ann", "Bob")
    with api.connect(match, 0) as ann, api.connect(match, None) as watcher:
        ann.play_turn()
        for client in (ann, watcher):
            client.send(type="log", before=1)
            while not isinstance(page := client.receive(), LogPage):
                pass
            assert (page.start, [line.decision for line in page.lines]) == (
                0,
                [ann.log[0].decision],
            )


def test_the_tables_around_earlier_lines_can_be_read(api: ApiClient) -> None:
    match = api.create("Ann", "Bob")
    with api.connect(match, 0) as ann, api.connect(match, None) as watcher:
        ann.play_turn()
        for client in (ann, watcher):
            client.send(type="steps", start=0, end=1)
            while not isinstance(steps := client.receive(), Steps):
                pass
            assert [line.decision for line in steps.lines] == [ann.log[0].decision]
            assert steps.tables[0] == client.welcome.snapshot.table


def test_watchers_do_not_take_the_places_of_players(
    api: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session, "MAX_WATCHERS", 3)
    match = api.create("Ann", "Bob")
    with contextlib.ExitStack() as stack:
        for _ in range(3):
            stack.enter_context(api.connect(match, None))
        with pytest.raises(AssertionError, match="too many watchers"):
            api.connect(match, None)
        for seat in (0, 1):
            assert stack.enter_context(api.connect(match, seat)).welcome.seat == seat


def test_a_player_can_always_return(api: ApiClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """The oldest of too many connections of a seat is closed: it may be one that was lost."""
    monkeypatch.setattr(session, "MAX_SEAT_CONNECTIONS", 2)
    match = api.create("Ann", "Bob")
    with contextlib.ExitStack() as stack:
        tabs = [stack.enter_context(api.connect(match, 0)) for _ in range(3)]
        assert tabs[0].close_reason() == (4429, "rate")
        assert isinstance(tabs[2].decide(tabs[2].take_decision()), Done)
        tabs[1].wait_for_version(tabs[2].now.version)


def test_a_command_that_fails_is_answered(
    api: ApiClient, registry: MatchRegistry, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = api.create("Ann", "Bob")
    with api.connect(match, 0) as ann:

        def fail(*_: object) -> None:
            raise RuntimeError("broken")

        monkeypatch.setattr(session, "entry_of", fail)
        refused = ann.decide(ann.take_decision())
        assert isinstance(refused, Refused)
        assert refused.code == "failed"
        monkeypatch.undo()
        assert isinstance(ann.decide(ann.take_decision()), Done)


def test_open_sockets_are_limited_per_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "MAX_SOCKETS", 2)
    with running(settings_for(tmp_path, limits=1)) as (api, _):
        match = api.create("Ann", "Bob")
        with api.connect(match, 0), api.connect(match, 1) as bob:
            url = f"ws://{HOST}:{api.port}/api/matches/{match['match']}/socket"
            with connect(url, compression=None) as third:
                assert msgspec.json.decode(third.recv(10))["code"] == "rate"
            bob.close()
            while True:  # until the server has seen it
                with contextlib.suppress(AssertionError, ConnectionClosed):
                    api.connect(match, None).close()
                    break
