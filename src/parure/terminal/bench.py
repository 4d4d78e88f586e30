"""How fast the rules are: random games on one thread, everything from the shuffle on included."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from statistics import median
from time import perf_counter

from parure.bots.mcts import Search
from parure.bots.search import Settings
from parure.games.api import new
from parure.games.engine.rng import new_rng
from parure.games.playouts import DECISIONS, generators, play_out
from parure.games.registry import rules
from parure.games.rules import Rules
from parure.terminal import say

GAMES = {
    "duel": ("duel", 2),
    "duel+counterfeiters": ("duel+counterfeiters", 2),
    "splendor-2": ("splendor", 2),
    "splendor-3": ("splendor", 3),
    "splendor-4": ("splendor", 4),
}
GAMES_AT_ONCE = 500
SEARCH_ITERATIONS = 4096  # in one tree

Speeds = dict[str, dict[str, int]]
Measures = Mapping[str, Callable[[float], dict[str, int]]]


def bench(seconds: float, as_json: bool, others: Measures | None = None) -> None:
    """Measure everything, and what other rooms want measured in steps a second, and print it."""
    speeds = measure(seconds)
    more = {room: steps(seconds) for room, steps in (others or {}).items()}
    if as_json:
        say(json.dumps(speeds | more, indent=2))
        return
    for name, speed in speeds.items():
        numbers = (f"{n:>12,} {what.replace('_', ' ')}" for what, n in speed.items())
        say(f"{name:<20}{''.join(numbers)}")
    for name, speed in more.items():
        for what, n in speed.items():
            say(f"{name if what == 'steps_per_second' else what:<31}{n:>12,} steps per second")


def measure(seconds: float = 1.0) -> Speeds:
    """The speed of each game, measured for so many seconds each."""
    speeds = {name: playouts(rules(*game), seconds) for name, game in GAMES.items()}
    speeds["search"] = search_iterations(seconds)
    return speeds


def playouts(by: Rules, seconds: float) -> dict[str, int]:
    """Whole random games, and decisions in them, in a second."""
    play_out(by, generators(0, 0, GAMES_AT_ONCE))
    games = decisions = 0

    def play_some() -> int:
        nonlocal games, decisions
        results = play_out(by, generators(1, games, GAMES_AT_ONCE))
        games += GAMES_AT_ONCE
        decisions += int(results[:, DECISIONS].sum())
        return GAMES_AT_ONCE

    speed = usual_speed(play_some, seconds)
    return {
        "games_per_second": round(speed),
        "decisions_per_second": round(speed * decisions / games),
    }


def search_iterations(seconds: float) -> dict[str, int]:
    """Iterations in a second of the search, on one thread from the opening position of Duel."""
    view, rng = new("duel", seed=1).view(0), new_rng(1)
    search = Search(view, Settings())

    def search_again() -> int:
        search.move_to(view)
        search.run([rng], SEARCH_ITERATIONS)
        return SEARCH_ITERATIONS

    search_again()
    return {"iterations_per_second": round(usual_speed(search_again, seconds))}


def usual_speed(work: Callable[[], int], seconds: float) -> float:
    """Things done in a second, where `work` does some and says how many.

    The median over slices of a few milliseconds: a moment in which the machine was busy with
    something else does not count.
    """
    speeds: list[float] = []
    end = perf_counter() + seconds
    start = perf_counter()
    while not speeds or start < end:
        done = work()
        now = perf_counter()
        speeds.append(done / (now - start))
        start = now
    return median(speeds)
