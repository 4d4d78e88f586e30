"""Gating: a match that decides whether a candidate replaces the best network so far.

Each deal is played once for each seat of the candidate; the other seats belong to the opponent.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log10
from random import Random

from parure.bots.base import Budget
from parure.bots.mcts import MctsBot
from parure.games.engine.rng import rng_from
from parure.games.registry import rules_from_label


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


def two_player_score(score: float, seats: int) -> float:
    """Return a score among several equal opponents as a score against one of them.

    >>> two_player_score(0.25, 4), round(two_player_score(0.4, 4), 3)
    (0.5, 0.667)
    """
    return (seats - 1) * score / ((seats - 1) * score + 1 - score)


def elo_difference(score: float, games: int) -> float:
    """Return how much stronger a player is who scores this, in Elo points.

    One draw is added, so that a perfect score does not mean infinitely much.

    >>> elo_difference(0.5, 100), round(elo_difference(0.64, 1000))
    (0.0, 100)
    """
    share = (score * games + 0.5) / (games + 1)
    return 400 * log10(share / (1 - share))
