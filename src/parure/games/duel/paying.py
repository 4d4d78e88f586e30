"""Prices and ways to pay them: what bonuses, discounts and gold can do.

A payment is spelled in one order only: discounts by card, then `gold-for` by kind, then `pay`.
That order is the order of the bits in the pay menu, and `PAY_STEP` is the first bit still open.
"""

from __future__ import annotations

from parure.games.bits import (
    GLASS_SHIFT,
    GOLD_SHIFT,
    excess,
    gold_in,
    has,
    kinds_in,
    lane,
    one,
    smaller,
    total,
)
from parure.games.compiled import helper, routine
from parure.games.duel import layout as at
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
from parure.games.kinds import P
from parure.games.typing import Cards, Row

DISCOUNTS = (1 << 8) - 1  # C01 to C08
MOST_USES = 2  # of C01 to C05, and of C08
GEM_COLORS = 5


@helper
def gold_needed(price: int, purse: int) -> int:
    """The gold that a purse must add to pay a price."""
    return total(excess(price, purse)) + gold_in(price)


@helper
def price_of(cards: Cards, card: int, bonuses: int) -> int:
    """The printed cost less bonuses; a printed gold stays."""
    cost = cards[at.COST, card]
    return excess(cost, bonuses) + (gold_in(cost) << GOLD_SHIFT)


@helper
def payment(s: Row, purse: int) -> int:
    """The tokens that the price as it now stands takes from the purse."""
    gold = gold_needed(s[at.PRICE], purse) + total(s[at.GOLD_LAID])
    return smaller(s[at.PRICE], purse) - s[at.GOLD_LAID] + (gold << GOLD_SHIFT)


@helper
def pay_menu(s: Row, cards: Cards, me: int) -> int:
    """The legal decisions of phase `pay`."""
    purse = s[me + at.TOKENS]
    menu = 0
    spare_gold = gold_in(purse) - gold_needed(s[at.PRICE], purse) - total(s[at.GOLD_LAID])
    if spare_gold >= 0:
        menu |= 1 << PAY_BIT
    if spare_gold > 0:
        paid_in_kind = smaller(s[at.PRICE], purse) - s[at.GOLD_LAID]
        menu |= kinds_in(paid_in_kind) << GOLD_FOR_BIT
    if s[me + at.COUNTERFEITERS_HELD] & DISCOUNTS and s[at.PAY_STEP] < GOLD_FOR_BIT:
        menu |= discount_menu(s, cards, me)
    return menu >> s[at.PAY_STEP] << s[at.PAY_STEP]


# --- discounts: counterfeiters.md -----------------------------------------------------------------


@helper
def discount_kind(cards: Cards, step: int) -> int:
    """The kind whose cost the discount at a bit of the pay menu lowers."""
    if step < THREE_OFF_BIT:
        return cards[at.CARD_COLOR, at.FIRST_COUNTERFEITER + step]
    if step < PEARL_OFF_BIT:
        return step - THREE_OFF_BIT
    if step == PEARL_OFF_BIT:
        return P
    return step - ANY_OFF_BIT


@helper
def discount_card(step: int) -> int:
    """The Counterfeiter that gives the discount at a bit of the pay menu."""
    if step < THREE_OFF_BIT:
        return step
    if step < PEARL_OFF_BIT:
        return C06
    return C07 if step == PEARL_OFF_BIT else C08


@helper
def discounted(price: int, cards: Cards, step: int) -> int:
    """The price after one use of a discount: its glassware added, what it can taken off."""
    card = discount_card(step)
    off = 2 if card < C06 else 3 if card == C06 else 1
    glass = 2 if card == C06 else 1
    kind = discount_kind(cards, step)
    return price - min(off, lane(price, kind)) * one(kind) + (glass << GLASS_SHIFT)


@helper
def after_discount(s: Row, step: int) -> tuple[int, int]:
    """The pay step after using a discount, and how often the discount there has been used."""
    card = discount_card(step)
    uses = s[at.PAY_USES] + 1 if card == discount_card(s[at.PAY_STEP]) else 1
    if card == C06:
        return PEARL_OFF_BIT, 0
    if card == C07:
        return ANY_OFF_BIT, 0
    if uses < MOST_USES:
        return step, uses
    return (step + 1 if card < C06 else GOLD_FOR_BIT), 0


@routine
def discount_menu(s: Row, cards: Cards, me: int) -> int:
    """The discounts that may be used now: they take something off, and the rest can be paid."""
    held = s[me + at.COUNTERFEITERS_HELD]
    purse = s[me + at.TOKENS]
    menu = 0
    for step in range(s[at.PAY_STEP], GOLD_FOR_BIT):
        if not has(held, discount_card(step)):
            continue
        if lane(s[at.PRICE], discount_kind(cards, step)) == 0:
            continue
        onward, uses = after_discount(s, step)
        price = discounted(s[at.PRICE], cards, step)
        if least_gold(cards, price, purse, held, onward, uses) <= gold_in(purse):
            menu |= 1 << step
    return menu


@routine
def least_gold(cards: Cards, price: int, purse: int, held: int, step: int, uses: int) -> int:
    """The least gold with which a purse can pay, over all discounts open from `step` on.

    Only what the purse lacks matters. The three-off is tried on each color; the others cost one
    glassware each, so those that save two tokens come first, then those that save one.
    """
    lacking = excess(price, purse) & ((1 << GLASS_SHIFT) - 1)
    spare_glass = lane(purse, 6) - lane(price, 6)  # below 0: gold stands in for it
    has_three = has(held, C06) and step <= THREE_OFF_BIT
    best = 1 << 30
    for three in range(GEM_COLORS + 1 if has_three else 1):  # 0: not used
        lack = lacking
        glass = 0
        if three > 0:
            kind = three - 1
            lack -= min(3, lane(lack, kind)) * one(kind)
            glass = 2

        twos = 0
        ones = 0
        for i in range(GEM_COLORS):
            left = uses_left(held, i, step, uses)
            missing = lane(lack, discount_kind(cards, i))
            pairs = min(left, missing // 2)
            twos += pairs
            if missing % 2 == 1 and left > pairs:
                ones += 1
        if has(held, C07) and step <= PEARL_OFF_BIT and lane(lack, P) > 0:
            ones += 1
        if has(held, C08):
            anywhere = 0
            for kind in range(max(step - ANY_OFF_BIT, 0), GEM_COLORS):
                missing = lane(lack, kind)
                for i in range(GEM_COLORS):
                    if discount_kind(cards, i) == kind:
                        missing -= min(missing, 2 * uses_left(held, i, step, uses))
                anywhere += missing
            ones += min(anywhere, any_uses_left(step, uses))

        for used in range(twos + ones + 1):
            saved = used + min(used, twos)
            short_of_glass = max(glass + used - spare_glass, 0)
            best = min(best, total(lack) - saved + short_of_glass)
    return best + gold_in(price)


@helper
def uses_left(held: int, card: int, step: int, uses: int) -> int:
    """How often one of C01 to C05 may still be used."""
    if card < step or not has(held, card):
        return 0
    return MOST_USES - uses if card == step else MOST_USES


@helper
def any_uses_left(step: int, uses: int) -> int:
    """How often C08 may still be used."""
    if step < ANY_OFF_BIT:
        return MOST_USES
    return MOST_USES - uses if step < GOLD_FOR_BIT else 0
