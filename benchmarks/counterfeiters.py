"""What Counterfeiters are worth to a bot.

    python benchmarks/counterfeiters.py mcts:300 --games 600 --jobs 2

The bot plays against itself. Wherever a seat buys its first Counterfeiter, the game is also played
on from there with that seat refusing all of them as long as it has a choice: what it gains by the
purchase is the difference between the two results.
"""

from __future__ import annotations

import argparse
from concurrent.futures import ProcessPoolExecutor
from math import sqrt
from multiprocessing import get_context
from random import Random
from statistics import fmean, stdev

from parure.bots import Answer, Bot, bot
from parure.games.api import new
from parure.games.state import State

REFUSED = ("buy C", "counterfeiter", "use", "discount")
NINETY_FIVE = 1.96  # standard errors on either side


def share(state: State, seat: int) -> float:
    """What a seat got out of a game that is over."""
    assert state.outcome is not None
    winners = state.outcome.winners
    return (seat in winners) / len(winners) if winners else 0.5


def without_counterfeiters(answer: Answer) -> str:
    """The best decision that has nothing to do with Counterfeiters, if there is one."""
    considered = (candidate.decision for candidate in answer.candidates)
    others = (decision for decision in considered if not decision.startswith(REFUSED))
    return next(others, answer.decision)


def play_on(name: str, state: State, rng: Random, refusing: int | None = None) -> dict[int, State]:
    """Play a game to its end; gives the positions in which each seat bought its first one."""
    bots: list[Bot] = [bot(name) for _ in range(state.seats)]
    first: dict[int, State] = {}
    while not state.is_over:
        seat = state.seat
        answer = bots[seat].decide(state.view(seat), rng)
        if seat == refusing:
            state.play(without_counterfeiters(answer))
            continue
        if answer.decision.startswith("buy C"):
            first.setdefault(seat, state.copy())
        state.play(answer.decision)
    return first


def purchases(name: str, seed: int) -> list[tuple[float, float]]:
    """For each first purchase in one game: what the buyer got, and what it gets without."""
    state = new("duel+counterfeiters", seed=seed)
    results = []
    for seat, position in play_on(name, state, Random(seed)).items():
        play_on(name, position, Random(f"{seed} {seat}"), refusing=seat)
        results.append((share(state, seat), share(position, seat)))
    return results


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("bot", help="who plays: mcts:300, greedy, …")
    parser.add_argument("--games", type=int, default=600)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0)
    wish = parser.parse_args()
    results = []
    with ProcessPoolExecutor(wish.jobs, get_context("spawn")) as pool:
        seeds = range(wish.seed, wish.seed + wish.games)
        for done, found in enumerate(pool.map(purchases, [wish.bot] * wish.games, seeds), start=1):
            results += found
            print(f"\r{done} games, {len(results)} purchases", end="", flush=True)
    gains = [bought - refused for bought, refused in results]
    error = NINETY_FIVE * stdev(gains) / sqrt(len(gains))
    print(f"\nwith: {fmean(bought for bought, _ in results):.1%} won")
    print(f"without: {fmean(refused for _, refused in results):.1%} won")
    print(f"gain: {fmean(gains):.1%} ± {error:.1%}")


if __name__ == "__main__":
    main()
