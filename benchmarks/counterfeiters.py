"""Measure what Counterfeiter cards are worth to a bot.

    python benchmarks/counterfeiters.py mcts:300 --games 600 --jobs 2

The bot plays against itself. Wherever a seat buys its first Counterfeiter card, the game is also
played from there with that seat refusing all of them as long as it has a choice. The gain of the
purchase is the difference between the two results.
"""

from __future__ import annotations

import argparse
from concurrent.futures import ProcessPoolExecutor
from math import sqrt
from multiprocessing import get_context
from random import Random
from statistics import fmean, stdev

import parure
from parure.bots import Answer, bot

REFUSED = ("buy C", "counterfeiter", "use", "discount")
Z_95 = 1.96  # standard errors on either side of a 95% confidence interval


def score(state: parure.State, seat: int) -> float:
    """Return the score of a seat in a game that is over."""
    assert state.outcome is not None
    return state.outcome.scores(state.seats)[seat]


def without_counterfeiters(answer: Answer) -> str:
    """Return the best decision that does not involve a Counterfeiter card, if there is one."""
    considered = (candidate.decision for candidate in answer.candidates)
    others = (decision for decision in considered if not decision.startswith(REFUSED))
    return next(others, answer.decision)


def play_on(
    spec: str, state: parure.State, rng: Random, refusing: int | None = None
) -> dict[int, parure.State]:
    """Play a game to its end, and return the position of each seat's first purchase."""
    bots = [bot(spec) for _ in range(state.seats)]
    first_purchases: dict[int, parure.State] = {}
    while not state.is_over:
        seat = state.seat
        answer = bots[seat].decide(state.view(seat), rng)
        if seat == refusing:
            state.play(without_counterfeiters(answer))
            continue
        if answer.decision.startswith("buy C"):
            first_purchases.setdefault(seat, state.copy())
        state.play(answer.decision)
    return first_purchases


def compare_purchases(spec: str, seed: int) -> list[tuple[float, float]]:
    """Return the buyer's score with and without each first purchase of a game."""
    state = parure.new("duel+counterfeiters", seed=seed)
    results = []
    for seat, position in play_on(spec, state, Random(seed)).items():
        play_on(spec, position, Random(f"{seed} {seat}"), refusing=seat)
        results.append((score(state, seat), score(position, seat)))
    return results


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("bot", help="the bot that plays: mcts:300, greedy, …")
    parser.add_argument("--games", type=int, default=600)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    results = []
    with ProcessPoolExecutor(arguments.jobs, get_context("spawn")) as pool:
        seeds = range(arguments.seed, arguments.seed + arguments.games)
        specs = [arguments.bot] * arguments.games
        for done, found in enumerate(pool.map(compare_purchases, specs, seeds), start=1):
            results += found
            print(f"\r{done} games, {len(results)} purchases", end="", flush=True)
    gains = [bought - refused for bought, refused in results]
    error = Z_95 * stdev(gains) / sqrt(len(gains))
    print(f"\nwith: {fmean(bought for bought, _ in results):.1%} won")
    print(f"without: {fmean(refused for _, refused in results):.1%} won")
    print(f"gain: {fmean(gains):.1%} ± {error:.1%}")


if __name__ == "__main__":
    main()
