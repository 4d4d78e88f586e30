"""What lies where in the row of a Splendor state.

A state is one flat row of bytes; the kernel works on it through its 64-bit view, so every offset
here counts 64-bit words. Packed words are explained in :mod:`parure.games.engine.tokens`. The row
has room for four seats, however many play.
"""

from __future__ import annotations

from parure.games.engine.row_layout import RowLayout

# --- phases, in the order in which a turn may go through them -----------------------------------

PHASES = ("turn", "pay", "discard", "noble", "over")
TURN, PAY, DISCARD, NOBLE, OVER = range(len(PHASES))

REASONS = ("", "points", "stalemate", "limit", "resigned", "timeout")
_, POINTS_REASON, STALEMATE_REASON, LIMIT_REASON, _, _ = range(len(REASONS))

# --- numbers of the game ------------------------------------------------------------------------

MAX_SEATS = 4
FACE_UP = 4  # cards of each level
RESERVE_LIMIT = 3
TOKEN_LIMIT = 10
GOAL = 15  # points
MAX_TURNS = 500

# --- cards as numbers ---------------------------------------------------------------------------
# 0 to 89 are the developments in the order of their file, then comes what is no particular card.
# A set of developments is two words: level 1 in the low one, levels 2 and 3 in the high.

DEVELOPMENTS = 90
LEVEL_2 = 40
LEVEL_3 = 70
EMPTY = DEVELOPMENTS  # no card in this place
UNKNOWN = EMPTY + 1  # UNKNOWN + deck: a card of that deck that the viewer has not seen
DECKS = 3
FIRST_NOBLE = UNKNOWN + DECKS
NOBLES = 10
CARDS = FIRST_NOBLE + NOBLES

# Rows of the card table: `cards[COST, card]`; a noble's cost is the bonuses that it needs.
COST, BONUS, CARD_COLOR, POINTS = range(4)
CARD_FIELDS = 4

# --- the row ------------------------------------------------------------------------------------

_row = RowLayout()

SEAT_COUNT = _row.field()
OPTION_WORDS = _row.size

# where the game stands
PHASE = _row.field()
SEAT = _row.field()
TURNS = _row.field()  # completed, of all seats together
PASSES = _row.field()  # in unbroken succession
LAST_ROUND = _row.field()  # somebody has reached the goal
REASON = _row.field()
WINNERS = _row.field()  # set of seats

# what is being bought
CARD = _row.field()  # EMPTY between
PRICE = _row.field()  # packed
GOLD_LAID = _row.field()  # packed: gold laid in place of each kind by `gold-for`
PAY_STEP = _row.field()  # how far the spelling of the payment has come, as a bit of the pay menu

# the table
SUPPLY = _row.field()  # packed
FACE_UP_NOBLES = _row.field()  # set
SLOTS = _row.field(DECKS * FACE_UP)  # priced cards, level 1 first
DECK_SIZES = _row.field(DECKS)
DECK_BYTES = _row.field(12)  # a byte a card; deck d ends at DECK_ENDS[d], its top card comes first
KNOWN = _row.field(2)  # set of cards in reserves that everyone knows
EVERYONE = MAX_SEATS  # a viewer who sits at no seat

DECK_ENDS = (40, 70, 90)

# a seat
_seat = RowLayout()
TOKENS = _seat.field()  # packed
BONUSES = _seat.field()  # packed; one for each development bought
SCORE = _seat.field()
RESERVED_COUNT = _seat.field()
RESERVED = _seat.field(RESERVE_LIMIT)  # priced cards; NO_CARD after the last
TABLEAU = _seat.field(2)  # set of developments
NOBLES_HELD = _seat.field()  # set

SEAT_WORDS = _seat.size
SEATS = _row.field(MAX_SEATS * SEAT_WORDS)

ROW_WORDS = _row.size
