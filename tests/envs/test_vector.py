"""The vector environment: autoreset modes, learners, copies, and wrong arguments."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

import parure
from parure.envs import ENVIRONMENTS
from parure.envs.bot_opponents import GamesAgainstGreedy
from parure.envs.vector import ParureVectorEnv
from parure.errors import IllegalDecision, NotationError

each_id = pytest.mark.parametrize("name", ENVIRONMENTS)


def step_until_one_ends(envs: ParureVectorEnv) -> tuple[int, tuple[Any, ...]]:
    """Return the index of a game that has ended, and what its last step returned."""
    while True:
        result = envs.step(envs.random_actions())
        ended = np.flatnonzero(result[2] | result[3])
        if len(ended):
            return int(ended[0]), result


@each_id
@pytest.mark.parametrize("opponent", ["random", "self"])
def test_observations_and_actions_are_in_their_spaces(name: str, opponent: str) -> None:
    envs = gymnasium.make_vec(name, num_envs=6, opponent=opponent)
    assert isinstance(envs, ParureVectorEnv)
    observations, infos = envs.reset(seed=1)
    for _ in range(120):
        assert envs.observation_space.contains(observations)
        actions = envs.random_actions()
        assert envs.action_space.contains(actions)
        assert (infos["action_mask"][np.arange(6), actions] == 1).all() or envs.games.is_over.any()
        observations, rewards, is_terminated, is_truncated, infos = envs.step(actions)
        assert rewards.shape == is_terminated.shape == is_truncated.shape == (6,)
        assert is_terminated.dtype == is_truncated.dtype == np.bool_
        assert infos["_action_mask"].all()


def test_make_vec_declares_the_autoreset_mode() -> None:
    envs = gymnasium.make_vec("parure/duel-v0", num_envs=2)
    assert envs.metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP
    same = gymnasium.make_vec("parure/duel-v0", num_envs=2, autoreset_mode="SameStep")
    assert same.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP
    assert envs.num_envs == 2
    single = gymnasium.make("parure/duel-v0")
    assert envs.single_observation_space == single.observation_space
    assert envs.single_action_space == single.action_space
    sync = gymnasium.make_vec("parure/duel-v0", num_envs=2, vectorization_mode="sync")
    assert sync.observation_space == envs.observation_space
    assert sync.action_space == envs.action_space


def test_next_step_mode() -> None:
    envs = ParureVectorEnv("duel", 16, opponent="self")
    envs.reset(seed=3)
    ended, (observations, rewards, _, _, infos) = step_until_one_ends(envs)
    assert "final_obs" not in infos
    assert envs.games.observation_layout.split(observations[ended])["phase"][-1] == 1  # over
    assert rewards[ended] == 1  # in Duel, the seat that ends the game wins
    assert sorted(infos["rewards"][ended]) == [-1, 1]
    assert np.flatnonzero(infos["action_mask"][ended]).tolist() == [0]  # any action is ignored
    observations, rewards, is_over, _, infos = envs.step(envs.random_actions())
    assert rewards[ended] == 0
    assert not is_over[ended]
    assert envs.games.observation_layout.split(observations[ended])["turns"] == 0
    assert infos["action_mask"][ended].any()


def test_same_step_mode() -> None:
    envs = ParureVectorEnv("duel", 16, opponent="self", autoreset_mode=AutoresetMode.SAME_STEP)
    envs.reset(seed=3)
    ended, (observations, rewards, is_over, _, infos) = step_until_one_ends(envs)
    assert rewards[ended] == 1
    split = envs.games.observation_layout.split
    assert split(infos["final_obs"][ended])["phase"][-1] == 1
    assert split(observations[ended])["turns"] == 0
    assert infos["action_mask"][ended].any()
    assert (infos["_final_obs"] == is_over).all()
    assert (infos["_final_info"] == is_over).all()
    assert sorted(infos["final_info"]["rewards"][ended]) == [-1, 1]
    others = np.flatnonzero(~is_over)
    assert all(infos["final_obs"][other] is None for other in others)


def test_disabled_mode() -> None:
    envs = ParureVectorEnv("duel", 16, opponent="self", autoreset_mode="Disabled")
    envs.reset(seed=3)
    ended, (_, _, is_over, _, _) = step_until_one_ends(envs)
    with pytest.raises(gymnasium.error.ResetNeeded, match=rf"game {ended} is over: start it again"):
        envs.step(envs.random_actions())
    before = envs.games.rows[~is_over].copy()
    _, infos = envs.reset(options={"reset_mask": is_over})
    assert (envs.games.rows[~is_over] == before).all()
    assert infos["action_mask"].any(axis=1).all()
    envs.step(envs.random_actions())


def test_the_learner_is_rewarded() -> None:
    envs = ParureVectorEnv("splendor", 64, players=3, seat=1)
    envs.reset(seed=1)
    seen = set()
    for _ in range(150):
        _, rewards, is_over, _, infos = envs.step(envs.random_actions())
        assert (rewards == infos["rewards"][:, 1]).all()
        assert (infos["seat"] == 1).all()
        seen |= set(rewards[is_over].tolist())
    assert {1.0, -0.5} <= seen


def test_the_same_seed_gives_the_same_games() -> None:
    envs = ParureVectorEnv("duel", 4)
    first, _ = envs.reset(seed=1)
    second, _ = envs.reset()
    again, _ = envs.reset(seed=1)
    assert (first == again).all()
    assert (first != second).any()


def test_results_are_copies_unless_switched_off() -> None:
    envs = ParureVectorEnv("duel", 4, opponent="self")
    observations, infos = envs.reset(seed=1)
    kept = observations.copy(), infos["action_mask"].copy()
    envs.step(envs.random_actions())
    assert (observations == kept[0]).all()
    assert (infos["action_mask"] == kept[1]).all()
    bare = ParureVectorEnv("duel", 4, opponent="self", copy=False)
    observations, _ = bare.reset(seed=1)
    assert bare.step(bare.random_actions())[0] is observations


def test_games_start_from_a_record() -> None:
    state = parure.new("duel", seed=8)
    state.play("take a1")
    envs = ParureVectorEnv("duel", 3, opponent="self")
    envs.reset(seed=1, options={"record": state.record()})
    assert (envs.games.rows == state.words).all()
    envs.step(envs.random_actions())
    with pytest.raises(NotationError, match="needs opponent='self'"):
        ParureVectorEnv("duel", 3).reset(options={"record": state.record()})


def test_every_game_is_rendered() -> None:
    envs = ParureVectorEnv("splendor", 3, render_mode="ansi")
    envs.reset(seed=1)
    assert len(envs.render()) == 3
    with pytest.raises(NotationError, match="'ansi' or 'rgb_array'"):
        ParureVectorEnv("splendor", 3, render_mode="human")


# --- wrong arguments ------------------------------------------------------------------------------


def test_step_needs_a_reset() -> None:
    with pytest.raises(gymnasium.error.ResetNeeded, match=r"call reset\(\)"):
        ParureVectorEnv("duel", 2).step(np.zeros(2, np.int64))


def test_illegal_actions_raise_and_change_nothing() -> None:
    envs = ParureVectorEnv("duel", 2, opponent="self")
    envs.reset(seed=1)
    before = envs.games.rows.copy()
    actions = envs.random_actions()
    actions[1] = envs.games.rules.decision("pass")
    with pytest.raises(IllegalDecision, match="game 1"):
        envs.step(actions)
    assert (envs.games.rows == before).all()
    with pytest.raises(NotationError, match="whole numbers, not float64"):
        envs.step(actions.astype(np.float64))
    with pytest.raises(NotationError, match="each of 2 games"):
        envs.step(actions[:1])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"opponent": "mcts"}, "vectorization_mode='sync'"),
        ({"opponent": "self", "seat": 1}, "there is no learner"),
        ({"autoreset_mode": "Sometimes"}, "autoreset_mode must be one of NextStep, SameStep"),
        ({"seat": 3}, "number from 0 to 1"),
        ({"num_envs": 0}, "number of games must be at least 1"),
    ],
)
def test_unknown_options_are_refused(options: Any, message: str) -> None:
    with pytest.raises(NotationError, match=message):
        ParureVectorEnv("duel", **options)


def test_unknown_reset_options_are_refused() -> None:
    envs = ParureVectorEnv("duel", 2)
    with pytest.raises(NotationError, match="no option 'mask'; it has: record, reset_mask"):
        envs.reset(options={"mask": 1})
    with pytest.raises(NotationError, match="reset_mask must be 2 truth values"):
        envs.reset(options={"reset_mask": np.zeros(2)})


# --- final steps, seeds, opponents, slots ---------------------------------------------------------


@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
@pytest.mark.parametrize("actions", ["card", "slot"])
def test_every_mask_can_be_normalized(mode: str, actions: Any) -> None:
    envs = ParureVectorEnv("splendor", 8, autoreset_mode=mode, actions=actions)
    _, infos = envs.reset(seed=3)
    ended = 0
    for _ in range(150):
        masks = infos["action_mask"]
        assert (masks.sum(axis=1) > 0).all()
        assert np.array_equal(masks.astype(bool), envs.action_masks())
        over = envs.games.is_over
        assert (masks[over].sum(axis=1) == masks[over, 0]).all()
        if mode == "Disabled" and over.any():
            _, infos = envs.reset(options={"reset_mask": over})
            continue
        _, _, terminations, truncations, infos = envs.step(masks.argmax(axis=1))
        ended += int((terminations | truncations).sum())
    assert ended


def test_a_game_depends_on_its_own_seed_only() -> None:
    def observations(seeds: list[int | None]) -> list[bytes]:
        envs = ParureVectorEnv("duel", len(seeds), opponent="self")
        envs.reset(seed=seeds)
        for _ in range(20):
            found, *_ = envs.step(envs.random_actions())
        return [row.tobytes() for row in found]

    first = observations([5, 6, 7])
    assert observations([7, 9, 5]) == [first[2], observations([9])[0], first[0]]
    assert len(set(first)) == 3


def test_seeds_must_fit_the_games() -> None:
    envs = ParureVectorEnv("duel", 3)
    with pytest.raises(NotationError, match="2 seeds for 3 games"):
        envs.reset(seed=[1, 2])
    with pytest.raises(NotationError, match="a seed"):
        envs.reset(seed=[1, 2, -3])


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
@pytest.mark.parametrize("seat", [None, 1])
def test_greedy_beats_a_random_learner(mode: str, seat: int | None) -> None:
    envs = ParureVectorEnv("splendor", 6, opponent="greedy", autoreset_mode=mode, seat=seat)
    _, infos = envs.reset(seed=2)
    results: list[float] = []
    for _ in range(90):
        games = envs.games
        running = ~games.is_over
        assert (games.seats[running] == games.learners[running]).all()
        assert np.array_equal(games.observations, games.observe(games.learners))
        if seat is not None:
            assert (infos["seat"] == seat).all()
        if mode == "Disabled" and not running.all():
            _, infos = envs.reset(options={"reset_mask": ~running})
            continue
        _, rewards, terminations, truncations, infos = envs.step(envs.random_actions())
        ended = terminations | truncations
        results += rewards[ended].tolist()
        assert (rewards[~ended] == 0).all()
        if mode == "SameStep":
            assert np.array_equal(infos.get("_final_obs", ended), ended)
    assert len(results) > 5
    assert np.mean(results) < -0.9


@pytest.mark.slow_without_jit
def test_greedy_decides_as_the_bot_does() -> None:
    games = GamesAgainstGreedy("splendor", 1, learner=1, seed=4, autoreset="off")
    games.reset(4)
    bot = parure.bot("greedy")
    agreed = 0
    for _ in range(15):
        view = games.view(0, 1)
        agreed += bot.decide(view).decision == games.rules.decision_texts[games.decide(0)]
        games.step(games.random_decisions())
    assert agreed >= 13  # both look at three random deals


def test_slot_actions_lead_to_the_same_games() -> None:
    cards = ParureVectorEnv("duel+counterfeiters", 16, opponent="self")
    slots = ParureVectorEnv("duel+counterfeiters", 16, opponent="self", actions="slot")
    cards.reset(seed=1)
    _, infos = slots.reset(seed=1)
    for _ in range(300):
        assert np.array_equal(infos["action_mask"].sum(axis=1), cards.action_masks().sum(axis=1))
        decisions = cards.random_actions()
        slots.games.rngs[:] = cards.games.rngs
        first, *_ = cards.step(decisions)
        second, *_, infos = slots.step(slots.action_encoder.actions(decisions))
        assert np.array_equal(first, second)


def test_a_wrong_slot_action_is_an_error() -> None:
    envs = ParureVectorEnv("splendor", 2, opponent="self", actions="slot")
    envs.reset(seed=1)
    texts = envs.action_encoder.slots.texts if envs.action_encoder.slots else ()
    with pytest.raises(IllegalDecision, match="no card in this place"):
        envs.step(np.array([0, texts.index("buy reserved 0")]))
    with pytest.raises(NotationError, match="game 1: 99 is no action"):
        envs.step(np.array([0, 99]))
    with pytest.raises(IllegalDecision, match="game 0"):
        envs.step(np.array([texts.index("pass"), 0]))
