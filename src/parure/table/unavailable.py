"""Actions that are not available now, and why, as their seat may know it."""

from __future__ import annotations

from collections.abc import Set

from msgspec import Struct

from parure.games.engine.tokens import shortage
from parure.games.view import View
from parure.games.view_schema import Counts
from parure.table.game import table_game


class UnavailableAction(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A card that cannot be bought, or a kind of action that cannot be taken, and why."""

    what: str  # a card, or `reserve`, `replenish`, `privilege`, `take`
    code: str  # for programs; of a card `tokens`, `bonus`, `phase` or `turn`
    message: str  # in English
    price: Counts = {}  # of the card, after bonuses
    missing: Counts = {}  # tokens that the seat lacks, gold not yet used
    short: int = 0  # the number of them that gold cannot replace


def unavailable_actions(view: View) -> list[UnavailableAction]:
    """Return what the viewer cannot do now: cards to buy first, then kinds of action.

    >>> import parure
    >>> view = parure.new("duel", seed=7).view(0)
    >>> [(action.what, action.code) for action in unavailable_actions(view)][-2:]
    [('replenish', 'board-full'), ('privilege', 'no-privilege')]
    """
    legal = set(view.legal_decisions)
    found = _unavailable_cards(view, legal)
    if view.viewer == view.seat and view.phase == "turn":
        game, verbs = table_game(view.game), {text.partition(" ")[0] for text in legal}
        found += [
            UnavailableAction(what=action, code=code, message=game.messages[code])
            for action, code in game.obstacles(view, verbs).items()
        ]
    return found


def _unavailable_cards(view: View, legal: Set[str]) -> list[UnavailableAction]:
    """Return why each card that the viewer sees and might buy cannot be bought now."""
    if view.viewer is None or view.is_over:
        return []
    player = view.players[view.viewer]
    tokens, bonuses = player.tokens, player.bonuses
    gold, costs = tokens.get("y", 0), view.rules.printed_costs
    counterfeiters, *pyramid = view.face_up_rows
    found = []
    for card in (card for row in (*pyramid, counterfeiters, player.reserved) for card in row):
        if card is None or f"buy {card}" in legal:
            continue
        price, missing = _price_and_missing(costs[card], bonuses, tokens)
        if view.viewer != view.seat:
            code, message = "turn", "it is not your turn"
        elif view.phase != "turn":
            code, message = "phase", f"the phase is {view.phase!r}"
        elif missing:
            code, message = "tokens", shortage(card, missing, gold)
        else:
            decision = view.rules.decision(f"buy {card}")
            code, message = "bonus", view.rules.reason_against(view, decision)
        found.append(
            UnavailableAction(
                what=card,
                code=code,
                message=message,
                price=price,
                missing=missing,
                short=max(0, sum(missing.values()) - missing.get("y", 0) - gold),
            )
        )
    return found


def _price_and_missing(
    cost: dict[str, int], bonuses: dict[str, int], tokens: dict[str, int]
) -> tuple[dict[str, int], dict[str, int]]:
    """Return what is left of a cost after bonuses, and the tokens lacking to pay it."""
    price, missing = {}, {}
    for letter, count in cost.items():
        due = count - bonuses.get(letter, 0)
        if due > 0:
            price[letter] = due
            lacking = due - tokens.get(letter, 0)
            if lacking > 0:
                missing[letter] = lacking
    return price, missing
