"""How fast the environments are: random legal decisions on one thread, masks and all included."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

import gymnasium
import numpy as np
import pettingzoo

import parure.envs  # noqa: F401 — registers what is measured here

GAMES = {
    "duel": "parure/duel-v0",
    "duel+counterfeiters": "parure/duel-counterfeiters-v0",
    "splendor-2": "parure/splendor-v0",
}
GAMES_AT_ONCE = 1024
WARM_UP_STEPS = 200  # by then the games of a batch are at all stages


def measure(seconds: float = 1.0) -> dict[str, int]:
    """Steps in a second of the vector environment and of PettingZoo's loop, for each game."""
    speeds = {}
    for game, name in GAMES.items():
        speeds[f"vector {game}"] = vector_steps(name, seconds)
    for game, name in GAMES.items():
        speeds[f"pettingzoo {game}"] = aec_steps(name, seconds)
    return speeds


def vector_steps(name: str, seconds: float) -> int:
    """Many games in self-play, byte observations, random choices included."""
    envs = gymnasium.make_vec(name, num_envs=GAMES_AT_ONCE, opponent="self", copy=False)
    envs.reset(seed=1)
    choose: Callable[[], np.ndarray] = envs.unwrapped.random_actions  # type: ignore[attr-defined]

    def step() -> int:
        envs.step(choose())
        return GAMES_AT_ONCE

    for _ in range(WARM_UP_STEPS):
        step()
    return _rate(step, seconds)


def aec_steps(name: str, seconds: float) -> int:
    """The loop of PettingZoo's documentation, game after game."""
    env = pettingzoo.make("aec", name)
    env.reset(seed=1)

    def play() -> int:
        steps = 0
        env.reset()
        for agent in env.agent_iter():
            observation, _, is_over, is_cut, _ = env.last()
            if is_over or is_cut:
                action = None
            else:
                action = env.action_space(agent).sample(observation["action_mask"])
                steps += 1
            env.step(action)
        return steps

    play()
    return _rate(play, seconds)


def _rate(work: Callable[[], int], seconds: float) -> int:
    done = 0
    start = perf_counter()
    while done == 0 or perf_counter() - start < seconds:
        done += work()
    return round(done / (perf_counter() - start))
