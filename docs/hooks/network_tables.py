"""Inputs and outputs of the networks as tables, generated from their layouts."""

from __future__ import annotations

from collections import Counter

from markdown_tables import table

from parure.bots.evaluator import feature_names
from parure.bots.network.layout import CARD_ENCODING, CELL_ENCODING, HIDDEN, VERSION
from parure.bots.network.weights import network_layout
from parure.games.registry import family_of, import_part, rules_from_label


def network_inputs(label: str) -> str:
    """Return the inputs of the first hidden layer of a network."""
    rules = rules_from_label(label)
    layout = network_layout(rules)
    words = layout.arrays.trunk_words.tolist()
    rows: list[tuple[object, ...]] = []
    for name in layout.trunk_fields:
        field = layout.observation.by_name[name]
        first = 8 * words.index(field.start // 8) + field.start % 8
        rows.append((_range(first, field.size), f"`{name}`", field.meaning))
    for seat in range(layout.seats):
        first = layout.first_feature_input + seat * layout.features
        whose = "the seat to move" if seat == 0 else f"the seat {seat} after it"
        names = ", ".join(feature_names(rules))
        meaning = f"features of {whose}" + (f": {names}" if seat == 0 else ", in the same order")
        rows.append((_range(first, layout.features), "features", meaning))
    for number, group in enumerate(layout.card_groups):
        first = layout.first_group_input + number * CARD_ENCODING
        meaning = f"sum of the encodings of {group.count} cards: {group.name}"
        rows.append((_range(first, CARD_ENCODING), "cards", meaning))
    if layout.cells:
        meaning = "sum of the encodings of all cells with a token"
        rows.append((_range(layout.first_cell_input, CELL_ENCODING), "cells", meaning))
    head = (
        f"Version {VERSION}. {layout.inputs} inputs, two hidden layers of {HIDDEN} units, "
        f"{layout.outputs} outputs.\n\n"
    )
    return head + table(["inputs", "name", "meaning"], rows)


def network_scores(label: str) -> str:
    """Return the scores that the logits of decisions are made of."""
    rules = rules_from_label(label)
    layout = network_layout(rules)
    arrays = layout.arrays
    names = import_part(family_of(rules.game).network).score_names[: layout.plain_scores]
    rows: list[tuple[object, ...]] = []
    if layout.cells:
        rows.append((_range(0, layout.cells), "one for each cell"))
    count = layout.places * layout.queries
    meaning = f"{layout.queries} for each of {layout.places} cards"
    rows.append((_range(arrays.first_card_score, count), meaning))
    first = arrays.first_plain_score
    for name, size in Counter(names).items():
        rows.append((_range(first, size), name))
        first += size
    rows.append((layout.zero_score, "always 0"))
    return table(["scores", "meaning"], rows)


def _range(first: int, count: int) -> str:
    return f"{first}–{first + count - 1}" if count > 1 else str(first)
