"""The printed cards as tables, generated from the card files."""

from __future__ import annotations

import csv
from pathlib import Path

from markdown_tables import table

import parure

GAMES = Path(parure.__file__).parent / "games"
KINDS = {"white", "blue", "green", "red", "black", "pearl", "glass", "gold"}


def card_table(name: str) -> str:
    """Return the cards of a file, such as `duel/jewels`."""
    with (GAMES / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    shown = [
        [_shown(column, value) for column, value in zip(header, row, strict=True)] for row in rows
    ]
    return table(header, shown)


def _shown(column: str, value: str) -> str:
    return "" if value == "0" and column in KINDS | {"crowns", "bonus", "points"} else value
