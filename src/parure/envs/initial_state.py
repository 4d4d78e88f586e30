"""The options of `reset`: where a game starts."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from os import PathLike
from typing import Any

from parure.envs.checks import rules_name
from parure.errors import NotationError, ParureError, RecordError
from parure.games.record import Record, decode, read, replay
from parure.games.rules import Rules
from parure.games.state import State


def unknown_option_error(options: Mapping[str, Any] | None, known: Collection[str]) -> str | None:
    """Return what is wrong with the options of a reset; None if nothing is."""
    for name in options or {}:
        if name not in known:
            return f"reset has no option {name!r}; it has: {', '.join(sorted(known))}"
    return None


def state_from_record(source: Any, rules: Rules) -> State:
    """Return the state after the last decision of a record.

    Args:
        source: A `Record`, its text, or the path of its file.
        rules: The rules that the record must follow.

    Raises:
        RecordError: The record is wrong, or of another game.
        ParureError: The game of the record is over.
    """
    if isinstance(source, Record):
        record = source
    elif isinstance(source, bytes) or (isinstance(source, str) and source.lstrip()[:1] == "{"):
        record = decode(source)
    elif isinstance(source, str | PathLike):
        record = read(source)
    else:
        raise NotationError(f"a record is a Record, a text or a path, not {type(source).__name__}")
    *_, state = replay(record)
    if rules_name(state.rules) != rules_name(rules):
        raise RecordError(
            f"the record is of {rules_name(state.rules)}, the environment of {rules_name(rules)}"
        )
    if state.is_over:
        raise ParureError("the game of the record is over: remove its result and last decisions")
    return state
