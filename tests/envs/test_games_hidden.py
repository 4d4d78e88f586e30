"""Copies of games for a search: they hold what a seat knows, and the rest is drawn again."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from tests.envs.test_games import each_kind, slow, step_many_times
from tests.games.positions import Seat, duel

from parure.envs import Games
from parure.errors import NotationError
from parure.games.duel import layout


@slow
@each_kind
def test_copies_know_only_what_their_seat_knows(game: str, seats: int) -> None:
    games = Games(game, 4, players=seats, seed=5, autoreset="off")
    step_many_times(games, 30)
    copies = games.take(np.repeat(np.arange(4), 20))
    views: list[set[bytes]] = [set() for _ in range(4)]
    for i in range(len(copies)):
        seat = int(games.seats[i // 20])
        assert copies.view(i, seat) == games.view(i // 20, seat)
        views[i // 20].add(copies.rows[i].tobytes())
    assert [len(found) for found in views] == [20] * 4
    assert len(np.unique(copies.rngs)) == len(copies)
    assert not np.isin(copies.rngs, games.rngs).any()
    kept = np.repeat(games.masks, 20, axis=0)  # what is legal follows from what is known
    assert (copies.masks == kept).all()
    assert (copies.observations == np.repeat(games.observations, 20, axis=0)).all()


def test_chance_is_hidden_from_a_search() -> None:
    """Copies with the generators of the game would know what a replenish brings."""
    state = duel(Seat(), board="..... " * 5)
    games = Games("duel", 1, seed=3)
    games.set_state(0, state, seed=4)
    replenish = games.rules.decision("replenish")
    copies = games.take(np.zeros(30, np.int64))
    kept = games.take([0], hidden="kept")
    for batch in (copies, kept, games):
        batch.step(np.full(len(batch), replenish))
    boards = {row.tobytes() for row in copies.rows[:, layout.BOARD : layout.BOARD + 8]}
    assert len(boards) > 20
    assert (kept.rows == games.rows).all()


def test_redrawn_copies_are_reproducible() -> None:
    first, second = (Games("duel", 3, seed=8).take([0, 1, 2, 2]) for _ in range(2))
    assert (first.rows == second.rows).all()
    assert (first.rngs == second.rngs).all()
    games = Games("duel", 1, seed=8)
    assert (games.take([0]).rows != games.take([0]).rows).any()
    again = pickle.loads(pickle.dumps(games))
    assert (again.take([0]).rows == games.take([0]).rows).all()


@slow
@each_kind
def test_determinize_redraws_for_any_seat(game: str, seats: int) -> None:
    games = Games(game, 12, players=seats, seed=6, autoreset="off")
    step_many_times(games, 40)
    before = games.take(range(12), hidden="kept")
    viewers = (games.seats + 1) % seats
    games.determinize(viewers)
    for i in range(12):
        assert games.view(i, int(viewers[i])) == before.view(i, int(viewers[i]))
        if not games.is_over[i]:
            legal = games.rules.legal(games.rows[i])
            assert np.flatnonzero(games.masks[i]).tolist() == legal
    assert (games.rows != before.rows).any(axis=1).all()
    assert (games.observations == games.observe(games.seats)).all()
    step_many_times(games, 10)
    with pytest.raises((NotationError, TypeError), match="seat"):
        games.determinize(seats)
    with pytest.raises(NotationError, match="hidden"):
        games.take([0], hidden="seen")  # type: ignore[arg-type]


@slow
def test_copies_of_games_with_a_learner_know_what_the_learner_knows() -> None:
    games = Games("duel+counterfeiters", 4, seed=2, learner=1)
    step_many_times(games, 20)
    copies = games.take(range(4))
    for i in range(4):
        assert copies.view(i, 1) == games.view(i, 1)
    assert (copies.rows != games.rows).any(axis=1).all()
