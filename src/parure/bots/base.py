"""What a bot is: it receives a view, a random generator and a budget, and returns an answer."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, ClassVar

from parure.errors import InvalidPosition, NotationError, ParureError

if TYPE_CHECKING:
    from parure.games.view import View


class BotFailure(ParureError):
    """A bot crashed, hung or answered with something illegal: it has lost."""


class BotTimeout(BotFailure):
    """A bot took too long."""


@dataclass(frozen=True, slots=True)
class Budget:
    """How long to think: seconds for a whole turn, or search iterations for each decision."""

    seconds: float | None = None
    iterations: int | None = None

    @classmethod
    def parse(cls, text: str) -> Budget:
        """Return the budget that a text names: `0.2s`, `200ms` or `2000`.

        Raises:
            NotationError: The text is not a budget, or the budget is zero.

        >>> Budget.parse("1s"), Budget.parse("2000")
        (Budget(seconds=1.0, iterations=None), Budget(seconds=None, iterations=2000))
        """
        match = re.fullmatch(r"(\d{1,9}(?:\.\d{1,9})?)(ms|s)|(\d{1,9})", text, re.ASCII)
        if match is None:
            raise NotationError(
                f"{text[:40]!r} is not a budget: write 1s, 200ms or 2000 (iterations)"
            )
        number, unit, iterations = match.groups()
        budget = (
            cls(iterations=int(iterations))
            if iterations
            else cls(seconds=float(number) / (1000 if unit == "ms" else 1))
        )
        if not (budget.seconds or budget.iterations):
            raise NotationError(f"a budget of {text} leaves no time to think")
        return budget

    def __str__(self) -> str:
        return str(self.iterations) if self.seconds is None else f"{self.seconds:g}s"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A decision that the bot considered."""

    decision: str
    share: float  # of the search's visits, 0 to 1
    value: float  # expected score of the seat to move: 1 is a sure victory, 0 a sure defeat
    visits: int = 0  # of the search; 0 for a bot that does not search


@dataclass(frozen=True, slots=True)
class Answer:
    """What a bot decides, and optionally what it considered."""

    decision: str
    because: str = ""  # a sentence
    candidates: tuple[Candidate, ...] = ()  # the best first
    iterations: int = 0


class Bot:
    """Anything that picks a decision from a view. One object plays one seat of one game.

    To write a bot, subclass this and implement :meth:`choose`. To use one, call :meth:`decide`.

    >>> class FirstBot(Bot):
    ...     def choose(self, view, rng, budget):
    ...         return view.legal_decisions[0]
    >>> import parure
    >>> FirstBot().decide(parure.new("splendor", seed=7).view(0)).decision
    'take wug'

    Attributes:
        on_progress: Called from time to time while a bot thinks, with the number of
            iterations done so far. What it raises stops the bot.
        memory_limit: The bytes that a search may use, None where the bot itself limits them.
        is_compiled: Whether the first decision in a process takes longer, because code is
            compiled or loaded.
    """

    on_progress: Callable[[int], None] | None = None
    memory_limit: int | None = None
    is_compiled: ClassVar[bool] = False

    def decide(self, view: View, rng: Random | None = None, budget: Budget | None = None) -> Answer:
        """Return the decision of this bot for the seat to move.

        Args:
            view: What the seat to move knows: `state.view(state.seat)`.
            rng: The source of all randomness, for reproducible decisions; by default a new
                generator that the system seeds.
            budget: Replaces the bot's own budget, where it has one; levels keep theirs.

        Raises:
            TypeError: Given a State, which holds hidden cards, or anything else but a View.
            InvalidPosition: The game is over, or the viewer is not the seat to move.
        """
        _check_view(view)
        chosen = self.choose(view, Random() if rng is None else rng, budget)
        if isinstance(chosen, str):
            return Answer(chosen)
        if not isinstance(chosen, Answer):
            raise TypeError(
                f"{type(self).__name__}.choose returned {chosen!r}: "
                "return the text of a decision, or an Answer"
            )
        return chosen

    def choose(self, view: View, rng: Random, budget: Budget | None) -> Answer | str:
        """Return one of the view's legal decisions, alone or in an :class:`Answer`.

        :meth:`decide` calls this with a view that was checked. A bot may remember earlier views;
        it should take all randomness from `rng`.
        """
        raise NotImplementedError(f"{type(self).__name__} must implement choose()")

    @property
    def memory(self) -> int:
        """The bytes that a search keeps for the next decision."""
        return 0

    def release_memory(self) -> None:
        """Forget what a search keeps for the next decision, which then takes a little longer."""

    def close(self) -> None:
        """Release what the bot holds: a process, threads."""


def _check_view(view: object) -> None:
    from parure.games.position import Position  # importing bots stays cheap
    from parure.games.view import View

    if not isinstance(view, View):
        if isinstance(view, Position):
            raise TypeError(
                f"a bot decides from a view, not from a {type(view).__name__}, which holds hidden "
                "cards: pass state.view(state.seat)"
            )
        raise TypeError(f"a bot decides from a View, not from {type(view).__name__}")
    if view.is_over:
        raise InvalidPosition("the game is over: there is nothing to decide")
    if view.viewer != view.seat:
        whose = "a spectator" if view.viewer is None else f"seat {view.viewer}"
        raise InvalidPosition(
            f"this is the view of {whose}, but seat {view.seat} is to move: "
            "pass state.view(state.seat)"
        )
