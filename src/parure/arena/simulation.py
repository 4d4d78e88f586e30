"""Play many games between bots and count how they end.

Games are played in chunks, by this process or by several. Game i depends only on the seed and on
i, and chunks are counted in order, so the number of processes does not change the result.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache
from itertools import repeat
from multiprocessing import get_context
from random import Random
from typing import Literal, Self

from parure.arena.participants import Participants, pickled, unpickled
from parure.arena.record_writer import RecordWriter
from parure.arena.tally import Tally
from parure.bots import Answer, Bot, BotLike
from parure.bots.match_loop import play_decision
from parure.errors import NotationError, ParureError
from parure.games.engine.arrays import Rng
from parure.games.playouts import generators, play_out
from parure.games.position import Outcome
from parure.games.random_records import random_records
from parure.games.record import Record, Thought
from parure.games.registry import rules
from parure.games.rules import Rules
from parure.games.state import State

COMPILED_CHUNK = 5000  # games that compiled code plays alone take microseconds,
RECORDED_CHUNK = 500  # with their records about a tenth of a millisecond,
CHUNK = 20  # other games milliseconds and more

VALUE_DIGITS = 4  # of a recorded value

Kept = Literal["results", "records", "thoughts"]
"""What is kept of each game: its result, also its record, or also what searching bots thought."""

RANDOM = "random"  # the bot that the compiled rules contain


@dataclass(frozen=True)
class Series:
    """The games to play: the rules, the name of the bot at each seat, and the seed."""

    game: str
    seats: int
    options: dict[str, bool]
    participants: Participants
    lineup: list[str]
    seed: int
    kept: Kept = "results"

    @classmethod
    def create(
        cls,
        game: str,
        bots: BotLike | Sequence[BotLike],
        seats: int | None = None,
        seed: int = 0,
        options: Mapping[str, bool] | None = None,
        kept: Kept = "results",
    ) -> Self:
        """Return a series of games, after making each bot once to check it.

        Args:
            game: `splendor`, `duel` or `duel+counterfeiters`.
            bots: One for all seats, or a list with one for each seat.
            seats: The number of players, where the game leaves a choice.
            seed: The same seed gives the same games.
            options: Options of the game.
            kept: What is kept besides the results: the `"records"`, or records with the
                `"thoughts"` of searching bots.

        Raises:
            NotationError: No such game, option or bot, or a wrong number of bots.
        """
        seats = rules(game, seats, options).seats
        bots = [bots] if isinstance(bots, str | Bot) or callable(bots) else list(bots)
        if len(bots) not in (1, seats):
            raise NotationError(
                f"{len(bots)} bots for {seats} seats: name one for all, or one for each"
            )
        participants = Participants(bots)
        participants.check()
        names = participants.names
        lineup = names if len(names) == seats else names * seats
        return cls(game, seats, dict(options or {}), participants, lineup, seed, kept)

    @property
    def rules(self) -> Rules:
        """The rules of every game."""
        return rules(self.game, self.seats, self.options)

    @property
    def is_recorded(self) -> bool:
        """Whether the records are kept."""
        return self.kept != "results"

    @property
    def is_random(self) -> bool:
        """Whether the compiled rules can choose all decisions."""
        return set(self.lineup) == {RANDOM}

    @property
    def is_compiled(self) -> bool:
        """Whether compiled code can play whole games."""
        return self.is_random and not self.is_recorded

    @property
    def chunk_size(self) -> int:
        """The number of games that are played and counted together."""
        if self.is_compiled:
            return COMPILED_CHUNK
        return RECORDED_CHUNK if self.is_random else CHUNK

    def warm_up(self) -> None:
        """Compile in this process; processes started later load the result."""
        if self.is_random:
            play_chunk(self, 0, 1)
        else:
            self.participants.warm_up(self.rules)


@dataclass(frozen=True)
class Chunk:
    """Some games of a series, played; `first` is the number of the first."""

    first: int
    tally: Tally
    records: list[Record]


def simulate(
    game: str,
    bots: BotLike | Sequence[BotLike] = RANDOM,
    *,
    games: int = 1000,
    seats: int | None = None,
    seed: int = 0,
    options: Mapping[str, bool] | None = None,
    jobs: int = 1,
    write_records: RecordWriter | None = None,
    thoughts: bool = False,
) -> Tally:
    """Let bots play many games and return how they ended.

    Bots are specifications, your own :class:`parure.Bot` objects, or functions that make one.
    With `jobs` above 1 worker processes must be able to import these functions: define them at the
    top level of a module, and call this under `if __name__ == "__main__":`.

    Args:
        game: `splendor`, `duel` or `duel+counterfeiters`.
        bots: One for all seats, or a list with one for each seat.
        games: The number of games.
        seats: The number of players, where the game leaves a choice.
        seed: The same seed gives the same games.
        options: Options of the game, such as `{"anti-blocking": True}`.
        jobs: The number of processes; 1 plays in this process.
        write_records: Receives the records; see `parure.arena.record_writer`.
        thoughts: Whether the records keep the visits and values of searching bots.

    >>> simulate("splendor", ["greedy", "random"], games=3).wins()
    {'seat 0': 3, 'seat 1': 0}
    """
    kept: Kept = "results" if write_records is None else "thoughts" if thoughts else "records"
    series = Series.create(game, bots, seats, seed, options, kept)
    return play_series(series, games, jobs, write_records)


def play_series(
    series: Series,
    games: int,
    jobs: int = 1,
    write_records: RecordWriter | None = None,
    on_progress: Callable[[int], object] = lambda _: None,
) -> Tally:
    """Play the first games of a series; `on_progress` receives the size of each chunk played."""
    tally = Tally(series.seats)
    for chunk in _play_chunks(series, games, jobs):
        if write_records is not None:
            write_records(chunk.first, chunk.records)
        tally += chunk.tally
        on_progress(chunk.tally.games)
    return tally


# --- chunks, in this process or in others ---------------------------------------------------------


def _play_chunks(series: Series, games: int, jobs: int) -> Iterator[Chunk]:
    """Yield the chunks of a series in order."""
    size = series.chunk_size
    firsts = range(0, games, size)
    sizes = [min(size, games - first) for first in firsts]
    if jobs == 1 or len(firsts) == 1:
        yield from map(play_chunk, repeat(series), firsts, sizes)
        return
    content = pickled(series)
    with ProcessPoolExecutor(
        min(jobs, len(firsts)), get_context("spawn"), initializer=_ignore_interrupts
    ) as pool:
        try:
            yield from pool.map(_play_chunk_in_worker, repeat(content), firsts, sizes)
        except BrokenProcessPool:
            raise ParureError("a worker process was killed") from None
        finally:
            pool.shutdown(cancel_futures=True)


def _ignore_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the interrupted parent stops its workers


def _play_chunk_in_worker(series: bytes, first: int, number: int) -> Chunk:
    return play_chunk(_series(series), first, number)


@cache
def _series(content: bytes) -> Series:
    series: Series = unpickled(content)
    return series


def play_chunk(series: Series, first: int, number: int) -> Chunk:
    """Play some games of a series."""
    chunk = Chunk(first, Tally(series.seats), [])
    rngs = generators(series.seed, first, number)
    if series.is_compiled:
        reasons = series.rules.layout.REASONS
        for decisions, turns, reason, winners in play_out(series.rules, rngs).tolist():
            seats = tuple(seat for seat in range(series.seats) if winners >> seat & 1)
            chunk.tally.add(reasons[reason], seats, decisions, turns)
        return chunk
    if series.is_random:
        for record, turns in random_records(series.rules, rngs, series.lineup):
            assert isinstance(record.result, Outcome)
            winners, reason = record.result.winners, record.result.reason
            chunk.tally.add(reason, winners, len(record.decisions), turns)
            chunk.records.append(record)
        return chunk
    for rng in rngs:
        state, thoughts = play_game(series, rng)
        assert state.outcome is not None
        winners, reason = state.outcome.winners, state.outcome.reason
        chunk.tally.add(reason, winners, len(state.decisions), state.turns)
        if series.is_recorded:
            record = state.record()
            if series.kept == "thoughts":
                record.thoughts = thoughts
            chunk.records.append(record)
    return chunk


def play_game(series: Series, rng: Rng) -> tuple[State, list[Thought | None]]:
    """Play a game between bots; return its end, and the thought before each decision."""
    rules = series.rules
    bot_rng = Random(int(rng[0]))
    state = rules.state_type(rules, rules.deal(rng), rng, series.lineup)
    thoughts: list[Thought | None] = []

    def keep(answer: Answer) -> None:
        thoughts.append(thought_of(answer))

    with ExitStack() as stack:
        bots = [series.participants.make(name) for name in series.lineup]
        for bot in bots:
            stack.callback(bot.close)
        while not state.is_over:
            if failure := play_decision(state, bots[state.seat], bot_rng, on_answer=keep):
                _log_once(str(failure))
    return state, thoughts[: len(state.decisions)]


def thought_of(answer: Answer) -> Thought | None:
    """Return the visits and values of a search; None if the bot did not search."""
    considered = [candidate for candidate in answer.candidates if candidate.visits]
    if not considered:
        return None
    return Thought(
        visits={candidate.decision: candidate.visits for candidate in considered},
        values=[round(candidate.value, VALUE_DIGITS) for candidate in considered],
    )


@cache
def _log_once(failure: str) -> None:
    """Print how a bot failed, once: many games may have the same failure."""
    sys.stderr.write(f"parure: {failure}\n")
