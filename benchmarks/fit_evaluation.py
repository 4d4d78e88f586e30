"""Fit the weights of the evaluation to games that bots play against themselves.

    python benchmarks/fit_evaluation.py duel --games 2000 --rounds 3 --jobs 2

Each round plays games with the current weights, some decisions at random so that all kinds of
positions come up. New weights are then fitted to the results, from the position at the start of
each turn in the games of this and all earlier rounds. The model is a softmax over the seats, with
two seats logistic regression (see `parure.bots.evaluator`), fitted by Newton's method with an L2
penalty on the change: weights that few games say anything about stay near their old values.

Counterfeiter cards are sometimes bought at random: a bot that undervalues one would otherwise never
find out what it is worth.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from random import Random

import numpy as np

import parure
from parure.atomic_write import write_atomically
from parure.bots import Bot, bot
from parure.bots.evaluation import features_of
from parure.bots.evaluator import (
    AT_START,
    CHANGE,
    WEIGHTS,
    Floats,
    evaluator_for,
    feature_names,
    load_weights,
)
from parure.games.registry import rules_from_label

GAMES_PER_TASK = 25
RANDOM_SHARE = 0.03  # of decisions
COUNTERFEITER_SHARE = 0.1  # of the decisions in which a Counterfeiter card could be bought
PENALTY = 100.0  # on the squared change of a weight; two games have about 100 positions


def decide(state: parure.State, player: Bot, rng: Random) -> str:
    """Return the decision of a bot, or sometimes a random one."""
    legal: Sequence[str] = state.legal_decisions
    counterfeiters = [decision for decision in legal if decision.startswith("buy C")]
    if counterfeiters and rng.random() < COUNTERFEITER_SHARE:
        return rng.choice(counterfeiters)
    if len(legal) == 1 or rng.random() < RANDOM_SHARE:
        return rng.choice(legal)
    return player.decide(state.view(state.seat), rng).decision


def model_inputs(state: parure.State) -> Floats:
    """Return the features of each seat, followed by the same times the progress of the game."""
    inputs = np.zeros((state.seats, *evaluator_for(state.rules).weights.shape))
    for seat in range(state.seats):
        features, progress = features_of(state, seat)
        inputs[seat, AT_START] = features
        inputs[seat, CHANGE] = progress * features
    return inputs.reshape(state.seats, -1)


def play_games(label: str, spec: str, seed: str) -> tuple[Floats, Floats]:
    """Play games; return the model inputs at the start of each turn, and the seats' scores."""
    rules = rules_from_label(label)
    inputs, scores = [], []
    for number in range(GAMES_PER_TASK):
        rng = Random(f"{seed} {number}")
        state: parure.State = parure.new(rules.game, players=rules.seats, seed=rng.getrandbits(64))
        bots = [bot(spec) for _ in range(rules.seats)]
        positions, turns = [], -1
        while not state.is_over:
            if state.turns > turns:
                turns = state.turns
                positions.append(model_inputs(state))
            state.play(decide(state, bots[state.seat], rng))
        assert state.outcome is not None
        if state.outcome.winners:
            inputs += positions
            scores += [state.outcome.scores(rules.seats)] * len(positions)
    return np.array(inputs), np.array(scores)


def fit(inputs: Floats, scores: Floats, before: Floats) -> tuple[Floats, float]:
    """Return the weights that make the results most likely, and the log loss they leave."""
    weights = before.copy()
    loss = 0.0
    for _ in range(25):
        worths = inputs @ weights
        chances = np.exp(worths - worths.max(axis=1, keepdims=True))
        chances /= chances.sum(axis=1, keepdims=True)
        loss = float(-(scores * np.log(chances)).sum(axis=1).mean())
        gradient = np.einsum("ps,psf->f", chances - scores, inputs)
        gradient += PENALTY * (weights - before)
        mean = np.einsum("ps,psf->pf", chances, inputs)
        hessian = np.einsum("ps,psf,psg->fg", chances, inputs, inputs, optimize=True)
        hessian += PENALTY * np.eye(len(weights)) - mean.T @ mean
        step = np.linalg.solve(hessian, gradient)
        weights -= step
        if np.abs(step).max() < 1e-6:
            break
    return weights, loss


def write_weights(label: str, pairs: dict[str, tuple[float, float]]) -> None:
    """Replace the weights of a game in the file, a line for each feature that has any."""
    table = json.loads(WEIGHTS.read_text(encoding="utf-8"))
    table[label] = {name: pair for name, pair in pairs.items() if any(pair)}
    games = []
    for game, weights in table.items():
        lines = [f'  "{name}": [{start:.4f}, {end:.4f}]' for name, (start, end) in weights.items()]
        games.append(f' "{game}": {{\n' + ",\n".join(lines) + "\n }")
    text = "{\n" + ",\n".join(games) + "\n}\n"
    write_atomically(WEIGHTS, text.encode())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("game", help="splendor-2, splendor-3, splendor-4, duel, …")
    parser.add_argument("--games", type=int, default=1000, help="games in a round")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--bot", default="greedy", help="the bot that plays them")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    rules = rules_from_label(arguments.game)
    names = feature_names(rules)
    inputs, scores = [], []
    for number in range(arguments.rounds):
        tasks = -(-arguments.games // GAMES_PER_TASK)
        seeds = [f"{arguments.seed} {number} {i}" for i in range(tasks)]
        with ProcessPoolExecutor(arguments.jobs, get_context("spawn")) as pool:
            labels, specs = [arguments.game] * tasks, [arguments.bot] * tasks
            for done, part in enumerate(pool.map(play_games, labels, specs, seeds), start=1):
                inputs.append(part[0])
                scores.append(part[1])
                print(f"\rround {number + 1}: {done * GAMES_PER_TASK} games", end="", flush=True)
        before = load_weights(rules).ravel()
        weights, loss = fit(np.concatenate(inputs), np.concatenate(scores), before)
        print(f", {sum(map(len, inputs))} positions, loss {loss:.4f}")
        start, change = weights.reshape(2, -1)
        pairs = zip(start, start + change, strict=True)
        write_weights(arguments.game, dict(zip(names, pairs, strict=True)))
    for name, (start, change) in zip(names, load_weights(rules).T, strict=True):
        print(f"{start:8.3f} {start + change:8.3f}  {name}")


if __name__ == "__main__":
    main()
