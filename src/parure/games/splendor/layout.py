"""The row of a Splendor state: phases, constants of the game, card numbers, and fields of the row.

A state is one flat row of bytes. Kernels use it as 64-bit words, so every offset counts words. The
comment of a field says how it is encoded: *packed counts* and *sets* are explained in
:mod:`parure.games.engine.bits`, *priced cards* and *sets of cards* in
:mod:`parure.games.engine.card_storage`. All other fields are plain numbers. The row has fields for
four seats, whatever the number of players.
"""

from __future__ import annotations

from itertools import accumulate

from parure.games.engine.row_layout import RowLayout
from parure.games.engine.tokens import pack

# --- phases, in the order in which a turn may reach them ------------------------------------------

PHASES = ("turn", "pay", "discard", "noble", "over")
TURN, PAY, DISCARD, NOBLE, OVER = range(len(PHASES))

# Stages of one call of `apply`; the field PHASE never has these values.
PAYMENT_OPEN = OVER + 1  # a price is set; phase `pay` follows if there is something to choose
PAYMENT_CHOSEN = OVER + 2  # how the price is paid is decided
ACTION_DONE = OVER + 3  # the turn continues with whatever applies next
TURN_DONE = OVER + 4  # nothing else applies

# docs/rules/record.md, "Results"
REASONS = ("", "points", "stalemate", "limit", "resigned", "timeout")
_, POINTS_REASON, STALEMATE_REASON, LIMIT_REASON, _, _ = range(len(REASONS))

# --- constants of the game ------------------------------------------------------------------------

# docs/rules/splendor.md, "Splendor"
LEVEL_SIZES = (40, 30, 20)  # developments
NOBLES = 10
# docs/rules/splendor.md, "Set-up"
MAX_SEATS = 4
FACE_UP = 4  # cards of each level
TOTAL_TOKENS = tuple(  # packed, by the number of players
    pack([gems] * 5 + [0, 0, 5]) for gems in (0, 0, 4, 5, 7)
)
# docs/rules/splendor.md, "A turn"
RESERVE_LIMIT = 3
MIN_SUPPLY_FOR_TWO = 4  # tokens of a kind in the supply, to take two of them
# docs/rules/splendor.md, "After the action", 3
TOKEN_LIMIT = 10
# docs/rules/splendor.md, "End"
GOAL = 15  # points
# docs/rules/splendor.md, "Stalemate and limit"
MAX_TURNS = 500

# --- cards as numbers -----------------------------------------------------------------------------
# 0 to 89 are the developments in the order of their file; then come EMPTY, one unknown card for
# each deck, and the nobles. A set of nobles counts from 0. A set of developments has level 1 in its
# first word, levels 2 and 3 in the second.

DEVELOPMENTS = sum(LEVEL_SIZES)
LEVEL_2 = LEVEL_SIZES[0]  # the first card of level 2
LEVEL_3 = LEVEL_2 + LEVEL_SIZES[1]
EMPTY = DEVELOPMENTS  # no card
UNKNOWN = EMPTY + 1  # UNKNOWN + deck: a card of that deck that the viewer has not seen
DECKS = 3
FIRST_NOBLE = UNKNOWN + DECKS
CARDS = FIRST_NOBLE + NOBLES

# Rows of the card table: `cards[COST, card]`. The cost of a noble is the bonuses that it requires.
COST, BONUS, CARD_COLOR, POINTS = range(4)
CARD_FIELDS = 4

# --- the row --------------------------------------------------------------------------------------

_row = RowLayout()

SEAT_COUNT = _row.field()
OPTION_WORDS = _row.size

# state of the game
PHASE = _row.field()
SEAT = _row.field()  # to move
TURNS = _row.field()  # completed, of all seats together
PASSES = _row.field()  # in unbroken succession
LAST_ROUND = _row.field()  # a seat has reached the goal
REASON = _row.field()
WINNERS = _row.field()  # set of seats

# state of the purchase in progress
CARD = _row.field()  # EMPTY between purchases
PRICE = _row.field()  # packed
GOLD_LAID = _row.field()  # packed: number of `gold-for` for each kind
PAY_STEP = _row.field()  # the first bit of the pay menu that may still be chosen

# the table
SUPPLY = _row.field()  # packed
FACE_UP_NOBLES = _row.field()  # set
SLOTS = _row.field(DECKS * FACE_UP)  # priced cards, level 1 first
DECK_SIZES = _row.field(DECKS)
DECK_BYTES = _row.field(12)  # one byte for each card of each deck
KNOWN = _row.field(2)  # set of reserved cards that everyone knows
EVERYONE = MAX_SEATS  # a viewer without a seat

DECK_ENDS = tuple(accumulate(LEVEL_SIZES))

# a seat
_seat = RowLayout()
TOKENS = _seat.field()  # packed
BONUSES = _seat.field()  # packed; one for each development bought
SCORE = _seat.field()  # points of developments and nobles
RESERVED_COUNT = _seat.field()
RESERVED = _seat.field(RESERVE_LIMIT)  # priced cards; NO_CARD after the last
TABLEAU = _seat.field(2)  # set of developments
NOBLES_HELD = _seat.field()  # set

SEAT_WORDS = _seat.size
SEATS = _row.field(MAX_SEATS * SEAT_WORDS)

ROW_WORDS = _row.size
