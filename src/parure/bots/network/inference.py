"""Evaluate a position with a network, in compiled code.

Most inputs are zero, so every layer adds up the rows of its weight matrix that belong to inputs
that are not.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from parure.bots.evaluation import (
    CURRENT,
    Workspace,
    copy,
    determinize,
    evaluate_worth,
    game_progress,
    legal_ids,
    seat_to_move,
    softmax,
    write_features,
)
from parure.bots.network.game import GameNetwork, NetworkEvaluator
from parure.bots.network.layout import (
    CARD_ENCODING,
    CELL_ENCODING,
    CELL_KINDS,
    HIDDEN,
    NEIGHBORS,
    NO_CELL,
)
from parure.bots.network.weights import Floats32, Network
from parure.bots.network.workspace import NetworkWorkspace
from parure.games.engine.arrays import Rng, Row
from parure.games.engine.bits import lowest_bit
from parure.games.engine.jit import dispatch_on_type, inlined, kernel, outlined
from parure.games.engine.matrix import add_rows, dot


def network_function(select: Callable[[GameNetwork], Any]) -> Callable[..., Any]:
    """Return a function for compiled code that calls the one a game provides to the network."""

    def find(evaluator_type: Any) -> Any:
        return select(evaluator_type.network_game())

    return dispatch_on_type(find)


observe = network_function(lambda game: game.observe)
write_terms = network_function(lambda game: game.write_terms)


@inlined
def seat_after(mover: int, i: int, seats: int) -> int:
    """Return the i-th seat, counted from the seat to move."""
    return mover + i if mover + i < seats else mover + i - seats


@inlined
def write_inputs(evaluator: NetworkEvaluator, s: Row, workspace: Workspace) -> None:
    """Write the observation and the features; each seat's worth is left in `workspace.values`."""
    mover, seats = seat_to_move(evaluator, s), len(workspace.values)
    arrays = workspace.network
    observe(evaluator, s, evaluator.cards, mover, arrays.observation)
    progress = game_progress(evaluator, s)
    for i in range(seats):
        seat, features = seat_after(mover, i, seats), arrays.features[i]
        write_features(evaluator, s, evaluator.cards, evaluator.card_worth, seat, features)
        workspace.values[seat] = evaluate_worth(evaluator, features, progress)


@outlined
def evaluate_with_network(
    evaluator: NetworkEvaluator, s: Row, number: int, workspace: Workspace
) -> None:
    """Write the expected score of each seat, and the prior of each legal decision.

    The decisions are the first `number` of `workspace.ids`; the values are left in
    `workspace.values`, the priors in `workspace.network.priors`.
    """
    mover, seats = seat_to_move(evaluator, s), len(workspace.values)
    network, arrays = evaluator.network, workspace.network
    write_inputs(evaluator, s, workspace)
    run_network(network, arrays)
    for i in range(seats):
        workspace.values[seat_after(mover, i, seats)] += arrays.outputs[i]
    softmax(workspace.values, seats)
    write_terms(evaluator, s, workspace.ids, number, network.layout, arrays)
    write_scores(network, arrays)
    for i in range(number):
        logit = 0.0
        for n in range(arrays.term_counts[i]):
            logit += arrays.scores[arrays.terms[i, n]]
        arrays.priors[i] = logit
    softmax(arrays.priors, number)


@kernel
def extract_inputs(evaluator: NetworkEvaluator, view: Row, rng: Rng, workspace: Workspace) -> int:
    """Write the inputs of the network for a view, and return the number of legal decisions.

    What the seat does not know is drawn at random, as in the search. The decisions are left in
    `workspace.ids`, each seat's worth in `workspace.values`, the rest in `workspace.network`.
    """
    s = workspace.rows[CURRENT]
    copy(view, s)
    determinize(evaluator, s, rng)
    number = legal_ids(evaluator, s, evaluator.cards, workspace.menu, workspace.ids)
    write_inputs(evaluator, s, workspace)
    write_terms(evaluator, s, workspace.ids, number, evaluator.network.layout, workspace.network)
    return number


@kernel
def evaluate_view(evaluator: NetworkEvaluator, view: Row, rng: Rng, workspace: Workspace) -> int:
    """Evaluate a view with the network once, and return the number of legal decisions.

    The results are where `evaluate_with_network` leaves them.
    """
    s = workspace.rows[CURRENT]
    copy(view, s)
    determinize(evaluator, s, rng)
    number = legal_ids(evaluator, s, evaluator.cards, workspace.menu, workspace.ids)
    evaluate_with_network(evaluator, s, number, workspace)
    return number


@outlined
def run_network(network: Network, arrays: NetworkWorkspace) -> None:
    """Compute the outputs from the observation and the features."""
    encode_cards(network, arrays)
    encode_cells(network, arrays)
    first, second = arrays.hidden[0], arrays.hidden[1]
    count = find_active_inputs(network, arrays)
    copy(network.first_bias, first)
    add_rows(network.first_weights, arrays.active, arrays.factors, count, first)
    count = find_positive(first, arrays)
    copy(network.second_bias, second)
    add_rows(network.second_weights, arrays.active, arrays.factors, count, second)
    count = find_positive(second, arrays)
    copy(network.output_bias, arrays.outputs)
    add_rows(network.output_weights, arrays.active, arrays.factors, count, arrays.outputs)


@inlined
def add_active_bytes(word: int, first: int, count: int, arrays: NetworkWorkspace) -> int:
    """Append the bytes of a word that are not zero, as inputs from `first` on."""
    while word:
        shift = lowest_bit(word) & ~7
        byte = (word >> shift) & 255
        arrays.active[count] = first + (shift >> 3)
        arrays.factors[count] = byte
        count += 1
        word ^= byte << shift
    return count


@inlined
def find_active_inputs(network: Network, arrays: NetworkWorkspace) -> int:
    """List the inputs of the first hidden layer that are not zero, and return their number."""
    count = 0
    trunk_words = network.layout.trunk_words
    for i in range(len(trunk_words)):
        count = add_active_bytes(arrays.observation[trunk_words[i]], 8 * i, count, arrays)
    position = 8 * len(trunk_words)
    for i in range(arrays.features.shape[0]):
        for n in range(arrays.features.shape[1]):
            if arrays.features[i, n] != 0:
                arrays.active[count] = position
                arrays.factors[count] = arrays.features[i, n]
                count += 1
            position += 1
    for n in range(network.first_weights.shape[0] - position):
        if arrays.sums[n] != 0:
            arrays.active[count] = position + n
            arrays.factors[count] = arrays.sums[n]
            count += 1
    return count


@inlined
def find_positive(layer: Floats32, arrays: NetworkWorkspace) -> int:
    """List the units of a hidden layer that are positive (ReLU), and return their number."""
    count = 0
    for n in range(HIDDEN):
        arrays.active[count] = n
        arrays.factors[count] = layer[n]
        count += 1 if layer[n] > 0 else 0
    return count


@outlined
def encode_cards(network: Network, arrays: NetworkWorkspace) -> None:
    """Write the encoding of each card, and their sums by group."""
    layout = network.layout
    for n in range(len(arrays.sums)):
        arrays.sums[n] = 0
    card_words = network.card_weights.shape[0] >> 3
    for place in range(len(layout.card_starts)):
        count = 0
        for word in range(card_words):
            content = arrays.observation[layout.card_starts[place] + word]
            count = add_active_bytes(content, 8 * word, count, arrays)
        if count:
            encoding, group = arrays.card_encodings[place], layout.card_groups[place]
            copy(network.card_bias[group], encoding)
            add_rows(network.card_weights, arrays.active, arrays.factors, count, encoding)
            for n in range(CARD_ENCODING):
                encoding[n] = max(encoding[n], 0)
                arrays.sums[CARD_ENCODING * group + n] += encoding[n]


@outlined
def encode_cells(network: Network, arrays: NetworkWorkspace) -> None:
    """Write the encoding of each cell with a token, and their sum."""
    layout = network.layout
    first = len(arrays.sums) - CELL_ENCODING
    for cell in range(len(layout.neighbors)):
        if arrays.observation[layout.cell_start + cell] == 0:
            continue
        count = 0
        for n in range(NEIGHBORS):
            other = layout.neighbors[cell, n]
            if other == NO_CELL or arrays.observation[layout.cell_start + other] == 0:
                continue
            kind = lowest_bit(arrays.observation[layout.cell_start + other]) >> 3
            arrays.active[count] = CELL_KINDS * n + kind
            arrays.factors[count] = 1
            count += 1
        encoding = arrays.cell_encodings[cell]
        copy(network.cell_bias, encoding)
        add_rows(network.cell_weights, arrays.active, arrays.factors, count, encoding)
        for i in range(CELL_ENCODING):
            encoding[i] = max(encoding[i], 0)
            arrays.sums[first + i] += encoding[i]


@inlined
def write_scores(network: Network, arrays: NetworkWorkspace) -> None:
    """Write the scores of cells and cards that are there, and the plain scores."""
    layout, outputs, scores = network.layout, arrays.outputs, arrays.scores
    for cell in range(len(layout.neighbors)):
        if arrays.observation[layout.cell_start + cell]:
            scores[cell] = dot(
                outputs, layout.cell_query_start, arrays.cell_encodings[cell], 0, CELL_ENCODING
            )
    queries = len(layout.query_starts)
    for place in range(len(layout.card_starts)):
        if arrays.observation[layout.card_starts[place]] == 0:
            continue
        for query in range(queries):
            scores[layout.first_card_score + queries * place + query] = dot(
                outputs,
                layout.query_starts[query],
                arrays.card_encodings[place],
                0,
                CARD_ENCODING,
            )
    for n in range(len(scores) - 1 - layout.first_plain_score):
        scores[layout.first_plain_score + n] = outputs[layout.plain_start + n]
