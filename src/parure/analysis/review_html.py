"""A review as a web page of its own: no other file, site or script is needed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from parure.analysis.review_types import Review, TurnReview
from parure.analysis.small_board import STYLE as BOARD_STYLE
from parure.analysis.small_board import small_board
from parure.analysis.story import WORDS, seat_names, signed, story
from parure.analysis.wording import check_language
from parure.games.record import Record, replay
from parure.games.state import State

WIDTH, HEIGHT = 900, 260
LEFT, RIGHT, TOP, BOTTOM = 34, 892, 10, 232
SEAT_COLORS = ("one", "two", "three", "four")

STYLE = """
:root { color-scheme: light dark; --paper: #fbfaf7; --panel: #fff; --ink: #22262b; --muted: #626973; --line: #dfdcd4;
  --accent: #1f5fa8; --one: #1f6fb4; --two: #c8501e; --three: #0f8f6c; --four: #8a5ab8;
  --inaccuracy: #c99700; --mistake: #d9721c; --blunder: #c22f2f; }
@media (prefers-color-scheme: dark) { :root { --paper: #15181c; --panel: #1d2126; --ink: #e7e5e0; --muted: #a0a7b0;
  --line: #353b43; --accent: #6ea8e6; --one: #5aa2e0; --two: #e57c4c; --three: #3dbb95; --four: #b590dc;
  --inaccuracy: #e3b93c; --mistake: #ee9350; --blunder: #ee6a5f; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem 1rem 3rem; max-width: 64rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; margin: 0; } h2 { font-size: 1.1rem; margin: 1.6rem 0 .5rem; }
p { margin: .4rem 0; } .muted { color: var(--muted); font-size: .9rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .8rem .3rem 0; text-align: right; border-bottom: 1px solid var(--line); vertical-align: top; }
th { color: var(--muted); font-weight: 500; font-size: .85rem; }
th.text, td.text { text-align: left; overflow-wrap: anywhere; min-width: 7rem; }
svg { display: block; width: 100%; height: auto; background: var(--panel); border: 1px solid var(--line); border-radius: .5rem; }
svg text { font: 12px system-ui, sans-serif; fill: var(--muted); }
svg .grid-line { stroke: var(--line); } svg .half { stroke: var(--muted); stroke-dasharray: 4 4; }
svg polyline { fill: none; stroke-width: 2.5; stroke-linejoin: round; }
svg a circle { stroke: var(--panel); stroke-width: 2; }
.moment { background: var(--panel); border: 1px solid var(--line); border-left: .35rem solid var(--line); border-radius: .5rem;
  padding: .7rem 1rem; margin: .7rem 0; }
.moment h3 { font-size: 1rem; margin: 0; }
.legend { display: flex; gap: 1rem; flex-wrap: wrap; margin: .4rem 0; font-size: .9rem; }
.legend i { display: inline-block; width: .9em; height: .9em; border-radius: 2px; margin-right: .35em; vertical-align: -.08em; }
code { font-size: .92em; }
summary { cursor: pointer; color: var(--muted); font-size: .9rem; }
:target { outline: 2px solid var(--accent); }
"""  # noqa: E501 — one CSS rule per line
STYLE += "".join(
    f".{name} {{ stroke: var(--{name}); }} i.{name} {{ background: var(--{name}); }}\n"
    for name in SEAT_COLORS
)
STYLE += "".join(
    f"circle.{kind} {{ fill: var(--{kind}); }} "
    f".moment.{kind} {{ border-left-color: var(--{kind}); }} "
    f".kind-{kind} {{ color: var(--{kind}); font-weight: 600; }}\n"
    for kind in ("inaccuracy", "mistake", "blunder")
)


def review_page(record: Record, review: Review, language: str = "en") -> str:
    """Return the page of a reviewed game.

    Args:
        record: The game.
        review: Its review.
        language: Of the texts: `en`, `fr` or `es`.
    """
    check_language(language)
    words, names = WORDS[language], seat_names(review, language)
    states = [state.copy() for state in replay(record)]
    title = f"{words['review']}{words['colon']}{' · '.join(names)}"
    error = max((seat.luck_error for seat in review.seats), default=0.0)
    moments = [turn for turn in review.turns if turn.kind]
    body = [
        f"<h1>{escape(title)}</h1>",
        f'<p class="muted">{escape(states[0].rules.title)}</p>',
        f"<p>{escape(story(review, language))}</p>",
        _seats(review, names, words),
        f'<p class="muted">{escape(words["units"].format(error=f"{100 * error:.1f}"))}</p>',
        f"<h2>{words['chance']}</h2>",
        _legend(names),
        _curve(review, words),
    ]
    if moments:
        body.append(f"<h2>{words['moments']}</h2>")
        body += [_moment(turn, states[turn.step], names, words) for turn in moments]
    body += [f"<h2>{words['everything']}</h2>", _turns(review, names, words)]
    return (
        f'<!doctype html>\n<html lang="{language}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{STYLE}{BOARD_STYLE}</style></head>\n"
        f"<body>{chr(10).join(body)}</body></html>\n"
    )


def _seats(review: Review, names: Sequence[str], words: Mapping[str, str]) -> str:
    keys = ("accuracy", "inaccuracies", "mistakes", "blunders", "luck")
    heads = "".join(f"<th>{words[key]}</th>" for key in keys)
    rows = []
    for name, seat in zip(names, review.seats, strict=True):
        accuracy = "–" if seat.accuracy is None else f"{seat.accuracy:.1f}"
        cells = (accuracy, seat.inaccuracies, seat.mistakes, seat.blunders, signed(seat.luck))
        numbers = "".join(f"<td>{cell}</td>" for cell in cells)
        rows.append(f'<tr><td class="text">{escape(name)}</td>{numbers}</tr>')
    head = f'<tr><th class="text">{words["player"]}</th>{heads}</tr>'
    return f'<div class="scroll"><table>{head}{"".join(rows)}</table></div>'


def _legend(names: Sequence[str]) -> str:
    items = (
        f'<span><i class="{color}"></i>{escape(name)}</span>'
        for name, color in zip(names, SEAT_COLORS, strict=False)
    )
    return f'<div class="legend">{"".join(items)}</div>'


def _curve(review: Review, words: Mapping[str, str]) -> str:
    """Return the chance of each seat before each turn and at the end, with marks for losses."""
    points = [*(turn.values for turn in review.turns), review.values]
    if not review.turns:
        return ""

    def x(number: int) -> float:
        return LEFT + (RIGHT - LEFT) * number / (len(points) - 1)

    def y(chance: float) -> float:
        return BOTTOM - (BOTTOM - TOP) * chance

    parts = []
    for percent in (0, 25, 50, 75, 100):
        height, kind = y(percent / 100), "half" if percent == 50 else "grid-line"
        parts.append(
            f'<line class="{kind}" x1="{LEFT}" x2="{RIGHT}" y1="{height:.1f}" y2="{height:.1f}"/>'
        )
        parts.append(
            f'<text x="{LEFT - 5}" y="{height + 4:.1f}" text-anchor="end">{percent}</text>'
        )
    for number in range(0, len(points), max(1, len(points) // 10)):
        parts.append(
            f'<text x="{x(number):.1f}" y="{BOTTOM + 18}" text-anchor="middle">{number}</text>'
        )
    for seat in range(len(review.seats)):
        path = " ".join(f"{x(i):.1f},{y(values[seat]):.1f}" for i, values in enumerate(points))
        parts.append(f'<polyline class="{SEAT_COLORS[seat]}" points="{path}"/>')
    for number, turn in enumerate(review.turns):
        if turn.kind:
            kind = f"{words[turn.kind]}, −{100 * turn.loss:.0f}"
            label = f"{words['turn']} {turn.turn}{words['colon']}{kind}"
            parts.append(
                f'<a href="#turn-{turn.turn}"><title>{escape(label)}</title>'
                f'<circle class="{turn.kind}" cx="{x(number):.1f}" cy="{y(turn.before):.1f}" '
                'r="6"/></a>'
            )
    return (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{words["chance"]}">'
        f"{''.join(parts)}</svg>"
    )


def _moment(turn: TurnReview, state: State, names: Sequence[str], words: Mapping[str, str]) -> str:
    played = turn.decisions[turn.step - turn.start]
    line = " · ".join(turn.line)
    return (
        f'<div class="moment {turn.kind}" id="turn-{turn.turn}">'
        f"<h3>{words['turn']} {turn.turn}, {escape(names[turn.seat])}{words['colon']}"
        f'<span class="kind-{turn.kind}">{words[turn.kind]}, −{100 * turn.loss:.0f}</span></h3>'
        f"<p>{words['played']}{words['colon']}<code>{escape(played)}</code>. "
        f"{words['better']}{words['colon']}<code>{escape(line)}</code></p>"
        f"<p>{escape(turn.reason)}</p>"
        f"<details><summary>{words['table']}</summary>"
        f"{small_board(state, names, turn.best)}</details></div>"
    )


def _turns(review: Review, names: Sequence[str], words: Mapping[str, str]) -> str:
    heads = "".join(f"<th>{words[key]}</th>" for key in ("before", "after", "loss", "luck"))
    rows = []
    for turn in review.turns:
        numbers = (turn.before, turn.after, turn.loss, turn.luck)
        cells = "".join(f"<td>{100 * number:.1f}</td>" for number in numbers)
        kind = f'<span class="kind-{turn.kind}">{words[turn.kind]}</span>' if turn.kind else ""
        played = escape(", ".join(turn.decisions))
        rows.append(
            f'<tr><td>{turn.turn}</td><td class="text">{escape(names[turn.seat])}</td>'
            f'<td class="text"><code>{played}</code> {kind}</td>{cells}</tr>'
        )
    head = (
        f'<tr><th>{words["turn"]}</th><th class="text">{words["player"]}</th>'
        f'<th class="text">{words["played"]}</th>{heads}</tr>'
    )
    return f'<div class="scroll"><table>{head}{"".join(rows)}</table></div>'
