"""Bots that are programs of their own: `exec:./mybot`, `exec:5s:python3 mybot.py`.

The program is run without a shell. It reads requests from its standard input and writes answers to
its standard output, one line each; docs/reference/bot-protocol.md specifies the lines. It receives
views, never a state. Whatever it does wrong raises a BotFailure with a message of one line.
"""

from __future__ import annotations

import re
import shlex
import shutil
import weakref
from collections.abc import Callable
from pathlib import Path
from random import Random
from time import monotonic
from typing import TYPE_CHECKING, TypeVar

from parure.bots import protocol
from parure.bots.base import Answer, Bot, BotFailure, Budget
from parure.bots.process import Process
from parure.bots.protocol import PROTOCOL_VERSION, excerpt
from parure.errors import NotationError
from parure.games.view_schema import view_data

if TYPE_CHECKING:
    from parure.games.view import View

START_LIMIT = 120.0  # seconds for `hello`, and again for `ready`
DECISION_LIMIT = 60.0  # seconds for a decision without a budget of seconds
GRACE = 2.0  # seconds that a turn may take beyond its budget
GRACE_SHARE = 0.1  # of the budget, in addition
MAX_CANDIDATES = 20

Expected = TypeVar("Expected", bound=protocol.Message)


def external_bot(detail: str) -> ExternalBot:
    """Return the bot that a command runs, after an optional time limit: `5s:./mybot --fast`.

    Raises:
        NotationError: The command cannot be run.
    """
    match = re.match(r"(\d[\d.]*m?s):(.*)", detail, re.DOTALL)
    seconds = Budget.parse(match[1]).seconds if match else None
    line = match[2] if match else detail
    try:
        command = shlex.split(line)
    except ValueError as error:
        raise NotationError(f"{excerpt(line, 40)!r} is not a command: {error}") from None
    if not command or not command[0]:
        raise NotationError("exec needs a command after its colon: exec:./mybot")
    if "\0" in line:
        raise NotationError("a command cannot contain a zero byte")
    if shutil.which(command[0]) is None:
        problem = "is not executable" if Path(command[0]).is_file() else "was not found"
        raise NotationError(f"exec: the program {excerpt(command[0], 80)} {problem}")
    return ExternalBot(command, seconds or DECISION_LIMIT)


class ExternalBot(Bot):
    """A program that decides; it is started at its first decision.

    Args:
        command: The program and its arguments.
        limit: Seconds for a decision without a budget of seconds.
        clock: Returns the time in seconds; tests pass their own.
    """

    def __init__(
        self,
        command: list[str],
        limit: float = DECISION_LIMIT,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self.command = command
        self.name = command[0]  # until the program tells its own
        self.limit = limit
        self.clock = clock
        self._process: Process | None = None
        self._has_failed = False
        self._game: tuple[str, int, tuple[tuple[str, bool], ...], int | None] | None = None
        self._turn: tuple[int, int] | None = None  # the turn that `_spent` counts
        self._spent = 0.0  # seconds

    def choose(self, view: View, rng: Random, budget: Budget | None) -> Answer:
        """Return the decision of the program; BotFailure if it sends none in time."""
        if self._has_failed:
            raise BotFailure(f"{self.label} has already failed")
        try:
            return self._request_decision(view, rng, budget)
        except BotFailure as failure:
            self._has_failed = True
            self.close()
            raise type(failure)(f"{self.label} {failure}") from None

    def close(self) -> None:
        """Ask the program to quit, and kill it if it does not."""
        if self._process is not None:
            self._process.end()
        self._process = None

    @property
    def label(self) -> str:
        """The program, for messages."""
        return f"exec:{excerpt(shlex.join(self.command), 60)}"

    def _request_decision(self, view: View, rng: Random, budget: Budget | None) -> Answer:
        process = self._ready_process(view)
        turn = (view.turns, view.seat)
        if turn != self._turn:
            self._turn, self._spent = turn, 0.0
        seed = rng.getrandbits(53)  # every language can hold it as a number
        request = decide_message(view, seed, budget, self._spent, self.limit)
        limit_text = ""
        if budget is not None and budget.seconds is not None:
            limit_text = f"{_turn_limit(budget.seconds):.3g} s for its turn"
        start = self.clock()
        reply = self._ask(process, request, protocol.Decision, request.limit, limit_text)
        self._spent += self.clock() - start
        if reply.decision not in request.legal:
            raise BotFailure(f"decided {excerpt(reply.decision, 60)!r}, which is not legal")
        return _answer(reply, request.legal)

    def _ready_process(self, view: View) -> Process:
        """Return the program, running and ready for the game of a view."""
        if self._process is None:
            quit_line = protocol.encode(protocol.Quit())
            self._process = Process(self.command, quit_line, self.clock)
            weakref.finalize(self, self._process.end)  # in case nobody closes this bot
            self._game = None
            hello = protocol.Hello(protocol=PROTOCOL_VERSION, name="parure")
            reply = self._ask(self._process, hello, protocol.Hello, START_LIMIT)
            if reply.protocol != PROTOCOL_VERSION:
                raise BotFailure(
                    f"uses version {reply.protocol} of the protocol, not {PROTOCOL_VERSION}"
                )
            self.name = excerpt(reply.name, 60) or self.name
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
        expected: type[Expected],
        limit: float,
        limit_text: str = "",
    ) -> Expected:
        """Return the reply to a message, which must be of the expected type and come in time."""
        line = process.ask(protocol.encode(message), limit, limit_text)
        try:
            reply = protocol.decode_reply(line)
        except NotationError:
            raise BotFailure(f"answered {excerpt(line.decode(errors='replace'))!r}") from None
        if isinstance(reply, protocol.Error):
            raise BotFailure(f"answered with an error: {excerpt(reply.reason)}")
        if not isinstance(reply, expected):
            name = type(reply).__name__.lower()
            raise BotFailure(f"answered with {name}, not with {expected.__name__.lower()}")
        return reply


def decide_message(
    view: View, seed: int, budget: Budget | None, spent: float = 0.0, limit: float = DECISION_LIMIT
) -> protocol.Decide:
    """Return the request for a decision.

    Args:
        view: What the seat may know.
        seed: For the program's own generator.
        budget: How long to think. With seconds, the decisions of a turn share them.
        spent: Seconds that the turn has taken so far.
        limit: Seconds for the answer, if the budget has none.
    """
    time_budget = None
    if budget is not None and budget.seconds is not None:
        left = max(budget.seconds - spent, 0.0)
        time_budget = protocol.TimeBudget(seconds=budget.seconds, left=left)
        limit = max(_turn_limit(budget.seconds) - spent, 0.0)
    elif budget is not None:
        time_budget = protocol.TimeBudget(iterations=budget.iterations)
    return protocol.Decide(
        view=view_data(view),
        legal=list(view.legal_decisions),
        budget=time_budget,
        limit=limit,
        seed=seed,
    )


def _turn_limit(seconds: float) -> float:
    """Return how long a turn may take if its budget is some seconds."""
    return seconds * (1 + GRACE_SHARE) + GRACE


def _answer(reply: protocol.Decision, legal: list[str]) -> Answer:
    """Return the answer in a reply, without candidates that make no sense."""
    candidates = tuple(
        candidate
        for candidate in reply.candidates[:MAX_CANDIDATES]
        if candidate.decision in legal and 0 <= candidate.share <= 1 and 0 <= candidate.value <= 1
    )
    return Answer(reply.decision, excerpt(reply.because, 500), candidates, reply.iterations)
