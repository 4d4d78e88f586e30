"""Random playouts of many games, and all successors of one state, in one compiled call each."""

from __future__ import annotations

from collections.abc import Sequence
from operator import index

import numpy as np

from parure.errors import NotationError
from parure.games.engine.arrays import Rng, Row
from parure.games.engine.batch_loops import (
    DECISIONS,
    REASON,
    RESULT_COLUMNS,
    TURNS,
    WINNERS,
)
from parure.games.engine.jit import announce_compilation
from parure.games.rules import MENU_WORDS, Rules, new_chance

__all__ = [
    "DECISIONS",
    "REASON",
    "TURNS",
    "WINNERS",
    "after_each",
    "after_each_legal",
    "generators",
    "play_out",
]


def generators(seed: int, first: int, number: int) -> Rng:
    """Return the generators of games `first`, `first + 1`, … of a series, one in each row.

    Args:
        seed: The seed of the series, not negative.
        first: The number of the first game.
        number: The number of games.

    >>> bool((generators(7, 0, 5)[3:] == generators(7, 3, 2)).all())
    True
    """
    start, count = _not_negative("first", first), _not_negative("number", number)
    series = np.random.PCG64(_not_negative("seed", seed)).advance(start)
    rngs: Rng = series.random_raw(count).reshape(count, 1)
    return rngs


def play_out(rules: Rules, rngs: Rng) -> Row:
    """Deal a game from each generator and play it to its end with random decisions.

    Args:
        rules: The game.
        rngs: One generator in each row, as `generators` returns them. They are advanced.

    Returns:
        A row for each game with the columns DECISIONS, TURNS, REASON (an index of the layout's
        REASONS) and WINNERS (a bit for each seat).
    """
    _check_rngs("rngs", rngs, ndim=2)
    announce_compilation(rules.kernel)
    results: Row = np.empty((len(rngs), RESULT_COLUMNS), np.int64)
    menu = np.empty(MENU_WORDS, np.int64)
    rules.kernel.playout_many(rules.blank(), rules.cards, rngs, menu, new_chance(), results)
    return results


def after_each(rules: Rules, row: Row, decisions: Sequence[int], rng: Rng) -> Row:
    """Return the state after each of some legal decisions, one in each row.

    Args:
        rules: The game.
        row: The words of the state before, which does not change.
        decisions: Legal decisions as integers.
        rng: The generator that all decisions draw from, one after the other.

    Raises:
        TypeError: An array does not have the type or shape of a row or a generator.
        NotationError: A decision is not legal.
    """
    legal = set(rules.legal(row))
    for decision in decisions:
        if decision not in legal:
            raise NotationError(f"{decision!r} is not the number of a legal decision")
    return after_each_legal(rules, row, decisions, rng)


def after_each_legal(rules: Rules, row: Row, decisions: Sequence[int], rng: Rng) -> Row:
    """Like `after_each`, but does not check that the decisions are legal."""
    rules.check_row(row)
    _check_rngs("rng", rng, ndim=1)
    rows = np.repeat(row[np.newaxis], len(decisions), axis=0)
    rules.kernel.apply_each(rows, rules.cards, np.array(decisions, np.int64), rng, new_chance())
    return rows


def _not_negative(name: str, value: int) -> int:
    try:
        number = index(value)
    except TypeError:
        raise TypeError(f"{name} must be a whole number, not {value!r}") from None
    if number < 0:
        raise NotationError(f"{name} must not be negative, but is {number}")
    return number


def _check_rngs(name: str, rngs: Rng, ndim: int) -> None:
    shape = "(n, 1)" if ndim == 2 else "(1,)"
    if not isinstance(rngs, np.ndarray) or rngs.dtype != np.uint64:
        found = f"{rngs.dtype}" if isinstance(rngs, np.ndarray) else type(rngs).__name__
        raise TypeError(f"{name} must be a uint64 array of shape {shape}, not {found}")
    if rngs.ndim != ndim or rngs.shape[-1] != 1 or not rngs.flags.c_contiguous:
        raise TypeError(
            f"{name} must be a contiguous uint64 array of shape {shape}, not of {rngs.shape}"
        )
