"""One game for environments that step one at a time: a batch of one with a faster step."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from parure.envs.adapter import adapter_for
from parure.envs.checks import check_choice
from parure.envs.games import Games, Guesses
from parure.envs.kernels import batch_step, single_step
from parure.envs.kernels.batch_step import BatchArrays, StepOptions
from parure.envs.observations import REWARD_KINDS, RewardKind
from parure.games.engine.arrays import Row
from parure.games.engine.jit import compiling
from parure.games.playouts import generators
from parure.games.registry import rules
from parure.games.rules import CHANCE_SIZE, MAX_LEGAL, MENU_WORDS, Rules

FIRST_ENDING = 1 << single_step.ENDING_SHIFT  # what a step returns is less while the game goes on


class SingleGame(Games):
    """A batch of one game, without a learner and without automatic resets.

    All its arrays are parts of one block, so that a step passes only that to compiled code.

    Args:
        game: The name of the game.
        players: The number of seats; None for the smallest.
        options: The options of the game.
        seed: Makes the game reproducible.
        rewards: `"result"` for victory and defeat, `"margin"` for the difference in points.

    Attributes:
        play: Takes a decision and returns the seat to move and how the step ended, as one number:
            the seat, plus the ending shifted by `ENDING_SHIFT`; or `ILLEGAL` if the decision is
            not legal, and then nothing has changed. The game must not be over. The arguments are

            - the decision: a whole number, or RANDOM_DECISION;
            - a learner: a seat; the others then play at random until it is to move, and the
              observation is that of this seat. NOBODY for a game in which every decision comes
              from the caller, and the observation is that of the seat to move.
    """

    play: Callable[[int, int], int]

    def __init__(
        self,
        game: str,
        *,
        players: int | None = None,
        options: Mapping[str, bool] | None = None,
        seed: int = 0,
        rewards: RewardKind = "result",
    ) -> None:
        found = rules(game, players, options)
        block = _new_block(found, check_choice("rewards", rewards, REWARD_KINDS))
        self._guesses = Guesses(0)
        self._set_block(found, block)
        with compiling(f"single steps of {found.family.capitalize()}"):
            self.reset(seed)

    def _set_block(self, found: Rules, block: Row) -> None:
        self._block = block
        part = _Parts(block)
        seats, words = found.seats, block.item(single_step.OBSERVATION_WORDS)
        rows = part(single_step.ROW_AT, found.layout.ROW_WORDS)
        masks = part(single_step.MASK_AT, len(found.decision_texts), np.int8)
        batch = BatchArrays(
            rows=rows,
            rngs=part(single_step.RNG_AT, 1, np.uint64),
            learners=np.full(1, batch_step.NO_LEARNER),
            seats=rows[0, found.layout.SEAT : found.layout.SEAT + 1],
            masks=masks,
            observations=part(single_step.OBSERVATION_AT, words),
            rewards=part(single_step.REWARDS_AT, seats, np.float64),
            endings=block[single_step.ENDING : single_step.ENDING + 1],
            final_observations=np.zeros((1, words), np.int64),
        )
        options = StepOptions(
            batch_step.AUTORESET_OFF, batch_step.NO_LEARNER, block.item(single_step.REWARD_KIND)
        )
        self._set_up(found, batch, options)
        self.play = partial(self._adapter.step_one, block, found.cards)

    def __getstate__(self) -> dict[str, Any]:
        found = self.rules
        return {
            "rules": (found.game, found.seats, dict(found.options)),
            "block": self._block,
            "guesses": self._guesses,
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._guesses = state["guesses"]
        self._set_block(rules(*state["rules"]), state["block"])

    def reset(self, seed: int | None = None, which: ArrayLike | None = None) -> None:
        """Deal a new game; None continues with the generator as it is."""
        if seed is not None:
            self.rngs[:] = generators(seed, 0, 1)
            self._guesses = Guesses(seed)
        self.play(single_step.DEAL, single_step.NOBODY)

    def _step(self, decisions: Row) -> None:
        self.play(int(decisions[0]), single_step.NOBODY)


class _Parts:
    """Shows parts of a block as arrays with one row."""

    def __init__(self, block: Row) -> None:
        self._block = block

    def __call__(self, place: int, count: int, dtype: Any = np.int64) -> Any:
        first = self._block.item(place)
        items = self._block[first:].view(dtype)[:count]
        return items[np.newaxis]


def _new_block(found: Rules, reward: int) -> Row:
    """Return a block for a game that is not dealt yet."""
    words = adapter_for(found).layout_for(found).size // 8
    decisions = len(found.decision_texts)
    sizes = {
        single_step.ROW_AT: found.layout.ROW_WORDS,
        single_step.RNG_AT: 1,
        single_step.MENU_AT: MENU_WORDS,
        single_step.IDS_AT: MAX_LEGAL,
        single_step.CHANCE_AT: CHANCE_SIZE // 8,
        single_step.REWARDS_AT: found.seats,
        single_step.MASK_AT: -(-decisions // 8),
        single_step.OBSERVATION_AT: words,
    }
    block = np.zeros(single_step.HEADER_WORDS + sum(sizes.values()), np.int64)
    end = single_step.HEADER_WORDS
    for place, size in sizes.items():
        block[place] = end
        end += size
    block[single_step.SEAT_COUNT] = found.seats
    block[single_step.DECISION_COUNT] = decisions
    block[single_step.OBSERVATION_WORDS] = words
    block[single_step.REWARD_KIND] = reward
    first = block[single_step.ROW_AT]
    block[first : first + found.layout.ROW_WORDS] = found.blank()
    return block
