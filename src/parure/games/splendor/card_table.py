"""The card table that the kernel reads."""

from __future__ import annotations

import numpy as np

from parure.games.engine.arrays import Cards
from parure.games.engine.card_storage import priced_cards
from parure.games.engine.tokens import KIND_OF_LETTER, pack
from parure.games.splendor import layout as at
from parure.games.splendor.cards import DEVELOPMENTS, NOBLES

_TOO_DEAR = pack([127])  # what no card costs cannot be bought


def card_table() -> Cards:
    """All cards as columns of numbers, in the order of `layout`."""
    table = np.zeros((at.CARD_FIELDS, at.CARDS), np.int64)
    table[at.COST, at.EMPTY : at.FIRST_NOBLE] = _TOO_DEAR
    for i, card in enumerate(DEVELOPMENTS):
        color = KIND_OF_LETTER[card.color]
        table[at.COST, i] = pack(card.cost)
        table[at.BONUS, i] = 1 << 8 * color
        table[at.CARD_COLOR, i] = color
        table[at.POINTS, i] = card.points
    for i, noble in enumerate(NOBLES, start=at.FIRST_NOBLE):
        table[at.COST, i] = pack(noble.needs)
        table[at.POINTS, i] = noble.points
    table.setflags(write=False)
    return table


PRICED = priced_cards(card_table()[at.COST])
NO_CARD = int(PRICED[at.EMPTY])  # what lies in an empty place
