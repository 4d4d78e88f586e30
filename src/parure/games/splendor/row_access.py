"""Reaching into the row of a Splendor state: seats, sets of cards, decks.

Functions of the kernel take the state as `s`, a row of words whose fields are named in
:mod:`.layout`.
"""

from __future__ import annotations

import numpy as np

from parure.games.engine.arrays import Row
from parure.games.engine.card_storage import placing
from parure.games.engine.jit import helper
from parure.games.splendor import layout
from parure.games.splendor.card_table import PRICED

DECK_STARTS = np.array([0, *layout.DECK_ENDS[:-1]])
DECK_ENDS = np.array(layout.DECK_ENDS)


add_card, has_card, remove_card, card_at, lay_card, top_of, draw_card, priced = placing(
    layout, layout.LEVEL_2, PRICED
)


@helper
def mover(s: Row) -> int:
    """The seat whose decision it is."""
    return layout.SEATS + s[layout.SEAT] * layout.SEAT_WORDS


@helper
def level_of(card: int) -> int:
    """The deck, 0 to 2, that a development belongs to."""
    if card < layout.LEVEL_2:
        return 0
    return 1 if card < layout.LEVEL_3 else 2
