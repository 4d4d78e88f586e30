"""The rules of Splendor behind the interface that all games share."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

import numpy as np

from parure.games.engine.arrays import Row
from parure.games.engine.tokens import counts_by_letter, pack
from parure.games.position import Position, names_in
from parure.games.rules import CardInfo, Rules
from parure.games.setup import cards_in, dealt_decks, decks_in, require_keys, shuffle_decks
from parure.games.splendor import decisions, kernel, layout
from parure.games.splendor.card_table import PRICED_CARDS, card_table
from parure.games.splendor.cards import DEVELOPMENTS, NOBLES
from parure.games.splendor.reasons import reason_against
from parure.games.splendor.state import (
    CARD_NAMES,
    CARD_NUMBERS,
    NOBLE_IDS,
    NOBLE_NUMBERS,
    SplendorPosition,
    SplendorState,
    SplendorView,
)

CARD_INFOS = (
    *(
        CardInfo(
            id=card.id,
            kind="development",
            level=card.level,
            color=card.color,
            bonus=1,
            points=card.points,
            cost=counts_by_letter(pack(card.cost)),
        )
        for card in DEVELOPMENTS
    ),
    *(
        CardInfo(
            id=noble.id,
            kind="noble",
            points=noble.points,
            cost=counts_by_letter(pack(noble.needs)),
        )
        for noble in NOBLES
    ),
)


class SplendorRules(Rules):
    """Splendor for 2 to 4 players."""

    title = "Splendor"
    layout = layout
    kernel = kernel
    state_type = SplendorState
    view_type = SplendorView
    priced = PRICED_CARDS
    decision_texts = decisions.TEXTS
    card_infos = CARD_INFOS
    cards = card_table()

    def __init__(self, game: str, seats: int, options: Mapping[str, bool]) -> None:
        self.game = game
        self.seats = seats
        self.options = options

    def blank(self) -> Row:
        """Return a row that holds only the number of seats, ready to be dealt."""
        row = np.zeros(layout.ROW_WORDS, np.int64)
        row[layout.SEAT_COUNT] = self.seats
        return row

    def set_up(self, setup: Mapping[str, Any]) -> Row:
        """Return the first state of a record's set-up; RecordError if the set-up is wrong."""
        require_keys(setup, ("decks", "nobles"))
        places = decks_in(setup, CARD_NUMBERS)
        nobles = cards_in("nobles", setup["nobles"], NOBLE_NUMBERS, self.seats + 1)
        row = self.blank()
        self.announce()
        kernel.set_up(row, np.array(places), np.array(nobles))
        return row

    def setup_of(self, row: Row) -> dict[str, Any]:
        """Return the set-up of a first state, as a record holds it."""
        return {
            "decks": dealt_decks(row, layout, CARD_NAMES, SplendorState.face_up),
            "nobles": list(names_in(row.item(layout.FACE_UP_NOBLES), NOBLE_IDS)),
        }

    def shuffled_setup(self, rng: Random) -> dict[str, Any]:
        """Return the set-up of a new game; every one is equally likely."""
        nobles = rng.sample(list(NOBLE_NUMBERS), self.seats + 1)
        return {"decks": shuffle_decks(CARD_NUMBERS, rng), "nobles": nobles}

    def reason_against(self, position: Position, decision: int) -> str:
        """Return a sentence for the seat to move that says why a decision is not legal."""
        assert isinstance(position, SplendorPosition)
        return reason_against(position, decision)
