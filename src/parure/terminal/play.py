"""Play a game in the terminal: people and bots at one table.

Each person sees the table from their own seat, and what the others did since their last turn. If
several people share the screen, it is cleared and handed over before it shows hidden cards.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from random import Random
from time import perf_counter

from rich.console import Console
from rich.markup import escape
from rich.status import Status

from parure.bots import Bot, bot, runs_program
from parure.bots.greedy import explain
from parure.bots.match_loop import play_decision
from parure.errors import IllegalDecision, InvalidPosition, NotationError, ParureError
from parure.games.api import load, new
from parure.games.engine.rng import new_rng
from parure.games.registry import rules
from parure.games.state import State
from parure.terminal import echo, prompt
from parure.terminal.menu import Menu

HUMAN = "player"
DEFAULT_OPPONENT = "level:2"
HINT_BOT = "mcts-linear:2000"
HINT_CANDIDATES = 3
STATUS_DELAY = 1.0  # seconds that a bot may think before its progress is shown

HELP = """\
Type a decision or its number to play it; a verb alone lists all its decisions.

  hint        let a bot say what it would play, and why
  board       show the table again
  undo        take back your last decision and what followed it
  save FILE   save the game to a file, now and after each decision
  quit        save the game and leave
  help        show this"""

CLEAR_SCREEN = "\033[H\033[2J\033[3J"  # including what was scrolled out of view


def new_game(
    game: str,
    players: int | None,
    names: list[str],
    seed: int | None,
    options: Mapping[str, bool],
    record: Path | None,
) -> TerminalGame:
    """Start a game; the players named take the first seats, bots the others."""
    smallest = rules(game, None, options).seats
    seats = rules(game, max(len(names), smallest) if players is None else players, options).seats
    if len(names) > seats:
        raise NotationError(f"{len(names)} players are named for {seats} seats")
    names = names or [HUMAN]
    names = names + [DEFAULT_OPPONENT] * (seats - len(names))
    if record is not None and record.exists():
        raise NotationError(
            f"{record} exists: continue it with --resume, or choose another file name"
        )
    state = new(game, players=names, seed=seed, options=options)
    return TerminalGame(state, Random(seed), record)


def resume_game(
    file: Path, names: list[str], seed: int | None, record: Path | None
) -> TerminalGame:
    """Continue the game in a file, and save it there unless another file is given."""
    state = load(file)
    if names and len(names) != state.seats:
        raise NotationError(f"{len(names)} players are named for {state.seats} seats")
    if not names and any(map(runs_program, state.names)):
        raise NotationError(f"{file} names a program to run; name the players with --seat")
    state.names = names or state.names
    state.rng = new_rng(seed)
    try:
        return TerminalGame(state, Random(seed), record or file)
    except NotationError as error:
        raise NotationError(f"{error}; name the players with --seat") from None


@contextmanager
def show_thinking(bot: Bot, name: str, clock: Callable[[], float] = perf_counter) -> Iterator[None]:
    """Show the progress of a bot's search while it takes longer than `STATUS_DELAY`."""
    start = clock()
    status = Status("", console=Console(stderr=True))

    def show(iterations: int) -> None:
        if clock() - start > STATUS_DELAY:
            status.update(f"{escape(name)} thinks … {iterations:,} iterations")
            status.start()

    bot.on_progress = show
    try:
        yield
    finally:
        status.stop()
        bot.on_progress = None


class Quit(Exception):
    """A person leaves the game."""


class TerminalGame:
    """A game, the bots at its seats, and the file that it is saved to."""

    def __init__(self, state: State, rng: Random, record: Path | None) -> None:
        self.state = state
        self.bots: list[Bot | None] = [None if name == HUMAN else bot(name) for name in state.names]
        self.record = record
        self._rng = rng
        self._is_introduced = False  # whether the commands were shown
        self._rng_of_hints = Random()  # so that a hint does not change how the bots play
        self._humans = [seat for seat, bot in enumerate(self.bots) if bot is None]
        self._only_human = self._humans[0] if len(self._humans) == 1 else None
        self._seat_at_screen = self._only_human
        self._shown = dict.fromkeys((None, *self._humans), len(state.decisions))  # log lines

    def play(self) -> None:
        """Play to the end, or until a person quits."""
        self._save()
        try:
            while not self.state.is_over:
                bot = self.bots[self.state.seat]
                if bot is None:
                    self._play_human_decision()
                else:
                    with show_thinking(bot, self.state.names[self.state.seat]):
                        failure = play_decision(self.state, bot, self._rng)
                    if failure:
                        echo(str(failure))
                if not self._humans:
                    self._print_log(None)
            self._finish()
        except (Quit, KeyboardInterrupt):
            self._leave()
        finally:
            for bot in filter(None, self.bots):
                bot.close()

    # --- a person's turn --------------------------------------------------------------------------

    def _play_human_decision(self) -> None:
        """Show the table to a person and handle commands until one changes the game."""
        seat = self.state.seat
        self._hand_over_screen(seat)
        self._print_log(seat)
        menu = Menu(self.state.legal_decisions)
        self._print_table(menu)
        if not self._is_introduced:
            echo("Type a decision or its number, or: hint, undo, help, quit.\n")
            self._is_introduced = True
        before = len(self.state.decisions)
        while len(self.state.decisions) == before:
            line = prompt(f"seat {seat}, {self.state.phase}> ")
            if line is None:
                raise Quit
            try:
                self._handle(line, menu)
            except IllegalDecision as error:
                echo(f"{error.decision} is not legal: {error.reason}")
            except ParureError as error:
                echo(str(error))
            except OSError as error:
                echo(f"the game could not be saved: {error.strerror}")

    def _hand_over_screen(self, seat: int) -> None:
        """Let another person take the screen before it shows their hidden cards."""
        if seat != self._seat_at_screen:
            if sys.stdout.isatty():
                sys.stdout.write(CLEAR_SCREEN)
            if prompt(f"Seat {seat} is to move: take the screen and press Enter. ") is None:
                raise Quit
        self._seat_at_screen = seat

    def _print_log(self, seat: int | None) -> None:
        """Print what others did since a seat, or a spectator (None), last saw the log."""
        log = self.state.log(seat)
        for n in range(self._shown[seat], len(log)):
            mover = self.state.movers[n]
            if mover != seat:
                echo(f"seat {mover} ({self.state.names[mover]}): {log[n]}")
        self._shown[seat] = len(log)

    def _print_table(self, menu: Menu) -> None:
        echo(f"\n{self.state.view(self.state.seat)}\n\n{menu}\n")

    def _handle(self, line: str, menu: Menu) -> None:
        """Handle a line that a person typed."""
        command, _, argument = line.partition(" ")
        if decision := menu.find(line):
            self.state.play(decision)
            self._save()
        elif line in menu.groups:
            echo(menu.list_group(line))
        elif line == "board":
            self._print_table(menu)
        elif line == "hint":
            self._print_hint()
        elif line == "help":
            echo(HELP)
        elif line == "undo":
            self._undo()
        elif line == "quit":
            raise Quit
        elif command == "save":
            self._save_to(argument)
        elif ">" in line:
            raise NotationError("what chance brings cannot be typed; leave out what follows '>'")
        elif line:
            self.state.play(line)  # raises the reason: all legal decisions are in the menu

    def _print_hint(self) -> None:
        """Print what the bot of the hints would play in this seat, and what else it considered."""
        view = self.state.view(self.state.seat)
        if len(view.legal_decisions) == 1:
            echo(f"Only one decision is legal: {view.legal_decisions[0]}")
            return
        adviser = bot(HINT_BOT)
        try:
            with show_thinking(adviser, "The hint"):
                answer = adviser.decide(view, self._rng_of_hints)
            reason = explain(view, answer.decision, self._rng_of_hints)
        finally:
            adviser.close()
        best = answer.candidates[:HINT_CANDIDATES]
        echo(f"{answer.decision}   {reason}")
        for candidate in best:
            echo(f"  {candidate.value:>4.0%} to win with {candidate.decision}")

    def _undo(self) -> None:
        """Undo all decisions back to the last one of a person, and that one too."""
        undone: list[str] = []
        try:
            undone.append(self.state.undo())
            while self.bots[self.state.seat] is not None:
                undone.append(self.state.undo())
        except InvalidPosition:
            for text in reversed(undone):
                self.state.play(text)
            raise InvalidPosition("there is no decision of yours to undo") from None
        for seat, shown in self._shown.items():
            self._shown[seat] = min(shown, len(self.state.decisions))
        self._save()

    # --- the end, and saving the game -------------------------------------------------------------

    def _finish(self) -> None:
        """Show the final table, save the game, or offer to save it."""
        self._print_log(self._seat_at_screen)
        echo(f"\n{self.state.view(self._only_human)}\n")
        self._save()
        if self.record is None and self._humans and sys.stdin.isatty():
            if name := prompt("Save the game to a file? Type its name, or press Enter: "):
                self._save_to(name)

    def _save(self) -> None:
        """Update the file, if there is one."""
        if self.record is not None:
            self.state.save(self.record)

    def _save_to(self, name: str) -> None:
        if not name:
            raise NotationError("name a file: save FILE")
        self.state.save(name)
        self.record = Path(name)
        echo(f"The game is saved to {name}.")

    def _leave(self) -> None:
        """Save the game; in a terminal under a new name, if it has no file yet."""
        if self.record is None and self.state.decisions and sys.stdin.isatty():
            self.record = _unused_name(self.state.rules.label)
        self._save()
        if self.record is None:
            echo("\nThe game was not saved.")
        else:
            echo(f"\nThe game is saved. To continue: parure play --resume {self.record}")


def _unused_name(label: str) -> Path:
    """Return the name of a file that does not exist."""
    return next(path for n in count(1) if not (path := Path(f"{label}-{n}.json")).exists())
