"""The decisions that lead to a payment in progress, found by playing them."""

from __future__ import annotations

from parure.games.engine.arrays import Row
from parure.games.engine.rng import new_rng
from parure.games.engine.tokens import LETTERS, unpack
from parure.games.rules import Rules

_GLASS = LETTERS.index("v")


def payment_steps(rules: Rules, before: Row, first: str, target: Row) -> list[str] | None:
    """Return the decisions between a purchase and a row in phase `pay`.

    Args:
        rules: The rules of the game.
        before: The row before the purchase.
        first: The decision that starts it: `buy J1-05` or `use C09`.
        target: The row to be reached.

    Returns:
        The `discount` and `gold-for` decisions after `first`; None if none lead to the target.
    """
    row = play_steps(rules, before, [first])
    return None if row is None else _search(rules, row, target)


def play_steps(rules: Rules, before: Row, decisions: list[str]) -> Row | None:
    """Return the row after some decisions; None if one of them is not legal."""
    row = before.copy()
    for text in decisions:
        number = rules.decision_ids.get(text, -1)
        if row[rules.layout.PHASE] == rules.layout.OVER or number not in rules.legal(row):
            return None
        rules.apply(row, number, new_rng(0))
    return row


def _search(rules: Rules, row: Row, target: Row) -> list[str] | None:
    """Return the first way from one row of a payment to another, in the order of the menu."""
    if row.tobytes() == target.tobytes():
        return []
    layout = rules.layout
    if row[layout.PHASE] != layout.PAY or not _can_lead_to(rules, row, target):
        return None
    for number in rules.legal(row):
        text = rules.decision_texts[number]
        if text != "pay":
            after = row.copy()
            rules.apply(after, number, new_rng(0))
            rest = _search(rules, after, target)
            if rest is not None:
                return [text, *rest]
    return None


def _can_lead_to(rules: Rules, row: Row, target: Row) -> bool:
    """Return whether a payment has not gone beyond another: steps and gold grow, prices shrink."""
    layout = rules.layout
    price, target_price = unpack(row[layout.PRICE]), unpack(target[layout.PRICE])
    laid = zip(unpack(row[layout.GOLD_LAID]), unpack(target[layout.GOLD_LAID]), strict=True)
    return (
        row[layout.PAY_STEP] <= target[layout.PAY_STEP]
        and price[_GLASS] <= target_price[_GLASS]
        and all(price[kind] >= target_price[kind] for kind in range(8) if kind != _GLASS)
        and all(before <= after for before, after in laid)
    )
