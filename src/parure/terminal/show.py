"""Show a position that is given as a text, or as a record and a number of decisions."""

from __future__ import annotations

import re
from itertools import islice
from pathlib import Path

import msgspec

from parure.errors import InvalidPosition, NotationError
from parure.games.api import position as position_of
from parure.games.position import Position
from parure.games.record import final_state, read, replay
from parure.games.state import State
from parure.games.view import View
from parure.games.view_schema import view_data
from parure.terminal import echo

_RECORD = re.compile(r"(.+?)(?::(\d{1,6}))?")


def find_position(source: str, seat: int | None = None) -> Position:
    """Return the position that a text, `game.json` or `game.json:12` stands for.

    Args:
        source: A position text; or a record file, then a colon and the number of decisions to
            play if not all.
        seat: The seat whose view is wanted; None for the position as it is.

    Raises:
        NotationError: Neither a file nor a position text, or the record is shorter.
        InvalidPosition: The position contradicts itself.
        RecordError: The record does not hold.
    """
    match = _RECORD.fullmatch(source)
    path = Path(match[1] if match else source)
    position: Position
    if _is_record(path):
        position = _position_in(path, match[2] if match else None)
    else:
        position = position_of(source)
    if seat is None:
        return position
    if isinstance(position, State):
        return position.view(seat)
    assert isinstance(position, View)
    if position.viewer != position.check_seat(seat):
        raise InvalidPosition(f"the view is not that of seat {seat}")
    return position


def _is_record(path: Path) -> bool:
    try:
        return path.is_file() or path.suffix == ".json"
    except OSError:  # too long for the name of a file
        return False


def _position_in(path: Path, number: str | None) -> State:
    """Return the state of a record after a number of decisions; after all if None."""
    record = read(path)
    if number is None:
        return final_state(record)
    if int(number) > len(record.decisions):
        raise NotationError(f"{path} has {len(record.decisions)} decisions, not {number}")
    *_, state = islice(replay(record), int(number) + 1)
    return state


def print_position(position: Position) -> None:
    """Print the table, the text of the position, and what is legal."""
    echo(f"{position}\n\n{position.text()}")
    legal = sorted(position.legal_decisions)
    if legal:
        echo(f"\nLegal: {', '.join(legal)}")


def print_json(position: Position) -> None:
    """Print the data of a view; for a state, that of the seat to move."""
    view = position.view(position.seat) if isinstance(position, State) else position
    assert isinstance(view, View)
    echo(msgspec.json.encode(view_data(view)).decode())
