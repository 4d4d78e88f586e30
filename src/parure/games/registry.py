"""The list of games, and how their rules are found by name."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from parure.errors import NotationError
from parure.games.rules import Rules

GAMES = ("splendor", "duel", "duel+counterfeiters")


def rules(game: str, seats: int | None = None, options: Mapping[str, bool] | None = None) -> Rules:
    """The rules of a game; NotationError where it, its seats or its options do not exist."""
    if game not in GAMES:
        raise NotationError(f"no game is called {str(game)[:40]!r}; there are: {', '.join(GAMES)}")
    for name, value in (options or {}).items():
        if not isinstance(value, bool):
            raise NotationError(f"option {name[:40]!r} must be true or false")
    return _rules(game, seats, tuple(sorted((options or {}).items())))


def rules_from_label(label: str, options: Mapping[str, bool] | None = None) -> Rules:
    """The rules that a label names, or a game alone; NotationError where there are none.

    >>> rules_from_label("splendor-3").seats, rules_from_label("splendor").seats
    (3, 2)
    """
    match = re.fullmatch(r"(splendor)-(\d{1,2})", label)
    game, seats = (match[1], int(match[2])) if match else (label, None)
    return rules(game, seats, options)


@lru_cache(maxsize=64)
def _rules(game: str, seats: int | None, options: tuple[tuple[str, bool], ...]) -> Rules:
    if game == "splendor":
        from parure.games.splendor.rules import SplendorRules as Game
    else:
        from parure.games.duel.rules import DuelRules as Game  # type: ignore[assignment]
    for name, _ in options:
        if name not in Game.known_options:
            known = ", ".join(Game.known_options) or "none"
            raise NotationError(f"{game} has no option {name[:40]!r}; it has: {known}")
    return Game(game, seats, dict(options))
