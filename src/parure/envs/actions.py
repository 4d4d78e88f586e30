"""Actions of agents: whole numbers, and what happens if one is not legal."""

from __future__ import annotations

from typing import Any, Final, Literal

import gymnasium

from parure.envs.checks import check_integer
from parure.envs.games import Games

IllegalAction = Literal["raise", "lose"]
LOSES_IF_ILLEGAL: Final = {"raise": False, "lose": True}


def decision_from_action(action: Any, games: Games) -> int:
    """Return an action as a decision; InvalidAction if the game has no such decision."""
    try:
        return check_integer("an action", action, 0, games.masks.shape[1] - 1)
    except (TypeError, ValueError) as error:
        raise gymnasium.error.InvalidAction(str(error)) from None
