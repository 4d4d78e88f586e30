"""Fit the weights of the evaluation on games that bots play against themselves.

    python benchmarks/fit_evaluation.py duel --games 2000 --rounds 3 --jobs 2

Each round plays games with the weights so far, some decisions at random so that all kinds of
positions come up. Then new weights are fitted to who won, from the positions at the start of each
turn, in these games and those of the rounds before: the chance of a seat is in proportion to e
raised to the weighted sum of its features. Each feature has two weights, for the start of a game
and for its end. Weights that few of the games say anything about stay near those before.

Counterfeiters are bought at random now and then: a bot that thinks little of one would never find
out what it is worth.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from random import Random

import numpy as np
from numpy.typing import NDArray

from parure.bots import Bot, bot
from parure.bots.evaluation import features_of
from parure.bots.evaluator import (
    AT_START,
    CHANGE,
    WEIGHTS,
    evaluator_for,
    feature_names,
    load_weights,
)
from parure.games.api import new
from parure.games.registry import rules_from_label
from parure.games.state import State

Floats = NDArray[np.float64]

CHUNK = 25  # games a process plays at a time
RANDOM_SHARE = 0.03  # of decisions
COUNTERFEITER_SHARE = 0.1  # of the decisions where one could be bought
PENALTY = 100.0  # on the square of what a weight changes by; two games have so many positions


def decide(state: State, player: Bot, chance: Random) -> str:
    """The decision of a bot, sometimes a random one."""
    legal: Sequence[str] = state.legal_decisions
    counterfeiters = [decision for decision in legal if decision.startswith("buy C")]
    if counterfeiters and chance.random() < COUNTERFEITER_SHARE:
        return chance.choice(counterfeiters)
    if len(legal) == 1 or chance.random() < RANDOM_SHARE:
        return chance.choice(legal)
    return player.decide(state.view(state.seat), chance).decision


def play(label: str, player: str, seed: str) -> tuple[Floats, Floats]:
    """The features of all seats at the start of each turn, and the share each got in the end.

    Every feature stands there twice, the second time multiplied by how far the game was.
    """
    by = rules_from_label(label)
    shape = evaluator_for(by).weights.shape
    seen, shares = [], []
    for number in range(CHUNK):
        chance = Random(f"{seed} {number}")
        state = new(by.game, players=by.seats, seed=chance.getrandbits(64))
        bots = [bot(player) for _ in range(by.seats)]
        positions, turns = [], -1
        while not state.is_over:
            if state.turns > turns:
                turns = state.turns
                found = np.zeros((by.seats, *shape))
                for seat in range(by.seats):
                    features, progress = features_of(state, seat)
                    found[seat, AT_START] = features
                    found[seat, CHANGE] = progress * features
                positions.append(found.reshape(by.seats, -1))
            state.play(decide(state, bots[state.seat], chance))
        assert state.outcome is not None
        winners = state.outcome.winners
        if winners:
            share = np.array([(seat in winners) / len(winners) for seat in range(by.seats)])
            seen += positions
            shares += [share] * len(positions)
    return np.array(seen), np.array(shares)


def fit(features: Floats, shares: Floats, before: Floats) -> tuple[Floats, float]:
    """The weights that make the results likeliest, by Newton's method; and the loss they leave."""
    weights = before.copy()
    loss = 0.0
    for _ in range(25):
        sums = features @ weights
        chances = np.exp(sums - sums.max(axis=1, keepdims=True))
        chances /= chances.sum(axis=1, keepdims=True)
        loss = float(-(shares * np.log(chances)).sum(axis=1).mean())
        slope = np.einsum("ps,psf->f", chances - shares, features)
        slope += PENALTY * (weights - before)
        mean = np.einsum("ps,psf->pf", chances, features)
        bend = np.einsum("ps,psf,psg->fg", chances, features, features, optimize=True)
        bend += PENALTY * np.eye(len(weights)) - mean.T @ mean
        step = np.linalg.solve(bend, slope)
        weights -= step
        if np.abs(step).max() < 1e-6:
            break
    return weights, loss


def write(label: str, pairs: dict[str, tuple[float, float]]) -> None:
    """Put the weights of a game into the file, a line for each feature that has any."""
    table = json.loads(WEIGHTS.read_text(encoding="utf-8"))
    table[label] = {name: pair for name, pair in pairs.items() if any(pair)}
    games = []
    for game, weights in table.items():
        lines = [f'  "{name}": [{a:.4f}, {b:.4f}]' for name, (a, b) in weights.items()]
        games.append(f' "{game}": {{\n' + ",\n".join(lines) + "\n }")
    text = "{\n" + ",\n".join(games) + "\n}\n"
    draft = WEIGHTS.with_suffix(".part")
    draft.write_text(text, encoding="utf-8")
    draft.replace(WEIGHTS)  # whole or not at all


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("game", help="splendor-2, splendor-3, splendor-4, duel, …")
    parser.add_argument("--games", type=int, default=1000, help="games a round")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--bot", default="greedy", help="who plays them")
    parser.add_argument("--seed", type=int, default=0)
    wish = parser.parse_args()
    by = rules_from_label(wish.game)
    names = feature_names(by)
    seen, shares = [], []
    for number in range(wish.rounds):
        seeds = [f"{wish.seed} {number} {i}" for i in range(-(-wish.games // CHUNK))]
        with ProcessPoolExecutor(wish.jobs, get_context("spawn")) as pool:
            label, player = [wish.game] * len(seeds), [wish.bot] * len(seeds)
            for done, part in enumerate(pool.map(play, label, player, seeds), start=1):
                seen.append(part[0])
                shares.append(part[1])
                print(f"\rround {number + 1}: {done * CHUNK} games", end="", flush=True)
        before = load_weights(by).ravel()
        weights, loss = fit(np.concatenate(seen), np.concatenate(shares), before)
        print(f", {sum(map(len, seen))} positions, loss {loss:.4f}")
        start, change = weights.reshape(2, -1)
        write(wish.game, dict(zip(names, zip(start, start + change, strict=True), strict=True)))
    for name, (start, change) in zip(names, load_weights(by).T, strict=True):
        print(f"{start:8.3f} {start + change:8.3f}  {name}")


if __name__ == "__main__":
    main()
