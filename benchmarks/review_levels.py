"""Review games of bots at different levels: accuracy follows strength, and luck sums to zero.

    python benchmarks/review_levels.py --game splendor --levels 1 3 5 8 --games 20 --jobs 2

Every pair of levels plays an even number of games, each deal twice with the seats exchanged. The
games are reviewed like `parure review` does. The results are in docs/research/review.md.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from itertools import combinations
from multiprocessing import get_context
from random import Random
from statistics import fmean, stdev
from time import process_time
from typing import NamedTuple

import parure


class Game(NamedTuple):
    """A game to be played and reviewed: the levels by seat."""

    game: str
    levels: tuple[int, ...]
    seed: int
    budget: str


class Reviewed(NamedTuple):
    """What a review says about a game."""

    levels: tuple[int, ...]
    accuracies: tuple[float, ...]
    lucks: tuple[float, ...]
    luck_errors: tuple[float, ...]
    scores: tuple[float, ...]
    decisions: int
    seconds: float  # of processor time, for the review


def play_and_review(task: Game) -> Reviewed:
    """Play a game between two levels and review it."""
    state = parure.new(task.game, players=len(task.levels), seed=task.seed)
    bots = [parure.bot(f"level:{level}") for level in task.levels]
    rng = Random(f"{task.seed} {task.levels}")
    while not state.is_over:
        state.play(bots[state.seat].decide(state.view(state.seat), rng).decision)
    start = process_time()
    found = parure.review(state, task.budget, seed=task.seed)
    assert state.outcome is not None
    return Reviewed(
        task.levels,
        tuple(seat.accuracy or 0.0 for seat in found.seats),
        tuple(seat.luck for seat in found.seats),
        tuple(seat.luck_error for seat in found.seats),
        state.outcome.scores(state.seats),
        len(state.decisions),
        process_time() - start,
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Play, review and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", default="splendor")
    parser.add_argument("--levels", type=int, nargs="+", default=[1, 3, 5, 8])
    parser.add_argument("--games", type=int, default=20, help="of each pair of levels")
    parser.add_argument("--budget", default="2000")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    pairs = list(combinations(sorted(options.levels), 2))
    tasks = [  # each pair has its own deals: games of one deal are not independent
        Game(options.game, levels, options.seed + len(pairs) * number + pair, options.budget)
        for number in range(options.games // 2)
        for pair, (one, other) in enumerate(pairs)
        for levels in ((one, other), (other, one))
    ]
    found = []
    with get_context("spawn").Pool(options.jobs) as pool:
        for number, result in enumerate(pool.imap(play_and_review, tasks), start=1):
            found.append(result)
            print(f"\r{number} of {len(tasks)}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    if options.json:
        print(json.dumps([result._asdict() for result in found]))
    else:
        report(found)


def report(found: Sequence[Reviewed]) -> None:
    """Print accuracy by pair of levels, luck, and the time of the reviews."""
    pairs = sorted({tuple(sorted(result.levels)) for result in found})
    print("pair     games  accuracy (lower, higher)  higher is more accurate  higher's score")
    for low, high in pairs:
        games = [result for result in found if sorted(result.levels) == [low, high]]
        rows = [
            (
                result.accuracies[result.levels.index(low)],
                result.accuracies[result.levels.index(high)],
                result.scores[result.levels.index(high)],
            )
            for result in games
        ]
        better = sum(above > below for below, above, _ in rows)
        print(
            f"{low} – {high}  {len(rows):7}  {fmean(row[0] for row in rows):10.1f} "
            f"{fmean(row[1] for row in rows):8.1f}  {better:14} of {len(rows)}  "
            f"{fmean(row[2] for row in rows):14.2f}"
        )
    lucks = [100 * result.lucks[0] for result in found]
    deals = [fmean(lucks[i : i + 2]) for i in range(0, len(lucks), 2)]
    error = stdev(deals) / len(deals) ** 0.5
    own = fmean(100 * result.luck_errors[0] for result in found)
    print(f"luck of the first seat: {fmean(lucks):+.2f} ± {error:.2f} points a game (mean)")
    print(f"  standard deviation {stdev(lucks):.1f}; standard error within a game {own:.1f}")
    winners = [
        100 * luck
        for result in found
        for luck, score in zip(result.lucks, result.scores, strict=True)
        if score == 1.0
    ]
    print(f"luck of the winner: {fmean(winners):+.1f} points")
    decisions, seconds = sum(r.decisions for r in found), sum(r.seconds for r in found)
    print(f"review: {1000 * seconds / decisions:.1f} ms of processor time a decision")


if __name__ == "__main__":
    main()
