"""The results of a tournament as plain data and as tables for a terminal."""

from __future__ import annotations

from collections import Counter
from statistics import fmean, median
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from parure.arena.bot_stats import bot_stats, failures
from parure.arena.confidence import Interval, interval
from parure.arena.standings import PairStanding, Standings
from parure.errors import printable

MAX_FAILURES = 10


def pair_summary(pair: PairStanding) -> dict[str, Any]:
    """Return the result of a pair as plain data."""
    wins_a, wins_b = pair.wins
    return {
        "a": pair.a,
        "b": pair.b,
        "games": len(pair.games),
        "wins_a": wins_a,
        "wins_b": wins_b,
        "draws": pair.draws,
        "score_a": round(pair.score, 4),
        "interval": [round(end, 4) for end in pair.interval],
    }


def summary(standings: Standings, anchor: int | None = None) -> dict[str, Any]:
    """Return the results of all games as plain data."""
    plan, games = standings.plan, standings.games
    rated = zip(bot_stats(standings), standings.ratings(anchor), strict=True)
    turns = [game.turns for game in games]
    return {
        "game": plan.label,
        "bots": plan.bots,
        "seed": plan.seed,
        "games": len(games),
        "ratings": [
            {
                "bot": bot.name,
                "elo": round(rating.elo, 1),
                "error": round(rating.error, 1),
                "score": round(bot.mean_score, 4),
                "seconds": round(bot.mean_seconds, 4),
                "failures": bot.failures,
                "victories": {
                    reason: round(score, 2) for reason, score in bot.score_by_reason.items()
                },
            }
            for bot, rating in rated
        ],
        "pairs": [
            pair_summary(pair) | ({"sure": pair.stronger} if standings.is_until_sure else {})
            for pair in standings.pairs
        ],
        "seats": [
            {
                "score": round(fmean(results), 4),
                "interval": [round(end, 4) for end in interval(results)],
            }
            for results in standings.seat_results()
            if results
        ],
        "reasons": dict(Counter(game.reason for game in games).most_common()),
        "turns": {"mean": round(fmean(turns), 1), "median": median(turns)} if turns else {},
        "failures": failures(standings),
    }


def print_report(standings: Standings, anchor: int | None = None) -> None:
    """Print ratings, pairs, seats and failures."""
    console = Console(soft_wrap=True, highlight=False)
    plan = standings.plan
    console.print(Text(f"{plan.label}, {len(standings.games):,} games, seed {plan.seed}\n"))
    console.print(_ratings(standings, anchor), "", _pairs(standings), "", sep="\n")
    for seat, results in enumerate(standings.seat_results()):
        if results:
            score, ends = fmean(results), _format_interval(interval(results))
            console.print(Text(f"seat {seat} scores {score:.1%}, {ends}"))
    reasons = failures(standings)
    for reason in reasons[:MAX_FAILURES]:
        console.print(Text(f"lost: {printable(reason)}"))
    if len(reasons) > MAX_FAILURES:
        console.print(Text(f"and {len(reasons) - MAX_FAILURES} other failures"))


def _ratings(standings: Standings, anchor: int | None) -> Table:
    table = _table("bot", "Elo", "± 95 %", "score", "time per game")
    rated = zip(bot_stats(standings), standings.ratings(anchor), strict=True)
    for bot, rating in sorted(rated, key=lambda row: -row[1].elo):
        table.add_row(
            Text(printable(bot.name)),
            f"{rating.elo:+.0f}",
            f"{rating.error:.0f}",
            f"{bot.mean_score:.1%}",
            f"{bot.mean_seconds:.2f} s",
        )
    return table


def _pairs(standings: Standings) -> Table:
    columns = ("opponent", "games", "won", "lost", "drawn", "score", "95 %")
    table = _table("bot", *columns, *(["stronger"] if standings.is_until_sure else []))
    for pair in standings.pairs:
        numbers = (len(pair.games), *pair.wins, pair.draws)
        cells = [f"{pair.score:.1%}", _format_interval(pair.interval)]
        if standings.is_until_sure:
            cells.append(printable(pair.stronger or "not sure"))
        names = Text(printable(pair.a)), Text(printable(pair.b))
        table.add_row(*names, *(f"{number:,}" for number in numbers), *map(Text, cells))
    return table


def _table(first: str, *others: str) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(first)
    for name in others:
        table.add_column(name, justify="left" if name == "opponent" else "right", no_wrap=True)
    return table


def _format_interval(ends: Interval) -> str:
    return f"{ends[0]:.1%} to {ends[1]:.1%}"
