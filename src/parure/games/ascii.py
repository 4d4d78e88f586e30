"""Plain-text drawing that the boards of all games share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from parure.games.engine.tokens import LETTERS

if TYPE_CHECKING:
    from parure.games.position import Position

_WIDTH = 15


def cost(counts: Sequence[int]) -> str:
    """Return a price in letters: `4w2k1p`."""
    return "".join(f"{n}{letter}" for letter, n in zip(LETTERS, counts, strict=True) if n)


def card_row(label: str, cards: Sequence[tuple[str, str]]) -> list[str]:
    """Return a labelled row of cards as two lines of text."""
    return [
        f"{label if i == 0 else '':<6} {''.join(f'{card[i]:<{_WIDTH}}' for card in cards)}".rstrip()
        for i in range(2)
    ]


def status_line(position: Position) -> str:
    """Return whose move it is, or how the game ended."""
    outcome = position.outcome
    if outcome is None:
        return f"seat {position.seat} to move, phase {position.phase}"
    won = " and ".join(f"seat {seat}" for seat in outcome.winners) or "nobody"
    return f"over: {won} won ({outcome.reason})"
