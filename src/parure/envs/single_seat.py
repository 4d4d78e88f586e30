"""The environment for Gymnasium: a learner plays one seat, bots play the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, ClassVar, SupportsFloat

import gymnasium
import numpy as np
from numpy.typing import NDArray

from parure.bots import Bot, BotLike, resolve
from parure.envs.actions import LOSES_IF_ILLEGAL, IllegalAction, decision_from_action
from parure.envs.checks import check_choice
from parure.envs.games import Games
from parure.envs.initial_state import state_from_record, unknown_option_error
from parure.envs.kernels.batch_step import RUNNING, TERMINATED, TRUNCATED
from parure.envs.observations import RewardKind
from parure.envs.rendering import METADATA, Renderer
from parure.envs.spaces import DecisionSpace, ObservationEncoder, ObservationEncoding
from parure.errors import NotationError
from parure.games.rules import Rules

RESET_OPTIONS = ("record", "seat")
RANDOM = "random"  # played by the compiled rules, without a bot


class SingleSeatEnv(gymnasium.Env[NDArray[Any], int]):
    """A game for Gymnasium. A step is one decision of the learner and the replies of the bots.

    Args:
        game: The name of the game.
        opponent: The bot of all other seats, or a list with one for each, in the order in which
            they move after the learner: a specification such as `"mcts:1s"`, a `Bot`, or a
            function that makes one. Specifications and functions make a new bot for every game;
            a `Bot` plays all games, and the caller closes it.
        seat: The seat of the learner; None draws one for each game.
        players: The number of seats; None for the smallest.
        anti_blocking: Duel's rule against blocking.
        observation: `"bytes"`, or `"floats"` scaled to 0 … 1.
        rewards: `"result"` for victory and defeat, `"margin"` for the difference in points.
        illegal: Whether an illegal action loses the game at once (reward -1), with a warning, or
            raises and changes nothing.
        render_mode: `"ansi"`, `"human"` or `"rgb_array"`.
        render_seat: The seat whose knowledge is rendered; None for what everyone knows.
    """

    metadata: ClassVar[dict[str, Any]] = METADATA  # type: ignore[misc]

    def __init__(
        self,
        game: str = "duel",
        *,
        opponent: BotLike | Sequence[BotLike] = RANDOM,
        seat: int | None = None,
        players: int | None = None,
        anti_blocking: bool = False,
        observation: ObservationEncoding = "bytes",
        rewards: RewardKind = "result",
        illegal: IllegalAction = "lose",
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
        self.opponents = _check_opponents(opponent, self.rules.seats - 1)
        self._fixed_seat = None if seat is None else self._check_seat(seat)
        self._loses_if_illegal = check_choice("illegal", illegal, LOSES_IF_ILLEGAL)
        self._renderer = Renderer(render_mode, render_seat, self.rules.seats)
        self.render_mode = render_mode
        self._legal = np.zeros(games.masks.shape[1], np.int8)
        self.encoder = ObservationEncoder(games.observation_layout, observation)
        self.observation_space = self.encoder.space()
        self.action_space = DecisionSpace(self._legal)  # type: ignore[assignment]
        self.seat = 0  # of the learner, in this game
        self._is_running = False
        self._bots: dict[int, Bot] = {}
        self._random = Random()

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self._games.rules

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Start a new game.

        Args:
            seed: Makes this and the following games reproducible.
            options: `{"seat": …}` is the seat of the learner, `{"record": …}` starts from the
                last position of a record.
        """
        super().reset(seed=seed)
        problem = unknown_option_error(options, RESET_OPTIONS)
        if problem:
            raise NotationError(problem)
        given = dict(options or {})
        record = given.get("record")
        state = None if record is None else state_from_record(record, self.rules)
        game_seed = int(self.np_random.integers(1 << 62))
        random_seat = int(self.np_random.integers(self.rules.seats))
        seat = given.get("seat", self._fixed_seat)
        self.seat = random_seat if seat is None else self._check_seat(seat)
        if state is None:
            self._games.reset(game_seed)
        else:
            self._games.set_state(0, state, game_seed)
        self._make_bots(game_seed)
        self._play_opponents()
        self._is_running = bool(self._games.endings[0] == RUNNING)
        self._renderer.refresh(self._games)
        return self._observe()

    def step(self, action: int) -> tuple[NDArray[Any], SupportsFloat, bool, bool, dict[str, Any]]:
        """Take a decision, then let the bots play until the learner is to move again."""
        if not self._is_running:
            raise gymnasium.error.ResetNeeded("no game is running: call reset() before step()")
        decision = decision_from_action(action, self._games)
        games = self._games
        if not self._legal[decision]:
            return self._handle_illegal(decision)
        games.step_single(decision)
        self._play_opponents()
        ending = int(games.endings[0])
        self._is_running = ending == RUNNING
        self._renderer.refresh(games)
        observation, info = self._observe()
        reward = float(games.rewards[0, self.seat])
        return observation, reward, ending == TERMINATED, ending == TRUNCATED, info

    def action_masks(self) -> NDArray[np.bool_]:
        """Return what is legal now, as MaskablePPO expects it."""
        return self._legal.astype(np.bool_)

    def render(self) -> Any:
        """Return the rendered position; None in the mode `human`, which prints it."""
        return self._renderer.render(self._games)

    def close(self) -> None:
        """Release what the bots hold, but not bots that the caller made."""
        for bot in self._bots.values():
            if bot not in self.opponents:
                bot.close()
        self._bots = {}

    # --- internal ---------------------------------------------------------------------------------

    def _check_seat(self, seat: Any) -> int:
        if not isinstance(seat, int) or not 0 <= seat < self.rules.seats:
            raise NotationError(
                f"the learner's seat is a number from 0 to {self.rules.seats - 1}, "
                f"or None for any, not {seat!r}"
            )
        return seat

    def _make_bots(self, seed: int) -> None:
        """Make the bots of a new game; random decisions come from the compiled rules instead."""
        self.close()
        self._random = Random(seed)
        for i, opponent in enumerate(self.opponents, start=1):
            if opponent != RANDOM:
                self._bots[(self.seat + i) % self.rules.seats] = resolve(opponent)

    def _play_opponents(self) -> None:
        """Let the other seats play until the learner is to move or the game is over."""
        games = self._games
        while games.endings[0] == RUNNING and games.seats[0] != self.seat:
            seat = int(games.seats[0])
            bot = self._bots.get(seat)
            if bot is None:
                games.step_randomly()
            else:
                answer = bot.decide(games.view(0, seat), self._random)
                games.step_single(self.rules.decision(answer.decision))
        self._legal[:] = games.masks[0]

    def _observe(self) -> tuple[NDArray[Any], dict[str, Any]]:
        games = self._games
        is_to_move = games.seats[0] == self.seat
        observations = games.observations if is_to_move else games.observe(self.seat)
        info = {"action_mask": self._legal.copy(), "seat": self.seat}
        return self.encoder.encode(observations[0]), info

    def _handle_illegal(
        self, decision: int
    ) -> tuple[NDArray[Any], SupportsFloat, bool, bool, dict[str, Any]]:
        """Raise, or end the game as lost."""
        error = self._games.illegal_decision_error(0, decision)
        if not self._loses_if_illegal:
            raise error
        reason = str(error).partition("\n")[0]
        gymnasium.logger.warn(f"the game is lost: {reason}; see action_masks()")
        self._is_running = False
        self._legal[:] = 0
        observation, info = self._observe()
        return observation, -1.0, True, False, {**info, "illegal": reason}


def _check_opponents(opponent: BotLike | Sequence[BotLike], count: int) -> list[BotLike]:
    """Return the bot of each other seat; raise if one of them cannot be made."""
    opponents: list[BotLike]
    if isinstance(opponent, Sequence) and not isinstance(opponent, str):
        opponents = list(opponent)
    else:
        opponents = [opponent] * count
    if len(opponents) != count:
        raise NotationError(
            f"{len(opponents)} bots for {count} other seats: pass one, or one for each"
        )
    for each in opponents:
        if not isinstance(each, Bot):
            resolve(each).close()
    return opponents
