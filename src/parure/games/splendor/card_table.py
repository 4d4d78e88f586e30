"""The card table that kernels read, and all cards as priced cards."""

from __future__ import annotations

import numpy as np

from parure.games.engine.arrays import Cards
from parure.games.engine.card_storage import UNAFFORDABLE, priced_cards
from parure.games.engine.tokens import KIND_OF_LETTER, pack
from parure.games.splendor import layout
from parure.games.splendor.cards import DEVELOPMENTS, NOBLES


def card_table() -> Cards:
    """Return all cards as columns of numbers; `layout` names the rows and numbers the cards."""
    table = np.zeros((layout.CARD_FIELDS, layout.CARDS), np.int64)
    table[layout.COST, layout.EMPTY : layout.FIRST_NOBLE] = UNAFFORDABLE
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
NO_CARD = int(PRICED_CARDS[layout.EMPTY])  # the content of an empty slot
