"""Measure the speed of the environments: random legal decisions on one thread."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from time import perf_counter

import numpy as np

from parure.envs import ENVIRONMENTS
from parure.envs.games import Games
from parure.envs.kernels.single_step import NOBODY, RANDOM_DECISION
from parure.envs.single_game import FIRST_ENDING, SingleGame
from parure.games.api import new
from parure.games.registry import rules

NUM_GAMES = 1024
WARM_UP_STEPS = 200  # by then the games of a batch are in all phases


def measure_batch(seconds: float = 1.0) -> dict[str, int]:
    """Return the steps per second of a batch of Duel; observations and masks included."""
    games = Games("duel", NUM_GAMES, seed=1)

    def step() -> int:
        games.step_randomly()
        return NUM_GAMES

    for _ in range(WARM_UP_STEPS):
        step()
    return {"steps_per_second": _rate(step, seconds)}


def measure(seconds: float = 1.0) -> dict[str, int]:
    """Return the steps per second of every interface, for each game.

    One game at a time is stepped by the kernel alone, through PettingZoo, through Gymnasium and
    with a `State`.
    """
    speeds = {}
    for kind, steps in KINDS.items():
        for name, game in ENVIRONMENTS.items():
            speeds[f"{kind} {rules(game).label}"] = steps(name, seconds)
    return speeds


def kernel_steps(name: str, seconds: float) -> int:
    """Return the steps per second of one game in compiled code, called for each step."""
    game = SingleGame(ENVIRONMENTS[name], seed=1)

    def play() -> int:
        steps = 1
        game.reset()
        while game.play(RANDOM_DECISION, NOBODY) < FIRST_ENDING:
            steps += 1
        return steps

    play()
    return _rate(play, seconds)


def gymnasium_steps(name: str, seconds: float) -> int:
    """Return the steps per second of a learner against the random bot."""
    import gymnasium

    env = gymnasium.make(name)
    env.reset(seed=1)

    def play() -> int:
        steps = 0
        _, info = env.reset()
        is_over = False
        while not is_over:
            action = env.action_space.sample(info["action_mask"])
            _, _, is_terminated, is_truncated, info = env.step(action)
            is_over = is_terminated or is_truncated
            steps += 1
        return steps

    play()
    return _rate(play, seconds)


def state_steps(name: str, seconds: float) -> int:
    """Return the decisions per second of a `State` that plays random legal decisions."""
    rng = Random(1)

    def play() -> int:
        state = new(ENVIRONMENTS[name], seed=rng.randrange(1 << 32))
        while not state.is_over:
            legal = state.legal_decisions
            state.play(legal[rng.randrange(len(legal))])
        return len(state.decisions)

    play()
    return _rate(play, seconds)


def vector_steps(name: str, seconds: float) -> int:
    """Return the steps per second of many games in self-play, observed as bytes."""
    import gymnasium

    envs = gymnasium.make_vec(name, num_envs=NUM_GAMES, opponent="self", copy=False)
    envs.reset(seed=1)
    choose: Callable[[], np.ndarray] = envs.unwrapped.random_actions  # type: ignore[attr-defined]

    def step() -> int:
        envs.step(choose())
        return NUM_GAMES

    for _ in range(WARM_UP_STEPS):
        step()
    return _rate(step, seconds)


def aec_steps(name: str, seconds: float) -> int:
    """Return the steps per second of the loop in PettingZoo's documentation."""
    import pettingzoo

    env = pettingzoo.make("aec", name)
    env.reset(seed=1)

    def play() -> int:
        steps = 0
        env.reset()
        for agent in env.agent_iter():
            observation, _, is_terminated, is_truncated, _ = env.last()
            if is_terminated or is_truncated:
                action = None
            else:
                action = env.action_space(agent).sample(observation["action_mask"])
                steps += 1
            env.step(action)
        return steps

    play()
    return _rate(play, seconds)


KINDS: dict[str, Callable[[str, float], int]] = {
    "vector": vector_steps,
    "one game, kernel": kernel_steps,
    "one game, pettingzoo": aec_steps,
    "one game, gymnasium": gymnasium_steps,
    "one game, state": state_steps,
}


def _rate(work: Callable[[], int], seconds: float) -> int:
    """Return what is done per second, where `work` returns the amount of one call."""
    done = 0
    start = perf_counter()
    while done == 0 or perf_counter() - start < seconds:
        done += work()
    return round(done / (perf_counter() - start))
