"""Load: many matches between scripted players over WebSockets, against a server of one worker.

    python benchmarks/load.py --matches 300 --seconds 60

Persons arrive over some seconds; measuring begins when all are there. Each thinks between half a
second and two seconds, then sends a random legal decision and waits for `done`. At the end every
match is opened once more and its log compared with what was acknowledged: nothing may be missing.
The server runs on this machine, with a SQLite file of its own; what the players themselves need of
the machine is told beside what the server needs.
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
THOUGHT = (0.5, 2.0)  # seconds
ARRIVAL = 0.05  # seconds between the first persons of two matches
PATIENCE = 10.0  # seconds for the last answers
TEXT, PING, PONG = 1, 9, 10  # kinds of frames


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
    """Some lines of the log."""

    start: int
    lines: list[Line]


class Snapshot(Struct):
    """What a scripted player looks at."""

    version: int
    table: Table
    turn: Turn
    choices: list[Choice]
    log: Log


class Message(Struct):
    """Any message, as far as a scripted player understands it."""

    type: str
    id: str = ""
    code: str = ""
    snapshot: Snapshot | None = None


decode = msgspec.json.Decoder(Message).decode
encode = msgspec.json.Encoder().encode


@dataclass
class Tally:
    """What all players saw."""

    latencies: list[float] = field(default_factory=list)
    acknowledged: dict[str, list[str]] = field(default_factory=dict)  # decisions, by match
    refused: int = 0
    unanswered: int = 0
    finished: int = 0


class Link(asyncio.Protocol):
    """As much of a WebSocket as the server makes use of.

    With a library, six hundred players need more of the machine than the server they measure.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._received = b""
        self._is_open = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for a WebSocket."""
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
        """Take the frames that are complete."""
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
                self.redact(payload, arrived)
            elif kind == PING:
                self.send(payload, PONG)

    def send(self, payload: bytes, kind: int = TEXT) -> None:
        """Send a short frame; its mask is all zeros, which changes nothing."""
        size = bytes([128 + len(payload)] if len(payload) < 126 else [254, 0, len(payload)])
        self.transport.write(bytes([128 + kind]) + size + bytes(4) + payload)

    def opened(self) -> None:
        """The WebSocket is there."""

    def redact(self, payload: bytes, arrived: float) -> None:
        """A message came, at a time."""


class Player(Link):
    """One seat of one match: thinks, decides, waits for the answer."""

    def __init__(
        self, match: str, key: str, rng: Random, begin: float, until: float, tally: Tally
    ) -> None:
        super().__init__(f"/api/matches/{match}/socket")
        self.over: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._match, self._key, self._rng = match, key, rng
        self._begin, self._until, self._tally = begin, until, tally
        self._now: Snapshot | None = None
        self._decision = ""  # sent, and not yet answered
        self._sent = 0.0
        self._number = 0
        self._is_thinking = False

    def opened(self) -> None:
        """Say hello."""
        self.send(encode({"type": "hello", "key": self._key}))

    def connection_lost(self, error: Exception | None) -> None:
        """Nothing more will come; that the server hangs up is a failure."""
        if not self.over.done():
            self.over.set_exception(error or ConnectionError("the server hung up"))

    def redact(self, payload: bytes, arrived: float) -> None:
        """Note the answer to a decision, and think about the next one."""
        message = decode(payload)
        self._now = message.snapshot or self._now
        if self._decision and message.type in ("done", "refused"):
            if self._sent > self._begin:
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
            thought = self._rng.uniform(*THOUGHT)
            asyncio.get_running_loop().call_later(thought, self._decide)

    def _decide(self) -> None:
        """Send any legal decision."""
        self._is_thinking = False
        if perf_counter() > self._until:
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
        """Hang up; whoever still waits for an answer after the end has lost a decision."""
        if not self.over.done():
            self.over.set_result(None)
            self._tally.unanswered += bool(self._decision)
        self.transport.close()


async def count_lost(url: str, keys: dict[str, list[str]], tally: Tally) -> int:
    """How many acknowledged decisions are missing from the logs."""
    lost = 0
    for match, decisions in tally.acknowledged.items():
        told = 0
        for key in keys[match]:  # the seat to move also sees what it can still undo
            async with connect(f"{url}/api/matches/{match}/socket", compression=None) as link:
                hello = {"type": "hello", "key": key}
                await link.send(msgspec.json.encode(hello).decode())
                message = decode(await link.recv())
            assert message.snapshot is not None
            told = max(told, len(message.snapshot.log.lines))
        lost += max(0, len(decisions) - told)
    return lost


@contextlib.contextmanager
def server(folder: str) -> Iterator[tuple[int, subprocess.Popen[bytes]]]:
    """A server of its own, on a free port; nothing is left for it to compile."""
    compiling = "from parure.server.warmup import compile_all; compile_all()"
    subprocess.run([sys.executable, "-c", compiling], check=True)
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
    """Create the matches and let them be played by a server's process; gives the summary."""
    rng = Random(7)
    tally = Tally()
    http, ws = f"http://{HOST}:{port}", f"ws://{HOST}:{port}"
    body = {"game": game, "players": [{"name": "Ann"}, {"name": "Bob"}], "begins": 0}
    keys = {}
    async with httpx.AsyncClient(timeout=60) as client:
        made = [
            (await client.post(f"{http}/api/matches", json=body)).json() for _ in range(matches)
        ]
    played = process_time()
    begin = perf_counter() + matches * ARRIVAL + 2
    until = begin + seconds
    loop = asyncio.get_running_loop()
    players = []
    for match in made:
        keys[match["match"]] = [seat["key"] for seat in match["seats"]]
        for key in keys[match["match"]]:
            seed = Random(rng.random())
            who = partial(Player, match["match"], key, seed, begin, until, tally)
            _, player = await loop.create_connection(who, HOST, port)
            players.append(player)
        await asyncio.sleep(ARRIVAL)
    await asyncio.sleep(begin - perf_counter())
    before = processor_seconds(server)
    await asyncio.sleep(until - perf_counter())
    served = processor_seconds(server) - before
    await asyncio.sleep(PATIENCE)
    for player in players:
        player.leave()
        await player.over
    played = process_time() - played
    lost = await count_lost(ws, keys, tally)
    ordered = sorted(tally.latencies)

    def share(of: float) -> float:
        return round(1000 * ordered[min(len(ordered) - 1, int(of * len(ordered)))], 1)

    return {
        "game": game,
        "matches": matches,
        "seconds": seconds,
        "decisions": len(ordered),
        "a second": round(len(ordered) / seconds, 1),
        "half within ms": share(0.5),
        "90 of 100 within ms": share(0.9),
        "99 of 100 within ms": share(0.99),
        "all within ms": share(1.0),
        "refused": tally.refused,
        "unanswered": tally.unanswered,
        "lost": lost,
        "games finished": tally.finished // 2,
        "server's processor ms a decision": round(1000 * served / len(ordered), 2),
        "server's processor seconds": round(served, 1),
        "players' processor seconds": round(played, 1),
    }


def processor_seconds(pid: int) -> float:
    """How much a process has computed so far (Linux; 0 elsewhere)."""
    try:
        status = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(status[11]) + int(status[12])) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--matches", type=int, default=300)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--game", default="duel")
    asked = parser.parse_args()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, 4096)), hard))
    with tempfile.TemporaryDirectory() as folder, server(folder) as (port, process):
        summary = asyncio.run(run(asked.matches, asked.seconds, asked.game, port, process.pid))
    print(json.dumps(summary, indent=2))


if __name__ == "__main__":
    main()
