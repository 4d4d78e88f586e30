"""A folder gets the games that it lacks."""

from __future__ import annotations

import shutil
from pathlib import Path

import msgspec
import numpy as np
import pytest
from tests.train.test_run import TINY

from parure.bots.network.weights import encode_parameters, random_parameters
from parure.errors import ParureError
from parure.file_lock import lock_folder
from parure.train.config import Config
from parure.train.shard_folder import play_folder
from parure.train.shards import Samples, read_shard, shard_files
from parure.train.workers import InProcess

pytestmark = pytest.mark.slow_without_jit


def play(folder: Path, games: int, config: Config = TINY, network: Path | None = None) -> list[str]:
    lines: list[str] = []
    play_folder(config, folder, network, games, InProcess(), lines.append)
    return lines


def games_in(folder: Path) -> list[int]:
    return [read_shard(path, TINY.game).game_count for path in shard_files([folder])]


@pytest.fixture(scope="module")
def five_games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("shards") / "folder"
    assert play(folder, 5) == ["2 of 5 games", "4 of 5 games", "5 of 5 games"]
    return folder


@pytest.fixture
def folder(five_games: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(five_games, tmp_path / "folder"))


def test_a_folder_can_get_more_games(folder: Path) -> None:
    assert games_in(folder) == [2, 2, 1]
    assert play(folder, 5) == play(folder, 4) == ["nothing to play, 5 games are there"]
    assert play(folder, 8) == ["7 of 8 games", "8 of 8 games"]
    assert games_in(folder) == [2, 2, 1, 2, 1]
    larger = msgspec.structs.replace(TINY.self_play, games_per_shard=100)
    play(folder, 12, msgspec.structs.replace(TINY, self_play=larger))
    assert games_in(folder) == [2, 2, 1, 2, 1, 4]


@pytest.mark.parametrize("number", [0, 2])
def test_a_damaged_shard_is_played_again(folder: Path, five_games: Path, number: int) -> None:
    path = folder / f"0000-0000{number}.npz"
    path.write_bytes(path.read_bytes()[:1000])
    message, last = play(folder, 5)
    assert message.startswith(f"{path} cannot be read as a shard")
    assert last == "5 of 5 games"
    again, before = (read_shard(each / path.name, TINY.game) for each in (folder, five_games))
    np.testing.assert_array_equal(again.observations, before.observations)
    assert isinstance(again, Samples)


def test_a_folder_holds_games_of_the_same_settings(folder: Path, tmp_path: Path) -> None:
    network = tmp_path / "network.npz"
    network.write_bytes(encode_parameters(TINY.game, random_parameters(TINY.rules)))
    slower = msgspec.structs.replace(TINY.self_play, full_iterations=21)
    for config, changed in (
        (msgspec.structs.replace(TINY, game="duel"), "game"),
        (msgspec.structs.replace(TINY, seed=1), "seed"),
        (msgspec.structs.replace(TINY, self_play=slower), "full_iterations"),
    ):
        with pytest.raises(ParureError, match=rf"games of other settings \({changed}\)"):
            play(folder, 5, config)
    with pytest.raises(ParureError, match=r"games of other settings \(network\)"):
        play(folder, 5, network=network)


def test_a_folder_is_for_self_play_and_one_process(folder: Path, tmp_path: Path) -> None:
    lock = lock_folder(folder)
    with pytest.raises(ParureError, match="in use by another process"):
        play(folder, 5)
    lock.close()
    (folder / "selfplay.json").unlink()
    with pytest.raises(ParureError, match="holds no self-play games"):
        play(folder, 5)
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / "selfplay.json.part").touch()  # left by a process that was killed
    play(tmp_path / "new", 1)
    assert games_in(tmp_path / "new") == [1]
