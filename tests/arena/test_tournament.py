"""A tournament can be stopped and continued, and stops pairs that are decided."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable
from contextlib import closing
from pathlib import Path

from tests.arena.sample_bots import play_here

from parure.arena.game import GameResult, PlayedGame
from parure.arena.plan import Fixture, Plan
from parure.arena.store import Request, Store
from parure.arena.tournament import Tournament

PLAN = Plan.create("splendor", ["greedy", "random", "random"], seed=3)
REQUEST = Request(200, until_sure=True)


class FakeWorkers:
    """Workers with made-up games: bot 0 always wins, the two others win in turn.

    Two games run at a time, and the later one ends first. After `limit` games a KeyboardInterrupt
    is raised.
    """

    def __init__(self, limit: int | None = None) -> None:
        self.taken: list[Fixture] = []
        self._limit = limit
        self._record = play_here(PLAN.fixtures(0, 0)[0]).record

    def play(self, fixtures: Iterable[Fixture]) -> Generator[PlayedGame]:
        """Yield the games in pairs."""
        upcoming, played = iter(fixtures), 0
        while started := [fixture for _, fixture in zip(range(2), upcoming, strict=False)]:
            self.taken += started
            for fixture in reversed(started):
                if played == self._limit:
                    raise KeyboardInterrupt
                played += 1
                yield self._game(fixture)

    def _game(self, fixture: Fixture) -> PlayedGame:
        winner = fixture.lineup.index(0) if 0 in fixture.lineup else 0
        seconds = [0.0] * PLAN.seats
        result = GameResult(*fixture.key, fixture.lineup, [winner], "points", 60, 40, seconds)
        return PlayedGame(result, self._record)

    def close(self) -> None:
        """Do nothing."""


def continue_tournament(folder: Path, workers: FakeWorkers) -> list[tuple[object, ...]]:
    """Play until the tournament is complete or interrupted; return the results of each pair."""
    with closing(Store(folder, PLAN, REQUEST)) as store:
        tournament = Tournament(store)
        try:
            tournament.play(workers)
        except KeyboardInterrupt:
            assert not tournament.standings.is_complete
        return [
            (pair.games, pair.results, pair.stronger, pair.interval)
            for pair in tournament.standings.pairs
        ]


def test_a_decided_pair_stops_while_the_others_continue(tmp_path: Path) -> None:
    workers = FakeWorkers()
    first, second, even = continue_tournament(tmp_path, workers)
    assert (first[2], second[2], even[2]) == ("greedy", "greedy", None)
    taken = Counter(PLAN.pairs[fixture.pair] for fixture in workers.taken)
    assert taken[1, 2] == REQUEST.games
    assert taken[0, 1] < 40
    assert taken[0, 2] < 40


def test_interruptions_do_not_change_the_result(tmp_path: Path) -> None:
    uninterrupted = continue_tournament(tmp_path / "uninterrupted", FakeWorkers())
    for limit in (1, 0, 7, 30, 90):
        continue_tournament(tmp_path / "interrupted", FakeWorkers(limit))
    assert continue_tournament(tmp_path / "interrupted", FakeWorkers()) == uninterrupted
