"""Self-play: the search plays against itself, and the positions it searched become samples.

Each seat sees its own view only, as in a real game.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parure.bots.evaluator import Evaluator, evaluator_for
from parure.bots.mcts import Search, network_settings, usual_settings
from parure.bots.network.inference import extract_inputs
from parure.bots.network.weights import (
    load_network,
    network_evaluator,
    network_from,
    network_layout,
    random_parameters,
)
from parure.bots.search import CACHE_LINE_PAD, DECISION, PRIOR, VALUE_SUM, VISITS
from parure.errors import ParureError
from parure.games.engine.rng import rng_from
from parure.games.registry import rules_from_label
from parure.games.rules import Rules
from parure.games.state import State
from parure.games.view import View
from parure.train.config import SelfPlay
from parure.train.shards import Samples

ROOT_EXPANSIONS = (1, 4, 16, 64, 256, 1024)
"""The iterations that may add edges to the root (`is_expansion_due` in `bots/search.py`)."""


@dataclass(frozen=True)
class SelfPlayTask:
    """Games for one shard, as it is sent to a worker."""

    label: str
    network: bytes | None  # the content of a file of weights; None for the linear search
    generation: int
    config: SelfPlay
    games: int
    seed: str


def play_task(task: SelfPlayTask) -> Samples:
    """Play the games of a task and return the positions that got a full search."""
    rules = rules_from_label(task.label)
    player = SelfPlayer(rules, task.network, task.config)
    samples: list[Sample] = []
    for number in range(task.games):
        samples += player.play_game(number, Random(f"{task.seed} {number}"))
    if not samples:
        raise ParureError("no decision of these games was searched in full: raise full_share")
    return join_samples(samples, task)


@dataclass
class Sample:
    """One position; `result` is filled in when its game is over."""

    game: int
    seat: int
    observation: NDArray[np.uint8]
    features: NDArray[np.float32]
    worths: NDArray[np.float32]
    legal: NDArray[np.int16]
    terms: NDArray[np.int16]
    visits: NDArray[np.float32]
    values: NDArray[np.float32]
    result: NDArray[np.float32]


def join_samples(samples: list[Sample], task: SelfPlayTask) -> Samples:
    """Return the samples of some games as arrays."""

    def stack(name: str) -> Any:
        return np.stack([getattr(sample, name) for sample in samples])

    def concatenate(name: str) -> Any:
        return np.concatenate([getattr(sample, name) for sample in samples])

    return Samples(
        observations=stack("observation"),
        features=stack("features"),
        worths=stack("worths"),
        legal=concatenate("legal"),
        terms=concatenate("terms"),
        visits=concatenate("visits"),
        counts=np.array([len(sample.legal) for sample in samples], np.int16),
        values=stack("values"),
        results=stack("result"),
        games=np.array([sample.game for sample in samples], np.int32),
        generation=task.generation,
        game_count=task.games,
    )


class SelfPlayer:
    """Plays games of a network, or of the linear search, against itself."""

    def __init__(self, rules: Rules, network: bytes | None, config: SelfPlay) -> None:
        self.rules = rules
        self.config = config
        self.layout = network_layout(rules)
        self._search: Search | None = None
        if network is None:
            self.evaluator: Evaluator = evaluator_for(rules)
            self.settings = usual_settings(rules.seats)
            untrained = network_from(rules, random_parameters(rules))
            self._reader = network_evaluator(rules, untrained)  # only to compute the inputs
        else:
            self.evaluator = network_evaluator(rules, load_network(network, rules))
            self.settings = network_settings(rules)
            self._reader = self.evaluator

    def play_game(self, number: int, rng: Random) -> list[Sample]:
        """Play a game and return its samples."""
        rules, config = self.rules, self.config
        state = rules.state_type(rules, rules.deal(rng_from(rng)), rng_from(rng))
        samples = []
        while not state.is_over:
            ids = state.legal_decisions.ids
            if len(ids) == 1:
                state.play(ids[0])
                continue
            is_full = rng.random() < config.full_share
            search = self._search_at(state.view(state.seat))
            root = self._run(search, is_full, rng)
            decisions, visits = root.decisions, root.shares()
            if is_full:
                values = root.values()
                samples.append(self._sample(number, search.view, decisions, visits, values, rng))
            if state.turns < config.sampled_turns:
                chosen = rng.choices(decisions.tolist(), visits.tolist())[0]
            else:
                chosen = int(decisions[visits.argmax()])
            state.play(chosen)
        for sample in samples:
            sample.result = _result(state, sample.seat)
        return samples

    def _search_at(self, view: View) -> Search:
        if self._search is None:
            self._search = Search(view, self.settings, self.evaluator)
        else:
            self._search.move_to(view)
        return self._search

    def _run(self, search: Search, is_full: bool, rng: Random) -> RootStatistics:
        """Search a position; a full search has noise in the priors of its root."""
        config, rngs = self.config, [rng_from(rng).repeat(CACHE_LINE_PAD)]
        iterations = config.full_iterations if is_full else config.fast_iterations
        root = RootStatistics(search)
        for end in (*(end for end in ROOT_EXPANSIONS if end < iterations), iterations):
            search.run(rngs, end - search.iterations)
            root.note_new_edges()
            if end == 1 and is_full:
                add_root_noise(search, config.noise_share, config.noise_total, rng)
        return root

    def _sample(
        self,
        game: int,
        view: View,
        decisions: NDArray[np.int16],
        visits: NDArray[np.float64],
        values: NDArray[np.float64],
        rng: Random,
    ) -> Sample:
        """Return the inputs of the network in a position, with what the search found."""
        arrays = self._search.workspaces[0].network  # type: ignore[union-attr]
        workspace = self._search.workspaces[0]  # type: ignore[union-attr]
        number = extract_inputs(self._reader, view.words, rng_from(rng), workspace)
        legal = workspace.ids[:number].astype(np.int16)
        share_of = dict(zip(decisions.tolist(), visits.tolist(), strict=True))
        terms = np.full((number, arrays.terms.shape[1]), self.layout.zero_score, np.int16)
        for i, count in enumerate(arrays.term_counts[:number].tolist()):
            terms[i, :count] = arrays.terms[i, :count]
        shares = np.array([share_of.get(decision, 0.0) for decision in legal.tolist()], np.float32)
        return Sample(
            game=game,
            seat=view.seat,
            observation=arrays.observation.view(np.uint8).copy(),
            features=arrays.features.astype(np.float32),
            worths=np.roll(workspace.values, -view.seat).astype(np.float32),
            legal=legal,
            terms=terms,
            visits=shares / shares.sum(),
            values=np.roll(values, -view.seat).astype(np.float32),
            result=np.zeros(self.rules.seats, np.float32),
        )


def add_root_noise(search: Search, share: float, total: float, rng: Random) -> None:
    """Mix Dirichlet noise into the priors of the root's edges."""
    edges = list(search.root_edges())
    gammas = [rng.gammavariate(total / len(edges), 1.0) for _ in edges]
    scale = share / max(sum(gammas), 1e-12)
    for edge, gamma in zip(edges, gammas, strict=True):
        prior = search.tree.edge_values[edge, PRIOR]
        search.tree.edge_values[edge, PRIOR] = (1 - share) * prior + scale * gamma


class RootStatistics:
    """What a search finds at its root.

    An edge begins with the value of a visit that did not take place. To leave it out, edges must be
    noted before they are visited.
    """

    def __init__(self, search: Search) -> None:
        self._search = search
        self._first_values: dict[int, NDArray[np.float64]] = {}  # by edge

    def note_new_edges(self) -> None:
        """Note the edges that the search has added to the root since the last call."""
        for edge in self._search.root_edges():
            if edge not in self._first_values:
                values = self._search.tree.edge_values[edge, VALUE_SUM:]
                self._first_values[edge] = values.copy()

    @property
    def _edges(self) -> list[int]:
        return list(self._first_values)

    @property
    def decisions(self) -> NDArray[np.int16]:
        """The decision of each edge."""
        return self._search.tree.edges[self._edges, DECISION].astype(np.int16)

    def shares(self) -> NDArray[np.float64]:
        """Return the share of visits of each decision."""
        visits = self._search.tree.edges[self._edges, VISITS].astype(np.float64)
        shares: NDArray[np.float64] = visits / max(visits.sum(), 1.0)
        return shares

    def values(self) -> NDArray[np.float64]:
        """Return the mean value of all visits for each seat."""
        tree = self._search.tree
        visits = tree.edges[self._edges, VISITS].sum()
        sums = tree.edge_values[self._edges, VALUE_SUM:] - list(self._first_values.values())
        means: NDArray[np.float64] = sums.sum(axis=0) / max(visits, 1)
        return means


def _result(state: State, seat: int) -> NDArray[np.float32]:
    """Return the score of each seat in a finished game, beginning with a seat."""
    outcome = state.outcome
    assert outcome is not None
    return np.roll(np.array(outcome.scores(state.seats), np.float32), -seat)
