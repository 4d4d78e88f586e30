"""The functions that start a game: a new one, a saved one, a position, a guess at a hidden one.

They are part of the public API: `parure.new`, `parure.load`, `parure.position`,
`parure.determinize`.
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
from parure.games.position import Position
from parure.games.position_text import parse_position
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
@overload
def new(
    *,
    players: int | Sequence[str] | None = None,
    seed: int | None = None,
    position: str | Position,
) -> State: ...
def new(
    game: str | None = None,
    *,
    players: int | Sequence[str] | None = None,
    seed: int | None = None,
    options: Mapping[str, bool] | None = None,
    position: str | Position | None = None,
) -> State:
    """Return a new game, shuffled, or one that starts from a position.

    Args:
        game: `splendor`, `duel` (the default) or `duel+counterfeiters`.
        players: The number of seats (Splendor: 2 to 4) or the players' names.
        seed: The same seed gives the same game everywhere; None draws one from the system.
        options: The game's options, such as `{"anti-blocking": True}` in Duel.
        position: A position or its text, instead of `game` and `options`. The hidden cards of a
            view are dealt at random, so that all states that fit it are equally likely.

    Raises:
        NotationError: There is no such game, number of players or option.
        InvalidPosition: The position contradicts itself.

    >>> new("splendor", players=3, seed=1).players[2].points
    0
    >>> view = new("duel", seed=7).view(0)
    >>> new(position=view, seed=1).view(0) == view
    True
    """
    if isinstance(players, str):
        raise NotationError("players is a number of seats or a list of names, not a text")
    names = None if players is None or isinstance(players, int) else list(players)
    seats = players if isinstance(players, int) else None if names is None else len(names)
    rng = new_rng(seed)
    if position is not None:
        if game is not None or options is not None:
            raise NotationError("a position says which game it is of, and with which options")
        return _new_from(position, seats, names, rng)
    game_rules = rules("duel" if game is None else game, seats, options)
    return game_rules.state_type(game_rules, game_rules.deal(rng), rng, names)


def _new_from(start: str | Position, seats: int | None, names: list[str] | None, rng: Rng) -> State:
    """Return a game that starts from a position."""
    found = position(start) if isinstance(start, str) else start
    if not isinstance(found, Position):
        raise TypeError(f"a position is a state, a view or a text, not {start!r}")
    if seats not in (None, found.seats):
        raise NotationError(f"the position has {found.seats} seats, not {seats}")
    words = found.words.copy()
    if isinstance(found, View):
        found.rules.kernel.determinize(words, rng)
    state = found.rules.state_type(found.rules, words, rng, names)
    state._position = state.text()
    return state


def position(text: str) -> State | View:
    """Return the state or view that a position text describes; docs/rules/position.md.

    A text that lists all decks and hides nothing is a state, any other a view. Points, bonuses,
    the bag and everything else that follows from the rest is not part of a text.

    Args:
        text: A position text, as `State.text` and `View.text` return it.

    Raises:
        NotationError: The text cannot be read.
        InvalidPosition: The text contradicts itself, or the position cannot come up.

    >>> view = position("splendor/D1:20,13,35,22/D2:07,15,09,29/D3:08,01,12,11/N:02,04,05")
    >>> view.viewer, view.players[0].points, view.supply["w"]
    (0, 0, 4)
    """
    return parse_position(text)


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
