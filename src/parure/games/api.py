"""The functions that start a game: a new one, a saved one, a guess at a hidden one.

They are part of the public API: `parure.new`, `parure.load`, `parure.determinize`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, overload

import numpy as np

from parure.errors import NotationError, RecordError
from parure.games import record
from parure.games.engine.arrays import Rng
from parure.games.engine.rng import new_rng
from parure.games.registry import DuelName, SplendorName, family_of, rules
from parure.games.state import State
from parure.games.view import View

if TYPE_CHECKING:
    from parure.games.duel.state import DuelState, DuelView
    from parure.games.splendor.state import SplendorState, SplendorView


@overload
def new(
    game: DuelName = "duel",
    *,
    players: int | Sequence[str] | None = None,
    seed: int | None = None,
    options: Mapping[str, bool] | None = None,
) -> DuelState: ...
@overload
def new(
    game: SplendorName,
    *,
    players: int | Sequence[str] | None = None,
    seed: int | None = None,
    options: Mapping[str, bool] | None = None,
) -> SplendorState: ...
@overload
def new(
    game: str,
    *,
    players: int | Sequence[str] | None = None,
    seed: int | None = None,
    options: Mapping[str, bool] | None = None,
) -> State: ...
def new(
    game: str = "duel",
    *,
    players: int | Sequence[str] | None = None,
    seed: int | None = None,
    options: Mapping[str, bool] | None = None,
) -> State:
    """Return a new game, shuffled.

    Args:
        game: `splendor`, `duel` or `duel+counterfeiters`.
        players: The number of seats (Splendor: 2 to 4) or the players' names.
        seed: The same seed gives the same game everywhere; None draws one from the system.
        options: The game's options, such as `{"anti-blocking": True}` in Duel.

    Raises:
        NotationError: There is no such game, number of players or option.

    >>> new("splendor", players=3, seed=1).players[2].points
    0
    """
    if isinstance(players, str):
        raise NotationError("players is a number of seats or a list of names, not a text")
    names = None if players is None or isinstance(players, int) else list(players)
    seats = players if isinstance(players, int) else None if names is None else len(names)
    game_rules = rules(game, seats, options)
    rng = new_rng(seed)
    return game_rules.state_type(game_rules, game_rules.deal(rng), rng, names)


@overload
def load(path: str | PathLike[str], game: DuelName) -> DuelState: ...
@overload
def load(path: str | PathLike[str], game: SplendorName) -> SplendorState: ...
@overload
def load(path: str | PathLike[str], game: str | None = None) -> State: ...
def load(path: str | PathLike[str], game: str | None = None) -> State:
    """Return the state that a record file leads to.

    Args:
        path: A file with one record.
        game: The game that the record must be of; None accepts any.

    Raises:
        RecordError: Anything in the record does not hold, or it is of another game.
        OSError: The file cannot be read.
    """
    found = record.read(path)
    if game is not None and found.game != game:
        family_of(game)
        raise RecordError(f"the record is of {found.game[:40]!r}, not of {game!r}")
    return record.final_state(found)


@overload
def determinize(view: DuelView, seed: int | Rng | None = None) -> DuelState: ...
@overload
def determinize(view: SplendorView, seed: int | Rng | None = None) -> SplendorState: ...
@overload
def determinize(view: View, seed: int | Rng | None = None) -> State: ...
def determinize(view: View, seed: int | Rng | None = None) -> State:
    """Return a full state drawn at random among those that fit a view.

    Raises:
        TypeError: `view` is not a view; a state already holds everything.

    >>> state = new("duel", seed=7)
    >>> guess = determinize(state.view(0), seed=1)
    >>> guess == state, guess.view(0) == state.view(0)
    (False, True)
    """
    if not isinstance(view, View):
        raise TypeError(f"determinize takes a view, as state.view(seat) returns, not {view!r}")
    rng = seed if isinstance(seed, np.ndarray) else new_rng(seed)
    return view.rules.state_type.determinized(view, rng)
