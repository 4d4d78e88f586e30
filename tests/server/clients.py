"""A server on this machine for the tests, and clients that use it over HTTP and real sockets."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, Self

import httpx
import msgspec
import uvicorn
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from parure.server.app import create_app
from parure.server.clock import WallClock
from parure.server.messages import (
    AnyOutgoing,
    Done,
    Failure,
    NextMatch,
    Pong,
    Refused,
    Snapshot,
    Update,
    Welcome,
)
from parure.server.registry import MatchRegistry
from parure.server.serve import UVICORN_OPTIONS
from parure.server.settings import Settings

HOST = "127.0.0.1"
METRICS_TOKEN = "a-token-of-the-tests"
TIMEOUT = 60.0  # seconds for any single response; a slow machine must not fail a test

_decode = msgspec.json.Decoder(AnyOutgoing).decode
_command_numbers = count(1)


class FakeClock:
    """A clock that only moves when a test says so."""

    def __init__(self, now: int = 1_000_000_000_000) -> None:
        self._now = now

    def now(self) -> int:
        """Return the time in milliseconds."""
        return self._now

    def advance(self, registry: MatchRegistry, seconds: float) -> None:
        """Move the clock forward, and let all matches check their deadlines."""
        self._now += round(1000 * seconds)
        for session in registry.sessions.values():
            loop = session._runner.get_loop()
            loop.call_soon_threadsafe(session.scheduler.update)


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
        return port


def wait_for_health(port: int) -> None:
    """Wait until a server answers."""
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        with contextlib.suppress(httpx.HTTPError):
            if httpx.get(f"http://{HOST}:{port}/api/health").status_code == 200:
                return
        time.sleep(0.05)
    raise TimeoutError("the server did not start")


class ApiClient:
    """An HTTP client that creates matches and connects to them."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.http = httpx.Client(base_url=f"http://{HOST}:{port}", timeout=TIMEOUT)

    def create(self, *players: str, **fields: Any) -> dict[str, Any]:
        """Create a match between persons (`Ann`) and bots (`bot:random`)."""
        people = [{"bot": who[4:]} if who.startswith("bot:") else {"name": who} for who in players]
        body = {"players": people, "begins": 0, **fields}
        response = self.http.post("/api/matches", json=body)
        assert response.status_code == 201, response.text
        created: dict[str, Any] = response.json()
        return created

    def connect(self, match: dict[str, Any], seat: int | None = 0, **hello: Any) -> SocketClient:
        """Connect with the key of a seat, or (None) of watchers."""
        key = match["watch"]["key"] if seat is None else match["seats"][seat]["key"]
        return SocketClient(self.port, match["match"], key, **hello)


class SocketClient:
    """A WebSocket client that keeps the last snapshot, and the log as the protocol prescribes."""

    def __init__(self, port: int, match: str, key: str, **hello: Any) -> None:
        url = f"ws://{HOST}:{port}/api/matches/{match}/socket"
        self._stack = contextlib.ExitStack()
        self.socket: ClientConnection = self._stack.enter_context(
            connect(url, compression=None, max_size=None)
        )
        self.log: list[Any] = []
        self.received: list[AnyOutgoing] = []
        self.send(type="hello", key=key, **hello)
        first = self.receive()
        assert isinstance(first, Welcome), first
        self.welcome = first

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the socket."""
        self._stack.close()

    @property
    def now(self) -> Snapshot:
        """The last snapshot."""
        return self._now

    def send(self, **message: Any) -> None:
        """Send a message."""
        self.socket.send(msgspec.json.encode(message).decode())

    def receive(self, timeout: float = TIMEOUT) -> AnyOutgoing:
        """Return the next message."""
        message = _decode(self.socket.recv(timeout))
        self.received.append(message)
        if isinstance(message, Welcome | Update):
            self._now = message.snapshot
            self.log[self._now.log.start :] = self._now.log.lines
        assert isinstance(message, AnyOutgoing)
        return message

    def receive_all(self) -> list[AnyOutgoing]:
        """Return all messages that the server has already queued: those before a pong."""
        self.send(type="ping")
        messages: list[AnyOutgoing] = []
        while not isinstance(message := self.receive(), Pong):
            messages.append(message)
        return messages

    def answer(self, id: str) -> Done | Refused:
        """Wait for the answer to a command."""
        while True:
            message = self.receive()
            if isinstance(message, Done | Refused) and message.id == id:
                return message

    def command(self, type: str, **fields: Any) -> Done | Refused:
        """Send a command and wait for its answer."""
        id = fields.pop("id", None) or f"command {next(_command_numbers)}"
        version = fields.pop("version", self.now.version)
        self.send(type=type, id=id, version=version, **fields)
        return self.answer(id)

    def decide(self, *decisions: str, end_turn: bool = False, **fields: Any) -> Done | Refused:
        """Send decisions and wait for the answer."""
        return self.command("decide", decisions=list(decisions), end_turn=end_turn, **fields)

    def random_decision(self, rng: Random) -> str:
        """Return one of the legal decisions."""
        return rng.choice(self.now.choices).decision

    def take_decision(self) -> str:
        """Return a decision that completes the turn and reveals nothing."""
        return next(c.decision for c in self.now.choices if c.decision.startswith("take"))

    def wait_for_turn(self) -> None:
        """Wait until it is this seat's turn, or the game is over."""
        while not self.now.turn.is_yours and self.now.table.outcome is None:
            self.receive()

    def wait_for_end(self) -> None:
        """Wait until the game is over."""
        while self.now.table.outcome is None:
            self.receive()

    def wait_for_rematch(self) -> NextMatch:
        """Wait for the key of the next match."""
        while (next_match := self.now.next) is None:
            self.receive()
        return next_match

    def wait_for_version(self, version: int) -> None:
        """Wait for a version of the match."""
        while self.now.version < version:
            self.receive()

    def play_turn(self) -> None:
        """Wait for this seat's turn, and play the first legal decisions until it ends."""
        self.wait_for_turn()
        turns = self.now.table.turns
        while self.now.turn.is_yours and self.now.table.turns == turns:
            answer = self.decide(self.now.choices[0].decision, end_turn=True)
            assert isinstance(answer, Done), answer

    def close_reason(self) -> tuple[int, str]:
        """Wait until the server closes the socket; return the close code and the error's code."""
        error_code = ""
        try:
            while True:
                message = self.receive()
                error_code = message.code if isinstance(message, Failure) else error_code
        except ConnectionClosed as end:
            return (end.rcvd.code if end.rcvd else 1006), error_code


@contextlib.contextmanager
def running(
    settings: Settings, clock: WallClock | None = None
) -> Iterator[tuple[ApiClient, MatchRegistry]]:
    """Run a server in a thread of this process."""
    app = create_app(settings, clock)
    config = uvicorn.Config(app, host=HOST, port=settings.port, **UVICORN_OPTIONS)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    wait_for_health(settings.port)
    api = ApiClient(settings.port)
    try:
        yield api, app.state.registry
    finally:
        api.http.close()
        server.should_exit = True
        thread.join(TIMEOUT)
        assert not thread.is_alive()


class ServerProcess:
    """A server in a separate process, which can be killed and started again."""

    def __init__(self, database: str, *options: str) -> None:
        self.port = free_port()
        self.api = ApiClient(self.port)
        self._arguments = ["serve", "--host", HOST, "--port", str(self.port), "--no-browser"]
        self._arguments += ["--limits", "0", "--bot-pause", "0", "--database", database, *options]
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, and wait until it answers."""
        program = "from parure.cli import main; main()"
        self._process = subprocess.Popen(
            [sys.executable, "-c", program, *self._arguments],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        wait_for_health(self.port)

    def kill(self) -> None:
        """Kill it and its workers, as `kill -9` does."""
        assert self._process is not None
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait(20)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
        self.api.http.close()


def settings_for(folder: Path, **fields: Any) -> Settings:
    """Return settings with a database in a folder, and without rate limits and pauses."""
    defaults: dict[str, Any] = {
        "host": HOST,
        "port": free_port(),
        "database": str(folder / "matches.sqlite"),
        "limits": 0,
        "bot_pause": 0,
        "metrics_token": METRICS_TOKEN,
        "searches": 2,
    }
    return Settings(**(defaults | fields))
