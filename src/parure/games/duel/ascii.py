"""Draw a Duel position in plain characters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parure.games.ascii import card_row, cost, status_line
from parure.games.duel.cards import COUNTERFEITERS, JEWELS, ROYALS
from parure.games.engine.tokens import GEMS, spell

if TYPE_CHECKING:
    from parure.games.duel.state import DuelPlayer, DuelPosition

_JEWELS = {jewel.id: jewel for jewel in JEWELS}
_COUNTERFEITERS = {card.id: card for card in COUNTERFEITERS}
_ROYALS = {royal.id: royal for royal in ROYALS}
_ABILITIES = {"token": "take", "privilege": "priv"}


def draw(position: DuelPosition) -> str:
    """Return the whole table as text: pyramid, board, bag, royals, and both seats."""
    lines = []
    if position.counterfeiters:
        cards = [_counterfeiter(name) for name in position.counterfeiters]
        lines += card_row(f"C ({position.counterfeiter_deck_size})", cards)
    for level in (3, 2, 1):
        cards = [_jewel(name) for name in position.pyramid[level - 1]]
        lines += card_row(f"{level} ({position.deck_sizes[level - 1]})", cards)
    lines.append("")
    board = position.board
    notes = [
        "",
        f"bag         {spell(position.bag) or '-'}",
        f"privileges  {position.privileges} on the table",
        f"royals      {'  '.join(map(royal, position.royals)) or '-'}",
        "",
        "",
    ]
    for row, note in zip(" 12345", notes, strict=True):
        cells = (column if row == " " else board.get(f"{column}{row}", "·") for column in "abcde")
        lines.append(f"   {row} {' '.join(cells)}      {note}".rstrip())
    lines.append("")
    for player in position.players:
        lines += _seat(position, player)
    lines.append(status_line(position))
    return "\n".join(lines)


def jewel(name: str) -> str:
    """Return a jewel in a few characters: `J2-03 w2+priv 4w2k1p`."""
    return " ".join(_jewel(name)).rstrip()


def _jewel(name: str | None) -> tuple[str, str]:
    """Return what a jewel gives, and its cost."""
    card = _JEWELS.get(name or "")
    if card is None:
        return name or "-", ""
    color = {"joker": "?", "none": "-"}.get(card.color, card.color) * max(card.bonus, 1)
    worth = f"{card.points or ''}{'♛' * card.crowns}"
    ability = f"+{_ABILITIES.get(card.ability, card.ability)}" if card.ability else ""
    return f"{name} {color}{worth}{ability}", cost(card.cost)


def _counterfeiter(name: str | None) -> tuple[str, str]:
    return (name, cost(_COUNTERFEITERS[name].cost)) if name else ("-", "")


def royal(name: str) -> str:
    """Return a royal with its points and ability: `R2 2+again`."""
    card = _ROYALS[name]
    return f"{name} {card.points}{'+' + card.ability if card.ability else ''}"


def _seat(position: DuelPosition, player: DuelPlayer) -> list[str]:
    mark = ">" if player.seat == position.seat and not position.is_over else " "
    colors = player.points_by_color
    bonuses = " ".join(
        f"{letter}{player.bonuses.get(letter, 0)}({colors.get(letter, 0)})" for letter in GEMS
    )
    lines = [
        f"{mark}seat {player.seat}  {player.points} points  {player.crowns} crowns"
        f"  {player.privileges} privileges  tokens {spell(player.tokens) or '-'}"
        f" ({sum(player.tokens.values())}/10)",
        f"   bonuses (points)  {bonuses}",
    ]
    if player.reserved:
        lines.append(f"   reserved  {'   '.join(map(jewel, player.reserved))}")
    if player.royals or player.counterfeiters:
        lines.append(f"   owns  {' '.join((*player.royals, *player.counterfeiters))}")
    return lines
