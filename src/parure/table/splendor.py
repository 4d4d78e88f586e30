"""Splendor at a table; see :mod:`parure.table.game`."""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import ClassVar

from parure.games.engine.arrays import Row
from parure.games.splendor import layout
from parure.games.splendor.state import SplendorPosition
from parure.games.splendor.view_schema import SplendorViewData
from parure.table.game import TableGame
from parure.table.turn_boundary import Place


class SplendorTable(TableGame[SplendorPosition, SplendorViewData]):
    """Splendor at a table."""

    messages: ClassVar[Mapping[str, str]] = {
        "full": "your reserve is full",
        "no-card": "no card is left",
        "supply-empty": "the supply holds no gems",
    }

    def obstacles(self, position: SplendorPosition, verbs: Set[str]) -> dict[str, str]:
        """Return why the seat to move cannot reserve or take gems: a code for each."""
        player = position.players[position.seat]
        codes = {}
        if "reserve" not in verbs:
            is_full = len(player.reserved) >= player.reserve_limit
            codes["reserve"] = "full" if is_full else "no-card"
        if "take" not in verbs:
            codes["take"] = "supply-empty"
        return codes

    def progress(self, position: SplendorPosition, seat: int) -> dict[str, int]:
        """Return the points of a seat."""
        return {"points": position.players[seat].points}

    def start_turn(self, words: Row, seat: int) -> None:
        """Change a row to the start of a turn of some seat."""
        words[layout.CARD : layout.SUPPLY] = 0  # the purchase that is under way
        words[layout.CARD] = layout.EMPTY
        words[layout.SEAT], words[layout.PHASE] = seat, layout.TURN

    def restore_turn(
        self, data: SplendorViewData, before: SplendorViewData, arrived: Mapping[Place, str]
    ) -> None:
        """Do nothing: the fields that only Splendor has do not depend on the refill."""


TABLE = SplendorTable()
