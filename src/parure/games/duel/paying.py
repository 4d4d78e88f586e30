"""Prices and ways to pay them: what bonuses, discounts and gold can do.

A payment is spelled in one order only: discounts by card, then `gold-for` by kind, then `pay`.
That order is the order of the bits in the pay menu, and `PAY_STEP` is the first bit still open.
"""

from __future__ import annotations

from parure.games.duel import layout
from parure.games.duel.decisions import (
    ANY_OFF_BIT,
    C06,
    C07,
    C08,
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
    kinds_in,
    lane_min,
    lane_sum,
    lowest_bit,
    one_of,
    saturating_sub,
)
from parure.games.engine.jit import inlined, outlined
from parure.games.engine.tokens import P, V

MAX_USES = 2  # of C01 to C05, and of C08
COLORS = (1 << 40) - 1  # the lanes of the gems
GLASS_BELOW = (1 << GLASS_SHIFT) - 1  # the lanes of gems and pearls
SMALL_LANES = 0x3F * LANE_ONES
MUCH = 1 << 30


@inlined
def gold_needed(price: int, purse: int) -> int:
    """The gold that a purse must add to pay a price."""
    return lane_sum(saturating_sub(price, purse)) + gold_in(price)


@inlined
def price_of(cards: Cards, card: int, bonuses: int) -> int:
    """The printed cost less bonuses; a printed gold stays."""
    cost = cards[layout.COST, card]
    return saturating_sub(cost, bonuses) + (gold_in(cost) << GOLD_SHIFT)


@inlined
def payment(s: Row, purse: int) -> int:
    """The tokens that the price as it now stands takes from the purse."""
    gold = gold_needed(s[layout.PRICE], purse) + lane_sum(s[layout.GOLD_LAID])
    return lane_min(s[layout.PRICE], purse) - s[layout.GOLD_LAID] + (gold << GOLD_SHIFT)


@inlined
def pay_menu(s: Row, cards: Cards, me: int) -> int:
    """The legal decisions of phase `pay`."""
    purse = s[me + layout.TOKENS]
    menu = 0
    spare_gold = (
        gold_in(purse) - gold_needed(s[layout.PRICE], purse) - lane_sum(s[layout.GOLD_LAID])
    )
    if spare_gold >= 0:
        menu |= 1 << PAY_BIT
    if spare_gold > 0:
        paid_in_kind = lane_min(s[layout.PRICE], purse) - s[layout.GOLD_LAID]
        menu |= kinds_in(paid_in_kind) << GOLD_FOR_BIT
    if s[me + layout.DISCOUNTS] and s[layout.PAY_STEP] < GOLD_FOR_BIT:
        menu |= discount_menu(s, cards, me)
    return menu >> s[layout.PAY_STEP] << s[layout.PAY_STEP]


# --- discounts: counterfeiters.md -----------------------------------------------------------------


@inlined
def discount_kind(cards: Cards, step: int) -> int:
    """The kind whose cost the discount at a bit of the pay menu lowers."""
    if step < THREE_OFF_BIT:
        return cards[layout.CARD_COLOR, layout.FIRST_COUNTERFEITER + step]
    if step < PEARL_OFF_BIT:
        return step - THREE_OFF_BIT
    if step == PEARL_OFF_BIT:
        return P
    return step - ANY_OFF_BIT


@inlined
def discount_card(step: int) -> int:
    """The Counterfeiter that gives the discount at a bit of the pay menu."""
    if step < THREE_OFF_BIT:
        return step
    if step < PEARL_OFF_BIT:
        return C06
    return C07 if step == PEARL_OFF_BIT else C08


@inlined
def discounted(price: int, cards: Cards, step: int) -> int:
    """The price after one use of a discount: its glassware added, what it can taken off."""
    card = discount_card(step)
    off = 2 if card < C06 else 3 if card == C06 else 1
    glass = 2 if card == C06 else 1
    kind = discount_kind(cards, step)
    return price - min(off, count_of(price, kind)) * one_of(kind) + (glass << GLASS_SHIFT)


@inlined
def after_discount(s: Row, step: int) -> tuple[int, int]:
    """The pay step after using a discount, and how often the discount there has been used."""
    card = discount_card(step)
    uses = s[layout.PAY_USES] + 1 if card == discount_card(s[layout.PAY_STEP]) else 1
    if card == C06:
        return PEARL_OFF_BIT, 0
    if card == C07:
        return ANY_OFF_BIT, 0
    if uses < MAX_USES:
        return step, uses
    return (step + 1 if card < C06 else GOLD_FOR_BIT), 0


@outlined
def discount_menu(s: Row, cards: Cards, me: int) -> int:
    """The discounts that may be used now: they take something off, and the rest can be paid."""
    purse = s[me + layout.TOKENS]
    gold = gold_in(purse)
    steps = (
        discount_steps(s[me + layout.COUNTERFEITERS_HELD])
        >> s[layout.PAY_STEP]
        << s[layout.PAY_STEP]
    )
    menu = 0
    while steps:
        step = lowest_bit(steps)
        steps &= steps - 1
        if count_of(s[layout.PRICE], discount_kind(cards, step)) == 0:
            continue
        price = discounted(s[layout.PRICE], cards, step)
        needed = gold_needed(price, purse)
        if gold < needed <= most_lacking(purse):
            onward, uses = after_discount(s, step)
            needed = least_gold(price, purse, discounts_left(s, cards, me, onward, uses))
        menu |= as_int(needed <= gold) << step
    return menu


@inlined
def discount_steps(held: int) -> int:
    """The bits of the pay menu that some Counterfeiters open."""
    steps = held & ((1 << THREE_OFF_BIT) - 1)
    if has_bit(held, C06):
        steps |= (1 << PEARL_OFF_BIT) - (1 << THREE_OFF_BIT)
    if has_bit(held, C07):
        steps |= 1 << PEARL_OFF_BIT
    if has_bit(held, C08):
        steps |= (1 << GOLD_FOR_BIT) - (1 << ANY_OFF_BIT)
    return steps


@inlined
def most_lacking(purse: int) -> int:
    """The most that discounts and gold can make up for: a glassware, or gold in its place, two."""
    return 2 * (count_of(purse, V) + gold_in(purse))


# Discounts still open, in one word: lanes w to p count the uses of those that lower that kind (two
# tokens each, one for pearls); the lane of glassware counts uses of C08, that of gold is C06.
# C08 lowers only kinds from `ANY_FROM` on.
ANY_FROM_SHIFT = 60


@inlined
def discounts_left(s: Row, cards: Cards, me: int, step: int, uses: int) -> int:
    """What may still be used from a pay step on, whose own discount was used `uses` times."""
    held = s[me + layout.COUNTERFEITERS_HELD]
    left = 0
    for card in range(C06):
        if card >= step and has_bit(held, card):
            open_uses = MAX_USES - uses if card == step else MAX_USES
            left += open_uses * one_of(discount_kind(cards, card))
    if step <= THREE_OFF_BIT and has_bit(held, C06):
        left += ONE_GOLD
    if step <= PEARL_OFF_BIT and has_bit(held, C07):
        left += one_of(P)
    if step < GOLD_FOR_BIT and has_bit(held, C08):
        any_from = max(step - ANY_OFF_BIT, 0)
        left += (MAX_USES - uses if step >= ANY_OFF_BIT else MAX_USES) << GLASS_SHIFT
        left += any_from << ANY_FROM_SHIFT
    return left


@inlined
def most_off(left: int) -> int:
    """The most that the discounts left can take off each kind, those for any color left out."""
    return 2 * (left & COLORS) + (left & GLASS_BELOW & ~COLORS)


@inlined
def most_off_any(left: int) -> int:
    """The most that C06 and C08 can take off a price together."""
    return count_of(left, V) + (3 if has_bit(left, GOLD_SHIFT) else 0)


@inlined
def least_gold(price: int, purse: int, left: int) -> int:
    """The least gold with which a purse can pay a price, over all uses of the discounts left.

    Only what the purse lacks matters, which is never two pearls. The three-off is tried on each
    color; the others cost one glassware each: those that save two tokens always pay, those that
    save one only where glassware is left over.
    """
    lacking = saturating_sub(price, purse) & GLASS_BELOW
    spare_glass = count_of(purse, V) - count_of(price, V)  # below 0: gold stands in for it
    any_uses = count_of(left, V)
    any_kinds = COLORS >> (8 * (left >> ANY_FROM_SHIFT)) << (8 * (left >> ANY_FROM_SHIFT))
    best = MUCH
    for three in range(6 if has_bit(left, GOLD_SHIFT) else 1):  # 0: not used
        lack = lacking
        glass_left = spare_glass
        if three > 0:
            if count_of(lack, three - 1) == 0:
                continue
            lack -= min(3, count_of(lack, three - 1)) * one_of(three - 1)
            glass_left -= 2
        pairs = lane_min(left & COLORS, (lack >> 1) & SMALL_LANES)
        single = lane_min((left & GLASS_BELOW) - pairs, lack & LANE_ONES)
        rest = lack - 2 * pairs - single
        twos = lane_sum(pairs)
        ones = lane_sum(single) + min(lane_sum(rest & any_kinds), any_uses)
        used = twos + min(ones, max(glass_left - twos, 0))
        short_of_glass = max(used - glass_left, 0)
        best = min(best, lane_sum(lack) - used - twos + short_of_glass)
    return best + gold_in(price)
