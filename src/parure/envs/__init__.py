"""Environments for reinforcement learning. Importing this registers them.

| id | game |
|---|---|
| `parure/splendor-v0` | Splendor, `players=2` to `4` |
| `parure/duel-v0` | Splendor Duel |
| `parure/duel-counterfeiters-v0` | Splendor Duel with The Counterfeiters |

`pettingzoo.make("aec", id)` makes every seat an agent, `gymnasium.make(id)` plays one seat against
bots, and `gymnasium.make_vec(id, num_envs=1024)` steps many games at once. They need
`pip install parure[rl]`; :class:`Games`, :class:`BatchSearch` and :func:`observe_many` do
not.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import Final

from parure.envs.batch_search import BatchSearch, SearchResult
from parure.envs.games import Games
from parure.envs.observations import final_rewards, observation_layout, observe_many
from parure.envs.slot_actions import SlotActions
from parure.games.registry import GAMES

__all__ = [
    "ENVIRONMENTS",
    "BatchSearch",
    "Games",
    "SearchResult",
    "SlotActions",
    "final_rewards",
    "observation_layout",
    "observe_many",
    "register",
]

# The version grows when the same seed and actions lead to different observations or rewards.
ENVIRONMENTS: Final = {f"parure/{game.replace('+', '-')}-v0": game for game in GAMES}


def register() -> None:
    """Register the environments with Gymnasium and PettingZoo, where these are installed.

    Importing this package does it; calling it again changes nothing.
    """
    if find_spec("gymnasium") is not None:
        import gymnasium

        for name, game in ENVIRONMENTS.items():
            if name not in gymnasium.registry:
                gymnasium.register(
                    name,
                    "parure.envs.single_seat:SingleSeatEnv",
                    vector_entry_point="parure.envs.vector:ParureVectorEnv",
                    kwargs={"game": game},
                )
    if find_spec("pettingzoo") is not None:
        import pettingzoo
        from pettingzoo.env_registry.registration import aec_registry, parallel_registry

        for name, game in ENVIRONMENTS.items():
            if name not in aec_registry:
                entry_point = "parure.envs.aec:ParureEnv"
                pettingzoo.register("aec", name, entry_point, kwargs={"game": game})
            if name not in parallel_registry:
                entry_point = "parure.envs.aec:parallel_env"
                pettingzoo.register("parallel", name, entry_point, kwargs={"game": game})


register()
