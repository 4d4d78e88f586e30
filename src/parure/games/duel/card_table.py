"""The card table that kernels read, and all cards as priced cards."""

from __future__ import annotations

import numpy as np

from parure.games.duel import layout
from parure.games.duel.cards import COUNTERFEITERS, JEWELS, ROYALS
from parure.games.engine.arrays import Cards
from parure.games.engine.card_storage import UNAFFORDABLE, priced_cards
from parure.games.engine.tokens import GEMS, KIND_OF_LETTER, pack


def card_table() -> Cards:
    """Return all cards as columns of numbers; `layout` names the rows and numbers the cards."""
    table = np.zeros((layout.CARD_FIELDS, layout.CARDS), np.int64)
    table[layout.COST, layout.EMPTY :] = UNAFFORDABLE
    colors = {"joker": layout.JOKER, "none": layout.COLORLESS, "": layout.COLORLESS}
    colors |= {letter: KIND_OF_LETTER[letter] for letter in GEMS}
    for i, jewel in enumerate(JEWELS):
        color = colors[jewel.color]
        table[layout.COST, i] = pack(jewel.cost)
        table[layout.BONUS, i] = jewel.bonus << 8 * color if color < layout.JOKER else 0
        table[layout.CARD_COLOR, i] = color
        table[layout.POINTS, i] = jewel.points
        table[layout.CROWNS, i] = jewel.crowns
        table[layout.ABILITY, i] = layout.ABILITIES.index(jewel.ability)
        if color == layout.JOKER:
            word, bit = (0, i) if i < layout.LEVEL_3 else (1, i - layout.LEVEL_3)
            table[layout.JOKERS, word] |= 1 << bit
    for i, card in enumerate(COUNTERFEITERS, start=layout.FIRST_COUNTERFEITER):
        table[layout.COST, i] = pack(card.cost)
        table[layout.CARD_COLOR, i] = colors[card.color]
        table[layout.CROWNS, i] = card.crowns
    for i, royal in enumerate(ROYALS, start=layout.FIRST_ROYAL):
        table[layout.POINTS, i] = royal.points
        if royal.ability in layout.ABILITIES:  # the others lower a goal, see `kernel.victory`
            table[layout.ABILITY, i] = layout.ABILITIES.index(royal.ability)
    table.setflags(write=False)
    return table


PRICED_CARDS = priced_cards(card_table()[layout.COST])
NO_CARD = int(PRICED_CARDS[layout.EMPTY])  # the content of an empty slot
