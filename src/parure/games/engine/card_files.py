"""Read cards from CSV files, check them, and raise errors that name the line.

Each game defines the columns and ids of its files and how a card is made from a line.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from parure.games.engine.tokens import GEMS, LETTERS, NAMES

Card = TypeVar("Card")
Counts = tuple[int, ...]  # eight of them, in kind order

GEM_NAMES = NAMES[: len(GEMS)]


class InvalidCards(ValueError):
    """A card file is wrong; the message names the file, the line and the problem."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a card file; each method checks the field it returns."""

    file: Path
    number: int
    fields: dict[str, str]

    @property
    def id(self) -> str:
        return self.fields.get("id", "no id")

    def level(self) -> int:
        """Return the level; it must match the id: 2 for ``J2-05``."""
        level = self.count("level", 3, minimum=1)
        if self.id[1] != str(level):
            raise self.error(f"level {level} does not match the id")
        return level

    def counts(self, maximum: int) -> Counts:
        """Return the counts of the columns named after kinds; 0 where there is no column."""
        return tuple(self.count(name, maximum) if name in self.fields else 0 for name in NAMES)

    def color(self, *others: str) -> str:
        """Return the letter of a gem color, or one of ``others`` unchanged."""
        name = self.word("color", (*GEM_NAMES, *others))
        return LETTERS[NAMES.index(name)] if name in NAMES else name

    def count(self, column: str, maximum: int, minimum: int = 0) -> int:
        """Return a number within limits."""
        text = self.fields[column]
        if not (text.isdecimal() and minimum <= int(text) <= maximum):
            raise self.error(f"{column} is {text!r}, not a number from {minimum} to {maximum}")
        return int(text)

    def word(self, column: str, known: Sequence[str]) -> str:
        """Return one of the known words."""
        text = self.fields[column]
        if text not in known:
            words = ", ".join(word or "nothing" for word in known)
            raise self.error(f"unknown {column} {text!r}, not one of: {words}")
        return text

    def error(self, problem: str) -> InvalidCards:
        """Return an error that names this line."""
        return InvalidCards(f"{self.file.name}, line {self.number} ({self.id}): {problem}")


def level_ids(prefix: str, sizes: Iterable[int]) -> list[str]:
    """Return the card ids of decks of these sizes, level by level.

    >>> level_ids("J", [2, 1])
    ['J1-01', 'J1-02', 'J2-01']
    """
    return [
        f"{prefix}{level}-{n:02}" for level, size in enumerate(sizes, 1) for n in range(1, size + 1)
    ]


def read_cards(
    file: Path, columns: Sequence[str], ids: Sequence[str], card: Callable[[Line], Card]
) -> tuple[Card, ...]:
    """Return the cards of a file; it must have exactly these columns and ids in this order."""
    lines = list(_lines(file, columns))
    for n, line in enumerate(lines):
        if line.id in ids[:n]:
            raise line.error("duplicate id")
        if n == len(ids):
            raise line.error(f"more than {n} cards")
        if line.id != ids[n]:
            raise line.error(f"{ids[n]} belongs here")
    if len(lines) < len(ids):
        raise InvalidCards(f"{file.name}: {len(lines)} cards, not {len(ids)}")
    return tuple(map(card, lines))


def _lines(file: Path, columns: Sequence[str]) -> Iterator[Line]:
    with file.open(encoding="utf-8", newline="") as stream:
        rows = csv.reader(stream)
        header = next(rows, [])
        if header != list(columns):
            problems = [f"unknown column {name!r}" for name in header if name not in columns]
            problems += [f"missing column {name!r}" for name in columns if name not in header]
            problem = "; ".join(problems) or f"the columns are not {','.join(columns)}"
            raise InvalidCards(f"{file.name}, line 1: {problem}")
        for row in rows:
            line = Line(file, rows.line_num, dict(zip(columns, row, strict=False)))
            if len(row) != len(columns):
                raise line.error(f"{len(row)} fields, not {len(columns)}")
            yield line


def check_sum(file: Path, what: str, numbers: Iterable[int], expected: int) -> None:
    """Raise InvalidCards unless some numbers of a file have the expected sum."""
    total = sum(numbers)
    if total != expected:
        raise InvalidCards(f"{file.name}: {what} add up to {total}, not {expected}")


def check_counts(file: Path, what: str, counts: Iterable[Counts], expected: Counts) -> None:
    """Check the sum of every kind; ``expected`` may leave out the last kinds."""
    for name, numbers, total in zip(NAMES, zip(*counts, strict=True), expected, strict=False):
        check_sum(file, f"{name} {what}", numbers, total)
