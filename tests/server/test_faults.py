"""What may go wrong: kills, vanished and slow clients, hostile messages, clocks that jump."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import threading
import time
from pathlib import Path
from random import Random
from typing import Any, cast

import msgspec
import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.websockets import WebSocket, WebSocketState
from tests.server.clients import (
    HOST,
    ApiClient,
    ServerProcess,
    SocketClient,
    running,
    settings_for,
)
from websockets.exceptions import ConnectionClosed, InvalidHandshake

import parure
from parure.bots import Answer, Bot, Budget
from parure.errors import ParureError
from parure.games.view import View
from parure.server import bot_pool as bot_pool_module
from parure.server import connection as connection_module
from parure.server import idle_timeout, middleware, scheduler, store
from parure.server.app import create_app
from parure.server.connection import CloseCode, Connection
from parure.server.limits import RateLimiter
from parure.server.messages import Done, Pong
from parure.server.schema import create_engine, database_url
from parure.server.store import Store


def acknowledged_until_killed(
    port: int, match: str, key: str, rng: Random, done: list[str], stop: threading.Event
) -> None:
    """Play a seat, coming back after every kill; what was acknowledged is noted."""
    pending: dict[str, Any] | None = None
    number = 0
    while not stop.is_set():
        try:
            with SocketClient(port, match, key) as client:
                while not stop.is_set():
                    if pending is None:
                        while not client.now.turn.is_yours:
                            if client.now.table.outcome is not None or stop.is_set():
                                return
                            with contextlib.suppress(TimeoutError):
                                client.receive(0.2)
                        number += 1
                        pending = {
                            "type": "decide",
                            "id": f"{key[:6]}-{number}",
                            "version": client.now.version,
                            "decisions": [client.any_decision(rng)],
                            "end_turn": True,
                        }
                    client.send(**pending)
                    answer = client.answer(pending["id"])
                    assert isinstance(answer, Done), answer
                    done.append(pending["decisions"][0])
                    pending = None
        except (OSError, ConnectionClosed, InvalidHandshake, TimeoutError, EOFError):
            time.sleep(0.05)


def kill_under_load(folder: Path, matches: int, kills: int, pause: float) -> None:
    """Matches are played while the server is killed again and again; nothing may be lost."""
    stop = threading.Event()
    with ServerProcess(str(folder / "killed.sqlite")) as server:
        made = [server.api.create("Ann", "Bob", game="splendor") for _ in range(matches)]
        done: dict[str, list[str]] = {match["match"]: [] for match in made}
        threads = [
            threading.Thread(
                target=acknowledged_until_killed,
                args=(
                    server.port,
                    match["match"],
                    match["seats"][seat]["key"],
                    Random(seat),
                    done[match["match"]],
                    stop,
                ),
            )
            for match in made
            for seat in (0, 1)
        ]
        for thread in threads:
            thread.start()
        for _ in range(kills):
            time.sleep(pause)
            server.kill()
            server.start()
        time.sleep(pause)
        stop.set()
        for thread in threads:
            thread.join(60)
            assert not thread.is_alive()
        assert sum(map(len, done.values())) > matches * kills
        for match in made:
            told: list[str] = []
            for seat in (0, 1):
                with server.api.connect(match, seat) as client:
                    told = max(told, [line.decision for line in client.log], key=len)
            assert len(told) >= len(done[match["match"]])
            assert len(told) <= len(done[match["match"]]) + 1  # at most one was not answered


def test_a_killed_server_loses_nothing_it_acknowledged(tmp_path: Path) -> None:
    kill_under_load(tmp_path, matches=4, kills=2, pause=0.7)


@pytest.mark.long
def test_many_kills_under_load(tmp_path: Path) -> None:
    kill_under_load(tmp_path, matches=20, kills=12, pause=1.5)


@pytest.mark.parametrize("player", ["random", "level:1", "level:6"])
def test_a_restart_goes_on_with_a_bots_turn(tmp_path: Path, player: str) -> None:
    """The bot was to move when the server died; nobody is connected, and yet it moves."""
    file = tmp_path / "bots.sqlite"
    with running(settings_for(tmp_path, database=str(file), bot_pause=60)) as (api, _):
        match = api.create("Ann", f"bot:{player}")
        with api.connect(match, 0) as ann:
            ann.play_turn()
    with running(settings_for(tmp_path, database=str(file))) as (api, registry):
        give_up = time.monotonic() + 20
        while time.monotonic() < give_up:
            table = registry.sessions.get(match["match"])
            if table is not None and table.match.mover == 0:
                break
            time.sleep(0.05)
        with api.connect(match, 0) as ann:
            assert ann.now.turn.is_yours
            assert {line.seat for line in ann.log} == {0, 1}


def test_a_client_that_vanishes_harms_nobody(api: ApiClient) -> None:
    match = api.create("Ann", "Bob")
    with api.connect(match, 0) as ann:
        bob = api.connect(match, 1)
        bob.link.socket.shutdown(socket.SHUT_RDWR)  # no farewell
        ann.play_turn()
        with api.connect(match, 1) as back:
            assert back.now.turn.is_yours
        bob.leave()


class Clogged:
    """A socket that takes nothing and says nothing."""

    application_state = WebSocketState.CONNECTED

    def __init__(self) -> None:
        self.closed: tuple[int, str] | None = None

    async def send_text(self, _: str) -> None:
        """Never come to an end."""
        await asyncio.Event().wait()

    async def receive_text(self) -> str:
        """Never come to an end."""
        await asyncio.Event().wait()
        return ""

    async def close(self, code: int, reason: str) -> None:
        """Note how it was closed."""
        self.closed = (code, reason)


@pytest.mark.parametrize("messages", [1, connection_module.MAX_QUEUED_MESSAGES + 5])
def test_a_client_that_does_not_read_is_dropped(
    messages: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Because one message takes too long, or because too many wait; nobody waits for it."""
    monkeypatch.setattr(connection_module, "SEND_TIMEOUT", 0.2 if messages == 1 else 60)

    async def serve() -> tuple[int, str] | None:
        clogged = Clogged()
        client = Connection(cast(WebSocket, clogged), 0, RateLimiter(0))
        task = asyncio.create_task(client.serve(lambda _: None))
        await asyncio.sleep(0)
        start = time.monotonic()
        for _ in range(messages):
            client.send(Pong())
        assert time.monotonic() - start < 0.1
        await asyncio.wait_for(task, 10)
        return clogged.closed

    assert asyncio.run(serve()) == (CloseCode.TOO_SLOW, "too slow")


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        (b"", b""),
        (b"GET /api/health HTTP/1.1\r\nHost: ", b""),
        (b"POST /api/matches HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n\r\n{", b"HTTP/1.1 408"),
    ],
)
def test_whoever_does_not_get_to_the_point_is_hung_up_on(
    said: bytes, answer: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether nothing, half a request or half a body comes: a connection is not held for long."""
    monkeypatch.setattr(idle_timeout, "REQUEST_TIMEOUT", 0.5)
    monkeypatch.setattr(middleware, "REQUEST_TIMEOUT", 0.5)
    with running(settings_for(tmp_path)) as (api, _):
        with socket.create_connection((HOST, api.port), timeout=20) as link:
            link.sendall(said)
            assert link.recv(4096)[:12] == answer
        match = api.create("Ann", "Bob")
        with api.connect(match, 0) as ann:
            time.sleep(1.2)
            ann.play_turn()  # a WebSocket is not taken for silent


HOSTILE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner),
    max_leaves=12,
)
TYPES = st.sampled_from(
    "hello decide end_turn undo take_back resign rematch take_over sit_down hint ping x".split()
)
DECISIONS = st.sampled_from(
    ["take a1", "pass", "buy J1-01", "replenish > www", "reserve deck1", "\0", "take", "é", "claim"]
)
COMMANDS = st.fixed_dictionaries(
    {"type": TYPES},
    optional={
        "id": st.text(max_size=70),
        "version": st.integers(-2, 3) | st.floats(),
        "decisions": st.lists(DECISIONS | st.text(max_size=50), max_size=3) | HOSTILE,
        "end_turn": st.booleans() | st.none(),
        "seat": st.integers(-1, 5),
        "bot": st.text(max_size=50) | st.just("exec:ls"),
        "all": st.booleans(),
        "key": st.text(max_size=70),
        "more": HOSTILE,
    },
)


@settings(
    max_examples=80,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(data=COMMANDS.map(json.dumps) | HOSTILE.map(json.dumps) | st.text() | st.binary())
def test_hostile_messages(api: ApiClient, data: str | bytes) -> None:
    """Whatever is sent, the socket is closed or answered, and the server lives."""
    match = api.create("Ann", "Bob")
    with api.connect(match, 0) as ann, api.connect(match, 1) as bob:
        with contextlib.suppress(ConnectionClosed, TimeoutError):
            ann.link.send(data)
            ann.send(type="ping")
            while True:
                ann.receive(0.02)
        told = msgspec.json.encode(bob.now)
        assert b"Traceback" not in told
    assert api.http.get("/api/health").status_code == 200


def test_a_clock_that_jumps_takes_nobodys_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The wall clock is set two hours on, then two hours back, while a match is on."""
    with running(settings_for(tmp_path)) as (api, registry):
        match = api.create("Ann", "Bob", clock={"kind": "bank", "seconds": 600})
        with api.connect(match, 0) as ann, api.connect(match, 1) as bob:
            real = time.time
            for jump in (7200.0, -7200.0):
                monkeypatch.setattr(
                    "parure.server.clock.time.time", lambda jump=jump: real() + jump
                )
                ann.play_turn()
                bob.play_turn()
            assert ann.now.clock is not None
            left = registry.sessions[match["match"]].match.clocks.left
            assert all(590_000 < milliseconds <= 600_000 for milliseconds in left)


def test_after_a_restart_there_is_time_to_come_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Time that ran out while the server was down is called only after a while."""
    monkeypatch.setattr(scheduler, "RESTART_GRACE_MS", 2500)
    chosen = settings_for(tmp_path)
    with running(chosen) as (api, _):
        match = api.create("Ann", "Bob", clock={"kind": "turn", "seconds": 1})
        with api.connect(match, 0), api.connect(match, 1):
            pass
    time.sleep(1)
    with running(chosen) as (api, registry), api.connect(match, 1) as bob:
        while bob.now.table.outcome is None:
            bob.receive()
        ended = registry.sessions[match["match"]].match.changed_at
        assert ended - registry.started_at >= 2500


def test_a_file_that_is_locked_for_a_while(tmp_path: Path) -> None:
    """Somebody else writes to the SQLite file for a second: the decision waits, and is kept."""
    chosen = settings_for(tmp_path)
    with running(chosen) as (api, _):
        match = api.create("Ann", "Bob")
        engine = create_engine(database_url(chosen.database), for_writing=True)
        with api.connect(match, 0) as ann:
            with engine.begin():
                take = ann.now.choices[0].decision
                ann.send(type="decide", id="x", version=ann.now.version, decisions=[take])
                time.sleep(1)
            assert isinstance(ann.answer("x"), Done)
        engine.dispose()


def test_a_database_that_stays_away_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a while the command is refused, nothing has changed, and the same one works later."""
    monkeypatch.setattr(store, "RETRY_TIMEOUT", 0.3)
    with running(settings_for(tmp_path)) as (api, _):
        match = api.create("Ann", "Bob")
        with api.connect(match, 0) as ann:
            version, take = ann.now.version, ann.now.choices[0].decision
            real = store._append_all

            def fail(*_: object) -> list[bool]:
                raise sa.exc.OperationalError("x", {}, Exception("away"))

            monkeypatch.setattr(store, "_append_all", fail)
            refused = ann.decide(take, id="x", version=version)
            assert getattr(refused, "code", "") == "unavailable"
            monkeypatch.setattr(store, "_append_all", real)
            again = ann.decide(take, id="x", version=version)
            assert isinstance(again, Done)
            assert not again.is_repeated


class Stubborn(Bot):
    """A bot that fails, or decides what is not legal."""

    def choose(self, view: View, rng: Random, budget: Budget | None) -> Answer:
        """Nothing of use."""
        if rng.random() < 0.5:
            raise RuntimeError("no idea")
        return Answer("take z9")


def test_a_bot_that_fails_does_not_stop_the_game() -> None:
    async def decisions() -> list[str]:
        bot_pool = bot_pool_module.BotPool(1)
        view = create_view()
        found = [(await bot_pool.decide(Stubborn(), view)).decision for _ in range(6)]
        bot_pool.close()
        return found

    def create_view() -> View:
        return parure.new("splendor", seed=1).view(0)

    legal = list(create_view().legal_decisions)
    assert all(decision in legal for decision in asyncio.run(decisions()))


class Sleeper(Bot):
    """A bot that takes its time, and notes how many do so at once."""

    at_once = 0
    most = 0
    lock = threading.Lock()

    def choose(self, view: View, rng: Random, budget: Budget | None) -> Answer:
        """Sleep."""
        with self.lock:
            Sleeper.at_once += 1
            Sleeper.most = max(Sleeper.most, Sleeper.at_once)
        time.sleep(0.05)
        with self.lock:
            Sleeper.at_once -= 1
        return Answer(view.legal_decisions[0])


def test_bots_think_in_their_order_and_not_too_many_at_once() -> None:
    view = parure.new("splendor", seed=1).view(0)

    async def think() -> tuple[list[int], float]:
        bot_pool = bot_pool_module.BotPool(2)
        order: list[int] = []

        async def ask(number: int) -> None:
            await bot_pool.decide(Sleeper(), view)
            order.append(number)

        longest = 0.0

        async def beat() -> None:
            nonlocal longest
            while True:
                start = time.monotonic()
                await asyncio.sleep(0.005)
                longest = max(longest, time.monotonic() - start)

        pulse = asyncio.create_task(beat())
        await asyncio.gather(*(ask(number) for number in range(10)))
        pulse.cancel()
        bot_pool.close()
        return order, longest

    order, longest = asyncio.run(think())
    assert Sleeper.most == 2
    assert all(abs(place - number) <= 1 for place, number in enumerate(order))
    assert longest < 0.5  # the loop went on


def test_a_database_of_the_future_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "matches.sqlite"

    async def opened() -> None:
        kept = Store(str(file))
        try:
            await kept.open()
        finally:
            await kept.close()

    asyncio.run(opened())
    engine = create_engine(database_url(str(file)), for_writing=True)
    with engine.begin() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    engine.dispose()
    with pytest.raises(ParureError, match="another version"):
        asyncio.run(opened())


def test_old_matches_are_forgotten(tmp_path: Path) -> None:
    with running(settings_for(tmp_path)) as (api, registry):
        match = api.create("Ann", "Bob")
        now = registry.clock.now()
        kept: Store = registry.store

        def expire(finished: int, idle: int) -> int:
            work = kept.delete_expired(finished, idle)
            loop = registry.sessions[match["match"]]._runner.get_loop()
            return asyncio.run_coroutine_threadsafe(work, loop).result(10)

        with api.connect(match, 0):
            assert expire(now + 10**9, now - 1000) == 0
            assert expire(now - 1000, now + 10**9) == 1
            assert api.http.get("/api/health").status_code == 200


def test_an_app_can_be_made_without_running_it(tmp_path: Path) -> None:
    assert create_app(settings_for(tmp_path)).title == "Parure"
