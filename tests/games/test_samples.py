"""Sample games: legal decisions, phase, seat and result of every state.

docs/rules/record.md, "Listing what is legal"
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from parure.games.record import decode, encode, read, replay

FOLDER = Path(__file__).parents[1] / "data" / "records"
FILES = sorted(FOLDER.rglob("*.json"))


def test_there_are_samples_of_every_game() -> None:
    assert {read(file).game for file in FILES} == {"splendor", "duel", "duel+counterfeiters"}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_sample(file: Path) -> None:
    record = read(file)
    with gzip.open(file.with_suffix(".legal.jsonl.gz"), "rt", encoding="utf-8") as lines:
        expected = [json.loads(line) for line in lines]
    found = []
    for n, state in enumerate(replay(record)):
        found.append(
            {
                "n": n,
                "seat": state.seat,
                "phase": state.phase,
                "legal": sorted(state.legal_decisions),
            }
        )
    if state.outcome is not None:
        winners = list(state.outcome.winners)
        found[-1] = {"n": n, "result": {"winners": winners, "reason": state.outcome.reason}}
    assert found == expected


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_sample_is_written_back_as_it_was_read(file: Path) -> None:
    record = read(file)
    *_, state = replay(record)
    assert state.record() == record
    assert decode(encode(record)) == record
    assert json.loads(encode(state.record())) == json.loads(file.read_text(encoding="utf-8"))
