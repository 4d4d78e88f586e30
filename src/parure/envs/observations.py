"""Observations and rewards of single positions, with checked arguments.

>>> import parure
>>> state = parure.new("duel", seed=7)
>>> observe_many(state.rules, state.words[None], 0).shape
(1, 832)
>>> observation_layout(state.rules).by_name["board"].shape
(25, 8)
"""

from __future__ import annotations

from typing import Final, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from parure.envs.adapter import adapter_for
from parure.envs.checks import check_choice, check_rows, check_seats
from parure.envs.kernels.batch_step import MARGIN_REWARD, RESULT_REWARD
from parure.games.engine.arrays import Row
from parure.games.rules import Rules
from parure.observations.layout import ObservationLayout

RewardKind = Literal["result", "margin"]
REWARD_KINDS: Final = {"result": RESULT_REWARD, "margin": MARGIN_REWARD}


def observation_layout(rules: Rules) -> ObservationLayout:
    """Return the layout of the observations of a game."""
    return adapter_for(rules).layout_for(rules)


def observe_many(rules: Rules, rows: Row, seats: ArrayLike) -> NDArray[np.uint8]:
    """Return what a seat observes in each of some positions.

    Args:
        rules: The game of all positions.
        rows: The words of states or views, one position in each row: an int64 array.
        seats: The observing seat of each position, or one seat for all.

    Returns:
        A new array with one observation in each row.

    Raises:
        TypeError: The arrays do not have these types.
        ValueError: The arrays do not have these shapes, or there is no such seat.
    """
    checked = check_rows(rules, rows)
    viewers = check_seats(seats, len(checked), rules.seats)
    observations = np.zeros((len(checked), observation_layout(rules).size), np.uint8)
    adapter_for(rules).observe_many(checked, rules.cards, viewers, observations.view(np.int64))
    return observations


def final_rewards(rules: Rules, row: Row, kind: RewardKind = "result") -> NDArray[np.float64]:
    """Return what a finished game is worth to each seat; for a running one, as if it ended now."""
    rules.check_row(row)
    rewards = np.zeros(rules.seats, np.float64)
    adapter_for(rules).write_rewards(row, check_choice("kind", kind, REWARD_KINDS), rewards)
    return rewards
