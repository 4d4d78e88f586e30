"""Records as tables for learning: Parquet, one row for each decision.

A data set is a folder with a folder for each game in it, whose files hold the decisions of some
records each. Files appear whole or not at all, and `progress.json` says how far the export has
come, so that an export that was stopped goes on where it was.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from parure.atomic_write import atomic_replacement, write_atomically
from parure.envs.games import kernels_of, observation_layout
from parure.envs.kernels.batch_step import RESULTS
from parure.errors import NotationError, ParureError, RecordError
from parure.games.engine.arrays import Row
from parure.games.record import Record, read_all, replay, rules_of
from parure.games.rules import Rules

try:
    import pyarrow as pa
    from pyarrow import parquet
except ImportError:
    raise ParureError("data sets need pyarrow: pip install 'parure[rl]'") from None

FORMAT = "parure-dataset/1"
PROGRESS = "progress.json"
SUFFIXES = (".json", ".jsonl", ".jsonl.gz")
RECORDS_IN_PART = 200  # some 40,000 decisions


@dataclass
class Progress:
    """How far an export has come."""

    sources: list[tuple[str, int]]  # the files, with their sizes
    format: str = FORMAT
    part_size: int = RECORDS_IN_PART
    records: int = 0  # read so far
    decisions: int = 0  # written so far
    refused: list[str] = field(default_factory=list)  # what was wrong with which
    is_complete: bool = False

    @property
    def parts(self) -> int:
        """How many parts have been written."""
        return -(-self.records // self.part_size)


def schema(by: Rules) -> pa.Schema:
    """The columns of a game's table."""
    layout = observation_layout(by)
    about = {
        "format": FORMAT,
        "game": by.game,
        "seats": by.seats,
        "observation_version": layout.version,
        "pieces": [[field.name, field.start, field.shape] for field in layout.fields],
    }
    return pa.schema(
        [
            ("record", pa.int64()),
            ("number", pa.int32()),
            ("seat", pa.int8()),
            ("phase", pa.string()),
            ("turn", pa.int16()),
            ("observation", pa.list_(pa.uint8(), layout.size)),
            ("mask", pa.list_(pa.uint8(), len(by.decision_texts))),
            ("decision", pa.int16()),
            ("text", pa.string()),
            ("result", pa.float32()),
            ("reason", pa.string()),
        ],
        metadata={"parure": json.dumps(about)},
    )


def files_in(paths: Iterable[Path]) -> list[Path]:
    """The record files among these paths, those in folders in the order of their names."""
    files: list[Path] = []
    for path in paths:
        found = [path]
        if path.is_dir():
            found = sorted(file for file in path.iterdir() if file.name.endswith(SUFFIXES))
        files += found
    if not files:
        raise NotationError("there are no records: name files, or folders that hold some")
    return files


def export(
    paths: Sequence[Path], folder: Path, part_size: int = RECORDS_IN_PART
) -> Iterator[Progress]:
    """Write a data set, going on if some of it is there; tells how far it is after each part."""
    files = files_in(paths)
    progress = _begun(folder, files, part_size)
    yield progress
    if progress.is_complete:
        return
    records = _numbered(files, progress, skip=progress.records)
    while chunk := list(islice(records, part_size)):
        number = progress.parts
        for label, tables in _by_game(chunk, progress).items():
            home = folder / label
            home.mkdir(parents=True, exist_ok=True)
            _write(pa.concat_tables(tables), home / f"part-{number:06}.parquet")
            progress.decisions += sum(table.num_rows for table in tables)
        progress.records += len(chunk)
        _save(progress, folder)
        yield progress
    progress.is_complete = True
    _save(progress, folder)
    yield progress


def _begun(folder: Path, files: Sequence[Path], part_size: int) -> Progress:
    """The progress of a folder; RecordError if it holds something else."""
    sources = [(file.name, file.stat().st_size) for file in files]
    notes = folder / PROGRESS
    if not notes.exists():
        if folder.exists() and any(folder.iterdir()):
            raise RecordError(f"{folder} is not empty and holds no export: choose another folder")
        folder.mkdir(parents=True, exist_ok=True)
        return Progress(sources, part_size=part_size)
    try:
        found = msgspec.json.decode(notes.read_bytes(), type=Progress)
    except msgspec.DecodeError as error:
        raise RecordError(f"{notes} cannot be read: {error}") from None
    if (found.format, found.sources) != (FORMAT, sources) or found.part_size != part_size:
        raise RecordError(
            f"{folder} holds an export of other records, or in other parts: choose another folder"
        )
    return found


def _numbered(
    files: Sequence[Path], progress: Progress, skip: int
) -> Iterator[tuple[int, Path, Record | None]]:
    """All records with their numbers; None for what cannot be read."""
    number = 0
    for file in files:
        try:
            for record in read_all(file):
                if number >= skip:
                    yield number, file, record
                number += 1
        except (RecordError, OSError) as error:
            if number >= skip:
                progress.refused.append(_told(file, number, error))
                yield number, file, None
            number += 1


def _by_game(
    chunk: Sequence[tuple[int, Path, Record | None]], progress: Progress
) -> dict[str, list[pa.Table]]:
    """The tables of some records, those of the same game together."""
    tables: dict[str, list[pa.Table]] = {}
    for number, file, record in chunk:
        if record is None:
            continue
        try:
            table = table_of(record, number)
        except RecordError as error:
            progress.refused.append(_told(file, number, error))
            continue
        tables.setdefault(rules_of(record).label, []).append(table)
    return tables


def _told(file: Path, number: int, error: Exception) -> str:
    return f"{file.name}, record {number}: {str(error).partition(chr(10))[0]}"


def table_of(record: Record, number: int = 0) -> pa.Table:
    """One game as a table: what the seat to move observed, could do, did, and what came of it."""
    by = rules_of(record)
    rows: list[Row] = []
    phases: list[str] = []
    turns: list[int] = []
    masks: list[Any] = []
    for state in replay(record):
        if len(rows) < len(record.decisions):
            rows.append(state.words.copy())
            phases.append(state.phase)
            turns.append(state.turns)
            mask = np.zeros(len(by.decision_texts), np.uint8)
            mask[state.legal_decisions.ids] = 1
            masks.append(mask)
    count = len(rows)
    seats = np.array([row[by.layout.SEAT] for row in rows], np.int64)
    layout = observation_layout(by)
    seen = np.zeros((count, layout.size), np.uint8)
    if count:
        kernels_of(by).observe_many(np.array(rows), by.cards, seats, seen.view(np.int64))
    results = np.zeros(by.seats)
    outcome = state.outcome
    if outcome is not None:
        kernels_of(by).reward(state.words, RESULTS, results)
    texts = [text.partition(" > ")[0] for text in record.decisions]
    columns: list[Any] = [
        pa.array(np.full(count, number)),
        pa.array(np.arange(count, dtype=np.int32)),
        pa.array(seats.astype(np.int8)),
        pa.array(phases, pa.string()),
        pa.array(turns, pa.int16()),
        _lists(seen),
        _lists(np.array(masks, np.uint8).reshape(count, len(by.decision_texts))),
        pa.array([by.decision(text) for text in texts], pa.int16()),
        pa.array(record.decisions, pa.string()),
        pa.array(
            [None] * count if outcome is None else results[seats].astype(np.float32), pa.float32()
        ),
        pa.array([outcome.reason if outcome else None] * count, pa.string()),
    ]
    return pa.table(columns, schema=schema(by))


def _lists(values: Any) -> Any:
    return pa.FixedSizeListArray.from_arrays(pa.array(values.ravel()), values.shape[1])


def _write(table: pa.Table, path: Path) -> None:
    """A file that is there whole or not at all."""
    with atomic_replacement(path) as draft:
        parquet.write_table(table, draft, compression="zstd")


def _save(progress: Progress, folder: Path) -> None:
    content = json.dumps(asdict(progress), indent=1) + "\n"
    write_atomically(folder / PROGRESS, content.encode())


def run(paths: Sequence[Path], folder: Path, part_size: int = RECORDS_IN_PART) -> int:
    """Export and tell how it goes; gives the number of records that were refused."""
    progress, last = None, 0
    try:
        for progress in export(paths, folder, part_size):
            if progress.records != last and sys.stderr.isatty():
                sys.stderr.write(f"\r{_summary(progress)} ")
                sys.stderr.flush()
            last = progress.records
    except KeyboardInterrupt:
        if progress is not None:
            sys.stderr.write(f"\nparure: stopped: {_summary(progress)}; the same command goes on\n")
        raise
    assert progress is not None
    for line in progress.refused:
        sys.stderr.write(f"parure: {line}\n")
    sys.stdout.write(f"{folder}: {_summary(progress)}\n")
    return len(progress.refused)


def _summary(progress: Progress) -> str:
    return f"{progress.records:,} records, {progress.decisions:,} decisions"
