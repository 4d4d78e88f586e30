"""95 % confidence intervals of a mean score, and a sequential test of who is stronger.

The unit is the set, not the game: the games of a set have the same deal and are not independent.
The result of a set is a number from 0 to 1, the first bot's mean score in its games.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

Interval: TypeAlias = tuple[float, float]
Floats: TypeAlias = np.ndarray[Any, np.dtype[np.float64]]

Z = 1.959964  # a normal variable is within Z standard deviations of its mean with 95 %


def effective_number(results: Sequence[float]) -> float:
    """Return the number of independent wins and losses that would give the mean the same variance.

    Two sets are added, one won and one lost: otherwise equal results would have no variance.

    >>> round(effective_number([1.0] * 100))  # no set says more than one victory does
    100
    >>> round(effective_number([0.5, 1.0, 0.5, 0.0] * 25))  # as 200 games without pairing
    196
    """
    extended = np.array([*results, 0.0, 1.0])
    mean = extended.mean()
    return float(len(results) * mean * (1 - mean) / extended.var())


def interval(results: Sequence[float]) -> Interval:
    """Return the interval of the mean, for a number of sets that was fixed in advance.

    It is Wilson's score interval for the effective number of games.

    >>> [round(end, 3) for end in interval([1.0] * 100)]
    [0.963, 1.0]
    """
    if not results:
        return 0.0, 1.0
    number, mean = effective_number(results), float(np.mean(results))
    scale = 1 + Z**2 / number
    center = (mean + Z**2 / (2 * number)) / scale
    half_width = float(Z * np.sqrt(mean * (1 - mean) / number + (Z / (2 * number)) ** 2) / scale)
    # rounding must neither exclude the mean nor leave 0 to 1
    return max(0.0, min(mean, center - half_width)), min(1.0, max(mean, center + half_width))


# --- stopping as soon as it is clear who is stronger ----------------------------------------------

# A test by betting (Waudby-Smith and Ramdas, "Estimating means of bounded random variables by
# betting", 2024). A bettor who believes that the mean is above m stakes a fraction of their capital
# on every set, at odds that are fair if the mean is m. If the mean is m or less, the probability
# that the capital ever reaches 40 times its start is at most 1/40 (Ville's inequality), whenever
# one stops. A second bettor bets on the other side: together an error of 5 %. The best stake is not
# known, so the capital is divided among many stakes.
STAKES: Floats = np.geomspace(0.01, 0.95, 24)[:, np.newaxis]
LOG_THRESHOLD = float(np.log(40))


class SequentialTest:
    """Test after every set who is stronger; wrong for at most one in 20 pairs of equal bots.

    >>> test = SequentialTest(equal_score=0.5)
    >>> for result in [1.0, 1.0, 0.5, 1.0] * 4:
    ...     test.add(result)
    >>> test.stronger
    0

    Attributes:
        stronger: 0 for the first bot of the pair, 1 for the second, None as long as it is unclear.
    """

    def __init__(self, equal_score: float) -> None:
        self._equal_score = equal_score
        self._log_capital: Floats = np.zeros((len(STAKES), 2))  # by stake and bettor
        self.stronger: int | None = None

    def add(self, result: float) -> None:
        """Add the result of the next set."""
        equal = self._equal_score
        self._log_capital += _log_gains(np.array([result / equal, (1 - result) / (1 - equal)]))
        for side, log_capital in enumerate(_log_mean(self._log_capital)):
            if self.stronger is None and log_capital >= LOG_THRESHOLD:
                self.stronger = side


def anytime_interval(results: Sequence[float]) -> Interval:
    """Return an interval of the mean that is valid whenever and however one decides to stop.

    It excludes equal strength exactly when a `SequentialTest` may decide now.

    >>> [round(end, 3) for end in anytime_interval([1.0] * 100)]
    [0.935, 1.0]
    """
    scores = np.array(results)
    return _lower_bound(scores), 1 - _lower_bound(1 - scores)


def _lower_bound(results: Floats) -> float:
    """Return the greatest mean against which the bettor on a higher one has won enough."""
    low, high = 0.0, 1.0
    for _ in range(40):  # bisection: the higher the mean, the lower the capital
        middle = (low + high) / 2
        log_capital = _log_mean(_log_gains(results / middle).sum(axis=1))
        low, high = (middle, high) if log_capital >= LOG_THRESHOLD else (low, middle)
    return low


def _log_gains(ratios: Floats) -> Floats:
    """Return the logarithm of the factor on the capital, by stake (rows) and result.

    Args:
        ratios: The results divided by the mean that the odds assume.
    """
    gains: Floats = np.log1p(STAKES * (ratios - 1))
    return gains


def _log_mean(log_capital: Floats) -> Floats:
    """Return the logarithm of the mean capital over all stakes (rows)."""
    highest = log_capital.max(axis=0)
    mean: Floats = highest + np.log(np.exp(log_capital - highest).mean(axis=0))
    return mean
