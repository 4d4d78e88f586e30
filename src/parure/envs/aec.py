"""The environment for PettingZoo: every seat is an agent, and agents act one at a time."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils.conversions import turn_based_aec_to_parallel_wrapper
from pettingzoo.utils.env_logger import EnvLogger

from parure.envs.actions import (
    LOSES_IF_ILLEGAL,
    PLAIN_INTEGERS,
    ActionEncoder,
    ActionKind,
    IllegalAction,
)
from parure.envs.checks import check_choice, check_integer
from parure.envs.initial_state import state_from_record, unknown_option_error
from parure.envs.kernels.batch_step import TRUNCATED
from parure.envs.kernels.single_step import ENDING_SHIFT, ILLEGAL, NOBODY, RANDOM_DECISION
from parure.envs.observations import RewardKind
from parure.envs.rendering import METADATA, Renderer
from parure.envs.single_game import FIRST_ENDING, SingleGame
from parure.envs.spaces import DecisionSpace, ObservationEncoder, ObservationEncoding
from parure.errors import NotationError
from parure.games.rules import Rules

RESET_OPTIONS = ("record",)
SEED_LIMIT = 1 << 63

SEAT_MASK = FIRST_ENDING - 1


class ParureEnv(AECEnv[str, dict[str, Any], int]):  # type: ignore[misc]
    """A game for PettingZoo, with one agent for each seat: seat 0 is `player_0`.

    An agent acts once for each decision, so it may act several times in a row.

    Args:
        game: The name of the game.
        players: The number of seats; None for the smallest.
        anti_blocking: Duel's rule against blocking.
        observation: `"bytes"`, or `"floats"` scaled to 0 … 1.
        rewards: `"result"` for victory and defeat, `"margin"` for the difference in points.
        actions: `"card"`: an action is a decision, such as `buy J1-07`; `"slot"`: decisions about
            cards name the place of the card instead, such as `buy slot 3`.
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
        actions: ActionKind = "card",
        illegal: IllegalAction = "raise",
        max_cycles: int | None = None,
        max_decisions: int | None = None,
        render_mode: str | None = None,
        render_seat: int | None = None,
    ) -> None:
        super().__init__()
        self._games = games = SingleGame(
            game,
            players=players,
            options={"anti-blocking": True} if anti_blocking else {},
            seed=secrets.randbits(63),
            rewards=rewards,
        )
        self.action_encoder = ActionEncoder(games, actions)
        self.metadata = {
            **METADATA,
            "name": f"{self.rules.label.replace('+', '_').replace('-', '_')}_v0",
            "is_parallelizable": False,
        }
        self.possible_agents = [f"player_{seat}" for seat in range(self.rules.seats)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.encoder = ObservationEncoder(games.observation_layout, observation)
        self._is_scaled = self.encoder.is_scaled
        self._loses_if_illegal = check_choice("illegal", illegal, LOSES_IF_ILLEGAL)
        self._max_cycles = _check_limit("max_cycles", max_cycles)
        self._max_decisions = _check_limit("max_decisions", max_decisions)
        self._has_limit = not (max_cycles is None and max_decisions is None)
        self._renderer = Renderer(render_mode, render_seat, self.rules.seats)
        self.render_mode = render_mode
        self._refreshes = render_mode == "human"
        self._share_arrays()
        self._observation_spaces = {agent: self._space() for agent in self.possible_agents}
        self.agents: list[str] = []
        self._acting: str | None = None  # the agent to act; None before and after a game
        self._seat = 0  # to move

    def _share_arrays(self) -> None:
        """Set the arrays that each step changes, and what refers to them."""
        self._mask = self.action_encoder.masks[0]  # of the seat to move
        self._observation = self._games.observations[0]
        self._play = self._games.play
        self._slots = self.action_encoder.slots
        count = self.action_encoder.count
        self._no_mask = np.zeros(count, np.int8)
        self._action_spaces = {
            agent: DecisionSpace(count, partial(self._legal, agent)) for agent in self._seats
        }

    def __getstate__(self) -> dict[str, Any]:
        shared = ("_mask", "_observation", "_play", "_slots", "_action_spaces")
        state = {name: value for name, value in self.__dict__.items() if name not in shared}
        return state | {"action_spaces": self._action_spaces}

    def __setstate__(self, state: dict[str, Any]) -> None:
        spaces_before = state.pop("action_spaces")
        self.__dict__.update(state)
        self._share_arrays()
        for agent, space in self._action_spaces.items():
            space.copy_random_state(spaces_before[agent])

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self._games.rules

    def _space(self) -> spaces.Dict:
        mask = spaces.Box(0, 1, (self.action_encoder.count,), np.int8)
        return spaces.Dict({"observation": self.encoder.space(), "action_mask": mask})

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the space of an agent's observations."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> DecisionSpace:
        """Return the space of all actions; the mask says which are legal."""
        return self._action_spaces[agent]

    def _legal(self, agent: str) -> NDArray[np.int8]:
        """Return what is legal for an agent: nothing unless it is selected and may act."""
        return self._mask if agent == self._acting else self._no_mask

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
        self.infos: dict[str, dict[str, Any]] = {
            agent: {"action_mask": self._no_mask.copy()} for agent in self.agents
        }
        self._cycles = dict.fromkeys(self.agents, 0)
        self._skip_agent_selection = None
        self.action_encoder.update()
        self._select(int(games.seats[0]))
        self._renderer.refresh(games)

    def step(self, action: int | None) -> None:
        """Take a decision of the selected agent; None for an agent whose game is over."""
        agent = self._acting
        if agent is None:
            self._step_without_game(action)
            return
        slots = self._slots
        is_plain = slots is None and type(action) in PLAIN_INTEGERS
        decision: Any = action if is_plain else self.action_encoder.decision(action)
        code = self._play(decision, NOBODY) if decision >= 0 else ILLEGAL
        if code < 0:
            self._handle_illegal(agent, action)
            return
        if self._has_limit:
            code = self._play_for_done_agents(agent, code)
        if slots is not None:
            self.action_encoder.update()
        if code != self._seat:
            self.infos[agent] = {"action_mask": self._no_mask.copy()}
        if code < FIRST_ENDING:
            self._select(code)
            if self._has_limit and self._is_at_limit():
                self.infos[self.agent_selection] = {"action_mask": self._no_mask.copy()}
                self._end(self._games.rewards_if_ended(0).tolist(), is_truncated=True)
        else:
            self._seat = code & SEAT_MASK
            is_truncated = code >> ENDING_SHIFT == TRUNCATED
            self._end(self._games.rewards[0].tolist(), is_truncated)
        if self._refreshes:
            self._renderer.refresh(self._games)

    def _step_without_game(self, action: int | None) -> None:
        """Remove the selected agent after a game; raise or warn where a step is a mistake."""
        if not self.agents:
            if not hasattr(self, "rewards"):
                EnvLogger.error_step_before_reset()
            EnvLogger.warn_step_after_terminated_truncated()
            return
        if action is not None:
            raise NotationError(
                f"the game of {self.agent_selection} is over: "
                "step(None) until no agent is left, then reset()"
            )
        self._was_dead_step(None)

    def _play_for_done_agents(self, agent: str, code: int) -> int:
        """Count a step of an agent, play at random where one may not act, return the last code."""
        self._cycles[agent] += 1
        while code < FIRST_ENDING and not self._is_at_limit() and self._is_agent_done():
            code = self._play(RANDOM_DECISION, NOBODY)
        return code

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
        agent = self.agent_selection = self._acting = self.possible_agents[seat]
        self._seat = seat
        self.infos[agent] = {"action_mask": self._mask.copy()}

    def _end(self, rewards: list[float], is_truncated: bool) -> None:
        """End the game for all agents."""
        self.rewards = dict(zip(self.possible_agents, rewards, strict=True))
        self._acting = None
        self._accumulate_rewards()
        done = self.truncations if is_truncated else self.terminations
        done.update(dict.fromkeys(self.agents, True))

    def _handle_illegal(self, agent: str, action: Any) -> None:
        """Raise, or let the agent lose as PettingZoo's TerminateIllegalWrapper does."""
        error = self.action_encoder.error(0, self.action_encoder.checked(action))
        if not self._loses_if_illegal:
            raise error
        gymnasium.logger.warn(f"{agent} loses: {str(error).partition(chr(10))[0]}")
        rewards = [-1.0 if other == agent else 0.0 for other in self.possible_agents]
        self.infos[agent] = {"action_mask": self._no_mask.copy()}
        self._end(rewards, is_truncated=False)

    # The next two are those of PettingZoo, with fewer calls.

    def agent_iter(self, max_iter: int = 1 << 63) -> Iterator[str]:
        """Yield the selected agent until no agent is left."""
        while self.agents and max_iter > 0:
            max_iter -= 1
            yield self.agent_selection

    def last(
        self, observe: bool = True
    ) -> tuple[dict[str, Any] | None, float, bool, bool, dict[str, Any]]:
        """Return observation, reward, termination, truncation and info of the selected agent."""
        agent = self.agent_selection
        return (
            self.observe(agent) if observe else None,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )

    # --- observing --------------------------------------------------------------------------------

    def observe(self, agent: str) -> dict[str, Any]:
        """Return what an agent observes, and what is legal for it: nothing unless selected."""
        if agent == self._acting:
            observation, mask = self._observation, self._mask
        else:
            if not hasattr(self, "rewards"):
                EnvLogger.error_observe_before_reset()
            seat, mask = self._seats[agent], self._no_mask
            is_written = seat == self._seat
            observation = self._observation if is_written else self._games.observe(seat)[0]
        if self._is_scaled:
            return {"observation": self.encoder.encode(observation), "action_mask": mask.copy()}
        return {"observation": observation.copy(), "action_mask": mask.copy()}

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
