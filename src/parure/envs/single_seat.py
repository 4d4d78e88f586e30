"""Gymnasium: one seat learns, bots sit at the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, ClassVar, SupportsFloat

import gymnasium
import numpy as np
from numpy.typing import NDArray

from parure.bots import Bot, bot
from parure.envs.actions import ILLEGAL, Illegal, decision_from_action
from parure.envs.games import Games, Rewards, choice
from parure.envs.initial_state import state_from_record, unknown_option_error
from parure.envs.kernels.batch_step import RUNNING, TERMINATED, TRUNCATED
from parure.envs.rendering import METADATA, Renderer
from parure.envs.spaces import DecisionSpace, ObservationEncoder, ObservationEncoding
from parure.errors import NotationError
from parure.games.rules import Rules

RESET_OPTIONS = ("record", "seat")
RANDOM = "random"  # the bot that the compiled rules can play themselves


class SingleSeatEnv(gymnasium.Env[NDArray[Any], int]):
    """A game of the Splendor family for Gymnasium, against bots.

    `opponent` is the specification of a bot for all other seats, or one for each in their order
    around the table. `seat` is where the learner sits, or None: drawn for each game. A step is one
    decision of the learner and all that the others then decide.

    An illegal action loses the game at once (reward -1) with a warning that says why; with
    `illegal="raise"` it raises and changes nothing.
    """

    metadata: ClassVar[dict[str, Any]] = METADATA  # type: ignore[misc]

    def __init__(
        self,
        game: str = "duel",
        *,
        opponent: str | Sequence[str] = RANDOM,
        seat: int | None = None,
        players: int | None = None,
        anti_blocking: bool = False,
        observation: ObservationEncoding = "bytes",
        rewards: Rewards = "result",
        illegal: Illegal = "lose",
        render_mode: str | None = None,
        render_seat: int | None = None,
    ) -> None:
        self._games = games = Games(
            game,
            1,
            players=players,
            options={"anti-blocking": True} if anti_blocking else {},
            autoreset="off",
            rewards=rewards,
        )
        self.opponents = _opponents(opponent, self.rules.seats - 1)
        self._fixed_seat = None if seat is None else self._seat(seat)
        self._loses_if_illegal = choice("illegal", illegal, ILLEGAL) == ILLEGAL["lose"]
        self._renderer = Renderer(render_mode, render_seat, self.rules.seats)
        self.render_mode = render_mode
        self._legal = np.zeros(games.masks.shape[1], np.int8)
        self.encoder = ObservationEncoder(games.observation_layout, observation)
        self.observation_space = self.encoder.space()
        self.action_space = DecisionSpace(self._legal)  # type: ignore[assignment]
        self.seat = 0  # the learner's, in this game
        self._is_on = False
        self._bots: dict[int, Bot] = {}
        self._chance = Random()

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self._games.rules

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Begin a new game; options may name the learner's `seat` and a `record` to start from."""
        super().reset(seed=seed)
        problem = unknown_option_error(options, RESET_OPTIONS)
        if problem:
            raise NotationError(problem)
        asked = dict(options or {})
        position = None
        if asked.get("record") is not None:
            position = state_from_record(asked["record"], self.rules)
        number = int(self.np_random.integers(1 << 62))
        drawn = int(self.np_random.integers(self.rules.seats))
        seat = asked.get("seat", self._fixed_seat)
        self.seat = drawn if seat is None else self._seat(seat)
        if position is None:
            self._games.reset(number)
        else:
            self._games.set_state(0, position.words, number)
        self._seat_bots(number)
        self._let_others_play()
        self._is_on = bool(self._games.endings[0] == RUNNING)
        self._renderer.refresh(self._games)
        return self._seen()

    def step(self, action: int) -> tuple[NDArray[Any], SupportsFloat, bool, bool, dict[str, Any]]:
        """Take a decision, and let the others play until the learner is to move again."""
        if not self._is_on:
            raise gymnasium.error.ResetNeeded("no game is on: call reset() before step()")
        decision = decision_from_action(action, self._games)
        games = self._games
        if not self._legal[decision]:
            return self._lost(decision)
        games.step_unchecked(np.array([decision]))
        self._let_others_play()
        ending = int(games.endings[0])
        self._is_on = ending == RUNNING
        self._renderer.refresh(games)
        observation, info = self._seen()
        reward = float(games.rewards[0, self.seat])
        return observation, reward, ending == TERMINATED, ending == TRUNCATED, info

    def action_masks(self) -> NDArray[np.bool_]:
        """What is legal now, for MaskablePPO."""
        return self._legal.astype(np.bool_)

    def render(self) -> Any:
        """The table as everyone may see it, and as `render_seat` does if one was named."""
        return self._renderer.render(self._games)

    def close(self) -> None:
        """Let go of what the bots hold."""
        for player in self._bots.values():
            player.close()
        self._bots = {}

    # --- parts ------------------------------------------------------------------------------------

    def _seat(self, seat: Any) -> int:
        if not isinstance(seat, int) or not 0 <= seat < self.rules.seats:
            raise NotationError(
                f"the learner's seat is a number from 0 to {self.rules.seats - 1}, "
                f"or None for any, not {seat!r}"
            )
        return seat

    def _seat_bots(self, number: int) -> None:
        """New bots for a new game; the random one is played by the compiled rules."""
        self.close()
        self._chance = Random(number)
        for i, spec in enumerate(self.opponents, start=1):
            if spec != RANDOM:
                self._bots[(self.seat + i) % self.rules.seats] = bot(spec)

    def _let_others_play(self) -> None:
        games, by = self._games, self.rules
        while games.endings[0] == RUNNING and games.seats[0] != self.seat:
            player = self._bots.get(int(games.seats[0]))
            if player is None:
                games.step_unchecked(games.random_decisions())
                continue
            words = games.rows[0].copy()
            seat = int(games.seats[0])
            by.kernel.hide(words, seat)
            answer = player.decide(by.view_type(by, words, seat), self._chance)
            games.step([by.decision(answer.decision)])
        self._legal[:] = games.masks[0]

    def _seen(self) -> tuple[NDArray[Any], dict[str, Any]]:
        games = self._games
        is_to_move = games.seats[0] == self.seat
        seen = games.observations if is_to_move else games.observe(self.seat)
        info = {"action_mask": self._legal.copy(), "seat": self.seat}
        return self.encoder.encode(seen[0]), info

    def _lost(
        self, decision: int
    ) -> tuple[NDArray[Any], SupportsFloat, bool, bool, dict[str, Any]]:
        """An illegal action: the end of the game, or an error."""
        refusal = self._games.illegal_decision_error(0, decision)
        if not self._loses_if_illegal:
            raise refusal
        reason = str(refusal).partition("\n")[0]
        gymnasium.logger.warn(f"the game is lost: {reason}; see action_masks()")
        self._is_on = False
        self._legal[:] = 0
        observation, info = self._seen()
        return observation, -1.0, True, False, {**info, "illegal": reason}


def _opponents(opponent: str | Sequence[str], number: int) -> list[str]:
    """The bots of the other seats, each of which exists."""
    specs = [opponent] * number if isinstance(opponent, str) else list(opponent)
    if len(specs) != number:
        raise NotationError(
            f"{len(specs)} bots for {number} other seats: name one, or one for each"
        )
    for spec in specs:
        bot(spec).close()
    return specs
