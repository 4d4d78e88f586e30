"""What the games of a tournament say about each pair of bots.

A set counts when all its games are played and those of all sets before it: in which order games
happen to end makes no difference then. What counts is a pure function of the plan and the games.
"""

from __future__ import annotations

from collections.abc import Iterable
from statistics import fmean

from parure.arena.confidence import Interval, SequentialTest, anytime_interval, interval
from parure.arena.game import Played
from parure.arena.plan import Plan
from parure.arena.ratings import Rating, ratings


class Standing:
    """How two bots did against each other."""

    def __init__(self, plan: Plan, pair: int, most: int, is_until_sure: bool) -> None:
        self.first, self.other = plan.pairs[pair]
        self.a, self.b = plan.bots[self.first], plan.bots[self.other]
        self.sets: list[list[Played]] = []  # those that count
        self.results: list[float] = []  # the first bot's mean share in each
        self._most = most  # sets
        self._seats = plan.seats
        self._waiting: dict[int, dict[int, Played]] = {}
        self._test = SequentialTest(plan.equal_share) if is_until_sure else None

    @property
    def is_complete(self) -> bool:
        """Whether all sets are played, or enough to be sure."""
        return len(self.sets) >= self._most or self.stronger is not None

    @property
    def stronger(self) -> str | None:
        """The bot that is surely stronger, if that was tested and is."""
        if self._test is None or self._test.stronger is None:
            return None
        return (self.a, self.b)[self._test.stronger]

    def add(self, played: Played) -> None:
        """Take up a game."""
        self._waiting.setdefault(played.set, {})[played.game] = played
        while not self.is_complete and len(self._waiting.get(len(self.sets), ())) == self._seats:
            games = self._waiting.pop(len(self.sets))
            self.sets.append([games[number] for number in sorted(games)])
            self.results.append(fmean(game.share(game.game) for game in self.sets[-1]))
            if self._test:
                self._test.add(self.results[-1])

    @property
    def games(self) -> list[Played]:
        """The games that count."""
        return [game for games in self.sets for game in games]

    @property
    def wins(self) -> tuple[int, int]:
        """The games that the first bot won alone, and those that it had no part in winning."""
        shares = [game.share(game.game) for game in self.games]
        return shares.count(1.0), shares.count(0.0)

    @property
    def draws(self) -> int:
        """The other games: the first bot shared the victory, or nobody won."""
        return len(self.games) - sum(self.wins)

    @property
    def score(self) -> float:
        """The first bot's mean share of the victory."""
        return fmean(self.results) if self.results else 0.0

    @property
    def interval(self) -> Interval:
        """Where the true score is, at 95 %."""
        return anytime_interval(self.results) if self._test else interval(self.results)


class Standings:
    """How all pairs did."""

    def __init__(
        self, plan: Plan, sets: int, is_until_sure: bool = False, games: Iterable[Played] = ()
    ) -> None:
        self.plan = plan
        self.is_until_sure = is_until_sure
        self.pairs = [Standing(plan, pair, sets, is_until_sure) for pair in range(len(plan.pairs))]
        for played in games:
            self.add(played)

    def add(self, played: Played) -> None:
        """Take up a game."""
        self.pairs[played.pair].add(played)

    @property
    def is_complete(self) -> bool:
        """Whether nothing more is to be played."""
        return all(pair.is_complete for pair in self.pairs)

    @property
    def games(self) -> list[Played]:
        """The games that count, of all pairs."""
        return [game for pair in self.pairs for game in pair.games]

    def ratings(self, anchor: int | None = None) -> list[Rating]:
        """The rating of each bot, relative to the mean of all or to one."""
        results = [(pair.first, pair.other, pair.results) for pair in self.pairs]
        return ratings(len(self.plan.bots), results, self.plan.equal_share, anchor)

    def seat_results(self) -> list[list[float]]:
        """For each seat its share of the victories in each set, in which all seats saw the same."""
        return [
            [
                fmean(game.share(seat) for game in games)
                for pair in self.pairs
                for games in pair.sets
            ]
            for seat in range(self.plan.seats)
        ]
