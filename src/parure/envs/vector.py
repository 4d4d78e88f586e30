"""The vector environment for Gymnasium: thousands of games advance in one compiled call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from parure.envs.actions import ActionEncoder, ActionKind
from parure.envs.bot_opponents import GamesAgainstGreedy
from parure.envs.checks import check_flags
from parure.envs.games import Autoreset, Games
from parure.envs.initial_state import state_from_record, unknown_option_error
from parure.envs.kernels.batch_step import RUNNING, TERMINATED, TRUNCATED
from parure.envs.observations import RewardKind
from parure.envs.rendering import METADATA, Renderer
from parure.envs.spaces import ObservationEncoder, ObservationEncoding
from parure.errors import NotationError
from parure.games.engine.arrays import Row

AUTORESETS: dict[AutoresetMode, Autoreset] = {
    AutoresetMode.NEXT_STEP: "next step",
    AutoresetMode.SAME_STEP: "same step",
    AutoresetMode.DISABLED: "off",
}
RESET_OPTIONS = ("record", "reset_mask")

Infos = dict[str, Any]


class ParureVectorEnv(VectorEnv[NDArray[Any], NDArray[Any], NDArray[Any]]):
    """Many games for Gymnasium.

    Args:
        game: The name of the game.
        num_envs: The number of games.
        opponent: With `"random"` or `"greedy"`, a learner plays one seat of each game, and a step
            is its decision and the replies of that bot at the other seats. With `"self"`, every
            decision comes from the caller: the observation is that of the seat to move, the reward
            that of the seat that has just moved, and `infos["rewards"]` has a column for each seat.
        seat: The seat of the learner; None draws one for each game.
        players: The number of seats; None for the smallest.
        anti_blocking: Duel's rule against blocking.
        observation: `"bytes"`, or `"floats"` scaled to 0 … 1.
        rewards: `"result"` for victory and defeat, `"margin"` for the difference in points.
        actions: `"card"`: an action is a decision, such as `buy J1-07`; `"slot"`: decisions about
            cards name the place of the card instead, such as `buy slot 3`.
        autoreset_mode: When a game that is over starts again, as Gymnasium defines it.
        copy: Whether each step returns new arrays; False returns those that the next step
            overwrites.
        render_mode: `"ansi"` or `"rgb_array"`.
        render_seat: The seat whose knowledge is rendered; None for what everyone knows.
    """

    def __init__(
        self,
        game: str = "duel",
        num_envs: int = 1,
        *,
        opponent: Literal["random", "greedy", "self"] = "random",
        seat: int | None = None,
        players: int | None = None,
        anti_blocking: bool = False,
        observation: ObservationEncoding = "bytes",
        rewards: RewardKind = "result",
        actions: ActionKind = "card",
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        render_mode: str | None = None,
        render_seat: int | None = None,
    ) -> None:
        mode = _check_mode(autoreset_mode)
        if opponent not in ("random", "greedy", "self"):
            raise NotationError(
                "the vector environment plays against 'random', 'greedy' or 'self', "
                f"not {opponent!r}: for "
                "another bot make one with vectorization_mode='sync' or 'async'"
            )
        if opponent == "self" and seat is not None:
            raise NotationError("with opponent='self' there is no learner: leave out seat")
        learner: Any = None if opponent == "self" else "any" if seat is None else seat
        self._autoreset = AUTORESETS[mode]
        make = GamesAgainstGreedy if opponent == "greedy" else Games
        self.games = games = make(
            game,
            num_envs,
            players=players,
            options={"anti-blocking": True} if anti_blocking else {},
            autoreset=self._autoreset,
            learner=learner,
            rewards=rewards,
        )
        self.metadata = {**METADATA, "render_modes": ["ansi", "rgb_array"], "autoreset_mode": mode}
        self.num_envs = num_envs
        self.encoder = ObservationEncoder(games.observation_layout, observation)
        self.single_observation_space = self.encoder.space()
        self.action_encoder = ActionEncoder(games, actions)
        self.single_action_space = spaces.Discrete(self.action_encoder.count)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        if render_mode == "human":
            raise NotationError("many games are rendered as 'ansi' or 'rgb_array', not 'human'")
        self._renderer = Renderer(render_mode, render_seat, games.rules.seats)
        self.render_mode = render_mode
        self._copies_arrays = copy
        self._is_reset = False
        self._all = np.ones(num_envs, np.bool_)
        self._indices = np.arange(num_envs)

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> tuple[NDArray[Any], Infos]:
        """Start new games.

        Args:
            seed: Makes all that follows reproducible. A list has a seed for each game, which then
                depends on its own seed only; None leaves a game's generator as it is.
            options: `{"reset_mask": …}` holds truth values that select the games to start again,
                `{"record": …}` starts from the last position of a record.
        """
        seeds = None if seed is None or isinstance(seed, int | np.integer) else list(seed)
        super().reset(seed=seed if isinstance(seed, int | np.integer) else None)
        problem = unknown_option_error(options, RESET_OPTIONS)
        if problem:
            raise NotationError(problem)
        given = dict(options or {})
        mask = given.get("reset_mask")
        which = self._all if mask is None else check_flags("reset_mask", mask, self.num_envs)
        state = None
        if given.get("record") is not None:
            if self.games.has_learner:
                raise NotationError("a record to start from needs opponent='self'")
            state = state_from_record(given["record"], self.games.rules)
        if seeds is None and (seed is not None or not self._is_reset):
            self.games.reset(int(self.np_random.integers(1 << 62)), which)
        else:
            self.games.seed(seeds or [None] * self.num_envs)
            self.games.reset(None, which)
        if state is not None:
            for index in np.flatnonzero(which):
                self.games.set_state(int(index), state, int(self.games.rngs[index, 0]))
        self._is_reset = True
        return self._encode(self.games.observations), self._infos()

    def step(
        self, actions: NDArray[Any]
    ) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any], Infos]:
        """Take one decision in each game."""
        if not self._is_reset:
            raise gymnasium.error.ResetNeeded("no games are running: call reset() before step()")
        games = self.games
        if self._autoreset == "off" and games.is_over.any():
            over = np.flatnonzero(games.is_over)
            raise gymnasium.error.ResetNeeded(
                f"game {over[0]} is over: start it again with reset(options={{'reset_mask': …}})"
            )
        movers = games.learners.copy() if games.has_learner else games.seats.copy()
        games.step(self.action_encoder.decisions(actions))
        infos = self._infos()
        ended = games.endings != RUNNING
        if self._autoreset == "same step" and ended.any():
            final = np.full(self.num_envs, None, object)
            for index in np.flatnonzero(ended):
                final[index] = self.encoder.encode(games.final_observations[index])
            infos |= {
                "final_obs": final,
                "_final_obs": ended,
                "final_info": {"rewards": infos["rewards"].copy(), "_rewards": ended},
                "_final_info": ended.copy(),
            }
        return (
            self._encode(games.observations),
            games.rewards[self._indices, movers],
            games.endings == TERMINATED,
            games.endings == TRUNCATED,
            infos,
        )

    def random_actions(self) -> Row:
        """Return a legal action for each game, each equally likely; 0 where a game is over."""
        return self.action_encoder.actions(self.games.random_decisions())

    def action_masks(self) -> NDArray[np.bool_]:
        """Return what is legal in each game now; action 0 where the game is over."""
        return self.action_encoder.masks.astype(np.bool_)

    def render(self) -> tuple[Any, ...]:
        """Return every game as text or image."""
        return tuple(self._renderer.render(self.games, index) for index in range(self.num_envs))

    # --- internal ---------------------------------------------------------------------------------

    def _encode(self, observations: NDArray[np.uint8]) -> NDArray[Any]:
        if self._copies_arrays or self.encoder.is_scaled:
            return self.encoder.encode(observations)
        return observations

    def _infos(self) -> Infos:
        games, encoder = self.games, self.action_encoder
        encoder.update()
        # Where a game is over the action is ignored. A mask without any 1 cannot be normalized, so
        # action 0 stands for doing nothing.
        encoder.masks[games.is_over, 0] = 1
        arrays: Infos = {
            "action_mask": encoder.masks,
            "seat": games.learners if games.has_learner else games.seats,
            "rewards": games.rewards,
        }
        if self._copies_arrays:
            arrays = {name: array.copy() for name, array in arrays.items()}
        return arrays | {f"_{name}": self._all.copy() for name in arrays}


def _check_mode(mode: AutoresetMode | str) -> AutoresetMode:
    try:
        return AutoresetMode(mode)
    except ValueError:
        known = ", ".join(known.value for known in AutoresetMode)
        raise NotationError(f"autoreset_mode must be one of {known}, not {mode!r}") from None
