"""A batch of games in which compiled bots play all seats but the learner's."""

from __future__ import annotations

from typing import Any, Final, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from parure.bots.evaluation import look_ahead, workspace_for
from parure.bots.evaluator import evaluator_for
from parure.bots.greedy import SAMPLES
from parure.envs.games import Autoreset, Games
from parure.envs.kernels.batch_step import RUNNING
from parure.errors import NotationError
from parure.games.engine.arrays import Row
from parure.games.engine.jit import compiling

SEAT_SHIFT: Final = 33  # the bits of a generator that draw the learner's seat


class GamesAgainstGreedy(Games):
    """Games in which `greedy` plays the seats that the learner does not.

    It decides as the bot of that name does, from what its seat knows, and takes its random numbers
    from the generator of its game.
    """

    def __init__(
        self, game: str, num_games: int, *, learner: int | Literal["any"], **options: Any
    ) -> None:
        self._fixed_learner = learner
        self._mode: Autoreset = options.pop("autoreset", "next step")
        self._is_ready = False
        # A batch observes for the seat to move, so that it cannot start games again in one step.
        batch_mode: Autoreset = "off" if self._mode == "same step" else self._mode
        super().__init__(game, num_games, autoreset=batch_mode, **options)
        if learner != "any" and learner not in range(self.rules.seats):
            raise NotationError(
                f"the learner's seat is a number from 0 to {self.rules.seats - 1} or 'any', "
                f"not {learner!r}"
            )
        self.learners = np.zeros(num_games, np.int64)
        self._evaluator = evaluator_for(self.rules)
        self._look_ahead_workspace = workspace_for(self.rules)
        self._is_ready = True

    @property
    def has_learner(self) -> bool:
        """Whether the caller plays one seat of each game only."""
        return True

    def reset(self, seed: int | None = None, which: ArrayLike | None = None) -> None:
        """Deal new games, and let the bots play until the learner is to move."""
        super().reset(seed, which)
        if self._is_ready:
            chosen = np.ones(len(self), np.bool_) if which is None else np.asarray(which)
            self._begin(chosen)

    def step(self, decisions: ArrayLike) -> tuple[Row, NDArray[np.int8], NDArray[np.float64]]:
        """Take one decision of the learner in each game, and let the bots reply."""
        were_over = self.is_over
        super().step(decisions)
        if self._mode == "next step":
            self._draw_learners(were_over)
        self._reply(~were_over if self._mode == "off" else np.ones(len(self), np.bool_))
        ended = self.endings != RUNNING
        if ended.any():
            self.observations[ended] = self.observe(self.learners)[ended]
            if self._mode == "same step":
                self._start_again(ended)
        return self.rows, self.masks, self.rewards

    def decide(self, index: int) -> int:
        """Return the decision of `greedy` for the seat to move in a game."""
        words, seat = self.rows[index].copy(), int(self.seats[index])
        self.rules.kernel.hide(words, seat)
        workspace = self._look_ahead_workspace
        with compiling(f"a look ahead in {self.rules.family.capitalize()}"):
            number = look_ahead(self._evaluator, words, self.rngs[index], workspace, SAMPLES)
        best = int(workspace.decision_values[:number, seat].argmax())
        return int(workspace.ids[best])

    def _begin(self, chosen: NDArray[np.bool_]) -> None:
        self._draw_learners(chosen)
        self._reply(chosen)

    def _draw_learners(self, chosen: NDArray[np.bool_]) -> None:
        """Set the seats of the learner in games that were dealt again."""
        if self._fixed_learner == "any":
            drawn = (self.rngs[:, 0] >> np.uint64(SEAT_SHIFT)) % np.uint64(self.rules.seats)
            self.learners[chosen] = drawn[chosen]
        else:
            self.learners[chosen] = self._fixed_learner

    def _reply(self, chosen: NDArray[np.bool_]) -> None:
        """Let the bots play in some games until the learner is to move or the game is over."""
        while True:
            is_waiting = chosen & (self.endings == RUNNING) & (self.seats != self.learners)
            indices = np.flatnonzero(is_waiting)
            if not len(indices):
                return
            decisions = np.array([self.decide(index) for index in indices.tolist()], np.int64)
            self.step_some(indices, decisions)

    def _start_again(self, ended: NDArray[np.bool_]) -> None:
        """Start games again within the step that ended them."""
        self.final_observations[ended] = self.observations[ended]
        rewards, endings = self.rewards[ended].copy(), self.endings[ended].copy()
        self.endings[ended] = RUNNING
        Games.reset(self, None, ended)
        self._begin(ended)
        self.rewards[ended], self.endings[ended] = rewards, endings

    def __getstate__(self) -> dict[str, Any]:
        own = {"learner": self._fixed_learner, "mode": self._mode, "learners": self.learners}
        return super().__getstate__() | {"own": own}

    def __setstate__(self, state: dict[str, Any]) -> None:
        own = state["own"]
        super().__setstate__(state)
        self._fixed_learner, self._mode = own["learner"], own["mode"]
        self.learners = own["learners"]
        self._evaluator = evaluator_for(self.rules)
        self._look_ahead_workspace = workspace_for(self.rules)
        self._is_ready = True
