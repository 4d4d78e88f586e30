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
from parure.envs.kernels.slot_actions import FACE_UP, RESERVED, CardPlaces
from parure.envs.slot_actions import PlaceGroup, SlotTable
from parure.games.engine.rng import new_rng
from parure.games.rules import Rules
from parure.games.splendor import decisions, layout
from parure.games.splendor.cards import NOBLES
from parure.observations.layout import ObservationLayout
from parure.observations.splendor_layout import layout_for

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


def _slot_table(rules: Rules) -> SlotTable:
    slots, buy, reserve = layout.SLOTS, decisions.FIRST_BUY, decisions.FIRST_RESERVE
    return SlotTable(
        groups=(
            PlaceGroup("reserve", "slot", FACE_UP, slots, decisions.RESERVE_PLACE, reserve),
            PlaceGroup("buy", "slot", FACE_UP, slots, decisions.RESERVE_PLACE, buy),
            PlaceGroup("buy", "reserved", RESERVED, 0, layout.RESERVE_LIMIT, buy),
        ),
        replaced=("buy ", "reserve "),
        places=CardPlaces(
            seat=layout.SEAT,
            seats=layout.SEATS,
            seat_words=layout.SEAT_WORDS,
            reserved=layout.RESERVED,
            reserved_count=layout.RESERVED_COUNT,
            empty=layout.EMPTY,
            deck_bytes=layout.DECK_BYTES,
            deck_sizes=layout.DECK_SIZES,
        ),
    )


ADAPTER = GameAdapter(
    layout_for=_layout_for,
    slot_table=_slot_table,
    chance_pools=SplendorChancePools,
    observe_many=splendor_batch.observe_many,
    write_rewards=splendor_batch.write_rewards,
    step_many=splendor_batch.step_many,
    step_one=splendor_batch.step_one,
    determinize_many=splendor_batch.determinize_many,
)
