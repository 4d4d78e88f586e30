"""A view: what one seat may know of a state."""

from __future__ import annotations

from typing import Any

from parure.games.engine.arrays import Row
from parure.games.position import LegalDecisions, Position
from parure.games.rules import Rules


class View(Position):
    """What one seat, or a watcher (`viewer` None), may know of a state.

    The row is that of the state with every card the viewer has not seen replaced by an unknown
    one, so two views are equal exactly when they hold the same knowledge.
    """

    def __init__(self, rules: Rules, words: Row, viewer: int | None) -> None:
        super().__init__(rules, words)
        self.viewer = viewer
        self._legal: LegalDecisions | None = None  # a view does not change

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of seat {self.viewer}, {self.phase}, {self.seat} to move>"

    def _key(self) -> tuple[Any, ...]:
        return (*super()._key(), self.viewer)

    @property
    def legal_decisions(self) -> LegalDecisions:
        """The decisions that the viewer may take; none while another seat is to move."""
        if self._legal is None:
            is_own = self.viewer == self.seat
            self._legal = super().legal_decisions if is_own else LegalDecisions(self.rules, [])
        return self._legal
