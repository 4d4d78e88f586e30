"""All seats play at random through PettingZoo: `python examples/random_agents.py [games]`."""

from __future__ import annotations

import sys

import pettingzoo

import parure.envs  # noqa: F401 — registers the environments


def main(games: int = 10) -> dict[str, float]:
    """Play some games of Splendor for three; gives what each agent won in all."""
    env = pettingzoo.make("aec", "parure/splendor-v0", players=3)
    env.reset(seed=1)
    won = dict.fromkeys(env.possible_agents, 0.0)
    for _ in range(games):
        env.reset()
        for agent in env.agent_iter():
            observation, reward, is_over, is_cut, _ = env.last()
            if is_over or is_cut:
                won[agent] += reward
                env.step(None)
            else:
                env.step(env.action_space(agent).sample(observation["action_mask"]))
    print(env.unwrapped)
    print({agent: round(sum_of, 1) for agent, sum_of in won.items()})
    return won


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
