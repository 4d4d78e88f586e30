"""What can be played here, and the printed cards of each game."""

from __future__ import annotations

from functools import cache

from parure import __version__
from parure.games.duel.cards import COUNTERFEITERS, JEWELS, ROYALS
from parure.games.engine.tokens import counts_by_letter, pack
from parure.games.registry import GAMES
from parure.games.splendor.cards import DEVELOPMENTS, NOBLES
from parure.server.bot_pool import offered_bots
from parure.server.http_models import CardInfo, Cards, Catalogue, GameInfo
from parure.server.settings import Settings


def catalogue(settings: Settings) -> Catalogue:
    """The games and bots there are."""
    return Catalogue(
        version=__version__,
        games=[_game(name) for name in GAMES],
        bots=offered_bots(),
        is_local_only=settings.is_local_only,
        take_over_after=settings.take_over_after,
    )


def _game(name: str) -> GameInfo:
    is_splendor = name == "splendor"
    return GameInfo(
        game=name,
        least_players=2,
        most_players=4 if is_splendor else 2,
        options=[] if is_splendor else ["anti-blocking"],
    )


@cache
def cards(game: str) -> Cards:
    """The printed cards of a game."""
    if game == "splendor":
        return Cards(game=game, cards=_splendor_cards())
    found = _duel_cards()
    if game == "duel":
        plain = [card for card in found if card.kind == "jewel"]
        plain += [card for card in found if card.kind == "royal"][:4]
        return Cards(game=game, cards=plain)
    return Cards(game=game, cards=found)


def _splendor_cards() -> list[CardInfo]:
    found = [
        _card(card.id, "development", card.cost, card.level, card.color, 1, card.points)
        for card in DEVELOPMENTS
    ]
    nobles = [_card(card.id, "noble", card.needs, points=card.points) for card in NOBLES]
    return found + nobles


def _duel_cards() -> list[CardInfo]:
    jewels = [
        _card(
            card.id,
            "jewel",
            card.cost,
            card.level,
            "" if card.color == "none" else card.color,
            card.bonus,
            card.points,
            card.crowns,
            card.ability,
        )
        for card in JEWELS
    ]
    royals = [
        _card(card.id, "royal", (), points=card.points, ability=card.ability) for card in ROYALS
    ]
    others = [
        _card(
            card.id,
            "counterfeiter",
            card.cost,
            color=card.color,
            crowns=card.crowns,
            ability=card.effect,
        )
        for card in COUNTERFEITERS
    ]
    return jewels + royals + others


def _card(
    id: str,
    kind: str,
    cost: tuple[int, ...],
    level: int = 0,
    color: str = "",
    bonus: int = 0,
    points: int = 0,
    crowns: int = 0,
    ability: str = "",
) -> CardInfo:
    return CardInfo(
        id=id,
        kind=kind,
        level=level,
        color=color,
        bonus=bonus,
        points=points,
        crowns=crowns,
        ability=ability,
        cost=counts_by_letter(pack(cost)),
    )
