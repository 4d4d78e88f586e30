"""Where the records of a simulation are kept: a file each, or all in one.

Whatever happens, what has been kept stays readable: a record that could not be written whole is
taken away again.
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

Keeper: TypeAlias = Callable[[int, Sequence[Record]], None]
"""Keeps some records, given the number of the first."""


def in_folder(folder: Path, label: str) -> Keeper:
    """Each record in a file of its own, by number."""
    folder.mkdir(parents=True, exist_ok=True)

    def keep(first: int, records: Sequence[Record]) -> None:
        for number, record in enumerate(records, start=first):
            path = folder / f"{label}-{number:06}.json"
            write_atomically(path, encode(record))

    return keep


def in_file(path: Path) -> Keeper:
    """All records in one file, a line each; packed if its name ends in `.gz`."""
    path.write_bytes(b"")

    def keep(first: int, records: Sequence[Record]) -> None:
        lines = b"".join(msgspec.json.encode(record) + b"\n" for record in records)
        packed = gzip.compress(lines, mtime=0) if path.suffix == ".gz" else lines
        size = path.stat().st_size
        try:
            with path.open("ab") as file:
                file.write(packed)
        except OSError:
            with suppress(OSError):
                os.truncate(path, size)
            raise

    return keep
