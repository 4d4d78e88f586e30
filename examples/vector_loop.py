"""Step a thousand games of Duel at once: `python examples/vector_loop.py [steps]`."""

from __future__ import annotations

import sys
from time import perf_counter

import gymnasium
import numpy as np

import parure.envs  # noqa: F401 — registers the environments


def main(steps: int = 500, games: int = 1024) -> float:
    """Step with random legal actions, and return the mean result of a game."""
    envs = gymnasium.make_vec("parure/duel-v0", num_envs=games, opponent="random")
    rng = np.random.default_rng(1)
    _, infos = envs.reset(seed=1)
    ended, won = 0, 0.0
    start = perf_counter()
    for _ in range(steps):
        masks = infos["action_mask"]
        actions = (masks * rng.random(masks.shape, np.float32)).argmax(axis=1)
        _, rewards, terminated, truncated, infos = envs.step(actions)
        ended += int((terminated | truncated).sum())
        won += float(rewards.sum())
    rate = steps * games / (perf_counter() - start)
    print(
        f"{ended} games ended, mean result {won / max(ended, 1):+.3f}, {rate:,.0f} steps per second"
    )
    return won / max(ended, 1)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
