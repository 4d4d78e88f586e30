"""Where turns end, and what a decision reveals.

The rules hand a turn over as soon as nothing can follow, and refill the face-up rows. A table on
which a player may undo until then shows the position in between; `arrivals` and `drawn` say which
cards it has to cover.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from parure.games.api import determinize
from parure.games.engine.arrays import Row
from parure.games.playouts import after_each
from parure.games.position import Position
from parure.games.view import View

Flags: TypeAlias = NDArray[np.bool_]
"""A flag for each row."""

Place = tuple[int, int]
"""A face-up place: its level (0 for the Counterfeiter row) and its number in that row."""


def completes_turn(before: Position, after: Position) -> bool:
    """Return whether a turn, or the game, ended between two positions."""
    return after.turns > before.turns or after.is_over


def reveals(before: Position, after: Position, decision: str) -> bool:
    """Return whether a decision showed its seat something hidden, or the result of chance.

    The cards that refill the face-up rows as the turn ends do not count, nor does a card drawn into
    the reserve by the last decision: a table can cover both until the turn is handed over.

    The answer depends only on what the seat to move knows: see `will_reveal`. And what that seat
    sees after a decision that reveals nothing follows from what it saw before.

    >>> import parure
    >>> before = parure.new("splendor", seed=7)
    >>> after = before.copy()
    >>> reveals(before, after, after.play("reserve deck2"))
    False
    """
    return revealing(before, after.words[np.newaxis], [decision])[0]


def will_reveal(view: View, decision: int) -> bool:
    """Return what `reveals` will say of a legal decision of the viewer, before it is taken.

    The decision is tried on a determinization, so nothing hidden has a part in the answer.

    >>> import parure
    >>> view = parure.new("duel", seed=7).view(0)
    >>> will_reveal(view, view.rules.decision("take a1 b1 c1"))
    False
    """
    before = determinize(view, seed=0)
    rows = after_each(before.rules, before.words, [decision], before.rng)
    return revealing(before, rows, [view.rules.decision_texts[decision]])[0]


def revealing(before: Position, rows: Row, decisions: Sequence[str]) -> list[bool]:
    """Return for each of some decisions what `reveals` does, given the rows that they lead to."""
    rules, layout = before.rules, before.rules.layout
    decks = slice(layout.DECK_SIZES, layout.DECK_SIZES + layout.DECKS)
    undrawn = sum(before.words[decks].tolist())
    flags = [decision.startswith(rules.disclosures) for decision in decisions]
    for i, left in enumerate(rows[:, decks].tolist()):
        drawn_unseen = undrawn - sum(left)
        if drawn_unseen and not flags[i]:  # rarely
            drawn_unseen -= decisions[i].startswith(rules.draws_known)
            flags[i] = drawn_unseen > _covered(before, rows[i], decisions[i])
    return flags


def _covered(before: Position, row: Row, decision: str) -> int:
    """Return the number of drawn cards that a table covers until the turn is handed over."""
    layout = before.rules.layout
    if row.item(layout.PHASE) != layout.OVER and row.item(layout.TURNS) == before.turns:
        return 0  # the turn goes on
    empty: int = before.rules.priced.item(layout.EMPTY)
    slots = slice(layout.SLOTS, layout.SLOTS + before.face_up_places)
    pairs = zip(before.words[slots].tolist(), row[slots].tolist(), strict=True)
    arrived = sum([1 for old, new in pairs if old != new and new != empty])
    return arrived + decision.startswith(before.rules.draws)


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
