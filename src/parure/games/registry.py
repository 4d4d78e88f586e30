"""The list of games. To add one, write its package and add an entry here.

An entry names, as `module:attribute`, the parts of a game that other packages define: its
evaluation and network for the bots, and its adapter for the environments. They are imported on
first use, so the rules never import what is built on them, and the list itself is cheap to import.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, cast, overload

from parure.errors import NotationError

if TYPE_CHECKING:
    from parure.games.duel.rules import DuelRules
    from parure.games.rules import Rules
    from parure.games.splendor.rules import SplendorRules

DuelName = Literal["duel", "duel+counterfeiters"]
SplendorName = Literal["splendor"]
GameName = Literal[SplendorName, DuelName]


@dataclass(frozen=True, slots=True)
class GameFamily:
    """Games that share their kernel, and where their parts are defined."""

    name: str
    games: tuple[GameName, ...]
    seat_counts: tuple[int, ...]  # the numbers of players the games are made for
    rules: str  # a subclass of Rules
    view_writer: str  # makes the data of a view
    view_parser: str  # a subclass of ViewParser, which makes a view of data
    position_text: str  # the fields of position texts that only these games have; a TextFormat
    table: str  # what tables need to know beside the rules; a TableGame
    evaluation: str  # what the bots know of the game
    network: str  # what connects the network of the search to the game
    environment: str  # what the environments need of the game


FAMILIES = (
    GameFamily(
        name="splendor",
        games=("splendor",),
        seat_counts=(2, 3, 4),
        rules="parure.games.splendor.rules:SplendorRules",
        view_writer="parure.games.splendor.view_schema:view_data",
        view_parser="parure.games.splendor.view_parser:SplendorViewParser",
        position_text="parure.games.splendor.position_text:TEXT_FORMAT",
        table="parure.table.splendor:TABLE",
        evaluation="parure.bots.splendor_features:EVALUATION",
        network="parure.bots.network.splendor:NETWORK",
        environment="parure.envs.splendor_adapter:ADAPTER",
    ),
    GameFamily(
        name="duel",
        games=("duel", "duel+counterfeiters"),
        seat_counts=(2,),
        rules="parure.games.duel.rules:DuelRules",
        view_writer="parure.games.duel.view_schema:view_data",
        view_parser="parure.games.duel.view_parser:DuelViewParser",
        position_text="parure.games.duel.position_text:TEXT_FORMAT",
        table="parure.table.duel:TABLE",
        evaluation="parure.bots.duel_features:EVALUATION",
        network="parure.bots.network.duel:NETWORK",
        environment="parure.envs.duel_adapter:ADAPTER",
    ),
)
GAMES = tuple(game for family in FAMILIES for game in family.games)

_FAMILY_OF_GAME: dict[str, GameFamily] = {
    game: family for family in FAMILIES for game in family.games
}


def label_of(game: str, seats: int) -> str:
    """Return a game with its number of seats where that varies: `splendor-3`, `duel`."""
    return f"{game}-{seats}" if len(family_of(game).seat_counts) > 1 else game


def all_labels() -> tuple[str, ...]:
    """Return the labels of all games with all their numbers of seats."""
    return tuple(
        label_of(game, seats)
        for family in FAMILIES
        for game in family.games
        for seats in family.seat_counts
    )


def family_of(game: str) -> GameFamily:
    """Return the family of a game; NotationError if there is no such game."""
    try:
        return _FAMILY_OF_GAME[game]
    except (KeyError, TypeError):
        raise NotationError(
            f"no game is called {str(game)[:40]!r}; there are: {', '.join(GAMES)}"
        ) from None


def game_name(text: str) -> GameName:
    """Return the name of a game, typed; NotationError if there is no such game."""
    family_of(text)
    return cast(GameName, text)


@cache
def import_part(path: str) -> Any:
    """Return what a `module:attribute` path of an entry names."""
    module, _, attribute = path.partition(":")
    return getattr(import_module(module), attribute)


@overload
def rules(
    game: DuelName, seats: int | None = None, options: Mapping[str, bool] | None = None
) -> DuelRules: ...
@overload
def rules(
    game: SplendorName, seats: int | None = None, options: Mapping[str, bool] | None = None
) -> SplendorRules: ...
@overload
def rules(
    game: str, seats: int | None = None, options: Mapping[str, bool] | None = None
) -> Rules: ...
def rules(game: str, seats: int | None = None, options: Mapping[str, bool] | None = None) -> Rules:
    """Return the rules of a game.

    Args:
        game: One of `parure.games.registry.GAMES`.
        seats: The number of players; None for the smallest number.
        options: The game's options by name, such as `{"anti-blocking": True}` in Duel.

    Raises:
        NotationError: There is no such game, number of seats or option.

    >>> rules("splendor", 3).label
    'splendor-3'
    """
    family_of(game)
    if seats is not None and (not isinstance(seats, int) or isinstance(seats, bool)):
        raise NotationError(f"the number of players is a whole number, not {seats!r}")
    for name, value in (options or {}).items():
        if not isinstance(value, bool):
            raise NotationError(f"option {str(name)[:40]!r} must be true or false")
    return _rules(game, seats, tuple(sorted((options or {}).items())))


def rules_from_label(label: str, options: Mapping[str, bool] | None = None) -> Rules:
    """Return the rules that a label (`splendor-3`) or the name of a game stands for.

    >>> rules_from_label("splendor-3").seats, rules_from_label("splendor").seats
    (3, 2)
    """
    match = re.fullmatch(r"(.+)-(\d{1,2})", label)
    if match and len(family_of(match[1]).seat_counts) > 1:
        return rules(match[1], int(match[2]), options)
    return rules(label, None, options)


@lru_cache(maxsize=64)
def _rules(game: str, seats: int | None, options: tuple[tuple[str, bool], ...]) -> Rules:
    family = family_of(game)
    rules_type = import_part(family.rules)
    for name, _ in options:
        if name not in rules_type.known_options:
            known = ", ".join(rules_type.known_options) or "none"
            raise NotationError(f"{game} has no option {name[:40]!r}; it has: {known}")
    counts = family.seat_counts
    if seats is not None and seats not in counts:
        players = str(counts[0]) if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"
        raise NotationError(f"{game} is for {players} players, not {seats}")
    found: Rules = rules_type(game, counts[0] if seats is None else seats, dict(options))
    return found
