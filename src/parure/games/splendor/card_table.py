"""The card table that the kernel reads."""

from __future__ import annotations

import numpy as np

from parure.games.engine.arrays import Cards
from parure.games.engine.card_storage import priced_cards
from parure.games.engine.tokens import KIND_OF_LETTER, pack
from parure.games.splendor import layout
from parure.games.splendor.cards import DEVELOPMENTS, NOBLES

_TOO_DEAR = pack([127])  # what no card costs cannot be bought


def card_table() -> Cards:
    """All cards as columns of numbers, in the order of `layout`."""
    table = np.zeros((layout.CARD_FIELDS, layout.CARDS), np.int64)
    table[layout.COST, layout.EMPTY : layout.FIRST_NOBLE] = _TOO_DEAR
    for i, card in enumerate(DEVELOPMENTS):
        color = KIND_OF_LETTER[card.color]
        table[layout.COST, i] = pack(card.cost)
        table[layout.BONUS, i] = 1 << 8 * color
        table[layout.CARD_COLOR, i] = color
        table[layout.POINTS, i] = card.points
    for i, noble in enumerate(NOBLES, start=layout.FIRST_NOBLE):
        table[layout.COST, i] = pack(noble.needs)
        table[layout.POINTS, i] = noble.points
    table.setflags(write=False)
    return table


PRICED_CARDS = priced_cards(card_table()[layout.COST])
NO_CARD = int(PRICED_CARDS[layout.EMPTY])  # what lies in an empty place
