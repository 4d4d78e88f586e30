"""A game in the terminal: persons and bots around one table.

Each person is shown the table as their own seat sees it, and told what the others did since; where
several persons share the screen it is handed over before it shows another reserve.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from random import Random
from time import perf_counter

from rich.console import Console
from rich.markup import escape
from rich.status import Status

from parure.bots import Bot, bot, runs_program
from parure.bots.match_loop import play_decision
from parure.errors import IllegalDecision, InvalidPosition, NotationError, ParureError
from parure.games.api import load, new
from parure.games.engine.rng import new_rng
from parure.games.registry import rules
from parure.games.state import State
from parure.terminal import ask, say
from parure.terminal.menu import Menu, match_decision

PERSON = "player"
OPPONENT = "level:2"  # at the seats that nobody was named for

HELP = """\
Type a decision or its number to play it; a verb alone lists all its decisions.

  board       show the table again
  undo        take back your last decision and what followed it
  save FILE   keep the game in a file, from now on
  quit        leave; the game is kept
  help        show this"""

A_MOMENT = 1.0  # seconds

CLEAR = "\033[H\033[2J\033[3J"  # the screen and what was scrolled out of it


def new_table(
    game: str,
    players: int | None,
    names: list[str],
    seed: int | None,
    options: Mapping[str, bool],
    record: Path | None,
) -> Table:
    """A table for a new game; those named sit from seat 0 on, bots after them."""
    number = rules(game, max(len(names), 2) if players is None else players, options).seats
    if len(names) > number:
        raise NotationError(f"{len(names)} are named for {number} seats")
    names = names or [PERSON]
    names = names + [OPPONENT] * (number - len(names))
    if record is not None and record.exists():
        raise NotationError(f"{record} exists: go on with it by --resume, or name another file")
    state = new(game, players=names, seed=seed, options=options)
    return Table(state, Random(seed), record)


def resumed_table(file: Path, names: list[str], seed: int | None, record: Path | None) -> Table:
    """A table with the game in a file; it is kept there unless another file is named."""
    state = load(file)
    if names and len(names) != state.seats:
        raise NotationError(f"{len(names)} are named for {state.seats} seats")
    if not names and any(map(runs_program, state.names)):
        raise NotationError(f"{file} names a program to run; say who plays with --seat")
    state.names = names or state.names
    state.rng = new_rng(seed)
    try:
        return Table(state, Random(seed), record or file)
    except NotationError as error:
        raise NotationError(f"{error}; say who plays with --seat") from None


@contextmanager
def thinking(player: Bot, name: str) -> Iterator[None]:
    """Show how far a bot's search has come, once it takes longer than a moment."""
    start = perf_counter()
    status = Status("", console=Console(stderr=True))

    def show(iterations: int) -> None:
        if perf_counter() - start > A_MOMENT:
            status.update(f"{escape(name)} thinks … {iterations:,} iterations")
            status.start()

    player.on_progress = show
    try:
        yield
    finally:
        status.stop()
        player.on_progress = None


class Left(Exception):
    """The persons leave the table."""


class Table:
    """A game, who sits where, and the file that keeps it."""

    def __init__(self, state: State, rng: Random, record: Path | None) -> None:
        self.state = state
        self.bots: list[Bot | None] = [
            None if name == PERSON else bot(name) for name in state.names
        ]
        self.record = record
        self._rng = rng
        self._persons = [seat for seat, bot in enumerate(self.bots) if bot is None]
        self._watcher = self._persons[0] if len(self._persons) == 1 else None
        self._at_screen = self._watcher  # the seat whose person looks
        self._told = dict.fromkeys((None, *self._persons), len(state.decisions))

    def play(self) -> None:
        """Play to the end, or until the persons leave."""
        self._keep()
        try:
            while not self.state.is_over:
                player = self.bots[self.state.seat]
                if player is None:
                    self._ask_person()
                else:
                    with thinking(player, self.state.names[self.state.seat]):
                        failure = play_decision(self.state, player, self._rng)
                    if failure:
                        say(str(failure))
                if not self._persons:
                    self._tell(None)
            self._finish()
        except (Left, KeyboardInterrupt):
            self._leave()
        finally:
            for player in filter(None, self.bots):
                player.close()

    # --- a person's turn --------------------------------------------------------------------------

    def _ask_person(self) -> None:
        """Show a person the table and take commands until one changes the game."""
        seat = self.state.seat
        self._hand_over(seat)
        self._tell(seat)
        menu = Menu(self.state.legal_decisions)
        self._show(menu)
        before = len(self.state.decisions)
        while len(self.state.decisions) == before:
            line = ask(f"seat {seat}, {self.state.phase}> ")
            if line is None:
                raise Left
            try:
                self._obey(line, menu)
            except IllegalDecision as error:
                say(f"{error.decision} is not legal: {error.reason}")
            except ParureError as error:
                say(str(error))
            except OSError as error:
                say(f"the game could not be kept: {error.strerror}")

    def _hand_over(self, seat: int) -> None:
        """Let another person take the screen before it shows what only they may see."""
        if seat != self._at_screen:
            if sys.stdout.isatty():
                sys.stdout.write(CLEAR)
            if ask(f"Seat {seat} is to move: take the screen and press Enter. ") is None:
                raise Left
        self._at_screen = seat

    def _tell(self, seat: int | None) -> None:
        """Tell a seat, or a watcher, what happened since it was last told."""
        log = self.state.log(seat)
        for n in range(self._told[seat], len(log)):
            mover = self.state.movers[n]
            if mover != seat:
                say(f"seat {mover} ({self.state.names[mover]}): {log[n]}")
        self._told[seat] = len(log)

    def _show(self, menu: Menu) -> None:
        say(f"\n{self.state.view(self.state.seat)}\n\n{menu}\n")

    def _obey(self, line: str, menu: Menu) -> None:
        """Do what a person typed."""
        command, _, argument = line.partition(" ")
        if decision := menu.meant(line):
            self.state.play(decision)
            self._keep()
        elif line in menu.groups:
            say(menu.listed(line))
        elif line == "board":
            self._show(menu)
        elif line == "help":
            say(HELP)
        elif line == "undo":
            self._undo()
        elif line == "quit":
            raise Left
        elif command == "save":
            self._save(argument)
        elif decision := match_decision(line, self.state.rules.decision_texts):
            self.state.play(decision)  # is refused with a reason: the menu has all that is legal
        elif line:
            raise NotationError(f"{line[:60]!r} is no decision; 'help' says what may be typed")

    def _undo(self) -> None:
        """Take back all decisions down to the last one of a person, and that one too."""
        undone: list[str] = []
        try:
            undone.append(self.state.undo())
            while self.bots[self.state.seat] is not None:
                undone.append(self.state.undo())
        except InvalidPosition:
            for text in reversed(undone):
                self.state.play(text)
            raise InvalidPosition("there is no decision of yours to take back") from None
        for seat, told in self._told.items():
            self._told[seat] = min(told, len(self.state.decisions))
        self._keep()

    # --- the end, and keeping the game ------------------------------------------------------------

    def _finish(self) -> None:
        """Show how the game ended."""
        self._tell(self._at_screen)
        say(f"\n{self.state.view(self._watcher)}\n")
        self._keep()
        if self.record is None and self._persons and sys.stdin.isatty():
            if name := ask("Keep the game in a file? Its name, or Enter: "):
                self._save(name)

    def _keep(self) -> None:
        """Bring the file up to date, if there is one."""
        if self.record is not None:
            self.state.save(self.record)

    def _save(self, name: str) -> None:
        if not name:
            raise NotationError("save to which file? Type: save FILE")
        self.state.save(name)
        self.record = Path(name)
        say(f"The game is kept in {name}.")

    def _leave(self) -> None:
        """Keep the game, under a new name if it has none and a person is there to read it."""
        if self.record is None and self.state.decisions and sys.stdin.isatty():
            self.record = _free_name(self.state.rules.label)
        self._keep()
        if self.record is None:
            say("\nThe game was not kept.")
        else:
            say(f"\nThe game is kept. To go on: parure play --resume {self.record}")


def _free_name(label: str) -> Path:
    """The name of a file that is not there yet."""
    return next(path for n in count(1) if not (path := Path(f"{label}-{n}.json")).exists())
