"""All positions of a record as arrays: what `replay` does, mostly in compiled code."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from parure.errors import NotationError
from parure.games.engine.arrays import Row
from parure.games.record import Record, check_result, first_state, replay
from parure.games.rules import MAX_LEGAL, MENU_WORDS, Rules, new_chance
from parure.games.state import State

UNKNOWN = -1


class RecordArrays(NamedTuple):
    """A replayed record. Row i of each array belongs to decision i."""

    rows: Row  # the words of the state before the decision
    masks: NDArray[np.uint8]  # 1 for each legal decision
    decisions: NDArray[np.int16]
    state: State  # after the last decision, without its history


def replay_arrays(record: Record, masks: NDArray[np.uint8] | None = None) -> RecordArrays:
    """Replay a record and return its positions; it is checked as `replay` checks it.

    Args:
        record: The record.
        masks: An array of zeros to write the masks to; None for a new one.

    Raises:
        RecordError: A decision or the result does not hold.

    >>> import parure
    >>> state = parure.new("duel", seed=7)
    >>> for _ in range(20):
    ...     _ = state.play(state.legal_decisions[0])
    >>> arrays = replay_arrays(state.record())
    >>> arrays.rows.shape[0], arrays.masks.shape, arrays.state == state
    (20, (20, 389), True)
    """
    arrays = _replay(record, masks)
    if arrays is None:
        for _ in replay(record):  # finds out what is wrong, and raises
            pass
        raise AssertionError("replay and replay_arrays disagree")
    check_result(record, arrays.state)
    return arrays


def _replay(record: Record, masks: NDArray[np.uint8] | None) -> RecordArrays | None:
    """Return the positions of a record; None if a decision does not hold."""
    state = first_state(record)
    rules = state.rules
    count = len(record.decisions)
    ids = _decision_ids(rules, record.decisions)
    if ids is None:
        return None
    has_chance = np.array(rules.has_chance)
    decisions = np.array(ids, np.int64)
    marked = np.where(has_chance[decisions], ~decisions, decisions)
    rows: Row = np.empty((count, rules.layout.ROW_WORDS), np.int64)
    if masks is None:
        masks = np.zeros((count, len(rules.decision_texts)), np.uint8)
    menu, legal = np.empty(MENU_WORDS, np.int64), np.empty(MAX_LEGAL, np.int64)
    done = 0
    while done < count:
        chance = new_chance()
        if marked[done] < 0:
            try:
                chance = new_chance(_brought(state, record.decisions[done]))
            except NotationError:
                return None
        before = done
        done = rules.kernel.replay_many(
            *(state.words, rules.cards, marked, done, state.rng, menu, legal, chance, rows, masks)
        )
        if done == before:
            return None
    return RecordArrays(rows, masks, decisions.astype(np.int16), state)


def _decision_ids(rules: Rules, texts: Sequence[str]) -> list[int] | None:
    """Return the integers of recorded decisions; None if a text is no decision of the game."""
    ids = [rules.decision_ids.get(text, UNKNOWN) for text in texts]
    for number, decision in enumerate(ids):
        if decision == UNKNOWN:  # as it stands: it may have an outcome of chance behind it
            plain = rules.decision_ids.get(texts[number].partition(" > ")[0])
            if plain is None or not rules.has_chance[plain]:
                return None
            ids[number] = plain
    return ids


def _brought(state: State, text: str) -> list[int]:
    """Return what chance brought with a decision; NotationError if it cannot have."""
    plain, arrow, outcome = text.partition(" > ")
    if arrow:
        return state._read_chance(plain, outcome)
    if state.rules.chance_size(state.words, plain):
        raise NotationError(f"{plain!r} does not say what chance brought")
    return []
