"""What a table needs to know about a game beside its rules; one typed object per family of games.

The registry of games names the objects, so that a new game brings its own.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence, Set
from typing import ClassVar, Generic, TypeVar

import numpy as np

from parure.games.engine.arrays import Row
from parure.games.position import Position
from parure.games.registry import family_of, import_part
from parure.games.view_schema import ViewData
from parure.table.turn_boundary import Flags, Place

SomePosition = TypeVar("SomePosition", bound=Position)
Data = TypeVar("Data", bound=ViewData)


class TableGame(ABC, Generic[SomePosition, Data]):
    """One family of games at a table."""

    messages: ClassVar[Mapping[str, str]]  # a sentence for each code of `obstacles`

    @abstractmethod
    def obstacles(self, position: SomePosition, verbs: Set[str]) -> dict[str, str]:
        """Return why the seat to move cannot take some kinds of action: a code for each.

        The codes use only what the seat to move may know. `verbs` are those of its legal decisions.
        """

    @abstractmethod
    def progress(self, position: SomePosition, seat: int) -> dict[str, int]:
        """Return how far a seat is toward each of its `goals`."""

    @abstractmethod
    def start_turn(self, words: Row, seat: int) -> None:
        """Change the row of a state, in place, to the start of a turn of some seat."""

    def golds_before_reserving(self, legal: Sequence[str]) -> list[str]:
        """Return the decisions of which one must precede `reserve …`, the suggested one first."""
        return []

    def has_extra_turn(self, rows: Row) -> Flags:
        """Return for each row whether the seat to move has another turn after this one."""
        return np.zeros(len(rows), np.bool_)

    def privileges(self, rows: Row, seats: Sequence[int]) -> Row:
        """Return for each row the number of privileges that some seats hold together."""
        return np.zeros(len(rows), np.int64)

    def cells_to_fill(self, position: SomePosition) -> list[str]:
        """Return the empty cells of the board in the order in which tokens are laid."""
        return []

    @abstractmethod
    def restore_turn(self, data: Data, before: Data, arrived: Mapping[Place, str]) -> None:
        """Change data back to the turn that was just completed, where only this game has fields.

        Args:
            data: The view after the turn, as its seat has it; changed in place.
            before: The view before the last decision.
            arrived: The cards that refilled the face-up rows, which are to be covered.
        """


def table_game(game: str) -> TableGame[Position, ViewData]:
    """Return the table's knowledge of a game."""
    found: TableGame[Position, ViewData] = import_part(family_of(game).table)
    return found
