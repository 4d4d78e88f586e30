"""Gymnasium's vector environment: thousands of games a step further in one compiled call."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from parure.envs.games import Autoreset, Games, Rewards
from parure.envs.initial_state import state_from_record, unknown_option_error
from parure.envs.kernels.batch_step import RUNNING, TERMINATED, TRUNCATED
from parure.envs.rendering import METADATA, Renderer
from parure.envs.spaces import ObservationEncoder, ObservationEncoding
from parure.errors import NotationError
from parure.games.engine.arrays import Row

MODES: dict[AutoresetMode, Autoreset] = {
    AutoresetMode.NEXT_STEP: "next step",
    AutoresetMode.SAME_STEP: "same step",
    AutoresetMode.DISABLED: "off",
}
RESET_OPTIONS = ("record", "reset_mask")

Infos = dict[str, Any]


class ParureVectorEnv(VectorEnv[NDArray[Any], NDArray[Any], NDArray[Any]]):
    """Many games of the Splendor family for Gymnasium.

    With `opponent="random"` a learner sits at `seat` of each game (None: drawn for each) and a
    step is its decision and all that the others then decide. With `opponent="self"` every decision
    comes from outside: the observation is that of the seat to move, the reward that of the seat
    that has just decided, and `infos["rewards"]` has a column for each seat.

    `copy=False` hands out the arrays that the next step overwrites.
    """

    def __init__(
        self,
        game: str = "duel",
        num_envs: int = 1,
        *,
        opponent: Literal["random", "self"] = "random",
        seat: int | None = None,
        players: int | None = None,
        anti_blocking: bool = False,
        observation: ObservationEncoding = "bytes",
        rewards: Rewards = "result",
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        render_mode: str | None = None,
        render_seat: int | None = None,
    ) -> None:
        mode = _mode(autoreset_mode)
        if opponent not in ("random", "self"):
            raise NotationError(
                f"the vector environment plays against 'random' or 'self', not {opponent!r}: for "
                "another bot make one with vectorization_mode='sync' or 'async'"
            )
        if opponent == "self" and seat is not None:
            raise NotationError("with opponent='self' nobody sits at a seat of its own")
        learner = None if opponent == "self" else "any" if seat is None else seat
        self.games = games = Games(
            game,
            num_envs,
            players=players,
            options={"anti-blocking": True} if anti_blocking else {},
            autoreset=MODES[mode],
            learner=learner,  # type: ignore[arg-type]
            rewards=rewards,
        )
        self.metadata = {**METADATA, "render_modes": ["ansi", "rgb_array"], "autoreset_mode": mode}
        self.num_envs = num_envs
        self.encoder = ObservationEncoder(games.observation_layout, observation)
        self.single_observation_space = self.encoder.space()
        self.single_action_space = spaces.Discrete(games.masks.shape[1])
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        if render_mode == "human":
            raise NotationError("many games are rendered as 'ansi' or 'rgb_array', not 'human'")
        self._renderer = Renderer(render_mode, render_seat, games.rules.seats)
        self.render_mode = render_mode
        self._copies = copy
        self._is_reset = False
        self._all = np.ones(num_envs, np.bool_)
        self._numbers = np.arange(num_envs)

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[NDArray[Any], Infos]:
        """Deal all games anew; options may name a `record` to start from and a `reset_mask`.

        `reset_mask` flags the games to deal anew; the others go on.
        """
        super().reset(seed=seed)
        problem = unknown_option_error(options, RESET_OPTIONS)
        if problem:
            raise NotationError(problem)
        asked = dict(options or {})
        which = self._which(asked.get("reset_mask"))
        state = None
        if asked.get("record") is not None:
            if self.games.learners[0] >= 0:
                raise NotationError("a record to start from needs opponent='self'")
            state = state_from_record(asked["record"], self.games.rules)
        if seed is not None or not self._is_reset:
            self.games.reset(int(self.np_random.integers(1 << 62)), which)
        else:
            self.games.reset(None, which)
        if state is not None:
            for number in np.flatnonzero(which):
                self.games.set_state(int(number), state.words, int(self.games.rngs[number, 0]))
        self._is_reset = True
        return self._encode(self.games.observations), self._infos()

    def step(
        self, actions: NDArray[Any]
    ) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any], Infos]:
        """A decision in each game."""
        if not self._is_reset:
            raise gymnasium.error.ResetNeeded("no games are on: call reset() before step()")
        games = self.games
        if games.settings[0] == 0 and games.is_over.any():
            over = np.flatnonzero(games.is_over)
            raise gymnasium.error.ResetNeeded(
                f"game {over[0]} is over: reset(options={{'reset_mask': …}}) deals such games anew"
            )
        movers = games.seats.copy() if games.learners[0] < 0 else games.learners.copy()
        games.step(actions)
        infos = self._infos()
        ended = games.endings != RUNNING
        if MODES[self.metadata["autoreset_mode"]] == "same step" and ended.any():
            final = np.full(self.num_envs, None, object)
            for number in np.flatnonzero(ended):
                final[number] = self.encoder.encode(games.final_observations[number])
            infos |= {
                "final_obs": final,
                "_final_obs": ended,
                "final_info": {"rewards": infos["rewards"].copy(), "_rewards": ended},
                "_final_info": ended.copy(),
            }
        return (
            self._encode(games.observations),
            games.rewards[self._numbers, movers],
            games.endings == TERMINATED,
            games.endings == TRUNCATED,
            infos,
        )

    def random_actions(self) -> Row:
        """A legal action for each game, each equally likely."""
        return self.games.random_decisions()

    def action_masks(self) -> NDArray[np.bool_]:
        """What is legal in each game now."""
        return self.games.masks.astype(np.bool_)

    def render(self) -> tuple[Any, ...]:
        """Every game as `ansi` or `rgb_array`."""
        return tuple(self._renderer.render(self.games, number) for number in range(self.num_envs))

    # --- parts ------------------------------------------------------------------------------------

    def _which(self, mask: Any) -> NDArray[np.bool_]:
        if mask is None:
            return self._all
        which = np.asarray(mask)
        if which.dtype != np.bool_ or which.shape != (self.num_envs,):
            raise NotationError(
                f"reset_mask must be {self.num_envs} truth values, "
                f"not {which.dtype} of shape {which.shape}"
            )
        return which

    def _encode(self, observations: NDArray[np.uint8]) -> NDArray[Any]:
        if self._copies or self.encoder.is_scaled:
            return self.encoder.encode(observations)
        return observations

    def _infos(self) -> Infos:
        games = self.games
        arrays: Infos = {
            "action_mask": games.masks,
            "seat": games.seats if games.learners[0] < 0 else games.learners,
            "rewards": games.rewards,
        }
        if self._copies:
            arrays = {name: array.copy() for name, array in arrays.items()}
        return arrays | {f"_{name}": self._all.copy() for name in arrays}


def _mode(mode: AutoresetMode | str) -> AutoresetMode:
    try:
        return AutoresetMode(mode)
    except ValueError:
        known = ", ".join(known.value for known in AutoresetMode)
        raise NotationError(f"autoreset_mode must be one of {known}, not {mode!r}") from None
