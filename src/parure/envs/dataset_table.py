"""The tables of a data set: records as columns, with one row for each decision.

Observations and masks are columns of bytes with a fixed size, which every reader takes as one
block of memory. Lists would be 25 times as slow to write and 35 times as slow to read.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import msgspec
import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from parure.envs.adapter import adapter_for
from parure.envs.observations import final_rewards, observation_layout
from parure.errors import RecordError
from parure.games.record import Record, Thought, rules_of
from parure.games.record_arrays import replay_arrays
from parure.games.rules import Rules

FORMAT = "parure-dataset/2"

OBSERVATION, MASK = "observation", "mask"
CANDIDATES, VISITS, VALUES = "candidates", "visits", "values"


def schema(rules: Rules) -> pa.Schema:
    """Return the columns of a game's table."""
    layout = observation_layout(rules)
    description = {
        "format": FORMAT,
        "game": rules.game,
        "seats": rules.seats,
        "decisions": len(rules.decision_texts),
        "observation_version": layout.version,
        "pieces": [[field.name, field.start, field.shape] for field in layout.fields],
    }
    return pa.schema(
        [
            ("record", pa.int64()),
            ("number", pa.int32()),
            ("seat", pa.int8()),
            ("phase", pa.string()),
            ("turn", pa.int16()),
            (OBSERVATION, pa.binary(layout.size)),
            (MASK, pa.binary(len(rules.decision_texts))),
            ("decision", pa.int16()),
            ("text", pa.string()),
            ("result", pa.float32()),
            ("reason", pa.string()),
            (CANDIDATES, pa.list_(pa.int16())),
            (VISITS, pa.list_(pa.int32())),
            (VALUES, pa.list_(pa.float32())),
        ],
        metadata={"parure": json.dumps(description)},
    )


def record_table(record: Record, number: int = 0) -> pa.Table:
    """Return one game as a table: what each seat to move observed, could do, did, and won.

    Raises:
        RecordError: The record does not hold.
    """
    builder = TableBuilder(rules_of(record), len(record.decisions))
    builder.add(record, number)
    return builder.table()


class _Game(NamedTuple):
    """What all rows of one game share."""

    number: int
    size: int  # its decisions
    reason: str | None


class TableBuilder:
    """Collects records of one game in arrays that are allocated once.

    Args:
        rules: The rules of all records.
        capacity: The number of decisions of all records together.
    """

    def __init__(self, rules: Rules, capacity: int) -> None:
        self.rules = rules
        self.size = 0  # decisions so far
        self._adapter = adapter_for(rules)
        self._observations = np.zeros((capacity, observation_layout(rules).size), np.uint8)
        self._masks = np.zeros((capacity, len(rules.decision_texts)), np.uint8)
        self._seats = np.zeros(capacity, np.int8)
        self._phases = np.zeros(capacity, np.int8)
        self._turns = np.zeros(capacity, np.int16)
        self._decisions = np.zeros(capacity, np.int16)
        self._results = np.full(capacity, np.nan, np.float32)
        self._texts: list[str] = []
        self._thoughts: list[Thought | None] = []
        self._games: list[_Game] = []

    def add(self, record: Record, number: int) -> None:
        """Add all decisions of a record; RecordError if it does not hold."""
        rules, layout, count = self.rules, self.rules.layout, len(record.decisions)
        part = slice(self.size, self.size + count)
        try:
            arrays = replay_arrays(record, self._masks[part])
            thoughts = _checked_thoughts(record, rules, arrays.masks)
        except RecordError:
            self._masks[part] = 0
            raise
        seats = np.ascontiguousarray(arrays.rows[:, layout.SEAT])
        self._adapter.observe_many(
            arrays.rows, rules.cards, seats, self._observations[part].view(np.int64)
        )
        self._seats[part] = seats
        self._phases[part] = arrays.rows[:, layout.PHASE]
        self._turns[part] = arrays.rows[:, layout.TURNS]
        self._decisions[part] = arrays.decisions
        outcome = arrays.state.outcome
        if outcome is not None:
            self._results[part] = final_rewards(rules, arrays.state.words)[seats]
        self._texts += record.decisions
        self._thoughts += thoughts
        self._games.append(_Game(number, count, outcome.reason if outcome else None))
        self.size += count

    def table(self) -> pa.Table:
        """Return all decisions added so far."""
        counts = [game.size for game in self._games]
        games = np.repeat(np.arange(len(counts)), counts)
        size, numbers = self.size, np.array([game.number for game in self._games], np.int64)
        within = [np.arange(count, dtype=np.int32) for count in counts]
        results = self._results[:size]
        columns: list[Any] = [
            pa.array(numbers[games]),
            pa.array(np.concatenate(within) if within else np.zeros(0, np.int32)),
            pa.array(self._seats[:size]),
            _words(self._phases[:size], self.rules.layout.PHASES),
            pa.array(self._turns[:size]),
            _fixed_size_bytes(self._observations[:size]),
            _fixed_size_bytes(self._masks[:size]),
            pa.array(self._decisions[:size]),
            pa.array(self._texts, pa.string()),
            pa.array(results, pa.float32(), mask=np.isnan(results)),
            _words(games, [game.reason for game in self._games]),
            *self._thought_columns(),
        ]
        return pa.table(columns, schema=schema(self.rules))

    def _thought_columns(self) -> list[Any]:
        """Return the decisions that searching bots considered, their visits and their values."""
        thoughts, ids = self._thoughts, self.rules.decision_ids
        if not any(thoughts):
            kinds = pa.int16(), pa.int32(), pa.float32()
            return [pa.nulls(len(thoughts), pa.list_(kind)) for kind in kinds]
        candidates = [
            [ids[text] for text in thought.visits] if thought else None for thought in thoughts
        ]
        visits = [list(thought.visits.values()) if thought else None for thought in thoughts]
        values = [list(thought.values) if thought else None for thought in thoughts]
        return [
            pa.array(candidates, pa.list_(pa.int16())),
            pa.array(visits, pa.list_(pa.int32())),
            pa.array(values, pa.list_(pa.float32())),
        ]


def _checked_thoughts(
    record: Record, rules: Rules, masks: NDArray[np.uint8]
) -> Sequence[Thought | None]:
    """Return the thought of each decision; RecordError if one considers what was not legal."""
    if record.thoughts is msgspec.UNSET:
        return [None] * len(record.decisions)
    for number, thought in enumerate(record.thoughts):
        for text in thought.visits if thought else ():
            decision = rules.decision_ids.get(text)
            if decision is None or not masks[number, decision]:
                raise RecordError(f"the thought considers {text[:40]!r}: not legal", number)
    return record.thoughts


def _fixed_size_bytes(values: NDArray[np.uint8]) -> Any:
    buffers = [None, pa.py_buffer(np.ascontiguousarray(values))]
    return pa.FixedSizeBinaryArray.from_buffers(pa.binary(values.shape[1]), len(values), buffers)


def _words(indices: NDArray[Any], words: Iterable[str | None]) -> Any:
    return pa.array(list(words), pa.string()).take(pa.array(indices))
