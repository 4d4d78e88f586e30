"""One step of a single game, with as little overhead as possible for a caller in Python.

To pass an array to compiled code takes Python about a tenth of a microsecond, and a step of a batch
takes 14 arrays. Here everything that a step reads and writes is one array, the *block*: a header
with the places of its parts, then the parts. `SingleGame` shows the parts as arrays of a batch.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from parure.envs.kernels.batch_step import RUNNING, TERMINATED, TRUNCATED
from parure.games.engine.arrays import Cards, Mask, Row
from parure.games.engine.jit import inlined, kernel
from parure.games.rules import CHANCE_SIZE, MAX_LEGAL, MENU_WORDS, Kernel, Layout

# The words of the header: where a part begins, or a number.
(
    ROW_AT,
    RNG_AT,
    MENU_AT,
    IDS_AT,
    CHANCE_AT,
    REWARDS_AT,
    MASK_AT,
    OBSERVATION_AT,
    SEAT_COUNT,
    DECISION_COUNT,
    OBSERVATION_WORDS,
    REWARD_KIND,
    ENDING,
) = range(13)
HEADER_WORDS = 16

# values of a decision that are no decisions
RANDOM_DECISION, DEAL = -1, -2

NOBODY = -1  # no seat: every decision comes from the caller
ILLEGAL = -1  # what a step returns if the decision is not legal
ENDING_SHIFT = 8  # otherwise it returns the seat to move, and above that how the step ended


@kernel
def choose_allowed(mask: Mask, share: float) -> int:
    """Return an action that a mask allows, or -1 if it allows none.

    Args:
        mask: Not 0 for each action that is allowed.
        share: At least 0 and less than 1: which of them, as a share of their number.
    """
    count = 0
    for action in range(len(mask)):
        count += mask[action] != 0
    rest = int(share * count)
    for action in range(len(mask)):
        if mask[action] != 0:
            if rest == 0:
                return action
            rest -= 1
    return -1


def make_step_one(
    game: Kernel,
    layout: Layout,
    write_rewards: Callable[[Row, int, Mask], None],
    observe: Callable[[Row, Cards, int, Row], None],
) -> Callable[[Row, Cards, int, int], int]:
    """Return the function that takes one decision in the game of a block."""

    @inlined
    def step_one(block: Row, cards: Cards, decision: int, learner: int) -> int:
        """Take a decision; the seats other than a learner's then play at random until its turn."""
        row_at, rng_at, menu_at, ids_at = (
            block[ROW_AT],
            block[RNG_AT],
            block[MENU_AT],
            block[IDS_AT],
        )
        chance_at, rewards_at = block[CHANCE_AT], block[REWARDS_AT]
        mask_at, observation_at = block[MASK_AT], block[OBSERVATION_AT]
        decisions = block[DECISION_COUNT]
        s = block[row_at : row_at + layout.ROW_WORDS]
        rng = block[rng_at : rng_at + 1].view(np.uint64)
        menu = block[menu_at : menu_at + MENU_WORDS]
        ids = block[ids_at : ids_at + MAX_LEGAL]
        chance = block[chance_at : chance_at + CHANCE_SIZE // 8].view(np.uint8)
        rewards = block[rewards_at : rewards_at + block[SEAT_COUNT]].view(np.float64)
        mask_words = block[mask_at : mask_at + (decisions + 7) // 8]
        mask = mask_words.view(np.int8)
        chance[0] = 0
        if decision == DEAL:
            game.deal(s, rng, chance)
        elif decision == RANDOM_DECISION:
            game.apply(s, cards, game.choose(s, cards, rng, menu), rng, chance)
        else:
            if decision < 0 or decision >= decisions or not mask[decision]:
                return ILLEGAL
            game.apply(s, cards, decision, rng, chance)
        while learner >= 0 and s[layout.PHASE] != layout.OVER and s[layout.SEAT] != learner:
            chance[0] = 0
            game.apply(s, cards, game.choose(s, cards, rng, menu), rng, chance)
        for n in range(len(mask_words)):
            mask_words[n] = 0
        ending = RUNNING
        if s[layout.PHASE] == layout.OVER:
            write_rewards(s, block[REWARD_KIND], rewards)
            ending = TRUNCATED if s[layout.REASON] == layout.LIMIT_REASON else TERMINATED
        else:
            for seat in range(len(rewards)):
                rewards[seat] = 0.0
            for n in range(game.legal_ids(s, cards, menu, ids)):
                mask[ids[n]] = 1
        viewer = s[layout.SEAT] if learner < 0 else learner
        observation = block[observation_at : observation_at + block[OBSERVATION_WORDS]]
        observe(s, cards, viewer, observation)
        block[ENDING] = ending
        return s[layout.SEAT] + (ending << ENDING_SHIFT)

    return step_one
