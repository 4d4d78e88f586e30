"""Access to the row of a Duel state: seats, cards, the board.

Kernel functions take the state as `s`, a row of words whose fields are named in :mod:`.layout`.
`me` and `them` are the offsets of the seat to move and of its opponent.
"""

from __future__ import annotations

import numpy as np

from parure.games.duel import geometry, layout
from parure.games.duel.card_table import PRICED_CARDS
from parure.games.duel.geometry import ALL_CELLS
from parure.games.engine.arrays import Row
from parure.games.engine.bits import as_int, has_bit
from parure.games.engine.card_storage import card_functions
from parure.games.engine.jit import inlined
from parure.games.engine.tokens import Y

SPIRAL = np.array(geometry.SPIRAL)
ALONG_SPIRAL = np.array(geometry.ALONG_SPIRAL)
DECK_STARTS = np.array([0, *layout.DECK_ENDS[:-1]])
DECK_ENDS = np.array(layout.DECK_ENDS)


_cards = card_functions(layout, layout.LEVEL_3, PRICED_CARDS)
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
    return layout.SEATS + (s[layout.SEAT] & 1) * layout.SEAT_WORDS


@inlined
def opponent(s: Row) -> int:
    """Return the offset of the opponent of the seat to move."""
    return layout.SEATS + (~s[layout.SEAT] & 1) * layout.SEAT_WORDS


@inlined
def level_of(card: int) -> int:
    """Return the deck, 0 to 2, that a jewel belongs to."""
    return as_int(card >= layout.LEVEL_2) + as_int(card >= layout.LEVEL_3)


@inlined
def tokens_on_board(s: Row) -> int:
    """Return the cells that hold a token other than gold."""
    cells = 0
    for kind in range(Y):
        cells |= s[layout.BOARD + kind]
    return cells


@inlined
def empty_cells(s: Row) -> int:
    """Return the cells without a token."""
    return ALL_CELLS & ~(tokens_on_board(s) | s[layout.BOARD + Y])


@inlined
def cells_holding(s: Row, kinds: int) -> int:
    """Return the cells that hold a token of a set of kinds."""
    cells = 0
    for kind in range(8):
        if has_bit(kinds, kind):
            cells |= s[layout.BOARD + kind]
    return cells


@inlined
def kind_at(s: Row, cell: int) -> int:
    """Return the kind of the token on a cell, which is given as a set."""
    kind = 0
    for other in range(1, 8):  # without branches, because they cannot be predicted
        kind += other * as_int(s[layout.BOARD + other] & cell != 0)
    return kind
