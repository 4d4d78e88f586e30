"""The loop: what it writes, that it learns, and that it can be stopped at any moment."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from random import Random
from time import sleep
from typing import Any

import msgspec
import pytest

from parure.bots.network.weights import trained_network
from parure.errors import ParureError
from parure.games.registry import rules_from_label
from parure.train.config import Config, Fit, Gate, SelfPlay, encode_config
from parure.train.gate import GateTask
from parure.train.progress import Progress
from parure.train.run import Generation, Run, train
from parure.train.selfplay import SelfPlayTask
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


class Recorded(InProcess):
    """Keeps the tasks; with scores, every deal of a gate has these."""

    def __init__(self, scores: list[float] | None = None) -> None:
        self.scores = scores
        self.self_play: list[SelfPlayTask] = []
        self.gate: list[GateTask] = []

    def map(
        self, function: Callable[[Any], Any], tasks: Iterable[Any]
    ) -> Iterator[tuple[Any, Any]]:
        for task in tasks:
            if isinstance(task, GateTask):
                self.gate.append(task)
                yield task, self.scores or function(task)
            else:
                self.self_play.append(task)
                yield task, function(task)


@pytest.fixture
def folder(finished: tuple[Path, list[Generation]], tmp_path: Path) -> Path:
    """A copy of the run of two generations."""
    return Path(shutil.copytree(finished[0], tmp_path / "copy"))


def drop_last_generation(folder: Path) -> None:
    """Make a run look as if it had been killed before it wrote the line of a generation."""
    metrics = folder / "metrics.jsonl"
    metrics.write_bytes(b"".join(metrics.read_bytes().splitlines(keepends=True)[:-1]))


def test_a_finished_run_is_continued_with_the_next_generation(
    finished: tuple[Path, list[Generation]], folder: Path
) -> None:
    generations, workers = finished[1], Recorded()
    assert train(folder, TINY, workers, 2) == generations
    assert not workers.self_play + workers.gate
    *before, third = train(folder, TINY, workers, 3)
    assert before == generations
    assert (third.generation, third.games) == (2, 14)
    best = (finished[0] / "best.npz").read_bytes()
    assert [(task.generation, task.network) for task in workers.self_play] == 2 * [(2, best)]
    assert {task.opponent for task in workers.gate} == {best}


def test_a_rejected_candidate_does_not_play(tmp_path: Path) -> None:
    config = msgspec.structs.replace(TINY, gate=Gate(games=4, iterations=4, threshold=0.5))
    workers = Recorded(scores=[0.0, 0.5])
    lines = train(tmp_path / "run", config, workers, 2)
    assert [(line.is_accepted, line.rating) for line in lines] == 2 * [(False, 0.0)]
    assert not (tmp_path / "run" / "best.npz").exists()
    assert {task.generation for task in workers.self_play} == {0, 1}
    assert {task.network for task in workers.self_play} == {None}
    assert {task.opponent for task in workers.gate} == {None}
    workers = Recorded(scores=[1.0, 0.5])
    *_, accepted, last = train(tmp_path / "run", config, workers, 4)
    network = (tmp_path / "run" / "networks" / f"{accepted.generation:04}.npz").read_bytes()
    assert {task.network for task in workers.self_play if task.generation == 3} == {network}
    assert last.rating > accepted.rating > 0


def test_a_run_goes_on_where_its_first_file_was_not_finished(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    (folder / "config.toml.part").write_text("game = ")
    Run(folder, TINY, InProcess(), print).close()
    assert (folder / "config.toml").read_bytes() == encode_config(TINY)


@pytest.mark.parametrize("name", ["0001.npz", "0001.json"])
def test_a_damaged_candidate_is_fitted_again(
    finished: tuple[Path, list[Generation]], folder: Path, name: str
) -> None:
    drop_last_generation(folder)
    content = (folder / "networks" / name).read_bytes()
    (folder / "networks" / name).write_bytes(content[: len(content) // 2])
    messages: list[str] = []
    workers = Recorded()
    run = Run(folder, TINY, workers, messages.append)
    assert without_times(list(run.run(2))) == without_times(finished[1][1:])
    run.close()
    assert (folder / "networks" / name).read_bytes() == content
    assert any(message.startswith("generation 1: fit again, as") for message in messages)
    assert len(workers.gate) == 2  # not the scores of the candidate before


def test_games_are_those_that_were_played(folder: Path) -> None:
    drop_last_generation(folder)
    more = msgspec.structs.replace(TINY.self_play, games=3, first_games=100)
    config = msgspec.structs.replace(TINY, self_play=more)
    messages: list[str] = []
    run = Run(folder, config, InProcess(), messages.append)
    assert [line.games for line in run.run(3)] == [10, 13]
    run.close()
    assert messages[0] == "changed settings: self_play.games, self_play.first_games"


def test_a_fit_has_another_seed_in_each_generation_and_run(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seeds: list[int] = []

    def fit(*arguments: Any, seed: int, **options: Any) -> None:
        seeds.append(seed)
        raise KeyboardInterrupt

    monkeypatch.setattr("parure.train.fit.fit", fit)
    for config in (TINY, msgspec.structs.replace(TINY, seed=1)):
        (folder / "config.toml").write_bytes(encode_config(config))
        run = Run(folder, config, InProcess(), print)
        for generation in (2, 3, 2):
            with pytest.raises(KeyboardInterrupt):
                run.fit(generation)
        run.close()
    assert seeds[:3] == [seeds[0], seeds[1], seeds[0]]
    assert len(set(seeds)) == 4


def test_progress_is_logged(tmp_path: Path) -> None:
    messages: list[str] = []
    run = Run(tmp_path / "run", TINY, Recorded(scores=[0.5, 0.5]), messages.append)
    run.progress = Progress(messages.append, seconds=0.0)
    list(run.run(1))
    run.close()
    assert [message for message in messages if "self-play" in message or "gate" in message] == [
        "generation 0: self-play, 2 of 6 games",
        "generation 0: self-play, 4 of 6 games",
        "generation 0: self-play, 6 of 6 games",
        "generation 0: gate, 2 of 4 games",
        "generation 0: gate, 4 of 4 games",
    ]
    of_fit = [message for message in messages if "fit, " in message]
    assert len(of_fit) > 10
    assert of_fit[-1] == "generation 0: fit, 100%"


def test_the_rating_is_drawn_again_when_a_run_is_opened(folder: Path) -> None:
    (folder / "rating.svg").unlink()
    Run(folder, TINY, InProcess(), print).close()
    content = (folder / "rating.svg").read_text()
    for text in ("splendor-2", "generation", "accepted"):
        assert f"<!-- {text} -->" in content


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
