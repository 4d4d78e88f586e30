"""A server on this machine for the tests, and guests who come to it over real sockets."""

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
from parure.server.messages import (
    AnyOutgoing,
    Done,
    Failure,
    NextMatch,
    Refused,
    Snapshot,
    Update,
    Welcome,
)
from parure.server.registry import MatchRegistry
from parure.server.serve import UVICORN_OPTIONS
from parure.server.settings import Settings

HOST = "127.0.0.1"
TIMEOUT = 20.0  # seconds for anything to happen

_decode = msgspec.json.Decoder(AnyOutgoing).decode
_numbers = count(1)


def free_port() -> int:
    """A port that nobody listens at."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
        return port


def wait_for_health(port: int) -> None:
    """Wait until a server answers."""
    give_up = time.monotonic() + 120
    while time.monotonic() < give_up:
        with contextlib.suppress(httpx.HTTPError):
            if httpx.get(f"http://{HOST}:{port}/api/health").status_code == 200:
                return
        time.sleep(0.05)
    raise TimeoutError("the server did not come up")


class ApiClient:
    """An address at which matches can be made and joined."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.http = httpx.Client(base_url=f"http://{HOST}:{port}", timeout=TIMEOUT)

    def create(self, *players: str, **further: Any) -> dict[str, Any]:
        """A new match between persons (`Ann`) and bots (`bot:random`)."""
        people = [{"bot": who[4:]} if who.startswith("bot:") else {"name": who} for who in players]
        body = {"players": people, "begins": 0, **further}
        answer = self.http.post("/api/matches", json=body)
        assert answer.status_code == 201, answer.text
        created: dict[str, Any] = answer.json()
        return created

    def connect(self, match: dict[str, Any], seat: int | None = 0, **hello: Any) -> SocketClient:
        """Somebody with the link of a seat, or (None) of a watcher."""
        key = match["watch"]["key"] if seat is None else match["seats"][seat]["key"]
        return SocketClient(self.port, match["match"], key, **hello)


class SocketClient:
    """A client that remembers the last snapshot, and the log as the contract says to keep it."""

    def __init__(self, port: int, match: str, key: str, **hello: Any) -> None:
        url = f"ws://{HOST}:{port}/api/matches/{match}/socket"
        self._open = contextlib.ExitStack()
        self.link: ClientConnection = self._open.enter_context(
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
        self.leave()

    def leave(self) -> None:
        """Hang up."""
        self._open.close()

    @property
    def now(self) -> Snapshot:
        """How things stand, as far as this client was told."""
        return self._now

    def send(self, **message: Any) -> None:
        """Send a message."""
        self.link.send(msgspec.json.encode(message).decode())

    def receive(self, timeout: float = TIMEOUT) -> AnyOutgoing:
        """The next message."""
        message = _decode(self.link.recv(timeout))
        self.received.append(message)
        if isinstance(message, Welcome | Update | Refused):
            self._now = message.snapshot
            self.log[self._now.log.start :] = self._now.log.lines
        assert isinstance(message, AnyOutgoing)
        return message

    def answer(self, id: str) -> Done | Refused:
        """The answer to a command."""
        while True:
            message = self.receive()
            if isinstance(message, Done | Refused) and message.id == id:
                return message

    def command(self, type: str, **fields: Any) -> Done | Refused:
        """Send a command and wait for its answer."""
        id = fields.pop("id", None) or f"c{next(_numbers)}"
        version = fields.pop("version", self.now.version)
        self.send(type=type, id=id, version=version, **fields)
        return self.answer(id)

    def decide(self, *decisions: str, end_turn: bool = False, **fields: Any) -> Done | Refused:
        """Send decisions."""
        return self.command("decide", decisions=list(decisions), end_turn=end_turn, **fields)

    def any_decision(self, rng: Random) -> str:
        """One of the choices."""
        return rng.choice(self.now.choices).decision

    def until_turn(self) -> None:
        """Wait until it is this client's turn, or the game is over."""
        while not self.now.turn.is_yours and self.now.table.outcome is None:
            self.receive()

    def until_rematch(self) -> NextMatch:
        """Wait for the link to the next match."""
        while (found := self.now.next) is None:
            self.receive()
        return found

    def play_turn(self) -> None:
        """Wait for the own turn, and take it: tokens, and whatever follows."""
        self.until_turn()
        turns = self.now.table.turns
        while self.now.turn.is_yours and self.now.table.turns == turns:
            answer = self.decide(self.now.choices[0].decision, end_turn=True)
            assert isinstance(answer, Done), answer

    def until_version(self, version: int) -> None:
        """Wait until told of a version."""
        while self.now.version < version:
            self.receive()

    def quiet(self, seconds: float = 0.3) -> bool:
        """Whether nothing comes for a while."""
        try:
            self.receive(seconds)
        except TimeoutError:
            return True
        return False

    def closed(self) -> tuple[int, str]:
        """The code with which the server hangs up, and that of the error before."""
        said = ""
        try:
            while True:
                message = self.receive()
                said = message.code if isinstance(message, Failure) else said
        except ConnectionClosed as end:
            return (end.rcvd.code if end.rcvd else 1006), said


@contextlib.contextmanager
def running(settings: Settings) -> Iterator[tuple[ApiClient, MatchRegistry]]:
    """A server in a thread of this process."""
    app = create_app(settings)
    server = uvicorn.Server(uvicorn.Config(app, host=HOST, port=settings.port, **UVICORN_OPTIONS))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    wait_for_health(settings.port)
    api = ApiClient(settings.port)
    try:
        yield api, app.state.registry
    finally:
        api.http.close()
        server.should_exit = True
        thread.join(20)
        assert not thread.is_alive()


class ServerProcess:
    """A server in a process of its own, which can be killed and started again."""

    def __init__(self, database: str, *further: str) -> None:
        self.port = free_port()
        self.api = ApiClient(self.port)
        self._arguments = ["serve", "--host", HOST, "--port", str(self.port), "--no-browser"]
        self._arguments += ["--limits", "0", "--bot-pause", "0", "--database", database, *further]
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
        """End it and its workers at once, as `kill -9` does."""
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


def settings_for(folder: Path, **further: Any) -> Settings:
    """Settings for a server whose database lies in a folder, without limits and pauses."""
    given: dict[str, Any] = {
        "host": HOST,
        "port": free_port(),
        "database": str(folder / "matches.sqlite"),
        "limits": 0,
        "bot_pause": 0,
        "searches": 2,
    }
    return Settings(**(given | further))
