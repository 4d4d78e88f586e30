"""Where self-play and gating games are played: here, in processes, or on a Ray cluster."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.connection import wait as wait_for_input
from typing import Any, Protocol, TypeVar

from parure.errors import ParureError
from parure.ray_cluster import connect

MAX_RETRIES = 10  # of a task whose worker or machine is lost

Task = TypeVar("Task")
Result = TypeVar("Result")


class Workers(Protocol):
    """Calls functions somewhere."""

    def map(
        self, function: Callable[[Task], Result], tasks: Iterable[Task]
    ) -> Iterator[tuple[Task, Result]]:
        """Yield each task with its result, in the order in which they are done."""

    def close(self) -> None:
        """Release all resources."""


class InProcess:
    """Calls functions in this process, one after the other."""

    def map(
        self, function: Callable[[Task], Result], tasks: Iterable[Task]
    ) -> Iterator[tuple[Task, Result]]:
        """Yield each task with its result, in order."""
        for task in tasks:
            yield task, function(task)

    def close(self) -> None:
        """Do nothing: there is nothing to release."""


class Processes:
    """Calls functions in processes of this machine, `jobs` at a time."""

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs
        context = get_context("spawn")
        receiver, self._pipe = context.Pipe(duplex=False)
        self._pool = ProcessPoolExecutor(
            jobs, context, initializer=_start_worker, initargs=(receiver,)
        )

    def map(
        self, function: Callable[[Task], Result], tasks: Iterable[Task]
    ) -> Iterator[tuple[Task, Result]]:
        """Yield each task with its result, in the order in which they are done."""
        upcoming = iter(tasks)
        running: dict[Future[Result], Task] = {}
        try:
            while True:
                for task in islice(upcoming, self._jobs - len(running)):
                    running[self._pool.submit(function, task)] = task
                if not running:
                    return
                done, _ = wait(running, return_when=FIRST_COMPLETED)
                for future in done:
                    yield running.pop(future), future.result()
        except BrokenProcessPool:
            raise ParureError(
                "a worker process was killed; repeat the command to continue"
            ) from None

    def close(self) -> None:
        """Stop all processes at once; tasks in progress are dropped."""
        self._pipe.close()
        self._pool.shutdown(cancel_futures=True)


def _start_worker(pipe: Connection) -> None:
    """Leave interrupts to the parent, and exit when it closes the other end of a pipe or ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_exit_with_pipe, args=(pipe,), daemon=True).start()


def _exit_with_pipe(pipe: Connection) -> None:
    wait_for_input([pipe])
    os._exit(1)


class RayWorkers:
    """Calls functions as tasks of a Ray cluster; one that is lost with its machine is repeated."""

    def __init__(self, address: str, jobs: int | None = None) -> None:
        self._ray, self._jobs = connect(address, jobs)

    def map(
        self, function: Callable[[Task], Result], tasks: Iterable[Task]
    ) -> Iterator[tuple[Task, Result]]:
        """Yield each task with its result, in the order in which they are done."""
        remote = self._ray.remote(num_cpus=1, max_retries=MAX_RETRIES)(function)
        upcoming = iter(tasks)
        running: dict[Any, Task] = {}
        try:
            while True:
                for task in islice(upcoming, self._jobs - len(running)):
                    running[remote.remote(task)] = task
                if not running:
                    return
                done, _ = self._ray.wait(list(running))
                for reference in done:
                    yield running.pop(reference), self._ray.get(reference)
        except self._ray.exceptions.RayError as error:
            cause = getattr(error, "cause", None)
            if isinstance(cause, ParureError):  # raised by the function
                raise cause from None
            reason = str(error).strip().rpartition("\n")[2]
            raise ParureError(f"the Ray cluster failed: {reason}") from None

    def close(self) -> None:
        """Disconnect from the cluster; tasks in progress are dropped."""
        self._ray.shutdown()


def make_workers(jobs: int | None, ray: str | None) -> Workers:
    """Return workers on a Ray cluster, or `jobs` processes (1: this process) of this machine."""
    if ray is not None:
        return RayWorkers(ray, jobs)
    return InProcess() if jobs in (None, 1) else Processes(jobs)
