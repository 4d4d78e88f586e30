"""What a bot is: a view, a generator and a budget in; a decision and perhaps thoughts out."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, ClassVar

from parure.errors import NotationError, ParureError

if TYPE_CHECKING:
    from parure.games.view import View


class BotFailure(ParureError):
    """A bot crashed, hung or answered with something illegal: it has lost."""


class BotTimeout(BotFailure):
    """A bot took too long."""


@dataclass(frozen=True, slots=True)
class Budget:
    """How long to think: seconds for a whole turn, or iterations of a search for each decision.

    >>> budget("1s"), budget("2000")
    (Budget(seconds=1.0, iterations=None), Budget(seconds=None, iterations=2000))
    """

    seconds: float | None = None
    iterations: int | None = None

    def __str__(self) -> str:
        return str(self.iterations) if self.seconds is None else f"{self.seconds:g}s"


def budget(text: str) -> Budget:
    """The budget that a text names: `0.2s`, `200ms` or `2000`; NotationError if it is none."""
    match = re.fullmatch(r"(\d{1,9}(?:\.\d{1,9})?)(ms|s)|(\d{1,9})", text)
    if match is None:
        raise NotationError(f"{text[:40]!r} is no budget; write 1s, 200ms or 2000 (iterations)")
    number, unit, iterations = match.groups()
    found = (
        Budget(iterations=int(iterations))
        if iterations
        else Budget(seconds=float(number) / (1000 if unit == "ms" else 1))
    )
    if not (found.seconds or found.iterations):
        raise NotationError(f"a budget of {text} leaves no time to think")
    return found


@dataclass(frozen=True, slots=True)
class Candidate:
    """A decision that was considered: how much of the thinking went to it, and its worth."""

    decision: str
    share: float
    value: float  # the mover's expected score: 1 for a sure victory, 0 for a sure defeat


@dataclass(frozen=True, slots=True)
class Answer:
    """What a bot decides, and what it thought, if it says."""

    decision: str
    because: str = ""  # a sentence
    candidates: tuple[Candidate, ...] = ()  # the best first
    iterations: int = 0


class Bot(ABC):
    """Whatever picks a decision from a view. One object plays one seat of one game.

    A bot may remember what it thought a decision ago, never more than its views told it. One that
    thinks for long tells `watch`, if there is one, how many iterations it has done, from time to
    time; what `watch` raises stops it.
    """

    watch: Callable[[int], None] | None = None
    is_compiled: ClassVar[bool] = False  # its first decision in a process takes longer

    @abstractmethod
    def decide(self, view: View, rng: Random, budget: Budget | None = None) -> Answer:
        """One of the view's legal decisions, with all chance from the generator.

        A budget given here goes before the bot's own; the levels keep theirs.
        """

    def close(self) -> None:  # noqa: B027 — most hold nothing
        """Let go of whatever the bot holds: a process, threads."""
