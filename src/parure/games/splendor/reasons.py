"""Why a decision of Splendor is not legal, in a sentence.

Nothing here decides: the kernel does. A reason uses only what the seat to move may know.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from parure.games.engine.tokens import KIND_OF_LETTER, NAMES, shortage
from parure.games.splendor import layout

if TYPE_CHECKING:
    from parure.games.splendor.state import SplendorPosition

# the phase in which each verb has its place, where it is not the verb's own name
_PHASES = {"take": "turn", "reserve": "turn", "buy": "turn", "pass": "turn", "gold-for": "pay"}


def reason_against(position: SplendorPosition, decision: int) -> str:
    """Why a decision is not legal."""
    verb, _, what = position.rules.decision_texts[decision].partition(" ")
    place = _PHASES.get(verb, verb)
    if position.phase != place:
        return f"the phase is {position.phase!r}, and {verb!r} belongs to {place!r}"
    me = position.players[position.seat]
    if verb == "take":
        return _reason_against_taking(position, what)
    if verb == "reserve":
        if len(me.reserved) >= layout.RESERVE_LIMIT:
            return "your reserve is full"
        return "that deck is empty" if what.startswith("deck") else f"{what} is not face up"
    if verb == "buy":
        in_sight = [name for level in position.pyramid for name in level]
        if what not in (*in_sight, *me.reserved):
            return f"{what} is neither face up nor in your reserve"
        return shortage(what, position.missing(what), me.tokens.get("y", 0))
    if verb == "pass":
        return "something else is possible"
    if verb == "noble":
        return f"{what} is not on the table or does not come yet"
    return f"there is no {NAMES[KIND_OF_LETTER[what]]} for it now" if what else "not now"


def unavailable_actions(position: SplendorPosition) -> dict[str, tuple[str, str]]:
    """Why the seat to move cannot reserve or take: a code and a sentence."""
    if position.phase != "turn":
        return {}
    verbs = {text.partition(" ")[0] for text in position.legal_decisions}
    found = {}
    if "reserve" not in verbs:
        is_full = len(position.players[position.seat].reserved) >= layout.RESERVE_LIMIT
        found["reserve"] = (
            ("full", "your reserve is full") if is_full else ("no-card", "no card is left")
        )
    if "take" not in verbs:
        found["take"] = ("supply-empty", "the supply holds no gems")
    return found


def _reason_against_taking(position: SplendorPosition, letters: str) -> str:
    supply = position.supply
    for letter in letters:
        if not supply.get(letter):
            return f"the supply holds no {NAMES[KIND_OF_LETTER[letter]]}"
    if len(letters) == 2 and letters[0] == letters[1]:
        return f"two alike need four in the supply, which holds {supply[letters[0]]}"
    return "three different gems are taken, or all kinds there are if there are fewer"
