"""Links to seats: a renewed one opens the seat, the one before does not."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path

from tests.server.clients import TIMEOUT, ApiClient, SocketClient, running, settings_for
from tests.server.responses import bearer
from tests.server.test_sockets import rejection

from parure.server.messages import Done, Update
from parure.server.registry import MatchRegistry

NEW_KEY = "A" * 24


def test_a_renewed_link_opens_the_seat_and_the_old_one_does_not(api: ApiClient) -> None:
    match = api.create("Ann", "Bob")
    old = match["seats"][1]["key"]
    with (
        api.connect(match, 0) as ann,
        api.connect(match, 1) as bob,
        api.connect(match, 1) as thief,
        api.connect(match, None) as watcher,
    ):
        ann.receive_all()
        assert isinstance(bob.command("renew_link", key=NEW_KEY), Done)
        assert thief.close_reason() == (4401, "link")
        again = bob.command("renew_link", key=NEW_KEY)  # bob is still there
        assert isinstance(again, Done)
        seen = [*ann.receive_all(), *watcher.receive_all()]
        assert not [message for message in seen if isinstance(message, Update)]
    assert rejection(api, match["match"], type="hello", key=old) == (4401, "link")
    url = f"/api/matches/{match['match']}"
    assert api.http.get(url, headers=bearer(old)).status_code == 404
    assert api.http.get(url, headers=bearer(NEW_KEY)).json()["seat"] == 1
    with SocketClient(api.port, match["match"], NEW_KEY) as bob:
        assert bob.welcome.seat == 1
    with api.connect(match, 0) as ann:  # the other links still work
        assert ann.welcome.seat == 0


def test_a_new_key_must_be_long(api: ApiClient) -> None:
    match = api.create("Ann", "Bob")
    with api.connect(match, 0) as ann:
        ann.send(type="renew_link", id="r", version=0, key="short")
        assert ann.close_reason()[0] == 4400


def test_a_renewed_link_survives_a_restart(tmp_path: Path) -> None:
    settings = settings_for(tmp_path)
    with running(settings) as (api, _):
        match = api.create("Ann", "Bob")
        with api.connect(match, 0) as ann:
            assert isinstance(ann.command("renew_link", key=NEW_KEY), Done)
    with running(settings) as (api, _):
        key = match["seats"][0]["key"]
        assert rejection(api, match["match"], type="hello", key=key) == (4401, "link")
        with SocketClient(api.port, match["match"], NEW_KEY) as ann:
            assert ann.welcome.seat == 0


def test_commands_that_wait_while_a_link_is_renewed_are_not_carried_out(
    api: ApiClient, registry: MatchRegistry
) -> None:
    match = api.create("Ann", "Bob")
    with api.connect(match, 0) as ann, api.connect(match, 0) as thief:
        session = registry.sessions[match["match"]]
        loop, may_go_on = session._runner.get_loop(), asyncio.Event()

        async def wait() -> None:
            await may_go_on.wait()

        loop.call_soon_threadsafe(session.post, wait)
        ann.send(type="renew_link", id="r", version=0, key=NEW_KEY)
        wait_until(lambda: session._jobs.qsize() == 1)
        thief.send(type="decide", id="d", version=0, decisions=[thief.take_decision()])
        wait_until(lambda: session._jobs.qsize() == 2)
        loop.call_soon_threadsafe(may_go_on.set)
        assert isinstance(ann.answer("r"), Done)
        assert thief.close_reason() == (4401, "link")
        ann.receive_all()
        assert ann.log == []


def wait_until(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + TIMEOUT
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.01)
