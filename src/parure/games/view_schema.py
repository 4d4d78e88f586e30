"""A view as data: everything that a view holds, by name, in types that JSON can carry.

These types are used wherever a position leaves the process: the line protocol of the bots, the
messages of a table, replays, and the page, whose TypeScript types are generated from them.
`view_data` makes the data of a view; :mod:`parure.games.view_parser` makes a view of the data.

Fields whose type is `Derived…` follow from the other fields. They are always written; a reader
accepts data without them and refuses a wrong value.

>>> import parure
>>> data = view_data(parure.new("splendor", seed=7).view(0))
>>> data.pyramid[2], data.deck_sizes
(['D3-08', 'D3-01', 'D3-12', 'D3-11'], [36, 26, 16])
>>> data.cards["D3-08"]
{'level': 3, 'color': 'u', 'points': 5, 'cost': {'w': 7, 'u': 3}}
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Annotated, Any, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType

from parure.games.position import Outcome
from parure.games.registry import GameName, family_of, import_part
from parure.games.view import View

Count: TypeAlias = Annotated[int, Meta(ge=0, le=999)]
Seat: TypeAlias = Annotated[int, Meta(ge=0, le=3)]
Counts: TypeAlias = dict[str, Count]
"""Tokens, bonuses or prices by letter; zeros are left out."""

CardFacts: TypeAlias = dict[str, Any]
"""What is printed on a card."""

DERIVED = {"derived": True}  # marks a field that is always written and optional when read
DerivedSeat: TypeAlias = Annotated[Seat | UnsetType, Meta(extra=DERIVED)]
DerivedCount: TypeAlias = Annotated[Count | UnsetType, Meta(extra=DERIVED)]
DerivedCounts: TypeAlias = Annotated[Counts | UnsetType, Meta(extra=DERIVED)]
DerivedSizes: TypeAlias = Annotated[list[Count] | UnsetType, Meta(extra=DERIVED)]
DerivedFlag: TypeAlias = Annotated[bool | UnsetType, Meta(extra=DERIVED)]


class Purchase(Struct, kw_only=True, forbid_unknown_fields=True):
    """A card that is being paid for, and the payment so far."""

    card: str
    price: Counts  # after bonuses and the discounts used so far
    gold_laid: Counts  # gold paid in place of each kind
    step: str | None  # the first payment decision still allowed, in their order; null: any


class PlayerData(Struct, kw_only=True, forbid_unknown_fields=True):
    """What a seat holds in every game."""

    seat: DerivedSeat = UNSET
    points: DerivedCount = UNSET
    tokens: Counts
    token_count: DerivedCount = UNSET  # the tokens that count toward the limit
    token_limit: DerivedCount = UNSET
    bonuses: DerivedCounts = UNSET
    cards: list[str]  # bought, in the order of their deck
    reserved: list[str]  # in the order they came; `??2` is an unknown card of level 2
    shown: list[str]  # the reserved cards that everyone knows
    reserve_limit: DerivedCount = UNSET
    goals: DerivedCounts = UNSET  # what it takes to win: points, and in Duel crowns and color


class ViewData(Struct, kw_only=True, forbid_unknown_fields=True, tag_field="kind"):
    """What the views of all games share; `kind` is the family of games."""

    game: GameName
    options: dict[str, bool]
    seats: Annotated[int, Meta(ge=2, le=4)]
    viewer: Seat | None  # null: a watcher
    seat: Seat  # to move
    phase: str  # as in the rules; at a table also `end`: the turn is complete, not handed over
    turns: Count  # completed
    outcome: Outcome | None
    pyramid: list[list[str | None]]  # levels 1 to 3; null for a gap
    deck_sizes: DerivedSizes = UNSET  # of levels 1 to 3
    buying: Purchase | None
    players: Sequence[PlayerData]
    cards: dict[str, CardFacts] | UnsetType = UNSET  # the printed facts of every card named here


def view_data(view: View, with_cards: bool = True) -> ViewData:
    """Return a view as data, with or without what is printed on the cards it names.

    What the players hold may be shared with the data of other views: change it in a copy only.
    """
    write: Callable[[View, bool], ViewData] = import_part(family_of(view.game).view_writer)
    return write(view, with_cards)


def shared_fields(
    view: View, facts: Mapping[str, CardFacts] | None, other_cards: Iterable[str]
) -> dict[str, Any]:
    """Return the fields of `ViewData` but for `buying` and `players`.

    Args:
        view: The view.
        facts: What is printed on the cards; None to leave it out.
        other_cards: The cards that the view names besides those in the pyramid, bought, reserved.
    """
    fields = {
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
    }
    if facts is not None:
        named = [name for level in view.pyramid for name in level if name]
        for player in view.players:
            named += [*player.cards, *player.reserved]
        fields["cards"] = {name: facts[name] for name in (*named, *other_cards) if name in facts}
    return fields


def shared_player_fields(view: View, seat: int, known_to_all: int) -> dict[str, Any]:
    """Return the fields of `PlayerData`; `known_to_all` is a set of cards as bits."""
    player, numbers = view.players[seat], view.card_numbers
    tokens, reserved = player.tokens, list(player.reserved)
    return {
        "seat": seat,
        "points": player.points,
        "tokens": tokens,
        "token_count": player.counted_toward_limit(tokens),
        "token_limit": player.token_limit,
        "bonuses": player.bonuses,
        "cards": list(player.cards),
        "reserved": reserved,
        "shown": [name for name in reserved if known_to_all >> numbers.get(name, 127) & 1],
        "reserve_limit": player.reserve_limit,
        "goals": player.goals,
    }
