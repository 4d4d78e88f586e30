"""Why a decision of Duel is not legal, in a sentence.

Nothing here decides: the kernel does. A reason uses only what the seat to move may know.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from parure.games.duel import decisions as to
from parure.games.kinds import KIND_OF_LETTER, NAMES

if TYPE_CHECKING:
    from parure.games.duel.game import DuelPosition

# the phases in which each verb has its place, where they are not the verb's own name
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
    """Why a decision is not legal."""
    text = position.rules.decision_texts[decision]
    verb, *words = text.split()
    place = _PHASES.get(verb, verb)
    if verb != "done" and not position.phase.startswith(place) and verb != "privilege":
        return f"the phase is {position.phase!r}, and {verb!r} belongs to {place!r}"
    me = position.players[position.seat]
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
        if not me.privileges and position.phase == "turn":
            return "you hold no privilege"
        return "after a replenish, or where nothing else could follow, no privilege can be used"
    if verb == "replenish":
        return "the bag is empty" if not position.bag else "the board is full or was replenished"
    if verb == "gold":
        full = len(me.reserved) >= me.reserve_limit
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
    me = position.players[position.seat]
    in_sight = [name for level in position.pyramid for name in level]
    if card not in (*in_sight, *me.reserved, *position.counterfeiters):
        return f"{card} is neither face up nor in your reserve"
    jewel = to.FIRST_BUY <= position.rules.decision(f"buy {card}") < to.FIRST_RESERVE
    if jewel and not me.bonuses and not position.missing(card):
        return f"{card} needs a bonus to be placed with"
    lack = position.missing(card)
    wanted = ", ".join(f"{n} more {NAMES[KIND_OF_LETTER[k]]}" for k, n in lack.items())
    gold = me.tokens.get("y", 0)
    return f"{card} needs {wanted or 'more gold'}" + (f" and you hold {gold} gold" if gold else "")
