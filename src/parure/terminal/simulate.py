"""Many games between bots: played, kept and summed up.

A series is played in chunks, by this process or by several. Game i depends on the seed and on i
alone, and chunks are taken up in their order, so the processes make no difference to the result.
"""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache
from itertools import repeat
from multiprocessing import get_context
from random import Random
from time import perf_counter
from typing import Self

import numpy as np

from parure.bots import bot
from parure.bots.match_loop import play_decision
from parure.errors import NotationError, ParureError
from parure.games.engine.arrays import Rng
from parure.games.playouts import generators, play_out
from parure.games.record import Record
from parure.games.registry import rules
from parure.games.rules import MENU_WORDS, Rules
from parure.games.state import State
from parure.terminal import record_writer as keeping
from parure.terminal import say
from parure.terminal.progress import progress
from parure.terminal.summary import Tally

PLAIN_CHUNK = 5000  # games inside compiled code take microseconds,
CHUNK = 20  # others milliseconds

RANDOM = "random"  # the bot that the compiled rules can play themselves


@dataclass(frozen=True)
class Series:
    """Games to play: which, by whom, from which seed, and whether they are recorded."""

    game: str
    seats: int
    options: dict[str, bool]
    bots: list[str]
    seed: int
    is_recorded: bool = False

    @classmethod
    def of(
        cls,
        game: str,
        seats: int | None,
        options: dict[str, bool],
        bots: list[str],
        seed: int,
        is_recorded: bool = False,
    ) -> Self:
        """A series as it was asked for; NotationError if there is no such game or bot."""
        seats = rules(game, seats, options).seats
        if len(bots) not in (1, seats):
            raise NotationError(f"{len(bots)} bots for {seats} seats: name one, or one for each")
        for name in bots:
            bot(name)
        everyone = bots if len(bots) == seats else bots * seats
        return cls(game, seats, options, everyone, seed, is_recorded)

    @property
    def rules(self) -> Rules:
        """The rules of every game."""
        return rules(self.game, self.seats, self.options)

    @property
    def is_random(self) -> bool:
        """Whether the compiled rules can choose all decisions."""
        return set(self.bots) == {RANDOM}

    @property
    def is_plain(self) -> bool:
        """Whether whole games can be left to compiled code."""
        return self.is_random and not self.is_recorded


@dataclass(frozen=True)
class Chunk:
    """Some games of a series, played; `first` is the number of the first."""

    first: int
    tally: Tally
    records: list[Record]


def simulate(
    series: Series, number: int, jobs: int, keep: keeping.Keeper | None, as_json: bool
) -> None:
    """Play the first games of a series, keep their records, and print the summary."""
    play_chunk(series, 0, 1)  # compiles, if need be, before the clock and other processes start
    tally = Tally(series.seats)
    start = perf_counter()
    try:
        with progress(number) as advance:
            for chunk in _played(series, number, jobs):
                if keep is not None:
                    keep(chunk.first, chunk.records)
                tally += chunk.tally
                advance(chunk.tally.games)
    except (KeyboardInterrupt, OSError):
        sys.stderr.write(f"parure: stopped after {tally.games:,} games\n")
        raise
    if as_json:
        say(json.dumps({"game": series.game, "bots": series.bots, **tally.summary()}, indent=2))
    else:
        seconds = perf_counter() - start
        say(f"{series.rules.label}: {' against '.join(series.bots)}\n\n{tally}\n")
        say(f"{seconds:.1f} s, {number / seconds:,.0f} games a second")


# --- chunks, here or in other processes -----------------------------------------------------------


def _played(series: Series, number: int, jobs: int) -> Iterator[Chunk]:
    """The chunks of a series, in order."""
    size = PLAIN_CHUNK if series.is_plain else CHUNK
    firsts = range(0, number, size)
    sizes = [min(size, number - first) for first in firsts]
    if jobs == 1 or len(firsts) == 1:
        yield from map(play_chunk, repeat(series), firsts, sizes)
        return
    with ProcessPoolExecutor(
        min(jobs, len(firsts)), get_context("spawn"), initializer=_leave_interrupts_to_parent
    ) as pool:
        try:
            yield from pool.map(play_chunk, repeat(series), firsts, sizes)
        except BrokenProcessPool:
            raise ParureError("a process that played games was killed") from None
        finally:
            pool.shutdown(cancel_futures=True)


def _leave_interrupts_to_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def play_chunk(series: Series, first: int, number: int) -> Chunk:
    """Play some games of a series."""
    chunk = Chunk(first, Tally(series.seats), [])
    rngs = generators(series.seed, first, number)
    if series.is_plain:
        reasons = series.rules.layout.REASONS
        for decisions, turns, reason, winners in play_out(series.rules, rngs).tolist():
            seats = tuple(seat for seat in range(series.seats) if winners >> seat & 1)
            chunk.tally.add(reasons[reason], seats, decisions, turns)
        return chunk
    for rng in rngs:
        state = play_game(series, rng)
        assert state.outcome is not None
        winners, reason = state.outcome.winners, state.outcome.reason
        chunk.tally.add(reason, winners, len(state.decisions), state.turns)
        if series.is_recorded:
            chunk.records.append(state.record())
    return chunk


def play_game(series: Series, rng: Rng) -> State:
    """Play a game; random bots play as they do inside compiled code."""
    by = series.rules
    chance = Random(int(rng[0]))  # the bots' own
    state = by.state_type(by, by.deal(rng), rng, series.bots)
    if series.is_random:
        menu = np.empty(MENU_WORDS, np.int64)
        while not state.is_over:
            state.play(by.kernel.choose(state.words, by.cards, rng, menu))
    else:
        with ExitStack() as stack:
            bots = [bot(name) for name in series.bots]
            for player in bots:
                stack.callback(player.close)
            while not state.is_over:
                if failure := play_decision(state, bots[state.seat], chance):
                    _tell_once(str(failure))
    return state


@cache
def _tell_once(failure: str) -> None:
    """Say how a bot failed; a thousand games may bring it about again."""
    sys.stderr.write(f"parure: {failure}\n")
