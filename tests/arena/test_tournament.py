"""A tournament that is stopped, goes on, and leaves out what is decided."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable
from contextlib import closing
from pathlib import Path

from tests.arena.players import play_at_home

from parure.arena.game import Played, PlayedGame
from parure.arena.plan import Fixture, Plan
from parure.arena.store import Asked, Store
from parure.arena.tournament import Tournament

PLAN = Plan.of("splendor", ["greedy", "random", "random"], seed=3)
ASKED = Asked(200, until_sure=True)


class Invented:
    """Workers whose first bot always wins, and where the two others win in turn.

    Two games are on the way at a time, and the later one ends first. With `most` they are
    interrupted after so many.
    """

    def __init__(self, most: int | None = None) -> None:
        self.asked: list[Fixture] = []
        self._most = most
        self._record = play_at_home(PLAN.set_of(0, 0)[0])[1]

    def play(self, fixtures: Iterable[Fixture]) -> Generator[PlayedGame]:
        """The games, in pairs."""
        upcoming, played = iter(fixtures), 0
        while begun := [fixture for _, fixture in zip(range(2), upcoming, strict=False)]:
            self.asked += begun
            for fixture in reversed(begun):
                if played == self._most:
                    raise KeyboardInterrupt
                played += 1
                yield self._game(fixture)

    def _game(self, fixture: Fixture) -> PlayedGame:
        winner = fixture.lineup.index(0) if 0 in fixture.lineup else 0
        seconds = [0.0] * PLAN.seats
        played = Played(*fixture.key, fixture.lineup, [winner], "points", 60, 40, seconds)
        return played, self._record

    def close(self) -> None:
        """Nothing to let go."""


def go_on(folder: Path, workers: Invented) -> list[tuple[object, ...]]:
    """Play in a folder until all is done or the workers are interrupted; gives what is known."""
    with closing(Store(folder, PLAN, ASKED)) as store:
        tournament = Tournament(store)
        try:
            tournament.play(workers)
        except KeyboardInterrupt:
            assert not tournament.standings.is_complete
        return [
            (pair.games, pair.results, pair.stronger, pair.interval)
            for pair in tournament.standings.pairs
        ]


def test_a_decided_pair_plays_no_more_while_the_others_go_on(tmp_path: Path) -> None:
    workers = Invented()
    first, second, even = go_on(tmp_path, workers)
    assert (first[2], second[2], even[2]) == ("greedy", "greedy", None)
    asked = Counter(PLAN.pairs[fixture.pair] for fixture in workers.asked)
    assert asked[1, 2] == ASKED.games
    assert asked[0, 1] < 40
    assert asked[0, 2] < 40


def test_interrupted_time_and_again_it_ends_as_if_it_never_was(tmp_path: Path) -> None:
    at_once = go_on(tmp_path / "at once", Invented())
    for most in (1, 0, 7, 30, 90):
        go_on(tmp_path / "bit by bit", Invented(most))
    assert go_on(tmp_path / "bit by bit", Invented()) == at_once
