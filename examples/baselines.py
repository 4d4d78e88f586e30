"""Measure the baselines of an environment: `python examples/baselines.py splendor-2 204800 100`.

Trains MaskablePPO against the random bot for a number of steps, lets it and the bots of the package
play games against `random` and against `greedy`, and prints the table that the page of the
environment shows. Requires `pip install parure[examples]`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from random import Random
from typing import Any

import gymnasium
import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import DummyVecEnv

import parure
from parure.arena.confidence import interval
from parure.envs import ENVIRONMENTS, observation_layout, observe_many
from parure.games.registry import rules_from_label
from parure.games.rules import Rules

OPPONENTS = ("random", "greedy")
NETWORK = "mcts:400"
BOTS = ("random", "greedy", *(f"level:{number}" for number in range(1, 9)), NETWORK)
ENVIRONMENT_IDS: dict[str, str] = {game: name for name, game in ENVIRONMENTS.items()}


class PolicyBot(parure.Bot):
    """Plays what a trained policy chooses, so that it can meet every other bot."""

    def __init__(self, model: MaskablePPO, rules: Rules) -> None:
        self.model = model
        self.scale = 1 / observation_layout(rules).max_values.astype(np.float32)

    def choose(self, view: parure.View, rng: Random, budget: parure.Budget | None) -> str:
        """Return a decision drawn from the policy."""
        observation = observe_many(view.rules, view.words[np.newaxis], view.seat)[0] * self.scale
        mask = np.zeros(len(view.rules.decision_texts), np.bool_)
        mask[view.legal_decisions.ids] = True
        action, _ = self.model.predict(observation, action_masks=mask, deterministic=False)
        return view.rules.decision_texts[int(action)]


def train(rules: Rules, steps: int, opponent: str = "random") -> MaskablePPO:
    """Return MaskablePPO after at least `steps` steps; the model says how many there were."""

    def environment() -> gymnasium.Env[Any, Any]:
        options: dict[str, Any] = {"opponent": opponent, "observation": "floats"}
        return gymnasium.make(ENVIRONMENT_IDS[rules.game], players=rules.seats, **options)

    torch.set_num_threads(1)
    model = MaskablePPO(
        "MlpPolicy",
        DummyVecEnv([environment] * 16),
        n_steps=256,
        batch_size=512,
        learning_rate=1e-3,
        ent_coef=0.01,
        seed=1,
        policy_kwargs={"net_arch": [128, 128]},
    )
    return model.learn(steps)


def scores(rules: Rules, make: Callable[[], parure.Bot], opponent: str, games: int) -> list[float]:
    """Return the scores of games against opponents at all other seats; a draw is shared.

    The bot takes every seat in turn.
    """
    found = []
    for number in range(games):
        rng, seat = Random(number), number % rules.seats
        bots = [make() if i == seat else parure.bot(opponent) for i in range(rules.seats)]
        state = parure.new(rules.game, players=rules.seats, seed=number)
        while not state.is_over:
            legal = state.legal_decisions
            answer = legal[0]
            if len(legal) > 1:
                answer = bots[state.seat].decide(state.view(state.seat), rng).decision
            state.play(answer)
        assert state.outcome is not None
        found.append(state.outcome.scores(rules.seats)[seat])
    return found


def main(label: str = "splendor-2", steps: int = 204_800, games: int = 100) -> list[str]:
    """Train and measure, print a row for each bot as soon as it is known, and return the rows."""
    rules = rules_from_label(label)
    model = train(rules, steps)
    players: dict[str, Callable[[], parure.Bot]] = {
        f"MaskablePPO, {model.num_timesteps:,} steps": lambda: PolicyBot(model, rules)
    }
    for spec in BOTS:
        players[f"`{spec}`"] = lambda spec=spec: parure.bot(spec)  # type: ignore[misc]
    rows = ["| player | against `random` | against `greedy` |", "|---|---|---|"]
    print(*rows, sep="\n", flush=True)
    for name, make in players.items():
        cells = []
        for opponent in OPPONENTS:
            found = scores(rules, make, opponent, games)
            low, high = interval(found)
            cells.append(f"{np.mean(found):.0%} ({low:.0%} to {high:.0%})")
        rows.append(f"| {name} | {' | '.join(cells)} |")
        print(rows[-1], flush=True)
    return rows


if __name__ == "__main__":
    main(*(int(word) if word.isdecimal() else word for word in sys.argv[1:]))  # type: ignore[arg-type]
