"""One number for each bot, from all pairs at once: Elo ratings by Bradley and Terry's model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

import numpy as np

from parure.arena.confidence import Z, effective_number

POINTS = 400 / log(10)  # ten times as likely to win is 400 points

STEPS = 200
LONGEST_STEP = 1.0


@dataclass(frozen=True)
class Rating:
    """How strong a bot is, in Elo points, and how far off that may be at 95 %."""

    elo: float
    error: float


def ratings(
    bots: int,
    results: Sequence[tuple[int, int, Sequence[float]]],
    equal: float = 0.5,
    anchor: int | None = None,
) -> list[Rating]:
    """The rating of each bot, from the results of the sets of pairs.

    A bot with strength a among others of strength b has a share of a / (a + (seats - 1) b) of the
    victories. The strengths are the most likely ones if each pair had played one more game, and
    drawn it: without that a bot that won all its games would be infinitely strong. Errors come from
    the curvature of the likelihood, with as many games as the sets of a pair are worth. All is
    relative to the mean of all bots, or to one, the `anchor`.

    >>> [round(rating.elo) for rating in ratings(2, [(0, 1, [0.5, 1.0, 1.0, 0.5] * 25)])]
    [95, -95]
    """
    pairs = [(first, other, *_worth(sets, equal)) for first, other, sets in results]
    handicap = log(1 / equal - 1)  # of one against several
    strengths = np.zeros(bots)
    for _ in range(STEPS):
        slope, curvature = np.zeros(bots), np.zeros((bots, bots))
        for first, other, number, score in pairs:
            difference = strengths[first] - strengths[other] - handicap
            expected = 1 / (1 + np.exp(-difference))
            slope[[first, other]] += number * (score - expected) * np.array([1, -1])
            weight = number * expected * (1 - expected)
            at = np.ix_([first, other], [first, other])
            curvature[at] += weight * np.array([[1, -1], [-1, 1]])
        # only differences matter: what all have in common is held by the ones
        step = np.linalg.solve(curvature + 1, slope)
        strengths += step * min(1.0, LONGEST_STEP / max(np.abs(step).max(), 1e-12))
        if np.abs(step).max() < 1e-9:
            break
    covariance = np.linalg.inv(curvature + 1)
    against = np.eye(bots) - (1 / bots if anchor is None else np.eye(bots)[anchor])
    variances = np.einsum("ij,jk,ik->i", against, covariance, against)
    return [
        Rating(float(elo), float(error))
        for elo, error in zip(
            against @ strengths * POINTS,
            Z * POINTS * np.sqrt(np.maximum(variances, 0)),
            strict=True,
        )
    ]


def _worth(sets: Sequence[float], equal: float) -> tuple[float, float]:
    """How many games the sets of a pair are worth, and their mean; with one more, drawn."""
    number = effective_number(sets) if sets else 0.0
    mean = float(np.mean(sets)) if sets else 0.0
    return number + 1, (number * mean + equal) / (number + 1)
