"""Ahead-of-time compilation on the first start: rules before the server listens, bots after it.

One background process per family of games compiles what the kernel cache lacks, so that the server
stays responsive. A marker file in the cache says what is compiled. Until a bot is compiled, its
match shows it as not ready and waits. `python -m parure.server.warmup duel` is such a process.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from random import Random
from threading import Thread
from time import monotonic, sleep
from typing import NamedTuple, Self

from parure.bots import bot
from parure.games.api import new
from parure.games.engine.jit import JIT, kernel_cache_directory
from parure.games.registry import FAMILIES, GAMES, family_of
from parure.table.preview import preview_decisions

# For each part, a bot that runs it.
RULES, EVALUATION, LINEAR_SEARCH, NETWORK_SEARCH = "random", "greedy", "mcts-linear:1", "mcts:1"
WITHOUT_SEARCH = ("greedy", "level:1", "level:2")
WITHOUT_NETWORK = ("level:3", "level:4", "level:5", "mcts-linear")
BOT_COMPILE_NICENESS = 10  # of a process that compiles bots while players wait for the server
COMPILE_TIMEOUT = 300.0  # seconds until a bot is compiled in the worker that needs it
POLL_INTERVAL = 0.3  # seconds


class KernelGroup(NamedTuple):
    """Kernels that are compiled together: those that a bot runs in a family of games."""

    family: str
    bot: str


def _plans() -> dict[str, tuple[KernelGroup, ...]]:
    """Return, by family, what its process compiles, in this order.

    The process of the first family compiles all evaluations: its rules are the quickest to
    compile, and so both processes end at about the same time.
    """
    plans = {}
    for family in FAMILIES:
        evaluated = FAMILIES if family is FAMILIES[0] else ()
        plans[family.name] = (
            KernelGroup(family.name, RULES),
            *(KernelGroup(other.name, EVALUATION) for other in evaluated),
            KernelGroup(family.name, LINEAR_SEARCH),
            KernelGroup(family.name, NETWORK_SEARCH),
        )
    return plans


PLANS = _plans()
GROUPS = tuple(group for plan in PLANS.values() for group in plan)
_compiled: set[KernelGroup] = set()


def kernel_group(spec: str, game: str) -> KernelGroup:
    """Return the kernels that a bot needs in a game.

    >>> kernel_group("level:1", "duel+counterfeiters"), kernel_group("mcts:1s", "splendor").bot
    (KernelGroup(family='duel', bot='greedy'), 'mcts:1')
    """
    if spec == "random":
        part = RULES
    elif spec in WITHOUT_SEARCH:
        part = EVALUATION
    else:
        part = LINEAR_SEARCH if spec.startswith(WITHOUT_NETWORK) else NETWORK_SEARCH
    return KernelGroup(family_of(game).name, part)


def is_compiled(spec: str, game: str) -> bool:
    """Return whether a bot can decide without compiling first."""
    return _is_compiled(kernel_group(spec, game))


async def wait_until_compiled(spec: str, game: str) -> None:
    """Wait until a bot is compiled; after `COMPILE_TIMEOUT` it compiles when it decides."""
    deadline = monotonic() + COMPILE_TIMEOUT
    while not is_compiled(spec, game) and monotonic() < deadline:
        await asyncio.sleep(POLL_INTERVAL)
    _compiled.add(kernel_group(spec, game))


def compile_all() -> None:
    """Compile, or load from the cache, everything in this process."""
    for group in GROUPS:
        _compile(group)


def load_compiled() -> None:
    """Load the rules, and the bots that are compiled."""
    for group in GROUPS:
        if group.bot == RULES or _is_compiled(group):
            _compile(group)


def _compile(group: KernelGroup) -> None:
    """Compile, or load from the cache, by letting the bot decide in each game of the family."""
    for game in GAMES:
        if family_of(game).name == group.family:
            view = new(game, seed=0).view(0)
            preview_decisions(view)
            player = bot(group.bot)
            player.decide(view, Random(0))
            player.close()
    _compiled.add(group)
    if marker := _marker(group):
        with suppress(OSError):
            marker.touch()


def _is_compiled(group: KernelGroup) -> bool:
    if group not in _compiled:
        marker = _marker(group)
        if marker is None or marker.exists():
            _compiled.add(group)
    return group in _compiled


def _marker(group: KernelGroup) -> Path | None:
    """Return the file that marks a group as compiled; None without a kernel cache."""
    folder = kernel_cache_directory() if JIT else None
    return folder and folder / f"{group.family}-{group.bot.replace(':', '-')}.compiled"


class WarmupProcesses:
    """The background processes that compile what is missing. They end with the server."""

    def __init__(self) -> None:
        self._processes: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> Self:
        for family, plan in PLANS.items():
            if not all(map(_is_compiled, plan)):
                command = [sys.executable, "-m", "parure.server.warmup", family]
                null = subprocess.DEVNULL
                process = subprocess.Popen(command, stdout=null, stderr=null)
                self._processes.append(process)
                # Waited for as soon as it ends: else it is a zombie until the server ends.
                Thread(target=process.wait, name="parure-warmup", daemon=True).start()
        return self

    @property
    def has_rules(self) -> bool:
        """Whether the rules of all games are compiled."""
        return all(_is_compiled(group) for group in GROUPS if group.bot == RULES)

    def wait_for_rules(self) -> None:
        """Wait until the rules are compiled, or no process is left that would compile them."""
        while not self.has_rules and any(process.poll() is None for process in self._processes):
            sleep(0.1)

    def __exit__(self, *_: object) -> None:
        for process in self._processes:
            process.terminate()
            process.wait()


def _run(plan: Iterable[KernelGroup]) -> None:
    """Compile one group after another; those of the bots at low priority."""
    for group in plan:
        if group.bot != RULES and hasattr(os, "nice"):
            os.nice(max(0, BOT_COMPILE_NICENESS - os.nice(0)))
        if not _is_compiled(group):
            _compile(group)


if __name__ == "__main__":
    _run(PLANS[sys.argv[1]])
