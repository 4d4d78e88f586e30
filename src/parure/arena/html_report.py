"""The report of a tournament as a self-contained web page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from statistics import fmean, median

from parure.arena.bot_stats import DRAW, WIN_REASONS, BotStats, bot_stats, failures
from parure.arena.charts import Bar, Estimate, histogram, interval_chart, stacked_bars
from parure.arena.confidence import Interval, interval
from parure.arena.standings import Standings

MAX_FAILURES = 50

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
svg .whisker { stroke: var(--accent); stroke-width: 2; }
svg .dot, svg .bar { fill: var(--accent); }
svg .track { fill: var(--line); }
ul { margin: 0; padding-left: 1.2rem; overflow-wrap: anywhere; }
.legend { display: flex; flex-wrap: wrap; gap: .2rem 1rem; padding: 0; margin: .6rem 0 0; list-style: none; font-size: .85rem; }
.legend i { display: inline-block; width: .8em; height: .8em; border-radius: 2px; margin-right: .4em; }
"""  # noqa: E501 — one CSS rule per line
STYLE += "".join(
    f"svg .kind-{kind} {{ fill: var(--{kind}); }} i.kind-{kind} {{ background: var(--{kind}); }}\n"
    for kind in (*WIN_REASONS, DRAW)
)


def html_report(standings: Standings, anchor: int | None = None) -> str:
    """Return the page."""
    plan, games = standings.plan, standings.games
    names = list(dict.fromkeys(plan.bots))
    title = f"{plan.label}: {' · '.join(names)}"
    cards = []
    if games:
        cards = [
            _ratings(standings, anchor),
            _seats(standings),
            _win_reasons(bot_stats(standings)),
            _lengths([game.turns for game in games], plan.seats),
            _pairs(standings),
        ]
    if reasons := failures(standings):
        cards.append(_failures(reasons))
    return (
        '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n"
        f"<h1>{escape(title)}</h1>\n"
        f"<p>{len(games):,} games from seed {plan.seed}. Each deal was played once with the first "
        "bot of a pair at every seat. Errors and intervals are at 95 % confidence.</p>\n"
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
    zero = "the mean of all bots" if anchor is None else standings.plan.bots[anchor]
    return _card("Ratings", f"Elo points; 0 is {zero}.", interval_chart(rows, "Ratings", 0))


def _pairs(standings: Standings) -> str:
    header = ["bot", "opponent", "score", "95 %", "games", "won", "lost", "drawn"]
    rows = [
        [
            pair.a,
            pair.b,
            f"{pair.score:.1%}",
            _format_interval(pair.interval),
            f"{len(pair.games):,}",
            *(f"{number:,}" for number in (*pair.wins, pair.draws)),
        ]
        for pair in standings.pairs
    ]
    text = "The score is the mean score of the first bot: 1 for a victory, 0 for a defeat."
    if standings.is_until_sure:
        header.append("stronger")
        for row, pair in zip(rows, standings.pairs, strict=True):
            row.append(pair.stronger or "not sure")
        text += " A pair stopped as soon as it was clear which bot is stronger."
    return _card("Pairs", text, _table(header, rows), is_wide=True)


def _seats(standings: Standings) -> str:
    rows = []
    for seat, results in enumerate(standings.seat_results()):
        (low, high), mean = interval(results), fmean(results)
        name = f"seat {seat}" + (", moves first" if seat == 0 else "")
        label = f"{mean:.1%}, {_format_interval((low, high))}"
        rows.append(Estimate(name, 100 * mean, 100 * low, 100 * high, label))
    equal = standings.plan.equal_score
    chart = interval_chart(rows, "Seats", 100 * equal, " %")
    return _card("Seats", f"The mean score of each seat; {equal:.0%} means no advantage.", chart)


def _win_reasons(bots: Sequence[BotStats]) -> str:
    kinds = [kind for kind in (*WIN_REASONS, DRAW) if any(kind in b.score_by_reason for b in bots)]
    bars = []
    for bot in sorted(bots, key=lambda bot: -bot.mean_score):
        segments = {kind: bot.score_by_reason.get(kind, 0.0) / bot.appearances for kind in kinds}
        bars.append(Bar(bot.name, f"{bot.mean_score:.1%}", segments))
    legend = "".join(f'<li><i class="kind-{kind}"></i>{kind}</li>' for kind in kinds)
    chart = stacked_bars(bars, "How games were won") + f'<ul class="legend">{legend}</ul>'
    return _card("How games were won", "The score of each bot by reason of victory.", chart)


def _lengths(turns: Sequence[int], seats: int) -> str:
    text = (
        f"Turns of a game, of all players together: median {median(turns):g}, "
        f"from {min(turns)} to {max(turns)}."
    )
    return _card("Length", text, histogram(turns, "Length of the games", "turns", seats))


def _failures(reasons: Sequence[str]) -> str:
    items = "".join(f"<li>{escape(reason)}</li>" for reason in reasons[:MAX_FAILURES])
    if len(reasons) > MAX_FAILURES:
        items += f"<li>and {len(reasons) - MAX_FAILURES} others</li>"
    text = "Games that a bot lost because it crashed, took too long or broke the rules."
    return _card("Failures", text, f"<ul>{items}</ul>", is_wide=True)


def _card(title: str, text: str, content: str, is_wide: bool = False) -> str:
    kind = ' class="wide"' if is_wide else ""
    return f"<section{kind}><h2>{escape(title)}</h2><p>{escape(text)}</p>{content}</section>\n"


def _table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [_row("th", header), *(_row("td", row) for row in rows)]
    return f'<div class="scroll" tabindex="0"><table>{"".join(lines)}</table></div>'


def _row(tag: str, cells: Sequence[str]) -> str:
    names = "".join(
        f'<{tag} class="name" title="{escape(cell)}">{escape(cell)}</{tag}>' for cell in cells[:2]
    )
    return f"<tr>{names}{''.join(f'<{tag}>{escape(cell)}</{tag}>' for cell in cells[2:])}</tr>"


def _format_interval(ends: Interval) -> str:
    return f"{ends[0]:.1%} – {ends[1]:.1%}"
