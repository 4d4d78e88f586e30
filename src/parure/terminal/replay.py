"""Check recorded games and print them, step through them, or list what was legal."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from parure.games.record import Record, first_state, read_all, replay
from parure.games.state import State
from parure.terminal import echo, prompt


def print_legal(file: Path) -> None:
    """Print the legal decisions before each decision of a record, and the result, as JSON lines."""
    for record in read_all(file):
        for line in legal_lines(record):
            sys.stdout.write(json.dumps(line) + "\n")


def legal_lines(record: Record) -> Iterator[dict[str, Any]]:
    """Yield a line for each decision and one for the end."""
    number = len(record.decisions)
    for n, state in enumerate(replay(record)):
        if n < number:
            yield _legal_line(n, state)
    # `replay` has now checked the result too, which may end the game from outside the rules.
    if outcome := state.outcome:
        result = {"winners": list(outcome.winners), "reason": outcome.reason}
        yield {"n": number, "result": result}
    else:
        yield _legal_line(number, state)


def _legal_line(n: int, state: State) -> dict[str, Any]:
    legal = sorted(state.legal_decisions)
    return {"n": n, "seat": state.seat, "phase": state.phase, "legal": legal}


def print_decisions(file: Path) -> None:
    """Print each decision of a record, and the table at the end."""
    for record in read_all(file):
        echo(_title(file, record))
        for n, state in enumerate(replay(record)):
            if n < len(record.decisions):
                echo(_decision_line(n, state, record.decisions[n]))
        echo(f"\n{state}\n")


def _title(file: Path, record: Record) -> str:
    players = ", ".join(f"{name} (seat {seat})" for seat, name in enumerate(record.players))
    return f"{file}: {record.game}, {players}"


def _decision_line(n: int, state: State, text: str) -> str:
    return f"{n:4}  seat {state.seat}  {state.phase:<13}  {text}"


def step_through(file: Path) -> None:
    """Show the table at each decision of a record: Enter for the next, b for back, q to quit."""
    for record in read_all(file):
        if not _step_through_game(file, record):
            return


def _step_through_game(file: Path, record: Record) -> bool:
    """Step through one game; return whether to go on with the next."""
    *_, end = replay(record)  # the whole record is checked before any of it is shown
    echo(f"{_title(file, record)}\nEnter: next, b: back, q: quit")
    state, number = first_state(record), len(record.decisions)
    while True:
        n = len(state.decisions)
        is_end = n == number
        echo(f"\n{end if is_end else state}\n")
        if not is_end:
            echo(_decision_line(n, state, record.decisions[n]))
        answer = prompt(f"[{n}/{number}] ")
        if answer is None or answer == "q":
            return False
        if is_end and not answer:
            return True
        if answer == "b" and n:
            state.undo()
        elif not answer:
            state.play(record.decisions[n])
