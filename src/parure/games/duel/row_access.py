"""Reaching into the row of a Duel state: seats, sets of cards, decks, the board.

Functions of the kernel take the state as `s`, a row of words whose fields are named in
:mod:`.layout`; `me` and `them` are the offsets of two seats in it.
"""

from __future__ import annotations

import numpy as np

from parure.games.duel import geometry, layout
from parure.games.duel.card_table import PRICED
from parure.games.duel.geometry import ALL_CELLS
from parure.games.engine.arrays import Row
from parure.games.engine.bits import as_int
from parure.games.engine.card_storage import placing
from parure.games.engine.jit import helper
from parure.games.engine.tokens import Y

SPIRAL = np.array(geometry.SPIRAL)
ALONG_SPIRAL = np.array(geometry.ALONG_SPIRAL)
DECK_ENDS = np.array(layout.DECK_ENDS)
FIRST_PLACES = np.array([0, *layout.DECK_ENDS[:-1]])


add_card, has_card, remove_card, card_at, lay_card, top_of, draw_card, priced = placing(
    layout, layout.LEVEL_3, PRICED
)


@helper
def mover(s: Row) -> int:
    """The seat whose decision it is."""
    return layout.SEATS + (s[layout.SEAT] & 1) * layout.SEAT_WORDS


@helper
def opponent(s: Row) -> int:
    """The other one."""
    return layout.SEATS + (~s[layout.SEAT] & 1) * layout.SEAT_WORDS


@helper
def level_of(card: int) -> int:
    """The deck, 0 to 2, that a jewel belongs to."""
    return as_int(card >= layout.LEVEL_2) + as_int(card >= layout.LEVEL_3)


@helper
def tokens_on_board(s: Row) -> int:
    """The cells that hold a token other than gold."""
    cells = 0
    for kind in range(Y):
        cells |= s[layout.BOARD + kind]
    return cells


@helper
def empty_cells(s: Row) -> int:
    """The cells without a token."""
    return ALL_CELLS & ~(tokens_on_board(s) | s[layout.BOARD + Y])


@helper
def kind_at(s: Row, cell: int) -> int:
    """The kind of the token on a cell."""
    kind = 0
    for other in range(1, 8):  # without a branch: which it is cannot be foreseen
        kind += other * as_int(s[layout.BOARD + other] & cell != 0)
    return kind
