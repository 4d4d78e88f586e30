"""Payment with tokens and gold: docs/rules/record.md, "Paying".

A price and a purse (the tokens of a seat) are packed counts. Gold in a price must be paid with
gold; gold in a purse pays for any kind. *Gold laid* is a packed count too: in the lane of a kind
the number of `gold-for` decisions on that kind.
"""

from __future__ import annotations

from parure.games.engine.bits import (
    GOLD_SHIFT,
    gold_in,
    kinds_in,
    lane_min,
    lane_sum,
    saturating_sub,
)
from parure.games.engine.jit import inlined


@inlined
def gold_needed(price: int, purse: int) -> int:
    """Return the gold that pays for what a purse lacks for a price."""
    return lane_sum(saturating_sub(price, purse)) + gold_in(price)


@inlined
def spare_gold(price: int, gold_laid: int, purse: int) -> int:
    """Return the gold left for further `gold-for`; negative if the price cannot be paid."""
    return gold_in(purse) - gold_needed(price, purse) - lane_sum(gold_laid)


@inlined
def replaceable_kinds(price: int, gold_laid: int, purse: int) -> int:
    """Return the set of kinds that would still be paid with tokens of that kind."""
    return kinds_in(lane_min(price, purse) - gold_laid)


@inlined
def payment(price: int, gold_laid: int, purse: int) -> int:
    """Return the tokens that leave the purse."""
    gold = gold_needed(price, purse) + lane_sum(gold_laid)
    return lane_min(price, purse) - gold_laid + (gold << GOLD_SHIFT)
