"""Actions that name a place instead of a card: `buy slot 3` for whatever lies there.

There are fewer of them than decisions, and what a network learns about a place applies to every
card that lies there. Each legal decision is exactly one legal action.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from parure.envs.adapter import adapter_for
from parure.envs.checks import check_rows
from parure.envs.kernels.slot_actions import FIXED, CardPlaces, translate_many
from parure.errors import NotationError
from parure.games.engine.arrays import Row
from parure.games.registry import rules as rules_of_game
from parure.games.rules import Rules


class PlaceGroup(NamedTuple):
    """Some places that cards of one verb can lie in."""

    verb: str
    name: str  # of the places: `slot`, `reserved`
    source: int  # FACE_UP, RESERVED or PEEKED
    first: int  # the word of the first place in the row, or its number
    size: int
    first_decision: int  # with the card of number 0


class SlotTable(NamedTuple):
    """How a game's decisions about cards become actions about places."""

    groups: Sequence[PlaceGroup]
    replaced: tuple[str, ...]  # how the decisions begin that the groups stand for
    places: CardPlaces


class SlotActions:
    """The slot actions of a game, and what they mean in some games.

    >>> from parure.games.registry import rules
    >>> actions = SlotActions(rules("splendor"))
    >>> len(actions.texts), actions.texts[-3:]
    (83, ('buy reserved 0', 'buy reserved 1', 'buy reserved 2'))

    Attributes:
        texts: What each action does. Actions without a card come first, in the order of their
            decisions.
        decisions: A row for each game: the decision that each action stands for now, or -1.
        masks: A row for each game: 1 for each legal action.
    """

    def __init__(self, rules: Rules, number: int = 1) -> None:
        self.rules = rules
        slots = adapter_for(rules).slot_table(rules)
        fixed = [
            (decision, text)
            for decision, text in enumerate(rules.decision_texts)
            if not text.startswith(slots.replaced) or text.startswith("reserve deck")
        ]
        table = [(FIXED, 0, decision) for decision, _ in fixed]
        texts = [text for _, text in fixed]
        for group in slots.groups:
            for n in range(group.size):
                table.append((group.source, group.first + n, group.first_decision))
                texts.append(f"{group.verb} {group.name} {n}")
        self.texts = tuple(texts)
        self._table: Row = np.array(table, np.int64)
        *numbers, deck_ends = slots.places
        self._places: Row = np.array([*numbers, *deck_ends], np.int64)
        self.decisions: Row = np.zeros((number, len(texts)), np.int64)
        self.masks: NDArray[np.int8] = np.zeros((number, len(texts)), np.int8)

    def __getstate__(self) -> dict[str, Any]:
        found = self.rules
        return {**self.__dict__, "rules": (found.game, found.seats, dict(found.options))}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, rules=rules_of_game(*state["rules"]))

    def update(self, rows: Row, masks: NDArray[np.int8]) -> None:
        """Find out what the actions mean in some positions, given what is legal there."""
        translate_many(rows, masks, self._table, self._places, self.decisions, self.masks)

    def decisions_in(self, rows: Row) -> Row:
        """Return the decision of each action in each of some positions; -1 for an empty place."""
        checked = check_rows(self.rules, rows)
        decisions: Row = np.zeros((len(checked), len(self.texts)), np.int64)
        none = np.zeros((len(checked), len(self.rules.decision_texts)), np.int8)
        masks = np.zeros(decisions.shape, np.int8)
        translate_many(checked, none, self._table, self._places, decisions, masks)
        return decisions

    def action(self, row: Row, decision: int) -> int:
        """Return the action that stands for a decision in a position.

        Raises:
            NotationError: The card of the decision lies in no place where the seat may use it.
        """
        (found,) = np.nonzero(self.decisions_in(row[np.newaxis])[0] == decision)
        if not len(found):
            raise NotationError(f"no slot action stands for decision {decision} in this position")
        return int(found[0])
