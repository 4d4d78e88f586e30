"""The functions at the door of the package: a new game, a saved one, a guess at a hidden one."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from os import PathLike

import numpy as np

from parure.errors import NotationError
from parure.games import record
from parure.games.engine.arrays import Rng
from parure.games.position import State, View
from parure.games.rules import rules


def generator(seed: int | None = None) -> Rng:
    """A random generator for the kernels; the same seed gives the same game everywhere."""
    if seed is None:
        seed = secrets.randbits(64)
    if not isinstance(seed, int):
        raise NotationError(f"a seed is a whole number, not {seed!r}")
    return np.array([seed % (1 << 64)], np.uint64)


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
    rng = generator(seed)
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
    rng = seed if isinstance(seed, np.ndarray) else generator(seed)
    return view.rules.state_type.determinized(view, rng)
