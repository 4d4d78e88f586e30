"""The network of Duel: cards and cells in the observation, and the terms of decisions.

A decision that takes tokens from the board (`take`, `privilege`, `collect`) has terms for the kind
of each token and for each of its cells; `take` also for the number of tokens and for each pair of
kinds, since three alike or two pearls give the opponent a privilege.
"""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

import numpy as np

from parure.bots.duel_features import EVALUATION, FEATURE_NAMES
from parure.bots.evaluator import Floats, GameEvaluation
from parure.bots.network.game import GameNetwork
from parure.bots.network.layout import (
    CELL_KINDS,
    NO_CELL,
    CardGroup,
    LayoutArrays,
    NetworkLayout,
    ScoreNames,
)
from parure.bots.network.policy_terms import NO_QUERY, decision_terms, term_tables
from parure.bots.network.symmetry import (
    ROTATIONS,
    Renaming,
    Symmetry,
    move_words,
    rename_colors,
    renamed,
)
from parure.bots.network.weights import Network
from parure.bots.network.workspace import NetworkWorkspace
from parure.games.duel import decisions, layout
from parure.games.duel.geometry import SIDE
from parure.games.duel.row_access import card_at, mover, top_index
from parure.games.duel.rules import DuelRules
from parure.games.engine.arrays import Cards, Row
from parure.games.engine.bits import lowest_bit
from parure.games.engine.card_storage import card_number
from parure.games.engine.jit import inlined, outlined
from parure.games.rules import Rules
from parure.observations import duel_layout as fields
from parure.observations.duel import CARD_WORDS, observe

QUERIES = BUY_QUERY, RESERVE_QUERY, KEEP_QUERY, BOTTOM_QUERY = range(4)
PLAIN_QUERIES = 2  # without The Counterfeiters

CARD_QUERIES = {
    decisions.BUY: BUY_QUERY,
    decisions.RESERVE: RESERVE_QUERY,
    decisions.KEEP: KEEP_QUERY,
    decisions.BOTTOM: BOTTOM_QUERY,
}
CELL_VERBS = (decisions.TAKE, decisions.PRIVILEGE, decisions.COLLECT, decisions.GOLD)


def query_of(verb: int, argument: int) -> int | None:
    """Return the query that a decision asks of its jewel; None if it is not about a jewel."""
    if verb in CELL_VERBS:
        return NO_QUERY
    return CARD_QUERIES.get(verb) if argument < layout.JEWELS else None


SCORE_NAMES = ScoreNames()
TAKE_COUNT = SCORE_NAMES.add("take, by the number of tokens", 4)
TAKE_KIND = SCORE_NAMES.add("take, by kind", CELL_KINDS)
TAKE_PAIR = SCORE_NAMES.add("take, by pair of kinds", CELL_KINDS**2)
PRIVILEGE_KIND = SCORE_NAMES.add("privilege, by kind", CELL_KINDS)
COLLECT_KIND = SCORE_NAMES.add("collect, by kind", CELL_KINDS)
TABLES = term_tables(
    decisions.TEXTS,
    zip(decisions.VERB.tolist(), decisions.ARGUMENT.tolist(), strict=True),
    query_of,
    SCORE_NAMES,
)
PLAIN_SCORES = 1 + int(TABLES.plain[: decisions.PLAIN_DECISIONS].max())  # of plain Duel, a prefix
write_decision_terms = decision_terms(TABLES)

OWN_RESERVE_PLACE = layout.PYRAMID_SLOTS
OTHER_RESERVE_PLACE = OWN_RESERVE_PLACE + layout.RESERVE_LIMIT
OWN_MORE_PLACE = OTHER_RESERVE_PLACE + layout.RESERVE_LIMIT
PEEKED_PLACE = OWN_MORE_PLACE + 2 * (layout.MAX_RESERVED - layout.RESERVE_LIMIT)

CARD_FIELDS = {"pyramid", "own_reserve", "other_reserve", "peeked"}
CARD_FIELDS |= {"own_more_reserve", "other_more_reserve"}
NOT_IN_TRUNK = CARD_FIELDS | {"unseen", "known_in_decks"}


def layout_for(rules: Rules) -> NetworkLayout:
    """Return the inputs and outputs of Duel, with or without The Counterfeiters."""
    assert isinstance(rules, DuelRules)
    with_counterfeiters = rules.with_counterfeiters
    observation = fields.LAYOUT if with_counterfeiters else fields.PLAIN_LAYOUT
    groups, start = [], fields.PYRAMID
    for level, count in enumerate(layout.PYRAMID, start=1):
        groups.append(CardGroup(f"pyramid, level {level}", start, count))
        start += CARD_WORDS * count
    groups.append(CardGroup("own reserve", fields.OWN_RESERVE, layout.RESERVE_LIMIT))
    groups.append(CardGroup("other reserve", fields.OTHER_RESERVE, layout.RESERVE_LIMIT))
    if with_counterfeiters:
        more = layout.MAX_RESERVED - layout.RESERVE_LIMIT
        groups.append(CardGroup("own reserve, 4 and 5", fields.OWN_MORE_RESERVE, more))
        groups.append(CardGroup("other reserve, 4 and 5", fields.OTHER_MORE_RESERVE, more))
        groups.append(CardGroup("peeked", fields.PEEKED, observation.by_name["peeked"].shape[0]))
    return NetworkLayout(
        observation=observation,
        trunk_fields=tuple(
            field.name for field in observation.fields if field.name not in NOT_IN_TRUNK
        ),
        card_bytes=8 * CARD_WORDS,
        card_groups=tuple(groups),
        cells=layout.CELLS,
        cell_start=fields.BOARD,
        features=len(FEATURE_NAMES),
        seats=rules.seats,
        queries=len(QUERIES) if with_counterfeiters else PLAIN_QUERIES,
        plain_scores=len(SCORE_NAMES.names) if with_counterfeiters else PLAIN_SCORES,
        neighbors=[neighbors_of(cell) for cell in range(layout.CELLS)],
    )


def neighbors_of(cell: int) -> list[int]:
    """Return the 3×3 cells around a cell in reading order, NO_CELL beyond the edge.

    >>> neighbors_of(0)
    [-1, -1, -1, -1, 0, 1, -1, 5, 6]
    """
    column, row = cell % SIDE, cell // SIDE
    around = [(column + x, row + y) for y in (-1, 0, 1) for x in (-1, 0, 1)]
    return [SIDE * y + x if 0 <= x < SIDE and 0 <= y < SIDE else NO_CELL for x, y in around]


@outlined
def write_terms(
    s: Row, ids: Row, number: int, layout_arrays: LayoutArrays, arrays: NetworkWorkspace
) -> None:
    """Write the terms of the logit of each legal decision."""
    me = mover(s)
    for slot in range(layout.PYRAMID_SLOTS):
        arrays.place_of_card[card_number(s[layout.SLOTS + slot])] = slot
    for i in range(s[me + layout.RESERVED_COUNT]):
        place = OWN_RESERVE_PLACE + i
        if i >= layout.RESERVE_LIMIT:
            place = OWN_MORE_PLACE + i - layout.RESERVE_LIMIT
        arrays.place_of_card[card_number(s[me + layout.RESERVED + i])] = place
    for i in range(s[layout.PEEKED]):
        card = card_at(s, top_index(s, s[layout.PEEK_DECK]) + i)
        arrays.place_of_card[card] = PEEKED_PLACE + i
    for i in range(number):
        write_decision_terms(i, ids[i], layout_arrays, arrays)
        verb = decisions.VERB[ids[i]]
        if verb == decisions.TAKE:
            write_take_terms(i, decisions.ARGUMENT[ids[i]], layout_arrays, arrays)
        elif verb == decisions.PRIVILEGE:
            write_cell_terms(i, decisions.ARGUMENT[ids[i]], PRIVILEGE_KIND, layout_arrays, arrays)
        elif verb == decisions.COLLECT:
            write_cell_terms(i, decisions.ARGUMENT[ids[i]], COLLECT_KIND, layout_arrays, arrays)
        elif verb == decisions.GOLD:
            add_term(i, lowest_bit(decisions.ARGUMENT[ids[i]]), arrays)


@inlined
def add_term(i: int, score: int, arrays: NetworkWorkspace) -> None:
    """Add a term to the logit of a decision."""
    arrays.terms[i, arrays.term_counts[i]] = score
    arrays.term_counts[i] += 1


@inlined
def kind_on(cell: int, arrays: NetworkWorkspace) -> int:
    """Return the kind of the token on a cell."""
    return lowest_bit(arrays.observation[fields.BOARD + cell]) >> 3


@inlined
def write_cell_terms(
    i: int, cells: int, first_kind: int, layout_arrays: LayoutArrays, arrays: NetworkWorkspace
) -> None:
    """Add the terms of the cell, and of the kind of token on it, that a decision takes."""
    cell = lowest_bit(cells)
    add_term(i, cell, arrays)
    first = layout_arrays.first_plain_score + first_kind
    add_term(i, first + kind_on(cell, arrays), arrays)


@inlined
def write_take_terms(
    i: int, cells: int, layout_arrays: LayoutArrays, arrays: NetworkWorkspace
) -> None:
    """Write the terms of `take`: number of tokens, cells, kinds, and pairs of kinds."""
    plain = layout_arrays.first_plain_score
    arrays.term_counts[i] = 0
    tokens = 0
    left = cells
    while left:
        cell = lowest_bit(left)
        left &= left - 1
        kind = kind_on(cell, arrays)
        add_term(i, cell, arrays)
        add_term(i, plain + TAKE_KIND + kind, arrays)
        others = left
        while others:
            other = kind_on(lowest_bit(others), arrays)
            others &= others - 1
            pair = CELL_KINDS * min(kind, other) + max(kind, other)
            add_term(i, plain + TAKE_PAIR + pair, arrays)
        tokens += 1
    add_term(i, plain + TAKE_COUNT + tokens, arrays)


def symmetries(rules: Rules) -> list[Symmetry]:
    """Return the ways to turn and mirror the board, each with every rotation of the colors.

    With The Counterfeiters the colors stay: those cards are too few to be alike in all colors.
    """
    assert isinstance(rules, DuelRules)
    rotations = ROTATIONS[:1] if rules.with_counterfeiters else ROTATIONS
    return [_symmetry(rules, colors, cells) for colors in rotations for cells in board_symmetries()]


def board_symmetries() -> list[list[int]]:
    """Return the eight ways to turn and mirror the board: the new place of each cell."""
    found = []
    for is_mirrored, turns in product((False, True), range(4)):
        places = []
        for cell in range(layout.CELLS):
            column, row = cell % SIDE, cell // SIDE
            if is_mirrored:
                column = SIDE - 1 - column
            for _ in range(turns):
                column, row = SIDE - 1 - row, column
            places.append(SIDE * row + column)
        found.append(places)
    return found


def _symmetry(rules: Rules, colors: Renaming, cells: list[int]) -> Symmetry:
    network = layout_for(rules)
    source = rename_colors(network.observation.size, _colored_words(network), colors)
    move_words(source, fields.BOARD, cells)
    kinds = [*colors, *range(len(colors), CELL_KINDS)]
    plain = {
        TAKE_PAIR + CELL_KINDS * a + b: TAKE_PAIR
        + CELL_KINDS * min(kinds[a], kinds[b])
        + max(kinds[a], kinds[b])
        for a, b in product(range(CELL_KINDS), repeat=2)
        if a <= b
    }
    for first in (TAKE_KIND, PRIVILEGE_KIND, COLLECT_KIND):
        plain |= {first + kind: first + new for kind, new in enumerate(kinds)}
    names = SCORE_NAMES.names
    for i in range(COLLECT_KIND + CELL_KINDS, network.plain_scores):
        plain[i] = names.index(renamed(names[i], colors))
    scores = np.arange(network.scores)
    scores[: layout.CELLS] = cells
    for old, new in plain.items():
        scores[network.arrays.first_plain_score + old] = network.arrays.first_plain_score + new
    return Symmetry(source, scores)


def _colored_words(network: NetworkLayout) -> set[int]:
    """Return the words of an observation whose first bytes are one per color."""
    words = {fields.BAG, fields.PRICE, fields.GOLD_LAID, fields.BUYING}
    words |= {fields.BOARD + cell for cell in range(layout.CELLS)}
    for seat in (fields.OWN, fields.OTHER):
        words |= {seat, seat + 1, seat + 2}  # tokens, bonuses, points by color
    for start in network.arrays.card_starts.tolist():
        words |= {start, start + 1}  # price, color
    return words


class DuelNetworkEvaluator(NamedTuple):
    """The evaluator of Duel with a network; its type selects the functions of this module."""

    cards: Cards
    weights: Floats
    card_worth: Floats
    network: Network

    @staticmethod
    def game() -> GameEvaluation:
        """Return the functions for Duel."""
        return EVALUATION

    @staticmethod
    def network_game() -> GameNetwork:
        """Return the functions of the network for Duel."""
        return NETWORK


NETWORK = GameNetwork(
    evaluator_type=DuelNetworkEvaluator,
    layout_for=layout_for,
    score_names=SCORE_NAMES.names,
    observe=observe,
    write_terms=write_terms,
    symmetries=symmetries,
)
