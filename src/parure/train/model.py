"""The network in torch, with the same parameters as :mod:`parure.bots.network` reads."""

from __future__ import annotations

from math import isqrt
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from parure.bots.network.layout import (
    CARD_ENCODING,
    CELL_ENCODING,
    CELL_KINDS,
    HIDDEN,
    NetworkLayout,
)
from parure.bots.network.weights import byte_scales, load_parameters, network_layout
from parure.errors import ParureError
from parure.games.rules import Rules

try:
    import torch
    from torch import Tensor, nn
    from torch.nn import functional
except ImportError:
    raise ParureError("training needs torch: pip install 'parure[train]'") from None


class Batch(NamedTuple):
    """Positions, with their legal decisions padded to the same number."""

    observations: Tensor  # bytes
    features: Tensor
    worths: Tensor
    terms: Tensor  # of each legal decision
    is_legal: Tensor  # False where padded
    visits: Tensor
    values: Tensor  # the target


class Network(nn.Module):  # type: ignore[misc]
    """See `parure.bots.network.layout` for inputs and outputs."""

    def __init__(self, rules: Rules, feature_scale: NDArray[np.float32] | None = None) -> None:
        super().__init__()
        self.rules = rules
        layout: NetworkLayout = network_layout(rules)
        self.layout = layout
        if feature_scale is None:
            feature_scale = np.ones(layout.features, np.float32)
        self.card = nn.Linear(layout.card_bytes, CARD_ENCODING, bias=False)
        self.card_bias = nn.Parameter(torch.zeros(len(layout.card_groups), CARD_ENCODING))
        if layout.cells:
            self.cell = nn.Conv2d(CELL_KINDS, CELL_ENCODING, 3, padding=1)
        self.first = nn.Linear(layout.inputs, HIDDEN)
        self.second = nn.Linear(HIDDEN, HIDDEN)
        self.output = nn.Linear(HIDDEN, layout.outputs)
        with torch.no_grad():  # begin with the linear evaluation and equal priors
            self.output.weight.mul_(0.1)
            self.output.bias.zero_()
        self._register_constants(layout, feature_scale)

    def _register_constants(
        self, layout: NetworkLayout, feature_scale: NDArray[np.float32]
    ) -> None:
        scales, arrays = torch.from_numpy(byte_scales(layout)), layout.arrays
        card_bytes = arrays.card_starts[:, np.newaxis] * 8 + np.arange(layout.card_bytes)
        groups = torch.from_numpy(arrays.card_groups)
        constants = {
            "trunk_bytes": torch.from_numpy(layout.trunk_bytes),
            "trunk_scales": scales[torch.from_numpy(layout.trunk_bytes)],
            "card_bytes": torch.from_numpy(card_bytes),
            "card_scales": scales[torch.from_numpy(card_bytes[0])],
            "groups": groups,
            "in_group": functional.one_hot(groups).float(),
        }
        for name, constant in constants.items():
            self.register_buffer(name, constant, persistent=False)
        self.register_buffer("feature_scale", torch.from_numpy(feature_scale))

    def forward(
        self, observations: Tensor, features: Tensor, worths: Tensor, terms: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Return the logit of each decision, and of each seat's victory."""
        layout, arrays = self.layout, self.layout.arrays
        size = len(observations)
        cards = observations[:, self.card_bytes].float()
        is_there = (cards != 0).any(-1, keepdim=True)
        encoded = self.card(cards * self.card_scales) + self.card_bias[self.groups]
        encoded = functional.relu(encoded) * is_there
        sums = [torch.einsum("bpe,pg->bge", encoded, self.in_group).flatten(1)]
        if layout.cells:
            first = layout.cell_start * 8
            board = observations[:, first : first + layout.cells * CELL_KINDS].float()
            side = isqrt(layout.cells)
            board = board.view(size, side, side, CELL_KINDS).permute(0, 3, 1, 2)
            cells = functional.relu(self.cell(board)) * (board.sum(1, keepdim=True) > 0)
            cells = cells.flatten(2)  # batch × encoding × cell
            sums.append(cells.sum(-1))
        trunk = observations[:, self.trunk_bytes].float() * self.trunk_scales
        scaled = (features * self.feature_scale).flatten(1)
        hidden = functional.relu(self.first(torch.cat([trunk, scaled, *sums], 1)))
        hidden = functional.relu(self.second(hidden))
        outputs = self.output(hidden)
        scores = []
        if layout.cells:
            start = arrays.cell_query_start
            query = outputs[:, start : start + CELL_ENCODING]
            scores.append(torch.einsum("be,bec->bc", query, cells))
        first_query = int(arrays.query_starts[0])
        queries = outputs[:, first_query : arrays.plain_start]
        queries = queries.view(size, layout.queries, CARD_ENCODING)
        scores.append(torch.einsum("bqe,bpe->bpq", queries, encoded).flatten(1))
        scores.append(outputs[:, arrays.plain_start :])
        scores.append(torch.zeros(size, 1))
        every = torch.cat(scores, 1)
        logits = every.gather(1, terms.flatten(1)).view(terms.shape).sum(-1)
        return logits, worths + outputs[:, : layout.seats]

    def parameters_by_name(self) -> dict[str, NDArray[np.float32]]:
        """Return what a file of weights holds."""
        return {name: value.detach().numpy() for name, value in self.state_dict().items()}

    @classmethod
    def load(cls, path: Path, rules: Rules) -> Network:
        """Return the network in a file."""
        network = cls(rules)
        parameters = load_parameters(path, rules)
        state = {name: torch.from_numpy(array) for name, array in parameters.items()}
        network.load_state_dict(state)
        return network


def losses(network: Network, batch: Batch) -> tuple[Tensor, Tensor, Tensor]:
    """Return the policy loss, the value loss, and the agreement.

    The agreement is the share of positions whose most visited decision has the highest prior.

    Both losses are cross entropies; from the policy loss the entropy of the visits is subtracted,
    so that 0 would be perfect.
    """
    logits, value_logits = network(batch.observations, batch.features, batch.worths, batch.terms)
    logits = logits.masked_fill(~batch.is_legal, -1e9)
    log_priors = functional.log_softmax(logits, 1)
    policy = -(batch.visits * log_priors).sum(1).mean()
    entropy = -(batch.visits * batch.visits.clamp_min(1e-9).log()).sum(1).mean()
    value = -(batch.values * functional.log_softmax(value_logits, 1)).sum(1).mean()
    agreement: Any = (logits.argmax(1) == batch.visits.argmax(1)).float().mean()
    return policy - entropy, value, agreement
