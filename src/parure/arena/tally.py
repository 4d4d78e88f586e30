"""Count the results of games: winners, reasons and lengths."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Self

QUANTILES = {"5%": 0.05, "25%": 0.25, "median": 0.5, "75%": 0.75, "95%": 0.95}

SHARED, NOBODY = "shared", "nobody"  # winners besides a single seat


@dataclass
class Tally:
    """Counts of the results of games; tallies of parts can be added up.

    >>> tally = Tally(seats=2)
    >>> tally.add("points", winners=(1,), decisions=60, turns=41)
    >>> tally.wins("points")
    {'seat 0': 0, 'seat 1': 1}
    """

    seats: int
    endings: Counter[tuple[str, str]] = field(default_factory=Counter)  # reason, winner
    decisions: Counter[int] = field(default_factory=Counter)
    turns: Counter[int] = field(default_factory=Counter)

    def add(self, reason: str, winners: tuple[int, ...], decisions: int, turns: int) -> None:
        """Count a game."""
        self.endings[reason, _winner_name(winners)] += 1
        self.decisions[decisions] += 1
        self.turns[turns] += 1

    def __iadd__(self, other: Tally) -> Self:
        """Add the counts of another tally."""
        self.endings += other.endings
        self.decisions += other.decisions
        self.turns += other.turns
        return self

    @property
    def games(self) -> int:
        """The number of games."""
        return self.endings.total()

    def wins(self, reason: str | None = None) -> dict[str, int]:
        """Return the number of wins of each seat, for one reason or for all.

        Shared victories and games without a winner are listed if there are any.
        """
        counts = Counter[str]()
        for (game_reason, winner), number in self.endings.items():
            counts[winner] += number if reason in (None, game_reason) else 0
        seats = [f"seat {seat}" for seat in range(self.seats)]
        winners = (*seats, *(other for other in (SHARED, NOBODY) if other in counts))
        return {winner: counts[winner] for winner in winners}

    def summary(self) -> dict[str, Any]:
        """Return all counts as plain data."""
        return {
            "games": self.games,
            "wins": self.wins(),
            "reasons": {reason: self.wins(reason) for reason in self._reasons()},
            "decisions": length_stats(self.decisions),
            "turns": length_stats(self.turns),
        }

    def __str__(self) -> str:
        rows = {reason: self.wins(reason) for reason in self._reasons()} | {"all": self.wins()}
        lines = [" " * 10 + "".join(f"{name:>10}" for name in (*self.wins(), "games"))]
        for reason, wins in rows.items():
            numbers = (*wins.values(), sum(wins.values()))
            lines.append(f"{reason:<10}" + "".join(f"{n:>10,}" for n in numbers))
        lines += ["", " " * 10 + "".join(f"{name:>10}" for name in length_stats(self.turns))]
        for name, counts in (("decisions", self.decisions), ("turns", self.turns)):
            lines.append(
                f"{name:<10}" + "".join(f"{n:>10,}" for n in length_stats(counts).values())
            )
        return "\n".join(lines)

    def _reasons(self) -> list[str]:
        counts = Counter[str]()
        for (reason, _), number in self.endings.items():
            counts[reason] += number
        return sorted(counts, key=lambda reason: (-counts[reason], reason))


def length_stats(counts: Counter[int]) -> dict[str, float]:
    """Return the mean, range and quantiles of counted numbers.

    >>> length_stats(Counter({10: 3, 20: 1}))["mean"]
    12.5
    """
    number = counts.total()
    stats: dict[str, float] = {
        "mean": round(sum(n * count for n, count in counts.items()) / number, 1),
        "least": min(counts),
    }
    seen, ascending = 0, iter(sorted(counts))
    for name, fraction in QUANTILES.items():
        while seen < fraction * number:
            value = next(ascending)
            seen += counts[value]
        stats[name] = value
    return stats | {"most": max(counts)}


def _winner_name(winners: tuple[int, ...]) -> str:
    if not winners:
        return NOBODY
    return SHARED if len(winners) > 1 else f"seat {winners[0]}"
