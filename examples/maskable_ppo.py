"""Train MaskablePPO against the random bot: `python examples/maskable_ppo.py [steps] [curve.svg]`.

Requires `pip install parure[examples]`. The environment needs no wrapper: MaskablePPO calls its
`action_masks()`.
"""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import DummyVecEnv

import parure.envs  # noqa: F401 — registers the environments

GAME = "parure/splendor-v0"
ENVIRONMENTS, STEPS_BETWEEN_UPDATES = 16, 256
UPDATE_STEPS = ENVIRONMENTS * STEPS_BETWEEN_UPDATES


def environment() -> gymnasium.Env[Any, Any]:
    """Return Splendor for two with observations from 0 to 1."""
    env: gymnasium.Env[Any, Any] = Monitor(
        gymnasium.make(GAME, opponent="random", observation="floats")
    )
    return env


def win_rate(model: MaskablePPO, games: int, seed: int) -> float:
    """Return the share of games won against the random bot; a draw counts half."""
    env = environment()
    score = 0.0
    for number in range(games):
        observation, info = env.reset(seed=seed + number)
        terminated = truncated = False
        while not (terminated or truncated):
            action, _ = model.predict(
                observation, action_masks=info["action_mask"], deterministic=False
            )
            observation, reward, terminated, truncated, info = env.step(int(action))
        score += (float(reward) + 1) / 2
    return score / games


def main(
    steps: int = 250_000, curve: str | None = None, rounds: int = 10, games: int = 200
) -> list[float]:
    """Train, and return the share of games won before and after each round.

    PPO learns after every ENVIRONMENTS × STEPS_BETWEEN_UPDATES = 4,096 steps, so `steps` is rounded
    up to a multiple of that, and there are never more rounds than updates.
    """
    torch.set_num_threads(1)
    updates = max(1, math.ceil(steps / UPDATE_STEPS))
    rounds = min(rounds, updates)
    model = MaskablePPO(
        "MlpPolicy",
        DummyVecEnv([environment] * ENVIRONMENTS),
        n_steps=STEPS_BETWEEN_UPDATES,
        batch_size=512,
        learning_rate=1e-3,
        gamma=0.99,
        ent_coef=0.01,
        seed=1,
        policy_kwargs={"net_arch": [128, 128]},
    )
    shares, trained = [win_rate(model, games, seed=10_000)], [0]
    print(f"{0:>9,} steps: {shares[-1]:.0%} won")
    for number in range(1, rounds + 1):
        until = updates * number // rounds * UPDATE_STEPS
        model.learn(until - trained[-1], reset_num_timesteps=False)
        trained.append(model.num_timesteps)
        shares.append(win_rate(model, games, seed=10_000))
        print(f"{model.num_timesteps:>9,} steps: {shares[-1]:.0%} won")
    if curve is not None:
        draw(np.array(trained), shares, Path(curve))
    return shares


def draw(steps: np.ndarray, shares: list[float], path: Path) -> None:
    """Save a picture of the learning curve."""
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(6, 3.5))
    axes.plot(steps, shares, marker="o")
    axes.axhline(0.5, color="gray", linewidth=0.8)
    axes.set(xlabel="steps", ylabel="games won against random", ylim=(0, 1))
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)


if __name__ == "__main__":
    main(*(int(word) if word.isdecimal() else word for word in sys.argv[1:]))  # type: ignore[arg-type]
