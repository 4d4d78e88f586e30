"""The cards of Splendor, read from their files and checked."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from parure.games.engine.card_files import (
    GEM_NAMES,
    Counts,
    Line,
    check_counts,
    check_sum,
    level_ids,
    read_cards,
)
from parure.games.splendor import layout


@dataclass(frozen=True, slots=True)
class Development:
    """A development card."""

    id: str
    level: int
    color: str
    points: int
    cost: Counts


@dataclass(frozen=True, slots=True)
class Noble:
    """A noble."""

    id: str
    points: int
    needs: Counts  # bonuses


def read_developments(file: Path) -> tuple[Development, ...]:
    """Read the developments of all levels: docs/rules/cards.md, "Development cards"."""
    columns = ("id", "level", "color", "points", *GEM_NAMES)
    cards = read_cards(file, columns, level_ids("D", layout.LEVEL_SIZES), _development)
    for level, cost, points in ((1, 33, 5), (2, 41, 55), (3, 43, 80)):
        deck = [card for card in cards if card.level == level]
        check_counts(file, f"costs of level {level}", (card.cost for card in deck), (cost,) * 5)
        check_sum(file, f"points of level {level}", (card.points for card in deck), points)
    return cards


def _development(line: Line) -> Development:
    return Development(
        id=line.id,
        level=line.level(),
        color=line.color(),
        points=line.count("points", 5),
        cost=line.counts(7),
    )


def read_nobles(file: Path) -> tuple[Noble, ...]:
    """Read the nobles: docs/rules/cards.md, "Nobles"."""
    columns = ("id", "points", *GEM_NAMES)
    nobles = read_cards(file, columns, [f"N{n:02}" for n in range(1, 11)], _noble)
    check_counts(file, "needs", (noble.needs for noble in nobles), (17,) * 5)
    return nobles


def _noble(line: Line) -> Noble:
    return Noble(id=line.id, points=line.count("points", 3, minimum=3), needs=line.counts(4))


_FOLDER = Path(__file__).parent

DEVELOPMENTS = read_developments(_FOLDER / "developments.csv")
NOBLES = read_nobles(_FOLDER / "nobles.csv")
