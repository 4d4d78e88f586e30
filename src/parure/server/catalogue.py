"""The games and bots of the server, and the printed cards of each game."""

from __future__ import annotations

from functools import cache

from parure import __version__
from parure.games.registry import GAMES, GameName, game_name, rules
from parure.server.bot_pool import offered_bots
from parure.server.http_models import Cards, Catalogue, GameInfo
from parure.server.settings import Settings


def catalogue(settings: Settings) -> Catalogue:
    """Return the games and bots, and the settings that the page needs."""
    return Catalogue(
        version=__version__,
        games=[_game_info(game) for game in GAMES],
        bots=offered_bots(),
        is_local_only=settings.is_local_only,
        take_over_after=settings.take_over_after,
    )


def _game_info(game: GameName) -> GameInfo:
    game_rules = rules(game)
    return GameInfo(
        game=game,
        least_players=min(game_rules.seat_counts),
        most_players=max(game_rules.seat_counts),
        options=list(game_rules.known_options),
    )


@cache
def cards(game: str) -> Cards:
    """Return the printed cards of a game."""
    return Cards(game=game_name(game), cards=list(rules(game).card_infos))
