"""Training on a Ray cluster, a real one on this machine."""

from __future__ import annotations

import os
import signal
import sys
import threading
from pathlib import Path
from time import monotonic, sleep

import pytest
from tests.train.test_run import TINY, without_times

from parure.errors import ParureError
from parure.train.run import train
from parure.train.workers import InProcess, RayWorkers, make_workers

pytest.importorskip("torch")


def test_a_missing_ray_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ParureError, match=r"parure\[cluster\]"):
        make_workers(None, "local")


def kill_first_player(killed: list[int], seconds: float) -> None:
    """Kill the first process of the cluster that plays games."""
    end = monotonic() + seconds
    while monotonic() < end and not killed:
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                title = (folder / "cmdline").read_bytes()
            except OSError:
                continue
            if title.startswith(b"ray::play_task"):
                os.kill(int(folder.name), signal.SIGKILL)
                killed.append(int(folder.name))
                return
        sleep(0.01)


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")  # of Ray's own
@pytest.mark.skipif(not Path("/proc").exists(), reason="processes are found in /proc")
def test_a_run_whose_worker_is_killed_ends_like_any_other(tmp_path: Path) -> None:
    pytest.importorskip("ray")
    expected = train(tmp_path / "here", TINY, InProcess(), 2)
    killed: list[int] = []
    killer = threading.Thread(target=kill_first_player, args=(killed, 120.0))
    killer.start()
    generations = train(tmp_path / "cluster", TINY, RayWorkers("local", 2), 2)
    killer.join()
    assert killed, "a worker was killed"
    assert without_times(generations) == without_times(expected)
    best = (tmp_path / "cluster" / "best.npz").read_bytes()
    assert best == (tmp_path / "here" / "best.npz").read_bytes()


def refuse(task: str) -> None:
    raise ParureError(f"{task} cannot be played")


def kill_worker(task: int) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")  # of Ray's own
def test_errors_of_tasks_on_a_cluster(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("ray")
    monkeypatch.setattr("parure.train.workers.MAX_RETRIES", 1)
    workers = RayWorkers("local", 2)
    with pytest.raises(ParureError, match=r"^this game cannot be played$"):
        list(workers.map(refuse, ["this game"]))
    with pytest.raises(ParureError, match="the Ray cluster failed"):
        list(workers.map(kill_worker, [1]))  # it is not repeated for ever
    workers.close()
