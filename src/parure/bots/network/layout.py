"""The inputs and outputs of the network of a game.

Inputs
    The network reads the observation of the seat to move (:mod:`parure.observations`) and the
    features of the linear evaluation of every seat, the seat to move first.

    - Each card in the observation goes through the same *card encoder*. The encodings of a group
      of cards (a level of the pyramid, a reserve) are added up.
    - Each token on the board goes through the same *cell encoder*, which reads the 3×3 cells
      around it. The encodings are added up.
    - The other bytes of the observation, the features, and the sums of encodings are the inputs
      of the first hidden layer. Sets of unseen cards are left out: they are most of what is not
      zero in an observation and say little.

Outputs
    - A correction for each seat, added to its worth according to the linear evaluation. The
      softmax of the sums is each seat's expected score.
    - *Queries*: the dot product of a query and the encoding of a card or cell is a *score* of that
      card or cell, for one use of it (to buy it, to reserve it, to take its token).
    - *Plain scores*, such as one for each kind of token.

The logit of a decision is the sum of some scores, its *terms*: that of `buy J1-05` is a plain
score for buying and the buy score of that card. So what is learned about one card or cell holds
for all of them. The *scores* of a position are numbered: cells, then cards by place and query, then
plain scores, and last one that is always 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from parure.games.engine.arrays import Row
from parure.observations.layout import WORD_BYTES, ObservationLayout

VERSION = 1  # of this architecture and of what its inputs mean; a file of weights holds it

HIDDEN = 128  # units of each hidden layer
CARD_ENCODING = 32
CELL_ENCODING = 16
CELL_KINDS = 8  # kinds of token on a cell
NEIGHBORS = 9  # cells around a cell, itself included
MAX_TERMS = 10  # of the logit of a decision
NO_CELL = -1


@dataclass(frozen=True)
class CardGroup:
    """Cards of an observation whose encodings are added up."""

    name: str
    start: int  # the first word of the first card
    count: int


class ScoreNames:
    """Numbers the plain scores of a game.

    >>> names = ScoreNames()
    >>> names.add("pass"), names.add("discard", 6), names.add("pay")
    (0, 1, 7)
    """

    def __init__(self) -> None:
        self.names: list[str] = []

    def add(self, name: str, count: int = 1) -> int:
        """Add some scores and return the number of the first."""
        first = len(self.names)
        self.names += [name] * count
        return first


class LayoutArrays(NamedTuple):
    """A layout as compiled code needs it."""

    trunk_words: Row  # the words of the observation that the first hidden layer reads
    card_starts: Row  # the first word of the card in each place
    card_groups: Row  # the group of each place
    neighbors: Row  # the cells around each cell, NO_CELL beyond the edge
    query_starts: Row  # the first output of each card query
    cell_start: int  # the first word of the board
    cell_query_start: int
    plain_start: int  # the first output that is a plain score
    first_card_score: int
    first_plain_score: int


@dataclass(frozen=True)
class NetworkLayout:
    """The inputs and outputs of a network; see the module's text."""

    observation: ObservationLayout
    trunk_fields: tuple[str, ...]  # fields of the observation that the first hidden layer reads
    card_bytes: int
    card_groups: tuple[CardGroup, ...]
    cells: int  # 0 if the game has no board
    cell_start: int
    features: int  # of each seat
    seats: int
    queries: int  # of cards
    plain_scores: int
    neighbors: Sequence[Sequence[int]] = field(default=(), repr=False)

    @property
    def places(self) -> int:
        """The number of cards in an observation."""
        return sum(group.count for group in self.card_groups)

    @property
    def trunk_bytes(self) -> Row:
        """The indices of the bytes that the first hidden layer reads, in order."""
        words = self.arrays.trunk_words
        indices: Row = (words[:, np.newaxis] * WORD_BYTES + np.arange(WORD_BYTES)).ravel()
        return indices

    # The inputs of the first hidden layer, in this order.

    @property
    def first_feature_input(self) -> int:
        """The first input that is a feature."""
        return len(self.arrays.trunk_words) * WORD_BYTES

    @property
    def first_group_input(self) -> int:
        """The first input that is a sum of card encodings."""
        return self.first_feature_input + self.seats * self.features

    @property
    def first_cell_input(self) -> int:
        """The first input that is the sum of cell encodings."""
        return self.first_group_input + len(self.card_groups) * CARD_ENCODING

    @property
    def inputs(self) -> int:
        """The number of inputs of the first hidden layer."""
        return self.first_cell_input + (CELL_ENCODING if self.cells else 0)

    # The outputs, in this order: corrections, the cell query, card queries, plain scores.

    @property
    def outputs(self) -> int:
        """The number of outputs."""
        return self.arrays.plain_start + self.plain_scores

    @property
    def scores(self) -> int:
        """The number of scores; the last one is always 0."""
        return self.arrays.first_plain_score + self.plain_scores + 1

    @property
    def zero_score(self) -> int:
        """The score that is always 0."""
        return self.scores - 1

    @cached_property
    def arrays(self) -> LayoutArrays:
        """The layout for compiled code."""
        words: list[int] = []
        for name in self.trunk_fields:
            found = self.observation.by_name[name]
            words += range(found.start // WORD_BYTES, -(-found.stop // WORD_BYTES))
        card_words = self.card_bytes // WORD_BYTES
        starts = [
            group.start + card_words * i for group in self.card_groups for i in range(group.count)
        ]
        groups = [n for n, group in enumerate(self.card_groups) for _ in range(group.count)]
        first_query = self.seats + (CELL_ENCODING if self.cells else 0)
        first_card_score = self.cells
        return LayoutArrays(
            trunk_words=np.array(sorted(set(words)), np.int64),
            card_starts=np.array(starts, np.int64),
            card_groups=np.array(groups, np.int64),
            neighbors=np.array(self.neighbors, np.int64).reshape(self.cells, NEIGHBORS),
            query_starts=np.arange(self.queries) * CARD_ENCODING + first_query,
            cell_start=self.cell_start,
            cell_query_start=self.seats,
            plain_start=first_query + self.queries * CARD_ENCODING,
            first_card_score=first_card_score,
            first_plain_score=first_card_score + self.places * self.queries,
        )
