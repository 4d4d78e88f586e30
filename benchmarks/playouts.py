"""Measure random games per second on one thread: `python benchmarks/playouts.py [seconds]`."""

from __future__ import annotations

import sys

from parure.games.registry import GAMES, rules
from parure.terminal.bench import playouts

if __name__ == "__main__":
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    for game in GAMES:
        for seats in rules(game).seat_counts:
            speed = playouts(rules(game, seats), seconds)
            print(rules(game, seats).label, speed)
