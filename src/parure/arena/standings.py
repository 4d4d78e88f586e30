"""What the games of a tournament say about each pair of bots.

A set counts once all its games and those of all earlier sets are played, so the order in which
games end makes no difference: standings are a pure function of the plan and the games.
"""

from __future__ import annotations

from collections.abc import Iterable
from statistics import fmean

from parure.arena.confidence import Interval, SequentialTest, anytime_interval, interval
from parure.arena.game import GameResult
from parure.arena.plan import Plan
from parure.arena.ratings import Rating, ratings


class PairStanding:
    """How two bots did against each other.

    Attributes:
        a: The name of the first bot.
        b: The name of the second bot.
        sets: The sets that count, each a list of games.
        results: The first bot's mean score in each of these sets.
    """

    def __init__(self, plan: Plan, pair: int, max_sets: int, is_until_sure: bool) -> None:
        self.first, self.second = plan.pairs[pair]
        self.a, self.b = plan.bots[self.first], plan.bots[self.second]
        self.sets: list[list[GameResult]] = []
        self.results: list[float] = []
        self._max_sets = max_sets
        self._seats = plan.seats
        self._pending: dict[int, dict[int, GameResult]] = {}  # by set, then by game
        self._test = SequentialTest(plan.equal_score) if is_until_sure else None

    @property
    def is_complete(self) -> bool:
        """Whether all sets are played, or enough to be sure who is stronger."""
        return len(self.sets) >= self._max_sets or self.stronger is not None

    @property
    def stronger(self) -> str | None:
        """The bot that the sequential test found to be stronger, if it was run and found one."""
        if self._test is None or self._test.stronger is None:
            return None
        return (self.a, self.b)[self._test.stronger]

    def add(self, game: GameResult) -> None:
        """Add a game."""
        self._pending.setdefault(game.set, {})[game.game] = game
        while not self.is_complete and len(self._pending.get(len(self.sets), ())) == self._seats:
            games = self._pending.pop(len(self.sets))
            self.sets.append([games[number] for number in sorted(games)])
            self.results.append(fmean(game.scores[game.game] for game in self.sets[-1]))
            if self._test:
                self._test.add(self.results[-1])

    @property
    def games(self) -> list[GameResult]:
        """The games that count."""
        return [game for games in self.sets for game in games]

    @property
    def wins(self) -> tuple[int, int]:
        """The number of games that the first bot won alone, and that it lost."""
        scores = [game.scores[game.game] for game in self.games]
        return scores.count(1.0), scores.count(0.0)

    @property
    def draws(self) -> int:
        """The number of other games: a victory shared by the first bot, or no winner."""
        return len(self.games) - sum(self.wins)

    @property
    def score(self) -> float:
        """The first bot's mean score."""
        return fmean(self.results) if self.results else 0.0

    @property
    def interval(self) -> Interval:
        """The 95 % confidence interval of the score."""
        return anytime_interval(self.results) if self._test else interval(self.results)


class Standings:
    """How all pairs did."""

    def __init__(
        self, plan: Plan, sets: int, is_until_sure: bool = False, games: Iterable[GameResult] = ()
    ) -> None:
        self.plan = plan
        self.is_until_sure = is_until_sure
        self.pairs = [
            PairStanding(plan, pair, sets, is_until_sure) for pair in range(len(plan.pairs))
        ]
        for game in games:
            self.add(game)

    def add(self, game: GameResult) -> None:
        """Add a game."""
        self.pairs[game.pair].add(game)

    @property
    def is_complete(self) -> bool:
        """Whether all pairs are complete."""
        return all(pair.is_complete for pair in self.pairs)

    @property
    def games(self) -> list[GameResult]:
        """The games that count, of all pairs."""
        return [game for pair in self.pairs for game in pair.games]

    def ratings(self, anchor: int | None = None) -> list[Rating]:
        """Return the rating of each bot, relative to the mean of all bots or to the anchor."""
        results = [(pair.first, pair.second, pair.results) for pair in self.pairs]
        return ratings(len(self.plan.bots), results, self.plan.equal_score, anchor)

    def seat_results(self) -> list[list[float]]:
        """Return the mean score of each seat in each set.

        In a set the bots take all seats in turn, so these scores do not depend on their strength.
        """
        return [
            [
                fmean(game.scores[seat] for game in games)
                for pair in self.pairs
                for games in pair.sets
            ]
            for seat in range(self.plan.seats)
        ]
