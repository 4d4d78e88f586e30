"""Play games on the machines of a Ray cluster.

Each game is a Ray task, so Ray runs it again if a worker or a machine is lost, and it has one
result however often it was started. On its machine the game is played in a process of its own, so
that a bot that hangs or crashes affects nothing else.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from functools import cache
from typing import Any

from parure.arena.game import PlayedGame
from parure.arena.participants import Participants, pickled, unpickled
from parure.arena.plan import Fixture
from parure.arena.processes import GAME_TIMEOUT, Processes
from parure.errors import ParureError
from parure.ray_cluster import connect


class Cluster:
    """Workers of a Ray cluster; `jobs` games at a time, by default one for each CPU."""

    def __init__(
        self,
        participants: Participants,
        address: str,
        jobs: int | None = None,
        game_timeout: float = GAME_TIMEOUT,
    ) -> None:
        self._arguments = (pickled(participants), game_timeout)
        self._ray, self._jobs = connect(address, jobs)
        self._task = self._ray.remote(num_cpus=1, max_retries=-1)(_play_task)

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


def _play_task(fixture: Fixture, participants: bytes, game_timeout: float) -> PlayedGame:
    """Play a game in a Ray worker."""
    [played] = _process(participants, game_timeout).play([fixture])
    return played


@cache
def _process(participants: bytes, game_timeout: float) -> Processes:
    """Return a process beside the Ray worker, kept for its next game."""
    return Processes(unpickled(participants), 1, game_timeout)
