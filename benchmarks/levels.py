"""Measure how long each level thinks about a decision.

    python benchmarks/levels.py --games 2

Prints the mean and the longest time of a decision in milliseconds, for each game and level, in
games that the level plays against itself. Compiled code is loaded before the time counts.
"""

from __future__ import annotations

import argparse
from random import Random
from statistics import fmean
from time import perf_counter

import parure
from parure.bots import bot
from parure.bots.levels import HIGHEST_LEVEL, LEVELS
from parure.bots.match_loop import prepare
from parure.games.registry import rules_from_label


def decision_times(label: str, spec: str, seed: int) -> list[float]:
    """Return the seconds that each decision of a game takes."""
    rules = rules_from_label(label)
    prepare(spec, rules)
    rng, times = Random(seed), []
    state: parure.State = parure.new(rules.game, players=rules.seats, seed=seed)
    bots = [bot(spec) for _ in range(rules.seats)]
    while not state.is_over:
        if len(state.legal_decisions) == 1:
            state.play(state.legal_decisions[0])
            continue
        view, start = state.view(state.seat), perf_counter()
        decision = bots[state.seat].decide(view, rng).decision
        times.append(perf_counter() - start)
        state.play(decision)
    return times


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--games", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    for label in LEVELS:
        for number in range(1, HIGHEST_LEVEL + 1):
            seeds = range(arguments.seed, arguments.seed + arguments.games)
            spec = f"level:{number}"
            times = [time for seed in seeds for time in decision_times(label, spec, seed)]
            print(
                f"{label:<20} {spec}  mean {1000 * fmean(times):7.1f} ms"
                f"  longest {1000 * max(times):7.1f} ms"
            )


if __name__ == "__main__":
    main()
