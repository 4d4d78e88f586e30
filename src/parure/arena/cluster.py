"""Play games on the machines of a Ray cluster.

Each game is a Ray task, so Ray runs it again if a worker or a machine is lost, and it has one
result however often it was started. On its machine the game is played in a process of its own, so
that a bot that hangs or crashes affects nothing else.
"""

from __future__ import annotations

import logging
import socket
from collections.abc import Generator, Iterable
from functools import cache
from typing import Any

from parure.arena.game import PlayedGame
from parure.arena.participants import Participants, pickled, unpickled
from parure.arena.plan import Fixture
from parure.arena.processes import GAME_TIMEOUT, Processes
from parure.errors import ParureError

LOCAL = "local"  # the address of a temporary cluster on this machine alone
CONNECT_TIMEOUT = 10.0  # seconds


class Cluster:
    """Workers of a Ray cluster; `jobs` games at a time, by default one for each CPU."""

    def __init__(
        self,
        participants: Participants,
        address: str,
        jobs: int | None = None,
        game_timeout: float = GAME_TIMEOUT,
    ) -> None:
        try:
            import ray
        except ImportError:
            raise ParureError(
                "--ray needs Ray, which is not installed: pip install 'parure[cluster]'"
            ) from None
        self._ray = ray
        self._arguments = (pickled(participants), game_timeout)
        _check_reachable(address)
        try:
            ray.init(
                address=address,
                num_cpus=jobs if address == LOCAL else None,
                include_dashboard=False if address == LOCAL else None,
                log_to_driver=False,
                logging_level=logging.ERROR,
            )
        except (ConnectionError, ValueError, RuntimeError) as error:
            reason = str(error).partition("\n")[0]
            raise ParureError(f"no Ray cluster at {address!r}: {reason}") from None
        cpus = ray.cluster_resources().get("CPU", 1)  # type: ignore[no-untyped-call]
        self._jobs = jobs or max(int(cpus), 1)
        self._task = ray.remote(num_cpus=1, max_retries=-1)(_play_task)

    def play(self, fixtures: Iterable[Fixture]) -> Generator[PlayedGame]:
        """Yield the games as they end."""
        ray, upcoming = self._ray, iter(fixtures)
        running: list[Any] = []
        try:
            while True:
                while len(running) < self._jobs:
                    if (fixture := next(upcoming, None)) is None:
                        break
                    running.append(self._task.remote(fixture, *self._arguments))
                if not running:
                    return
                ended, running = ray.wait(running)
                yield from ray.get(ended)
        except ray.exceptions.RayError as error:
            reason = str(error).strip().rpartition("\n")[2]
            raise ParureError(f"the Ray cluster failed: {reason}") from None

    def close(self) -> None:
        """Disconnect from the cluster; games in progress are dropped."""
        self._ray.shutdown()


def _check_reachable(address: str) -> None:
    """Raise ParureError if nothing listens at an address: Ray itself would try for minutes."""
    host, _, port = address.rpartition(":")
    if host and port.isdecimal() and "/" not in host:
        try:
            socket.create_connection((host, int(port)), timeout=CONNECT_TIMEOUT).close()
        except (OSError, OverflowError) as error:
            raise ParureError(f"no Ray cluster at {address!r}: {error}") from None


def _play_task(fixture: Fixture, participants: bytes, game_timeout: float) -> PlayedGame:
    """Play a game in a Ray worker."""
    [played] = _process(participants, game_timeout).play([fixture])
    return played


@cache
def _process(participants: bytes, game_timeout: float) -> Processes:
    """Return a process beside the Ray worker, kept for its next game."""
    return Processes(unpickled(participants), 1, game_timeout)
