"""The legal decisions as a person is offered them, and what a person may type for one."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import groupby, repeat

LONGEST_LIST = 16  # a longer list is not shown whole unless it is asked for
EXAMPLES = 5
WIDTH = 96

_CARD = re.compile(r"\b[jd](?=\d-\d)")  # the letter before a card's level, which may be left out


class Menu:
    """Legal decisions, grouped by their verb; those of short groups have numbers.

    >>> menu = Menu(["take ww", "take wug", "pass"])
    >>> print(menu)
    take   1: take ww    2: take wug
    pass   3: pass
    >>> menu.meant("2"), menu.meant("TAKE guw"), menu.meant("take kk")
    ('take wug', 'take wug', None)
    """

    def __init__(self, decisions: Iterable[str]) -> None:
        self.groups = {verb: list(group) for verb, group in groupby(decisions, _verb)}
        self._short = {verb: g for verb, g in self.groups.items() if len(g) <= LONGEST_LIST}
        numbered = [decision for group in self._short.values() for decision in group]
        self._numbers = {decision: n for n, decision in enumerate(numbered, start=1)}
        self._meanings = {str(n): decision for decision, n in self._numbers.items()}
        for group in self.groups.values():
            self._meanings |= {_key(decision): decision for decision in group}

    def meant(self, text: str) -> str | None:
        """The legal decision that a text or number means, if it means one."""
        return self._meanings.get(_key(text))

    def __str__(self) -> str:
        width = max(map(len, self.groups), default=0)
        lines = []
        for verb, group in self.groups.items():
            if verb in self._short:
                items = [f"{self._numbers[decision]}: {decision}" for decision in group]
            else:
                items = [f"{len(group)} ways, such as {', '.join(_spread(group))}"]
            lines += _columns(f"{verb:<{width}}", items)
        return "\n".join(lines)

    def listed(self, verb: str) -> str:
        """All decisions of a verb."""
        return "\n".join(_columns("", self.groups[verb]))


def match_decision(text: str, decisions: Iterable[str]) -> str | None:
    """The one among some decisions that a text means, if it means one."""
    key = _key(text)
    return next((decision for decision in decisions if _key(decision) == key), None)


def _verb(decision: str) -> str:
    return decision.partition(" ")[0]


def _key(text: str) -> str:
    """What all spellings of a decision have in common: case, blanks, the order of what is taken.

    >>> _key("take  C1 b1") == _key("take b1 c1"), _key("buy 2-05") == _key("buy J2-05")
    (True, True)
    """
    verb, *words = _CARD.sub("", text.casefold()).split() or [""]
    if verb == "take":
        words = sorted("".join(sorted(word)) for word in words)
    return " ".join((verb, *words))


def _spread(group: list[str]) -> list[str]:
    """Some examples from all over a long group."""
    return group[:: len(group) // EXAMPLES][:EXAMPLES]


def _columns(head: str, items: list[str]) -> list[str]:
    """Items in columns, beside a heading."""
    gap, width = "   ", max(map(len, items))
    across = max(1, (WIDTH - len(head)) // (width + len(gap)))
    rows = [items[first : first + across] for first in range(0, len(items), across)]
    heads = [head, *repeat(" " * len(head), len(rows) - 1)]
    return [
        (beside + "".join(f"{gap}{item:<{width}}" for item in row)).rstrip()
        for beside, row in zip(heads, rows, strict=True)
    ]
