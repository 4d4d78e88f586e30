"""Compiling ahead, on the first start: the rules before anybody comes, the bots meanwhile.

Two processes compile side by side, so that the server stays quick; a mark beside the machine code
says what is done. Whoever plays against a bot that is not ready yet is told so, and waits for it.
`python -m parure.server.warmup 0` is the first of these processes.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from random import Random
from time import monotonic, sleep
from typing import NamedTuple, Self

from parure.bots import bot
from parure.games.api import new
from parure.games.engine.jit import JIT, kernel_cache_directory
from parure.games.registry import GAMES
from parure.table.preview import preview_decisions

RULES, LOOK_AHEAD, SEARCH = "random", "greedy", "mcts:1"  # a bot that needs each
QUICK = ("greedy", "level:1", "level:2")  # they search in no game
BOT_COMPILE_NICENESS = 10  # how much a process that compiles bots steps back behind the others
COMPILE_TIMEOUT = 300.0  # seconds; then a bot is compiled where it is to think


class KernelGroup(NamedTuple):
    """Something to compile: a bot that needs it, in a game."""

    game: str
    bot: str


LANES = (  # one for each process: first what is needed first
    (KernelGroup("duel", RULES), KernelGroup("duel", SEARCH)),
    (
        KernelGroup("splendor", RULES),
        KernelGroup("duel", LOOK_AHEAD),
        KernelGroup("splendor", LOOK_AHEAD),
        KernelGroup("splendor", SEARCH),
    ),
)
PARTS = tuple(part for lane in LANES for part in lane)
_known: set[KernelGroup] = set()


def kernel_group(spec: str, game: str) -> KernelGroup:
    """What a bot needs in a game.

    >>> kernel_group("level:1", "duel+counterfeiters"), kernel_group("mcts:1s", "splendor").bot
    (KernelGroup(game='duel', bot='greedy'), 'mcts:1')
    """
    kind = RULES if spec == "random" else LOOK_AHEAD if spec in QUICK else SEARCH
    return KernelGroup(game.partition("+")[0], kind)


def is_compiled(spec: str, game: str) -> bool:
    """Whether a bot can think at once."""
    return _is_done(kernel_group(spec, game))


async def wait_until_compiled(spec: str, game: str) -> None:
    """Wait until a bot can think at once; what is not compiled in time is compiled as it thinks."""
    give_up = monotonic() + COMPILE_TIMEOUT
    while not is_compiled(spec, game) and monotonic() < give_up:
        await asyncio.sleep(0.3)
    _known.add(kernel_group(spec, game))


def compile_all() -> None:
    """Compile or load everything here and now."""
    for part in PARTS:
        _prepare(part)


def load_compiled() -> None:
    """Load the rules, and the bots that have been compiled."""
    for part in PARTS:
        if part.bot == RULES or _is_done(part):
            _prepare(part)


def _prepare(part: KernelGroup) -> None:
    """Use what is to be ready, in all games that share it."""
    for game in GAMES:
        if game.partition("+")[0] == part.game:
            view = new(game, seed=0).view(0)
            preview_decisions(view)
            player = bot(part.bot)
            player.decide(view, Random(0))
            player.close()
    _known.add(part)
    if mark := _mark(part):
        with suppress(OSError):
            mark.touch()


def _is_done(part: KernelGroup) -> bool:
    if part in _known:
        return True
    mark = _mark(part)
    if mark is None or mark.exists():
        _known.add(part)
    return part in _known


def _mark(part: KernelGroup) -> Path | None:
    """The file that says that a part is compiled; None where nothing is kept."""
    folder = kernel_cache_directory() if JIT else None
    return folder and folder / f"{part.game}-{part.bot.replace(':', '-')}.prepared"


class WarmupProcesses:
    """The processes that compile what is missing; they end with the server."""

    def __init__(self) -> None:
        self._processes: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> Self:
        for number, lane in enumerate(LANES):
            if not all(map(_is_done, lane)):
                command = [sys.executable, "-m", "parure.server.warmup", str(number)]
                quiet = subprocess.DEVNULL
                self._processes.append(subprocess.Popen(command, stdout=quiet, stderr=quiet))
        return self

    @property
    def has_rules(self) -> bool:
        """Whether tables can be shown."""
        return all(_is_done(part) for part in PARTS if part.bot == RULES)

    def wait_for_rules(self) -> None:
        """Wait until tables can be shown; what fails there will be done here."""
        while not self.has_rules and any(process.poll() is None for process in self._processes):
            sleep(0.1)

    def __exit__(self, *_: object) -> None:
        for process in self._processes:
            process.terminate()
            process.wait()


def _follow(lane: tuple[KernelGroup, ...]) -> None:
    """Compile one thing after another; bots politely."""
    for part in lane:
        if part.bot != RULES and hasattr(os, "nice"):
            os.nice(max(0, BOT_COMPILE_NICENESS - os.nice(0)))
        if not _is_done(part):
            _prepare(part)


if __name__ == "__main__":
    _follow(LANES[int(sys.argv[1])])
