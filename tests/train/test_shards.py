"""Shards are read as they were written, or not at all."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import pytest
from tests.train.test_selfplay import play

from parure.errors import ParureError
from parure.games.registry import rules
from parure.train.shards import DamagedShard, Samples, read_shard, shard_files, write_shard

pytestmark = pytest.mark.slow_without_jit


@pytest.fixture(scope="module")
def samples() -> Samples:
    return play(rules("splendor", 2), games=1)


def test_a_shard_is_read_as_it_was_written(samples: Samples, tmp_path: Path) -> None:
    write_shard(tmp_path / "shards" / "a.npz", samples, "splendor-2")
    found = read_shard(tmp_path / "shards" / "a.npz", "splendor-2")
    for name, value in vars(samples).items():
        np.testing.assert_array_equal(getattr(found, name), value)
    assert shard_files([tmp_path / "shards"]) == [tmp_path / "shards" / "a.npz"]


def test_a_shard_belongs_to_a_game_and_a_version(
    samples: Samples, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.npz"
    write_shard(path, samples, "splendor-2")
    with pytest.raises(ParureError, match=r"holds positions of splendor-2.*needed is splendor-3"):
        read_shard(path, "splendor-3")
    monkeypatch.setattr("parure.train.shards.VERSION", 99)
    with pytest.raises(ParureError, match="version 1; needed is splendor-2, version 99") as caught:
        read_shard(path, "splendor-2")
    assert not isinstance(caught.value, DamagedShard)


def test_joined_shards_number_their_games_one_after_the_other() -> None:
    found = rules("splendor", 2)
    joined = Samples.join([play(found, games=2), play(found, games=1, seed="x")])
    assert set(joined.games.tolist()) == {0, 1, 2}
    assert joined.game_count == 3


def test_a_damaged_shard_is_an_error(samples: Samples, tmp_path: Path) -> None:
    """It is cut off, or bytes are wrong: those of the archive, of an array, of compressed data."""
    path, random = tmp_path / "a.npz", Random(1)
    write_shard(path, samples, "splendor-2")
    content = path.read_bytes()
    damaged = [content[:-100], content[: len(content) // 2], b"", b"damaged"]
    for _ in range(60):
        first = random.randrange(len(content) - 64)
        damaged.append(content[:first] + random.randbytes(64) + content[first + 64 :])
    for each in damaged:
        path.write_bytes(each)
        with pytest.raises(DamagedShard, match="cannot be read as a shard"):
            read_shard(path, "splendor-2")


def test_no_shards_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(ParureError, match="there are no shards"):
        shard_files([tmp_path])
