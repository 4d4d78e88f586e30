"""How many games ended: who won, by what, after how long."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Self

QUANTILES = {"5%": 0.05, "25%": 0.25, "median": 0.5, "75%": 0.75, "95%": 0.95}

SHARED, NOBODY = "shared", "nobody"


@dataclass
class Tally:
    """The results of games, counted; tallies of parts of a series add up to that of the whole.

    >>> tally = Tally(seats=2)
    >>> tally.add("points", winners=(1,), decisions=60, turns=41)
    >>> tally.wins("points")
    {'seat 0': 0, 'seat 1': 1}
    """

    seats: int
    endings: Counter[tuple[str, str]] = field(default_factory=Counter)  # reason, who won
    decisions: Counter[int] = field(default_factory=Counter)
    turns: Counter[int] = field(default_factory=Counter)

    def add(self, reason: str, winners: tuple[int, ...], decisions: int, turns: int) -> None:
        """Count a game."""
        self.endings[reason, _named(winners)] += 1
        self.decisions[decisions] += 1
        self.turns[turns] += 1

    def __iadd__(self, other: Tally) -> Self:
        """Count the games of another tally too."""
        self.endings += other.endings
        self.decisions += other.decisions
        self.turns += other.turns
        return self

    @property
    def games(self) -> int:
        """How many games were counted."""
        return self.endings.total()

    def wins(self, reason: str | None = None) -> dict[str, int]:
        """Who won how often, for one reason or for all; sharing and draws only if they occur."""
        counts = Counter[str]()
        for (why, who), number in self.endings.items():
            counts[who] += number if reason in (None, why) else 0
        seats = [f"seat {seat}" for seat in range(self.seats)]
        return {who: counts[who] for who in (*seats, SHARED, NOBODY) if who in (*seats, *counts)}

    def summary(self) -> dict[str, Any]:
        """Everything as plain data."""
        return {
            "games": self.games,
            "wins": self.wins(),
            "reasons": {reason: self.wins(reason) for reason in self._reasons()},
            "decisions": lengths(self.decisions),
            "turns": lengths(self.turns),
        }

    def __str__(self) -> str:
        rows = {reason: self.wins(reason) for reason in self._reasons()} | {"all": self.wins()}
        lines = [" " * 10 + "".join(f"{who:>10}" for who in (*self.wins(), "games"))]
        for reason, wins in rows.items():
            numbers = (*wins.values(), sum(wins.values()))
            lines.append(f"{reason:<10}" + "".join(f"{n:>10,}" for n in numbers))
        lines += ["", " " * 10 + "".join(f"{name:>10}" for name in lengths(self.turns))]
        for name, counts in (("decisions", self.decisions), ("turns", self.turns)):
            lines.append(f"{name:<10}" + "".join(f"{n:>10,}" for n in lengths(counts).values()))
        return "\n".join(lines)

    def _reasons(self) -> list[str]:
        counts = Counter[str]()
        for (reason, _), number in self.endings.items():
            counts[reason] += number
        return sorted(counts, key=lambda reason: (-counts[reason], reason))


def lengths(counts: Counter[int]) -> dict[str, float]:
    """The mean of counted numbers, and how they are spread.

    >>> lengths(Counter({10: 3, 20: 1}))["mean"]
    12.5
    """
    number = counts.total()
    spread: dict[str, float] = {
        "mean": round(sum(n * times for n, times in counts.items()) / number, 1),
        "least": min(counts),
    }
    passed, ascending = 0, iter(sorted(counts))
    for name, share in QUANTILES.items():
        while passed < share * number:
            value = next(ascending)
            passed += counts[value]
        spread[name] = value
    return spread | {"most": max(counts)}


def _named(winners: tuple[int, ...]) -> str:
    if not winners:
        return NOBODY
    return SHARED if len(winners) > 1 else f"seat {winners[0]}"
