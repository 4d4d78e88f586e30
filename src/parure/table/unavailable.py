"""Actions that are not available now, and why, as their seat may know it."""

from __future__ import annotations

from collections.abc import Set
from functools import lru_cache

from msgspec import Struct

from parure.games.engine.bits import GOLD_SHIFT
from parure.games.engine.tokens import shortage
from parure.games.view import View
from parure.games.view_schema import Counts
from parure.table.game import table_game
from parure.table.prices import CACHE_SIZE, Price, holdings, price, shared_counts


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
    rules, held = view.rules, holdings(view, view.viewer)
    code, message = "tokens", ""
    if view.viewer != view.seat:
        code, message = "turn", "it is not your turn"
    elif view.phase != "turn":
        code, message = "phase", f"the phase is {view.phase!r}"
    gold = held.tokens >> GOLD_SHIFT
    counterfeiters, *pyramid = view.face_up_rows
    found = []
    for row in (*pyramid, counterfeiters, view.players[view.viewer].reserved):
        for card in row:
            if card is None or (legal and f"buy {card}" in legal):
                continue
            cost = price(rules, card, held)
            if code == "tokens" and not cost.missing:
                reason = rules.reason_against(view, rules.decision(f"buy {card}"))
                found.append(_unavailable_card(card, cost, gold, "bonus", reason))
            else:
                found.append(_unavailable_card(card, cost, gold, code, message))
    return found


@lru_cache(CACHE_SIZE)
def _unavailable_card(
    card: str, cost: Price, gold: int, code: str, message: str
) -> UnavailableAction:
    """Return that a card cannot be bought; an empty message stands for what is missing."""
    missing = shared_counts(cost.missing)
    return UnavailableAction(
        what=card,
        code=code,
        message=message or shortage(card, missing, gold),
        price=shared_counts(cost.due),
        missing=missing,
        short=max(0, sum(missing.values()) - missing.get("y", 0) - gold),
    )
