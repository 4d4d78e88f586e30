"""Fit a network to the positions of self-play games."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from parure.atomic_write import write_atomically
from parure.bots.network.symmetry import Symmetry
from parure.bots.network.weights import encode_parameters, network_symmetries
from parure.errors import ParureError
from parure.games.rules import Rules
from parure.train.config import Fit
from parure.train.model import Batch, Network, losses
from parure.train.shards import Samples

OnProgress = Callable[[float], object]  # receives the share done


@dataclass(frozen=True)
class FitResult:
    """What a fit achieved; losses are those of held-out games."""

    positions: int
    steps: int
    policy_loss: float
    value_loss: float
    linear_value_loss: float  # of the linear evaluation, in the same positions
    agreement: float  # share of positions whose most visited decision has the highest prior


class BatchMaker:
    """Makes batches of samples."""

    def __init__(self, samples: Samples, search_share: float, zero_score: int) -> None:
        self.samples = samples
        self.zero_score = zero_score
        self._starts = np.concatenate([[0], np.cumsum(samples.counts, dtype=np.int64)])
        self._targets = (
            search_share * samples.values + (1 - search_share) * samples.results
        ).astype(np.float32)
        self._targets /= self._targets.sum(1, keepdims=True)

    def batch(self, chosen: NDArray[np.int64], symmetry: Symmetry) -> Batch:
        """Return a batch of some positions, as a symmetry shows them."""
        samples = self.samples
        counts = samples.counts[chosen].astype(np.int64)
        most = int(counts.max())
        position = np.arange(most)
        is_legal = position < counts[:, np.newaxis]
        flat = np.where(is_legal, self._starts[chosen][:, np.newaxis] + position, 0)
        terms = np.where(is_legal[..., np.newaxis], samples.terms[flat], self.zero_score)
        visits = np.where(is_legal, samples.visits[flat], 0).astype(np.float32)
        return Batch(
            observations=torch.from_numpy(samples.observations[chosen][:, symmetry.source_bytes]),
            features=torch.from_numpy(samples.features[chosen]),
            worths=torch.from_numpy(samples.worths[chosen]),
            terms=torch.from_numpy(symmetry.scores[terms]),
            is_legal=torch.from_numpy(is_legal),
            visits=torch.from_numpy(visits),
            values=torch.from_numpy(self._targets[chosen]),
        )


def fit(
    rules: Rules,
    samples: Samples,
    config: Fit,
    start: Path | None,
    target: Path,
    seed: int,
    on_progress: OnProgress = lambda _: None,
) -> FitResult:
    """Train a network and write it to a file.

    Args:
        rules: The game.
        samples: The positions.
        config: How to train.
        start: The network to begin with; None for a new one.
        target: The file to write.
        seed: Of the order of positions, and of a new network.
        on_progress: Receives the share of the steps done.
    """
    torch.manual_seed(seed)
    generator = np.random.default_rng(seed)
    network = _start_network(rules, samples, start)
    maker = BatchMaker(samples, config.search_share, network.layout.zero_score)
    training, held_out = _split(samples, config.held_out)
    optimizer = torch.optim.AdamW(
        network.parameters(), config.learning_rate, weight_decay=config.weight_decay
    )
    steps = max(
        1, round((config.epochs if start else config.first_epochs) * len(training) / config.batch)
    )
    total = steps + 1
    schedule = torch.optim.lr_scheduler.OneCycleLR(  # which divides by pct_start × total_steps - 1
        optimizer, config.learning_rate, total_steps=total, pct_start=max(0.05, 2 / total)
    )
    symmetries = network_symmetries(rules)
    if not config.symmetries:
        symmetries = symmetries[:1]
    network.train()
    order = _endless(training, config.batch, generator)
    for step in range(steps):
        symmetry = symmetries[int(generator.integers(len(symmetries)))]
        policy, value, _ = losses(network, maker.batch(next(order), symmetry))
        loss = policy + config.value_weight * value
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        on_progress((step + 1) / steps)
    parameters = network.parameters_by_name()
    if not all(np.isfinite(array).all() for array in parameters.values()):
        raise ParureError("the fit diverged: lower learning_rate")
    write_atomically(target, encode_parameters(rules.label, parameters))
    return _measure(network, maker, held_out, len(training), steps)


def _start_network(rules: Rules, samples: Samples, start: Path | None) -> Network:
    if start is not None:
        return Network.load(start, rules)
    deviation = samples.features.reshape(-1, samples.features.shape[-1]).std(0)
    return Network(rules, (1 / np.maximum(deviation, 0.2)).astype(np.float32))


def _split(samples: Samples, share: float) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the positions to train with, and those of held-out games: the newest ones."""
    first = samples.game_count - max(1, round(share * samples.game_count))
    is_held_out = samples.games >= first
    training, held_out = np.flatnonzero(~is_held_out), np.flatnonzero(is_held_out)
    if not len(training):
        raise ParureError("there are too few games to fit a network")
    return training, held_out


def _endless(
    positions: NDArray[np.int64], size: int, generator: np.random.Generator
) -> Iterator[NDArray[np.int64]]:
    """Yield batches; in every pass, the positions that do not fill a batch are left out."""
    while True:
        order = generator.permutation(positions)
        for first in range(0, max(1, len(order) - size + 1), size):
            yield order[first : first + size]


def _measure(
    network: Network, maker: BatchMaker, positions: NDArray[np.int64], trained: int, steps: int
) -> FitResult:
    network.eval()
    identity = network_symmetries(network.rules)[0]
    sums = np.zeros(4)
    for first in range(0, len(positions), 1024):
        chosen = positions[first : first + 1024]
        batch = maker.batch(chosen, identity)
        with torch.no_grad():
            linear = -(batch.values * torch.log_softmax(batch.worths, 1)).sum(1).mean()
            found = (*losses(network, batch), linear)
        sums += len(chosen) * np.array([float(number) for number in found])
    policy, value, agreement, linear_value = sums / max(len(positions), 1)
    return FitResult(
        positions=trained,
        steps=steps,
        policy_loss=float(policy),
        value_loss=float(value),
        linear_value_loss=float(linear_value),
        agreement=float(agreement),
    )
