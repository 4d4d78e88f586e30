"""Write the records of a simulation: each to a file of its own, or all to one file.

An interruption leaves no record half written.
"""

from __future__ import annotations

import gzip
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TypeAlias

import msgspec

from parure.atomic_write import write_atomically
from parure.games.record import Record, encode

COMPRESSION = 1  # of gzip; higher levels are slower than playing random games

RecordWriter: TypeAlias = Callable[[int, Sequence[Record]], None]
"""Writes some records, given the number of the first."""


def folder_writer(folder: Path, label: str) -> RecordWriter:
    """Return a writer that puts each record into a file named by its number."""
    folder.mkdir(parents=True, exist_ok=True)

    def write(first: int, records: Sequence[Record]) -> None:
        for number, record in enumerate(records, start=first):
            write_atomically(folder / f"{label}-{number:06}.json", encode(record))

    return write


def file_writer(path: Path) -> RecordWriter:
    """Return a writer that puts all records into one file, one per line; `.gz` is compressed."""
    path.write_bytes(b"")

    def write(first: int, records: Sequence[Record]) -> None:
        lines = b"".join(msgspec.json.encode(record) + b"\n" for record in records)
        content = gzip.compress(lines, COMPRESSION, mtime=0) if path.suffix == ".gz" else lines
        size = path.stat().st_size
        try:
            with path.open("ab") as file:
                file.write(content)
        except OSError:
            with suppress(OSError):
                os.truncate(path, size)
            raise

    return write
