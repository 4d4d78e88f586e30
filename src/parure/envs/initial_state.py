"""Where a game begins: a shuffle, or the position that a record leads to."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from os import PathLike
from typing import Any

from parure.errors import NotationError, ParureError, RecordError
from parure.games.record import Record, decode, read, replay
from parure.games.rules import Rules
from parure.games.state import State


def unknown_option_error(options: Mapping[str, Any] | None, known: Collection[str]) -> str | None:
    """What is wrong with the options of a reset; None if nothing is."""
    for name in options or {}:
        if name not in known:
            return f"reset has no option {name!r}; it has: {', '.join(sorted(known))}"
    return None


def state_from_record(source: Any, by: Rules) -> State:
    """The state that a record leads to: a `Record`, its text, or the path of its file."""
    if isinstance(source, Record):
        record = source
    elif isinstance(source, bytes) or (isinstance(source, str) and source.lstrip()[:1] == "{"):
        record = decode(source)
    elif isinstance(source, str | PathLike):
        record = read(source)
    else:
        raise NotationError(f"a record is a Record, a text or a path, not {type(source).__name__}")
    *_, state = replay(record)
    found = (state.game, state.seats, {k: v for k, v in state.options.items() if v})
    wanted = (by.game, by.seats, {k: v for k, v in by.options.items() if v})
    if found != wanted:
        raise RecordError(
            f"the record is of {state.rules.label} with options {found[2]}, "
            f"the environment of {by.label} with options {wanted[2]}"
        )
    if state.is_over:
        raise ParureError("the game of the record is over: cut its decisions and its result")
    return state
