"""Where turns end, and what a decision reveals.

The rules hand a turn over as soon as nothing can follow, and refill the face-up rows. A table on
which a player may undo until then shows the position in between; `arrivals` and `drawn` say which
cards it has to cover.
"""

from __future__ import annotations

from parure.games.position import Position

Place = tuple[int, int]
"""A face-up place: its level (0 for the Counterfeiter row) and its number in that row."""


def completes_turn(before: Position, after: Position) -> bool:
    """Return whether a turn, or the game, ended between two positions."""
    return after.turns > before.turns or after.is_over


def reveals(before: Position, after: Position, decision: str) -> bool:
    """Return whether a decision showed its seat something hidden, or the result of chance.

    The cards that refill the face-up rows as the turn ends do not count, nor does a card drawn into
    the reserve by the last decision: a table can cover both until the turn is handed over.

    >>> import parure
    >>> before = parure.new("splendor", seed=7)
    >>> after = before.copy()
    >>> reveals(before, after, after.play("reserve deck2"))
    False
    """
    if " > " in decision or decision.startswith("deck "):
        return True
    dealt = before.undealt_count - after.undealt_count
    if dealt and completes_turn(before, after):
        dealt -= len(arrivals(before, after)) + len(drawn(before, after))
    return dealt > 0 or not set(after.tiles) <= set(before.tiles)


def arrivals(before: Position, after: Position) -> dict[Place, str]:
    """Return the cards that came into face-up places between two positions."""
    rows = zip(before.face_up_rows, after.face_up_rows, strict=True)
    return {
        (level, slot): card
        for level, (old, new) in enumerate(rows)
        for slot, card in enumerate(new)
        if card and card != old[slot]
    }


def drawn(before: Position, after: Position) -> list[int]:
    """Return the indices of the reserved cards that the seat to move drew unseen from a deck."""
    seen = {card for row in before.face_up_rows for card in row}
    seen.update(before.players[before.seat].reserved)
    reserved = after.players[before.seat].reserved
    return [i for i, card in enumerate(reserved) if card not in seen]
