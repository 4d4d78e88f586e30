"""Self-play games and what is recorded of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.bots.games import each_kind

from parure.bots.network.weights import encode_parameters, network_layout, random_parameters
from parure.errors import ParureError
from parure.games.registry import rules
from parure.games.rules import Rules
from parure.train.config import SelfPlay
from parure.train.selfplay import SelfPlayTask, play_task
from parure.train.shards import Samples, read_shard, shard_files, write_shard

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


def test_a_shard_is_read_as_it_was_written(tmp_path: Path) -> None:
    samples = play(rules("splendor", 2), games=1)
    write_shard(tmp_path / "shards" / "a.npz", samples)
    found = read_shard(tmp_path / "shards" / "a.npz")
    for name, value in vars(samples).items():
        np.testing.assert_array_equal(getattr(found, name), value)
    assert shard_files([tmp_path / "shards"]) == [tmp_path / "shards" / "a.npz"]


def test_joined_shards_number_their_games_one_after_the_other() -> None:
    found = rules("splendor", 2)
    joined = Samples.join([play(found, games=2), play(found, games=1, seed="x")])
    assert set(joined.games.tolist()) == {0, 1, 2}
    assert joined.game_count == 3


def test_a_damaged_shard_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    write_shard(path, play(rules("splendor", 2), games=1))
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(ParureError, match="cannot be read as a shard"):
        read_shard(path)
    with pytest.raises(ParureError, match="there are no shards"):
        shard_files([tmp_path / "nowhere"][:0])
