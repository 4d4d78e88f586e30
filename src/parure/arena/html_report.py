"""The report of a tournament as a web page that needs nothing besides itself."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from statistics import fmean, median

from parure.arena.bot_stats import DRAWN, KINDS, Figures, failures, figures
from parure.arena.charts import Estimate, estimates, histogram, shares
from parure.arena.confidence import Interval, interval
from parure.arena.standings import Standings

SHOWN_FAILURES = 50

STYLE = """
:root {
  color-scheme: light dark;
  --paper: #fbfaf7; --card: #fff; --ink: #22262b; --muted: #626973; --line: #dfdcd4;
  --accent: #1f5fa8;
  --points: #1f6fb4; --crowns: #d99a1c; --color: #0f8f6c; --claim: #b667a0;
  --stalemate: #7f8b52; --limit: #8d949c; --resigned: #c8501e; --timeout: #87402a; --drawn: #b9bdc2;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #15181c; --card: #1d2126; --ink: #e7e5e0; --muted: #a0a7b0; --line: #353b43;
    --accent: #6ea8e6;
    --points: #5aa2e0; --crowns: #e5b04a; --color: #3dbb95; --claim: #d08fbd;
    --stalemate: #a9b573; --limit: #8b939d; --resigned: #e57c4c; --timeout: #b5694f;
    --drawn: #5f666e;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 2rem 1rem 3rem; max-width: 64rem; background: var(--paper);
  color: var(--ink); font: 1rem/1.5 system-ui, sans-serif;
}
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0; text-wrap: balance; overflow-wrap: anywhere; }
h2 { font-size: 1.05rem; margin: 0; }
p { margin: .3rem 0 1rem; color: var(--muted); }
.cards { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); }
section { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: 1rem; min-width: 0; }
section.wide { grid-column: 1 / -1; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { padding: .35rem .9rem .35rem 0; text-align: right; white-space: nowrap; }
th { color: var(--muted); font-weight: 500; font-size: .85rem; border-bottom: 1px solid var(--line); }
td.name, th.name { text-align: left; max-width: 16rem; overflow: hidden; text-overflow: ellipsis; }
svg { display: block; width: 100%; height: auto; max-width: 27rem; }
svg text { font: 13px system-ui, sans-serif; fill: var(--ink); paint-order: stroke; stroke: var(--card); stroke-width: 4px; }
svg .tick { font-size: 12px; fill: var(--muted); }
svg .value { font-variant-numeric: tabular-nums; fill: var(--muted); }
svg .grid { stroke: var(--line); }
svg .zero { stroke: var(--muted); }
svg .reach { stroke: var(--accent); stroke-width: 2; }
svg .dot, svg .bar { fill: var(--accent); }
svg .rail { fill: var(--line); }
ul { margin: 0; padding-left: 1.2rem; overflow-wrap: anywhere; }
.legend { display: flex; flex-wrap: wrap; gap: .2rem 1rem; padding: 0; margin: .6rem 0 0; list-style: none; font-size: .85rem; }
.legend i { display: inline-block; width: .8em; height: .8em; border-radius: 2px; margin-right: .4em; }
"""  # noqa: E501 — a rule of style a line
STYLE += "".join(
    f"svg .kind-{kind} {{ fill: var(--{kind}); }} i.kind-{kind} {{ background: var(--{kind}); }}\n"
    for kind in (*KINDS, DRAWN)
)


def page(standings: Standings, anchor: int | None = None) -> str:
    """The page."""
    plan, games = standings.plan, standings.games
    names = list(dict.fromkeys(plan.bots))
    title = f"{plan.label}: {' · '.join(names)}"
    cards = []
    if games:
        cards = [
            _ratings(standings, anchor),
            _seats(standings),
            _victories(figures(standings)),
            _lengths([game.turns for game in games], plan.seats),
            _pairs(standings),
        ]
    if told := failures(standings):
        cards.append(_failures(told))
    return (
        '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n"
        f"<h1>{escape(title)}</h1>\n"
        f"<p>{len(games):,} games from seed {plan.seed}, each deal played once with the first "
        "bot of a pair at every seat. What follows ± or stands between two numbers holds 19 times "
        "out of 20.</p>\n"
        f'<main class="cards">\n{"".join(cards)}</main>\n</html>\n'
    )


def _ratings(standings: Standings, anchor: int | None) -> str:
    rated = zip(standings.plan.bots, standings.ratings(anchor), strict=True)
    rows = [
        Estimate(
            bot,
            rating.elo,
            rating.elo - rating.error,
            rating.elo + rating.error,
            f"{rating.elo:+.0f} ± {rating.error:.0f}".replace("-", "−"),
        )
        for bot, rating in sorted(rated, key=lambda row: -row[1].elo)
    ]
    zero = "the mean of all" if anchor is None else standings.plan.bots[anchor]
    return _card("Ratings", f"Elo points; 0 is {zero}.", estimates(rows, "Ratings", 0))


def _pairs(standings: Standings) -> str:
    heads = ["bot", "against", "score", "95 %", "games", "won", "lost", "drawn"]
    rows = [
        [
            pair.a,
            pair.b,
            f"{pair.score:.1%}",
            _span(pair.interval),
            f"{len(pair.games):,}",
            *(f"{number:,}" for number in (*pair.wins, pair.draws)),
        ]
        for pair in standings.pairs
    ]
    told = "The score is the first bot's mean share of the victory."
    if standings.is_until_sure:
        heads.append("surely stronger")
        for row, pair in zip(rows, standings.pairs, strict=True):
            row.append(pair.stronger or "not sure")
        told += " Each pair played until it was sure who is stronger, or to the end."
    return _card("Pairs", told, _table(heads, rows), is_wide=True)


def _seats(standings: Standings) -> str:
    rows = []
    for seat, results in enumerate(standings.seat_results()):
        (low, high), mean = interval(results), fmean(results)
        name = f"seat {seat}" + (", moves first" if seat == 0 else "")
        told = f"{mean:.1%}, {_span((low, high))}"
        rows.append(Estimate(name, 100 * mean, 100 * low, 100 * high, told))
    equal = standings.plan.equal_share
    chart = estimates(rows, "The seats", 100 * equal, " %")
    return _card(
        "The first seat",
        f"The part of all victories that each seat has; without an advantage {equal:.0%}.",
        chart,
    )


def _victories(bots: Sequence[Figures]) -> str:
    kinds = [kind for kind in (*KINDS, DRAWN) if any(kind in bot.victories for bot in bots)]
    rows = []
    for bot in sorted(bots, key=lambda bot: -bot.mean_score):
        parts = {kind: bot.victories.get(kind, 0.0) / bot.seats for kind in kinds}
        rows.append((bot.bot, f"{bot.mean_score:.1%}", parts))
    legend = "".join(f'<li><i class="kind-{kind}"></i>{kind}</li>' for kind in kinds)
    chart = shares(rows, "Kinds of victory") + f'<ul class="legend">{legend}</ul>'
    return _card("Kinds of victory", "How each bot won, as a part of all it played.", chart)


def _lengths(turns: Sequence[int], seats: int) -> str:
    told = f"Turns of a game, all players together: {median(turns):g} in the middle"
    told += f", from {min(turns)} to {max(turns)}."
    return _card("Length", told, histogram(turns, "Length of the games", "turns", seats))


def _failures(told: Sequence[str]) -> str:
    items = "".join(f"<li>{escape(failure)}</li>" for failure in told[:SHOWN_FAILURES])
    if len(told) > SHOWN_FAILURES:
        items += f"<li>and {len(told) - SHOWN_FAILURES} others</li>"
    content = f"<ul>{items}</ul>"
    return _card("Failures", "Games that a bot lost outside the rules.", content, is_wide=True)


def _card(title: str, told: str, content: str, is_wide: bool = False) -> str:
    kind = ' class="wide"' if is_wide else ""
    return f"<section{kind}><h2>{escape(title)}</h2><p>{escape(told)}</p>{content}</section>\n"


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [_row("th", heads), *(_row("td", row) for row in rows)]
    return f'<div class="scroll" tabindex="0"><table>{"".join(lines)}</table></div>'


def _row(tag: str, cells: Sequence[str]) -> str:
    named = "".join(
        f'<{tag} class="name" title="{escape(cell)}">{escape(cell)}</{tag}>' for cell in cells[:2]
    )
    return f"<tr>{named}{''.join(f'<{tag}>{escape(cell)}</{tag}>' for cell in cells[2:])}</tr>"


def _span(ends: Interval) -> str:
    return f"{ends[0]:.1%} – {ends[1]:.1%}"
