"""Self-play games and what is recorded of them."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import numpy as np
import pytest
from tests.bots.games import each_kind

from parure.bots.mcts import Search
from parure.bots.network.weights import encode_parameters, network_layout, random_parameters
from parure.bots.search import (
    CACHE_LINE_PAD,
    DECISION,
    FIRST_EDGE,
    NEXT_EDGE,
    NONE,
    PRIOR,
    ROOT,
    VISITS,
)
from parure.games.engine.rng import new_rng
from parure.games.registry import rules
from parure.games.rules import Rules
from parure.train.config import SelfPlay
from parure.train.selfplay import (
    ROOT_EXPANSIONS,
    RootStatistics,
    SelfPlayer,
    SelfPlayTask,
    add_root_noise,
    play_task,
)
from parure.train.shards import Samples

pytestmark = pytest.mark.slow_without_jit

CONFIG = SelfPlay(games=2, first_games=2, full_iterations=24, fast_iterations=6, full_share=0.4)


def play(found: Rules, with_network: bool = True, games: int = 2, seed: str = "1") -> Samples:
    content = encode_parameters(found.label, random_parameters(found)) if with_network else None
    return play_task(SelfPlayTask(found.label, content, 3, CONFIG, games, seed))


@each_kind
def test_samples_hold_what_was_searched(game: str, seats: int) -> None:
    found = rules(game, seats)
    layout, samples = network_layout(found), play(found)
    count = len(samples)
    assert samples.observations.shape == (count, layout.observation.size)
    assert samples.features.shape == (count, seats, layout.features)
    assert samples.counts.sum() == len(samples.legal) == len(samples.terms) == len(samples.visits)
    assert (samples.counts > 1).all()
    assert samples.terms.min() >= 0
    assert samples.terms.max() == layout.zero_score
    starts = np.concatenate([[0], np.cumsum(samples.counts)[:-1]])
    np.testing.assert_allclose(np.add.reduceat(samples.visits, starts), 1, atol=1e-5)
    np.testing.assert_allclose(samples.results.sum(1), 1, atol=1e-6)
    np.testing.assert_allclose(samples.values.sum(1), 1, atol=1e-3)
    assert set(samples.games.tolist()) == {0, 1}
    assert (samples.generation, samples.game_count) == (3, 2)


def test_results_belong_to_the_seat_to_move() -> None:
    """All positions of a game have the same winner, counted from the seat to move."""
    found = rules("splendor", 3)
    samples = play(found)
    own_seat = network_layout(found).observation.by_name["seat"]
    seats = samples.observations[:, own_seat.start : own_seat.stop].argmax(1)
    for game in range(2):
        chosen = samples.games == game
        results = [
            tuple(np.roll(result, seat))
            for result, seat in zip(samples.results[chosen], seats[chosen], strict=True)
        ]
        assert len(set(results)) == 1


@pytest.mark.parametrize("with_network", [False, True])
def test_the_same_seed_gives_the_same_games(with_network: bool) -> None:
    found = rules("duel")
    first, again = play(found, with_network, games=1), play(found, with_network, games=1)
    other = play(found, with_network, games=1, seed="2")
    np.testing.assert_array_equal(first.observations, again.observations)
    np.testing.assert_array_equal(first.visits, again.visits)
    assert (
        first.observations.shape != other.observations.shape
        or (first.observations != other.observations).any()
    )


class SamplingGenerator(Random):
    """Counts the decisions that are sampled."""

    sampled = 0

    def choices(self, *arguments: Any, **options: Any) -> list[Any]:
        self.sampled += 1
        return super().choices(*arguments, **options)


def player(**settings: Any) -> SelfPlayer:
    return SelfPlayer(rules("splendor", 2), None, msgspec.structs.replace(CONFIG, **settings))


def test_decisions_are_sampled_in_the_first_turns_only() -> None:
    rng = SamplingGenerator(1)
    player(sampled_turns=0).play_game(0, rng)
    assert rng.sampled == 0
    player(sampled_turns=2).play_game(0, rng)
    assert rng.sampled == 2  # of two turns, none of which has more than one decision


@pytest.mark.parametrize("full_share", [0.3, 1.0])
def test_full_searches_are_recorded_and_have_noise(
    full_share: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    searched: list[bool] = []
    with_noise: list[Search] = []
    run = SelfPlayer._run

    def counted_run(self: SelfPlayer, search: Search, is_full: bool, rng: Random) -> Any:
        searched.append(is_full)
        return run(self, search, is_full, rng)

    def counted_noise(search: Search, *arguments: Any) -> None:
        with_noise.append(search)

    monkeypatch.setattr(SelfPlayer, "_run", counted_run)
    monkeypatch.setattr("parure.train.selfplay.add_root_noise", counted_noise)
    samples = player(full_share=full_share).play_game(0, Random(1))
    assert len(samples) == len(with_noise) == sum(searched)
    assert all(searched) == (full_share == 1.0)
    assert any(searched)


def root_priors(search: Search) -> list[float]:
    return [float(search.tree.edge_values[edge, PRIOR]) for edge in search.root_edges()]


def opening_search(with_network: bool) -> Search:
    """Return a search that has expanded the root of an opening."""
    found = rules("splendor", 2)
    content = encode_parameters(found.label, random_parameters(found)) if with_network else None
    searcher = SelfPlayer(found, content, CONFIG)
    state = found.state_type(found, found.deal(new_rng(1)), new_rng(1))
    search = searcher._search_at(state.view(state.seat))
    search.run([new_rng(1).repeat(CACHE_LINE_PAD)], 1)
    return search


def test_noise_takes_its_share_of_the_priors() -> None:
    search = opening_search(with_network=True)
    before = root_priors(search)
    add_root_noise(search, 0.0, 8.0, Random(1))
    assert root_priors(search) == before
    add_root_noise(search, 0.25, 8.0, Random(1))
    noise = [
        (mixed - 0.75 * prior) / 0.25
        for mixed, prior in zip(root_priors(search), before, strict=True)
    ]
    assert min(noise) >= -1e-9
    assert sum(noise) == pytest.approx(1)
    assert max(noise) > 1.5 / len(noise)


def unlink_best_edge(search: Search) -> int:
    """Remove the edge with the highest prior from the list of the root's edges."""
    tree, edges = search.tree, list(search.root_edges())
    best = max(edges, key=lambda edge: tree.edge_values[edge, PRIOR])
    edges.remove(best)
    tree.nodes[tree.counters[0, ROOT], FIRST_EDGE] = edges[0]
    for edge, following in zip(edges, [*edges[1:], NONE], strict=True):
        tree.edges[edge, NEXT_EDGE] = following
    return best


@pytest.mark.parametrize("with_network", [False, True])
def test_edges_that_the_search_adds_late_count(with_network: bool) -> None:
    """All visits of the root are visits of noted edges, and each brings a value of sum 1."""
    search, rng = opening_search(with_network), new_rng(2).repeat(CACHE_LINE_PAD)
    root = RootStatistics(search)
    root.note_new_edges()
    late = unlink_best_edge(search)  # as if the first cards that were drawn had made it look bad
    del root._first_values[late]
    decision = int(search.tree.edges[late, DECISION])
    for end in (*ROOT_EXPANSIONS[1:4], 100):
        search.run([rng], end - search.iterations)
        root.note_new_edges()
    assert root.decisions.tolist().count(decision) == 1
    visits = search.tree.edges[list(search.root_edges()), VISITS].sum()
    assert search.tree.edges[root._edges, VISITS].sum() == visits == 99
    assert root.shares()[root.decisions.tolist().index(decision)] > 0
    assert root.values().sum() == pytest.approx(1)


def test_the_root_gets_edges_only_when_they_are_noted() -> None:
    search, rng = opening_search(with_network=False), new_rng(2).repeat(CACHE_LINE_PAD)
    unlink_best_edge(search)
    for iteration in range(2, 80):
        before = len(list(search.root_edges()))
        search.run([rng], 1)
        has_new = len(list(search.root_edges())) > before
        assert has_new == (iteration in ROOT_EXPANSIONS)
        if has_new:
            unlink_best_edge(search)
