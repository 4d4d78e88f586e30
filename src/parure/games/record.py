"""Records: a played game as text. Replaying one gives every state again.

Reading checks everything: the shape, the set-up, each decision with its chance, and the result.
A record that does not hold is refused with the number of the decision at fault.
"""

from __future__ import annotations

import gzip
import hashlib
import zlib
from collections.abc import Iterator, Mapping
from os import PathLike
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from parure.errors import IllegalDecision, NotationError, RecordError
from parure.games.engine.arrays import Rng
from parure.games.position import Outcome
from parure.games.registry import rules
from parure.games.rules import Rules
from parure.games.state import State

FORMAT = "parure-record/1"
LARGEST = 4 << 20  # bytes; real games take some ten thousand
MAX_DECISIONS = 100_000


class Result(msgspec.Struct, forbid_unknown_fields=True):
    """How a game ended."""

    winners: list[int]
    reason: str


class Record(msgspec.Struct, forbid_unknown_fields=True):
    """One game: who played what, from which set-up, by which decisions."""

    format: str
    game: str
    options: dict[str, Any]
    players: list[str]
    setup: dict[str, Any]
    decisions: list[str]
    result: Result | msgspec.UnsetType = msgspec.UNSET  # absent while the game is on


def decode(data: bytes | str) -> Record:
    """The record in a text, its shape checked but not its game."""
    if len(data) > LARGEST:
        raise RecordError(f"too long for a record: {len(data):,} bytes")
    try:
        record = msgspec.json.decode(data, type=Record)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise RecordError(f"not a record: {str(error)[:200]}") from None
    if record.format != FORMAT:
        raise RecordError(f"the format must be {FORMAT!r}, not {record.format[:40]!r}")
    if len(record.decisions) > MAX_DECISIONS:
        raise RecordError(f"no game has {len(record.decisions):,} decisions")
    return record


def encode(record: Record) -> bytes:
    """A record as text, in one line."""
    return msgspec.json.format(msgspec.json.encode(record), indent=0) + b"\n"


def record_of(state: State, setup: Mapping[str, Any]) -> Record:
    """The record of a state that was played from its set-up."""
    outcome = state.outcome
    return Record(
        format=FORMAT,
        game=state.game,
        options=dict(state.options),
        players=state.names.copy(),
        setup=dict(setup),
        decisions=state.decisions.copy(),
        result=Result(list(outcome.winners), outcome.reason) if outcome else msgspec.UNSET,
    )


def rules_of(record: Record) -> Rules:
    """The rules that a record was played by."""
    try:
        return rules(record.game, len(record.players), record.options)
    except NotationError as error:
        raise RecordError(str(error)) from None


def first_state(record: Record) -> State:
    """The state after the set-up of a record."""
    by = rules_of(record)
    state = by.state_type(by, by.lay_out(record.setup), _generator(record), record.players)
    state._setup = record.setup
    return state


def _generator(record: Record) -> Rng:
    """A generator for going on from a record: the same one each time, of the record's own."""
    digest = hashlib.sha256(msgspec.json.encode(record.setup)).digest()
    return np.frombuffer(digest[:8], "<u8").astype(np.uint64)


def replay(record: Record) -> Iterator[State]:
    """The same state at each moment: after the set-up, then after each decision.

    Raises RecordError at the decision that does not hold, or at the end if the result does not.
    """
    state = first_state(record)
    yield state
    for number, text in enumerate(record.decisions):
        if state.is_over:
            raise RecordError("the game was over already", number)
        try:
            if text in state.legal_decisions and state.rules.chance_size(state.words, text):
                raise NotationError(f"{text!r} does not say what chance brought")
            state.play(text)
        except (IllegalDecision, NotationError) as error:
            reason = (
                f"{text[:80]!r}: {error.reason}" if isinstance(error, IllegalDecision) else error
            )
            legal = ", ".join(sorted(state.legal_decisions))
            raise RecordError(f"{reason}. Legal: {legal}", number) from None
        yield state
    check_result(record, state)


def check_result(record: Record, state: State) -> None:
    """Compare the result of a record with that of the rules; one given from outside is taken."""
    result = record.result
    if state.outcome is not None:
        if result is msgspec.UNSET:
            raise RecordError("the game is over, but the record has no result")
        if Outcome(tuple(result.winners), result.reason) != state.outcome:
            raise RecordError(f"the result is {state.outcome}, not {result}")
    elif result is not msgspec.UNSET:
        try:
            state.end(result.reason, result.winners)
        except NotationError as error:
            raise RecordError(f"the game is not over by the rules: {error}") from None


def load(path: str | PathLike[str]) -> State:
    """The state that a record file leads to, checked throughout."""
    *_, state = replay(read(path))
    return state


def read(path: str | PathLike[str]) -> Record:
    """The record in a file, its shape checked but not its game."""
    with Path(path).open("rb") as file:
        return decode(file.read(LARGEST + 1))


def read_all(path: str | PathLike[str]) -> Iterator[Record]:
    """The records in a file: one, or one in each line of a `.jsonl` or `.jsonl.gz`."""
    file = Path(path)
    if not file.name.endswith((".jsonl", ".jsonl.gz")):
        yield read(file)
        return
    with gzip.open(file) if file.suffix == ".gz" else file.open("rb") as lines:
        try:
            while line := lines.readline(LARGEST + 1):
                yield decode(line)
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise RecordError(f"not packed as its name says: {error}") from None
