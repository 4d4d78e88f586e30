"""Processes that play, and how they end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from multiprocessing import active_children
from pathlib import Path
from time import monotonic, sleep

import pytest

from parure.errors import ParureError
from parure.train.workers import Processes

LONG = 300.0  # seconds that no test waits


def test_results_come_with_their_tasks() -> None:
    workers = Processes(2)
    assert sorted(workers.map(abs, [1, -2, -3])) == [(-3, 3), (-2, 2), (1, 1)]
    workers.close()


def test_a_killed_process_is_an_error() -> None:
    workers = Processes(2)
    with pytest.raises(ParureError, match="killed; repeat the command"):
        list(workers.map(signal.raise_signal, [signal.SIGTERM]))
    workers.close()


def test_closing_does_not_wait_for_tasks() -> None:
    started = monotonic()
    workers = Processes(2)
    results = workers.map(sleep, [0.0, LONG, LONG])
    assert next(results) == (0.0, None)
    assert active_children()
    workers.close()
    assert not active_children()
    assert monotonic() - started < LONG / 2


def test_an_error_in_a_task_does_not_wait_for_the_others() -> None:
    started = monotonic()
    workers = Processes(2)
    with pytest.raises(ValueError, match="non-negative"):
        list(workers.map(sleep, [LONG, -1.0]))
    workers.close()
    assert monotonic() - started < LONG / 2


PROGRAM = """
from contextlib import closing
from multiprocessing import active_children
from time import sleep
from parure.train.workers import Processes
if __name__ == "__main__":
    with closing(Processes(2)) as workers:
        for _ in workers.map(sleep, [0.0, 300.0, 300.0]):
            print(*(child.pid for child in active_children()), flush=True)
"""


@pytest.mark.skipif(not Path("/proc").exists(), reason="processes are found in /proc")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_a_stopped_program_leaves_no_processes(number: signal.Signals, tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    command = [sys.executable, str(path)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdout
        children = process.stdout.readline().split()
        os.kill(process.pid, number)
        process.wait(LONG / 2)
    assert len(children) == 2
    end = monotonic() + LONG / 2
    while any(Path("/proc", child).exists() for child in children):
        assert monotonic() < end
        sleep(0.01)
