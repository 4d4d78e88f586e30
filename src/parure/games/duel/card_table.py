"""The card table that the kernel reads."""

from __future__ import annotations

import numpy as np

from parure.games.duel import layout as at
from parure.games.duel.cards import COUNTERFEITERS, JEWELS, ROYALS
from parure.games.engine.arrays import Cards
from parure.games.engine.card_storage import priced_cards
from parure.games.engine.tokens import GEMS, KIND_OF_LETTER, pack

_TOO_DEAR = pack([127])  # what no card costs cannot be bought


def card_table() -> Cards:
    """All cards as columns of numbers, in the order of `layout`."""
    table = np.zeros((at.CARD_FIELDS, at.CARDS), np.int64)
    table[at.COST, at.EMPTY :] = _TOO_DEAR
    colors = {"joker": at.JOKER, "none": at.COLORLESS, "": at.COLORLESS}
    colors |= {letter: KIND_OF_LETTER[letter] for letter in GEMS}
    for i, jewel in enumerate(JEWELS):
        color = colors[jewel.color]
        table[at.COST, i] = pack(jewel.cost)
        table[at.BONUS, i] = jewel.bonus << 8 * color if color < at.JOKER else 0
        table[at.CARD_COLOR, i] = color
        table[at.POINTS, i] = jewel.points
        table[at.CROWNS, i] = jewel.crowns
        table[at.ABILITY, i] = at.ABILITIES.index(jewel.ability)
        if color == at.JOKER:
            word, bit = (0, i) if i < at.LEVEL_3 else (1, i - at.LEVEL_3)
            table[at.JOKERS, word] |= 1 << bit
    for i, card in enumerate(COUNTERFEITERS, start=at.FIRST_COUNTERFEITER):
        table[at.COST, i] = pack(card.cost)
        table[at.CARD_COLOR, i] = colors[card.color]
        table[at.CROWNS, i] = card.crowns
    for i, royal in enumerate(ROYALS, start=at.FIRST_ROYAL):
        table[at.POINTS, i] = royal.points
        if royal.ability in at.ABILITIES:  # the others change what it takes to win
            table[at.ABILITY, i] = at.ABILITIES.index(royal.ability)
    table.setflags(write=False)
    return table


PRICED = priced_cards(card_table()[at.COST])
NO_CARD = int(PRICED[at.EMPTY])  # what lies in an empty place
