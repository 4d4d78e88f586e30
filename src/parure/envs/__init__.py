"""Environments for learning: importing this registers them with Gymnasium and PettingZoo.

| id | game |
|---|---|
| `parure/splendor-v0` | Splendor, `players=2` to `4` |
| `parure/duel-v0` | Splendor Duel |
| `parure/duel-counterfeiters-v0` | Splendor Duel with The Counterfeiters |

`pettingzoo.make("aec", id)` gives all seats, `gymnasium.make(id)` one seat against bots,
`gymnasium.make_vec(id, num_envs=1024)` many games at once. What they need comes with
`pip install parure[rl]`; :class:`Games` needs nothing more than the rules.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import Final

from parure.envs.games import Games, observation_layout

__all__ = ["ENVIRONMENTS", "Games", "observation_layout", "register"]

# the version grows whenever the same seed and actions would be answered otherwise
ENVIRONMENTS: Final = {
    "parure/splendor-v0": "splendor",
    "parure/duel-v0": "duel",
    "parure/duel-counterfeiters-v0": "duel+counterfeiters",
}


def register() -> None:
    """Make the environments known to the libraries that are installed; once is enough."""
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
