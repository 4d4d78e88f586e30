"""Turns, as whoever keeps a table needs to know them: where one ends, and what has been revealed.

The rules hand a turn over as soon as nothing can follow, and fill the gaps. A table on which a
player may think again before that shows the position in between: see `arrivals` and `drawn`, which
name what is not to be seen yet.
"""

from __future__ import annotations

from typing import Any

from parure.games.position import Position

Place = tuple[int, int]
"""A face-up place: its level, 0 for the Counterfeiter row, and its number in that row."""


def completes_turn(before: Position, after: Position) -> bool:
    """Whether a turn, or the game, ended between two positions."""
    return after.turns > before.turns or after.is_over


def reveals(before: Position, after: Position, decision: str) -> bool:
    """Whether a decision showed something hidden to its seat, or asked chance.

    What comes out of the decks as the turn ends does not count, nor does a card drawn into the
    reserve by the last decision: whoever keeps the table can cover both until the turn is over.

    >>> import parure
    >>> before = parure.new("splendor", seed=7)
    >>> after = before.copy()
    >>> reveals(before, after, after.play("reserve deck2"))
    False
    """
    if " > " in decision or decision.startswith("deck "):
        return True
    came_out = _undealt(before) - _undealt(after)
    if came_out and completes_turn(before, after):
        came_out -= len(arrivals(before, after)) + len(drawn(before, after))
    return came_out > 0 or not _royals(after) <= _royals(before)


def arrivals(before: Position, after: Position) -> dict[Place, str]:
    """The cards that came into face-up places between two positions."""
    return {
        (level, slot): card
        for level, (old, new) in enumerate(zip(_rows(before), _rows(after), strict=True))
        for slot, card in enumerate(new)
        if card and card != old[slot]
    }


def drawn(before: Position, after: Position) -> list[int]:
    """Which reserved cards the seat to move drew unseen from a deck between two positions."""
    seen = {card for row in _rows(before) for card in row}
    seen.update(before.players[before.seat].reserved)
    reserved = after.players[before.seat].reserved
    return [i for i, card in enumerate(reserved) if card not in seen]


def _rows(position: Any) -> tuple[tuple[str | None, ...], ...]:
    """The Counterfeiter row, if the game has one, and the levels of the pyramid."""
    return (getattr(position, "counterfeiters", ()), *position.pyramid)


def _royals(position: Any) -> set[str]:
    return set(getattr(position, "royals", ()))


def _undealt(position: Any) -> int:
    """How many cards lie in the decks that fill gaps."""
    return int(sum(position.deck_sizes) + getattr(position, "counterfeiter_deck_size", 0))
