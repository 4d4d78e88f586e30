"""The environment for Gymnasium: a learner plays one seat, bots play the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, ClassVar, SupportsFloat

import gymnasium
import numpy as np
from numpy.typing import NDArray

from parure.bots import Bot, BotLike, resolve
from parure.envs.actions import (
    LOSES_IF_ILLEGAL,
    PLAIN_INTEGERS,
    ActionEncoder,
    ActionKind,
    IllegalAction,
)
from parure.envs.checks import check_choice
from parure.envs.initial_state import state_from_record, unknown_option_error
from parure.envs.kernels.batch_step import RUNNING, TERMINATED, TRUNCATED
from parure.envs.kernels.single_step import ILLEGAL, NOBODY, RANDOM_DECISION
from parure.envs.observations import RewardKind
from parure.envs.rendering import METADATA, Renderer
from parure.envs.single_game import FIRST_ENDING, SingleGame
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
        actions: `"card"`: an action is a decision, such as `buy J1-07`; `"slot"`: decisions about
            cards name the place of the card instead, such as `buy slot 3`.
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
        actions: ActionKind = "card",
        illegal: IllegalAction = "lose",
        render_mode: str | None = None,
        render_seat: int | None = None,
    ) -> None:
        self._games = games = SingleGame(
            game,
            players=players,
            options={"anti-blocking": True} if anti_blocking else {},
            rewards=rewards,
        )
        self.action_encoder = ActionEncoder(games, actions)
        self.opponents = _check_opponents(opponent, self.rules.seats - 1)
        self._fixed_seat = None if seat is None else self._check_seat(seat)
        self._loses_if_illegal = check_choice("illegal", illegal, LOSES_IF_ILLEGAL)
        self._renderer = Renderer(render_mode, render_seat, self.rules.seats)
        self.render_mode = render_mode
        self._refreshes = render_mode == "human"
        self.encoder = ObservationEncoder(games.observation_layout, observation)
        self.observation_space = self.encoder.space()
        self._share_arrays()
        self.seat = 0  # of the learner, in this game
        self._random_until = NOBODY  # the seat until whose turn the rules play at random
        self._is_running = False
        self._bots: dict[int, Bot] = {}
        self._random = Random()

    def _share_arrays(self) -> None:
        """Set the arrays that each step changes, and what refers to them."""
        self._mask = self.action_encoder.masks[0]
        self._observation = self._games.observations[0]
        self._play = self._games.play
        self._slots = self.action_encoder.slots
        self._no_mask = np.zeros(self.action_encoder.count, np.int8)
        self._decision_space = DecisionSpace(self.action_encoder.count, lambda: self._legal)
        self.action_space = self._decision_space  # type: ignore[assignment]

    def __getstate__(self) -> dict[str, Any]:
        shared = ("_mask", "_observation", "_play", "_slots", "_decision_space", "action_space")
        state = {name: value for name, value in self.__dict__.items() if name not in shared}
        return state | {"space": self._decision_space}

    def __setstate__(self, state: dict[str, Any]) -> None:
        space_before = state.pop("space")
        self.__dict__.update(state)
        self._share_arrays()
        self._decision_space.copy_random_state(space_before)

    @property
    def _legal(self) -> NDArray[np.int8]:
        """1 for each legal action; all 0 while no game is running."""
        return self._mask if self._is_running else self._no_mask

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
        self._is_running = True
        self._play_opponents()
        self._renderer.refresh(self._games)
        return self._observe()

    def step(self, action: int) -> tuple[NDArray[Any], SupportsFloat, bool, bool, dict[str, Any]]:
        """Take a decision, then let the bots play until the learner is to move again."""
        if not self._is_running:
            raise gymnasium.error.ResetNeeded("no game is running: call reset() before step()")
        slots = self._slots
        is_plain = slots is None and type(action) in PLAIN_INTEGERS
        decision = action if is_plain else self.action_encoder.decision(action)
        code = self._play(decision, self._random_until) if decision >= 0 else ILLEGAL
        if code < 0:
            return self._handle_illegal(self.action_encoder.checked(action))
        if self._bots:
            self._play_opponents()
        elif code >= FIRST_ENDING:
            self._is_running = False
        if slots is not None:
            self.action_encoder.update()
        if self._refreshes:
            self._renderer.refresh(self._games)
        observation, info = self._observe()
        if self._is_running:
            return observation, 0.0, False, False, info
        games = self._games
        ending = games.endings[0]
        reward = games.rewards.item(0, self.seat)
        return observation, reward, bool(ending == TERMINATED), bool(ending == TRUNCATED), info

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
        self._random_until = NOBODY if self._bots else self.seat

    def _play_opponents(self) -> None:
        """Let the other seats play until the learner is to move or the game is over."""
        games = self._games
        while games.endings[0] == RUNNING and games.seats[0] != self.seat:
            seat = int(games.seats[0])
            bot = self._bots.get(seat)
            if bot is None:
                self._play(RANDOM_DECISION, self._random_until)
            else:
                answer = bot.decide(games.view(0, seat), self._random)
                games.step_single(self.rules.decision(answer.decision))
        self._is_running = bool(games.endings[0] == RUNNING)
        self.action_encoder.update()

    def _observe(self) -> tuple[NDArray[Any], dict[str, Any]]:
        observation = self._observation
        if self._bots and self._games.seats[0] != self.seat:
            observation = self._games.observe(self.seat)[0]
        mask = self._mask if self._is_running else self._no_mask
        info = {"action_mask": mask.copy(), "seat": self.seat}
        return self.encoder.encode(observation), info

    def _handle_illegal(
        self, action: int
    ) -> tuple[NDArray[Any], SupportsFloat, bool, bool, dict[str, Any]]:
        """Raise, or end the game as lost."""
        error = self.action_encoder.error(0, action)
        if not self._loses_if_illegal:
            raise error
        reason = str(error).partition("\n")[0]
        gymnasium.logger.warn(f"the game is lost: {reason}; see action_masks()")
        self._is_running = False
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
