"""The environment for PettingZoo: every seat is an agent, and agents act one at a time."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils.conversions import turn_based_aec_to_parallel_wrapper
from pettingzoo.utils.env_logger import EnvLogger

from parure.envs.actions import LOSES_IF_ILLEGAL, IllegalAction, decision_from_action
from parure.envs.checks import check_choice, check_integer
from parure.envs.games import Games
from parure.envs.initial_state import state_from_record, unknown_option_error
from parure.envs.kernels.batch_step import RUNNING, TRUNCATED
from parure.envs.observations import RewardKind
from parure.envs.rendering import METADATA, Renderer
from parure.envs.spaces import DecisionSpace, ObservationEncoder, ObservationEncoding
from parure.errors import NotationError
from parure.games.rules import Rules

RESET_OPTIONS = ("record",)
SEED_LIMIT = 1 << 63


class ParureEnv(AECEnv[str, dict[str, Any], int]):  # type: ignore[misc]
    """A game for PettingZoo, with one agent for each seat: seat 0 is `player_0`.

    An agent acts once for each decision, so it may act several times in a row.

    Args:
        game: The name of the game.
        players: The number of seats; None for the smallest.
        anti_blocking: Duel's rule against blocking.
        observation: `"bytes"`, or `"floats"` scaled to 0 … 1.
        rewards: `"result"` for victory and defeat, `"margin"` for the difference in points.
        illegal: Whether an illegal action raises, or loses the game.
        max_cycles: Truncates the game when every agent has acted this many times; until then, a
            seat whose agent already has plays at random.
        max_decisions: Truncates the game after this many decisions of all agents together.
        render_mode: `"ansi"`, `"human"` or `"rgb_array"`.
        render_seat: The seat whose knowledge is rendered; None for what everyone knows.
    """

    metadata: dict[str, Any]

    def __init__(
        self,
        game: str = "duel",
        *,
        players: int | None = None,
        anti_blocking: bool = False,
        observation: ObservationEncoding = "bytes",
        rewards: RewardKind = "result",
        illegal: IllegalAction = "raise",
        max_cycles: int | None = None,
        max_decisions: int | None = None,
        render_mode: str | None = None,
        render_seat: int | None = None,
    ) -> None:
        super().__init__()
        self._games = games = Games(
            game,
            1,
            players=players,
            options={"anti-blocking": True} if anti_blocking else {},
            seed=secrets.randbits(63),
            autoreset="off",
            rewards=rewards,
        )
        self.metadata = {
            **METADATA,
            "name": f"{self.rules.label.replace('+', '_').replace('-', '_')}_v0",
            "is_parallelizable": False,
        }
        self.possible_agents = [f"player_{seat}" for seat in range(self.rules.seats)]
        self.encoder = ObservationEncoder(games.observation_layout, observation)
        self._loses_if_illegal = check_choice("illegal", illegal, LOSES_IF_ILLEGAL)
        self._max_cycles = _check_limit("max_cycles", max_cycles)
        self._max_decisions = _check_limit("max_decisions", max_decisions)
        self._renderer = Renderer(render_mode, render_seat, self.rules.seats)
        self.render_mode = render_mode
        self._legal = {
            agent: np.zeros(games.masks.shape[1], np.int8) for agent in self.possible_agents
        }
        self._action_spaces = {agent: DecisionSpace(self._legal[agent]) for agent in self._legal}
        self._observation_spaces = {agent: self._space() for agent in self._legal}
        self.agents: list[str] = []

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self._games.rules

    def _space(self) -> spaces.Dict:
        mask = spaces.Box(0, 1, (self._games.masks.shape[1],), np.int8)
        return spaces.Dict({"observation": self.encoder.space(), "action_mask": mask})

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the space of an agent's observations."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> DecisionSpace:
        """Return the space of all decisions; the mask says which are legal."""
        return self._action_spaces[agent]

    # --- playing ----------------------------------------------------------------------------------

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Start a new game.

        Args:
            seed: Makes the game reproducible; None continues with the generator of the last game.
            options: `{"record": …}` starts from the last position of a record.
        """
        problem = unknown_option_error(options, RESET_OPTIONS)
        if problem:  # no error: the conformance test of PettingZoo passes an unknown option
            gymnasium.logger.warn(problem)
        record = (options or {}).get("record")
        games = self._games
        if record is None:
            games.reset(_check_seed(seed))
        else:
            state = state_from_record(record, self.rules)
            number = _check_seed(seed)
            games.set_state(0, state, int(games.rngs[0, 0]) if number is None else number)
        self.agents = self.possible_agents.copy()
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._cycles = dict.fromkeys(self.agents, 0)
        self._skip_agent_selection = None
        for agent in self.agents:
            self._set_mask(agent, None)
        self._select(int(games.seats[0]))
        self._renderer.refresh(games)

    def step(self, action: int | None) -> None:
        """Take a decision of the selected agent; None for an agent whose game is over."""
        if not hasattr(self, "rewards"):
            EnvLogger.error_step_before_reset()
        if not self.agents:
            EnvLogger.warn_step_after_terminated_truncated()
            return
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            if action is not None:
                raise NotationError(
                    f"the game of {agent} is over: step(None) until no agent is left, then reset()"
                )
            self._was_dead_step(None)
            return
        decision = decision_from_action(action, self._games)
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if not self._legal[agent][decision]:
            self._handle_illegal(agent, decision)
            return
        games = self._games
        games.step_single(decision)
        self._cycles[agent] += 1
        self._set_mask(agent, None)
        while games.endings[0] == RUNNING and not self._is_at_limit() and self._is_agent_done():
            games.step_randomly()
        ending = int(games.endings[0])
        if ending != RUNNING:
            self._end(games.rewards[0].tolist(), is_truncated=ending == TRUNCATED)
        else:
            self._select(int(games.seats[0]))
            if self._is_at_limit():
                self._set_mask(self.agent_selection, None)
                self._end(games.rewards_if_ended(0).tolist(), is_truncated=True)
        self._renderer.refresh(games)

    def _is_at_limit(self) -> bool:
        """Return whether the game has reached `max_cycles` or `max_decisions`."""
        cycles, decisions = self._max_cycles, self._max_decisions
        return (cycles is not None and min(self._cycles.values()) >= cycles) or (
            decisions is not None and sum(self._cycles.values()) >= decisions
        )

    def _is_agent_done(self) -> bool:
        """Return whether the agent of the seat to move has acted `max_cycles` times."""
        agent = self.possible_agents[int(self._games.seats[0])]
        return self._max_cycles is not None and self._cycles[agent] >= self._max_cycles

    def _select(self, seat: int) -> None:
        """Select the agent of the seat to move."""
        self.agent_selection = self.possible_agents[seat]
        self._set_mask(self.agent_selection, self._games.masks[0])

    def _set_mask(self, agent: str, mask: NDArray[np.int8] | None) -> None:
        """Set what is legal for an agent; None for an agent that is not selected."""
        legal = self._legal[agent]
        legal[:] = 0 if mask is None else mask
        self.infos[agent] = {"action_mask": legal.copy()}

    def _end(self, rewards: list[float], is_truncated: bool) -> None:
        """End the game for all agents."""
        self.rewards = dict(zip(self.possible_agents, rewards, strict=True))
        self._accumulate_rewards()
        done = self.truncations if is_truncated else self.terminations
        done.update(dict.fromkeys(self.agents, True))

    def _handle_illegal(self, agent: str, decision: int) -> None:
        """Raise, or let the agent lose as PettingZoo's TerminateIllegalWrapper does."""
        error = self._games.illegal_decision_error(0, decision)
        if not self._loses_if_illegal:
            raise error
        gymnasium.logger.warn(f"{agent} loses: {str(error).partition(chr(10))[0]}")
        rewards = [-1.0 if other == agent else 0.0 for other in self.possible_agents]
        self._set_mask(agent, None)
        self._end(rewards, is_truncated=False)

    # --- observing --------------------------------------------------------------------------------

    def observe(self, agent: str) -> dict[str, Any]:
        """Return what an agent observes, and what is legal for it: nothing unless selected."""
        if not hasattr(self, "rewards"):
            EnvLogger.error_observe_before_reset()
        seat = self.possible_agents.index(agent)
        games = self._games
        is_to_move = seat == games.seats[0]
        observations = games.observations if is_to_move else games.observe(seat)
        return {
            "observation": self.encoder.encode(observations[0]),
            "action_mask": self._legal[agent].copy(),
        }

    def render(self) -> Any:
        """Return the rendered position; None in the mode `human`, which prints it."""
        if not hasattr(self, "rewards"):
            EnvLogger.error_render_before_reset()
        return self._renderer.render(self._games)

    def close(self) -> None:
        """Do nothing: there are no resources to release."""


def parallel_env(
    game: str = "duel", *, max_cycles: int | None = None, **kwargs: Any
) -> ParallelEnv[str, dict[str, Any], int]:
    """Return the same game as a parallel environment.

    All agents pass an action at each step; only that of the agent to act counts. `max_cycles`
    limits the number of steps.
    """
    env = ParureEnv(game, max_decisions=max_cycles, **kwargs)
    return turn_based_aec_to_parallel_wrapper(env)


def _check_limit(name: str, limit: int | None) -> int | None:
    return None if limit is None else check_integer(name, limit, 1)


def _check_seed(seed: int | None) -> int | None:
    """Return a seed that all generators accept."""
    if seed is None:
        return None
    try:
        return check_integer("a seed", seed, 0) % SEED_LIMIT
    except (TypeError, ValueError) as error:
        raise gymnasium.error.Error(str(error)) from None
