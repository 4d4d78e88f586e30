"""Actions as they come from outside: whole numbers, and what to do with one that is not legal."""

from __future__ import annotations

from operator import index
from typing import Any, Final, Literal

import gymnasium

from parure.envs.games import Games

Illegal = Literal["raise", "lose"]
ILLEGAL: Final = {"raise": 0, "lose": 1}


def decision_from_action(action: Any, games: Games) -> int:
    """An action as a decision of a game; InvalidAction if it cannot be one."""
    try:
        decision = index(action)
    except TypeError:
        kind = getattr(action, "dtype", type(action).__name__)
        raise gymnasium.error.InvalidAction(
            f"an action is a whole number, not {kind}: {action!r}"
        ) from None
    if not 0 <= decision < games.masks.shape[1]:
        raise gymnasium.error.InvalidAction(str(games.illegal_decision_error(0, decision)))
    return decision
