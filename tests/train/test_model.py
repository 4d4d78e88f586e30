"""The network in torch and the compiled one are the same."""

from __future__ import annotations

import numpy as np
import pytest
from tests.bots.games import each_kind, midgame

from parure.bots.evaluation import workspace_for
from parure.bots.network.inference import evaluate_view, extract_inputs
from parure.bots.network.weights import (
    encode_parameters,
    load_parameters,
    network_evaluator,
    network_from,
)
from parure.games.engine.rng import new_rng
from parure.games.registry import rules

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.slow_without_jit


@each_kind
def test_torch_and_compiled_code_agree(game: str, seats: int) -> None:
    from parure.train.model import Network

    torch.manual_seed(1)
    found = rules(game, seats)
    network = Network(found, np.linspace(0.2, 1, Network(found).layout.features, dtype=np.float32))
    with torch.no_grad():
        network.output.weight.mul_(10)
        network.card_bias.normal_()
    content = encode_parameters(found.label, network.parameters_by_name())
    evaluator = network_evaluator(found, network_from(found, load_parameters(content, found)))
    workspace = workspace_for(found)
    arrays = workspace.network
    for seed in range(6):
        state = midgame(game, seats, seed, decisions=10 * seed)
        words = state.view(state.seat).words
        number = extract_inputs(evaluator, words, new_rng(1), workspace)
        terms = np.full((number, arrays.terms.shape[1]), network.layout.zero_score)
        for i in range(number):
            terms[i, : arrays.term_counts[i]] = arrays.terms[i, : arrays.term_counts[i]]
        worths = np.roll(workspace.values, -state.seat).astype(np.float32)
        with torch.no_grad():
            logits, value_logits = network(
                torch.from_numpy(arrays.observation.view(np.uint8).copy())[None],
                torch.from_numpy(arrays.features.astype(np.float32))[None],
                torch.from_numpy(worths)[None],
                torch.from_numpy(terms)[None],
            )
        evaluate_view(evaluator, words, new_rng(1), workspace)
        priors = torch.softmax(logits[0], 0).numpy()
        np.testing.assert_allclose(arrays.priors[:number], priors, atol=2e-4)
        values = np.roll(torch.softmax(value_logits[0], 0).numpy(), state.seat)
        np.testing.assert_allclose(workspace.values, values, atol=2e-4)
