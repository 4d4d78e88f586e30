"""Measure the speed of rules and search on one thread."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from statistics import median
from time import perf_counter
from typing import TypeAlias

from parure.bots.evaluator import evaluator_for
from parure.bots.mcts import Search, usual_settings
from parure.games.api import new
from parure.games.engine.rng import new_rng
from parure.games.playouts import DECISIONS, generators, play_out
from parure.games.registry import GAMES, rules
from parure.games.rules import Rules
from parure.terminal import echo

PLAYOUT_GAMES = 500  # in one call
SEARCH_ITERATIONS = 4096  # in one tree

Speeds: TypeAlias = dict[str, dict[str, int]]
Measurement: TypeAlias = Callable[[float], dict[str, int]]
"""Measures for some seconds and returns steps per second, by name."""


def bench(seconds: float, as_json: bool, others: Mapping[str, Measurement]) -> None:
    """Measure everything and print it.

    Args:
        seconds: The duration of each measurement.
        as_json: Print JSON.
        others: Measurements of other packages.
    """
    speeds = measure(seconds)
    other_speeds = {name: measurement(seconds) for name, measurement in others.items()}
    if as_json:
        echo(json.dumps(speeds | other_speeds, indent=2))
        return
    for name, speed in speeds.items():
        numbers = (f"{n:>12,} {unit.replace('_', ' ')}" for unit, n in speed.items())
        echo(f"{name:<20}{''.join(numbers)}")
    for package, speed in other_speeds.items():
        for name, n in speed.items():
            title = package if name == "steps_per_second" else name
            echo(f"{title:<41}{n:>12,} steps per second")


def measure(seconds: float) -> Speeds:
    """Return the speed of the playouts of each game and of the search."""
    every_rules = [
        rules(game, seats) for game in sorted(GAMES) for seats in rules(game).seat_counts
    ]
    speeds = {rules.label: playouts(rules, seconds) for rules in every_rules}
    speeds["search"] = search_iterations(seconds)
    return speeds


def playouts(rules: Rules, seconds: float) -> dict[str, int]:
    """Return the number of random games, dealing included, and of their decisions per second."""
    play_out(rules, generators(0, 0, PLAYOUT_GAMES))
    games = decisions = 0

    def play_some() -> int:
        nonlocal games, decisions
        results = play_out(rules, generators(1, games, PLAYOUT_GAMES))
        games += PLAYOUT_GAMES
        decisions += int(results[:, DECISIONS].sum())
        return PLAYOUT_GAMES

    speed = median_speed(play_some, seconds)
    return {
        "games_per_second": round(speed),
        "decisions_per_second": round(speed * decisions / games),
    }


def search_iterations(seconds: float) -> dict[str, int]:
    """Return the number of search iterations per second at the start of a game of Duel."""
    view, rng = new("duel", seed=1).view(0), new_rng(1)
    search = Search(view, usual_settings(view.seats), evaluator_for(view.rules))

    def search_once() -> int:
        search.move_to(view)
        search.run([rng], SEARCH_ITERATIONS)
        return SEARCH_ITERATIONS

    search_once()
    return {"iterations_per_second": round(median_speed(search_once, seconds))}


def median_speed(
    work: Callable[[], int], seconds: float, clock: Callable[[], float] = perf_counter
) -> float:
    """Return the amount of work per second, where `work` does some and returns its amount.

    The median over many short slices ignores moments in which the machine was busy otherwise.
    """
    speeds: list[float] = []
    start = clock()
    end = start + seconds
    while not speeds or start < end:
        amount = work()
        now = clock()
        speeds.append(amount / (now - start))
        start = now
    return median(speeds)
