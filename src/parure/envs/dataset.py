"""Data sets for learning: records as Parquet tables, with one row for each decision.

A data set is a folder with a subfolder for each game, whose files hold the decisions of some
records each. Files are written as a whole, and `progress.json` says how many records were
exported, so that an export that was stopped can continue.
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
from parure.envs.observations import final_rewards, observation_layout, observe_many
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
RECORDS_IN_PART = 200  # about 40,000 decisions


@dataclass
class Progress:
    """The state of an export, as `progress.json` holds it."""

    sources: list[tuple[str, int]]  # file names and sizes
    format: str = FORMAT
    part_size: int = RECORDS_IN_PART
    records: int = 0  # read so far
    decisions: int = 0  # written so far
    refused: list[str] = field(default_factory=list)  # an error message for each bad record
    is_complete: bool = False

    @property
    def parts(self) -> int:
        """The number of parts written."""
        return -(-self.records // self.part_size)


def schema(rules: Rules) -> pa.Schema:
    """Return the columns of a game's table."""
    layout = observation_layout(rules)
    description = {
        "format": FORMAT,
        "game": rules.game,
        "seats": rules.seats,
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
            ("mask", pa.list_(pa.uint8(), len(rules.decision_texts))),
            ("decision", pa.int16()),
            ("text", pa.string()),
            ("result", pa.float32()),
            ("reason", pa.string()),
        ],
        metadata={"parure": json.dumps(description)},
    )


def files_in(paths: Iterable[Path]) -> list[Path]:
    """Return the record files of these paths; of a folder, all in the order of their names."""
    files: list[Path] = []
    for path in paths:
        found = [path]
        if path.is_dir():
            found = sorted(file for file in path.iterdir() if file.name.endswith(SUFFIXES))
        files += found
    if not files:
        raise NotationError("there are no records: name files, or folders with record files")
    return files


def export(
    paths: Sequence[Path], folder: Path, part_size: int = RECORDS_IN_PART
) -> Iterator[Progress]:
    """Write a data set, or continue it; yield the progress first and after each part."""
    files = files_in(paths)
    progress = _load_progress(folder, files, part_size)
    yield progress
    if progress.is_complete:
        return
    records = _numbered_records(files, progress, skip=progress.records)
    while chunk := list(islice(records, part_size)):
        number = progress.parts
        for label, tables in _tables_by_game(chunk, progress).items():
            subfolder = folder / label
            subfolder.mkdir(parents=True, exist_ok=True)
            _write(pa.concat_tables(tables), subfolder / f"part-{number:06}.parquet")
            progress.decisions += sum(table.num_rows for table in tables)
        progress.records += len(chunk)
        _save(progress, folder)
        yield progress
    progress.is_complete = True
    _save(progress, folder)
    yield progress


def _load_progress(folder: Path, files: Sequence[Path], part_size: int) -> Progress:
    """Return the progress of a folder; RecordError if it holds something else."""
    sources = [(file.name, file.stat().st_size) for file in files]
    path = folder / PROGRESS
    if not path.exists():
        if folder.exists() and any(folder.iterdir()):
            raise RecordError(f"{folder} is not empty and holds no export: choose another folder")
        folder.mkdir(parents=True, exist_ok=True)
        return Progress(sources, part_size=part_size)
    try:
        found = msgspec.json.decode(path.read_bytes(), type=Progress)
    except msgspec.DecodeError as error:
        raise RecordError(f"{path} cannot be read: {error}") from None
    if (found.format, found.sources) != (FORMAT, sources) or found.part_size != part_size:
        raise RecordError(
            f"{folder} holds an export of other records, or with another part size: "
            "choose another folder"
        )
    return found


def _numbered_records(
    files: Sequence[Path], progress: Progress, skip: int
) -> Iterator[tuple[int, Path, Record | None]]:
    """Yield all records with their numbers; None for one that cannot be read."""
    number = 0
    for file in files:
        try:
            for record in read_all(file):
                if number >= skip:
                    yield number, file, record
                number += 1
        except (RecordError, OSError) as error:
            if number >= skip:
                progress.refused.append(_describe_error(file, number, error))
                yield number, file, None
            number += 1


def _tables_by_game(
    chunk: Sequence[tuple[int, Path, Record | None]], progress: Progress
) -> dict[str, list[pa.Table]]:
    """Return the tables of some records by the label of the game."""
    tables: dict[str, list[pa.Table]] = {}
    for number, file, record in chunk:
        if record is None:
            continue
        try:
            table = record_table(record, number)
        except RecordError as error:
            progress.refused.append(_describe_error(file, number, error))
            continue
        tables.setdefault(rules_of(record).label, []).append(table)
    return tables


def _describe_error(file: Path, number: int, error: Exception) -> str:
    return f"{file.name}, record {number}: {str(error).partition(chr(10))[0]}"


def record_table(record: Record, number: int = 0) -> pa.Table:
    """Return one game as a table: what each seat to move observed, could do, did, and won."""
    rules = rules_of(record)
    rows: list[Row] = []
    phases: list[str] = []
    turns: list[int] = []
    masks = np.zeros((len(record.decisions), len(rules.decision_texts)), np.uint8)
    for state in replay(record):
        if len(rows) < len(record.decisions):
            masks[len(rows), state.legal_decisions.ids] = 1
            rows.append(state.words.copy())
            phases.append(state.phase)
            turns.append(state.turns)
    count = len(rows)
    words = np.array(rows, np.int64).reshape(count, rules.layout.ROW_WORDS)
    seats = words[:, rules.layout.SEAT]
    outcome = state.outcome
    results: Any = [None] * count
    if outcome is not None:
        results = final_rewards(rules, state.words)[seats].astype(np.float32)
    decisions = [rules.decision(text.partition(" > ")[0]) for text in record.decisions]
    columns: list[Any] = [
        pa.array(np.full(count, number)),
        pa.array(np.arange(count, dtype=np.int32)),
        pa.array(seats.astype(np.int8)),
        pa.array(phases, pa.string()),
        pa.array(turns, pa.int16()),
        _lists(observe_many(rules, words, seats)),
        _lists(masks),
        pa.array(decisions, pa.int16()),
        pa.array(record.decisions, pa.string()),
        pa.array(results, pa.float32()),
        pa.array([outcome.reason if outcome else None] * count, pa.string()),
    ]
    return pa.table(columns, schema=schema(rules))


def _lists(values: Any) -> Any:
    return pa.FixedSizeListArray.from_arrays(pa.array(values.ravel()), values.shape[1])


def _write(table: pa.Table, path: Path) -> None:
    """Write a file as a whole, or not at all."""
    with atomic_replacement(path) as draft:
        parquet.write_table(table, draft, compression="zstd")


def _save(progress: Progress, folder: Path) -> None:
    content = json.dumps(asdict(progress), indent=1) + "\n"
    write_atomically(folder / PROGRESS, content.encode())


def run(paths: Sequence[Path], folder: Path, part_size: int = RECORDS_IN_PART) -> int:
    """Export, print the progress, and return the number of records that were refused."""
    progress, last = None, 0
    try:
        for progress in export(paths, folder, part_size):
            if progress.records != last and sys.stderr.isatty():
                sys.stderr.write(f"\r{_summary(progress)} ")
                sys.stderr.flush()
            last = progress.records
    except KeyboardInterrupt:
        if progress is not None:
            sys.stderr.write(
                f"\nparure: stopped: {_summary(progress)}; run the same command to continue\n"
            )
        raise
    assert progress is not None
    for line in progress.refused:
        sys.stderr.write(f"parure: {line}\n")
    sys.stdout.write(f"{folder}: {_summary(progress)}\n")
    return len(progress.refused)


def _summary(progress: Progress) -> str:
    return f"{progress.records:,} records, {progress.decisions:,} decisions"
