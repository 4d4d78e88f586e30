"""Draw a Splendor position in plain characters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parure.games.ascii import card_row, cost, status_line
from parure.games.engine.tokens import GEMS, spell
from parure.games.splendor.cards import DEVELOPMENTS, NOBLES

if TYPE_CHECKING:
    from parure.games.splendor.state import SplendorPlayer, SplendorPosition

_DEVELOPMENTS = {card.id: card for card in DEVELOPMENTS}
_NOBLES = {noble.id: noble for noble in NOBLES}


def draw(position: SplendorPosition) -> str:
    """Return the whole table as text: nobles, cards, supply, and the seats."""
    nobles = [
        (f"{name} {_NOBLES[name].points}", cost(_NOBLES[name].needs)) for name in position.nobles
    ]
    lines = card_row("nobles", nobles)
    for level in (3, 2, 1):
        cards = [_development(name) for name in position.pyramid[level - 1]]
        lines += card_row(f"{level} ({position.deck_sizes[level - 1]})", cards)
    lines += ["", f"supply {spell(position.supply) or '-'}", ""]
    for player in position.players:
        lines += _seat(position, player)
    return "\n".join([*lines, status_line(position)])


def development(name: str) -> str:
    """Return a development in a few characters: `D2-03 w2 5r`."""
    return " ".join(_development(name)).rstrip()


def _development(name: str | None) -> tuple[str, str]:
    """Return what a development gives, and its cost."""
    card = _DEVELOPMENTS.get(name or "")
    if card is None:
        return name or "-", ""
    return f"{name} {card.color}{card.points or ''}", cost(card.cost)


def _seat(position: SplendorPosition, player: SplendorPlayer) -> list[str]:
    mark = ">" if player.seat == position.seat and not position.is_over else " "
    bonuses = " ".join(f"{letter}{player.bonuses.get(letter, 0)}" for letter in GEMS)
    lines = [
        f"{mark}seat {player.seat}  {player.points} points  bonuses {bonuses}"
        f"  pieces {spell(player.tokens) or '-'} ({sum(player.tokens.values())}/10)"
    ]
    if player.reserved:
        lines.append(f"   reserved  {'   '.join(map(development, player.reserved))}")
    if player.nobles:
        lines.append(f"   nobles  {' '.join(player.nobles)}")
    return lines
