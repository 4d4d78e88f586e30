"""The loop: what it writes, that it learns, and that it can be stopped at any moment."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from random import Random
from time import sleep

import msgspec
import pytest

from parure.bots.network.weights import trained_network
from parure.errors import ParureError
from parure.games.registry import rules_from_label
from parure.train.config import Config, Fit, Gate, SelfPlay
from parure.train.run import Generation, Run, encode_config, train
from parure.train.workers import InProcess, Processes, make_workers

pytest.importorskip("torch")
pytestmark = pytest.mark.slow_without_jit

TINY = Config(
    game="splendor-2",
    self_play=SelfPlay(
        games=4,
        first_games=6,
        games_per_shard=2,
        full_iterations=20,
        fast_iterations=5,
        full_share=0.5,
    ),
    fit=Fit(window=8, first_epochs=4, epochs=2, batch=32, held_out=0.2),
    gate=Gate(games=4, iterations=8, threshold=0.0),
)


def without_times(generations: list[Generation]) -> list[Generation]:
    return [msgspec.structs.replace(line, seconds={}) for line in generations]


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Generation]]:
    """A run of two generations."""
    folder = tmp_path_factory.mktemp("run") / "folder"
    return folder, train(folder, TINY, InProcess(), 2)


def test_a_run_writes_everything(finished: tuple[Path, list[Generation]]) -> None:
    folder, generations = finished
    shards = sorted(path.name for path in (folder / "shards").iterdir())
    assert shards == [f"0000-{n:05}.npz" for n in range(3)] + [f"0001-{n:05}.npz" for n in range(2)]
    assert [line.games for line in generations] == [6, 10]
    assert all(line.is_accepted for line in generations)
    assert (folder / "best.npz").read_bytes() == (folder / "networks" / "0001.npz").read_bytes()
    lines = (folder / "metrics.jsonl").read_bytes().splitlines()
    assert [msgspec.json.decode(line, type=Generation) for line in lines] == generations
    assert (folder / "rating.svg").read_text().startswith("<?xml")


def test_a_finished_run_is_continued_with_the_next_generation(
    finished: tuple[Path, list[Generation]],
) -> None:
    folder, generations = finished
    assert train(folder, TINY, InProcess(), 2) == generations


def test_a_rejected_candidate_does_not_play(tmp_path: Path) -> None:
    config = msgspec.structs.replace(TINY, gate=Gate(games=2, iterations=4, threshold=1.0))
    [line] = train(tmp_path / "run", config, InProcess(), 1)
    assert not line.is_accepted
    assert line.rating == 0
    assert not (tmp_path / "run" / "best.npz").exists()


PROGRAM = """
import sys
from pathlib import Path
import msgspec
from parure.train.config import load_config
from parure.train.run import train
from parure.train.workers import InProcess
train(Path(sys.argv[1]), load_config(sys.argv[2]), InProcess(), 2)
"""


def test_a_killed_run_ends_like_one_that_was_not(
    finished: tuple[Path, list[Generation]], tmp_path: Path
) -> None:
    """The process is killed after each new file, whatever it was doing then."""
    folder, config, random = tmp_path / "run", tmp_path / "tiny.toml", Random(1)
    config.write_bytes(encode_config(TINY))
    kills = 0
    while True:
        process = subprocess.Popen([sys.executable, "-c", PROGRAM, str(folder), str(config)])
        before = number_of_files(folder)
        wanted = before + random.randint(1, 3)
        while process.poll() is None and number_of_files(folder) < wanted:
            sleep(0.002)
        if process.poll() is None:
            os.kill(process.pid, signal.SIGKILL)
            kills += 1
        if process.wait() == 0:
            break
    assert kills >= 3
    lines = (folder / "metrics.jsonl").read_bytes().splitlines()
    generations = [msgspec.json.decode(line, type=Generation) for line in lines]
    assert without_times(generations) == without_times(finished[1])
    assert (folder / "best.npz").read_bytes() == (finished[0] / "best.npz").read_bytes()


def test_a_run_begins_with_a_network(
    finished: tuple[Path, list[Generation]], tmp_path: Path
) -> None:
    folder, start = tmp_path / "run", finished[0] / "best.npz"
    [line] = train(folder, TINY, InProcess(), 1, start)
    assert line.games == TINY.self_play.games
    assert (folder / "start.npz").read_bytes() == start.read_bytes()
    run = Run(folder, msgspec.structs.replace(TINY), InProcess(), print)
    run.generations.clear()
    assert run.best == folder / "start.npz"
    run.close()
    assert train(folder, TINY, InProcess(), 1) == [line]  # it need not be named again
    with pytest.raises(ParureError, match="began with another network"):
        train(folder, TINY, InProcess(), 1, finished[0] / "networks" / "0000.npz")
    with pytest.raises(ParureError, match="began without a network"):
        train(finished[0], TINY, InProcess(), 2, start)


def test_a_run_does_not_begin_with_the_network_of_another_game(tmp_path: Path) -> None:
    duel = trained_network(rules_from_label("duel"))
    with pytest.raises(ParureError):
        Run(tmp_path / "run", TINY, InProcess(), print, duel)


def number_of_files(folder: Path) -> int:
    return sum(path.suffix in (".npz", ".jsonl") for path in folder.rglob("*"))


def test_a_damaged_shard_is_left_out(tmp_path: Path) -> None:
    messages: list[str] = []
    run = Run(tmp_path / "run", TINY, InProcess(), messages.append)
    run.self_play(0)
    (tmp_path / "run" / "shards" / "0000-00001.npz").write_bytes(b"damaged")
    assert run._window().game_count == 4
    assert any("0000-00001.npz cannot be read" in message for message in messages)
    run.close()


def test_a_folder_is_used_by_one_process_and_for_one_game(tmp_path: Path) -> None:
    run = Run(tmp_path / "run", TINY, InProcess(), print)
    with pytest.raises(ParureError, match="in use by another process"):
        Run(tmp_path / "run", TINY, InProcess(), print)
    run.close()
    other = msgspec.structs.replace(TINY, game="duel")
    with pytest.raises(ParureError, match="another game"):
        Run(tmp_path / "run", other, InProcess(), print)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "file").touch()
    with pytest.raises(ParureError, match="not empty"):
        Run(tmp_path / "other", TINY, InProcess(), print)


def test_processes_play_the_same_games(
    finished: tuple[Path, list[Generation]], tmp_path: Path
) -> None:
    workers = make_workers(2, None)
    assert isinstance(workers, Processes)
    generations = train(tmp_path / "run", TINY, workers, 1)
    assert without_times(generations) == without_times(finished[1][:1])
