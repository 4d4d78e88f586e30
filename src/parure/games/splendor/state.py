"""States and views of Splendor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parure.games.engine.tokens import counts_by_letter
from parure.games.position import Player, Position, names_in
from parure.games.splendor import layout
from parure.games.splendor.ascii import draw
from parure.games.splendor.cards import DEVELOPMENTS, NOBLES
from parure.games.state import State
from parure.games.view import View

CARD_NUMBERS = {card.id: i for i, card in enumerate(DEVELOPMENTS)}
CARD_NAMES = (*CARD_NUMBERS, "", "??1", "??2", "??3")
NOBLE_NUMBERS = {noble.id: i for i, noble in enumerate(NOBLES)}
NOBLE_IDS = tuple(NOBLE_NUMBERS)


class SplendorPlayer(Player):
    """A seat of Splendor."""

    @property
    def cards(self) -> tuple[str, ...]:
        """The developments bought, in the order of their deck."""
        bits = self._field(layout.TABLEAU) | self._field(layout.TABLEAU + 1) << layout.LEVEL_2
        return names_in(bits, CARD_NAMES)

    @property
    def nobles(self) -> tuple[str, ...]:
        """The nobles that have visited."""
        return names_in(self._field(layout.NOBLES_HELD), NOBLE_IDS)

    @property
    def collection(self) -> tuple[str, ...]:
        """The developments and nobles before the seat."""
        return (*self.cards, *self.nobles)

    @property
    def counters(self) -> dict[str, int]:
        """The points."""
        return {"points": self.points}

    @property
    def reserve_limit(self) -> int:
        """The number of cards a seat may reserve."""
        return layout.RESERVE_LIMIT

    @property
    def goals(self) -> dict[str, int]:
        """The points that start the last round."""
        return {"points": layout.GOAL}


class SplendorPosition(Position):
    """The table of Splendor."""

    player_type = SplendorPlayer
    card_numbers = CARD_NUMBERS
    card_names = CARD_NAMES
    face_up = (layout.FACE_UP,) * layout.DECKS
    players: tuple[SplendorPlayer, ...]

    def __str__(self) -> str:
        return draw(self)

    @property
    def supply(self) -> dict[str, int]:
        """The tokens in the supply, by letter."""
        return counts_by_letter(self._field(layout.SUPPLY))

    @property
    def nobles(self) -> tuple[str, ...]:
        """The nobles still on the table."""
        return names_in(self._field(layout.FACE_UP_NOBLES), NOBLE_IDS)

    @property
    def tiles(self) -> tuple[str, ...]:
        """The nobles still on the table."""
        return self.nobles

    @property
    def buying(self) -> str | None:
        """The card that is being paid for; None between purchases."""
        return CARD_NAMES[self._field(layout.CARD)] or None


class SplendorView(SplendorPosition, View):
    """What one seat may know of a Splendor state."""


class SplendorState(SplendorPosition, State):
    """A state of Splendor."""

    if TYPE_CHECKING:

        def view(self, seat: int | None) -> SplendorView: ...
