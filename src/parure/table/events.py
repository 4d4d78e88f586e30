"""What a decision visibly did: the difference of two views that everybody may have."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from parure.games.engine.tokens import LETTERS
from parure.games.state import State
from parure.games.view import View
from parure.table.turn_boundary import Place, arrivals, completes_turn

Changes = dict[int, dict[str, int]]


class Event(Struct, frozen=True):
    """One decision and what everybody could see of it."""

    decision: str  # as its own seat may know it
    seat: int
    turn: int  # the number of the turn it belongs to
    tokens: Changes  # by seat: what came, or below 0 went
    taken: dict[str, str]  # cells emptied, with what lay there
    laid: dict[str, str]  # cells filled
    privileges: dict[int, int]
    points: dict[int, int]
    crowns: dict[int, int]
    gained: tuple[str, ...]  # cards, royals, nobles, Counterfeiters that now lie before the seat
    came: dict[Place, str]  # cards that came into face-up places
    ends_turn: bool


def event_between(before: State, after: State, decision: str) -> Event:
    """What a decision, played from one state to the next, showed to everybody.

    >>> import parure
    >>> before = parure.new("splendor", seed=7)
    >>> after = before.copy()
    >>> event_between(before, after, after.play("take wug")).tokens
    {0: {'w': 1, 'u': 1, 'g': 1}}
    """
    old, new = before.view(None), after.view(None)
    seat = before.seat
    old_board, new_board = getattr(old, "board", {}), getattr(new, "board", {})
    return Event(
        decision=decision,
        seat=seat,
        turn=old.turns,
        tokens=_token_changes(old, new),
        taken={cell: kind for cell, kind in old_board.items() if cell not in new_board},
        laid={cell: kind for cell, kind in new_board.items() if cell not in old_board},
        privileges=_changes(old, new, "privileges"),
        points=_changes(old, new, "points"),
        crowns=_changes(old, new, "crowns"),
        gained=_gained(old.players[seat], new.players[seat]),
        came=arrivals(old, new),
        ends_turn=completes_turn(old, new),
    )


def _token_changes(old: View, new: View) -> Changes:
    changes: Changes = {}
    for seat in range(old.seats):
        had, has = old.players[seat].tokens, new.players[seat].tokens
        if had != has:
            change = {kind: has.get(kind, 0) - had.get(kind, 0) for kind in LETTERS}
            changes[seat] = {kind: n for kind, n in change.items() if n}
    return changes


def _changes(old: View, new: View, what: str) -> dict[int, int]:
    """The seats for which a number changed, and by how much."""
    if not hasattr(old.players[0], what):
        return {}
    changes = {
        seat: getattr(new.players[seat], what) - getattr(old.players[seat], what)
        for seat in range(old.seats)
    }
    return {seat: change for seat, change in changes.items() if change}


def _gained(old: Any, new: Any) -> tuple[str, ...]:
    gained: list[str] = []
    for kind in ("cards", "counterfeiters", "royals", "nobles"):
        had = getattr(old, kind, ())
        gained += [card for card in getattr(new, kind, ()) if card not in had]
    return tuple(gained)
