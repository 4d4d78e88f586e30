"""The cards of Splendor Duel and The Counterfeiters, read from their files and checked."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from parure.games.duel import layout
from parure.games.engine.card_files import (
    Counts,
    Line,
    check_counts,
    check_sum,
    level_ids,
    read_cards,
)
from parure.games.engine.tokens import NAMES

JEWEL_ABILITIES = layout.ABILITIES[: layout.RESERVES]
ROYAL_ABILITIES = (
    *(ability for ability in layout.ABILITIES if ability != "token"),
    "win-at-9-points-in-a-color",
    "win-at-9-crowns",
)
EFFECTS = (
    "discount-color",
    "discount-three",
    "discount-pearl",
    "discount-any",
    "bribe-royal",
    "again",
    "steal",
    "glass-uncounted",
    "privilege-two",
    "crowns",
    "reserve-five",
    "token-plus",
    "peek-three",
)


@dataclass(frozen=True, slots=True)
class Jewel:
    """A jewel card."""

    id: str
    level: int
    color: str  # the letter of a gem, "joker" if the buyer chooses it, "none" without a bonus
    bonus: int
    points: int
    crowns: int
    ability: str
    cost: Counts


@dataclass(frozen=True, slots=True)
class Royal:
    """A royal card."""

    id: str
    points: int
    ability: str


@dataclass(frozen=True, slots=True)
class Counterfeiter:
    """A Counterfeiter card."""

    id: str
    effect: str
    color: str  # the letter of the gem that a discount-color lowers, otherwise ""
    crowns: int
    cost: Counts


def read_jewels(file: Path) -> tuple[Jewel, ...]:
    """Read the jewels of all three levels: docs/rules/cards.md, "Jewel cards"."""
    columns = ("id", "level", "color", "bonus", "points", "crowns", "ability", *NAMES[:6])
    jewels = read_cards(file, columns, level_ids("J", layout.LEVEL_SIZES), _jewel)
    check_counts(file, "costs", (jewel.cost for jewel in jewels), (81, 81, 81, 81, 81, 29))
    check_sum(file, "points", (jewel.points for jewel in jewels), 92)
    check_sum(file, "crowns", (jewel.crowns for jewel in jewels), 28)
    check_sum(file, "bonuses", (jewel.bonus for jewel in jewels), 69)
    return jewels


def _jewel(line: Line) -> Jewel:
    jewel = Jewel(
        id=line.id,
        level=line.level(),
        color=line.color("joker", "none"),
        bonus=line.count("bonus", 2),
        points=line.count("points", 6),
        crowns=line.count("crowns", 3),
        ability=line.word("ability", JEWEL_ABILITIES),
        cost=line.counts(8),
    )
    if (jewel.color == "none") != (jewel.bonus == 0):
        raise line.error(f"bonus {jewel.bonus} does not go with color {jewel.color!r}")
    return jewel


def read_royals(file: Path) -> tuple[Royal, ...]:
    """Read the royals of both games: docs/rules/cards.md, "Royals"."""
    columns = ("id", "points", "ability")
    royals = read_cards(file, columns, [f"R{n}" for n in range(1, 13)], _royal)
    check_sum(file, "points", (royal.points for royal in royals), 17)
    return royals


def _royal(line: Line) -> Royal:
    return Royal(
        id=line.id,
        points=line.count("points", 3),
        ability=line.word("ability", ROYAL_ABILITIES),
    )


def read_counterfeiters(file: Path) -> tuple[Counterfeiter, ...]:
    """Read the Counterfeiters: docs/rules/cards.md, "Counterfeiter cards"."""
    columns = ("id", "effect", "color", "crowns", *NAMES)
    cards = read_cards(file, columns, [f"C{n:02}" for n in range(1, 18)], _counterfeiter)
    check_counts(file, "costs", (card.cost for card in cards), (4, 4, 4, 4, 4, 5, 26, 2))
    check_sum(file, "crowns", (card.crowns for card in cards), 2)
    return cards


def _counterfeiter(line: Line) -> Counterfeiter:
    card = Counterfeiter(
        id=line.id,
        effect=line.word("effect", EFFECTS),
        color=line.color(""),
        crowns=line.count("crowns", 2),
        cost=line.counts(3),
    )
    if (card.effect == "discount-color") != (card.color != ""):
        raise line.error(f"color {card.color!r} does not go with effect {card.effect!r}")
    return card


_FOLDER = Path(__file__).parent

JEWELS = read_jewels(_FOLDER / "jewels.csv")
ROYALS = read_royals(_FOLDER / "royals.csv")
COUNTERFEITERS = read_counterfeiters(_FOLDER / "counterfeiters.csv")
