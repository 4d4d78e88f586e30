"""Sentences that say why a decision of Splendor is not legal.

The kernel decides what is legal; a reason uses only what the seat to move may know.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from parure.games.engine.tokens import KIND_OF_LETTER, NAMES, shortage
from parure.games.splendor import layout

if TYPE_CHECKING:
    from parure.games.splendor.state import SplendorPosition

# the phase of each verb, where it is not the verb's own name
_PHASES = {"take": "turn", "reserve": "turn", "buy": "turn", "pass": "turn", "gold-for": "pay"}


def reason_against(position: SplendorPosition, decision: int) -> str:
    """Return a sentence that says why a decision is not legal."""
    verb, _, what = position.rules.decision_texts[decision].partition(" ")
    verb_phase = _PHASES.get(verb, verb)
    if position.phase != verb_phase:
        return f"the phase is {position.phase!r}, and {verb!r} belongs to {verb_phase!r}"
    mover = position.players[position.seat]
    if verb == "take":
        return _reason_against_taking(position, what)
    if verb == "reserve":
        if len(mover.reserved) >= layout.RESERVE_LIMIT:
            return "your reserve is full"
        return "that deck is empty" if what.startswith("deck") else f"{what} is not face up"
    if verb == "buy":
        in_sight = [name for level in position.pyramid for name in level]
        if what not in (*in_sight, *mover.reserved):
            return f"{what} is neither face up nor in your reserve"
        return shortage(what, position.missing(what), mover.tokens.get("y", 0))
    if verb == "pass":
        return "something else is possible"
    if verb == "noble":
        return f"{what} is not on the table or does not come yet"
    return f"there is no {NAMES[KIND_OF_LETTER[what]]} for it now" if what else "not now"


def _reason_against_taking(position: SplendorPosition, letters: str) -> str:
    supply = position.supply
    for letter in letters:
        if not supply.get(letter):
            return f"the supply holds no {NAMES[KIND_OF_LETTER[letter]]}"
    if len(letters) == 2 and letters[0] == letters[1]:
        return f"two alike need four in the supply, which holds {supply[letters[0]]}"
    return "three different gems are taken, or all kinds there are if there are fewer"
