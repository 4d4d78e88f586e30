"""Events: what a decision did that everybody could see. They are derived, never stored."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from parure.games.rules import Rules
from parure.games.state import State
from parure.table.prices import holdings, token_changes
from parure.table.turn_boundary import arrivals, completes_turn


class Arrival(Struct, frozen=True):
    """A card that came into a face-up place."""

    level: int  # 0: the Counterfeiter row
    slot: int
    card: str


class Event(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One decision and what everybody could see of it. What is left out did not happen."""

    number: int  # of the decision in the game, from 0
    turn: int  # the number of the turn, from 0
    seat: int
    decision: str  # as the viewer may know it, chance included: `replenish > wkg`, `keep ??`
    card: str = ""  # the card that the decision names, as the viewer may know it
    tokens: dict[int, dict[str, int]] = {}  # by seat: gained, or below 0 lost
    taken: dict[str, str] = {}  # the board cells emptied, with their tokens
    laid: dict[str, str] = {}  # the board cells filled
    privileges: dict[int, int] = {}  # by seat: gained or lost
    points: dict[int, int] = {}
    crowns: dict[int, int] = {}
    gained: tuple[str, ...] = ()  # cards, royals, nobles, Counterfeiters now before the seat
    arrivals: tuple[Arrival, ...] = ()  # cards that came into face-up places
    ends_turn: bool = False


def event_between(before: State, after: State, decision: str) -> Event:
    """Return the event of a decision that leads from one state to the next.

    Only `decision` and `card` may hold something that not everybody knows: see `event_for`.

    >>> import parure
    >>> before = parure.new("splendor", seed=7)
    >>> after = before.copy()
    >>> event_between(before, after, after.play("take wug")).tokens
    {0: {'w': 1, 'u': 1, 'g': 1}}
    """
    old_board, new_board = before.board_cells, after.board_cells
    has_new_board = old_board != new_board
    old_collection = before.players[before.seat].collection
    new_collection = after.players[before.seat].collection
    changes = _counter_changes(before, after)
    places = arrivals(before, after).items()
    return Event(
        number=len(before.decisions),
        turn=before.turns,
        seat=before.seat,
        decision=decision,
        card=_card_in(decision),
        tokens=_token_changes_by_seat(before, after),
        taken=_not_in(new_board, old_board) if has_new_board else {},
        laid=_not_in(old_board, new_board) if has_new_board else {},
        privileges=changes.get("privileges", {}),
        points=changes.get("points", {}),
        crowns=changes.get("crowns", {}),
        gained=()
        if new_collection == old_collection
        else tuple([card for card in new_collection if card not in old_collection]),
        arrivals=tuple(Arrival(level, slot, card) for (level, slot), card in places),
        ends_turn=completes_turn(before, after),
    )


def event_for(event: Event, rules: Rules, viewer: int | None) -> Event:
    """Return an event as a viewer may know it; None is a watcher."""
    decision = rules.redact(event.decision, is_own=viewer == event.seat)
    if decision == event.decision:
        return event
    return replace(event, decision=decision, card=_card_in(decision))


def _card_in(decision: str) -> str:
    """Return the card that a decision names, if it does."""
    words = decision.partition(" > ")[0].split()
    return words[1] if len(words) > 1 and words[1][0] in "JDCRN?" else ""


def _token_changes_by_seat(before: State, after: State) -> dict[int, dict[str, int]]:
    changes = {}
    for seat in range(before.seats):
        old, new = holdings(before, seat).tokens, holdings(after, seat).tokens
        if old != new:
            changes[seat] = token_changes(old, new)
    return changes


def _not_in(board: dict[str, str], other: dict[str, str]) -> dict[str, str]:
    """Return the cells, with their tokens, that are occupied only on the other board."""
    return {cell: kind for cell, kind in other.items() if cell not in board}


def _counter_changes(before: State, after: State) -> dict[str, dict[int, int]]:
    """Return how points, crowns and privileges changed, by counter and seat."""
    changes: dict[str, dict[int, int]] = {}
    for old, new in zip(before.players, after.players, strict=True):
        counters = old.counters
        for name, count in new.counters.items():
            if count != counters[name]:
                changes.setdefault(name, {})[old.seat] = count - counters[name]
    return changes
