"""Play games in worker processes of this machine.

A worker reports which seat it is about to call. If a game takes too long, its process is stopped
and the bot that thought longest loses. If a process dies, its game is played again by another
process; after several deaths the bot that was thinking loses.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing import connection, get_context, parent_process
from multiprocessing.connection import Connection
from time import monotonic
from typing import Any, Protocol

from parure.arena.game import PlayedGame, lost_game, play_game
from parure.arena.participants import Participants, pickled, unpickled
from parure.arena.plan import Fixture
from parure.bots.match_loop import FAILED, LATE
from parure.bots.process import kill_all
from parure.errors import ParureError

MAX_ATTEMPTS = 3  # to play a game whose process dies
GAME_TIMEOUT = 3600.0  # seconds
TERMINATION_GRACE = 2.0  # seconds between SIGTERM and SIGKILL


class Workers(Protocol):
    """Plays games somewhere."""

    def play(self, fixtures: Iterable[Fixture]) -> Generator[PlayedGame]:
        """Yield the games as they end, in any order; takes a fixture when it can be started."""

    def close(self) -> None:
        """Release all resources."""


class InProcess:
    """Workers without processes: games are played one by one in the calling process.

    For notebooks, where functions cannot be sent to other processes. A bot that hangs or crashes
    the interpreter is not stopped.
    """

    def __init__(self, participants: Participants) -> None:
        self._participants = participants

    def play(self, fixtures: Iterable[Fixture]) -> Generator[PlayedGame]:
        """Yield the games in order."""
        for fixture in fixtures:
            yield play_game(fixture, self._participants, lambda _seat, _decisions: None)

    def close(self) -> None:
        """Do nothing: there is nothing to release."""


class Processes:
    """Workers in processes of this machine, `jobs` at a time."""

    def __init__(
        self,
        participants: Participants,
        jobs: int = 1,
        game_timeout: float = GAME_TIMEOUT,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._participants = pickled(participants)
        self._jobs = jobs
        self._game_timeout = game_timeout
        self._clock = clock
        self._idle: list[_Worker] = []
        self._busy: list[_Worker] = []

    def play(self, fixtures: Iterable[Fixture]) -> Generator[PlayedGame]:
        """Yield the games as they end."""
        upcoming = iter(fixtures)
        retries: list[tuple[Fixture, int]] = []  # games whose process died, and how often
        try:
            while True:
                while len(self._busy) < self._jobs:
                    if retries:
                        self._start(*retries.pop())
                    elif (fixture := next(upcoming, None)) is not None:
                        self._start(fixture, 0)
                    else:
                        break
                if not self._busy:
                    return
                for worker in self._wait_for_messages():
                    try:
                        played = worker.receive()
                    except (EOFError, OSError):
                        self._stop(worker)
                        if worker.deaths + 1 < MAX_ATTEMPTS:
                            retries.append((worker.fixture, worker.deaths + 1))
                        else:
                            yield worker.crashed_game()
                        continue
                    if played is not None:
                        self._busy.remove(worker)
                        self._idle.append(worker)
                        yield played
                for worker in [w for w in self._busy if w.seconds >= self._game_timeout]:
                    self._stop(worker)
                    yield worker.timed_out_game(self._game_timeout)
        finally:
            for worker in self._busy.copy():
                self._stop(worker)

    def close(self) -> None:
        """Stop all processes."""
        for worker in (*self._busy, *self._idle):
            worker.stop()
        self._busy, self._idle = [], []

    def _start(self, fixture: Fixture, deaths: int) -> None:
        worker = self._idle.pop() if self._idle else _Worker(self._participants, self._clock)
        self._busy.append(worker)
        worker.start(fixture, deaths)

    def _stop(self, worker: _Worker) -> None:
        self._busy.remove(worker)
        worker.stop()

    def _wait_for_messages(self) -> list[_Worker]:
        """Return the workers that sent a message; none if a game times out first."""
        remaining = min(self._game_timeout - worker.seconds for worker in self._busy)
        ready = connection.wait([worker.connection for worker in self._busy], max(0.0, remaining))
        return [worker for worker in self._busy if worker.connection in ready]


class _Worker:
    """A process that plays one game at a time, and what is known here about that game."""

    def __init__(self, participants: bytes, clock: Callable[[], float]) -> None:
        self._clock = clock
        context = get_context("spawn")  # threads of compiled code do not survive a fork
        self.connection, theirs = context.Pipe()
        self._process = context.Process(
            target=_worker_main, args=(theirs, participants), daemon=True
        )
        with _sigint_blocked():
            self._process.start()
        theirs.close()  # otherwise the end of the process would not be noticed

    def start(self, fixture: Fixture, deaths: int) -> None:
        """Begin a game; `deaths` is the number of processes that died while playing it."""
        self.fixture = fixture
        self.deaths = deaths
        self._thinking_seat: int | None = None
        self._thinking_since = self._started = 0.0
        self._decisions: list[str] = []
        self._seconds = [0.0] * fixture.plan.seats
        with suppress(OSError):  # a dead process is noticed in `receive`
            self.connection.send(fixture)

    def receive(self) -> PlayedGame | None:
        """Take a message and return the game if it has ended.

        Raises:
            EOFError, OSError: The process has ended.
        """
        message: Any = self.connection.recv()
        if isinstance(message, ParureError):
            raise message
        if isinstance(message, PlayedGame):
            return message
        now = self._clock()
        if self._thinking_seat is None:
            self._started = now
        else:
            self._seconds[self._thinking_seat] += now - self._thinking_since
        self._thinking_seat, decisions = message
        self._thinking_since = now
        self._decisions += decisions
        return None

    @property
    def seconds(self) -> float:
        """The duration of the game so far, from the moment when the first bot is made."""
        return 0.0 if self._thinking_seat is None else self._clock() - self._started

    def timed_out_game(self, limit: float) -> PlayedGame:
        """Return the game, lost by the bot that thought longest."""
        self._stop_clock()
        seat = self._seconds.index(max(self._seconds))
        failure = f"the game took more than {limit:g} s, {self._seconds[seat]:.1f} of them here"
        return self._lost(seat, LATE, failure)

    def crashed_game(self) -> PlayedGame:
        """Return the game, lost by the bot that was thinking when the process died."""
        if self._thinking_seat is None:
            raise ParureError("the worker processes die before they begin a game")
        self._stop_clock()
        status = self._process.exitcode
        failure = f"its process died {MAX_ATTEMPTS} times, the last time with status {status}"
        return self._lost(self._thinking_seat, FAILED, failure)

    def stop(self) -> None:
        """End the process and the programs that it started."""
        self._process.terminate()
        self._process.join(TERMINATION_GRACE)
        self._process.kill()
        self._process.join()
        self.connection.close()

    def _stop_clock(self) -> None:
        assert self._thinking_seat is not None
        self._seconds[self._thinking_seat] += self._clock() - self._thinking_since

    def _lost(self, seat: int, reason: str, failure: str) -> PlayedGame:
        return lost_game(self.fixture, seat, self._decisions, self._seconds, reason, failure)


# --- in the worker process ------------------------------------------------------------------------


def _worker_main(parent: Connection, participants: bytes) -> None:
    """Play the games that the parent sends, until it closes the connection.

    Sends `(seat, decisions)` before each decision, a `PlayedGame` at the end of each game, and a
    `ParureError` if no game can be played.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the interrupted parent stops its workers
    signal.signal(signal.SIGTERM, lambda _number, _frame: _exit())
    threading.Thread(target=_exit_with_parent, daemon=True).start()

    def report(seat: int, decisions: Sequence[str]) -> None:
        parent.send((seat, decisions))

    with suppress(EOFError, OSError):  # the parent has gone
        try:
            bots: Participants = unpickled(participants)
            while True:
                fixture = parent.recv()
                parent.send(play_game(fixture, bots, report))
        except (EOFError, OSError):
            raise
        except Exception as error:  # not of a bot: those lose their game
            parent.send(ParureError(f"a game could not be played: {error or type(error).__name__}"))


def _exit_with_parent() -> None:
    """End this process when the parent ends, even if a bot hangs."""
    parent = parent_process()
    assert parent is not None
    parent.join()
    _exit()


def _exit() -> None:
    """End this process and all programs that it started."""
    kill_all()
    os._exit(1)


@contextmanager
def _sigint_blocked() -> Iterator[None]:
    """Block Ctrl-C while a process starts, which inherits that; it is delivered here afterwards."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
