"""Bots that are programs of their own: `exec:./mybot`, `exec:5s:python3 mybot.py`.

The program is run without a shell and asked over its standard input and output, one line at a time;
docs/protocol.md tells the lines. It gets views and never a state, and it is trusted with nothing:
whatever it does wrong is a BotFailure that says so in one line.
"""

from __future__ import annotations

import re
import shlex
import shutil
import weakref
from pathlib import Path
from random import Random
from time import monotonic
from typing import TYPE_CHECKING, TypeVar

from parure.bots import protocol
from parure.bots.base import Answer, Bot, BotFailure, Budget, Candidate
from parure.bots.process import Process
from parure.bots.protocol import excerpt
from parure.errors import NotationError
from parure.games.view_schema import view_data

if TYPE_CHECKING:
    from parure.games.view import View

START_LIMIT = 120.0  # seconds to say hello, and again to get ready for a game
DECISION_LIMIT = 60.0  # seconds for a decision where no time was given
GRACE = 2.0  # seconds beyond the time given
GRACE_SHARE = 0.1  # and a part of it
MAX_CANDIDATES = 20

Asked = TypeVar("Asked", bound=protocol.Message)


def external_bot(detail: str) -> ExternalBot:
    """The bot that a command names; NotationError if there is no such program."""
    match = re.match(r"(\d[\d.]*m?s):(.*)", detail, re.DOTALL)
    seconds = Budget.parse(match[1]).seconds if match else None
    line = match[2] if match else detail
    try:
        command = shlex.split(line)
    except ValueError as error:
        raise NotationError(f"{excerpt(line, 40)!r} is no command: {error}") from None
    if not command or not command[0]:
        raise NotationError("exec needs a command behind its colon: exec:./mybot")
    if "\0" in line:
        raise NotationError("a command holds no zero bytes")
    if shutil.which(command[0]) is None:
        is_there = Path(command[0]).is_file()
        problem = "may not be run" if is_there else "is no program that can be found"
        raise NotationError(f"exec: {excerpt(command[0], 80)} {problem}")
    return ExternalBot(command, seconds or DECISION_LIMIT)


class ExternalBot(Bot):
    """A program that decides; it is started at its first decision.

    `limit` are the seconds that it may take for a decision when no time is given.
    """

    def __init__(self, command: list[str], limit: float = DECISION_LIMIT) -> None:
        self.command = command
        self.name = command[0]  # until the program says another one
        self.limit = limit
        self._process: Process | None = None
        self._failed = False
        self._game: tuple[str, int, tuple[tuple[str, bool], ...], int | None] | None = None
        self._turn: tuple[int, int] | None = None  # the turn that time is counted for,
        self._spent = 0.0  # and the seconds that it has taken

    def choose(self, view: View, rng: Random, budget: Budget | None) -> Answer:
        """The decision of the program; BotFailure if it gives none in time."""
        if self._failed:
            raise BotFailure(f"{self.label} has failed before")
        try:
            return self._ask_for_decision(view, rng, budget)
        except BotFailure as failure:
            self._failed = True
            self.close()
            raise type(failure)(f"{self.label} {failure}") from None

    def close(self) -> None:
        """Ask the program to quit, and make it if it does not."""
        if self._process is not None:
            self._process.end()
        self._process = None

    @property
    def label(self) -> str:
        """The program, for messages."""
        return f"exec:{excerpt(shlex.join(self.command), 60)}"

    def _ask_for_decision(self, view: View, rng: Random, budget: Budget | None) -> Answer:
        process = self._ready_for(view)
        turn = (view.turns, view.seat)
        if turn != self._turn:
            self._turn, self._spent = turn, 0.0
        seed = rng.getrandbits(53)  # what every language reads as a number
        request = decide_message(view, seed, budget, self._spent, self.limit)
        too_long = ""
        if budget is not None and budget.seconds is not None:
            too_long = f"{_longest_turn(budget.seconds):.3g} s for its turn"
        start = monotonic()
        answer = self._ask(process, request, protocol.Decision, request.limit, too_long)
        self._spent += monotonic() - start
        if answer.decision not in request.legal:
            raise BotFailure(f"decided {excerpt(answer.decision, 60)!r}, which is not legal")
        return _answer(answer, request.legal)

    def _ready_for(self, view: View) -> Process:
        """The program, running and told which game this is."""
        if self._process is None:
            self._process = Process(self.command, protocol.line_of(protocol.Quit()))
            weakref.finalize(self, self._process.end)  # should nobody close this bot
            self._game = None
            hello = protocol.Hello(protocol=protocol.VERSION, name="parure")
            greeting = self._ask(self._process, hello, protocol.Hello, START_LIMIT)
            if greeting.protocol != protocol.VERSION:
                raise BotFailure(
                    f"speaks protocol {greeting.protocol}, not {protocol.VERSION} as it should"
                )
            self.name = excerpt(greeting.name, 60) or self.name
        game = (view.game, view.seats, tuple(view.options.items()), view.viewer)
        if game != self._game:
            self._game, self._turn = game, None
            message = protocol.Game(
                game=view.game, seats=view.seats, options=dict(view.options), seat=view.seat
            )
            self._ask(self._process, message, protocol.Ready, START_LIMIT)
        return self._process

    def _ask(
        self,
        process: Process,
        message: protocol.Message,
        wanted: type[Asked],
        limit: float,
        too_long: str = "",
    ) -> Asked:
        """The answer to a message, which must be of a certain type and come in time."""
        line = process.ask(protocol.line_of(message), limit, too_long)
        try:
            answer = protocol.from_bot(line)
        except NotationError:
            raise BotFailure(f"answered {excerpt(line.decode(errors='replace'))!r}") from None
        if isinstance(answer, protocol.Error):
            raise BotFailure(f"gave up: {excerpt(answer.reason)}")
        if not isinstance(answer, wanted):
            name = type(answer).__name__.lower()
            raise BotFailure(f"answered with {name}, not with {wanted.__name__.lower()}")
        return answer


def decide_message(
    view: View, seed: int, budget: Budget | None, spent: float = 0.0, limit: float = DECISION_LIMIT
) -> protocol.Decide:
    """The request for a decision: what the seat may know, and how long it may think.

    `spent` are the seconds that the turn has taken so far. Together its decisions may take as long
    as the budget says, and some grace.
    """
    allowance = None
    if budget is not None and budget.seconds is not None:
        left = max(budget.seconds - spent, 0.0)
        allowance = protocol.Allowance(seconds=budget.seconds, left=left)
        limit = max(_longest_turn(budget.seconds) - spent, 0.0)
    elif budget is not None:
        allowance = protocol.Allowance(iterations=budget.iterations)
    return protocol.Decide(
        view=view_data(view),
        legal=list(view.legal_decisions),
        budget=allowance,
        limit=limit,
        seed=seed,
    )


def _longest_turn(seconds: float) -> float:
    """How long the decisions of a turn may take together, grace included."""
    return seconds * (1 + GRACE_SHARE) + GRACE


def _answer(said: protocol.Decision, legal: list[str]) -> Answer:
    """What a program said, without thoughts that make no sense."""
    candidates = tuple(
        Candidate(thought.decision, thought.share, thought.value)
        for thought in said.candidates[:MAX_CANDIDATES]
        if thought.decision in legal and 0 <= thought.share <= 1 and 0 <= thought.value <= 1
    )
    return Answer(said.decision, excerpt(said.because, 500), candidates, said.iterations)
