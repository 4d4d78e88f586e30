"""The legal decisions in each phase of Splendor, written as menus.

The order is that of docs/rules/splendor.md, "A turn" and of the phases that follow. Functions take
the state `s`, the card table `cards` and the offset `me` of the seat to move.
"""

from __future__ import annotations

from parure.games.engine.arrays import Cards, Menu, Row
from parure.games.engine.bits import (
    LANE_HIGH_BITS,
    LANE_ONES,
    NON_GOLD_LANES,
    gold_in,
    kinds_in,
    lane_sum,
    lowest_bit,
    popcount,
    saturating_sub,
)
from parure.games.engine.jit import inlined, kernel
from parure.games.engine.payment import replaceable_kinds, spare_gold
from parure.games.engine.simd import find_affordable, find_different
from parure.games.splendor import decisions, layout
from parure.games.splendor.card_table import NO_CARD
from parure.games.splendor.row_access import mover

FEWEST_BONUSES_FOR_NOBLE = 8  # no noble requires fewer


@kernel
def legal(s: Row, cards: Cards, menu: Menu) -> int:
    """Write the menu of the current phase and return the number of legal decisions."""
    phase = s[layout.PHASE]
    me = mover(s)
    if phase == layout.TURN:
        menu[0] = turn_menu(s, me)
    elif phase == layout.DISCARD:
        menu[0] = kinds_in(s[me + layout.TOKENS])
    elif phase == layout.PAY:
        menu[0] = pay_menu(s, me)
    elif phase == layout.NOBLE:
        menu[0] = eligible_nobles(s, cards, me)
    else:
        menu[0] = 0
    return popcount(menu[0])


# --- phase `turn`: docs/rules/splendor.md, "A turn" -----------------------------------------------


@inlined
def turn_menu(s: Row, me: int) -> int:
    """Return the menu of phase `turn`."""
    menu = take_menu(s[layout.SUPPLY]) | buyable_places(s, me) << decisions.BUY_BIT
    if s[me + layout.RESERVED_COUNT] < layout.RESERVE_LIMIT:
        menu |= reserve_menu(s)
    return menu if menu else 1 << decisions.PASS_BIT


@inlined
def take_menu(supply: int) -> int:
    """Return the legal takes, of different gems and of two alike.

    Fewer than three different gems: docs/rules/splendor.md, "Rulings", 3.
    """
    gems = supply & NON_GOLD_LANES
    # The addition sets the high bit of each lane that reaches the minimum.
    enough_for_two = (gems + (0x80 - layout.MIN_SUPPLY_FOR_TWO) * LANE_ONES) & LANE_HIGH_BITS
    two_alike = kinds_in(enough_for_two >> 7) << decisions.TWO_ALIKE_BIT
    return decisions.DIFFERENT_TAKES[kinds_in(gems)] | two_alike


@inlined
def reserve_menu(s: Row) -> int:
    """Return the face-up cards and the decks that are not empty."""
    menu = find_different(s, layout.SLOTS, decisions.RESERVE_PLACE, NO_CARD)
    menu <<= decisions.RESERVE_BIT
    for deck in range(layout.DECKS):
        menu |= 1 << (decisions.DECK_BIT + deck) if s[layout.DECK_SIZES + deck] else 0
    return menu


@inlined
def buyable_places(s: Row, me: int) -> int:
    """Return the places whose card bonuses and tokens together pay for."""
    wealth = s[me + layout.BONUSES] + (s[me + layout.TOKENS] & NON_GOLD_LANES)
    gold = gold_in(s[me + layout.TOKENS])
    places = find_affordable(s, layout.SLOTS, decisions.RESERVE_PLACE, wealth, gold)
    reserved = find_affordable(s, me + layout.RESERVED, layout.RESERVE_LIMIT, wealth, gold)
    return places | reserved << decisions.RESERVE_PLACE


# --- the phases after `turn` ----------------------------------------------------------------------


@inlined
def pay_menu(s: Row, me: int) -> int:
    """Return the legal decisions of phase `pay`: docs/rules/record.md, "Paying".

    Gold may replace a gem that the player holds: docs/rules/splendor.md, "Rulings", 1.
    """
    purse = s[me + layout.TOKENS]
    menu = 1 << decisions.PAY_BIT
    if spare_gold(s[layout.PRICE], s[layout.GOLD_LAID], purse) > 0:
        menu |= replaceable_kinds(s[layout.PRICE], s[layout.GOLD_LAID], purse)
    return menu >> s[layout.PAY_STEP] << s[layout.PAY_STEP]


@inlined
def eligible_nobles(s: Row, cards: Cards, me: int) -> int:
    """Return the face-up nobles that the bonuses of a seat satisfy.

    docs/rules/splendor.md, "After the action", 4
    """
    bonuses = s[me + layout.BONUSES]
    eligible = 0
    left = s[layout.FACE_UP_NOBLES] if lane_sum(bonuses) >= FEWEST_BONUSES_FOR_NOBLE else 0
    while left:
        noble = lowest_bit(left)
        left &= left - 1
        if saturating_sub(cards[layout.COST, layout.FIRST_NOBLE + noble], bonuses) == 0:
            eligible |= 1 << noble
    return eligible
