"""PettingZoo: every seat is an agent, and agents act one at a time."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from operator import index
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils.conversions import turn_based_aec_to_parallel_wrapper
from pettingzoo.utils.env_logger import EnvLogger

from parure.envs.actions import ILLEGAL, Illegal, decision_from_action
from parure.envs.games import Games, Rewards, choice
from parure.envs.initial_state import state_from_record, unknown_option_error
from parure.envs.kernels.batch_step import RUNNING, TRUNCATED
from parure.envs.rendering import METADATA, Renderer
from parure.envs.spaces import DecisionSpace, ObservationEncoder, ObservationEncoding
from parure.errors import NotationError
from parure.games.rules import Rules

RESET_OPTIONS = ("record",)
LARGEST_SEED = 1 << 63


class ParureEnv(AECEnv[str, dict[str, Any], int]):  # type: ignore[misc]
    """A game of the Splendor family for PettingZoo.

    Seat 0 is the agent `player_0`. An agent acts once for each decision, so it may act several
    times in a row. `max_decisions` cuts the game after so many decisions of all agents together.
    `max_cycles` cuts it when every agent has acted so often; until then chance decides for a seat
    whose agent has done so already.
    """

    metadata: dict[str, Any]

    def __init__(
        self,
        game: str = "duel",
        *,
        players: int | None = None,
        anti_blocking: bool = False,
        observation: ObservationEncoding = "bytes",
        rewards: Rewards = "result",
        illegal: Illegal = "raise",
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
        self._loses_if_illegal = choice("illegal", illegal, ILLEGAL) == ILLEGAL["lose"]
        self._max_cycles = _limit("max_cycles", max_cycles)
        self._max_decisions = _limit("max_decisions", max_decisions)
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
        """What an agent may observe."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> DecisionSpace:
        """All decisions; the mask says which are legal."""
        return self._action_spaces[agent]

    # --- playing ----------------------------------------------------------------------------------

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begin a new game: shuffled, or from the position that `options["record"]` leads to.

        Without a seed chance goes on from the last game.
        """
        problem = unknown_option_error(options, RESET_OPTIONS)
        if problem:  # the conformance test of PettingZoo passes one and wants it to be borne
            gymnasium.logger.warn(problem)
        record = (options or {}).get("record")
        games = self._games
        if record is None:
            games.reset(_seed(seed))
        else:
            state = state_from_record(record, self.rules)
            known = _seed(seed)
            games.set_state(0, state.words, int(games.rngs[0, 0]) if known is None else known)
        self.agents = self.possible_agents.copy()
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._cycles = dict.fromkeys(self.agents, 0)
        self._skip_agent_selection = None
        for agent in self.agents:
            self._tell_mask(agent, None)
        self._select(int(games.seats[0]))
        self._renderer.refresh(games)

    def step(self, action: int | None) -> None:
        """Take a decision for the agent to act; None for one whose game is over."""
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
            self._end_illegally(agent, decision)
            return
        games = self._games
        games.step_unchecked(np.array([decision]))
        self._cycles[agent] += 1
        self._tell_mask(agent, None)
        while games.endings[0] == RUNNING and not self._is_cut() and self._has_acted_enough():
            games.step_unchecked(games.random_decisions())
        ending = int(games.endings[0])
        if ending != RUNNING:
            self._end(games.rewards[0].tolist(), is_cut=ending == TRUNCATED)
        else:
            self._select(int(games.seats[0]))
            if self._is_cut():
                self._tell_mask(self.agent_selection, None)
                self._end(games.rewards_if_ended(0).tolist(), is_cut=True)
        self._renderer.refresh(games)

    def _is_cut(self) -> bool:
        """Whether the game has become too long for the limits given."""
        cycles, decisions = self._max_cycles, self._max_decisions
        return (cycles is not None and min(self._cycles.values()) >= cycles) or (
            decisions is not None and sum(self._cycles.values()) >= decisions
        )

    def _has_acted_enough(self) -> bool:
        """Whether the seat to move is one whose agent is not asked again."""
        agent = self.possible_agents[int(self._games.seats[0])]
        return self._max_cycles is not None and self._cycles[agent] >= self._max_cycles

    def _select(self, seat: int) -> None:
        """It is this seat's turn to act."""
        self.agent_selection = self.possible_agents[seat]
        self._tell_mask(self.agent_selection, self._games.masks[0])

    def _tell_mask(self, agent: str, mask: NDArray[np.int8] | None) -> None:
        """Whoever is not to act has nothing that is legal."""
        legal = self._legal[agent]
        legal[:] = 0 if mask is None else mask
        self.infos[agent] = {"action_mask": legal.copy()}

    def _end(self, rewards: list[float], is_cut: bool) -> None:
        """All agents are done."""
        self.rewards = dict(zip(self.possible_agents, rewards, strict=True))
        self._accumulate_rewards()
        done = self.truncations if is_cut else self.terminations
        done.update(dict.fromkeys(self.agents, True))

    def _end_illegally(self, agent: str, decision: int) -> None:
        """An illegal action raises, or loses the game as PettingZoo's own wrapper has it."""
        refusal = self._games.illegal_decision_error(0, decision)
        if not self._loses_if_illegal:
            raise refusal
        gymnasium.logger.warn(f"{agent} loses: {str(refusal).partition(chr(10))[0]}")
        rewards = [-1.0 if other == agent else 0.0 for other in self.possible_agents]
        self._tell_mask(agent, None)
        self._end(rewards, is_cut=False)

    # --- looking ----------------------------------------------------------------------------------

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent observes, and what is legal for it: nothing unless it is to act."""
        if not hasattr(self, "rewards"):
            EnvLogger.error_observe_before_reset()
        seat = self.possible_agents.index(agent)
        games = self._games
        is_to_move = seat == games.seats[0]
        seen = games.observations if is_to_move else games.observe(seat)
        return {
            "observation": self.encoder.encode(seen[0]),
            "action_mask": self._legal[agent].copy(),
        }

    def render(self) -> Any:
        """The table as everyone may see it, and as `render_seat` does if one was named."""
        if not hasattr(self, "rewards"):
            EnvLogger.error_render_before_reset()
        return self._renderer.render(self._games)

    def close(self) -> None:
        """There is nothing to let go of."""


def parallel_env(
    game: str = "duel", *, max_cycles: int | None = None, **kwargs: Any
) -> ParallelEnv[str, dict[str, Any], int]:
    """The same game where all agents are asked at each step and only that on turn is heard.

    A step is one decision, and `max_cycles` counts steps.
    """
    env = ParureEnv(game, max_decisions=max_cycles, **kwargs)
    return turn_based_aec_to_parallel_wrapper(env)


def _limit(name: str, most: int | None) -> int | None:
    if most is not None and (not isinstance(most, int) or most < 1):
        raise NotationError(f"{name} must be a number from 1 on, not {most!r}")
    return most


def _seed(seed: int | None) -> int | None:
    """A seed that all generators take, negative ones refused."""
    if seed is None:
        return None
    try:
        number = index(seed)
    except TypeError:
        raise gymnasium.error.Error(f"a seed is a whole number, not {seed!r}") from None
    if number < 0:
        raise gymnasium.error.Error(f"a seed must not be negative: {seed}")
    return number % LARGEST_SEED
