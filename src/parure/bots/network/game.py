"""What a game family provides to the network."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from parure.bots.evaluator import Evaluator
from parure.bots.network.layout import LayoutArrays, NetworkLayout
from parure.bots.network.symmetry import Symmetry
from parure.bots.network.weights import Network
from parure.bots.network.workspace import NetworkWorkspace
from parure.games.engine.arrays import Cards, Row
from parure.games.rules import Rules


class NetworkEvaluator(Evaluator, Protocol):
    """An evaluator with a network."""

    @property
    def network(self) -> Network:
        """The weights."""

    @staticmethod
    def network_game() -> GameNetwork:
        """Return the functions of the game that this type of evaluator selects."""


@dataclass(frozen=True, slots=True)
class GameNetwork:
    """What a game family provides to the network: `NETWORK` in its module.

    `observe` and `write_terms` may be called by compiled code only.

    Attributes:
        evaluator_type: Makes an evaluator of cards, weights, card worths and network.
        layout_for: Returns the inputs and outputs of a game.
        score_names: The name of each plain score.
        observe: Writes what a seat observes: row, cards, seat, observation.
        write_terms: Writes the terms of the logit of each legal decision: row, decisions, their
            number, layout, workspace.
        symmetries: Returns the symmetries of a game, the identity first.
    """

    evaluator_type: Callable[..., NetworkEvaluator]
    layout_for: Callable[[Rules], NetworkLayout]
    score_names: Sequence[str]
    observe: Callable[[Row, Cards, int, Row], None]
    write_terms: Callable[[Row, Row, int, LayoutArrays, NetworkWorkspace], None]
    symmetries: Callable[[Rules], Sequence[Symmetry]]
