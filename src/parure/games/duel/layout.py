"""The row of a Duel state: phases, constants of the game, card numbers, and the fields of the row.

A state is one flat row of bytes. Kernels use it as 64-bit words, so every offset counts words. The
comment of a field says how it is encoded: *packed counts* and *sets* are explained in
:mod:`parure.games.engine.bits`, *priced cards* and *sets of cards* in
:mod:`parure.games.engine.card_storage`. All other fields are plain numbers.
"""

from __future__ import annotations

from itertools import accumulate

from parure.games.engine.row_layout import RowLayout
from parure.games.engine.tokens import pack

# --- phases, in the order in which a turn may reach them ------------------------------------------

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

# Stages of one call of `apply`; the field PHASE never has these values between decisions.
PAYMENT_OPEN = OVER + 1  # a price is set; phase `pay` follows if there is something to choose
PAYMENT_CHOSEN = OVER + 2  # how the price is paid is decided
ACTION_DONE = OVER + 3  # the turn continues with whatever applies next

# docs/rules/record.md, "Results"
REASONS = ("", "points", "crowns", "color", "claim", "limit", "resigned", "timeout")
_, POINTS_REASON, CROWNS_REASON, COLOR_REASON, CLAIM_REASON, LIMIT_REASON, _, _ = range(8)

# --- constants of the game ------------------------------------------------------------------------

# docs/rules/duel.md, "Splendor Duel"
CELLS = 25
LEVEL_SIZES = (30, 24, 13)  # jewels
TOTAL_TOKENS = pack([4, 4, 4, 4, 4, 2, 0, 3])
TOTAL_PRIVILEGES = 3
BASE_ROYALS = 4  # without The Counterfeiters
# docs/rules/counterfeiters.md, "Set-up"
TOTAL_TOKENS_WITH_GLASS = pack([4, 4, 4, 4, 4, 2, 4, 3])
COUNTERFEITERS = 17
COUNTERFEITER_SLOTS = 3
ROYALS = 12
# docs/rules/duel.md, "Set-up"
PYRAMID = (5, 4, 3)  # slots of each level
PYRAMID_SLOTS = sum(PYRAMID)
ROYAL_SLOTS = 4
# docs/rules/duel.md, "A turn"
RESERVE_LIMIT = 3
MAX_RESERVED = 5  # with C15
# docs/rules/duel.md, "After the mandatory action", 4
TOKEN_LIMIT = 10
# docs/rules/duel.md, "After the mandatory action", 6
GOAL = 20  # points
CROWNS_GOAL = 10  # 9 with R7
COLOR_GOAL = 10  # points in one color; 9 with R6
# docs/rules/duel.md, "Length"
MAX_TURNS = 500

# --- cards as numbers -----------------------------------------------------------------------------
# 0 to 66 are the jewels in the order of their file; then come the Counterfeiters, EMPTY, one
# unknown card for each deck, and the royals. Sets of Counterfeiters and of royals count from 0. A
# set of jewels has levels 1 and 2 in its first word, level 3 in the second.

JEWELS = sum(LEVEL_SIZES)
LEVEL_2 = LEVEL_SIZES[0]  # the first card of level 2
LEVEL_3 = LEVEL_2 + LEVEL_SIZES[1]
FIRST_COUNTERFEITER = JEWELS
EMPTY = FIRST_COUNTERFEITER + COUNTERFEITERS  # no card
UNKNOWN = EMPTY + 1  # UNKNOWN + deck: a card of that deck that the viewer has not seen
DECKS = 5  # jewels of levels 1, 2, 3, Counterfeiters, royals
JEWEL_DECKS = 3
COUNTERFEITER_DECK = 3
ROYAL_DECK = 4
FIRST_ROYAL = UNKNOWN + DECKS
CARDS = FIRST_ROYAL + ROYALS

C06, C07, C08, C09, C10, C11, C12, C13, C14, C15, C16, C17 = range(5, COUNTERFEITERS)
R6, R7 = 5, 6

# Rows of the card table: `cards[COST, card]`. JOKERS holds the set of jokers, as a set of cards.
COST, BONUS, CARD_COLOR, POINTS, CROWNS, ABILITY, JOKERS = range(7)
CARD_FIELDS = 7

# Values of CARD_COLOR that are not gems.
JOKER = 5
COLORLESS = 6

# Values of ABILITY: first those of jewels, then those that only royals have.
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

# --- the row --------------------------------------------------------------------------------------

_row = RowLayout()

# options
WITH_COUNTERFEITERS = _row.field()
ANTI_BLOCKING = _row.field()
OPTION_WORDS = _row.size

# state of the game
PHASE = _row.field()
SEAT = _row.field()  # to move
TURNS = _row.field()  # completed, extra turns counted
REASON = _row.field()
WINNERS = _row.field()  # set of seats

# state of the turn
REPLENISHED = _row.field()
AGAIN = _row.field()  # an extra turn is due
USED = _row.field()  # set of Counterfeiters used in this turn
WINDOW_IS_PAST = _row.field()
CLAIMABLE = _row.field()  # `claim` is legal

# state of the decision in progress
CARD = _row.field()  # being bought, used or given a color; EMPTY otherwise
IS_USE = _row.field()  # CARD is a Counterfeiter used in the window, counted from 0
PRICE = _row.field()  # packed
GOLD_LAID = _row.field()  # packed: number of `gold-for` for each kind
PAY_STEP = _row.field()  # the first bit of the pay menu that may still be chosen
PAY_USES = _row.field()  # times that the discount at PAY_STEP has been used
RESERVES_LEFT = _row.field()
COLLECT_ABILITY = _row.field()  # the ability that collects tokens
COLLECT_KINDS = _row.field()  # set of kinds that may be collected
COLLECT_COLOR = _row.field()  # color of the card that collects
COLLECTS_LEFT = _row.field()
ROYALS_DUE = _row.field()  # royals to be taken for crowns
IS_BRIBE = _row.field()  # the royal is taken with C09
PEEK_DECK = _row.field()  # the deck that C17 looks at
PEEKED = _row.field()  # number of cards on top of PEEK_DECK that its user looks at

# the table
BOARD = _row.field(8)  # for each kind, the set of cells that hold it
BAG = _row.field()  # packed
FACE_UP_ROYALS = _row.field()  # set
SLOTS = _row.field(PYRAMID_SLOTS)  # priced cards, level 1 first
COUNTERFEITER_ROW = _row.field(COUNTERFEITER_SLOTS)  # priced cards; slots 12 to 14
GAPS = _row.field()  # set of slots to be refilled at the end of the turn
DECK_SIZES = _row.field(DECKS)
DECK_BYTES = _row.field(12)  # one byte for each card of each deck
# Sets of cards in decks and reserves whose place is known to seat 0, to seat 1, to everyone.
KNOWN = _row.field(6)
EVERYONE = 2

DECK_ENDS = tuple(accumulate((*LEVEL_SIZES, COUNTERFEITERS, ROYALS)))

# a seat
_seat = RowLayout()
TOKENS = _seat.field()  # packed
BONUSES = _seat.field()  # packed
SCORE = _seat.field()  # points of cards and royals
SCORE_BY_COLOR = _seat.field()  # packed
CROWNS_HELD = _seat.field()
PRIVILEGES = _seat.field()
RESERVED_COUNT = _seat.field()
RESERVED = _seat.field(MAX_RESERVED)  # priced cards; NO_CARD after the last
TABLEAU = _seat.field(2)  # set of jewels
JOKER_COLORS = _seat.field()  # four bits for each joker in card order: 0, or its color + 1
ROYALS_HELD = _seat.field()  # set
COUNTERFEITERS_HELD = _seat.field()  # set
DISCOUNTS = _seat.field()  # the discounts of C01 to C08 as `paying.open_discounts` encodes them
BLOCKED_TURNS = _seat.field()  # consecutive turns started with all gold and pearls
IS_WARNED = _seat.field()  # and has neither bought a card nor discarded a pearl since

SEAT_WORDS = _seat.size
SEATS = _row.field(2 * SEAT_WORDS)

ROW_WORDS = _row.size
