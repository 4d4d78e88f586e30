"""Load test: many concurrent matches between scripted players, against a server of one worker.

    python benchmarks/load.py --matches 300 --seconds 60

The players connect over some seconds; measuring starts when all are connected. Each player waits
between half a second and two seconds, sends a random legal decision and waits for `done`. At the
end every match is opened again and its log compared with the acknowledged decisions: none may be
missing. The server runs on this machine with a temporary SQLite file; the summary shows the
processor time of the players beside that of the server.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import resource
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from time import perf_counter, process_time, sleep

import httpx
import msgspec
from msgspec import Struct
from websockets.asyncio.client import connect

HOST = "127.0.0.1"
THINKING_SECONDS = (0.5, 2.0)  # between a player's turn and its decision
ARRIVAL_INTERVAL = 0.05  # seconds between the matches whose players connect
LAST_ANSWERS_TIMEOUT = 10.0  # seconds
TEXT, PING, PONG = 1, 9, 10  # opcodes of frames


class Choice(Struct):
    """A legal decision."""

    decision: str


class Turn(Struct):
    """Whose turn it is."""

    is_yours: bool


class Table(Struct):
    """Whether the game is over."""

    outcome: object | None


class Line(Struct):
    """One decision of the log."""

    seat: int
    decision: str


class Log(Struct):
    """The end of the log, from line `start` on."""

    start: int
    lines: list[Line]


class Snapshot(Struct):
    """The fields of a snapshot that a scripted player uses."""

    version: int
    table: Table
    turn: Turn
    choices: list[Choice]
    log: Log


class Message(Struct):
    """The fields of a message that a scripted player uses."""

    type: str
    id: str = ""
    code: str = ""
    snapshot: Snapshot | None = None


decode = msgspec.json.Decoder(Message).decode
encode = msgspec.json.Encoder().encode


@dataclass
class Tally:
    """The measurements of all players."""

    latencies: list[float] = field(default_factory=list)
    acknowledged: dict[str, list[str]] = field(default_factory=dict)  # decisions, by match
    refused: int = 0
    unanswered: int = 0
    finished: int = 0


class WebSocketProtocol(asyncio.Protocol):
    """A minimal WebSocket client.

    With a library, six hundred players would need more processor time than the server.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._received = b""
        self._is_open = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Send the opening handshake."""
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        lines = (
            f"GET {self._path} HTTP/1.1",
            f"Host: {HOST}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        )
        transport.write("\r\n".join((*lines, "", "")).encode())

    def data_received(self, data: bytes) -> None:
        """Handle the complete frames."""
        arrived = perf_counter()
        self._received += data
        if not self._is_open:
            head, end, rest = self._received.partition(b"\r\n\r\n")
            if not end:
                return
            assert head.startswith(b"HTTP/1.1 101"), head
            self._is_open, self._received = True, rest
            self.opened()
        while len(self._received) >= 2:
            size, start = self._received[1], 2
            if size >= 126:
                start = 4 if size == 126 else 10
                size = int.from_bytes(self._received[2:start])
            end_of_frame = start + size
            if len(self._received) < end_of_frame:
                return
            kind, payload = self._received[0] & 15, self._received[start:end_of_frame]
            self._received = self._received[end_of_frame:]
            if kind == TEXT:
                self.message_received(payload, arrived)
            elif kind == PING:
                self.send(payload, PONG)

    def send(self, payload: bytes, kind: int = TEXT) -> None:
        """Send a short frame, masked with zeros."""
        size = bytes([128 + len(payload)] if len(payload) < 126 else [254, 0, len(payload)])
        self.transport.write(bytes([128 + kind]) + size + bytes(4) + payload)

    def opened(self) -> None:
        """Called when the handshake is complete."""

    def message_received(self, payload: bytes, arrived: float) -> None:
        """Called with each text message and the time of its arrival."""


class Player(WebSocketProtocol):
    """One seat of one match: waits, decides, waits for the answer."""

    def __init__(
        self, match: str, key: str, rng: Random, start: float, end: float, tally: Tally
    ) -> None:
        super().__init__(f"/api/matches/{match}/socket")
        self.over: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._match, self._key, self._rng = match, key, rng
        self._start, self._end, self._tally = start, end, tally
        self._now: Snapshot | None = None
        self._decision = ""  # sent, and not yet answered
        self._sent = 0.0
        self._number = 0
        self._is_thinking = False

    def opened(self) -> None:
        """Say hello."""
        self.send(encode({"type": "hello", "key": self._key}))

    def connection_lost(self, error: Exception | None) -> None:
        """Fail unless this player has left."""
        if not self.over.done():
            self.over.set_exception(error or ConnectionError("the server closed the connection"))

    def message_received(self, payload: bytes, arrived: float) -> None:
        """Record the answer to a decision, and schedule the next one."""
        message = decode(payload)
        self._now = message.snapshot or self._now
        if self._decision and message.type in ("done", "refused"):
            if self._sent > self._start:
                self._tally.latencies.append(arrived - self._sent)
            if message.type == "done":
                self._tally.acknowledged.setdefault(self._match, []).append(self._decision)
            else:
                self._tally.refused += 1
            self._decision = ""
        now = self._now
        if now is not None and now.table.outcome is not None:
            self._tally.finished += 1
            self.leave()
        elif now is not None and now.turn.is_yours and not (self._decision or self._is_thinking):
            self._is_thinking = True
            delay = self._rng.uniform(*THINKING_SECONDS)
            asyncio.get_running_loop().call_later(delay, self._decide)

    def _decide(self) -> None:
        """Send a random legal decision."""
        self._is_thinking = False
        if perf_counter() > self._end:
            return
        assert self._now is not None
        self._number += 1
        self._decision = self._rng.choice(self._now.choices).decision
        command = {
            "type": "decide",
            "id": f"{self._key[:6]}{self._number}",
            "version": self._now.version,
            "decisions": [self._decision],
            "end_turn": True,
        }
        self._sent = perf_counter()
        self.send(encode(command))

    def leave(self) -> None:
        """Close the connection; a decision without an answer counts as unanswered."""
        if not self.over.done():
            self.over.set_result(None)
            self._tally.unanswered += bool(self._decision)
        self.transport.close()


async def count_lost(url: str, keys: dict[str, list[str]], tally: Tally) -> int:
    """Return the number of acknowledged decisions that are missing from the logs."""
    lost = 0
    for match, decisions in tally.acknowledged.items():
        stored = 0
        for key in keys[match]:  # the seat to move also sees its provisional decisions
            async with connect(f"{url}/api/matches/{match}/socket", compression=None) as client:
                hello = {"type": "hello", "key": key}
                await client.send(msgspec.json.encode(hello).decode())
                message = decode(await client.recv())
            assert message.snapshot is not None
            stored = max(stored, len(message.snapshot.log.lines))
        lost += max(0, len(decisions) - stored)
    return lost


@contextlib.contextmanager
def server(folder: str) -> Iterator[tuple[int, subprocess.Popen[bytes]]]:
    """Run a server on a free port, with everything compiled."""
    warmup = "from parure.server.warmup import compile_all; compile_all()"
    subprocess.run([sys.executable, "-c", warmup], check=True)
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port = probe.getsockname()[1]
    program = "from parure.cli import main; main()"
    arguments = ["serve", "--host", HOST, "--port", str(port), "--no-browser", "--limits", "0"]
    arguments += ["--database", f"{folder}/load.sqlite"]
    process = subprocess.Popen(
        [sys.executable, "-c", program, *arguments], stdout=subprocess.DEVNULL
    )
    try:
        for _ in range(600):
            with contextlib.suppress(httpx.HTTPError):
                if httpx.get(f"http://{HOST}:{port}/api/health").is_success:
                    break
            sleep(0.5)
        yield port, process
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(20)


async def run(matches: int, seconds: float, game: str, port: int, server: int) -> dict[str, object]:
    """Play matches on a server and return the summary; `server` is its process id."""
    rng = Random(7)
    tally = Tally()
    http, ws = f"http://{HOST}:{port}", f"ws://{HOST}:{port}"
    body = {"game": game, "players": [{"name": "Ann"}, {"name": "Bob"}], "begins": 0}
    keys = {}
    async with httpx.AsyncClient(timeout=60) as client:
        created = [
            (await client.post(f"{http}/api/matches", json=body)).json() for _ in range(matches)
        ]
    players_before = process_time()
    start = perf_counter() + matches * ARRIVAL_INTERVAL + 2
    end = start + seconds
    loop = asyncio.get_running_loop()
    players = []
    for match in created:
        keys[match["match"]] = [seat["key"] for seat in match["seats"]]
        for key in keys[match["match"]]:
            seed = Random(rng.random())
            factory = partial(Player, match["match"], key, seed, start, end, tally)
            _, player = await loop.create_connection(factory, HOST, port)
            players.append(player)
        await asyncio.sleep(ARRIVAL_INTERVAL)
    await asyncio.sleep(start - perf_counter())
    server_before = processor_seconds(server)
    await asyncio.sleep(end - perf_counter())
    server_seconds = processor_seconds(server) - server_before
    await asyncio.sleep(LAST_ANSWERS_TIMEOUT)
    for player in players:
        player.leave()
        await player.over
    player_seconds = process_time() - players_before
    lost = await count_lost(ws, keys, tally)
    ordered = sorted(tally.latencies)

    def percentile(percent: float) -> float:
        index = int(percent / 100 * len(ordered))
        return round(1000 * ordered[min(len(ordered) - 1, index)], 1)

    return {
        "game": game,
        "matches": matches,
        "seconds": seconds,
        "decisions": len(ordered),
        "decisions per second": round(len(ordered) / seconds, 1),
        "latency ms, median": percentile(50),
        "latency ms, 90th percentile": percentile(90),
        "latency ms, 99th percentile": percentile(99),
        "latency ms, maximum": percentile(100),
        "refused": tally.refused,
        "unanswered": tally.unanswered,
        "lost": lost,
        "games finished": tally.finished // 2,
        "processor ms of the server per decision": round(1000 * server_seconds / len(ordered), 2),
        "processor seconds of the server": round(server_seconds, 1),
        "processor seconds of the players": round(player_seconds, 1),
    }


def processor_seconds(pid: int) -> float:
    """Return the processor time of a process so far (Linux; 0 elsewhere)."""
    try:
        status = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(status[11]) + int(status[12])) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Run the benchmark and print its summary."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--matches", type=int, default=300)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--game", default="duel")
    options = parser.parse_args()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, 4096)), hard))
    with tempfile.TemporaryDirectory() as folder, server(folder) as (port, process):
        summary = asyncio.run(
            run(options.matches, options.seconds, options.game, port, process.pid)
        )
    print(json.dumps(summary, indent=2))


if __name__ == "__main__":
    main()
