"""Data sets for learning: records as Parquet tables, with one row for each decision.

A data set is a folder with a subfolder for each game, whose files hold the decisions of some
records each. Files are written as a whole, and `progress.json` says how many records were
exported, so that an export that was stopped can continue. :func:`batches` reads a data set.
"""

from __future__ import annotations

import json
import signal
import sys
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import asdict, dataclass, field
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

import msgspec

from parure.atomic_write import atomic_replacement, write_atomically
from parure.errors import NotationError, ParureError, RecordError
from parure.games.record import Record, decode, raw_records, rules_of

try:
    import pyarrow as pa
    from pyarrow import parquet
except ImportError:
    raise ParureError("data sets need pyarrow: pip install 'parure[rl]'") from None

from parure.envs.dataset_reader import batches, byte_rows
from parure.envs.dataset_table import FORMAT, MASK, OBSERVATION, TableBuilder, record_table, schema

__all__ = [
    "FORMAT",
    "Progress",
    "batches",
    "byte_rows",
    "export",
    "files_in",
    "record_table",
    "run",
    "schema",
]

PROGRESS = "progress.json"
SUFFIXES = (".json", ".jsonl", ".jsonl.gz")
RECORDS_IN_PART = 200  # about 40,000 decisions
LONGEST_ERROR = 160  # characters


@dataclass
class Progress:
    """The state of an export, as `progress.json` holds it."""

    sources: list[tuple[str, int]]  # file names and sizes
    format: str = FORMAT
    part_size: int = RECORDS_IN_PART
    records: int = 0  # read so far, refused ones included
    decisions: int = 0  # written so far
    refused: list[str] = field(default_factory=list)  # an error message for each bad record
    is_complete: bool = False

    @property
    def parts(self) -> int:
        """The number of parts written."""
        return -(-self.records // self.part_size)


class Source(NamedTuple):
    """A record as it was found in a file."""

    number: int
    name: str  # of the file, and the line in it
    data: bytes | str  # a record as JSON; a text says why the file cannot be read


class Part(NamedTuple):
    """What became of the records of one part."""

    decisions: int
    refused: list[str]


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
    paths: Sequence[Path], folder: Path, part_size: int = RECORDS_IN_PART, jobs: int = 1
) -> Iterator[Progress]:
    """Write a data set, or continue it; yield the progress first and after each part.

    Args:
        paths: Record files, or folders of them.
        folder: Where the data set is written.
        part_size: The number of records in each part.
        jobs: The number of processes that replay and write; 1 does it in this process. The files
            are the same for every number.
    """
    files = files_in(paths)
    progress = _load_progress(folder, files, part_size)
    yield progress
    if progress.is_complete:
        return
    sources = islice(_sources(files), progress.records, None)
    chunks = iter(lambda: list(islice(sources, part_size)), [])
    for number, part in _write_parts(chunks, folder, progress.parts, jobs):
        progress.records += number
        progress.decisions += part.decisions
        progress.refused += part.refused
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
    if found.format != FORMAT:
        raise RecordError(
            f"{folder} holds an export in the format {found.format[:40]!r}, not {FORMAT!r}: "
            "choose another folder"
        )
    if found.sources != sources or found.part_size != part_size:
        raise RecordError(
            f"{folder} holds an export of other records, or with another part size: "
            "choose another folder"
        )
    return found


def _sources(files: Sequence[Path]) -> Iterator[Source]:
    """Yield all records; a file that cannot be read to its end counts as one more."""
    number = 0
    for file in files:
        has_lines = file.name.endswith(SUFFIXES[1:])
        line = 0
        try:
            for line, data in raw_records(file):
                yield Source(number, f"{file.name}, line {line}" if has_lines else file.name, data)
                number += 1
        except (RecordError, OSError) as error:
            where = f"{file.name}, after line {line}" if line else file.name
            yield Source(number, where, str(error))
            number += 1


# --- parts, in this process or in others ----------------------------------------------------------


def _write_parts(
    chunks: Iterator[list[Source]], folder: Path, first: int, jobs: int
) -> Iterator[tuple[int, Part]]:
    """Write parts; yield the number of records of each and what became of them, in order."""
    if jobs == 1:
        for number, chunk in enumerate(chunks, start=first):
            yield len(chunk), write_part(chunk, folder, number)
        return
    context = get_context("spawn")
    with ProcessPoolExecutor(jobs, context, initializer=_ignore_interrupts) as pool:
        waiting: deque[tuple[int, Future[Part]]] = deque()
        try:
            for number, chunk in enumerate(chunks, start=first):
                waiting.append((len(chunk), pool.submit(write_part, chunk, folder, number)))
                if len(waiting) > 2 * jobs:  # so that few records are in memory
                    count, future = waiting.popleft()
                    yield count, future.result()
            for count, future in waiting:
                yield count, future.result()
        except BrokenProcessPool:
            raise ParureError("a worker process was killed") from None
        finally:
            pool.shutdown(cancel_futures=True)


def _ignore_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the interrupted parent stops its workers


def write_part(chunk: Sequence[Source], folder: Path, number: int) -> Part:
    """Replay some records and write a file for each of their games."""
    refused: dict[int, str] = {}
    by_game: dict[str, list[tuple[Source, Record]]] = {}
    for source in chunk:
        try:
            if isinstance(source.data, str):
                raise RecordError(source.data)
            record = decode(source.data)
            by_game.setdefault(rules_of(record).label, []).append((source, record))
        except RecordError as error:
            refused[source.number] = _describe_error(source, error)
    decisions = 0
    for label, records in by_game.items():
        capacity = sum(len(record.decisions) for _, record in records)
        builder = TableBuilder(rules_of(records[0][1]), capacity)
        for source, record in records:
            try:
                builder.add(record, source.number)
            except RecordError as error:
                refused[source.number] = _describe_error(source, error)
        if builder.size:
            subfolder = folder / label
            subfolder.mkdir(parents=True, exist_ok=True)
            _write(builder.table(), subfolder / f"part-{number:06}.parquet")
            decisions += builder.size
    return Part(decisions, [refused[number] for number in sorted(refused)])


def _describe_error(source: Source, error: Exception) -> str:
    """Return one line; an error about a decision may go on with all that were legal."""
    line = str(error).partition("\n")[0]
    return f"{source.name}: {line if len(line) <= LONGEST_ERROR else line[:LONGEST_ERROR] + '…'}"


def _write(table: pa.Table, path: Path) -> None:
    """Write a file as a whole, or not at all."""
    repetitive = [name for name in table.schema.names if name not in (OBSERVATION, MASK)]
    with atomic_replacement(path) as draft:
        parquet.write_table(table, draft, compression="zstd", use_dictionary=repetitive)


def _save(progress: Progress, folder: Path) -> None:
    content = json.dumps(asdict(progress), indent=1) + "\n"
    write_atomically(folder / PROGRESS, content.encode())


# --- the command ----------------------------------------------------------------------------------


def run(
    paths: Sequence[Path], folder: Path, part_size: int = RECORDS_IN_PART, jobs: int = 1
) -> int:
    """Export, print the progress, and return the number of records that were refused."""
    progress, last = None, 0
    try:
        for progress in export(paths, folder, part_size, jobs):
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
        sys.stderr.write(f"parure: left out: {line}\n")
    sys.stdout.write(f"{folder}: {_summary(progress)}\n")
    return len(progress.refused)


def _summary(progress: Progress) -> str:
    refused = f", {len(progress.refused):,} of them left out" if progress.refused else ""
    return f"{progress.records:,} records{refused}, {progress.decisions:,} decisions"
