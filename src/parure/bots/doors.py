"""The rules of a game, for the compiled code of the bots: the same few functions for each game.

The rules are compiled once behind each door, where they would be inlined in every place.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any, NamedTuple

from parure.games.engine.arrays import Cards, Chance, Menu, Rng, Row
from parure.games.engine.jit import inlined, outlined


class Doors(NamedTuple):
    """What bots ask of the rules."""

    apply: Callable[..., None]
    legal_ids: Callable[..., int]
    determinize: Callable[..., None]
    is_over: Callable[..., bool]
    seat_to_move: Callable[..., int]
    turns_done: Callable[..., int]
    winning_seats: Callable[..., int]


def doors(kernel: ModuleType, layout: ModuleType) -> Doors:
    """The doors to the rules of a game, which has this kernel and this layout of its rows."""
    at: Any = layout

    @outlined
    def apply(s: Row, cards: Cards, decision: int, rng: Rng, chance: Chance) -> None:
        """Do a decision."""
        kernel.apply(s, cards, decision, rng, chance)

    @outlined
    def legal_ids(s: Row, cards: Cards, menu: Menu, ids: Row) -> int:
        """Write all legal decisions; gives how many there are."""
        return kernel.legal_ids(s, cards, menu, ids)

    @outlined
    def determinize(s: Row, rng: Rng) -> None:
        """Turn a view into a full state."""
        kernel.determinize(s, rng)

    @inlined
    def is_over(s: Row) -> bool:
        """Whether the game has ended."""
        return s[at.PHASE] == at.OVER

    @inlined
    def seat_to_move(s: Row) -> int:
        """The seat whose decision it is."""
        return s[at.SEAT]

    @inlined
    def turns_done(s: Row) -> int:
        """How many turns have been completed."""
        return s[at.TURNS]

    @inlined
    def winning_seats(s: Row) -> int:
        """The seats that have won, as a set."""
        return s[at.WINNERS]

    return Doors(apply, legal_ids, determinize, is_over, seat_to_move, turns_done, winning_seats)
