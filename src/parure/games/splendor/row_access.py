"""Access to the row of a Splendor state: seats and cards.

Kernel functions take the state as `s`, a row of words whose fields are named in :mod:`.layout`.
`me` is the offset of the seat to move.
"""

from __future__ import annotations

import numpy as np

from parure.games.engine.arrays import Row
from parure.games.engine.card_storage import card_functions
from parure.games.engine.jit import inlined
from parure.games.splendor import layout
from parure.games.splendor.card_table import PRICED_CARDS

DECK_STARTS = np.array([0, *layout.DECK_ENDS[:-1]])
DECK_ENDS = np.array(layout.DECK_ENDS)


_cards = card_functions(layout, layout.LEVEL_2, PRICED_CARDS)
add_card = _cards.add_card
has_card = _cards.has_card
remove_card = _cards.remove_card
card_at = _cards.card_at
put_card = _cards.put_card
top_index = _cards.top_index
draw_card = _cards.draw_card
shuffle_deck = _cards.shuffle_deck
priced_card = _cards.priced_card
add_to_reserve = _cards.add_to_reserve
remove_from_reserve = _cards.remove_from_reserve


@inlined
def mover(s: Row) -> int:
    """Return the offset of the seat to move."""
    return layout.SEATS + s[layout.SEAT] * layout.SEAT_WORDS


@inlined
def level_of(card: int) -> int:
    """Return the deck, 0 to 2, that a development belongs to."""
    if card < layout.LEVEL_2:
        return 0
    return 1 if card < layout.LEVEL_3 else 2
