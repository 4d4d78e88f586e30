"""A position as a small picture in HTML: cards, board or supply, and what the seats hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

import msgspec

from parure.games.engine.tokens import LETTERS
from parure.games.position import Position
from parure.games.rules import CardInfo
from parure.games.state import State
from parure.games.view_schema import view_data

STYLE = """
.position { display: flex; flex-wrap: wrap; gap: .8rem 1.2rem; align-items: flex-start; margin: .6rem 0; }
.position .rows { display: grid; gap: .25rem; }
.position .row { display: flex; gap: .25rem; }
.card { width: 3.3rem; height: 3.6rem; border-radius: .3rem; border: 1px solid #0003; padding: .12rem .25rem;
  font-size: .62rem; line-height: 1.15; position: relative; color: #16181b; overflow: hidden; }
.card b { font-size: .85rem; position: absolute; right: .25rem; top: .05rem; }
.card .crowns { display: block; font-size: .7rem; line-height: 1; }
.card .cost { position: absolute; left: .2rem; bottom: .12rem; display: flex; gap: 1px; flex-wrap: wrap; }
.card.marked { outline: 3px solid var(--accent); outline-offset: 1px; }
.cost i, .token { display: inline-flex; align-items: center; justify-content: center; border-radius: 50%;
  font-style: normal; border: 1px solid #0004; }
.cost i { width: .82rem; height: .82rem; font-size: .58rem; }
.token { width: 1.25rem; height: 1.25rem; font-size: .7rem; }
.grid { display: grid; grid-template-columns: repeat(5, 1.4rem); gap: .15rem; }
.grid .token.marked { outline: 3px solid var(--accent); }
.empty { width: 1.25rem; height: 1.25rem; border-radius: 50%; border: 1px dashed #8888; }
.seat { font-size: .85rem; margin-bottom: .4rem; }
.seat .held { display: flex; flex-wrap: wrap; gap: .2rem; align-items: center; min-height: 1.3rem; }
.seat .bonus { border-radius: .2rem; padding: 0 .3rem; border: 1px solid #0004; font-size: .75rem; }
.c-w { background: #f4f1ea; color: #222; } .c-u { background: #2f6fc4; color: #fff; } .c-g { background: #1f9a5b; color: #fff; }
.c-r { background: #c8382c; color: #fff; } .c-k { background: #3a3d42; color: #fff; } .c-p { background: #f2c9da; color: #222; }
.c-v { background: #9fd6d6; color: #222; } .c-y { background: #e2b33c; color: #222; } .c- { background: #cfcabd; color: #222; }
.card.c-w { background: #f4f1ea; } .card.c-u { background: #b9d2f0; color: #16181b; } .card.c-g { background: #b6e3c8; color: #16181b; }
.card.c-r { background: #f1bdb6; color: #16181b; } .card.c-k { background: #c3c6cb; color: #16181b; }
"""  # noqa: E501 — one CSS rule per line


def small_board(state: State, names: Sequence[str], decision: str = "") -> str:
    """Return the table of a state, with the cards and cells that a decision names marked."""
    infos = {info.id: info for info in state.rules.card_infos}
    named = set(decision.partition(" > ")[0].split()[1:])
    parts = [_pyramid(state, infos, named)]
    cells = state.board_cells
    if cells:
        parts.append(_grid(cells, named))
    else:
        parts.append(_supply(state))
    parts.append("".join(_seat(state, seat, name, infos, named) for seat, name in enumerate(names)))
    return f'<div class="position">{"".join(f"<div>{part}</div>" for part in parts)}</div>'


def _pyramid(state: Position, infos: Mapping[str, CardInfo], named: set[str]) -> str:
    extra, *levels = state.face_up_rows
    rows = [*reversed(levels)]
    tiles = [card for card in state.tiles if card]
    html = [_row(tiles, infos, named)] if tiles else []
    html += [_row([card for card in row if card], infos, named) for row in rows]
    if extra:
        html.append(_row([card for card in extra if card], infos, named))
    return f'<div class="rows">{"".join(html)}</div>'


def _row(cards: Sequence[str], infos: Mapping[str, CardInfo], named: set[str]) -> str:
    return f'<div class="row">{"".join(_card(card, infos, card in named) for card in cards)}</div>'


def _card(card: str, infos: Mapping[str, CardInfo], is_marked: bool) -> str:
    info = infos.get(card)
    mark = " marked" if is_marked else ""
    if info is None:  # a card that nobody sees
        return f'<div class="card c-{mark}">{escape(card)}</div>'
    color = info.color if info.color in LETTERS and info.color else ""
    points = f"<b>{info.points}</b>" if info.points else ""
    crowns = f'<span class="crowns">{"♛" * info.crowns}</span>' if info.crowns else ""
    cost = "".join(f'<i class="c-{letter}">{count}</i>' for letter, count in info.cost.items())
    return (
        f'<div class="card c-{color}{mark}">{escape(card)}{crowns}{points}'
        f'<span class="cost">{cost}</span></div>'
    )


def _grid(cells: Mapping[str, str], named: set[str]) -> str:
    html = []
    for rank in range(1, 6):
        for file in "abcde":
            letter = cells.get(f"{file}{rank}")
            mark = " marked" if f"{file}{rank}" in named else ""
            html.append(
                f'<span class="token c-{letter}{mark}">{letter}</span>'
                if letter
                else '<span class="empty"></span>'
            )
    return f'<div class="grid">{"".join(html)}</div>'


def _supply(state: State) -> str:
    """Return the tokens on the table of a game without a board."""
    data = msgspec.to_builtins(view_data(state.view(None), with_cards=False))
    return f'<div class="row">{_tokens(data.get("supply", {}))}</div>'


def _tokens(counts: Mapping[str, int]) -> str:
    return "".join(
        f'<span class="token c-{letter}">{count}</span>' for letter, count in counts.items()
    )


def _seat(
    state: State, seat: int, name: str, infos: Mapping[str, CardInfo], named: set[str]
) -> str:
    player = state.players[seat]
    symbols = {"points": "★", "crowns": "♛", "privileges": "✦"}
    counters = " ".join(
        f"{symbols.get(key, key)} {count}" for key, count in player.counters.items()
    )
    bonuses = "".join(
        f'<span class="bonus c-{letter}">{count}</span>' for letter, count in player.bonuses.items()
    )
    reserved = _row(player.reserved, infos, named) if player.reserved else ""
    arrow = "▸ " if seat == state.seat else ""
    return (
        f'<div class="seat"><strong>{arrow}{escape(name)}</strong> {counters}'
        f'<div class="held">{bonuses}</div><div class="held">{_tokens(player.tokens)}</div>'
        f"{reserved}</div>"
    )
