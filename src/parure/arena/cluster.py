"""Games played on the machines of a Ray cluster.

Each game is a task: whatever Ray loses, a worker or a machine, it gives to another by itself, and a
task has one result however often it was begun. On its machine the game is played in a process of
its own, as at home, so that a bot that hangs or crashes takes nothing else down.
"""

from __future__ import annotations

import logging
import socket
from collections.abc import Generator, Iterable
from functools import cache
from typing import Any

from parure.arena.game import PlayedGame, play_game
from parure.arena.plan import Fixture
from parure.arena.processes import GAME_TIMEOUT, Player, Processes
from parure.errors import ParureError

LOCAL = "local"  # the address that means: a cluster of this machine alone, as long as it is needed


class Cluster:
    """Workers of a Ray cluster; as many games at a time as it has processors, or `jobs`."""

    def __init__(
        self,
        address: str,
        jobs: int | None = None,
        game_timeout: float = GAME_TIMEOUT,
        player: Player = play_game,
    ) -> None:
        try:
            import ray
        except ImportError:
            raise ParureError(
                "--ray needs Ray, which is not installed: pip install 'parure[cluster]'"
            ) from None
        self._ray = ray
        _knock(address)
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
        processors = ray.cluster_resources().get("CPU", 1)  # type: ignore[no-untyped-call]
        self._jobs = jobs or max(int(processors), 1)
        self._task = ray.remote(num_cpus=1, max_retries=-1)(_play)
        self._arguments = (game_timeout, player)

    def play(self, fixtures: Iterable[Fixture]) -> Generator[PlayedGame]:
        """The games as they end."""
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
        """Leave the cluster; what it still plays is dropped."""
        self._ray.shutdown()


def _knock(address: str) -> None:
    """See that somebody is at home: Ray itself would try for minutes."""
    host, _, port = address.rpartition(":")
    if host and port.isdecimal() and "/" not in host:
        try:
            socket.create_connection((host, int(port)), timeout=10).close()
        except (OSError, OverflowError) as error:
            raise ParureError(f"no Ray cluster at {address!r}: {error}") from None


def _play(fixture: Fixture, game_timeout: float, player: Player) -> PlayedGame:
    """Play a game where Ray put it."""
    [played] = _process(game_timeout, player).play([fixture])
    return played


@cache
def _process(game_timeout: float, player: Player) -> Processes:
    """A process beside the worker of Ray, kept for its next game."""
    return Processes(1, game_timeout, player)
