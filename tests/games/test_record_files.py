"""Record files: one record as JSON, or one per line, optionally compressed."""

from __future__ import annotations

import gzip
from pathlib import Path

import msgspec
import pytest

import parure
from parure.errors import RecordError
from parure.games.record import Record, Thought, decode, encode, raw_records, read_all


@pytest.fixture
def records() -> list[Record]:
    """Records of two new games."""
    return [parure.new("splendor", seed=seed).record() for seed in (1, 2)]


def test_a_json_file_has_one_record(tmp_path: Path, records: list[Record]) -> None:
    file = tmp_path / "game.json"
    file.write_bytes(encode(records[0]))
    assert list(read_all(file)) == records[:1]


@pytest.mark.parametrize("name", ["games.jsonl", "games.jsonl.gz"])
def test_a_jsonl_file_has_a_record_per_line(
    tmp_path: Path, records: list[Record], name: str
) -> None:
    content = b"".join(msgspec.json.encode(record) + b"\n" for record in records)
    file = tmp_path / name
    file.write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    assert list(read_all(file)) == records


@pytest.mark.parametrize("damage", ["truncated", "not compressed"])
def test_a_damaged_gzip_file_is_an_error(
    tmp_path: Path, records: list[Record], damage: str
) -> None:
    content = msgspec.json.encode(records[0]) + b"\n"
    file = tmp_path / "games.jsonl.gz"
    file.write_bytes(gzip.compress(content)[:-20] if damage == "truncated" else content)
    with pytest.raises(RecordError, match="not a valid gzip file"):
        list(read_all(file))


def test_blank_lines_are_skipped(tmp_path: Path, records: list[Record]) -> None:
    lines = [msgspec.json.encode(record) for record in records]
    file = tmp_path / "games.jsonl"
    file.write_bytes(b"\n" + lines[0] + b"\n  \r\n" + lines[1] + b"\n\n")
    assert list(read_all(file)) == records
    assert [number for number, _ in raw_records(file)] == [2, 4]


def test_thoughts_are_kept_and_checked(records: list[Record]) -> None:
    record = records[0]
    record.decisions = ["take wug"]
    record.thoughts = [Thought({"take wug": 3, "take ww": 1}, [0.5, 0.25])]
    assert decode(encode(record)) == record
    record.thoughts = []
    with pytest.raises(RecordError, match="0 thoughts for 1 decisions"):
        decode(encode(record))
    record.thoughts = [Thought({"take wug": 3}, [])]
    with pytest.raises(RecordError, match="one value for each"):
        decode(encode(record))
