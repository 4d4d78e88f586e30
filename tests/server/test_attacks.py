"""Attacks on a running server with its usual limits, while somebody else plays.

The attackers come from other addresses than the player. What a player waits is compared with what
the same player waited before the attack, and bounded generously: the attacks once stopped the
server for minutes.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import httpx
import msgspec
import pytest
from tests.server.clients import HOST, ApiClient, ServerProcess
from tests.server.responses import bearer, duel_record
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from parure.server.messages import Done, Refused

pytestmark = pytest.mark.long

COMMANDS = 58  # of each attacking socket
ATTACK_TIMEOUT = 60.0  # seconds for which an attack may go on
MAX_WAIT = 5.0  # seconds for one answer to the player during an attack
MAX_GROWTH = 200  # megabytes


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServerProcess]:
    """A server with its usual limits."""
    options = ("--limits", "1", "--bot-memory", "128")
    with ServerProcess(str(tmp_path / "matches.sqlite"), *options) as process:
        yield process


def memory(server: ServerProcess) -> float:
    """Return the resident memory of the server in megabytes."""
    assert server._process is not None
    status = Path(f"/proc/{server._process.pid}/status").read_text("ascii")
    return int(re.findall(r"VmRSS:\s+(\d+) kB", status)[0]) / 1024


@contextlib.contextmanager
def client_of(server: ServerProcess, address: str) -> Iterator[ApiClient]:
    """A client whose requests come, as a proxy reports, from an address."""
    api = ApiClient(server.port)
    api.http.headers["X-Forwarded-For"] = address
    with api.http:
        yield api


class Attacker:
    """A socket of a seat or a watcher, from some address."""

    def __init__(self, port: int, match: str, key: str, address: str) -> None:
        self._url = f"ws://{HOST}:{port}/api/matches/{match}/socket"
        self._key, self._address = key, address
        self.answers: list[str] = []

    async def run(self, attack: Callable[[ClientConnection], Awaitable[None]]) -> None:
        """Connect, attack, and read answers until the server closes or nothing more comes."""
        headers = {"X-Forwarded-For": self._address}
        with contextlib.suppress(ConnectionClosed, OSError, TimeoutError):
            async with connect(
                self._url, compression=None, max_size=None, additional_headers=headers
            ) as socket:
                await socket.send(msgspec.json.encode({"type": "hello", "key": self._key}).decode())
                await attack(socket)
                while True:
                    message = msgspec.json.decode(await asyncio.wait_for(socket.recv(), 3))
                    self.answers.append(message["type"])


async def send_stale_commands(socket: ClientConnection) -> None:
    """Send commands that are all refused."""
    for number in range(COMMANDS):
        command = {"type": "undo", "id": f"{number}", "version": 0}
        await socket.send(msgspec.json.encode(command).decode())


def waits(api: ApiClient, is_over: Callable[[], bool]) -> list[float]:
    """Return how long a player waited for each answer, until something is over."""
    match = api.create("Ann", "Bob")
    found: list[float] = []
    with api.connect(match) as ann:
        while not is_over() or len(found) < 5:
            started = time.monotonic()
            assert isinstance(ann.decide(ann.take_decision()), Done)
            assert isinstance(ann.command("undo"), Done)
            found.append(time.monotonic() - started)
            time.sleep(0.2)
    return found


def long_match(api: ApiClient) -> dict[str, Any]:
    """Create a match at the end of a game."""
    record = duel_record()
    body = {"record": record, "players": [{"name": "Eve"}, {"name": "Dan"}], "creator": 0}
    body["at"] = len(record["decisions"]) - 1
    response = api.http.post("/api/matches/import", json=body)
    assert response.status_code == 201, response.text
    created: dict[str, Any] = response.json()
    return created


@pytest.mark.parametrize("is_long", [False, True])
@pytest.mark.parametrize("sockets", [38, 114])
def test_stale_commands_over_many_sockets(
    server: ServerProcess, sockets: int, is_long: bool
) -> None:
    """Once 38 sockets stopped the server for up to 23 s, and 114 for more than a minute."""
    with client_of(server, "192.0.2.1") as eve:
        match = long_match(eve) if is_long else eve.create("Eve", "Dan")
    before = waits(server.api, lambda: True)
    used = memory(server)

    async def attack() -> list[str]:
        key = match["seats"][0]["key"]
        attackers = [
            Attacker(server.port, match["match"], key, f"192.0.2.{1 + number // 38}")
            for number in range(sockets)
        ]
        running = [attacker.run(send_stale_commands) for attacker in attackers]
        await asyncio.wait_for(asyncio.gather(*running), ATTACK_TIMEOUT)
        return [answer for attacker in attackers for answer in attacker.answers]

    async def attack_and_play() -> tuple[list[str], list[float]]:
        attacking = asyncio.create_task(attack())
        playing = asyncio.create_task(asyncio.to_thread(waits, server.api, attacking.done))
        return await attacking, await playing

    answers, during = asyncio.run(attack_and_play())
    assert answers.count("refused") < sockets * COMMANDS / 2, "the seat's messages are limited"
    assert max(during) < max(MAX_WAIT, 10 * max(before))
    assert memory(server) - used < MAX_GROWTH


def test_searches_of_many_resigned_matches(server: ServerProcess) -> None:
    """Once 20 such matches used 4.7 GB, and another person's bot waited for 47 s."""
    bots = ("bot:mcts:5s",) * 3
    with client_of(server, "192.0.2.1") as eve:
        matches = [eve.create("Eve", *bots, game="splendor") for _ in range(20)]
    used, done = memory(server), asyncio.Event()

    async def resign_and_stay(socket: ClientConnection) -> None:
        version = msgspec.json.decode(await socket.recv())["snapshot"]["version"]
        command = {"type": "resign", "id": "resign", "version": version}
        await socket.send(msgspec.json.encode(command).decode())
        await done.wait()

    async def attack_and_play() -> float:
        attacks = [
            Attacker(server.port, match["match"], match["seats"][0]["key"], "192.0.2.1")
            for match in matches
        ]
        running = [asyncio.create_task(one.run(resign_and_stay)) for one in attacks]
        await asyncio.sleep(3)
        waited = await asyncio.to_thread(wait_for_bot, server.api)
        done.set()
        await asyncio.gather(*running)
        return waited

    waited = asyncio.run(attack_and_play())
    assert waited < 30, "one thought of the others, and its own"
    assert memory(server) - used < MAX_GROWTH + 128


def wait_for_bot(api: ApiClient) -> float:
    """Return how long a player waits for the turn of a bot."""
    with api.connect(api.create("Ann", "bot:mcts:200", game="splendor")) as ann:
        assert isinstance(ann.decide(ann.take_decision(), end_turn=True), Done)
        started = time.monotonic()
        ann.wait_for_turn()
        return time.monotonic() - started


def test_watchers_do_not_lock_a_player_out(server: ServerProcess) -> None:
    match = server.api.create("Ann", "Bob")
    is_played = asyncio.Event()

    async def stay(_: ClientConnection) -> None:
        await is_played.wait()

    async def attack_and_play() -> None:
        key = match["watch"]["key"]
        attackers = [
            Attacker(server.port, match["match"], key, f"198.51.100.{1 + number // 38}")
            for number in range(210)
        ]
        running = [asyncio.create_task(one.run(stay)) for one in attackers]
        await asyncio.sleep(3)
        await asyncio.to_thread(play)
        is_played.set()
        await asyncio.gather(*running)

    def play() -> None:
        with server.api.connect(match) as ann:
            assert isinstance(ann.decide(ann.take_decision(), end_turn=True), Done)

    asyncio.run(attack_and_play())


def test_private_attempts_are_not_seen(server: ServerProcess) -> None:
    """The opponent receives nothing, and no number that both can read moves."""
    api = server.api
    match = api.create("Ann", "Bob")
    address, key = f"/api/matches/{match['match']}", match["seats"][1]["key"]
    with api.connect(match) as ann, api.connect(match, seat=1) as bob:
        ann.receive_all()
        bob.receive_all()
        summary = api.http.get(address, headers=bearer(key)).json()
        for _ in range(20):
            assert isinstance(ann.decide(ann.take_decision()), Done)
            assert isinstance(ann.command("undo"), Done)
        bob.send(type="ping", version=bob.now.version)
        assert bob.receive_all() == []
        assert api.http.get(address, headers=bearer(key)).json() == summary


def test_the_end_cannot_be_taken_back_once_the_decks_are_known(server: ServerProcess) -> None:
    api = server.api
    match = api.create("Ann", "bot:random")
    with api.connect(match) as ann:
        rng = Random(7)
        while ann.now.table.outcome is None:
            ann.wait_for_turn()
            if ann.now.turn.is_yours:
                ann.decide(ann.random_decision(rng), end_turn=True)
        assert ann.now.turn.can_take_back
        address = f"/api/matches/{match['match']}/record"
        assert "setup" in api.http.get(address, headers=bearer(match["seats"][0]["key"])).json()
        ann.receive_all()
        refused = ann.command("take_back")
        assert isinstance(refused, Refused)
        assert refused.code == "no_take_back"
        assert not ann.now.turn.can_take_back


def test_a_record_with_known_decks_is_reshuffled_between_persons(server: ServerProcess) -> None:
    record = duel_record()
    body: dict[str, Any] = {"record": record, "at": 2, "creator": 0, "shuffle": False}
    people = {**body, "players": [{"name": "Ann"}, {"name": "Bob"}]}
    alone = {**body, "players": [{"name": "Ann"}, {"bot": "random"}]}
    created = [server.api.http.post("/api/matches/import", json=one) for one in (people, alone)]
    assert [one.json()["has_known_decks"] for one in created] == [False, True]


@pytest.mark.parametrize("path", ["/%00", "/" + "a" * 300, "/api/matches/%00"])
def test_strange_requests_are_answered(server: ServerProcess, path: str) -> None:
    for headers in ({}, {"Origin": "http://["}):
        answer = httpx.get(f"http://{HOST}:{server.port}{path}", headers=headers)
        assert 400 <= answer.status_code < 500
        assert "Content-Security-Policy" in answer.headers
