"""Play at random at all seats through PettingZoo: `python examples/random_agents.py [games]`."""

from __future__ import annotations

import sys

import pettingzoo

import parure.envs  # noqa: F401 — registers the environments


def main(games: int = 10) -> dict[str, float]:
    """Play games of Splendor for three, and return the total reward of each agent."""
    env = pettingzoo.make("aec", "parure/splendor-v0", players=3)
    env.reset(seed=1)
    totals = dict.fromkeys(env.possible_agents, 0.0)
    for _ in range(games):
        env.reset()
        for agent in env.agent_iter():
            observation, reward, terminated, truncated, _ = env.last()
            if terminated or truncated:
                totals[agent] += reward
                env.step(None)
            else:
                env.step(env.action_space(agent).sample(observation["action_mask"]))
    print(env.unwrapped)
    print({agent: round(total, 1) for agent, total in totals.items()})
    return totals


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
