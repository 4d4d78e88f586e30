"""The arrays that the evaluation of a network writes to."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from parure.bots.network.layout import (
    CARD_ENCODING,
    CELL_ENCODING,
    HIDDEN,
    MAX_TERMS,
    NetworkLayout,
)
from parure.games.engine.arrays import Row
from parure.games.engine.matrix import COLUMNS
from parure.games.rules import MAX_LEGAL
from parure.observations.layout import WORD_BYTES


class NetworkWorkspace(NamedTuple):
    """Allocated once and reused."""

    observation: Row
    features: NDArray[np.float64]  # of each seat, the seat to move first
    active: Row  # the inputs of a layer that are not zero
    factors: NDArray[np.float32]  # and their values
    card_encodings: NDArray[np.float32]
    cell_encodings: NDArray[np.float32]
    sums: NDArray[np.float32]  # of encodings: card groups, then cells
    hidden: NDArray[np.float32]  # a row for each hidden layer
    outputs: NDArray[np.float32]
    scores: NDArray[np.float32]
    place_of_card: Row  # by card number; not reset, so only right for cards that are somewhere
    terms: Row  # of the logit of each legal decision: numbers of scores
    term_counts: Row
    priors: NDArray[np.float64]  # of each legal decision


def network_workspace_for(layout: NetworkLayout, cards: int) -> NetworkWorkspace:
    """Return a workspace for a network; `cards` is the number of cards of the game."""
    sums = len(layout.card_groups) * CARD_ENCODING + CELL_ENCODING
    most_inputs = max(layout.inputs, layout.outputs, HIDDEN)
    return NetworkWorkspace(
        observation=np.zeros(layout.observation.size // WORD_BYTES, np.int64),
        features=np.zeros((layout.seats, layout.features), np.float64),
        active=np.zeros(most_inputs, np.int64),
        factors=np.zeros(most_inputs, np.float32),
        card_encodings=np.zeros((layout.places, CARD_ENCODING), np.float32),
        cell_encodings=np.zeros((layout.cells, CELL_ENCODING), np.float32),
        sums=np.zeros(sums, np.float32),
        hidden=np.zeros((2, HIDDEN), np.float32),
        outputs=np.zeros(-(-layout.outputs // COLUMNS) * COLUMNS, np.float32),
        scores=np.zeros(layout.scores, np.float32),
        place_of_card=np.zeros(cards, np.int64),
        terms=np.zeros((MAX_LEGAL, MAX_TERMS), np.int64),
        term_counts=np.zeros(MAX_LEGAL, np.int64),
        priors=np.zeros(MAX_LEGAL, np.float64),
    )
