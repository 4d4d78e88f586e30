"""Views that only a table shows: a complete turn before its hand-over, and an open replay."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import UNSET

from parure.games.duel.view_schema import DuelViewData
from parure.games.splendor.view_schema import SplendorViewData
from parure.games.state import State
from parure.games.view_schema import ViewData, view_data
from parure.table.game import table_game
from parure.table.turn_boundary import arrivals, drawn

AnyViewData: TypeAlias = DuelViewData | SplendorViewData
"""The view of any game, told apart by `kind` in a message."""

COMPLETE_TURN = "end"  # the phase between the last decision of a turn and its hand-over


def complete_turn_view(before: State, after: State) -> ViewData:
    """Return the view of a seat whose last decision led from one state to the next.

    The turn is complete but not handed over: the face-up rows are not refilled yet, and a card
    drawn from a deck is not turned over yet. Both states are needed because the rules do this at
    once, and begin the next turn.
    """
    seat = before.seat
    data = view_data(after.view(seat), with_cards=False)
    arrived = arrivals(before, after)
    assert data.deck_sizes is not UNSET, "view_data writes every field"
    for level, slot in arrived:
        if level:
            data.pyramid[level - 1][slot] = None
            data.deck_sizes[level - 1] += 1
    reserved = data.players[seat].reserved
    for i in drawn(before, after):
        reserved[i] = f"??{reserved[i][1]}"
    data_before = view_data(before.view(seat), with_cards=False)
    table_game(before.game).restore_turn(data, data_before, arrived)
    data.phase, data.seat, data.turns = COMPLETE_TURN, seat, before.turns
    data.outcome = None
    return data


def covered_cards(before: State, after: State) -> set[str]:
    """Return the cards that `complete_turn_view` covers."""
    reserved = after.players[before.seat].reserved
    return {*arrivals(before, after).values(), *(reserved[i] for i in drawn(before, after))}


def open_view(state: State) -> ViewData:
    """Return a watcher's view of a state in which every reserved card is named, for a replay."""
    data = view_data(state.view(None), with_cards=False)
    for player, known in zip(data.players, state.players, strict=True):
        player.reserved = list(known.reserved)
    return data


def any_view_data(data: ViewData) -> AnyViewData:
    """Return the data of a view as the union of all games, which messages are made of."""
    assert isinstance(data, DuelViewData | SplendorViewData)
    return data
