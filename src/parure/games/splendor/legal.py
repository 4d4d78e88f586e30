"""What is legal in each phase of Splendor: the menus."""

from __future__ import annotations

from parure.games.engine.arrays import Cards, Menu, Row
from parure.games.engine.bits import (
    LANE_HIGH_BITS,
    LANE_ONES,
    NON_GOLD_LANES,
    gold_in,
    kinds_in,
    lane_min,
    lane_sum,
    lowest_bit,
    popcount,
    saturating_sub,
)
from parure.games.engine.jit import inlined, kernel
from parure.games.engine.simd import find_affordable, find_different
from parure.games.splendor import decisions, layout
from parure.games.splendor.card_table import NO_CARD
from parure.games.splendor.row_access import mover

LEAST_FOR_TWO = 4  # of a kind in the supply, to take two alike
FEWEST_FOR_NOBLE = 8  # bonuses; no noble asks for fewer


@kernel
def legal(s: Row, cards: Cards, menu: Menu) -> int:
    """Write the legal decisions into the menu of the phase; gives how many there are."""
    phase = s[layout.PHASE]
    me = mover(s)
    if phase == layout.TURN:
        menu[0] = turn_menu(s, me)
    elif phase == layout.DISCARD:
        menu[0] = kinds_in(s[me + layout.TOKENS])
    elif phase == layout.PAY:
        menu[0] = pay_menu(s, me)
    elif phase == layout.NOBLE:
        menu[0] = visitors(s, cards, me)
    else:
        menu[0] = 0
    return popcount(menu[0])


@inlined
def turn_menu(s: Row, me: int) -> int:
    """Phase `turn`."""
    menu = take_menu(s[layout.SUPPLY]) | buyable(s, me) << decisions.BUY_BIT
    if s[me + layout.RESERVED_COUNT] < layout.RESERVE_LIMIT:
        menu |= reserve_menu(s)
    return menu if menu else 1 << decisions.PASS_BIT


@inlined
def reserve_menu(s: Row) -> int:
    """The face-up cards and the decks that are not empty."""
    menu = (
        find_different(s, layout.SLOTS, decisions.RESERVE_PLACE, NO_CARD) << decisions.RESERVE_BIT
    )
    for deck in range(layout.DECKS):
        menu |= 1 << (decisions.DECK_BIT + deck) if s[layout.DECK_SIZES + deck] else 0
    return menu


@inlined
def buyable(s: Row, me: int) -> int:
    """The places whose card bonuses and tokens together can pay for."""
    wealth = s[me + layout.BONUSES] + (s[me + layout.TOKENS] & NON_GOLD_LANES)
    gold = gold_in(s[me + layout.TOKENS])
    places = find_affordable(s, layout.SLOTS, decisions.RESERVE_PLACE, wealth, gold)
    return (
        places
        | find_affordable(s, me + layout.RESERVED, layout.RESERVE_LIMIT, wealth, gold)
        << decisions.RESERVE_PLACE
    )


@inlined
def take_menu(supply: int) -> int:
    """The gems that may be taken: as many different ones as go, or two alike."""
    gems = supply & NON_GOLD_LANES
    many = ((gems + (0x80 - LEAST_FOR_TWO) * LANE_ONES) & LANE_HIGH_BITS) >> 7
    return decisions.DIFFERENT[kinds_in(gems)] | kinds_in(many) << decisions.ALIKE_BIT


@inlined
def visitors(s: Row, cards: Cards, me: int) -> int:
    """The nobles whose needs the bonuses of a seat meet."""
    bonuses = s[me + layout.BONUSES]
    met = 0
    left = s[layout.FACE_UP_NOBLES] if lane_sum(bonuses) >= FEWEST_FOR_NOBLE else 0
    while left:
        noble = lowest_bit(left)
        left &= left - 1
        if saturating_sub(cards[layout.COST, layout.FIRST_NOBLE + noble], bonuses) == 0:
            met |= 1 << noble
    return met


# --- paying ---------------------------------------------------------------------------------------


@inlined
def gold_needed(price: int, purse: int) -> int:
    """The gold that a purse must add to pay a price."""
    return lane_sum(saturating_sub(price, purse))


@inlined
def pay_menu(s: Row, me: int) -> int:
    """The legal decisions of phase `pay`: gold for what would be paid in kind, or no more of it."""
    purse = s[me + layout.TOKENS]
    menu = 1 << decisions.PAY_BIT
    if gold_in(purse) > gold_needed(s[layout.PRICE], purse) + lane_sum(s[layout.GOLD_LAID]):
        menu |= kinds_in(lane_min(s[layout.PRICE], purse) - s[layout.GOLD_LAID])
    return menu >> s[layout.PAY_STEP] << s[layout.PAY_STEP]
