"""Read data sets: batches of NumPy arrays for training, and columns of bytes as arrays."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from pyarrow import parquet

from parure.envs.checks import check_integer
from parure.envs.dataset_table import CANDIDATES, MASK, OBSERVATION, VALUES, VISITS
from parure.errors import NotationError, RecordError

DEFAULT_COLUMNS = (OBSERVATION, MASK, "decision", "result")
PARTS = "part-*.parquet"
POOL = 8  # parts that are shuffled together

Batch = dict[str, NDArray[Any]]


def batches(
    folder: str | PathLike[str],
    size: int,
    shuffle: bool = True,
    seed: int = 0,
    *,
    columns: Sequence[str] = DEFAULT_COLUMNS,
    pool: int = POOL,
) -> Iterator[Batch]:
    """Yield all decisions of a data set once, as dictionaries of NumPy arrays.

    Every column is an array with `size` rows; the last batch may have fewer. Observations and masks
    are two-dimensional `uint8` arrays. A missing result is NaN. `visits` is a two-dimensional
    `int32` array with a column for each decision, all 0 where no search was recorded, and `values`
    a `float32` array of the same shape, NaN for a decision that was not considered.

    Args:
        folder: The folder of a game, such as `data/duel`, or the folder of an export that has one
            game only.
        size: The number of decisions in a batch.
        shuffle: Whether the decisions come in random order: the files in random order, and the
            decisions of every `pool` files mixed.
        seed: The same seed gives the same order; use another for each epoch.
        columns: The columns to read, in the documented spelling.
        pool: The number of files that are in memory and mixed at a time.

    Raises:
        RecordError: The folder holds no data set, or those of several games.
        NotationError: There is no such column.
    """
    check_integer("size", size, 1)
    check_integer("pool", pool, 1)
    check_integer("seed", seed, 0)
    parts = sorted(_game_folder(Path(folder)).glob(PARTS))
    schema = parquet.read_schema(parts[0])
    unknown = [name for name in columns if name not in schema.names]
    if unknown:
        raise NotationError(f"there is no column {unknown[0]!r}: {', '.join(schema.names)}")
    return _batches(parts, size, np.random.default_rng(seed) if shuffle else None, columns, pool)


def _batches(
    parts: list[Path],
    size: int,
    rng: np.random.Generator | None,
    columns: Sequence[str],
    pool: int,
) -> Iterator[Batch]:
    if rng is not None:
        parts = [parts[i] for i in rng.permutation(len(parts))]
    read = list(dict.fromkeys((*columns, *((CANDIDATES,) if _needs_candidates(columns) else ()))))
    rest: pa.Table | None = None
    for first in range(0, len(parts), pool):
        tables = [parquet.read_table(part, columns=read) for part in parts[first : first + pool]]
        table = pa.concat_tables([rest, *tables] if rest is not None else tables).combine_chunks()
        count, is_last = len(table), first + pool >= len(parts)
        order = np.arange(count) if rng is None else rng.permutation(count)
        end = count if is_last else count - count % size
        source = _Source(table, columns)
        for start in range(0, end, size):
            yield source.batch(order[start : min(start + size, end)])
        rest = table.take(pa.array(order[end:])) if end < count else None


def _needs_candidates(columns: Sequence[str]) -> bool:
    return VISITS in columns or VALUES in columns


class _Source:
    """The columns of a table as arrays, from which batches take rows."""

    def __init__(self, table: pa.Table, columns: Sequence[str]) -> None:
        self._columns = columns
        self._table = table
        description = json.loads(table.schema.metadata[b"parure"])
        self._decisions: int = description["decisions"]
        self._arrays: dict[str, Any] = {}
        for name in columns:
            column = table[name]
            if pa.types.is_fixed_size_binary(column.type):
                self._arrays[name] = byte_rows(column)
            elif not pa.types.is_list(column.type):
                self._arrays[name] = column.to_numpy()

    def batch(self, rows: NDArray[np.int64]) -> Batch:
        """Return some rows, in new arrays."""
        return {
            name: self._arrays[name][rows] if name in self._arrays else self._dense(name, rows)
            for name in self._columns
        }

    def _dense(self, name: str, rows: NDArray[np.int64]) -> NDArray[Any]:
        """Return a column of lists, with a place for each decision."""
        part = self._table.take(pa.array(rows)).combine_chunks()
        if name == CANDIDATES:
            dense: NDArray[Any] = np.zeros((len(rows), self._decisions), np.bool_)
        elif name == VISITS:
            dense = np.zeros((len(rows), self._decisions), np.int32)
        else:
            dense = np.full((len(rows), self._decisions), np.nan, np.float32)
        candidates, values = part[CANDIDATES], part[name]
        counts = np.array(candidates.combine_chunks().value_lengths().fill_null(0))
        places = np.repeat(np.arange(len(rows)), counts), _flat(candidates)
        dense[places] = True if name == CANDIDATES else _flat(values)
        return dense


def _flat(column: Any) -> NDArray[Any]:
    values: NDArray[Any] = column.combine_chunks().flatten().to_numpy(zero_copy_only=False)
    return values


def byte_rows(column: pa.ChunkedArray | pa.Array) -> NDArray[np.uint8]:
    """Return an Arrow column of bytes with a fixed size as a two-dimensional array.

    The array shares the memory of the column, and is read-only.
    """
    if isinstance(column, pa.ChunkedArray):
        column = column.combine_chunks()
    if isinstance(column, pa.ChunkedArray):  # of no chunks, or of too many for one
        column = pa.concat_arrays(column.chunks)
    width = column.type.byte_width
    values = np.frombuffer(column.buffers()[1], np.uint8).reshape(-1, width)
    return values[column.offset : column.offset + len(column)]


def _game_folder(folder: Path) -> Path:
    """Return the folder that holds the files of a game."""
    if any(folder.glob(PARTS)):
        return folder
    games = sorted({part.parent for part in folder.glob(f"*/{PARTS}")})
    if not games:
        raise RecordError(f"{folder} holds no data set: make one with parure export")
    if len(games) > 1:
        names = ", ".join(str(game) for game in games)
        raise RecordError(f"{folder} holds data sets of several games: choose one of {names}")
    return games[0]
