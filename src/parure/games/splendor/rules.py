"""Splendor as Python sees it: rules, states, views, set-ups and reasons."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from parure.errors import NotationError
from parure.games.engine.arrays import Row
from parure.games.engine.tokens import counts_by_letter
from parure.games.position import Player, Position, names_in
from parure.games.rules import Rules
from parure.games.setup import cards_in, decks_in, require_keys
from parure.games.splendor import decisions, kernel, layout
from parure.games.splendor.ascii import draw
from parure.games.splendor.card_table import PRICED, card_table
from parure.games.splendor.cards import DEVELOPMENTS, NOBLES
from parure.games.splendor.reasons import reason_against, unavailable_actions
from parure.games.state import State
from parure.games.view import View

CARD_NUMBERS = {card.id: i for i, card in enumerate(DEVELOPMENTS)}
CARD_NAMES = [*CARD_NUMBERS, "", "??1", "??2", "??3"]
NOBLE_NUMBERS = {noble.id: i for i, noble in enumerate(NOBLES)}
NOBLE_IDS = tuple(NOBLE_NUMBERS)


class SplendorPlayer(Player):
    """A seat of Splendor."""

    @property
    def cards(self) -> tuple[str, ...]:
        """The developments bought."""
        bits = self._field(layout.TABLEAU) | self._field(layout.TABLEAU + 1) << layout.LEVEL_2
        return names_in(bits, CARD_NAMES)

    @property
    def nobles(self) -> tuple[str, ...]:
        """The nobles who have come."""
        return names_in(self._field(layout.NOBLES_HELD), NOBLE_IDS)

    @property
    def reserve_limit(self) -> int:
        """How many cards may be reserved."""
        return layout.RESERVE_LIMIT

    @property
    def goals(self) -> dict[str, int]:
        """What ends the game: so many points."""
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
        """The pieces in the supply, by letter."""
        return counts_by_letter(self._field(layout.SUPPLY))

    @property
    def nobles(self) -> tuple[str, ...]:
        """The nobles still on the table."""
        return names_in(self._field(layout.FACE_UP_NOBLES), NOBLE_IDS)

    @property
    def buying(self) -> str | None:
        """The card whose price is being paid."""
        return CARD_NAMES[self._field(layout.CARD)] or None


class SplendorState(SplendorPosition, State):
    """A state of Splendor."""


class SplendorView(SplendorPosition, View):
    """A view of a Splendor state."""


class SplendorRules(Rules):
    """Splendor for 2 to 4 players."""

    layout = layout
    kernel = kernel
    state_type = SplendorState
    view_type = SplendorView
    priced = PRICED
    _table = card_table()

    def __init__(self, game: str, seats: int | None, options: Mapping[str, bool]) -> None:
        seats = 2 if seats is None else seats
        if not 2 <= seats <= layout.MAX_SEATS:
            raise NotationError(f"{game} is for 2 to 4 players, not {seats}")
        self.game = game
        self.seats = seats
        self.options = options
        self.cards = self._table
        self.decision_texts = decisions.TEXTS

    def blank(self) -> Row:
        """A row with only the number of seats in it, ready to be dealt."""
        row = np.zeros(layout.ROW_WORDS, np.int64)
        row[layout.SEAT_COUNT] = self.seats
        return row

    def lay_out(self, setup: Mapping[str, Any]) -> Row:
        """The first state of a game whose set-up a record gives."""
        require_keys(setup, ("decks", "nobles"))
        places = decks_in(setup, CARD_NUMBERS)
        nobles = cards_in("nobles", setup["nobles"], NOBLE_NUMBERS, self.seats + 1)
        row = self.blank()
        self._announce()
        kernel.lay_out(row, np.array(places), np.array(nobles))
        return row

    def setup_of(self, row: Row) -> dict[str, Any]:
        """The set-up of a first state, as a record gives it."""
        position = SplendorView(self, row, None)
        decks = [
            [name for name in (*face_up, *position.deck(level)) if name]
            for level, face_up in enumerate(position.pyramid, start=1)
        ]
        return {"decks": decks, "nobles": list(position.nobles)}

    def reason_against(self, position: Position, decision: int) -> str:
        """Why a decision is not legal, in a sentence that the seat to move may read."""
        assert isinstance(position, SplendorPosition)
        return reason_against(position, decision)

    def unavailable_actions(self, position: Position) -> dict[str, tuple[str, str]]:
        """Why the seat to move cannot take some actions: a code and a sentence each."""
        assert isinstance(position, SplendorPosition)
        return unavailable_actions(position)
