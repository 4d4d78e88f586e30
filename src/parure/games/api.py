"""The functions at the door of the package: a new game, a saved one, a guess at a hidden one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike

import numpy as np

from parure.games import record
from parure.games.engine.arrays import Rng
from parure.games.engine.rng import new_rng
from parure.games.registry import rules
from parure.games.state import State
from parure.games.view import View


def new(
    game: str = "duel",
    *,
    players: int | Sequence[str] | None = None,
    seed: int | None = None,
    options: Mapping[str, bool] | None = None,
) -> State:
    """A new game, shuffled.

    `players` is the number of seats (Splendor: 2 to 4) or the players' names.

    >>> new("splendor", players=3, seed=1).players[2].points
    0
    """
    names = None if players is None or isinstance(players, int) else list(players)
    seats = len(names) if names is not None else players
    by = rules(game, seats, options)  # type: ignore[arg-type]
    rng = new_rng(seed)
    return by.state_type(by, by.deal(rng), rng, names)


def load(path: str | PathLike[str]) -> State:
    """The state that a record file leads to; RecordError if anything in it does not hold."""
    return record.load(path)


def determinize(view: View, seed: int | Rng | None = None) -> State:
    """A full state drawn at random among those that fit a view.

    >>> state = new("duel", seed=7)
    >>> guess = determinize(state.view(0), seed=1)
    >>> guess == state, guess.view(0) == state.view(0)
    (False, True)
    """
    rng = seed if isinstance(seed, np.ndarray) else new_rng(seed)
    return view.rules.state_type.determinized(view, rng)
