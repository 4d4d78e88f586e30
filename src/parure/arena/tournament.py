"""Play a tournament from the start, or from where it was stopped."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from os import PathLike
from pathlib import Path
from tempfile import TemporaryDirectory

from parure.arena.cluster import Cluster
from parure.arena.participants import Participants
from parure.arena.plan import Fixture, Plan
from parure.arena.processes import GAME_TIMEOUT, InProcess, Processes, Workers
from parure.arena.standings import Standings
from parure.arena.store import Request, Store
from parure.bots import BotLike


class Tournament:
    """The requested number of sets of each pair, stored in a folder."""

    def __init__(self, store: Store) -> None:
        request = store.request
        self._store = store
        self._sets = store.plan.sets_for(request.games)
        self.standings = Standings(store.plan, self._sets, request.until_sure, store.games.values())

    @property
    def plan(self) -> Plan:
        """The game, the bots and the seed."""
        return self._store.plan

    @property
    def total(self) -> int:
        """The maximal number of games."""
        return self._sets * self.plan.seats * len(self.plan.pairs)

    @property
    def done(self) -> int:
        """The number of games that are stored."""
        return sum(game.set < self._sets for game in self._store.games.values())

    def play(self, workers: Workers, on_game: Callable[[int], object] = lambda _: None) -> None:
        """Play the missing games, storing each as it ends and then calling `on_game(1)`."""
        with closing(workers.play(self._upcoming())) as games:
            for played in games:
                if self._store.append(played):
                    self.standings.add(played.result)
                    on_game(1)
                if self.standings.is_complete:
                    return

    def _upcoming(self) -> Iterator[Fixture]:
        """Yield the games to play: a set of each pair, then the next set of each open pair."""
        for set_number in range(self._sets):
            for pair, standing in enumerate(self.standings.pairs):
                for fixture in self.plan.fixtures(pair, set_number):
                    if not standing.is_complete and fixture.key not in self._store.games:
                        yield fixture


def make_workers(
    participants: Participants,
    jobs: int | None = None,
    ray: str | None = None,
    game_timeout: float = GAME_TIMEOUT,
) -> Workers:
    """Return workers on a Ray cluster, in processes, or with `jobs=0` in this process."""
    if ray:
        return Cluster(participants, ray, jobs, game_timeout)
    if jobs == 0:
        return InProcess(participants)
    return Processes(participants, jobs or 1, game_timeout)


def run_tournament(
    game: str,
    bots: Sequence[BotLike],
    *,
    games: int = 200,
    seed: int = 0,
    options: Mapping[str, bool] | None = None,
    until_sure: bool = False,
    folder: str | PathLike[str] | None = None,
    jobs: int = 1,
    ray: str | None = None,
    game_timeout: float = GAME_TIMEOUT,
) -> Standings:
    """Let bots compete and return the standings.

    Bots are specifications, your own :class:`parure.Bot` objects, or functions that make one.
    Worker processes must be able to import these functions: define them at the top level of a
    module, and call this under `if __name__ == "__main__":`. With `jobs=0` all games are played
    in this process, which also works in notebooks, but a bot that hangs is not stopped.

    Args:
        game: `splendor`, `splendor-3`, `splendor-4`, `duel` or `duel+counterfeiters`.
        bots: Two or more; each meets every other.
        games: The number of games of each pair, rounded up to whole sets.
        seed: The same seed gives the same deals.
        options: Options of the game, such as `{"anti-blocking": True}`.
        until_sure: Stop a pair as soon as it is clear which bot is stronger.
        folder: Where the games are stored; a tournament found there is continued. By default
            nothing is kept.
        jobs: The number of games played at the same time, each in a process of its own.
        ray: The address of a Ray cluster; `local` starts one on this machine.
        game_timeout: Seconds after which a game is stopped and lost.

    >>> standings = run_tournament("duel", ["random", "random"], games=4, jobs=0)
    >>> standings.pairs[0].score
    0.5
    """
    participants = Participants(bots)
    plan = Plan.create(game, participants, seed, options)
    with ExitStack() as stack:
        path = folder or stack.enter_context(TemporaryDirectory())
        request = Request(games, until_sure)
        tournament = Tournament(stack.enter_context(closing(Store(Path(path), plan, request))))
        if not tournament.standings.is_complete:
            workers = make_workers(participants, jobs, ray, game_timeout)
            tournament.play(stack.enter_context(closing(workers)))
        return tournament.standings
