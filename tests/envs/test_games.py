"""Batches of games: they follow the rules, and no argument makes them crash."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import parure
from parure.envs import Games, final_rewards
from parure.envs.kernels.batch_step import RUNNING, TERMINATED, TRUNCATED
from parure.errors import IllegalDecision, InvalidPosition, NotationError
from parure.games.engine.jit import JIT
from parure.games.playouts import generators
from parure.games.registry import rules
from parure.games.rules import MENU_WORDS

KINDS = [("duel", 2), ("duel+counterfeiters", 2), ("splendor", 2), ("splendor", 3), ("splendor", 4)]
ARRAYS = ("rows", "masks", "observations", "rewards", "seats", "endings")

each_kind = pytest.mark.parametrize(("game", "seats"), KINDS)
slow = pytest.mark.slow_without_jit


def step_many_times(games: Games, steps: int) -> None:
    for _ in range(steps):
        games.step_randomly()


# --- stepping -------------------------------------------------------------------------------------


@slow
@each_kind
def test_step_does_what_a_state_does(game: str, seats: int) -> None:
    """Masks, seats to move, rows and results equal those of a state played alongside."""
    games = Games(game, 1, players=seats, seed=3, autoreset="off")
    state = parure.new(game, players=seats, seed=1)
    games.set_state(0, state, int(state.rng[0]))
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


@each_kind
def test_a_batch_steps_as_the_rules_do(game: str, seats: int) -> None:
    """Rows, generators, masks and random decisions equal those of games played one by one."""
    games = Games(game, 8, players=seats, seed=5)
    layout, menu = games.rules.layout, np.empty(MENU_WORDS, np.int64)
    rngs = generators(5, 0, 8)
    rows = [games.rules.deal(rng) for rng in rngs]
    for _ in range(1_000 if JIT else 40):
        assert (games.rows == np.array(rows)).all()
        assert (games.rngs == rngs).all()
        for row, mask in zip(rows, games.masks, strict=True):
            is_over = row[layout.PHASE] == layout.OVER
            assert np.flatnonzero(mask).tolist() == ([] if is_over else games.rules.legal(row))
        decisions = games.random_decisions()
        for i, row in enumerate(rows):
            if row[layout.PHASE] == layout.OVER:
                assert decisions[i] == 0
                rows[i] = games.rules.deal(rngs[i])
                continue
            chosen = games.rules.kernel.choose(row, games.rules.cards, rngs[i], menu)
            assert chosen == decisions[i]
            games.rules.apply(row, int(decisions[i]), rngs[i])
        games.step(decisions)


@slow
@each_kind
def test_a_game_does_not_depend_on_the_others(game: str, seats: int) -> None:
    many = Games(game, 5, players=seats, seed=9)
    one = many.take([3], hidden="kept")
    for _ in range(150):
        decisions = many.random_decisions()
        assert one.random_decisions()[0] == decisions[3]
        many.step(decisions)
        one.step(decisions[3:4])
        for name in ARRAYS:
            assert (getattr(many, name)[3] == getattr(one, name)[0]).all(), name


def test_the_arrays_are_never_replaced() -> None:
    games = Games("duel", 3)
    before = [getattr(games, name) for name in (*ARRAYS, "rngs")]
    rows, masks, rewards = games.step(games.random_decisions())
    assert rows is games.rows
    assert masks is games.masks
    assert rewards is games.rewards
    games.reset(7)
    after = [getattr(games, name) for name in (*ARRAYS, "rngs")]
    assert all(old is new for old, new in zip(before, after, strict=True))


@slow
def test_the_same_seed_gives_the_same_games() -> None:
    first, second, third = (Games("splendor", 4, seed=seed) for seed in (1, 1, 2))
    for games in (first, second, third):
        step_many_times(games, 60)
    assert (first.rows == second.rows).all()
    assert (first.rows != third.rows).any()


def test_copies_are_independent() -> None:
    games = Games("duel", 2, seed=1)
    copies = games.take([1, 1, 0], hidden="kept")
    before = games.rows.copy()
    assert (copies.rows == before[[1, 1, 0]]).all()
    step_many_times(copies, 10)
    assert (games.rows == before).all()
    assert len(games.take([])) == 0


@each_kind
def test_a_few_steps_with_and_without_a_learner(game: str, seats: int) -> None:
    """Fast enough without the compiler; one game starts again."""
    games = Games(game, 2, players=seats, seed=3)
    games.rows[1, games.rules.layout.PHASE] = games.rules.layout.OVER
    for learner in (-1, 0):
        games.learners[:] = learner
        step_many_times(games, 4)
        assert not games.is_over.any()
        for row, mask in zip(games.rows, games.masks, strict=True):
            assert np.flatnonzero(mask).tolist() == games.rules.legal(row)
    assert (games.seats == 0).all()


def test_a_single_game_steps_with_less_overhead() -> None:
    one, other = Games("duel", 1, seed=1), Games("duel", 1, seed=1)
    decision = int(np.flatnonzero(one.masks[0])[3])
    one.step_single(decision)
    other.step([decision])
    assert (one.rows == other.rows).all()
    with pytest.raises(NotationError, match="a batch of one game, not of 2"):
        Games("duel", 2).step_single(decision)


# --- the end of a game ----------------------------------------------------------------------------


def step_until_one_ends(games: Games) -> int:
    while (games.endings == RUNNING).all():
        games.step_randomly()
    return int(np.flatnonzero(games.endings)[0])


def test_autoreset_with_the_next_step() -> None:
    games = Games("duel", 8, seed=2, autoreset="next step")
    ended = step_until_one_ends(games)
    assert games.is_over[ended]
    assert games.rewards[ended].tolist() in ([1, -1], [-1, 1])
    assert not games.masks[ended].any()
    games.step_randomly()
    assert not games.is_over[ended]
    assert games.rows[ended, games.rules.layout.TURNS] == 0
    assert games.rewards[ended].tolist() == [0, 0]
    assert games.endings[ended] == RUNNING


def test_autoreset_within_the_same_step() -> None:
    games = Games("duel", 8, seed=2, autoreset="same step")
    ended = step_until_one_ends(games)
    assert not games.is_over.any()
    assert games.masks[ended].any()
    assert games.rewards[ended].tolist() in ([1, -1], [-1, 1])
    split = games.observation_layout.split
    assert split(games.final_observations[ended])["phase"][-1] == 1
    assert split(games.observations[ended])["phase"][0] == 1


def test_autoreset_off() -> None:
    games = Games("duel", 8, seed=2, autoreset="off")
    ended = step_until_one_ends(games)
    row = games.rows[ended].copy()
    games.step_randomly()
    assert (games.rows[ended] == row).all()
    assert games.rewards[ended].tolist() == [0, 0]
    which = games.is_over
    others = games.rows[~which].copy()
    games.reset(which=which)
    assert not games.is_over.any()
    assert (games.rows[~which] == others).all()


def test_copies_may_have_another_autoreset() -> None:
    games = Games("duel", 4, seed=2)
    copies = games.take(range(4), autoreset="off")
    ended = step_until_one_ends(copies)
    copies.step_randomly()
    assert copies.is_over[ended]


@pytest.mark.parametrize(
    ("seats", "winners", "rewards"),
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
    seats: int, winners: list[int], rewards: list[float]
) -> None:
    found = rules("splendor", seats)
    row = parure.new("splendor", players=seats, seed=1).words
    row[found.layout.WINNERS] = sum(1 << seat for seat in winners)
    assert final_rewards(found, row) == pytest.approx(rewards)
    assert final_rewards(found, row).sum() == pytest.approx(0, abs=1e-6)


def test_margins_are_divided_by_the_goal() -> None:
    found = rules("splendor", 3)
    layout = found.layout
    row = parure.new("splendor", players=3, seed=1).words
    for seat, points in enumerate((16, 10, 4)):
        row[layout.SEATS + seat * layout.SEAT_WORDS + layout.SCORE] = points
    assert final_rewards(found, row, "margin") == pytest.approx([9 / 15, 0, -9 / 15])
    games = Games("duel", 8, seed=2, rewards="margin")
    ended = step_until_one_ends(games)
    last = games.view(ended, None)
    own, other = (player.points for player in last.players)
    assert games.rewards[ended, 0] == pytest.approx((own - other) / 20)
    assert games.rewards_if_ended(ended) == pytest.approx(games.rewards[ended])


def test_games_can_be_pickled() -> None:
    games = Games("splendor", 3, players=3, seed=1)
    other = pickle.loads(pickle.dumps(games))
    for _ in range(20):
        decisions = games.random_decisions()
        assert (other.random_decisions() == decisions).all()
        games.step(decisions)
        other.step(decisions)
    assert (games.observations == other.observations).all()


def test_resetting_no_game_changes_nothing() -> None:
    games = Games("duel", 3, seed=1)
    before = games.rows.copy()
    games.reset(which=[False] * 3)
    assert (games.rows == before).all()


# --- a learner at one seat ------------------------------------------------------------------------


@slow
@each_kind
def test_other_seats_play_until_the_learner_is_to_move(game: str, seats: int) -> None:
    games = Games(game, 32, players=seats, seed=4, learner=1)
    assert games.has_learner
    for _ in range(80):
        is_running = ~games.is_over
        assert (games.seats[is_running] == 1).all()
        assert (games.observe(1) == games.observations).all()
        games.step_randomly()


@slow
def test_a_learner_at_any_seat_is_drawn_for_each_game() -> None:
    games = Games("splendor", 64, players=4, seed=4, learner="any")
    assert set(games.learners.tolist()) == {0, 1, 2, 3}
    assert (games.seats == games.learners).all()
    before = games.learners.copy()
    step_many_times(games, 300)
    assert (games.learners != before).any()


# --- wrong arguments ------------------------------------------------------------------------------


def test_an_illegal_decision_changes_no_game() -> None:
    games = Games("duel", 4, seed=1)
    decisions = games.random_decisions()
    decisions[2] = games.rules.decision("pass")
    before = games.rows.copy()
    with pytest.raises(IllegalDecision, match=r"'pass' is not legal: .*game 2.*mask is 1") as error:
        games.step(decisions)
    assert error.value.decision == "pass"
    assert (games.rows == before).all()
    with pytest.raises(IllegalDecision, match="'pass' is not legal"):
        games.take([0]).step_single(games.rules.decision("pass"))


@pytest.mark.parametrize(
    ("decisions", "message"),
    [
        ([0, 0, 0], r"each of 2 games"),
        ([[0], [0]], r"shape \(2,\), not \(2, 1\)"),
        (0, r"each of 2 games"),
        ("ab", r"each of 2 games"),
        ([0.0, 1.0], r"whole numbers, not float64"),
        ([True, False], r"whole numbers, not bool"),
        ([None, None], r"whole numbers, not object"),
        (["take a1", "take a1"], r"whole numbers, not <U7"),
        ([0, 5000], r"game 1: 5000 is no decision: they count from 0 to 388"),
        ([-1, 0], r"game 0: -1 is no decision"),
        (np.array([0, 2**64 - 1], np.uint64), r"game 1: 18446744073709551615 is no decision"),
    ],
)
def test_decisions_must_be_one_integer_for_each_game(decisions: Any, message: str) -> None:
    games = Games("duel", 2, seed=1)
    games.masks[:, 0] = 1
    with pytest.raises(NotationError, match=message):
        games.step(decisions)


@pytest.mark.parametrize("decision", [-1, 389, 1.5, None, "pass", np.int64(0)])
def test_a_single_decision_must_be_an_integer(decision: Any) -> None:
    with pytest.raises(
        (NotationError, TypeError), match=r"no decision|a decision is a whole number"
    ):
        Games("duel", 1).step_single(decision)


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16, np.int32, np.uint32, np.uint64])
def test_decisions_may_have_any_integer_type(dtype: Any) -> None:
    games, same = Games("splendor", 4, seed=1), Games("splendor", 4, seed=1)
    decisions = games.random_decisions()
    games.rngs[:] = same.rngs
    games.step(decisions.astype(dtype))
    same.step(decisions)
    assert (games.rows == same.rows).all()


def test_decisions_need_not_be_contiguous() -> None:
    games, same = Games("duel", 4, seed=1), Games("duel", 4, seed=1)
    decisions = same.random_decisions()
    games.rngs[:] = same.rngs
    spaced = np.zeros(8, np.int64)
    spaced[::2] = decisions
    games.step(spaced[::2])
    same.step(decisions)
    assert (games.rows == same.rows).all()
    assert (
        games.observe(np.array([0, 9, 1, 9, 0, 9, 1, 9])[::2]) == games.observe([0, 1, 0, 1])
    ).all()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"autoreset": "never"}, "autoreset must be one of 'off', 'next step', 'same step'"),
        ({"autoreset": ["off"]}, "autoreset must be one of"),
        ({"rewards": "points"}, "rewards must be one of 'result', 'margin', not 'points'"),
        ({"learner": 2}, "learner's seat is a number from 0 to 1"),
        ({"learner": -1}, "learner's seat is a number from 0 to 1"),
        ({"learner": True}, "learner's seat is a number from 0 to 1"),
        ({"players": 3}, "duel is for 2 players"),
        ({"options": {"fast": True}}, "no option 'fast'"),
        ({"num_games": 0}, "the number of games must be at least 1, not 0"),
        ({"num_games": -3}, "at least 1"),
        ({"num_games": 2.0}, "the number of games must be a whole number, not float"),
        ({"num_games": True}, "a whole number, not True"),
        ({"seed": -1}, "seed must not be negative"),
        ({"seed": 1.5}, "seed must be a whole number"),
        ({"game": "chess"}, "no game is called 'chess'"),
    ],
)
def test_constructor_refuses_wrong_arguments(options: Any, message: str) -> None:
    with pytest.raises((NotationError, TypeError), match=message):
        Games(**{"game": "duel", "num_games": 1, **options})


@pytest.mark.parametrize(
    ("seats", "message"),
    [
        (2, "seat must be from 0 to 1, not 2"),
        (-1, "seat must be from 0 to 1, not -1"),
        (0.0, "seat must be a whole number"),
        (None, "seat must be a whole number"),
        ([0, 1, 2], "seats must be from 0 to 1, not 2"),
        ([0, -5, 1], "seats must be from 0 to 1, not -5"),
        ([0, 1], r"seats must be one number, or an array of shape \(3,\)"),
        ([[0, 1, 0]], r"seats must be one number, or an array of shape \(3,\)"),
        ([0.0, 1.0, 0.0], "seats must be whole numbers, not a float64 array"),
    ],
)
def test_observe_refuses_wrong_seats(seats: Any, message: str) -> None:
    with pytest.raises((NotationError, TypeError), match=message):
        Games("duel", 3).observe(seats)


@pytest.mark.parametrize("which", [[True], [1, 0, 1], np.zeros(3), [[True] * 3], "yes", [0, 1]])
def test_reset_refuses_what_does_not_select_games(which: Any) -> None:
    with pytest.raises(NotationError, match="which must be 3 truth values"):
        Games("duel", 3).reset(which=which)


@pytest.mark.parametrize("seed", [-1, 1.5, "7"])
def test_reset_refuses_wrong_seeds(seed: Any) -> None:
    games = Games("duel", 3, seed=1)
    before = games.rngs.copy()
    with pytest.raises((NotationError, TypeError), match="seed must"):
        games.reset(seed)
    assert (games.rngs == before).all()


@pytest.mark.parametrize(
    ("indices", "message"),
    [
        ([3], "indices must be from 0 to 2, not 3"),
        ([0, -1], "indices must be from 0 to 2, not -1"),
        ([0.0], "indices must be whole numbers"),
        ([True, False, True], "indices must be whole numbers"),
        (1, "indices must be a list or a one-dimensional array"),
        ([[0, 1]], "indices must be a list or a one-dimensional array"),
        (["0"], "indices must be whole numbers"),
    ],
)
def test_select_refuses_wrong_indices(indices: Any, message: str) -> None:
    with pytest.raises((NotationError, TypeError), match=message):
        Games("duel", 3).take(indices)


@pytest.mark.parametrize("index", [3, -1, 1.0, None, "0", True])
def test_the_number_of_a_game_is_checked(index: Any) -> None:
    games, state = Games("duel", 3), parure.new("duel", seed=1)
    for call in (
        lambda: games.set_state(index, state, 1),
        lambda: games.view(index, 0),
        lambda: games.rewards_if_ended(index),
    ):
        with pytest.raises((NotationError, TypeError), match="the number of a game must be"):
            call()


def test_set_state_accepts_states_of_the_same_rules_only() -> None:
    games = Games("duel", 2, seed=1)
    before = games.rows.copy()
    state = parure.new("duel", seed=3)
    wrong: Any
    for wrong in (state.words, state.view(0), None):
        with pytest.raises(TypeError, match="a game is replaced by a State"):
            games.set_state(0, wrong, 1)
    for wrong in (
        parure.new("splendor"),
        parure.new("duel+counterfeiters"),
        parure.new("duel", options={"anti-blocking": True}),
    ):
        with pytest.raises(NotationError, match=r"cannot replace a game of duel$"):
            games.set_state(0, wrong, 1)
    for wrong in (-1, 1.5, None):
        with pytest.raises((NotationError, TypeError), match="seed must be"):
            games.set_state(0, state, wrong)
    while not state.is_over:
        state.play(state.legal_decisions[-1])
    with pytest.raises(InvalidPosition, match="the game of this state is over"):
        games.set_state(0, state, 1)
    assert (games.rows == before).all()


def test_view_refuses_wrong_seats() -> None:
    games = Games("duel", 1)
    assert games.view(0, None).viewer is None
    wrong: Any
    for wrong in (2, -1, 0.0):
        with pytest.raises((NotationError, TypeError), match="seat must be"):
            games.view(0, wrong)


def test_an_error_shows_no_hidden_card() -> None:
    """The message contains the position as the seat to move sees it."""
    state = parure.new("duel", seed=3)
    state.play(next(text for text in state.legal_decisions if text.startswith("gold")))
    state.play("reserve deck1")
    (hidden,) = state.players[0].reserved
    games = Games("duel", 1)
    games.set_state(0, state, 1)
    with pytest.raises(IllegalDecision) as error:
        games.step([games.rules.decision("pass")])
    assert hidden not in str(error.value)
    assert "??1" in str(error.value)
