"""A tournament from its beginning, or from where it was left, to its end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing

from parure.arena.plan import Fixture, Plan
from parure.arena.processes import Workers
from parure.arena.standings import Standings
from parure.arena.store import Store


class Tournament:
    """As many sets of each pair as were asked for, kept in a folder."""

    def __init__(self, store: Store) -> None:
        asked = store.asked
        self._store = store
        self._sets = store.plan.sets(asked.games)
        self.standings = Standings(store.plan, self._sets, asked.until_sure, store.games.values())

    @property
    def plan(self) -> Plan:
        """What is played."""
        return self._store.plan

    @property
    def total(self) -> int:
        """How many games there are to play at most."""
        return self._sets * self.plan.seats * len(self.plan.pairs)

    @property
    def done(self) -> int:
        """How many of them are kept."""
        return sum(game.set < self._sets for game in self._store.games.values())

    def play(self, workers: Workers, watch: Callable[[int], object] = lambda _: None) -> None:
        """Have the games played that are not kept yet; each is kept as it ends, then watched."""
        with closing(workers.play(self._upcoming())) as games:
            for played in games:
                if self._store.keep(played):
                    self.standings.add(played[0])
                    watch(1)
                if self.standings.is_complete:
                    return

    def _upcoming(self) -> Iterator[Fixture]:
        """The games to play: a set of each pair, then the next of each that is not decided."""
        for number in range(self._sets):
            for pair, standing in enumerate(self.standings.pairs):
                for fixture in self.plan.set_of(pair, number):
                    if not standing.is_complete and fixture.key not in self._store.games:
                        yield fixture
