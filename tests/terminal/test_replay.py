"""`parure replay`: records are checked, printed and stepped through."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path

import pytest
from tests.command_line import FINISHED, RECORDS, UNFINISHED, Run

import parure


def expected_lines(record: Path) -> str:
    return gzip.decompress(record.with_suffix(".legal.jsonl.gz").read_bytes()).decode()


def test_decisions_and_final_table_are_printed(run: Run) -> None:
    ran = run("replay", FINISHED)
    decisions = json.loads(FINISHED.read_text())["decisions"]
    lines = [line for line in ran.out.splitlines() if re.match(r" *\d+  seat \d  ", line)]
    assert [line.split(maxsplit=4)[4] for line in lines] == decisions
    assert str(parure.load(FINISHED)) in ran.out


@pytest.mark.parametrize("record", sorted(RECORDS.glob("*.json")), ids=lambda path: path.stem)
def test_legal_decisions_are_listed(run: Run, record: Path) -> None:
    assert run("replay", "--legal", record).out == expected_lines(record)


BAD_FILES = {
    "empty": b"",
    "binary": bytes(range(256)),
    "truncated": FINISHED.read_bytes()[:500],
    "nested": b"[" * 100_000,
    "huge": b" " * (5 << 20),
    "null": b"null",
    "hostile name": b'{"format": "\\u001b[2J\\u0000"}',
    "illegal": UNFINISHED.read_bytes().replace(b"take c3 c4 c5", b"take a1 b2 c4"),
}


@pytest.mark.parametrize("name", BAD_FILES)
def test_a_bad_file_does_not_stop_the_others(run: Run, tmp_path: Path, name: str) -> None:
    bad = tmp_path / "bad.json"
    bad.write_bytes(BAD_FILES[name])
    ran = run("replay", "--legal", UNFINISHED, bad, FINISHED)
    assert ran.status == 1
    assert ran.out.startswith(expected_lines(UNFINISHED))
    assert ran.out.endswith(expected_lines(FINISHED))
    assert ran.err.startswith(f"parure: {bad}: ")
    assert ran.err.count("\n") == 1
    assert ran.err[:-1].isprintable()


def test_names_cannot_control_the_terminal(run: Run, tmp_path: Path) -> None:
    record = json.loads(UNFINISHED.read_text()) | {"players": ["\x1b[2J", "ü"]}
    file = tmp_path / "names.json"
    file.write_text(json.dumps(record))
    ran = run("replay", file)
    assert "\x1b" not in ran.out
    assert "ü" in ran.out


def test_stepping_forward_and_back(run: Run) -> None:
    number = len(json.loads(UNFINISHED.read_text())["decisions"])
    prompts = re.compile(rf"\[(\d+)/{number}\]")
    typed = "\nb\nb\n?\n" + "\n" * (number + 1) + "never read\n"
    ran = run("replay", "--step", UNFINISHED, typed=typed)
    assert prompts.findall(ran.out) == [*"01000", *map(str, range(1, number + 1))]
    assert prompts.findall(run("replay", "--step", UNFINISHED, typed="\nq\n\n").out) == ["0", "1"]
