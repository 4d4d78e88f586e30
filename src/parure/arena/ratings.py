"""Elo ratings from the results of all pairs, by the Bradley–Terry model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

import numpy as np

from parure.arena.confidence import Z, effective_number

ELO_PER_LOG_ODDS = 400 / log(10)  # odds of 10 to 1 are a difference of 400 points

MAX_ITERATIONS = 200
MAX_STEP = 1.0
TOLERANCE = 1e-9


@dataclass(frozen=True)
class Rating:
    """The strength of a bot in Elo points, and its 95 % error."""

    elo: float
    error: float


def ratings(
    bots: int,
    results: Sequence[tuple[int, int, Sequence[float]]],
    equal_score: float = 0.5,
    anchor: int | None = None,
) -> list[Rating]:
    """Return the rating of each bot.

    A bot of strength a among others of strength b is expected to score a / (a + (seats - 1) b).
    The strengths maximize the likelihood after one more drawn game of each pair, without which a
    bot that won all its games would be infinitely strong. The errors come from the curvature of
    the likelihood, with the effective number of games of each pair.

    Args:
        bots: The number of bots.
        results: For each pair the two bots and the first one's mean score in each set.
        equal_score: The expected score between equal bots: 1 / seats.
        anchor: The bot whose rating is 0; by default the mean of all ratings is 0.

    >>> [round(rating.elo) for rating in ratings(2, [(0, 1, [0.5, 1.0, 1.0, 0.5] * 25)])]
    [95, -95]
    """
    pairs = [(first, second, *_weighted(sets, equal_score)) for first, second, sets in results]
    handicap = log(1 / equal_score - 1)  # of one bot against several
    strengths = np.zeros(bots)
    for _ in range(MAX_ITERATIONS):  # Newton's method
        gradient, hessian = np.zeros(bots), np.zeros((bots, bots))
        for first, second, number, score in pairs:
            difference = strengths[first] - strengths[second] - handicap
            expected = 1 / (1 + np.exp(-difference))
            gradient[[first, second]] += number * (score - expected) * np.array([1, -1])
            weight = number * expected * (1 - expected)
            block = np.ix_([first, second], [first, second])
            hessian[block] += weight * np.array([[1, -1], [-1, 1]])
        # Only differences are determined; adding 1 everywhere fixes the sum of the strengths.
        step = np.linalg.solve(hessian + 1, gradient)
        strengths += step * min(1.0, MAX_STEP / max(np.abs(step).max(), 1e-12))
        if np.abs(step).max() < TOLERANCE:
            break
    covariance = np.linalg.inv(hessian + 1)
    contrasts = np.eye(bots) - (1 / bots if anchor is None else np.eye(bots)[anchor])
    variances = np.einsum("ij,jk,ik->i", contrasts, covariance, contrasts)
    return [
        Rating(float(elo), float(error))
        for elo, error in zip(
            contrasts @ strengths * ELO_PER_LOG_ODDS,
            Z * ELO_PER_LOG_ODDS * np.sqrt(np.maximum(variances, 0)),
            strict=True,
        )
    ]


def _weighted(sets: Sequence[float], equal_score: float) -> tuple[float, float]:
    """Return the effective number of games of a pair and their mean score, with one more draw."""
    number = effective_number(sets) if sets else 0.0
    mean = float(np.mean(sets)) if sets else 0.0
    return number + 1, (number * mean + equal_score) / (number + 1)
