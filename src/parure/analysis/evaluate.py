"""The expected score of each seat at once, without a search."""

from __future__ import annotations

import numpy as np

from parure.analysis.tree import PositionSearch, Values
from parure.games.engine.rng import new_rng
from parure.games.position import Position
from parure.games.state import State
from parure.games.view import View

SAMPLES = 16  # determinizations


def view_of(position: Position) -> View:
    """Return what an analysis may look at: of a state only what the seat to move knows.

    Raises:
        TypeError: The argument is not a state or a view.
    """
    if isinstance(position, State):
        return position.view(position.seat)
    if isinstance(position, View):
        return position
    raise TypeError(f"pass a State or a View, not {type(position).__name__}")


def evaluate(position: Position) -> Values:
    """Return the expected score of each seat: 1 is a sure victory, 0 a sure defeat.

    The network of the game evaluates some states that fit what the seat to move knows; nothing is
    searched. Once a game is over, the result is exact.

    >>> import parure
    >>> values = evaluate(parure.new("splendor", players=3, seed=7))
    >>> len(values), round(sum(values), 6)
    (3, 1.0)
    """
    view = view_of(position)
    if view.outcome is not None:
        return view.outcome.scores(view.seats)
    search = PositionSearch(view)
    sums = np.zeros(view.seats)
    for seed in range(SAMPLES):
        sums += one_evaluation(search, view, seed)
    return tuple(float(value) for value in sums / SAMPLES)


def one_evaluation(search: PositionSearch, view: View, seed: int) -> Values:
    """Return the value of one random state that fits a view."""
    search.restart(view, new_rng(seed))
    search.advance(1)
    return search.mean_values()
