"""Many games at once: the same as one by one, and no decision taken that is not legal."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import parure
from parure.envs import Games
from parure.envs.games import kernels_of
from parure.envs.kernels.batch_step import MARGINS, RESULTS, RUNNING, TERMINATED, TRUNCATED
from parure.errors import IllegalDecision, NotationError
from parure.games.registry import rules

KINDS = [("duel", 2), ("duel+counterfeiters", 2), ("splendor", 2), ("splendor", 3)]
each_kind = pytest.mark.parametrize(("game", "seats"), KINDS)
slow = pytest.mark.slow_without_jit


def play_on(games: Games, steps: int) -> None:
    for _ in range(steps):
        games.step(games.random_decisions())


# --- stepping -------------------------------------------------------------------------------------


@slow
@each_kind
def test_a_step_is_what_the_rules_do(game: str, seats: int) -> None:
    """Masks, movers, rows and results are those of a state played alongside."""
    games = Games(game, 1, players=seats, seed=3, autoreset="off")
    state = parure.new(game, players=seats, seed=1)
    games.set_state(0, state.words, int(state.rng[0]))
    while not state.is_over:
        assert np.flatnonzero(games.masks[0]).tolist() == state.legal_decisions.ids
        assert games.seats[0] == state.seat
        games.rngs[0] = state.rng
        decision = int(games.random_decisions()[0])
        games.rngs[0] = state.rng
        rows, _, _ = games.step([decision])
        state.play(decision)
        assert (rows[0] == state.words).all()
    assert state.outcome is not None
    assert not games.masks.any()
    assert games.endings[0] == (TRUNCATED if state.outcome.reason == "limit" else TERMINATED)
    winners = state.outcome.winners
    assert (games.rewards[0] > 0).nonzero()[0].tolist() == (
        list(winners) if len(winners) < seats else []
    )


@slow
@each_kind
def test_a_game_goes_the_same_way_alone_and_among_others(game: str, seats: int) -> None:
    many = Games(game, 5, players=seats, seed=9)
    one = many.select([3])
    for _ in range(150):
        decisions = many.random_decisions()
        assert one.random_decisions()[0] == decisions[3]
        many.step(decisions)
        one.step(decisions[3:4])
        for name in ("rows", "masks", "observations", "rewards", "seats", "endings"):
            assert (getattr(many, name)[3] == getattr(one, name)[0]).all(), name


def test_the_arrays_stay_where_they_are() -> None:
    games = Games("duel", 3)
    names = ("rows", "masks", "observations", "rewards", "seats", "endings")
    before = [getattr(games, name) for name in names]
    rows, masks, rewards = games.step(games.random_decisions())
    assert rows is games.rows
    assert masks is games.masks
    assert rewards is games.rewards
    assert all(getattr(games, name) is old for name, old in zip(names, before, strict=True))


@slow
def test_the_same_seed_gives_the_same_games() -> None:
    first, second, third = (Games("splendor", 4, seed=seed) for seed in (1, 1, 2))
    for games in (first, second, third):
        play_on(games, 60)
    assert (first.rows == second.rows).all()
    assert (first.rows != third.rows).any()


def test_copies_go_their_own_ways() -> None:
    games = Games("duel", 2, seed=1)
    copies = games.select([1, 1, 0])
    before = games.rows.copy()
    assert (copies.rows == before[[1, 1, 0]]).all()
    play_on(copies, 10)
    assert (games.rows == before).all()


@each_kind
def test_a_few_steps_are_what_the_rules_do(game: str, seats: int) -> None:
    """Quick enough to be run without the compiler too, a game dealt anew included."""
    games = Games(game, 2, players=seats, seed=3)
    games.rows[1, games.rules.layout.PHASE] = games.rules.layout.OVER
    for learner in (-1, 0):
        games.learners[:] = learner
        for _ in range(4):
            games.step(games.random_decisions())
        assert not games.is_over.any()
        for row, mask in zip(games.rows, games.masks, strict=True):
            assert np.flatnonzero(mask).tolist() == games.rules.legal(row)
    assert (games.seats == 0).all()


# --- what happens at the end ----------------------------------------------------------------------


def until_one_ends(games: Games) -> int:
    while (games.endings == RUNNING).all():
        games.step(games.random_decisions())
    return int(np.flatnonzero(games.endings)[0])


def test_a_game_that_is_over_begins_anew_with_the_next_step() -> None:
    games = Games("duel", 8, seed=2, autoreset="next step")
    ended = until_one_ends(games)
    assert games.is_over[ended]
    assert games.rewards[ended].tolist() in ([1, -1], [-1, 1])
    assert not games.masks[ended].any()
    games.step(games.random_decisions())
    assert not games.is_over[ended]
    assert games.rows[ended, games.rules.layout.TURNS] == 0
    assert games.rewards[ended].tolist() == [0, 0]
    assert games.endings[ended] == RUNNING


def test_or_with_the_same_step() -> None:
    games = Games("duel", 8, seed=2, autoreset="same step")
    ended = until_one_ends(games)
    assert not games.is_over.any()
    assert games.masks[ended].any()
    assert games.rewards[ended].tolist() in ([1, -1], [-1, 1])
    last = games.observation_layout.split(games.final_observations[ended])
    assert last["phase"][-1] == 1
    assert games.observation_layout.split(games.observations[ended])["phase"][0] == 1


def test_or_stays_over() -> None:
    games = Games("duel", 8, seed=2, autoreset="off")
    ended = until_one_ends(games)
    row = games.rows[ended].copy()
    games.step(games.random_decisions())
    assert (games.rows[ended] == row).all()
    assert games.rewards[ended].tolist() == [0, 0]
    which = games.is_over
    others = games.rows[~which].copy()
    games.reset(which=which)
    assert not games.is_over.any()
    assert (games.rows[~which] == others).all()


@pytest.mark.parametrize(
    ("seats", "winners", "worth"),
    [
        (2, [0], [1, -1]),
        (2, [0, 1], [0, 0]),
        (3, [2], [-0.5, -0.5, 1]),
        (3, [0, 2], [0.25, -0.5, 0.25]),
        (4, [1], [-1 / 3, 1, -1 / 3, -1 / 3]),
        (4, [0, 1, 2, 3], [0, 0, 0, 0]),
    ],
)
def test_winners_share_what_the_others_lose(
    seats: int, winners: list[int], worth: list[float]
) -> None:
    by = rules("splendor", seats)
    row = parure.new("splendor", players=seats, seed=1).words
    row[by.layout.WINNERS] = sum(1 << seat for seat in winners)
    rewards = np.zeros(seats)
    kernels_of(by).reward(row, RESULTS, rewards)
    assert rewards == pytest.approx(worth)
    assert rewards.sum() == pytest.approx(0, abs=1e-6)


def test_margins_are_measured_by_the_goal() -> None:
    by = rules("splendor", 3)
    row = parure.new("splendor", players=3, seed=1).words
    for seat, points in enumerate((16, 10, 4)):
        row[by.layout.SEATS + seat * by.layout.SEAT_WORDS + by.layout.SCORE] = points
    rewards = np.zeros(3)
    kernels_of(by).reward(row, MARGINS, rewards)
    assert rewards == pytest.approx([9 / 15, 0, -9 / 15])
    games = Games("duel", 8, seed=2, rewards="margin")
    ended = until_one_ends(games)
    last = games.rules.state_type(games.rules, games.rows[ended], games.rngs[ended])
    own, other = (player.points for player in last.players)
    assert games.rewards[ended, 0] == pytest.approx((own - other) / 20)


def test_games_can_be_sent_to_another_process() -> None:
    games = Games("splendor", 3, players=3, seed=1)
    other = pickle.loads(pickle.dumps(games))
    for _ in range(20):
        decisions = games.random_decisions()
        assert (other.random_decisions() == decisions).all()
        games.step(decisions)
        other.step(decisions)
    assert (games.observations == other.observations).all()


def test_dealing_no_game_changes_nothing() -> None:
    games = Games("duel", 3, seed=1)
    before = games.rows.copy()
    games.reset(which=np.zeros(3, np.bool_))
    assert (games.rows == before).all()


# --- a learner at one seat ------------------------------------------------------------------------


@slow
@each_kind
def test_the_others_play_until_the_learner_is_to_move(game: str, seats: int) -> None:
    games = Games(game, 32, players=seats, seed=4, learner=1)
    for _ in range(80):
        on = ~games.is_over
        assert (games.seats[on] == 1).all()
        assert (games.observe(1) == games.observations).all()
        games.step(games.random_decisions())


@slow
def test_a_seat_is_drawn_for_each_game() -> None:
    games = Games("splendor", 64, players=4, seed=4, learner="any")
    assert set(games.learners.tolist()) == {0, 1, 2, 3}
    assert (games.seats == games.learners).all()
    before = games.learners.copy()
    play_on(games, 300)
    assert (games.learners != before).any()


# --- mistakes -------------------------------------------------------------------------------------


def test_an_illegal_decision_is_refused_before_anything_is_done() -> None:
    games = Games("duel", 4, seed=1)
    decisions = games.random_decisions()
    decisions[2] = games.rules.decision("pass")
    before = games.rows.copy()
    with pytest.raises(IllegalDecision, match=r"'pass' is not legal: .*game 2.*mask is 1") as told:
        games.step(decisions)
    assert told.value.decision == "pass"
    assert (games.rows == before).all()


@pytest.mark.parametrize(
    ("decisions", "words"),
    [
        ([0, 0, 0], r"each of 2 games"),
        ([0.0, 1.0], r"whole numbers, not float64"),
        ([0, 5000], r"game 1: 5000 is no decision: they count from 0 to 388"),
        ([-1, 0], r"game 0: -1 is no decision"),
    ],
)
def test_what_is_no_decision_is_told(decisions: Any, words: str) -> None:
    games = Games("duel", 2, seed=1)
    games.masks[:, 0] = 1
    with pytest.raises(NotationError, match=words):
        games.step(decisions)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"autoreset": "never"}, "autoreset must be one of 'off', 'next step', 'same step'"),
        ({"rewards": "points"}, "rewards must be one of 'result', 'margin', not 'points'"),
        ({"learner": 2}, "learner's seat is a number from 0 to 1"),
        ({"players": 3}, "duel is for 2 players"),
        ({"options": {"fast": True}}, "no option 'fast'"),
    ],
)
def test_unknown_options_are_told(options: Any, words: str) -> None:
    with pytest.raises(NotationError, match=words):
        Games("duel", 1, **options)


def test_an_error_tells_no_hidden_card() -> None:
    """The message shows the position as the seat to move sees it."""
    state = parure.new("duel", seed=3)
    state.play(next(text for text in state.legal_decisions if text.startswith("gold")))
    state.play("reserve deck1")
    (hidden,) = state.players[0].reserved
    games = Games("duel", 1)
    games.set_state(0, state.words, 1)
    with pytest.raises(IllegalDecision) as told:
        games.step([games.rules.decision("pass")])
    assert hidden not in str(told.value)
    assert "??1" in str(told.value)
