"""Why a decision of Duel is not legal, in a sentence.

Nothing here decides: the kernel does. A reason uses only what the seat to move may know.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from parure.games.duel import decisions
from parure.games.duel.geometry import CELLS
from parure.games.engine.tokens import KIND_OF_LETTER, NAMES, shortage

if TYPE_CHECKING:
    from parure.games.duel.state import DuelPosition

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


_SENTENCES = {
    "no-gold": "no gold lies on the board",
    "full": "your reserve is full",
    "no-card": "no card is left to reserve",
    "bag-empty": "the bag is empty",
    "board-full": "the board is full",
    "replenished": "the board was replenished in this turn",
    "no-privilege": "you hold no privilege",
    "blocked": "nothing else could follow it",
}


def unavailable_actions(position: DuelPosition) -> dict[str, tuple[str, str]]:
    """Why the seat to move cannot reserve, replenish or use a privilege: a code and a sentence."""
    if position.phase != "turn":
        return {}
    verbs = {text.partition(" ")[0] for text in position.legal_decisions}
    codes: dict[str, str] = {}
    me = position.players[position.seat]
    if "gold" not in verbs:
        is_full = len(me.reserved) >= me.reserve_limit
        has_gold = "y" in position.board.values()
        codes["reserve"] = "full" if is_full else "no-card" if has_gold else "no-gold"
    if "replenish" not in verbs:
        is_full = len(position.board) == len(CELLS)
        codes["replenish"] = (
            "board-full" if is_full else "bag-empty" if not position.bag else "replenished"
        )
    if "privilege" not in verbs:
        codes["privilege"] = (
            "no-privilege"
            if not me.privileges
            else "replenished"
            if position.is_replenished
            else "blocked"
        )
    return {action: (code, _SENTENCES[code]) for action, code in codes.items()}


def _reason_against_buying(position: DuelPosition, card: str) -> str:
    me = position.players[position.seat]
    in_sight = [name for level in position.pyramid for name in level]
    if card not in (*in_sight, *me.reserved, *position.counterfeiters):
        return f"{card} is neither face up nor in your reserve"
    jewel = decisions.FIRST_BUY <= position.rules.decision(f"buy {card}") < decisions.FIRST_RESERVE
    if jewel and not me.bonuses and not position.missing(card):
        return f"{card} needs a bonus to be placed with"
    return shortage(card, position.missing(card), me.tokens.get("y", 0))
