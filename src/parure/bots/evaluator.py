"""What the bots know of a game: its rules and features as compiled functions, and the weights.

The evaluation is a linear model. The worth of a seat is a weighted sum of its features; a weight
changes linearly from its value at the start of a game to its value at the end. The softmax over
the worths of all seats is each seat's chance to win, so with two seats this is logistic
regression. `benchmarks/fit_evaluation.py` fits the weights, which are in `weights.json`.

Search and evaluation are one text for all games. Each game family has a named tuple type of its
own, an :class:`Evaluator`; compiled functions receive it as their first argument, and its type
selects the functions of the game (:func:`game_function`) while they are compiled.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, Protocol, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from parure.games.engine.arrays import Cards, Chance, Menu, Rng, Row
from parure.games.engine.jit import dispatch_on_type, inlined, outlined_kernel
from parure.games.registry import family_of, import_part
from parure.games.rules import Kernel, Layout, Rules

Floats: TypeAlias = NDArray[np.float64]
Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")

WEIGHTS = Path(__file__).with_name("weights.json")
AT_START, CHANGE = range(2)  # rows of the weights: at the start, and what is added until the end

# Whether the seat to move wins in this turn: by no sequence of decisions, perhaps by some, by all.
NO_WIN, MAY_WIN, SURE_WIN = range(3)


class Evaluator(Protocol):
    """The tables that compiled code needs to evaluate positions of a game."""

    @property
    def cards(self) -> Cards:
        """The card table of the rules."""

    @property
    def weights(self) -> Floats:
        """The weight of each feature, in the rows `AT_START` and `CHANGE`."""

    @property
    def card_worth(self) -> Floats:
        """What each card is worth to its buyer, in points."""

    @staticmethod
    def game() -> GameEvaluation:
        """Return the functions of the game that this type of evaluator selects."""


@dataclass(frozen=True, slots=True)
class CompiledRules:
    """The rules of a game as functions that only compiled code may call."""

    apply: Callable[[Row, Cards, int, Rng, Chance], None]
    legal_ids: Callable[[Row, Cards, Menu, Row], int]
    determinize: Callable[[Row, Rng], None]
    is_over: Callable[[Row], bool]
    seat_to_move: Callable[[Row], int]
    turns_done: Callable[[Row], int]
    winning_seats: Callable[[Row], int]  # a set, as bits


def compile_rules(kernel: Kernel, layout: Layout) -> CompiledRules:
    """Return the rules of a game for compiled code.

    The functions of the kernel are large and called in several places: compiled once and not
    inlined, they save most of the time it takes to compile the search.
    """

    @inlined
    def is_over(s: Row) -> bool:
        return s[layout.PHASE] == layout.OVER

    @inlined
    def seat_to_move(s: Row) -> int:
        return s[layout.SEAT]

    @inlined
    def turns_done(s: Row) -> int:
        return s[layout.TURNS]

    @inlined
    def winning_seats(s: Row) -> int:
        return s[layout.WINNERS]

    return CompiledRules(
        apply=outlined_kernel(kernel.apply),
        legal_ids=outlined_kernel(kernel.legal_ids),
        determinize=outlined_kernel(kernel.determinize),
        is_over=is_over,
        seat_to_move=seat_to_move,
        turns_done=turns_done,
        winning_seats=winning_seats,
    )


@dataclass(frozen=True, slots=True)
class GameEvaluation:
    """What a game family provides to the bots: `EVALUATION` in its module of features.

    All functions except `card_worth` may be called by compiled code only.
    """

    evaluator_type: Callable[[Cards, Floats, Floats], Evaluator]
    rules: CompiledRules
    feature_names: tuple[str, ...]
    write_features: Callable[[Row, Cards, Floats, int, Floats], None]  # of a seat
    progress: Callable[[Row], float]  # 0 at the start of a game, 1 at its end
    is_settled: Callable[[Row], bool]  # whether the position can be evaluated as it is
    can_win_now: Callable[[Row, Floats], bool]  # whether the mover, with these features, may win
    turn_outlook: Callable[[Row, Cards], int]  # whether the mover wins in this turn: see `NO_WIN`
    bag: Callable[[Row], int]  # the tokens that chance draws from, packed
    card_worth: Callable[[Cards], list[float]]


def game_function(
    select: Callable[[GameEvaluation], Callable[Parameters, Result]],
) -> Callable[Concatenate[Evaluator, Parameters], Result]:
    """Return a function for compiled code that calls the one a game provides.

    Its first argument is an evaluator, whose type says which game; it is not passed on.
    """

    def find(evaluator_type: Any) -> Callable[Parameters, Result]:
        return select(evaluator_type.game())

    return dispatch_on_type(find)


def game_evaluation(rules: Rules) -> GameEvaluation:
    """Return what the family of a game provides to the bots."""
    found: GameEvaluation = import_part(family_of(rules.game).evaluation)
    return found


def feature_names(rules: Rules) -> tuple[str, ...]:
    """Return the features of a game in the order of their weights."""
    return game_evaluation(rules).feature_names


def load_weights(rules: Rules) -> Floats:
    """Return the weights of a game; a feature that the file does not name has weight 0."""
    table = json.loads(WEIGHTS.read_text(encoding="utf-8"))[rules.label]
    pairs = np.array([table.get(name, (0.0, 0.0)) for name in feature_names(rules)], np.float64)
    return np.array([pairs[:, 0], pairs[:, 1] - pairs[:, 0]])


@lru_cache(maxsize=16)
def evaluator_for(rules: Rules) -> Evaluator:
    """Return the evaluator of a game."""
    game = game_evaluation(rules)
    card_worth = np.array(game.card_worth(rules.cards), np.float64)
    return game.evaluator_type(rules.cards, load_weights(rules), card_worth)
