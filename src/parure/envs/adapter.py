"""What the environments need of each game, behind one typed object.

To make a game available to the environments, write a :class:`GameAdapter` for it and name it in
the game's entry of :mod:`parure.games.registry`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from parure.envs.chance_pools import ChancePools
from parure.envs.kernels.batch_step import BatchArrays
from parure.games.engine.arrays import Cards, Chance, Mask, Menu, Row
from parure.games.registry import family_of, import_part
from parure.games.rules import Rules
from parure.observations.layout import ObservationLayout

if TYPE_CHECKING:
    from parure.envs.slot_actions import SlotTable


@dataclass(frozen=True, slots=True)
class GameAdapter:
    """The parts of one family of games that the environments are made of.

    The compiled functions check nothing. :class:`parure.envs.Games` and
    :mod:`parure.envs.observations` call them with arrays that were checked.

    Attributes:
        layout_for: Returns the layout of an observation.
        chance_pools: Returns what chance can draw, for OpenSpiel.
        slot_table: Returns how decisions about cards become actions about places.
        observe_many: Writes what a seat observes in each of some rows: rows, cards, the seats,
            and the observations as words of eight bytes.
        write_rewards: Writes the rewards of a finished game: row, kind of reward, rewards.
        step_many: Takes one decision in each game of a batch: the batch, cards, decisions, the
            numbers of `StepOptions` and the arrays of `Workspace`.
        step_one: Takes one decision in a single game: a block (see `kernels/single_step.py`),
            cards, the decision, and the seat of a learner or `NOBODY`.
        determinize_many: Redraws what a seat of each game does not know: the batch, cards, the
            seats, and the first two arrays of `Workspace`.
    """

    layout_for: Callable[[Rules], ObservationLayout]
    chance_pools: Callable[[Rules], ChancePools]
    slot_table: Callable[[Rules], SlotTable]
    observe_many: Callable[[Row, Cards, Row, Row], None]
    write_rewards: Callable[[Row, int, Mask], None]
    step_many: Callable[[BatchArrays, Cards, Row, int, int, int, Menu, Row, Chance], None]
    step_one: Callable[[Row, Cards, int, int], int]
    determinize_many: Callable[[BatchArrays, Cards, Row, Menu, Row], None]


def adapter_for(rules: Rules) -> GameAdapter:
    """Return the adapter of a game."""
    adapter: GameAdapter = import_part(family_of(rules.game).environment)
    return adapter
