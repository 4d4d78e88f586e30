"""Prices of Duel, the pay menu, and discounts.

A payment is spelled in one order: discounts by card, then `gold-for` by kind, then `pay`. This is
the order of the bits of the pay menu. A *pay step* is such a bit, and `PAY_STEP` the first one that
may still be chosen.
"""

from __future__ import annotations

from parure.games.duel import layout
from parure.games.duel.decisions import (
    ANY_OFF_BIT,
    GOLD_FOR_BIT,
    PAY_BIT,
    PEARL_OFF_BIT,
    THREE_OFF_BIT,
)
from parure.games.engine.arrays import Cards, Row
from parure.games.engine.bits import (
    GLASS_SHIFT,
    GOLD_SHIFT,
    LANE_ONES,
    ONE_GOLD,
    as_int,
    count_of,
    gold_in,
    has_bit,
    lane_min,
    lane_sum,
    lowest_bit,
    one_of,
    saturating_sub,
)
from parure.games.engine.jit import inlined, outlined
from parure.games.engine.payment import gold_needed, replaceable_kinds, spare_gold
from parure.games.engine.tokens import P, V

MAX_USES = 2  # of each of C01 to C05, and of C08
GEM_LANES = (1 << 8 * P) - 1
GEM_AND_PEARL_LANES = (1 << GLASS_SHIFT) - 1


@inlined
def price_of(cards: Cards, card: int, bonuses: int) -> int:
    """Return the printed cost less bonuses.

    docs/rules/record.md, "Paying". Bonuses do not lower a printed gold:
    docs/rules/counterfeiters.md, "Changes to the turn", 4.
    """
    cost = cards[layout.COST, card]
    return saturating_sub(cost, bonuses) + (gold_in(cost) << GOLD_SHIFT)


@inlined
def pay_menu(s: Row, cards: Cards, me: int) -> int:
    """Return the legal decisions of phase `pay`.

    Decisions before the current pay step are not legal, so each payment has one spelling.
    """
    purse = s[me + layout.TOKENS]
    menu = 0
    gold = spare_gold(s[layout.PRICE], s[layout.GOLD_LAID], purse)
    if gold >= 0:  # docs/rules/record.md, "Paying", 3
        menu |= 1 << PAY_BIT
    if gold > 0:  # docs/rules/record.md, "Paying", 1
        kinds = replaceable_kinds(s[layout.PRICE], s[layout.GOLD_LAID], purse)
        menu |= kinds << GOLD_FOR_BIT
    # docs/rules/record.md, "Paying", 2
    if s[me + layout.DISCOUNTS] and s[layout.PAY_STEP] < GOLD_FOR_BIT:
        menu |= discount_menu(s, cards, me)
    return menu >> s[layout.PAY_STEP] << s[layout.PAY_STEP]


# --- discounts: docs/rules/counterfeiters.md, "Discounts" -----------------------------------------


@outlined
def discount_menu(s: Row, cards: Cards, me: int) -> int:
    """Return the legal `discount` decisions.

    A use must take off something (docs/rules/counterfeiters.md, "Discounts", 1), and the price must
    still be payable after it (docs/rules/counterfeiters.md, "Discounts", 4).
    """
    purse = s[me + layout.TOKENS]
    gold = gold_in(purse)
    steps = discount_steps(s[me + layout.COUNTERFEITERS_HELD])
    steps = steps >> s[layout.PAY_STEP] << s[layout.PAY_STEP]
    menu = 0
    while steps:
        step = lowest_bit(steps)
        steps &= steps - 1
        if count_of(s[layout.PRICE], discount_kind(cards, step)) == 0:
            continue
        price = discounted_price(s[layout.PRICE], cards, step)
        needed = gold_needed(price, purse)
        if gold < needed <= max_lack(purse):
            next_step, uses = step_after_discount(s, step)
            needed = least_gold(price, purse, open_discounts(s, cards, me, next_step, uses))
        menu |= as_int(needed <= gold) << step
    return menu


@inlined
def discount_steps(held: int) -> int:
    """Return the bits of the pay menu that belong to a set of Counterfeiters."""
    steps = held & ((1 << THREE_OFF_BIT) - 1)
    if has_bit(held, layout.C06):
        steps |= (1 << PEARL_OFF_BIT) - (1 << THREE_OFF_BIT)
    if has_bit(held, layout.C07):
        steps |= 1 << PEARL_OFF_BIT
    if has_bit(held, layout.C08):
        steps |= (1 << GOLD_FOR_BIT) - (1 << ANY_OFF_BIT)
    return steps


@inlined
def discount_card(step: int) -> int:
    """Return the Counterfeiter whose discount a pay step before `gold-for` uses."""
    if step < THREE_OFF_BIT:
        return step
    if step < PEARL_OFF_BIT:
        return layout.C06
    return layout.C07 if step == PEARL_OFF_BIT else layout.C08


@inlined
def discount_kind(cards: Cards, step: int) -> int:
    """Return the kind whose cost the discount at a pay step lowers.

    docs/rules/counterfeiters.md, "Discounts", 2
    """
    if step < THREE_OFF_BIT:
        return cards[layout.CARD_COLOR, layout.FIRST_COUNTERFEITER + step]
    if step < PEARL_OFF_BIT:
        return step - THREE_OFF_BIT
    if step == PEARL_OFF_BIT:
        return P
    return step - ANY_OFF_BIT


@inlined
def discounted_price(price: int, cards: Cards, step: int) -> int:
    """Return a price after one use of a discount, its glassware added.

    docs/rules/counterfeiters.md, "Discounts", 1
    """
    card = discount_card(step)
    off = 2 if card < layout.C06 else 3 if card == layout.C06 else 1
    glass = 2 if card == layout.C06 else 1
    kind = discount_kind(cards, step)
    return price - min(off, count_of(price, kind)) * one_of(kind) + (glass << GLASS_SHIFT)


@inlined
def step_after_discount(s: Row, step: int) -> tuple[int, int]:
    """Return the next pay step after using a discount, and the uses of the discount there.

    docs/rules/counterfeiters.md, "Discounts", 3
    """
    card = discount_card(step)
    uses = s[layout.PAY_USES] + 1 if card == discount_card(s[layout.PAY_STEP]) else 1
    if card == layout.C06:
        return PEARL_OFF_BIT, 0
    if card == layout.C07:
        return ANY_OFF_BIT, 0
    if uses < MAX_USES:
        return step, uses
    return (step + 1 if card < layout.C06 else GOLD_FOR_BIT), 0


# --- is a price payable with discounts? -----------------------------------------------------------
# Open discounts are one word. The lanes w to p count the uses of discounts that lower that kind, by
# 2 for a gem and by 1 for pearls; the lane of glassware counts the uses of C08; the lowest bit of
# the lane of gold is C06. The bits from FIRST_KIND_SHIFT on are the first kind that C08 may lower.
FIRST_KIND_SHIFT = 60


@inlined
def open_discounts(s: Row, cards: Cards, me: int, step: int, uses: int) -> int:
    """Return the discounts that may be used from a pay step on.

    `uses` is the number of times that the discount at that step was used.
    """
    held = s[me + layout.COUNTERFEITERS_HELD]
    discounts = 0
    for card in range(layout.C06):
        if card >= step and has_bit(held, card):
            open_uses = MAX_USES - uses if card == step else MAX_USES
            discounts += open_uses * one_of(discount_kind(cards, card))
    if step <= THREE_OFF_BIT and has_bit(held, layout.C06):
        discounts += ONE_GOLD
    if step <= PEARL_OFF_BIT and has_bit(held, layout.C07):
        discounts += one_of(P)
    if step < GOLD_FOR_BIT and has_bit(held, layout.C08):
        first_kind = max(step - ANY_OFF_BIT, 0)
        discounts += (MAX_USES - uses if step >= ANY_OFF_BIT else MAX_USES) << GLASS_SHIFT
        discounts += first_kind << FIRST_KIND_SHIFT
    return discounts


@inlined
def max_lack(purse: int) -> int:
    """Return the most tokens that a purse may lack for a price: each glassware or gold covers 2."""
    return 2 * (count_of(purse, V) + gold_in(purse))


@inlined
def max_off_by_kind(discounts: int) -> int:
    """Return the most that discounts for one kind take off that kind, packed."""
    return 2 * (discounts & GEM_LANES) + (discounts & GEM_AND_PEARL_LANES & ~GEM_LANES)


@inlined
def max_off_any_color(discounts: int) -> int:
    """Return the most that C06 and C08 take off a price."""
    return count_of(discounts, V) + (3 if has_bit(discounts, GOLD_SHIFT) else 0)


@inlined
def least_gold(price: int, purse: int, discounts: int) -> int:
    """Return the least gold with which a purse can pay a price, over all uses of open discounts.

    Only what the purse lacks matters; no card costs two pearls. C06 is tried on each color. All
    other discounts cost one glassware: those that save two tokens are always used, those that save
    one only with spare glassware, because gold for the glassware would save nothing.
    """
    lacking = saturating_sub(price, purse) & GEM_AND_PEARL_LANES
    spare_glass = count_of(purse, V) - count_of(price, V)  # negative: gold pays for it
    any_color_uses = count_of(discounts, V)
    first_lane = 8 * (discounts >> FIRST_KIND_SHIFT)
    any_color_lanes = GEM_LANES >> first_lane << first_lane
    best = 1 << 30
    for c06_color in range(-1, 5 if has_bit(discounts, GOLD_SHIFT) else 0):  # -1: not used
        lack = lacking
        glass = spare_glass
        if c06_color >= 0:
            if count_of(lack, c06_color) == 0:
                continue
            lack -= min(3, count_of(lack, c06_color)) * one_of(c06_color)
            glass -= 2
        doubles = lane_min(discounts & GEM_LANES, (lack >> 1) & (0x3F * LANE_ONES))
        singles = lane_min((discounts & GEM_AND_PEARL_LANES) - doubles, lack & LANE_ONES)
        rest = lack - 2 * doubles - singles
        save_two = lane_sum(doubles)
        save_one = lane_sum(singles) + min(lane_sum(rest & any_color_lanes), any_color_uses)
        uses = save_two + min(save_one, max(glass - save_two, 0))
        gold_for_glass = max(uses - glass, 0)
        best = min(best, lane_sum(lack) - uses - save_two + gold_for_glass)
    return best + gold_in(price)
