"""The legal decisions as a menu for a person, and what may be typed to choose one."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby, repeat

from parure.games.notation import normalize

MAX_LISTED = 16  # decisions of one verb; of more the menu shows only examples
EXAMPLES = 5
WIDTH = 96


class Menu:
    """Legal decisions, grouped by their verb; the decisions of short groups are numbered.

    >>> menu = Menu(["take ww", "take wug", "pass"])
    >>> print(menu)
    take   1: take ww    2: take wug
    pass   3: pass
    >>> menu.find("2"), menu.find("TAKE guw"), menu.find("take kk")
    ('take wug', 'take wug', None)
    """

    def __init__(self, decisions: Iterable[str]) -> None:
        self.groups = {verb: list(group) for verb, group in groupby(decisions, _verb)}
        self._short = {verb: g for verb, g in self.groups.items() if len(g) <= MAX_LISTED}
        numbered = [decision for group in self._short.values() for decision in group]
        self._numbers = {decision: n for n, decision in enumerate(numbered, start=1)}
        self._by_input = {str(n): decision for decision, n in self._numbers.items()}
        for group in self.groups.values():
            self._by_input |= {normalize(decision): decision for decision in group}

    def find(self, text: str) -> str | None:
        """Return the legal decision with a number or, leniently spelled, a text; else None."""
        return self._by_input.get(normalize(text))

    def __str__(self) -> str:
        width = max(map(len, self.groups), default=0)
        lines = []
        for verb, group in self.groups.items():
            if verb in self._short:
                items = [f"{self._numbers[decision]}: {decision}" for decision in group]
            else:
                items = [f"{len(group)} decisions, such as {', '.join(_examples(group))}"]
            lines += _columns(f"{verb:<{width}}", items)
        return "\n".join(lines)

    def list_group(self, verb: str) -> str:
        """Return all decisions of a verb, in columns."""
        return "\n".join(_columns("", self.groups[verb]))


def _verb(decision: str) -> str:
    return decision.partition(" ")[0]


def _examples(group: list[str]) -> list[str]:
    """Return some decisions, spread evenly over a long group."""
    return group[:: len(group) // EXAMPLES][:EXAMPLES]


def _columns(heading: str, items: list[str]) -> list[str]:
    """Return lines with items in columns; the first line begins with the heading."""
    gap, width = "   ", max(map(len, items))
    per_row = max(1, (WIDTH - len(heading)) // (width + len(gap)))
    rows = [items[first : first + per_row] for first in range(0, len(items), per_row)]
    margins = [heading, *repeat(" " * len(heading), len(rows) - 1)]
    return [
        (margin + "".join(f"{gap}{item:<{width}}" for item in row)).rstrip()
        for margin, row in zip(margins, rows, strict=True)
    ]
