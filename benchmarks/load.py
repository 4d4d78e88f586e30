"""Load test: many concurrent matches between scripted players, against a server on this machine.

    python benchmarks/load.py --matches 300 --seconds 60
    python benchmarks/load.py --find-limit
    python benchmarks/load.py --find-limit --source ../before/src --source src

`--find-limit` starts with `--matches` and adds a quarter until 99 of 100 decisions take longer than
`--goal` milliseconds. With several `--source` folders the servers of these versions take turns at
each number of matches, so that what else the machine does disturbs all of them alike.

The players connect over some seconds; measuring starts when all are connected. Each player waits
between half a second and two seconds, sends a random legal decision and waits for `done`. At the
end every match is opened again and its log compared with the acknowledged decisions: none may be
missing. By default the server has one worker and a temporary SQLite file; `--workers`,
`--database` and `--redis` select others. The summary shows the processor time of the players beside
that of the server.
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
from functools import partial
from pathlib import Path
from random import Random
from time import perf_counter, process_time, sleep

import httpx
import msgspec
from load_players import HOST, Player, Tally, decode
from websockets.asyncio.client import connect

ARRIVAL_INTERVAL = 0.05  # seconds between the matches whose players connect
LAST_ANSWERS_TIMEOUT = 10.0  # seconds
GOAL_MS = 150  # 99 of 100 decisions are to be acknowledged within this time
GROWTH = 1.25  # of the number of matches, when looking for the limit


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
            log = message.snapshot.log
            stored = max(stored, log.start + len(log.lines))
        lost += max(0, len(decisions) - stored)
    return lost


@contextlib.contextmanager
def server(source: str, options: list[str]) -> Iterator[tuple[int, subprocess.Popen[bytes]]]:
    """Run a server on a free port, with everything compiled; `source` is its folder of modules."""
    environment = os.environ | ({"PYTHONPATH": source} if source else {})
    warmup = "from parure.server.warmup import compile_all; compile_all()"
    subprocess.run([sys.executable, "-c", warmup], check=True, env=environment)
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port = probe.getsockname()[1]
    program = "from parure.cli import main; main()"
    arguments = ["serve", "--host", HOST, "--port", str(port), "--no-browser", "--limits", "0"]
    process = subprocess.Popen(
        [sys.executable, "-c", program, *arguments, *options],
        stdout=subprocess.DEVNULL,
        env=environment,
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
    """Return the processor time so far of a process and its children (Linux; 0 elsewhere)."""
    try:
        status = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()
    except OSError:
        return 0.0
    own = (int(status[11]) + int(status[12])) / os.sysconf("SC_CLK_TCK")
    return own + sum(processor_seconds(int(child)) for child in children)


def measure(matches: int, source: str, options: argparse.Namespace) -> dict[str, object]:
    """Run a server and play matches on it; return the summary."""
    with tempfile.TemporaryDirectory() as folder:
        database = options.database or f"{folder}/load.sqlite"
        arguments = ["--database", database, "--workers", str(options.workers)]
        if options.redis:
            arguments += ["--redis", options.redis]
        with server(source, arguments) as (port, process):
            work = run(matches, options.seconds, options.game, port, process.pid)
            return {"source": source, "workers": options.workers} | asyncio.run(work)


def find_limits(sources: list[str], options: argparse.Namespace) -> dict[str, int]:
    """Return for each source the largest number of matches within the goal; 0 if there is none."""
    limits, left, matches = dict.fromkeys(sources, 0), list(sources), options.matches
    while left:
        for source in left.copy():
            summary = measure(matches, source, options)
            print(json.dumps(summary), file=sys.stderr, flush=True)
            latency = summary["latency ms, 99th percentile"]
            assert isinstance(latency, float)
            if latency <= options.goal:
                limits[source] = matches
            else:
                left.remove(source)
        matches = round(matches * GROWTH)
    return limits


def main() -> None:
    """Run the benchmark and print its summary."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--matches", type=int, default=300)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--game", default="duel")
    parser.add_argument("--find-limit", action="store_true", help="raise --matches step by step")
    parser.add_argument("--goal", type=float, default=GOAL_MS, help="milliseconds, 99 of 100")
    parser.add_argument("--source", action="append", help="folder with a version of parure")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--database", default="", help="postgresql://…; default: a SQLite file")
    parser.add_argument("--redis", default="")
    options = parser.parse_args()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, 16_384)), hard))
    sources = options.source or [""]
    if options.find_limit:
        print(json.dumps({"goal ms": options.goal, "limits": find_limits(sources, options)}))
        return
    for source in sources:
        print(json.dumps(measure(options.matches, source, options), indent=2))


if __name__ == "__main__":
    main()
