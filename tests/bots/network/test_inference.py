"""The compiled network computes what the layout says, in all kinds of positions."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from tests.bots.games import each_kind, midgame
from tests.bots.network.naive_network import Floats, naive_scores
from tests.games.hidden_information import hiding_game

import parure
from parure.bots.evaluation import workspace_for
from parure.bots.network.inference import evaluate_view, extract_inputs
from parure.bots.network.layout import VERSION
from parure.bots.network.weights import (
    network_evaluator,
    network_from,
    network_layout,
    parameter_shapes,
    random_parameters,
)
from parure.games.engine.rng import new_rng
from parure.games.registry import rules
from parure.games.state import State

pytestmark = pytest.mark.slow_without_jit


def positions(game: str, seats: int, seed: int) -> Iterator[State]:
    """Yield some positions of a random game, those in rare phases among them."""
    for number, state in enumerate(hiding_game(game, seats, seed, game == "duel+counterfeiters")):
        if not state.is_over and (number % 7 == 0 or state.phase not in ("turn", "discard")):
            yield state


def softmax(logits: Floats) -> Floats:
    exponentials: Floats = np.exp(logits - logits.max())
    total: float = exponentials.sum()
    return exponentials / total


@each_kind
def test_values_and_priors_are_those_of_the_naive_network(game: str, seats: int) -> None:
    found = rules(game, seats)
    layout, parameters = network_layout(found), random_parameters(found, seed=5)
    evaluator = network_evaluator(found, network_from(found, parameters))
    workspace = workspace_for(found)
    arrays, count = workspace.network, 0
    for state in positions(game, seats, seed=3):
        words = state.view(state.seat).words
        number = extract_inputs(evaluator, words, new_rng(1), workspace)
        worths = np.roll(workspace.values, -state.seat)
        observation = arrays.observation.view(np.uint8)
        corrections, scores = naive_scores(layout, parameters, observation, arrays.features)
        terms = [arrays.terms[i, : arrays.term_counts[i]].copy() for i in range(number)]
        logits = np.array([scores[term].sum() for term in terms])
        ids = workspace.ids[:number].copy()
        assert evaluate_view(evaluator, words, new_rng(1), workspace) == number
        assert sorted(ids.tolist()) == found.legal(words)
        expected = np.roll(softmax(worths + corrections), state.seat)
        np.testing.assert_allclose(workspace.values, expected, atol=2e-4)
        np.testing.assert_allclose(arrays.priors[:number], softmax(logits), atol=2e-4)
        count += 1
    assert count > 10


@each_kind
def test_the_terms_of_a_decision_are_about_its_card(game: str, seats: int) -> None:
    found = rules(game, seats)
    layout = network_layout(found)
    evaluator = network_evaluator(found, network_from(found, random_parameters(found)))
    workspace, cards = workspace_for(found), {card.id: card for card in found.card_infos}
    arrays, checked = workspace.network, 0
    points_byte = 13 if found.family == "splendor" else 17  # of a card in an observation
    for state in positions(game, seats, seed=4):
        number = extract_inputs(evaluator, state.view(state.seat).words, new_rng(1), workspace)
        observation = arrays.observation.view(np.uint8)
        for i in range(number):
            text = found.decision_texts[workspace.ids[i]]
            terms = arrays.terms[i, : arrays.term_counts[i]]
            assert ((terms >= 0) & (terms < layout.zero_score)).all(), text
            card = cards.get(text.split()[-1])
            if card is None or card.kind not in ("jewel", "development"):
                continue
            place = (int(terms[1]) - layout.arrays.first_card_score) // layout.queries
            start = 8 * int(layout.arrays.card_starts[place])
            content = observation[start : start + layout.card_bytes]
            assert content[7] == card.level, text
            assert content[points_byte] == card.points, text
            checked += 1
    assert checked > 20


def test_the_terms_of_takes_are_about_their_cells() -> None:
    found = rules("duel")
    evaluator = network_evaluator(found, network_from(found, random_parameters(found)))
    workspace = workspace_for(found)
    state = next(positions("duel", 2, seed=1))
    number = extract_inputs(evaluator, state.view(0).words, new_rng(1), workspace)
    by_text = {
        found.decision_texts[workspace.ids[i]]: workspace.network.terms[
            i, : workspace.network.term_counts[i]
        ].tolist()
        for i in range(number)
    }
    takes = {text: terms for text, terms in by_text.items() if text.startswith("take")}
    assert takes
    for text, terms in takes.items():
        cells = {"abcde".index(cell[0]) + 5 * (int(cell[1]) - 1) for cell in text.split()[1:]}
        assert {term for term in terms if term < 25} == cells
        size = len(cells)
        assert len(terms) == 1 + 2 * size + size * (size - 1) // 2  # count, cells, kinds, pairs


@each_kind
def test_hidden_cards_make_no_difference(game: str, seats: int) -> None:
    """Two states behind the same view have the same evaluation."""
    found = rules(game, seats)
    evaluator = network_evaluator(found, network_from(found, random_parameters(found)))
    workspace, differing = workspace_for(found), 0
    for state in positions(game, seats, seed=2):
        others = [parure.determinize(state.view(state.seat), seed=seed) for seed in (1, 2)]
        differing += bool((others[0].words != others[1].words).any())
        results = []
        for other in others:
            number = evaluate_view(evaluator, other.view(state.seat).words, new_rng(9), workspace)
            results.append((workspace.values.copy(), workspace.network.priors[:number].copy()))
        for one, two in zip(*results, strict=True):
            np.testing.assert_array_equal(one, two)
    assert differing > 10


PINNED = {
    ("splendor", 2): (0.99304, 0.14553),
    ("splendor", 3): (0.55633, 2.41789),
    ("splendor", 4): (0.24751, 2.38539),
    ("duel", 2): (0.80111, 13.33656),
    ("duel+counterfeiters", 2): (0.53528, 11.40144),
}


@pytest.mark.parametrize(("kind", "expected"), PINNED.items())
def test_a_file_of_weights_means_the_same_in_every_release(
    kind: tuple[str, int], expected: tuple[float, float]
) -> None:
    """Where these numbers change, networks of before are wrong: raise `layout.VERSION` as well."""
    found = rules(*kind)
    parameters = {
        name: (np.cos(np.arange(np.prod(shape))) / 8).reshape(shape).astype(np.float32)
        for name, shape in parameter_shapes(network_layout(found)).items()
    }
    evaluator = network_evaluator(found, network_from(found, parameters))
    workspace = workspace_for(found)
    state = midgame(*kind, seed=5)
    number = evaluate_view(evaluator, state.view(state.seat).words, new_rng(1), workspace)
    shown = workspace.values[0], workspace.network.priors[:number] @ np.arange(number)
    assert VERSION == 1
    np.testing.assert_allclose(shown, expected, rtol=1e-3)
