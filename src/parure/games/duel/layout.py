"""What lies where in the row of a Duel state.

A state is one flat row of bytes; the kernel works on it through its 64-bit view, so every offset
here counts 64-bit words. Packed words are explained in :mod:`parure.games.engine.tokens`.
"""

from __future__ import annotations

from parure.games.engine.row_layout import RowLayout

# --- phases, in the order in which a turn may go through them -----------------------------------

PHASES = (
    "turn",
    "second",
    "reserve",
    "reserve-more",
    "pay",
    "color",
    "collect",
    "collect-more",
    "steal",
    "royal",
    "counterfeiter",
    "draw",
    "window",
    "deck",
    "keep",
    "bottom",
    "discard",
    "over",
)
(
    TURN,
    SECOND,
    RESERVE,
    RESERVE_MORE,
    PAY,
    COLOR,
    COLLECT,
    COLLECT_MORE,
    STEAL,
    ROYAL,
    COUNTERFEITER,
    DRAW,
    WINDOW,
    DECK,
    KEEP,
    BOTTOM,
    DISCARD,
    OVER,
) = range(len(PHASES))

# Stages inside one decision, in the place of a phase.
SETTLING = OVER + 1  # a price is to be paid, unless there is something to choose
PAYING = OVER + 2  # it is clear how
GOING_ON = OVER + 3  # the turn goes on with whatever comes next

REASONS = ("", "points", "crowns", "color", "claim", "limit", "resigned", "timeout")
_, POINTS_REASON, CROWNS_REASON, COLOR_REASON, CLAIM_REASON, LIMIT_REASON, _, _ = range(8)

# --- numbers of the game ------------------------------------------------------------------------

CELLS = 25
PYRAMID = (5, 4, 3)  # face-up cards of each level
PYRAMID_SLOTS = sum(PYRAMID)
LEVEL_SIZES = (30, 24, 13)
MAX_TURNS = 500
GOAL = 20  # points
CROWNS_GOAL = 10  # one less with R7
COLOR_GOAL = 10  # points in one color; one less with R6
TOKEN_LIMIT = 10
RESERVE_LIMIT = 3
MAX_RESERVED = 5  # with C15
TOTAL_PRIVILEGES = 3

# --- cards as numbers ---------------------------------------------------------------------------
# 0 to 66 are the jewels in the order of their file, then come the Counterfeiters and what is no
# particular card. A set of jewels is two words: levels 1 and 2 in the low one, level 3 in the high.

JEWELS = 67
LEVEL_2 = 30
LEVEL_3 = 54
COUNTERFEITERS = 17
FIRST_COUNTERFEITER = JEWELS
EMPTY = FIRST_COUNTERFEITER + COUNTERFEITERS  # no card in this place
UNKNOWN = EMPTY + 1  # UNKNOWN + deck: a card of that deck that the viewer has not seen
DECKS = 5  # jewels of levels 1, 2, 3, Counterfeiters, royals
COUNTERFEITER_DECK = 3
ROYAL_DECK = 4
FIRST_ROYAL = UNKNOWN + DECKS
ROYALS = 12
R6, R7 = 5, 6  # the royals, counted from 0, that lower a goal
CARDS = FIRST_ROYAL + ROYALS

# Rows of the card table: `cards[COST, card]`.
COST, BONUS, CARD_COLOR, POINTS, CROWNS, ABILITY, JOKERS = range(7)
CARD_FIELDS = 7

JOKER = 5  # colors after the five gems
COLORLESS = 6

ABILITIES = (
    "",
    "token",
    "steal",
    "privilege",
    "again",
    "reserve",
    "take-4-of-a-kind",
    "counterfeiter",
    "draw-2-from-bag",
    "gold",
    "take-3-any",
)
(
    _,
    TAKES_TOKEN,
    STEALS,
    TAKES_PRIVILEGE,
    GOES_AGAIN,
    RESERVES,
    TAKES_FOUR_ALIKE,
    TAKES_COUNTERFEITER,
    DRAWS_FROM_BAG,
    TAKES_GOLD,
    TAKES_THREE,
) = range(len(ABILITIES))

# --- the row ------------------------------------------------------------------------------------

_row = RowLayout()

# options
WITH_COUNTERFEITERS = _row.field()
ANTI_BLOCKING = _row.field()
OPTION_WORDS = _row.size

# where the game stands
PHASE = _row.field()
SEAT = _row.field()
TURNS = _row.field()  # completed, extra turns counted
REASON = _row.field()
WINNERS = _row.field()  # set of seats

# what this turn has brought so far
REPLENISHED = _row.field()
AGAIN = _row.field()  # an extra turn is due
USED = _row.field()  # set of Counterfeiters
WINDOW_IS_PAST = _row.field()
CLAIMABLE = _row.field()

# what is being done
CARD = _row.field()  # bought, used or to be colored; EMPTY between
IS_USE = _row.field()  # CARD is a Counterfeiter used in the window
PRICE = _row.field()  # packed
GOLD_LAID = _row.field()  # packed: gold laid in place of each kind by `gold-for`
PAY_STEP = _row.field()  # how far the spelling of the payment has come, as a bit of the pay menu
PAY_USES = _row.field()  # how often the discount at PAY_STEP has been used
RESERVES_LEFT = _row.field()
COLLECT_ABILITY = _row.field()  # the one that collects
COLLECT_KINDS = _row.field()  # set
COLLECT_COLOR = _row.field()  # of the card that collects
COLLECTS_LEFT = _row.field()
ROYALS_DUE = _row.field()
IS_BRIBE = _row.field()  # the royal is being chosen for C09
PEEK_DECK = _row.field()
PEEKED = _row.field()  # how many cards on top of PEEK_DECK are being looked at

# the table
BOARD = _row.field(8)  # for each kind the set of its cells
BAG = _row.field()  # packed
FACE_UP_ROYALS = _row.field()  # set
SLOTS = _row.field(PYRAMID_SLOTS)  # priced cards, level 1 first
COUNTERFEITER_ROW = _row.field(3)  # slots 12 to 14
GAPS = _row.field()  # set of slots to be refilled at the end of the turn
DECK_SIZES = _row.field(DECKS)
DECK_BYTES = _row.field(12)  # a byte a card; deck d ends at DECK_ENDS[d], its top card comes first
KNOWN = _row.field(
    6
)  # sets (two words) of cards in decks and reserves: known to seat 0, 1, everyone
EVERYONE = 2

DECK_ENDS = (30, 54, 67, 84, 96)

# a seat
_seat = RowLayout()
TOKENS = _seat.field()  # packed
BONUSES = _seat.field()  # packed
SCORE = _seat.field()
SCORE_BY_COLOR = _seat.field()  # packed
CROWNS_HELD = _seat.field()
PRIVILEGES = _seat.field()
RESERVED_COUNT = _seat.field()
RESERVED = _seat.field(MAX_RESERVED)  # priced cards; NO_CARD after the last
TABLEAU = _seat.field(2)  # set of jewels
JOKER_COLORS = _seat.field()  # four bits for each joker of the deck in order: 0, or its color + 1
ROYALS_HELD = _seat.field()  # set
COUNTERFEITERS_HELD = _seat.field()  # set
DISCOUNTS = _seat.field()  # what C01 to C08 among them can do, see `paying`
BLOCKED_TURNS = _seat.field()  # turns in a row begun with all gold and pearls
IS_WARNED = _seat.field()  # and has not answered yet

SEAT_WORDS = _seat.size
SEATS = _row.field(2 * SEAT_WORDS)

ROW_WORDS = _row.size
