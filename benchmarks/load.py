"""Load: many matches between scripted players over WebSockets, against a server of one worker.

    python benchmarks/load.py --matches 300 --seconds 60

Persons arrive over some seconds; measuring begins when all are there. Each thinks between half a
second and two seconds, then sends a random legal decision and waits for `done`. At the end every
match is opened once more and its log compared with what was acknowledged: nothing may be missing.
The server runs on this machine, with a SQLite file of its own.
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
from pathlib import Path
from random import Random
from time import perf_counter

import httpx
import msgspec
from msgspec import Struct
from websockets.asyncio.client import connect

HOST = "127.0.0.1"
THOUGHT = (0.5, 2.0)  # seconds
ARRIVAL = 0.05  # seconds between the first persons of two matches
PATIENCE = 30.0  # seconds for any one answer


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


@dataclass
class Tally:
    """What all players saw."""

    latencies: list[float] = field(default_factory=list)
    acknowledged: dict[str, list[str]] = field(default_factory=dict)  # decisions, by match
    refused: int = 0
    finished: int = 0


async def play(
    url: str, match: str, key: str, rng: Random, begin: float, until: float, tally: Tally
) -> None:
    """One seat of one match: think, decide, wait for the answer; measured once all have come."""
    async with connect(f"{url}/api/matches/{match}/socket", compression=None) as link:
        await link.send(msgspec.json.encode({"type": "hello", "key": key}).decode())
        number = 0
        now: Snapshot | None = None
        while perf_counter() < until:
            if now is None or not now.turn.is_yours or not now.choices:
                try:
                    async with asyncio.timeout(max(0.1, until - perf_counter())):
                        message = decode(await link.recv())
                except TimeoutError:
                    return
                now = message.snapshot or now
                if now is not None and now.table.outcome is not None:
                    tally.finished += 1
                    return
                continue
            await asyncio.sleep(rng.uniform(*THOUGHT))
            decision = rng.choice(now.choices).decision
            number += 1
            command = {
                "type": "decide",
                "id": f"{key[:6]}{number}",
                "version": now.version,
                "decisions": [decision],
                "end_turn": True,
            }
            sent = perf_counter()
            await link.send(msgspec.json.encode(command).decode())
            answer = None
            async with asyncio.timeout(PATIENCE):
                while answer is None or answer.type not in ("done", "refused"):
                    answer = decode(await link.recv())
                    now = answer.snapshot or now
            if sent > begin:
                tally.latencies.append(perf_counter() - sent)
            if answer.type == "done":
                tally.acknowledged.setdefault(match, []).append(decision)
            else:
                tally.refused += 1
            if now.table.outcome is not None:
                tally.finished += 1
                return


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
    """A server of its own, on a free port."""
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
                if httpx.get(f"http://{HOST}:{port}/api/health").status_code == 200:
                    break
            subprocess.run(["sleep", "0.2"], check=True)
        yield port, process
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(20)


async def run(matches: int, seconds: float, game: str, port: int) -> dict[str, object]:
    """Create the matches and let them be played; gives the summary."""
    rng = Random(7)
    tally = Tally()
    http, ws = f"http://{HOST}:{port}", f"ws://{HOST}:{port}"
    body = {"game": game, "players": [{"name": "Ann"}, {"name": "Bob"}], "begins": 0}
    keys = {}
    async with httpx.AsyncClient() as client:
        made = [
            (await client.post(f"{http}/api/matches", json=body)).json() for _ in range(matches)
        ]
    begin = perf_counter() + matches * ARRIVAL + 2
    until = begin + seconds
    async with asyncio.TaskGroup() as group:
        for match in made:
            keys[match["match"]] = [seat["key"] for seat in match["seats"]]
            for seat in match["seats"]:
                seed = Random(rng.random())
                who = ws, match["match"], seat["key"]
                group.create_task(play(*who, seed, begin, until, tally))
            await asyncio.sleep(ARRIVAL)
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
        "lost": lost,
        "games finished": tally.finished // 2,
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
        before = processor_seconds(process.pid)
        summary = asyncio.run(run(asked.matches, asked.seconds, asked.game, port))
        summary["server's processor seconds"] = round(processor_seconds(process.pid) - before, 1)
    print(json.dumps(summary, indent=2))


if __name__ == "__main__":
    main()
