"""The network of Splendor: cards in the observation, and the terms of decisions."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from parure.bots.evaluator import Floats, GameEvaluation
from parure.bots.network.game import GameNetwork
from parure.bots.network.layout import CardGroup, LayoutArrays, NetworkLayout, ScoreNames
from parure.bots.network.policy_terms import decision_terms, term_tables
from parure.bots.network.symmetry import (
    REFLECTIONS,
    ROTATIONS,
    Renaming,
    Symmetry,
    move_words,
    rename_colors,
    renamed,
)
from parure.bots.network.weights import Network
from parure.bots.network.workspace import NetworkWorkspace
from parure.bots.splendor_features import EVALUATION, FEATURE_NAMES
from parure.games.engine.arrays import Cards, Row
from parure.games.engine.card_storage import card_number
from parure.games.engine.jit import outlined
from parure.games.rules import Rules
from parure.games.splendor import decisions, layout
from parure.games.splendor.cards import NOBLES
from parure.games.splendor.row_access import mover
from parure.observations import splendor_layout as fields
from parure.observations.layout import WORD_BYTES
from parure.observations.splendor import CARD_WORDS, SEAT_WORDS, observe

QUERIES = BUY_QUERY, RESERVE_QUERY = range(2)


def query_of(verb: int, card: int) -> int | None:
    """Return the query that a decision asks of its card; None if it is not about a card."""
    return {decisions.BUY: BUY_QUERY, decisions.RESERVE: RESERVE_QUERY}.get(verb)


SCORE_NAMES = ScoreNames()
TABLES = term_tables(
    decisions.TEXTS,
    zip(decisions.VERB.tolist(), decisions.ARGUMENT.tolist(), strict=True),
    query_of,
    SCORE_NAMES,
)
write_decision_terms = decision_terms(TABLES)

SLOTS = layout.DECKS * layout.FACE_UP


def layout_for(rules: Rules) -> NetworkLayout:
    """Return the inputs and outputs for a number of seats."""
    seats = rules.seats
    observation = fields.layout_for(seats)
    groups = [
        CardGroup(
            f"pyramid, level {level + 1}",
            fields.PYRAMID + CARD_WORDS * layout.FACE_UP * level,
            layout.FACE_UP,
        )
        for level in range(layout.DECKS)
    ]
    for seat, name in zip(range(seats), ("own", "next", "third", "fourth"), strict=False):
        first = fields.SEATS + SEAT_WORDS * seat + 2
        groups.append(CardGroup(f"{name} reserve", first, layout.RESERVE_LIMIT))
    left_out = {"pyramid", "unseen"}
    return NetworkLayout(
        observation=observation,
        trunk_fields=tuple(
            field.name
            for field in observation.fields
            if field.name not in left_out and not field.name.endswith("_reserve")
        ),
        card_bytes=8 * CARD_WORDS,
        card_groups=tuple(groups),
        cells=0,
        cell_start=0,
        features=len(FEATURE_NAMES),
        seats=seats,
        queries=len(QUERIES),
        plain_scores=len(SCORE_NAMES.names),
    )


@outlined
def write_terms(
    s: Row, ids: Row, number: int, layout_arrays: LayoutArrays, arrays: NetworkWorkspace
) -> None:
    """Write the terms of the logit of each legal decision."""
    me = mover(s)
    for slot in range(SLOTS):
        arrays.place_of_card[card_number(s[layout.SLOTS + slot])] = slot
    for i in range(s[me + layout.RESERVED_COUNT]):
        arrays.place_of_card[card_number(s[me + layout.RESERVED + i])] = SLOTS + i
    for i in range(number):
        write_decision_terms(i, ids[i], layout_arrays, arrays)


# The words whose first bytes are not one per color.
COLORLESS_WORDS = {fields.SITUATION, fields.PLACE, *range(fields.UNSEEN, fields.SEATS)}


def symmetries(rules: Rules) -> list[Symmetry]:
    """Return the renamings of colors that turn the nobles into one another."""
    return [_symmetry(rules, colors) for colors in (*ROTATIONS, *REFLECTIONS)]


def _symmetry(rules: Rules, colors: Renaming) -> Symmetry:
    network = layout_for(rules)
    size = network.observation.size
    words = set(range(size // WORD_BYTES)) - COLORLESS_WORDS
    source = rename_colors(size, words, colors)
    nobles = [_renamed_noble(noble, colors) for noble in range(layout.NOBLES)]
    move_words(source, fields.NOBLES, nobles)
    new_names = {
        f"noble {NOBLES[old].id}": f"noble {NOBLES[new].id}" for old, new in enumerate(nobles)
    }
    scores = np.arange(network.scores)
    for i, name in enumerate(SCORE_NAMES.names):
        new = SCORE_NAMES.names.index(new_names.get(name, renamed(name, colors)))
        scores[network.arrays.first_plain_score + i] = network.arrays.first_plain_score + new
    return Symmetry(source, scores)


def _renamed_noble(noble: int, colors: Renaming) -> int:
    """Return the noble that asks for the renamed bonuses."""
    wanted = np.array(NOBLES[noble].needs)
    wanted[list(colors)] = NOBLES[noble].needs[: len(colors)]
    return [other.needs for other in NOBLES].index(tuple(wanted.tolist()))


class SplendorNetworkEvaluator(NamedTuple):
    """The evaluator of Splendor with a network; its type selects the functions of this module."""

    cards: Cards
    weights: Floats
    card_worth: Floats
    network: Network

    @staticmethod
    def game() -> GameEvaluation:
        """Return the functions for Splendor."""
        return EVALUATION

    @staticmethod
    def network_game() -> GameNetwork:
        """Return the functions of the network for Splendor."""
        return NETWORK


NETWORK = GameNetwork(
    evaluator_type=SplendorNetworkEvaluator,
    layout_for=layout_for,
    score_names=SCORE_NAMES.names,
    observe=observe,
    write_terms=write_terms,
    symmetries=symmetries,
)
