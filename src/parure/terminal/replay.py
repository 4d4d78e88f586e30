"""Recorded games: checked and told, stepped through, or listed with what was legal."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from parure.games.record import Record, first_state, read_all, replay
from parure.games.state import State
from parure.terminal import ask, say


def legal(file: Path) -> None:
    """Print what is legal before each decision of a record, and how it ends."""
    for record in read_all(file):
        for line in legal_lines(record):
            sys.stdout.write(json.dumps(line) + "\n")


def legal_lines(record: Record) -> Iterator[dict[str, Any]]:
    """A line for each decision and one for the end, as record.md describes them."""
    number = len(record.decisions)
    for n, state in enumerate(replay(record)):
        if n < number:
            yield _line(n, state)
    # Only now, the result being checked too, is it known whether the game is over.
    if outcome := state.outcome:
        result = {"winners": list(outcome.winners), "reason": outcome.reason}
        yield {"n": number, "result": result}
    else:
        yield _line(number, state)


def _line(n: int, state: State) -> dict[str, Any]:
    legal = sorted(state.legal_decisions)
    return {"n": n, "seat": state.seat, "phase": state.phase, "legal": legal}


def story(file: Path) -> None:
    """Print each decision of a record, and the table in the end."""
    for record in read_all(file):
        say(title(file, record))
        for n, state in enumerate(replay(record)):
            if n < len(record.decisions):
                say(_decision(n, state, record.decisions[n]))
        say(f"\n{state}\n")


def title(file: Path, record: Record) -> str:
    """The game and who sits where."""
    players = ", ".join(f"{name} (seat {seat})" for seat, name in enumerate(record.players))
    return f"{file}: {record.game}, {players}"


def _decision(n: int, state: State, text: str) -> str:
    return f"{n:4}  seat {state.seat}  {state.phase:<13}  {text}"


def step(file: Path) -> None:
    """Show the table at each decision of a record: Enter goes on, b back, q leaves."""
    for record in read_all(file):
        if not _step_through(file, record):
            return


def _step_through(file: Path, record: Record) -> bool:
    """Step through one game; gives whether the next one is wanted."""
    *_, end = replay(record)  # the whole record is checked before any of it is shown
    say(f"{title(file, record)}\nEnter: next, b: back, q: quit")
    state, number = first_state(record), len(record.decisions)
    while True:
        n = len(state.decisions)
        is_end = n == number
        say(f"\n{end if is_end else state}\n")
        if not is_end:
            say(_decision(n, state, record.decisions[n]))
        answer = ask(f"[{n}/{number}] ")
        if answer is None or answer == "q":
            return False
        if is_end and not answer:
            return True
        if answer == "b" and n:
            state.undo()
        elif not answer:
            state.play(record.decisions[n])
