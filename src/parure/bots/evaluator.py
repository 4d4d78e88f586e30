"""What bots know of each game: its cards, the features of a seat, and what each is worth.

The worth of a seat is a weighted sum of its features. A weight has a value for the start of a game
and one for its end, and goes evenly from the first to the second. The chances of the seats to win
are in proportion to e raised to their worth. With two seats this is logistic regression, and that
is how the weights are fitted (`benchmarks/fit_evaluation.py`); they lie in `weights.json`.

The compiled code of the bots is one text for all games: it is given a game's knowledge, and what
differs between games is looked up by its type (:func:`by_game`) while it is compiled.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from parure.games.engine.arrays import Cards
from parure.games.engine.jit import dispatch_on_type
from parure.games.rules import Rules

Numbers: TypeAlias = NDArray[np.float64]

AT_START, UNTIL_END = range(2)  # rows of the weights

WEIGHTS = Path(__file__).with_name("weights.json")

# How much of a card's worth counts when so many tokens are lacking; at the last, nothing.
REACH = np.array([1.0, 0.72, 0.5, 0.33, 0.2, 0.12, 0.06, 0.0])

# The same when so many tokens would have to be paid beside the bonuses.
BROUGHT_NEAR = 0.8 ** np.arange(16.0)


class DuelKnowledge(NamedTuple):
    """What is known of Duel, with or without The Counterfeiters."""

    cards: Cards
    weights: Numbers  # of each feature: at the start, and by how much it changes until the end
    worth: Numbers  # of each card, in points


class SplendorKnowledge(NamedTuple):
    """What is known of Splendor."""

    cards: Cards
    weights: Numbers
    worth: Numbers


Knowledge: TypeAlias = DuelKnowledge | SplendorKnowledge


def module_of(kind: type) -> ModuleType:
    """The module that goes with a kind of knowledge."""
    return import_module(f"parure.bots.{'duel' if kind is DuelKnowledge else 'splendor'}_features")


def by_game(name: str) -> Callable[..., Any]:
    """A function that each game's module has under this name, chosen by the knowledge given."""
    return dispatch_on_type(lambda kind: getattr(module_of(kind), name))


def door(name: str) -> Callable[..., Any]:
    """A door to the rules of each game (:mod:`parure.bots.doors`), chosen in the same way."""
    return dispatch_on_type(lambda kind: getattr(module_of(kind).DOORS, name))


def knowledge_kind(by: Rules) -> type[DuelKnowledge] | type[SplendorKnowledge]:
    """The type of what is known of a game."""
    return SplendorKnowledge if by.game == "splendor" else DuelKnowledge


def feature_names(by: Rules) -> tuple[str, ...]:
    """The features of a game in the order of their weights."""
    names: tuple[str, ...] = module_of(knowledge_kind(by)).FEATURES
    return names


def weights(by: Rules) -> Numbers:
    """The weights of a game; a feature that the file does not name has none."""
    table = json.loads(WEIGHTS.read_text(encoding="utf-8"))[by.label]
    pairs = np.array([table.get(name, (0.0, 0.0)) for name in feature_names(by)], np.float64)
    return np.array([pairs[:, 0], pairs[:, 1] - pairs[:, 0]])


@lru_cache(maxsize=16)
def knowledge(by: Rules) -> Knowledge:
    """What is known of a game."""
    kind = knowledge_kind(by)
    return kind(
        by.cards,
        weights(by),
        np.array(module_of(kind).worth_of(by.cards), np.float64),
    )
