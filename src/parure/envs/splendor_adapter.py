"""Splendor as the environments need it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from parure.envs.adapter import GameAdapter
from parure.envs.chance_pools import (
    LEVEL_DECKS,
    LEVELS,
    ChancePools,
    deck_pool,
    level_draws,
    level_pools,
)
from parure.envs.kernels import splendor_batch
from parure.envs.kernels.observation_layout import ObservationLayout
from parure.envs.kernels.splendor_observation_layout import layout_for
from parure.games.engine.rng import new_rng
from parure.games.rules import Rules
from parure.games.splendor.cards import NOBLES

NOBLE_POOL = "nobles"


class SplendorChancePools(ChancePools):
    """The decks and the nobles."""

    def __init__(self, rules: Rules) -> None:
        setup = rules.setup_of(rules.deal(new_rng(0)))
        nobles = {NOBLE_POOL: [noble.id for noble in NOBLES]}
        super().__init__(
            rules,
            level_pools(setup["decks"]) | nobles,
            [*level_draws(rules), (NOBLE_POOL, rules.seats + 1)],
            LEVEL_DECKS,
        )

    def record_setup(self, drawn: Sequence[str]) -> dict[str, Any]:
        """Return the set-up of a record in which chance drew these, one for each set-up draw."""
        by_pool = self.drawn_by_pool(drawn)
        decks = [deck_pool(level) for level in LEVELS]
        return {
            "decks": [self.with_rest(pool, by_pool[pool]) for pool in decks],
            "nobles": by_pool[NOBLE_POOL],
        }


def _layout_for(rules: Rules) -> ObservationLayout:
    return layout_for(rules.seats)


ADAPTER = GameAdapter(
    layout_for=_layout_for,
    chance_pools=SplendorChancePools,
    observe_many=splendor_batch.observe_many,
    write_rewards=splendor_batch.write_rewards,
    step_many=splendor_batch.step_many,
)
