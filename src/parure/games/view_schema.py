"""A view in words and numbers that need no table to be read: its *form*.

The form of a view holds what the view holds, by name, and beside it what the named cards cost and
bring. It goes over a wire as JSON; :mod:`parure.games.view_parser` is the way back.

>>> import parure
>>> form = view_data(parure.new("splendor", seed=7).view(0))
>>> form.pyramid[2], form.deck_sizes
(['D3-08', 'D3-01', 'D3-12', 'D3-11'], [36, 26, 16])
>>> form.cards["D3-08"]
{'level': 3, 'color': 'u', 'points': 5, 'cost': {'w': 7, 'u': 3}}
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any

import msgspec

from parure.games.position import Outcome
from parure.games.view import View

Count = Annotated[int, msgspec.Meta(ge=0, le=999)]
Seat = Annotated[int, msgspec.Meta(ge=0, le=3)]
Counts = dict[str, Count]  # by letter; what is zero is left out
CardFacts = dict[str, Any]  # what is printed on a card


class ViewData(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """What the forms of all games share."""

    game: str
    options: dict[str, bool]
    seats: Annotated[int, msgspec.Meta(ge=2, le=4)]
    viewer: Seat | None  # None: a watcher
    seat: Seat  # to move
    phase: str
    turns: Count
    outcome: Outcome | None
    pyramid: list[list[str | None]]  # levels 1 to 3; None for a gap
    deck_sizes: list[Count]
    cards: dict[str, CardFacts]  # every card that is named anywhere in the form


class PlayerData(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """What a seat holds in every game."""

    tokens: Counts
    bonuses: Counts
    points: Count
    cards: list[str]  # bought, in the order of the deck
    reserved: list[str]  # in the order they came; `??2` is one of level 2 that is not known
    shown: list[str]  # those of the reserve that everyone knows


def view_data(view: View) -> ViewData:
    """The form of a view."""
    if view.game == "splendor":
        from parure.games.splendor import view_schema as wire
    else:
        from parure.games.duel import view_schema as wire  # type: ignore[no-redef]
    form: ViewData = wire.view_data(view)  # type: ignore[arg-type]
    return form


def common(view: View, facts: Mapping[str, CardFacts], named: Iterable[str]) -> dict[str, Any]:
    """Return the fields of `ViewData`; `named`: cards besides those of the pyramid and seats."""
    everywhere = [name for level in view.pyramid for name in level if name]
    for player in view.players:
        everywhere += [*player.cards, *player.reserved]
    everywhere += named
    return {
        "game": view.game,
        "options": dict(view.options),
        "seats": view.seats,
        "viewer": view.viewer,
        "seat": view.seat,
        "phase": view.phase,
        "turns": view.turns,
        "outcome": view.outcome,
        "pyramid": [list(level) for level in view.pyramid],
        "deck_sizes": list(view.deck_sizes),
        "cards": {name: facts[name] for name in everywhere if name in facts},
    }


def common_of_seat(view: View, seat: int, known_to_all: int) -> dict[str, Any]:
    """The fields of `PlayerData`; `known_to_all` is a set of cards as bits."""
    player, numbers = view.players[seat], view.card_numbers
    return {
        "tokens": player.tokens,
        "bonuses": player.bonuses,
        "points": player.points,
        "cards": list(player.cards),
        "reserved": list(player.reserved),
        "shown": [name for name in player.reserved if known_to_all >> numbers.get(name, 127) & 1],
    }
