"""Games played side by side in processes of this machine, each watched from here.

A process tells whom it is about to ask. So a bot that hangs can be stopped with its process, and
has lost. The game of a process that is killed is played again by another; only if it takes its
process down time and again has the bot that was asked lost.
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
from typing import Any, Protocol, TypeAlias

from parure.arena.game import PlayedGame, Told, lost_game, play_game
from parure.arena.plan import Fixture
from parure.bots.match_loop import FAILED, LATE
from parure.bots.process import kill_all
from parure.errors import ParureError

ATTEMPTS = 3  # at a game whose process dies
GAME_TIMEOUT = 3600.0  # seconds
STOP_SECONDS = 2.0  # from being asked to stop to being killed

Player: TypeAlias = Callable[[Fixture, Told], PlayedGame]


class Workers(Protocol):
    """Whatever plays games."""

    def play(self, fixtures: Iterable[Fixture]) -> Generator[PlayedGame]:
        """The games as they end, in any order; a fixture is asked for when it can be played."""

    def close(self) -> None:
        """Let everything go."""


class Processes:
    """Workers in processes of this machine."""

    def __init__(
        self, jobs: int, game_timeout: float = GAME_TIMEOUT, player: Player = play_game
    ) -> None:
        self._jobs = jobs
        self._game_timeout = game_timeout
        self._player = player
        self._idle: list[_Worker] = []
        self._busy: list[_Worker] = []

    def play(self, fixtures: Iterable[Fixture]) -> Generator[PlayedGame]:
        """The games as they end."""
        upcoming = iter(fixtures)
        again: list[tuple[Fixture, int]] = []  # games whose process died, and how often it did
        try:
            while True:
                while len(self._busy) < self._jobs:
                    if again:
                        self._begin(*again.pop())
                    elif (fixture := next(upcoming, None)) is not None:
                        self._begin(fixture, 0)
                    else:
                        break
                if not self._busy:
                    return
                for worker in self._heard():
                    try:
                        played = worker.listen()
                    except (EOFError, OSError):
                        self._stop(worker)
                        if worker.deaths + 1 < ATTEMPTS:
                            again.append((worker.fixture, worker.deaths + 1))
                        else:
                            yield worker.crashed()
                        continue
                    if played is not None:
                        self._busy.remove(worker)
                        self._idle.append(worker)
                        yield played
                for worker in [w for w in self._busy if w.seconds >= self._game_timeout]:
                    self._stop(worker)
                    yield worker.overstepped(self._game_timeout)
        finally:
            for worker in self._busy.copy():
                self._stop(worker)

    def close(self) -> None:
        """Stop all processes."""
        for worker in (*self._busy, *self._idle):
            worker.stop()
        self._busy, self._idle = [], []

    def _begin(self, fixture: Fixture, deaths: int) -> None:
        worker = self._idle.pop() if self._idle else _Worker(self._player)
        self._busy.append(worker)
        worker.begin(fixture, deaths)

    def _stop(self, worker: _Worker) -> None:
        self._busy.remove(worker)
        worker.stop()

    def _heard(self) -> list[_Worker]:
        """The workers that have something to say; maybe none, when a game has taken too long."""
        left = min(self._game_timeout - worker.seconds for worker in self._busy)
        heard = connection.wait([worker.connection for worker in self._busy], max(0.0, left))
        return [worker for worker in self._busy if worker.connection in heard]


class _Worker:
    """A process that plays one game at a time, and what is known here of that game."""

    def __init__(self, player: Player) -> None:
        context = get_context("spawn")  # threads of compiled code do not survive a fork
        self.connection, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, player), daemon=True)
        with _interrupts_held_back():
            self._process.start()
        theirs.close()  # so that its end is heard here

    def begin(self, fixture: Fixture, deaths: int) -> None:
        """Have a game played; so many processes have died of it before."""
        self.fixture = fixture
        self.deaths = deaths
        self._asked: int | None = None
        self._since = self._first_asked = 0.0
        self._decisions: list[str] = []
        self._thought = [0.0] * fixture.plan.seats
        with suppress(OSError):  # if it is dead, that will be heard
            self.connection.send(fixture)

    def listen(self) -> PlayedGame | None:
        """Take a message: the game, if it has ended. EOFError or OSError if the process has."""
        message: Any = self.connection.recv()
        if isinstance(message, BaseException):
            raise ParureError(f"a game could not be played: {message!r}") from message
        kind, *content = message
        if kind == "played":
            played: PlayedGame = content[0]
            return played
        now = monotonic()
        if self._asked is None:
            self._first_asked = now
        else:
            self._thought[self._asked] += now - self._since
        self._asked, decided = content
        self._since = now
        self._decisions += decided
        return None

    @property
    def seconds(self) -> float:
        """How long the game has taken, from the first time that somebody was asked."""
        return 0.0 if self._asked is None else monotonic() - self._first_asked

    def overstepped(self, limit: float) -> PlayedGame:
        """The game, lost by the bot that thought longest: it took more time than a game has."""
        self._stop_clock()
        seat = self._thought.index(max(self._thought))
        failure = f"the game took more than {limit:g} s, {self._thought[seat]:.1f} of them here"
        return self._lost(seat, LATE, failure)

    def crashed(self) -> PlayedGame:
        """The game, lost by the bot that was asked when the process died."""
        if self._asked is None:
            raise ParureError("the processes that should play games die before they begin")
        self._stop_clock()
        failure = f"its process died {ATTEMPTS} times, at last with status {self._process.exitcode}"
        return self._lost(self._asked, FAILED, failure)

    def stop(self) -> None:
        """End the process, whatever it does, and the programs that it has started."""
        self._process.terminate()
        self._process.join(STOP_SECONDS)
        self._process.kill()
        self._process.join()
        self.connection.close()

    def _stop_clock(self) -> None:
        assert self._asked is not None
        self._thought[self._asked] += monotonic() - self._since

    def _lost(self, seat: int, reason: str, failure: str) -> PlayedGame:
        return lost_game(self.fixture, seat, self._decisions, self._thought, reason, failure)


# --- in the process -------------------------------------------------------------------------------


def _serve(parent: Connection, player: Player) -> None:
    """Play what is asked for, until nobody asks any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever is interrupted stops this process too
    signal.signal(signal.SIGTERM, lambda _number, _frame: _leave())
    threading.Thread(target=_end_with_parent, daemon=True).start()

    def tell(seat: int, decisions: Sequence[str]) -> None:
        parent.send(("asks", seat, decisions))

    with suppress(EOFError, OSError):
        while True:
            fixture = parent.recv()
            try:
                played = player(fixture, tell)
            except Exception as error:  # a bot's would not come here: it is ours to mend
                parent.send(ParureError(f"{type(error).__name__}: {error}"))
                return
            parent.send(("played", played))


def _end_with_parent() -> None:
    """Leave nothing behind when the parent is killed, not even a bot that hangs."""
    parent = parent_process()
    assert parent is not None
    parent.join()
    _leave()


def _leave() -> None:
    """End this process, and leave no program behind that it has started."""
    kill_all()
    os._exit(1)


@contextmanager
def _interrupts_held_back() -> Iterator[None]:
    """What starts here is not hit by Ctrl-C while it starts; this process is, a moment later."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
