"""Tournaments and simulations between bots: results, confidence intervals, ratings, reports.

>>> from parure.arena import run_tournament
>>> standings = run_tournament("splendor", ["greedy", "random"], games=2, jobs=0)
>>> standings.pairs[0].score
1.0

Each pair of bots plays *sets*: one deal, played once with the first bot at each seat. A game
depends only on the plan and its number, so it does not matter which process or machine plays it,
or whether the tournament was interrupted.

    plan          which games a tournament has, and their random seeds
    participants  the bots: specifications, or your own in Python
    game          play one game
    processes     play many games in worker processes
    cluster       play many games on a Ray cluster
    store         the folder of a tournament
    standings     the results of each pair
    confidence    intervals and the sequential test
    ratings       Elo ratings
    tournament    play a tournament
    bot_stats, report, charts, html_report    what is shown
    simulation    many games between bots, summed up
"""

from __future__ import annotations

from parure.arena.simulation import simulate
from parure.arena.tournament import run_tournament

__all__ = ["run_tournament", "simulate"]
