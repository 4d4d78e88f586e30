"""Records: a played game as JSON. Replaying one yields every state again.

Reading checks everything: the shape, the set-up, each decision with its chance, and the result.
A record that does not hold raises RecordError with the number of the decision at fault. The
format is specified in docs/rules/record.md.
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

from parure.errors import IllegalDecision, InvalidPosition, NotationError, RecordError
from parure.games.engine.arrays import Rng
from parure.games.position import Outcome
from parure.games.position_text import parse_position
from parure.games.registry import rules
from parure.games.rules import Rules
from parure.games.state import State

FORMAT = "parure-record/1"
MAX_BYTES = 4 << 20  # real games take some ten thousand
MAX_DECISIONS = 100_000


class Thought(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a searching bot found before a decision."""

    visits: dict[str, int]  # of each decision that it considered, the most visited first
    values: list[float]  # the score that the seat to move expects of each, 0 to 1


class Record(msgspec.Struct, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """One game: who played, from which set-up or position, by which decisions."""

    format: str
    game: str
    options: dict[str, Any]
    players: list[str]
    setup: dict[str, Any] = {}
    position: str = ""  # the text of a state from which the game starts instead of a set-up
    decisions: list[str]
    result: Outcome | msgspec.UnsetType = msgspec.UNSET  # absent while the game is on
    thoughts: list[Thought | None] | msgspec.UnsetType = msgspec.UNSET  # one for each decision


def decode(data: bytes | str) -> Record:
    """Return the record in a text; its shape is checked, its game is not."""
    if len(data) > MAX_BYTES:
        raise RecordError(f"too long for a record: {len(data):,} bytes")
    try:
        record = msgspec.json.decode(data, type=Record)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise RecordError(f"not a record: {str(error)[:200]}") from None
    if record.format != FORMAT:
        raise RecordError(f"the format must be {FORMAT!r}, not {record.format[:40]!r}")
    if not record.setup and not record.position:
        raise RecordError("not a record: missing required field `setup`, or `position` instead")
    if record.setup and record.position:
        raise RecordError("a record starts from its `setup` or from its `position`, not from both")
    if len(record.decisions) > MAX_DECISIONS:
        raise RecordError(f"no game has {len(record.decisions):,} decisions")
    if record.thoughts is not msgspec.UNSET:
        if len(record.thoughts) != len(record.decisions):
            raise RecordError(
                f"{len(record.thoughts)} thoughts for {len(record.decisions)} decisions"
            )
        for number, thought in enumerate(record.thoughts):
            if thought is not None and len(thought.visits) != len(thought.values):
                raise RecordError("a thought has one value for each decision considered", number)
    return record


def encode(record: Record) -> bytes:
    """Return a record as JSON in one line."""
    return msgspec.json.format(msgspec.json.encode(record), indent=0) + b"\n"


def record_of(state: State, setup: Mapping[str, Any], position: str = "") -> Record:
    """Return the record of a state that was played from a set-up or a position."""
    outcome = state.outcome
    return Record(
        format=FORMAT,
        game=state.game,
        options=dict(state.options),
        players=state.names.copy(),
        setup=dict(setup),
        position=position,
        decisions=state.decisions.copy(),
        result=outcome or msgspec.UNSET,
    )


def rules_of(record: Record) -> Rules:
    """Return the rules that a record was played by."""
    try:
        return rules(record.game, len(record.players), record.options)
    except NotationError as error:
        raise RecordError(str(error)) from None


def first_state(record: Record) -> State:
    """Return the state after the set-up of a record, or its position."""
    game_rules = rules_of(record)
    if record.position:
        return _first_position(record, game_rules)
    row = game_rules.set_up(record.setup)
    state = game_rules.state_type(game_rules, row, _rng(record), record.players)
    state._setup = record.setup
    return state


def _first_position(record: Record, game_rules: Rules) -> State:
    """Return the state from which a record starts that has a position instead of a set-up."""
    try:
        state = parse_position(record.position)
    except (InvalidPosition, NotationError) as error:
        raise RecordError(f"the position: {error}") from None
    if not isinstance(state, State):
        raise RecordError("the position of a record must be a state: it lists all decks")
    if state.rules.label != game_rules.label:
        raise RecordError(f"the position is of {state.rules.label}, not of {game_rules.label}")
    if _options_on(state.rules) != _options_on(game_rules):
        raise RecordError(
            "the position is of the game of the record, but not with the same options"
        )
    state.names = record.players.copy()
    state._position = record.position
    return state


def _options_on(rules: Rules) -> set[str]:
    return {name for name, is_on in rules.options.items() if is_on}


def _rng(record: Record) -> Rng:
    """Return the generator for playing on from a record; it depends only on the set-up."""
    digest = hashlib.sha256(msgspec.json.encode(record.setup)).digest()
    return np.frombuffer(digest[:8], "<u8").astype(np.uint64)


def replay(record: Record) -> Iterator[State]:
    """Yield one state object again and again: at the start, then after each decision.

    Raises RecordError at the decision that does not hold, or at the end if the result does not.
    """
    state = first_state(record)
    yield state
    for number, text in enumerate(record.decisions):
        if state.is_over:
            raise RecordError("the game was over already", number)
        try:
            state.rules.decision(text.partition(" > ")[0])  # a record is spelled exactly
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
    """Check a record's result against the rules; one from outside them (`resigned`) is applied."""
    result = record.result
    if state.outcome is not None:
        if result is msgspec.UNSET:
            raise RecordError("the game is over, but the record has no result")
        if result != state.outcome:
            raise RecordError(f"the result is {state.outcome}, not {result}")
    elif result is not msgspec.UNSET:
        try:
            state.end(result.reason, result.winners)
        except NotationError as error:
            raise RecordError(f"the game is not over by the rules: {error}") from None


def final_state(record: Record) -> State:
    """Return the state that a record leads to, checked throughout."""
    *_, state = replay(record)
    return state


def read(path: str | PathLike[str]) -> Record:
    """Return the record in a file; its shape is checked, its game is not."""
    with Path(path).open("rb") as file:
        return decode(file.read(MAX_BYTES + 1))


def read_all(path: str | PathLike[str]) -> Iterator[Record]:
    """Yield the records in a file: one, or one a line in a `.jsonl` or `.jsonl.gz` file."""
    for _, data in raw_records(path):
        yield decode(data)


def raw_records(path: str | PathLike[str]) -> Iterator[tuple[int, bytes]]:
    """Yield the line and the bytes of each record in a file, which `decode` takes.

    Blank lines are skipped. Of a line that is too long for a record only the beginning is read, so
    that `decode` refuses it.

    Raises:
        RecordError: The rest of a compressed file cannot be read.
    """
    file = Path(path)
    if not file.name.endswith((".jsonl", ".jsonl.gz")):
        with file.open("rb") as content:
            yield 1, content.read(MAX_BYTES + 1)
        return
    with gzip.open(file) if file.suffix == ".gz" else file.open("rb") as lines:
        try:
            number = 0
            while line := lines.readline(MAX_BYTES + 1):
                number += 1
                rest = line
                while len(rest) > MAX_BYTES and not rest.endswith(b"\n"):
                    rest = lines.readline(MAX_BYTES + 1)
                if not line.isspace():
                    yield number, line
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise RecordError(f"not a valid gzip file: {error}") from None
