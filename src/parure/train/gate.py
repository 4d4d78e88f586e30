"""Gating: a match that decides whether a candidate replaces the best network so far.

Each deal is played once for each seat of the candidate; the other seats belong to the opponent.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from math import log10
from pathlib import Path
from random import Random

import msgspec

from parure.atomic_write import write_atomically
from parure.bots.base import Budget
from parure.bots.mcts import MctsBot
from parure.games.engine.rng import rng_from
from parure.games.registry import rules_from_label
from parure.train.config import Config
from parure.train.files import read_network
from parure.train.workers import Workers


@dataclass(frozen=True)
class GateTask:
    """One deal of a match, as it is sent to a worker."""

    label: str
    candidate: bytes  # the content of a file of weights
    opponent: bytes | None  # the same; None for the linear search
    iterations: int
    seed: str


def play_deal(task: GateTask) -> list[float]:
    """Play a deal from every seat and return the candidate's score in each game."""
    rules = rules_from_label(task.label)
    scores = []
    for seat in range(rules.seats):
        deal, rng = Random(task.seed), Random(f"{task.seed} {seat}")
        state = rules.state_type(rules, rules.deal(rng_from(deal)), rng_from(deal))
        bots = [
            MctsBot(
                Budget(iterations=task.iterations),
                network=task.candidate if other == seat else task.opponent,
            )
            for other in range(rules.seats)
        ]
        while not state.is_over:
            state.play(bots[state.seat].decide(state.view(state.seat), rng).decision)
        assert state.outcome is not None
        scores.append(state.outcome.scores(rules.seats)[seat])
    return scores


def gate_tasks(
    config: Config, candidate: Path, opponent: Path | None, name: str, games: int | None = None
) -> list[GateTask]:
    """Return the deals of a match; the same seed, name and iterations give the same deals."""
    rules, iterations = config.rules, config.gate.iterations
    content = read_network(candidate, rules)
    other = read_network(opponent, rules) if opponent else None
    deals = -(-(games or config.gate.games) // rules.seats)
    seeds = [f"{config.seed} {name}, {iterations} iterations, {deal}" for deal in range(deals)]
    return [GateTask(config.game, content, other, iterations, seed) for seed in seeds]


def play_match(
    tasks: Sequence[GateTask],
    workers: Workers,
    on_progress: Callable[[int, int], object],
    path: Path | None = None,
) -> tuple[float, int]:
    """Play a match; return the candidate's two-player score, and the number of games.

    Args:
        tasks: The deals.
        workers: Where they are played.
        on_progress: Receives the number of games played, and of all.
        path: A file that keeps the scores; deals in it are not played again.
    """
    seats = rules_from_label(tasks[0].label).seats
    scores = read_scores(path, seats) if path else {}
    if path:  # without damaged lines, before others are added
        write_atomically(path, b"".join(_score_line(*item) for item in scores.items()))
    missing = [task for task in tasks if task.seed not in scores]
    done, total = seats * (len(tasks) - len(missing)), seats * len(tasks)
    with path.open("ab") if path else nullcontext() as file:
        for task, found in workers.map(play_deal, missing):
            scores[task.seed] = found
            if file:
                file.write(_score_line(task.seed, found))
                file.flush()
            done += seats
            on_progress(done, total)
    score = sum(sum(scores[task.seed]) for task in tasks) / total
    return two_player_score(score, seats), total


def read_scores(path: Path, seats: int) -> dict[str, list[float]]:
    """Return the scores in a file by the seed of the deal; damaged lines are left out."""
    scores: dict[str, list[float]] = {}
    for line in path.read_bytes().splitlines() if path.exists() else []:
        try:
            seed, found = msgspec.json.decode(line, type=tuple[str, list[float]])
        except (msgspec.DecodeError, UnicodeDecodeError):
            continue
        if len(found) == seats:
            scores[seed] = found
    return scores


def _score_line(seed: str, scores: list[float]) -> bytes:
    return msgspec.json.encode([seed, scores]) + b"\n"


def two_player_score(score: float, seats: int) -> float:
    """Return a score among several equal opponents as a score against one of them.

    >>> two_player_score(0.25, 4), round(two_player_score(0.4, 4), 3)
    (0.5, 0.667)
    """
    return (seats - 1) * score / ((seats - 1) * score + 1 - score)


def elo_difference(score: float, games: int) -> float:
    """Return how much stronger a player is who scores this, in Elo points.

    One draw is added, so that scores of 0 and 1 give a finite difference.

    >>> elo_difference(0.5, 100), round(elo_difference(0.64, 1000))
    (0.0, 100)
    """
    share = (score * games + 0.5) / (games + 1)
    return 400 * log10(share / (1 - share))
