"""PettingZoo: its conformance tests, and what they do not cover."""

from __future__ import annotations

import json
import pickle
from collections import Counter
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import api_test, max_cycles_test, render_test, seed_test
from pettingzoo.utils.wrappers import TerminateIllegalWrapper

import parure
from parure.envs import ENVIRONMENTS
from parure.envs.aec import ParureEnv
from parure.envs.rendering import COLUMNS, LINES
from parure.errors import IllegalDecision, NotationError, ParureError, RecordError
from parure.games.record import encode

CASES = [
    {"id": "parure/duel-v0"},
    {"id": "parure/duel-counterfeiters-v0"},
    *({"id": "parure/splendor-v0", "players": players} for players in (2, 3, 4)),
    *({"id": id, "actions": "slot"} for id in ENVIRONMENTS),
]
each_case = pytest.mark.parametrize(
    "case", CASES, ids=lambda case: "-".join(map(str, case.values()))
)


def make(case: dict[str, Any], **more: Any) -> Any:
    return pettingzoo.make("aec", **case, **more)


def play_out(env: Any, max_steps: int = 10**6) -> list[str]:
    """Play at random and return the agents in the order in which they acted."""
    acted = []
    for agent in env.agent_iter(max_steps):
        _, _, is_terminated, is_truncated, _ = env.last()
        if is_terminated or is_truncated:
            env.step(None)
        else:
            acted.append(agent)
            env.step(env.action_space(agent).sample())
    return acted


# --- conformance ----------------------------------------------------------------------------------


@each_case
@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array")  # they are dicts, as meant
@pytest.mark.filterwarnings("ignore:Observation space for each agent probably")
@pytest.mark.filterwarnings("ignore:.*reset has no option 'options'")
@pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros")  # when all is over
def test_the_api_test_passes(case: dict[str, Any]) -> None:
    api_test(make(case), num_cycles=600)


@each_case
def test_the_seed_test_passes(case: dict[str, Any]) -> None:
    seed_test(lambda: make(case), num_cycles=200)


@each_case
def test_the_render_test_passes(case: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    render_test(partial(make, case))
    assert "to move" in capsys.readouterr().out


@each_case
def test_the_max_cycles_test_passes(case: dict[str, Any]) -> None:
    """Several times, because the test does not seed its games."""
    module = SimpleNamespace(
        env=partial(make, case), parallel_env=partial(pettingzoo.make, "parallel", **case)
    )
    for _ in range(25):
        max_cycles_test(module)


def test_no_agent_acts_more_often_than_max_cycles() -> None:
    """Its seat then plays at random, reproducibly."""
    played = []
    for _ in range(2):
        env = ParureEnv("duel", max_cycles=9)
        env.reset(seed=3)
        for number, agent in enumerate(env.possible_agents):
            env.action_space(agent).seed(number)
        acted = play_out(env)
        assert [acted.count(agent) for agent in env.possible_agents] == [9, 9]
        played.append((acted, env._games.rows.copy()))
    assert played[0][0] == played[1][0]
    assert (played[0][1] == played[1][1]).all()


# --- agents and the end ---------------------------------------------------------------------------


@each_case
def test_all_agents_end_together_and_their_rewards_sum_to_zero(case: dict[str, Any]) -> None:
    env = make(case)
    env.reset(seed=5)
    rewards: dict[str, float] = {}
    for agent in env.agent_iter():
        observation, reward, is_terminated, is_truncated, info = env.last()
        assert (observation["action_mask"] == info["action_mask"]).all()
        assert info["action_mask"].dtype == np.int8
        if is_terminated or is_truncated:
            assert not observation["action_mask"].any()
            rewards[agent] = reward
            env.step(None)
        else:
            assert reward == 0
            for other in env.agents:
                assert observation["action_mask"].any()
                assert env.observe(other)["action_mask"].any() == (other == agent)
            env.step(env.action_space(agent).sample())
    assert list(rewards) == sorted(env.possible_agents, key=list(rewards).index)
    assert len(rewards) == len(env.possible_agents)
    assert sum(rewards.values()) == pytest.approx(0, abs=1e-6)
    assert max(rewards.values()) == pytest.approx(1)
    assert env.agents == []


def test_the_turn_limit_truncates() -> None:
    """Nobody buys: after 500 turns the game is truncated, a draw."""
    env = ParureEnv("duel")
    env.reset(seed=1)
    texts = env.rules.decision_texts
    while not any(env.truncations.values()):
        legal = np.flatnonzero(env.observe(env.agent_selection)["action_mask"])
        calm = [n for n in legal if not texts[n].startswith(("buy", "gold"))]
        env.step(int((calm or legal)[0]))
    assert all(env.truncations.values())
    assert not any(env.terminations.values())
    assert set(env.rewards.values()) == {0}


def test_limits_of_decisions_and_cycles() -> None:
    env = ParureEnv("splendor", max_decisions=7)
    env.reset(seed=1)
    assert len(play_out(env)) == 7
    env = ParureEnv("splendor", players=3, max_cycles=5)
    env.reset(seed=1)
    acted = play_out(env)
    assert [acted.count(agent) for agent in env.possible_agents] == [5, 5, 5]
    with pytest.raises(NotationError, match="max_cycles must be at least 1"):
        ParureEnv("duel", max_cycles=0)


def test_margin_rewards() -> None:
    env = ParureEnv("splendor", rewards="margin")
    env.reset(seed=3)
    play_out(env, 10_000)
    env.reset(seed=3)
    while not any(env.terminations.values()):
        env.step(env.action_space(env.agent_selection).sample())
    own, other = (player.points for player in env._games.view(0, None).players)
    assert env.rewards["player_0"] == pytest.approx((own - other) / 15)


# --- starting from a record -----------------------------------------------------------------------


def test_a_game_starts_from_a_record(tmp_path: Path) -> None:
    state = parure.new("duel", seed=8)
    for _ in range(9):
        state.play(state.legal_decisions[0])
    state.save(tmp_path / "game.json")
    env = ParureEnv("duel")
    for record in (
        tmp_path / "game.json",
        str(tmp_path / "game.json"),
        state.record(),
        encode(state.record()),
        encode(state.record()).decode(),
    ):
        env.reset(seed=1, options={"record": record})
        assert env.agent_selection == f"player_{state.seat}"
        legal = env.observe(env.agent_selection)["action_mask"]
        assert np.flatnonzero(legal).tolist() == state.legal_decisions.ids
    play_out(env)


def test_a_record_of_another_game_is_refused() -> None:
    env = ParureEnv("duel")
    env.reset(seed=1)
    with pytest.raises(RecordError, match="the record is of splendor-3"):
        env.reset(options={"record": parure.new("splendor", players=3).record()})
    state = parure.new("duel", seed=2)
    while not state.is_over:
        state.play(state.legal_decisions[-1])
    with pytest.raises(ParureError, match="the game of the record is over"):
        env.reset(options={"record": state.record()})
    with pytest.raises(NotationError, match="not int"):
        env.reset(options={"record": 7})


# --- rendering and hidden information -------------------------------------------------------------


def hidden_reserve() -> tuple[Any, str]:
    state = parure.new("duel", seed=3)
    state.play(next(text for text in state.legal_decisions if text.startswith("gold")))
    state.play("reserve deck1")
    return state.record(), state.players[0].reserved[0]


def test_rendering_shows_no_hidden_card() -> None:
    record, hidden = hidden_reserve()
    rendered = {}
    for seat in (None, 0, 1):
        env = ParureEnv("duel", render_mode="ansi", render_seat=seat)
        env.reset(options={"record": record})
        rendered[seat] = env.render()
    assert hidden in rendered[0]
    assert hidden not in rendered[1]
    assert hidden not in rendered[None]
    assert "??1" in rendered[None]


@each_case
def test_hidden_cards_do_not_change_what_an_agent_receives(case: dict[str, Any]) -> None:
    """Compare two games that differ only in what the agent cannot see."""
    one, other = (make(case, render_mode="ansi", render_seat=1) for _ in range(2))
    one.reset(seed=6)
    other.reset(seed=7)
    state = parure.new(one.rules.game, players=one.rules.seats, seed=3)
    for number in range(60):
        drawing = [text for text in state.legal_decisions if text.startswith(("gold", "reserve d"))]
        state.play((drawing or list(state.legal_decisions))[number % 3 % max(len(drawing), 1)])
    guess = parure.determinize(state.view(1), seed=5)
    assert guess != state
    for env, position in ((one, state), (other, guess)):
        env._games.set_state(0, position, 1)
        env.action_encoder.update()
        env._select(position.seat)
    seen, again = one.observe("player_1"), other.observe("player_1")
    assert (seen["observation"] == again["observation"]).all()
    assert (seen["action_mask"] == again["action_mask"]).all()
    assert (one.infos["player_1"]["action_mask"] == other.infos["player_1"]["action_mask"]).all()
    assert one.render() == other.render()


def test_images_have_one_size() -> None:
    env = ParureEnv("duel+counterfeiters", render_mode="rgb_array")
    env.reset(seed=1)
    first = env.render()
    play_out(env, 100)
    assert first.shape == env.render().shape
    assert (first != env.render()).any()
    assert first.std() > 10


@pytest.mark.parametrize(("game", "players"), [("duel+counterfeiters", 2), ("splendor", 4)])
def test_the_text_fits_into_the_image(game: str, players: int) -> None:
    env = ParureEnv(game, players=players, render_mode="ansi", render_seat=0)
    for seed in range(5):
        env.reset(seed=seed)
        while not any(env.terminations.values()) and not any(env.truncations.values()):
            env.step(env.action_space(env.agent_selection).sample())
            lines = env.render().splitlines()
            assert len(lines) <= LINES
            assert max(map(len, lines)) <= COLUMNS


# --- wrong arguments ------------------------------------------------------------------------------


def test_an_illegal_action_raises_and_changes_nothing() -> None:
    env = ParureEnv("duel")
    env.reset(seed=1)
    before = env.observe("player_0")
    with pytest.raises(IllegalDecision, match=r"'pass' is not legal: .*mask"):
        env.step(env.rules.decision("pass"))
    after = env.observe("player_0")
    assert all((before[name] == after[name]).all() for name in before)
    assert env.agent_selection == "player_0"


def test_an_illegal_action_may_lose_the_game() -> None:
    env = ParureEnv("duel", illegal="lose")
    env.reset(seed=1)
    with pytest.warns(UserWarning, match="player_0 loses: 'pass' is not legal"):
        env.step(env.rules.decision("pass"))
    assert env.rewards == {"player_0": -1, "player_1": 0}
    assert all(env.terminations.values())
    assert play_out(env) == []


def test_the_wrapper_of_pettingzoo_works(capsys: pytest.CaptureFixture[str]) -> None:
    env = TerminateIllegalWrapper(ParureEnv("duel"), illegal_reward=-1)
    env.reset(seed=1)
    env.last()
    env.step(env.unwrapped.rules.decision("pass"))
    assert env.rewards["player_0"] == -1
    assert all(env.terminations.values())


@pytest.mark.parametrize(
    ("action", "message"),
    [
        (1.0, "whole number, not float"),
        (np.float32(1), "whole number, not float32"),
        (True, "whole number, not True"),
        ("take a1", "whole number, not str"),
        (None, "whole number, not NoneType"),
        (389, "an action must be from 0 to 388, not 389"),
        (-1, "an action must be from 0 to 388, not -1"),
    ],
)
def test_an_action_must_be_a_decision(action: Any, message: str) -> None:
    env = ParureEnv("duel")
    env.reset(seed=1)
    with pytest.raises(gymnasium.error.InvalidAction, match=message):
        env.step(action)


def test_an_action_may_have_any_integer_type() -> None:
    env = ParureEnv("duel")
    types: list[Any] = [int, np.int8, np.int32, np.uint16]
    for integer_type in types:
        env.reset(seed=1)
        env.step(integer_type(0))
        assert env.agent_selection == "player_1"


def test_stepping_before_reset_and_after_the_end(capsys: pytest.CaptureFixture[str]) -> None:
    env = ParureEnv("splendor", max_decisions=1)
    for call in (lambda: env.step(0), env.render, lambda: env.observe("player_0")):
        with pytest.raises(AssertionError, match=r"reset\(\) needs to be called"):
            call()
    env.reset(seed=1)
    env.step(env.action_space("player_0").sample())
    with pytest.raises(ValueError, match=r"is over: step\(None\) until no agent is left"):
        env.step(0)
    play_out(env)
    env.step(None)  # PettingZoo logs a warning


def test_unknown_options_are_refused() -> None:
    env = ParureEnv("duel")
    with pytest.warns(UserWarning, match="reset has no option 'recod'; it has: record"):
        env.reset(options={"recod": 1})
    for option, message in (
        ({"observation": "pixels"}, "observation must be one of 'bytes', 'floats'"),
        ({"illegal": "ignore"}, "illegal must be one of 'raise', 'lose'"),
        ({"render_mode": "svg"}, "render_mode must be one of ansi, human, rgb_array"),
        ({"render_seat": 5}, "render_seat must be a seat from 0 to 1"),
    ):
        with pytest.raises(NotationError, match=message):
            ParureEnv("duel", **option)
    with pytest.raises(TypeError, match="unexpected keyword"):
        pettingzoo.make("aec", "parure/duel-v0", speed=2)
    with pytest.raises(gymnasium.error.Error, match="a seed must be at least 0"):
        env.reset(seed=-1)
    with pytest.raises(gymnasium.error.Error, match="a seed must be a whole number"):
        env.reset(seed=1.5)  # type: ignore[arg-type]


def test_rendering_without_a_mode_warns() -> None:
    env = ParureEnv("duel")
    env.reset(seed=1)
    with pytest.warns(UserWarning, match="make the environment with render_mode="):
        assert env.render() is None


# --- encodings and registration -------------------------------------------------------------------


def test_floats_are_scaled_bytes() -> None:
    integers, scaled = ParureEnv("duel"), ParureEnv("duel", observation="floats")
    for env in (integers, scaled):
        env.reset(seed=4)
    observation = scaled.observe("player_1")["observation"]
    assert observation.dtype == np.float32
    assert observation.max() <= 1
    max_values = integers.encoder.layout.max_values
    assert observation == pytest.approx(integers.observe("player_1")["observation"] / max_values)


def test_all_ids_are_registered() -> None:
    for name in ENVIRONMENTS:
        aec, parallel = pettingzoo.make("aec", name), pettingzoo.make("parallel", name)
        assert json.dumps(aec.metadata["name"]).startswith('"')
        observations, _ = parallel.reset(seed=1)
        actions = {agent: parallel.action_space(agent).sample() for agent in parallel.agents}
        observations, rewards, *_ = parallel.step(actions)
        assert set(observations) == set(rewards) == set(aec.possible_agents)


# --- samples --------------------------------------------------------------------------------------


@pytest.mark.parametrize("actions", ["card", "slot"])
def test_a_pickled_environment_draws_the_same_samples(actions: str) -> None:
    env = make({"id": "parure/splendor-v0", "actions": actions})
    env.reset(seed=1)
    for agent in env.possible_agents:
        env.action_space(agent).seed(2)
    play_out(env, 9)
    other = pickle.loads(pickle.dumps(env))
    assert play_out(env) == play_out(other)
    assert (env._games.rows == other._games.rows).all()


def test_a_seed_makes_samples_reproducible() -> None:
    env = make({"id": "parure/duel-v0"})
    env.reset(seed=1)
    space = env.action_space("player_0")
    runs = []
    for count in (100, 150):  # some random numbers are drawn ahead, and the seed discards them
        space.seed(5)
        runs.append([int(space.sample()) for _ in range(count)])
    assert runs[1][:100] == runs[0]
    assert len(set(runs[1])) > 20


def test_samples_are_uniform_among_what_a_mask_allows() -> None:
    env = make({"id": "parure/splendor-v0"})
    env.reset(seed=1)
    space = env.action_space("player_0")
    space.seed(0)
    mask = np.zeros(space.n, np.int8)
    mask[[0, 7, space.n - 1]] = 1
    wide = np.zeros(2 * space.n, np.int8)
    wide[::2] = mask
    fixed = mask.copy()
    fixed.setflags(write=False)
    for given in (mask, wide[::2], fixed):
        drawn = Counter(int(space.sample(given)) for _ in range(600))
        assert set(drawn) == {0, 7, space.n - 1}
        assert min(drawn.values()) > 140
    assert isinstance(space.sample(mask), np.int64)
    with pytest.raises(AssertionError):
        space.sample(mask[:-1])
