"""The Gymnasium environment: its checker, masks, bots, and wrong arguments."""

from __future__ import annotations

from copy import deepcopy
from random import Random
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import parure
from parure import bots
from parure.bots import Answer, Bot, Budget
from parure.envs import ENVIRONMENTS
from parure.envs.single_seat import SingleSeatEnv
from parure.errors import IllegalDecision, NotationError
from parure.games.view import View

each_id = pytest.mark.parametrize("name", ENVIRONMENTS)


def play_out(env: gymnasium.Env[Any, Any]) -> tuple[float, int]:
    """Play at random; return the reward and the number of steps."""
    steps = 0
    while True:
        _, reward, is_terminated, is_truncated, _ = env.step(env.action_space.sample())
        steps += 1
        if is_terminated or is_truncated:
            return float(reward), steps
        assert reward == 0


@each_id
@pytest.mark.filterwarnings("ignore:.*the game is lost")  # the checker ignores masks
@pytest.mark.parametrize("actions", ["card", "slot"])
def test_the_checker_passes(name: str, actions: str, capsys: pytest.CaptureFixture[str]) -> None:
    check_env(gymnasium.make(name, actions=actions).unwrapped)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.filterwarnings("ignore:.*the game is lost")
def test_the_checker_passes_for_more_seats_and_floats(
    players: int, capsys: pytest.CaptureFixture[str]
) -> None:
    name = "parure/splendor-v0"
    check_env(gymnasium.make(name, players=players, observation="floats").unwrapped)


@each_id
def test_games_end_with_a_result(name: str) -> None:
    env = gymnasium.make(name)
    results = []
    for seed in range(12):
        _, info = env.reset(seed=seed)
        assert info["action_mask"].any()
        results.append(play_out(env)[0])
    assert {-1.0, 1.0} <= set(results)


def test_masks_hold_what_is_legal_for_the_learner() -> None:
    env = SingleSeatEnv("duel", seat=1)
    _, info = env.reset(seed=3)
    for _ in range(30):
        masks = env.action_masks()
        assert masks.dtype == np.bool_
        assert (masks == info["action_mask"]).all()
        state = env.rules.state_type(env.rules, env._games.rows[0], env._games.rngs[0])
        assert state.seat == 1
        assert np.flatnonzero(masks).tolist() == state.legal_decisions.ids
        _, _, _, _, info = env.step(int(np.flatnonzero(masks)[0]))


def test_the_same_seed_gives_the_same_game() -> None:
    first, second = SingleSeatEnv("duel"), SingleSeatEnv("duel")
    for env in (first, second):
        env.reset(seed=11)
        env.action_space.seed(5)
    assert play_out(first) == play_out(second)
    assert (first._games.rows == second._games.rows).all()
    before = first._games.rows.copy()
    first.reset()
    assert (first._games.rows != before).any()


def test_the_seat_is_drawn_unless_given() -> None:
    env = SingleSeatEnv("splendor", players=3)
    assert {env.reset(seed=seed)[1]["seat"] for seed in range(30)} == {0, 1, 2}
    env = SingleSeatEnv("splendor", players=3, seat=2)
    assert {env.reset(seed=seed)[1]["seat"] for seed in range(5)} == {2}
    assert env.reset(options={"seat": 0})[1]["seat"] == 0


class RecordingBot(Bot):
    """Takes the first legal decision and keeps the views."""

    def __init__(self) -> None:
        self.views: list[View] = []
        self.closed = 0

    def choose(self, view: View, rng: Random, budget: Budget | None) -> Answer:
        self.views.append(view)
        return Answer(view.legal_decisions[0])

    def close(self) -> None:
        self.closed += 1


def test_opponents_sit_around_the_learner_and_receive_views() -> None:
    made: list[RecordingBot] = []

    def make() -> Bot:
        made.append(RecordingBot())
        return made[-1]

    env = SingleSeatEnv("splendor", players=3, opponent=[make, "random"], seat=2)
    assert [bot.closed for bot in made] == [1]  # one was made to check that it can be
    made.clear()
    env.reset(seed=1)
    (only,) = made
    env.step(env.action_space.sample())
    assert {view.viewer for view in only.views} == {0}  # the seat after the learner's
    assert all(view.seat == 0 for view in only.views)
    assert only.closed == 0
    env.reset(seed=2)
    assert only.closed == 1
    env.close()
    assert made[-1].closed == 1


def test_opponents_are_accepted_in_every_form() -> None:
    bot = RecordingBot()
    bots.register("recording", RecordingBot)
    try:
        ends = []
        for opponent in ("recording", RecordingBot, lambda: bot, bot, [bot], (RecordingBot,)):
            env = SingleSeatEnv("duel", opponent=opponent, seat=0)
            env.reset(seed=4)
            env.action_space.seed(4)
            for _ in range(10):
                env.step(env.action_space.sample())
            ends.append(env._games.rows.tobytes())
        assert len(set(ends)) == 1
    finally:
        bots.unregister("recording")


def test_a_bot_of_the_caller_stays_open() -> None:
    bot = RecordingBot()
    env = SingleSeatEnv("duel", opponent=bot)
    env.reset(seed=1)
    env.reset(seed=2)
    env.close()
    assert bot.closed == 0


def test_no_bot_is_no_opponent() -> None:
    wrong: Any
    for wrong in (5, None, [3], lambda: "random"):
        with pytest.raises(TypeError, match=r"is not a bot|which is not a"):
            SingleSeatEnv("duel", opponent=wrong)


def test_a_game_starts_from_a_record() -> None:
    state = parure.new("duel", seed=8)
    for _ in range(6):
        state.play(state.legal_decisions[0])
    env = SingleSeatEnv("duel", seat=state.seat)
    env.reset(seed=1, options={"record": state.record()})
    assert (env._games.rows[0] == state.words).all()
    env = SingleSeatEnv("duel", seat=1 - state.seat)
    env.reset(seed=1, options={"record": state.record()})
    assert env._games.seats[0] == 1 - state.seat


def test_a_copy_is_independent() -> None:
    env = SingleSeatEnv("duel")
    env.reset(seed=1)
    other = deepcopy(env)
    before = env._games.rows.copy()
    play_out(other)
    assert (env._games.rows == before).all()
    assert env.action_masks().any()


# --- wrong arguments ------------------------------------------------------------------------------


def test_an_illegal_action_loses_with_a_reason() -> None:
    env = SingleSeatEnv("duel")
    env.reset(seed=1)
    with pytest.warns(UserWarning, match=r"the game is lost: 'pass' is not legal.*action_masks"):
        _, reward, is_terminated, is_truncated, info = env.step(env.rules.decision("pass"))
    assert (reward, is_terminated, is_truncated) == (-1, True, False)
    assert "'pass' is not legal" in info["illegal"]
    assert not info["action_mask"].any()


def test_an_illegal_action_may_raise() -> None:
    env = SingleSeatEnv("duel", illegal="raise")
    env.reset(seed=1)
    with pytest.raises(IllegalDecision, match="'pass' is not legal"):
        env.step(env.rules.decision("pass"))
    env.step(env.action_space.sample())


def test_step_needs_a_running_game() -> None:
    env = SingleSeatEnv("splendor")
    with pytest.raises(gymnasium.error.ResetNeeded, match=r"call reset\(\) before step"):
        env.step(0)
    env.reset(seed=1)
    play_out(env)
    with pytest.raises(gymnasium.error.ResetNeeded, match=r"call reset\(\) before step"):
        env.step(0)


@pytest.mark.parametrize("action", [0.0, np.float64(3), "take a1", None, 389, -1])
def test_an_action_must_be_a_decision(action: Any) -> None:
    env = SingleSeatEnv("duel")
    env.reset(seed=1)
    with pytest.raises(gymnasium.error.InvalidAction, match=r"an action must be"):
        env.step(action)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"opponent": "nobody"}, "no bot is called 'nobody'"),
        ({"opponent": ["random", "random"]}, "2 bots for 1 other seats"),
        ({"seat": 2}, "number from 0 to 1"),
        ({"observation": "pixels"}, "observation must be one of"),
        ({"illegal": "ignore"}, "illegal must be one of"),
    ],
)
def test_unknown_options_are_refused(options: Any, message: str) -> None:
    with pytest.raises(NotationError, match=message):
        SingleSeatEnv("duel", **options)


def test_unknown_reset_options_are_refused() -> None:
    env = SingleSeatEnv("duel")
    with pytest.raises(NotationError, match="no option 'sit'; it has: record, seat"):
        env.reset(options={"sit": 1})
    with pytest.raises(NotationError, match="number from 0 to 1"):
        env.reset(options={"seat": 7})
