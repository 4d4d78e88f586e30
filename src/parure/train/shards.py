"""Shards: files with the positions of some self-play games.

A shard is an `.npz` of these arrays. Positions are in the order in which they were played, and the
legal decisions of all positions stand one after the other.

| array | shape | content |
|---|---|---|
| `observations` | positions × bytes | what the seat to move observes |
| `features` | positions × seats × features | of the linear evaluation, the seat to move first |
| `worths` | positions × seats | the sums of the weighted features |
| `legal` | decisions | the legal decisions |
| `terms` | decisions × terms | the scores that make up each logit (`bots/network/layout.py`) |
| `visits` | decisions | share of the search's visits |
| `counts` | positions | number of legal decisions |
| `values` | positions × seats | of the search, the seat to move first |
| `results` | positions × seats | of the game, the seat to move first |
| `games` | positions | number of the game in the shard |
| `generation` | | number of the run's generation |
| `game_count` | | games in the shard |
| `label` | | of the game: `splendor-3` |
| `version` | | of the network's inputs (`parure.bots.network.layout.VERSION`) |
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parure.atomic_write import atomic_replacement
from parure.bots.network.layout import VERSION
from parure.errors import ParureError


@dataclass
class Samples:
    """Positions of self-play games, as arrays; see the module's text."""

    observations: NDArray[np.uint8]
    features: NDArray[np.float32]
    worths: NDArray[np.float32]
    legal: NDArray[np.int16]
    terms: NDArray[np.int16]
    visits: NDArray[np.float32]
    counts: NDArray[np.int16]
    values: NDArray[np.float32]
    results: NDArray[np.float32]
    games: NDArray[np.int32]
    generation: int
    game_count: int

    def __len__(self) -> int:
        return len(self.counts)

    @classmethod
    def join(cls, parts: Sequence[Samples]) -> Samples:
        """Return the positions of several shards, their games numbered one after the other."""
        first_games = np.cumsum([0, *(part.game_count for part in parts)])
        arrays: dict[str, Any] = {
            field.name: np.concatenate([getattr(part, field.name) for part in parts])
            for field in fields(cls)
            if field.name not in ("games", "generation", "game_count")
        }
        games = [part.games + first for part, first in zip(parts, first_games, strict=False)]
        return cls(
            **arrays,
            games=np.concatenate(games).astype(np.int32),
            generation=max(part.generation for part in parts),
            game_count=int(first_games[-1]),
        )


class DamagedShard(ParureError):
    """The content of a file is not a shard, or not a whole one."""


def write_shard(path: Path, samples: Samples, label: str) -> None:
    """Write a shard of a game as a whole, or not at all."""
    arrays = {field.name: np.asarray(getattr(samples, field.name)) for field in fields(samples)}
    path.parent.mkdir(parents=True, exist_ok=True)
    with atomic_replacement(path) as draft, draft.open("wb") as file:
        np.savez_compressed(file, label=np.array(label), version=np.array(VERSION), **arrays)  # type: ignore[arg-type]


def read_shard(path: Path, label: str) -> Samples:
    """Return the positions of a shard of a game.

    Raises:
        DamagedShard: The file is damaged.
        ParureError: The shard is of another game, or its inputs are those of another version.
        OSError: There is no such file, or it cannot be opened.
    """
    content = path.read_bytes()
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as file:
            arrays = {field.name: file[field.name] for field in fields(Samples)}
            found = str(file["label"]), int(file["version"])
        numbers = {name: int(arrays.pop(name)) for name in ("generation", "game_count")}
    except Exception as error:  # numpy, zipfile and zlib raise errors of many types
        raise DamagedShard(f"{path} cannot be read as a shard: {error}") from None
    if found != (label, VERSION):
        raise ParureError(
            f"{path} holds positions of {found[0]}, version {found[1]}; "
            f"needed is {label}, version {VERSION}"
        )
    return Samples(**arrays, **numbers)  # type: ignore[arg-type]


def shard_files(paths: Sequence[Path]) -> list[Path]:
    """Return the shards of these paths; of a folder, all in the order of their names."""
    files: list[Path] = []
    for path in paths:
        files += sorted(path.glob("*.npz")) if path.is_dir() else [path]
    if not files:
        raise ParureError("there are no shards: name files, or folders with shards")
    return files
