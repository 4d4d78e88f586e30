"""Getting ready: the rules and the bots are compiled beside the server, not in it.

Compiling takes a minute where nothing was compiled before, and would make everybody wait. So
another process does it and leaves the machine code on the disk, where the server finds it.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random

from parure.bots import bot
from parure.games import compiled
from parure.games.face import new
from parure.games.rules import GAMES
from parure.server.bodies import NewMatch
from parure.server.match import Match
from parure.server.setups import new_setup
from parure.server.snapshots import Snapshots

PROGRAM = "from parure.server.warming import compile_beside; compile_beside()"
THINKERS = ("greedy", "mcts:1")  # what they need, all bots need


class Warming:
    """How far a server is: first the rules are ready, then the bots."""

    def __init__(self) -> None:
        self.rules = asyncio.Event()
        self.bots = asyncio.Event()

    async def run(self, when_ready: Callable[[], None]) -> None:
        """Get ready, and do something then."""
        marker = _marker()
        if marker is None or marker.exists():
            await self._load_rules()
        else:
            async with _compiling() as process:
                assert process.stdout is not None
                await process.stdout.readline()  # the rules are compiled
                await self._load_rules()
                await process.wait()
        await asyncio.to_thread(warm_bots)
        when_ready()
        self.bots.set()

    async def _load_rules(self) -> None:
        await asyncio.to_thread(warm_rules)
        self.rules.set()


@asynccontextmanager
async def _compiling() -> AsyncIterator[Process]:
    """A process that compiles; it ends with the server."""
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", PROGRAM, stdout=PIPE)
    try:
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()


def compile_beside() -> None:
    """Compile everything, with less right to the processors than the server; run by it."""
    if hasattr(os, "nice"):
        os.nice(5)
    warm_rules()
    sys.stdout.write("the rules are compiled\n")
    sys.stdout.flush()
    warm_bots()


def warm_up() -> None:
    """Have everything compiled, or read from the disk, before anybody waits for it."""
    warm_rules()
    warm_bots()


def warm_rules() -> None:
    """Begin a match of each game as the server does."""
    for game in GAMES:
        asked = {"game": game, "players": [{"name": "Ann"}, {"name": "Bob"}]}
        match = Match("", new_setup(NewMatch.model_validate(asked), 0))
        choices = Snapshots(match, [], 0).of(match.state.seat).choices
        match.apply(match.decide(match.state.seat, [choices[0].decision], True, 0))


def warm_bots() -> None:
    """Let the bots think a little, and note that everything was compiled."""
    for game in GAMES:
        for thinker in THINKERS:
            bot(thinker).decide(new(game, seed=0).view(0), Random(0))
    marker = _marker()
    if marker is not None:
        with contextlib.suppress(OSError):
            marker.touch()


def _marker() -> Path | None:
    """A file that is there once everything was compiled; None where nothing can be kept."""
    folder = compiled.kernel_cache()
    return folder and folder / "server.ready"
