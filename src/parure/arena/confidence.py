"""How sure a mean is: intervals that contain the true one 19 times out of 20.

What is counted are sets, not games: the games of a set share their deal and are not independent.
The result of a set is a number from 0 to 1, the first bot's mean share of its victories.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

Interval: TypeAlias = tuple[float, float]
Floats: TypeAlias = np.ndarray[Any, np.dtype[np.float64]]

Z = 1.959964  # 95 % of a normal distribution lie so many standard deviations around its middle


def effective_number(results: Sequence[float]) -> float:
    """How many independent victories or defeats would leave the mean as uncertain as it is.

    Two sets are added to those that were played, one won and one lost: where all results are alike
    they alone say that others are possible.

    >>> round(effective_number([1.0] * 100))  # no set says more than one victory does
    100
    >>> round(effective_number([0.5, 1.0, 0.5, 0.0] * 25))  # as 200 games without pairing
    196
    """
    widened = np.array([*results, 0.0, 1.0])
    mean = widened.mean()
    return float(len(results) * mean * (1 - mean) / widened.var())


def interval(results: Sequence[float]) -> Interval:
    """The 95 % interval of the mean, after a number of sets that was fixed before.

    It is Wilson's for the effective number of games, so it is never empty and never leaves 0 to 1.

    >>> [round(end, 3) for end in interval([1.0] * 100)]
    [0.963, 1.0]
    """
    if not results:
        return 0.0, 1.0
    number, mean = effective_number(results), float(np.mean(results))
    middle = (mean + Z**2 / (2 * number)) / (1 + Z**2 / number)
    reach = Z * np.sqrt(mean * (1 - mean) / number + (Z / (2 * number)) ** 2) / (1 + Z**2 / number)
    low, high = middle - float(reach), middle + float(reach)
    return max(0.0, min(mean, low)), min(1.0, max(mean, high))  # whatever the rounding


# --- stopping as soon as it is sure ---------------------------------------------------------------

# A gambler who believes that the true mean is above m stakes a part of his capital on each set, at
# odds that are fair if it is m. If it is m or less he hardly ever multiplies his capital by 40, at
# whatever time he stops: the chance is 1/40 (Ville's inequality). A second one stakes on the other
# side, which makes 5 % together. Neither knows the best stake, so each spreads his capital over
# many (Waudby-Smith and Ramdas, "Estimating means of bounded random variables by betting").
STAKES: Floats = np.geomspace(0.01, 0.95, 24)[:, np.newaxis]
ENOUGH = float(np.log(40))


class SequentialTest:
    """Whether one is stronger, asked after every set; wrong for one in 20 equal pairs.

    >>> test = SequentialTest(equal=0.5)
    >>> for result in [1.0, 1.0, 0.5, 1.0] * 4:
    ...     test.add(result)
    >>> test.stronger
    0
    """

    def __init__(self, equal: float) -> None:
        self._equal = equal
        self._capital: Floats = np.zeros((len(STAKES), 2))  # of the two gamblers, by stake
        self.stronger: int | None = None  # 0 or 1: the first bot of the pair, or the other

    def add(self, result: float) -> None:
        """Take up the result of the next set."""
        ratios = np.array([result / self._equal, (1 - result) / (1 - self._equal)])
        self._capital += _gains(ratios)
        for side, total in enumerate(_total(self._capital)):
            if self.stronger is None and total >= ENOUGH:
                self.stronger = side


def anytime_interval(results: Sequence[float]) -> Interval:
    """The 95 % interval of the mean that holds whenever one looks and however one decides to stop.

    It leaves out equal strength exactly when a `SequentialTest` may say who is stronger now.

    >>> [round(end, 3) for end in anytime_interval([1.0] * 100)]
    [0.935, 1.0]
    """
    above = np.array(results)
    return _least(above), 1 - _least(1 - above)


def _least(results: Floats) -> float:
    """The greatest mean against which the gambler who stakes on more has won enough."""
    low, high = 0.0, 1.0
    for _ in range(40):  # the higher the mean, the less he wins
        middle = (low + high) / 2
        total = _total(_gains(results / middle).sum(axis=1))
        low, high = (middle, high) if total >= ENOUGH else (low, middle)
    return low


def _gains(ratios: Floats) -> Floats:
    """What each stake is multiplied by with results, given as parts of the mean; logarithms."""
    gains: Floats = np.log1p(STAKES * (ratios - 1))
    return gains


def _total(capital: Floats) -> Floats:
    """The mean of the capital over all stakes, which are its rows; logarithms."""
    highest = capital.max(axis=0)
    total: Floats = highest + np.log(np.exp(capital - highest).mean(axis=0))
    return total
