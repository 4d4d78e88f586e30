"""Actions of agents: whole numbers for decisions, by card or by place, and illegal ones."""

from __future__ import annotations

from typing import Any, Final, Literal

import gymnasium
import numpy as np
from numpy.typing import NDArray

from parure.envs.checks import check_choice, check_integer
from parure.envs.games import Games
from parure.envs.slot_actions import SlotActions
from parure.errors import IllegalDecision, NotationError
from parure.games.engine.arrays import Row

ActionKind = Literal["card", "slot"]
IS_SLOT: Final = {"card": False, "slot": True}

IllegalAction = Literal["raise", "lose"]
LOSES_IF_ILLEGAL: Final = {"raise": False, "lose": True}

PLAIN_INTEGERS: Final = frozenset((int, np.int64))  # types of actions that need no conversion


class ActionEncoder:
    """The actions of an environment in some games.

    Attributes:
        masks: A row for each game: 1 for each legal action. The array is never replaced.
        count: The number of actions.
        slots: What the actions mean, with `actions="slot"`; None if an action is a decision.
    """

    def __init__(self, games: Games, kind: ActionKind) -> None:
        is_slot = check_choice("actions", kind, IS_SLOT)
        self._set_up(games, SlotActions(games.rules, len(games)) if is_slot else None)
        self.update()

    def _set_up(self, games: Games, slots: SlotActions | None) -> None:
        self._games = games
        self.slots = slots
        self.masks: NDArray[np.int8] = games.masks if slots is None else slots.masks
        self.count = self.masks.shape[1]

    def __getstate__(self) -> tuple[Games, SlotActions | None]:
        return self._games, self.slots

    def __setstate__(self, state: tuple[Games, SlotActions | None]) -> None:
        self._set_up(*state)

    def update(self) -> None:
        """Find out what is legal, after the games have changed."""
        if self.slots is not None:
            self.slots.update(self._games.rows, self._games.masks)

    def checked(self, action: Any) -> int:
        """Return an action as an int; InvalidAction if there is no such action."""
        try:
            return check_integer("an action", action, 0, self.count - 1)
        except (TypeError, ValueError) as error:
            raise gymnasium.error.InvalidAction(str(error)) from None

    def decision(self, action: Any) -> int:
        """Return an action in the first game as a decision, -1 for an empty place.

        Raises:
            InvalidAction: There is no such action.
        """
        number = self.checked(action)
        return number if self.slots is None else self.slots.decisions.item(0, number)

    def decisions(self, actions: Any) -> Any:
        """Return the actions of all games as decisions; wrong ones are left for `Games` to find."""
        if self.slots is None:
            return actions
        given = np.asarray(actions)
        if given.shape != (len(self.masks),) or given.dtype.kind not in "iu":
            return given
        over = self._games.is_over
        wrong = ~over & ((given < 0) | (given >= self.count))
        if wrong.any():
            index = int(np.flatnonzero(wrong)[0])
            raise NotationError(
                f"game {index}: {given[index]} is no action: they count from 0 to {self.count - 1}"
            )
        chosen = np.where(over, 0, given)
        decisions = self.slots.decisions[np.arange(len(given)), chosen]
        empty = ~over & (decisions < 0)
        if empty.any():
            index = int(np.flatnonzero(empty)[0])
            raise self.error(index, int(given[index]))
        return np.where(over, 0, decisions)

    def actions(self, decisions: Row) -> Row:
        """Return the actions that stand for legal decisions of all games; 0 where one is over."""
        if self.slots is None:
            return decisions
        found: Row = (self.slots.decisions == decisions[:, np.newaxis]).argmax(axis=1)
        return np.where(self._games.is_over, 0, found)

    def error(self, index: int, action: int) -> IllegalDecision | NotationError:
        """Return the error for an illegal action of a game."""
        if self.slots is None:
            return self._games.illegal_decision_error(index, action)
        decision = self.slots.decisions.item(index, action)
        if decision >= 0:
            return self._games.illegal_decision_error(index, decision)
        rules = self._games.rules
        seat = int(self._games.rows[index, rules.layout.SEAT])
        return IllegalDecision(
            self.slots.texts[action],
            f"there is no card in this place (game {index}, action {action}; "
            "choose where the mask is 1)",
            str(self._games.view(index, seat)),
        )
