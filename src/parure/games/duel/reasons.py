"""Sentences that say why a decision of Duel is not legal.

The kernel decides what is legal; a reason uses only what the seat to move may know.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from parure.games.duel import decisions
from parure.games.engine.tokens import KIND_OF_LETTER, NAMES, shortage

if TYPE_CHECKING:
    from parure.games.duel.state import DuelPosition

# the phase of each verb, where it is not the verb's own name
_PHASES = {
    "take": "turn",
    "privilege": "turn",
    "replenish": "turn",
    "gold": "turn",
    "buy": "turn",
    "pass": "turn",
    "claim": "turn",
    "gold-for": "pay",
    "discount": "pay",
    "use": "window",
}


def reason_against(position: DuelPosition, decision: int) -> str:
    """Return a sentence that says why a decision is not legal."""
    text = position.rules.decision_texts[decision]
    verb, *words = text.split()
    verb_phase = _PHASES.get(verb, verb)
    if verb != "done" and not position.phase.startswith(verb_phase) and verb != "privilege":
        return f"the phase is {position.phase!r}, and {verb!r} belongs to {verb_phase!r}"
    mover = position.players[position.seat]
    if verb in ("take", "privilege", "gold", "collect"):
        for cell in words:
            token = position.board.get(cell)
            if token is None:
                return f"{cell} is empty"
            if (token == "y") != (verb == "gold") and verb != "collect":
                return f"{cell} holds {NAMES[KIND_OF_LETTER[token]]}"
    if verb == "privilege":
        if position.phase not in ("turn", "second"):
            return f"the phase is {position.phase!r}: privileges are used at the start of a turn"
        if not mover.privileges and position.phase == "turn":
            return "you hold no privilege"
        return "after a replenish, or where nothing else could follow, no privilege can be used"
    if verb == "replenish":
        return "the bag is empty" if not position.bag else "the board is full or was replenished"
    if verb == "gold":
        full = len(mover.reserved) >= mover.reserve_limit
        return "your reserve is full" if full else "no card is left to reserve"
    if verb == "buy":
        return _reason_against_buying(position, words[0])
    if verb == "pass":
        return "something else is possible"
    if verb == "claim":
        return "there is nothing to claim"
    if verb in ("discard", "gold-for", "steal", "color"):
        return f"there is no {NAMES[KIND_OF_LETTER[words[0]]]} for it now"
    return f"it is not among what phase {position.phase!r} offers"


def _reason_against_buying(position: DuelPosition, card: str) -> str:
    mover = position.players[position.seat]
    in_sight = [name for level in position.pyramid for name in level]
    if card not in (*in_sight, *mover.reserved, *position.counterfeiters):
        return f"{card} is neither face up nor in your reserve"
    jewel = decisions.FIRST_BUY <= position.rules.decision(f"buy {card}") < decisions.FIRST_RESERVE
    if jewel and not mover.bonuses and not position.missing(card):
        return f"{card} needs a bonus to be placed with"
    return shortage(card, position.missing(card), mover.tokens.get("y", 0))
