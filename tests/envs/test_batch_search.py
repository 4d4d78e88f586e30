"""The batch search: PUCT as described, honest about hidden cards, and no answer makes it crash."""

from __future__ import annotations

from math import ceil, sqrt
from typing import Any

import numpy as np
import pytest

import parure
from parure.envs import BatchSearch, Games, observation_layout
from parure.envs import batch_search as module
from parure.errors import NotationError
from parure.games.engine.jit import JIT
from parure.games.engine.rng import new_rng
from parure.games.registry import rules
from parure.games.rules import Rules

KINDS = [("duel", 2), ("duel+counterfeiters", 2), ("splendor", 2), ("splendor", 3), ("splendor", 4)]
each_kind = pytest.mark.parametrize(("game", "seats"), KINDS)
slow = pytest.mark.slow_without_jit


class Evaluation:
    """A network that knows nothing: values are equal, logits are constant numbers."""

    def __init__(self, seats: int, logits: np.ndarray | None = None) -> None:
        self.seats = seats
        self.logits = logits
        self.calls: list[tuple[np.ndarray, np.ndarray]] = []

    def __call__(self, observations: Any, masks: Any) -> tuple[np.ndarray, np.ndarray]:
        self.calls.append((observations.copy(), masks.copy()))
        logits = np.zeros(masks.shape[1]) if self.logits is None else self.logits
        return np.tile(logits, (len(masks), 1)), np.full((len(masks), self.seats), 1 / self.seats)


class PointsEvaluation(Evaluation):
    """Logits and values that depend on everything that is observed."""

    def __call__(self, observations: Any, masks: Any) -> tuple[np.ndarray, np.ndarray]:
        logits, values = super().__call__(observations, masks)
        weights = np.random.default_rng(1).random(observations.shape[1])
        worths = observations @ weights
        values[:, 0] += 0.3 * np.sin(worths) / self.seats
        return logits + np.sin(worths[:, np.newaxis] * np.arange(logits.shape[1])), values


def random_logits(found: Rules) -> np.ndarray:
    return np.random.default_rng(3).normal(size=len(found.decision_texts))


def games_after(game: str, seats: int, count: int, steps: int) -> Games:
    games = Games(game, count, players=seats, seed=11, autoreset="off")
    for _ in range(steps):
        games.step_randomly()
    return games


def puct_visits(
    logits: np.ndarray, legal: list[int], value: float, simulations: int, c_puct: float, fpu: float
) -> dict[int, int]:
    """The naive double: the visits of a root at which every simulation returns the same value."""
    priors = np.exp(logits[legal]) / np.exp(logits[legal]).sum()
    visits = [0] * len(legal)
    for _ in range(simulations):
        scores = [
            (value - fpu + value * n + c_puct * sqrt(1 + sum(visits)) * prior) / (n + 1)
            for n, prior in zip(visits, priors, strict=True)
        ]
        visits[int(np.argmax(scores))] += 1
    return dict(zip(legal, visits, strict=True))


# --- what it finds --------------------------------------------------------------------------------


@each_kind
def test_visits_are_those_of_puct(game: str, seats: int) -> None:
    simulations = 60 if JIT else 8
    games = games_after(game, seats, 3, 4)
    logits = random_logits(games.rules)
    evaluate = Evaluation(seats, logits)
    search = BatchSearch(
        games.rules, evaluate, simulations=simulations, c_puct=0.8, fpu_reduction=0.05
    )
    visits, values = search.run(games.rows)
    for i in range(len(games)):
        legal = np.flatnonzero(games.masks[i]).tolist()
        assert len(legal) > 1
        expected = puct_visits(logits, legal, 1 / seats, simulations, 0.8, 0.05)
        assert {decision: visits[i, decision] for decision in legal} == expected
    assert visits.dtype == np.int64
    assert (visits.sum(axis=1) == simulations).all()
    assert (visits[games.masks == 0] == 0).all()
    assert values == pytest.approx(1 / seats)


def positions_before_a_win(game: str, seats: int, number: int) -> list[parure.State]:
    """Positions in which one decision of several ends the game at once and wins it."""
    found: list[parure.State] = []
    seed = 0
    while len(found) < number:
        seed += 1
        state = parure.new(game, players=seats, seed=seed)
        choices = np.random.default_rng(seed)
        while not state.is_over:
            before, legal = state.copy(), state.legal_decisions.ids
            state.play(int(choices.choice(legal)))
        assert state.outcome is not None
        if state.outcome.winners == (before.seat,) and len(legal) > 1:
            found.append(before)
    return found


@slow
@each_kind
def test_it_finds_a_win(game: str, seats: int) -> None:
    states = positions_before_a_win(game, seats, 8)
    found = states[0].rules
    search = BatchSearch(found, Evaluation(seats), simulations=1500)
    visits, values = search.run(np.array([state.words for state in states]))
    for i, state in enumerate(states):
        seat = state.seat
        state.play(int(visits[i].argmax()))
        while not state.is_over and state.seat == seat:  # a purchase is paid for in several steps
            mine = search.run(state.words[np.newaxis])
            state.play(int(mine.visits[0].argmax()))
        assert state.outcome is not None
        assert state.outcome.winners == (seat,)
    assert (values[:, 0] > 1.5 / seats).all()


@slow
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_values_belong_to_the_seats_counted_from_the_mover(seats: int) -> None:
    """A network that always sees the last seat win: each column is where that seat is."""
    games = games_after("splendor", seats, 12, 20)
    seat_field = games.observation_layout.by_name["seat"]

    def evaluate(observations: Any, masks: Any) -> tuple[np.ndarray, np.ndarray]:
        own = observations[:, seat_field.start : seat_field.stop].argmax(axis=1)
        values = np.zeros((len(masks), seats))
        values[np.arange(len(masks)), (seats - 1 - own) % seats] = 1
        return np.zeros(masks.shape), values

    _, values = BatchSearch(games.rules, evaluate, simulations=20).run(games.rows)
    assert len(set(games.seats.tolist())) > 1
    assert (values.argmax(axis=1) == (seats - 1 - games.seats) % seats).all()
    assert values.max(axis=1) == pytest.approx(1)


@slow
@pytest.mark.parametrize("seats", [2, 3])
def test_each_seat_maximizes_its_own_value(seats: int) -> None:
    """With a network that counts points, a seat buys cards that have points if it can."""
    games = games_after("splendor", seats, 64, 30 * seats)
    layout, texts = games.observation_layout, games.rules.decision_texts
    names = ["own_points", "next_points", "third_points", "fourth_points"][:seats]

    def evaluate(observations: Any, masks: Any) -> tuple[np.ndarray, np.ndarray]:
        fields = layout.split(observations)
        points = np.concatenate([fields[name] for name in names], axis=1).astype(float)
        worths = np.exp(points)
        return np.zeros(masks.shape), worths / worths.sum(axis=1, keepdims=True)

    visits, _ = BatchSearch(games.rules, evaluate, simulations=300, c_puct=0.3).run(games.rows)
    points_of = {info.id: info.points for info in games.rules.card_infos}
    gains = np.array(
        [points_of[text.split()[1]] if text.startswith("buy") else 0 for text in texts]
    )
    greatest = (games.masks * gains).max(axis=1)
    chosen = gains[visits.argmax(axis=1)]
    assert (greatest > 2).sum() > 3
    assert (chosen[greatest > 2] > 2).all()


# --- hidden information ---------------------------------------------------------------------------


@slow
@each_kind
def test_the_search_does_not_see_hidden_cards(game: str, seats: int) -> None:
    """States that the seat to move cannot tell apart are searched in the same way."""
    games = games_after(game, seats, 16, 30)
    running = np.flatnonzero(~games.is_over)
    rows, others = games.rows[running].copy(), games.rows[running].copy()
    for row in others:  # hide and draw again what the seat to move does not know
        games.rules.kernel.hide(row, row[games.rules.layout.SEAT])
        games.rules.kernel.determinize(row, new_rng(99))
    assert (rows != others).any(axis=1).all()
    views = np.array([games.view(int(i), int(games.seats[i])).words for i in running])
    results, observed = [], []
    for positions in (rows, others, views):
        evaluate = PointsEvaluation(seats)
        search = BatchSearch(
            games.rules, evaluate, simulations=50, noise_share=0.25, leaves=2, seed=5
        )
        results.append(search.run(positions))
        observed.append(evaluate.calls)
    for result, calls in zip(results[1:], observed[1:], strict=True):
        assert (result.visits == results[0].visits).all()
        assert (result.values == results[0].values).all()
        for call, first in zip(calls, observed[0], strict=True):
            assert (call[0] == first[0]).all()
            assert (call[1] == first[1]).all()


@each_kind
def test_the_first_call_shows_what_the_seats_to_move_observe(game: str, seats: int) -> None:
    games = games_after(game, seats, 4, 10)
    before = games.rows.copy()
    evaluate = Evaluation(seats)
    BatchSearch(games.rules, evaluate, simulations=2).run(games.rows)
    observations, masks = evaluate.calls[0]
    assert (observations == games.observations).all()
    assert (masks == games.masks).all()
    assert (games.rows == before).all()


@slow
def test_simulations_draw_hidden_cards_again() -> None:
    """The card that replaces a reserved one differs from leaf to leaf."""
    games = Games("splendor", 1, seed=4)
    evaluate = Evaluation(2)
    BatchSearch(games.rules, evaluate, simulations=200, c_puct=5.0).run(games.rows)
    layout = observation_layout(games.rules)
    unseen = {
        tuple(np.flatnonzero(layout.split(observations)["unseen"][0]))
        for observations, _ in evaluate.calls
        if len(observations)
    }
    assert len(unseen) > 20


# --- options --------------------------------------------------------------------------------------


@slow
def test_the_same_seed_gives_the_same_searches() -> None:
    games = games_after("duel", 2, 6, 12)

    def searches(seed: int) -> list[np.ndarray]:
        evaluate = PointsEvaluation(2)
        search = BatchSearch(games.rules, evaluate, simulations=40, noise_share=0.5, seed=seed)
        return [search.run(games.rows).visits for _ in range(2)]

    first, again, other = searches(1), searches(1), searches(2)
    assert (first[0] == again[0]).all()
    assert (first[1] == again[1]).all()
    assert (first[0] != first[1]).any()
    assert (first[0] != other[0]).any()


@slow
def test_a_game_does_not_depend_on_what_was_searched_before() -> None:
    """A batch of another size leaves nothing behind in the trees."""
    games = games_after("duel+counterfeiters", 2, 6, 12)
    logits = random_logits(games.rules)
    search = BatchSearch(games.rules, Evaluation(2, logits), simulations=30)
    few = search.run(games.rows[:2]).visits
    many = search.run(games.rows).visits
    assert (many[:2] == few).all()  # constant evaluations: chance has no effect on the root
    assert (search.run(games.rows[:2]).visits == few).all()
    assert search.run(games.rows[:0]).visits.shape == (0, few.shape[1])


@slow
def test_noise_moves_visits_to_other_decisions() -> None:
    games = Games("splendor", 32, seed=6)
    logits = np.zeros(games.masks.shape[1])
    logits[games.rules.decision("reserve deck1")] = 20.0  # all but certain
    visited = []
    for share in (0.0, 0.5):
        search = BatchSearch(
            games.rules, Evaluation(2, logits), simulations=30, noise_share=share, c_puct=3.0
        )
        visited.append((search.run(games.rows).visits > 0).sum(axis=1))
    assert (visited[0] == 1).all()
    assert (visited[1] > 1).all()


@slow
@pytest.mark.parametrize("leaves", [1, 3, 8])
def test_several_leaves_make_fewer_calls(leaves: int) -> None:
    games = games_after("splendor", 3, 5, 10)
    evaluate = PointsEvaluation(3)
    search = BatchSearch(games.rules, evaluate, simulations=50, leaves=leaves)
    visits, values = search.run(games.rows)
    assert (visits.sum(axis=1) == 50).all()
    assert (visits[games.masks == 0] == 0).all()
    assert len(evaluate.calls) == 1 + ceil(50 / leaves)
    assert max(len(masks) for _, masks in evaluate.calls) == 5 * leaves
    assert values.shape == (5, 3)


@slow
@each_kind
def test_trees_grow_when_they_need_more_memory(
    game: str, seats: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = games_after(game, seats, 3, 8)

    def search() -> tuple[BatchSearch, Any]:
        made = BatchSearch(games.rules, PointsEvaluation(seats), simulations=150)
        return made, made.run(games.rows)

    monkeypatch.setattr(module, "EDGES_PER_NODE", 300)
    large, expected = search()
    monkeypatch.setattr(module, "EDGES_PER_NODE", 0)
    small, result = search()
    assert small._trees.edges.shape[1] > 256
    assert small._trees.edges.shape[1] < large._trees.edges.shape[1]
    assert (result.visits == expected.visits).all()
    assert (result.values == expected.values).all()


# --- the end of games -----------------------------------------------------------------------------


@slow
@each_kind
def test_games_that_are_over_have_no_visits(game: str, seats: int) -> None:
    games = Games(game, 4, players=seats, seed=2, autoreset="off")
    while not games.is_over.any():
        games.step_randomly()
    evaluate = Evaluation(seats)
    visits, values = BatchSearch(games.rules, evaluate, simulations=10).run(games.rows)
    assert (visits.sum(axis=1) == np.where(games.is_over, 0, 10)).all()
    assert len(evaluate.calls[0][0]) == (~games.is_over).sum()
    while not games.is_over.all():
        games.step_randomly()
    evaluate.calls.clear()
    visits, values = BatchSearch(games.rules, evaluate, simulations=10).run(games.rows)
    assert not visits.any()
    assert not evaluate.calls
    for i, row in enumerate(games.rows):
        state = games.rules.state_type(games.rules, row.copy(), new_rng(0))
        assert state.outcome is not None
        scores = np.roll(state.outcome.scores(seats), -state.seat)
        assert values[i] == pytest.approx(scores)


@slow
def test_a_single_legal_decision_is_not_searched() -> None:
    games = Games("splendor", 32, seed=3, autoreset="off")
    while not (games.masks.sum(axis=1) == 1).any():
        games.step_randomly()
    forced = games.masks.sum(axis=1) == 1
    evaluate = Evaluation(2)
    visits, values = BatchSearch(games.rules, evaluate, simulations=7).run(games.rows[forced])
    assert (visits == 7 * games.masks[forced]).all()
    assert len(evaluate.calls) == 1
    assert values == pytest.approx(0.5)


# --- what a network may return, and what not ------------------------------------------------------


def search_with(logits: Any, values: Any, seats: int = 2) -> Any:
    found = rules("splendor", seats)
    games = Games("splendor", 3, players=seats, seed=1)
    return BatchSearch(found, lambda _, __: (logits, values), simulations=1).run(games.rows)


DECISIONS = len(rules("splendor").decision_texts)
LOGITS, VALUES = np.zeros((3, DECISIONS), np.float32), np.full((3, 2), 0.5, np.float32)
ILLEGAL = LOGITS.copy()
ILLEGAL[:, rules("splendor").decision("pay")] = -np.inf


@pytest.mark.parametrize(
    ("logits", "values"),
    [(LOGITS, VALUES), (LOGITS.tolist(), [0.5, 0.0, 1.0]), (ILLEGAL, VALUES[:, 0]),
     (LOGITS.astype(np.float64), VALUES), (np.asfortranarray(LOGITS), VALUES[:, ::-1])],
)  # fmt: skip
def test_answers_that_are_accepted(logits: Any, values: Any) -> None:
    assert (search_with(logits, values).visits.sum(axis=1) == 1).all()


def test_torch_tensors_are_accepted() -> None:
    torch = pytest.importorskip("torch")
    assert search_with(torch.zeros(3, DECISIONS), torch.full((3,), 0.5)).visits.sum() == 3


@pytest.mark.parametrize(
    ("logits", "values", "words"),
    [
        (LOGITS[:, 1:], VALUES, r"logits of shape \(3, 2"),
        (LOGITS[:2], VALUES, "logits of shape"),
        (LOGITS, VALUES[:2], r"values of shape \(3, 2\) or \(3,\)"),
        (LOGITS, VALUES[:, :, np.newaxis], "values of shape"),
        (np.full_like(LOGITS, np.nan), VALUES, "not finite"),
        (np.full_like(LOGITS, -np.inf), VALUES, "not finite"),
        (LOGITS, VALUES * np.nan, "not from 0 to 1"),
        (LOGITS, VALUES * 3, "from 0 to 1: values are expected scores"),
        (LOGITS, -VALUES, "not from 0 to 1"),
    ],
)
def test_wrong_answers_are_explained(logits: Any, values: Any, words: str) -> None:
    with pytest.raises(NotationError, match=words):
        search_with(logits, values)


def test_more_than_two_seats_need_a_value_each() -> None:
    with pytest.raises(NotationError, match=r"values of shape \(3, 4\), the expected score"):
        search_with(LOGITS, VALUES[:, 0], seats=4)


@pytest.mark.parametrize(
    ("logits", "values", "words"),
    [(LOGITS.astype(np.int64), VALUES, "logits"), (LOGITS, VALUES.astype(np.int8), "values")],
)
def test_answers_are_real_numbers(logits: Any, values: Any, words: str) -> None:
    with pytest.raises(TypeError, match=f"the {words} of evaluate must be real numbers"):
        search_with(logits, values)


def test_an_answer_is_a_pair() -> None:
    games = Games("splendor", 1)
    search: Any = BatchSearch(games.rules, lambda _, masks: np.zeros(masks.shape))  # type: ignore[arg-type, return-value]
    with pytest.raises(TypeError, match=r"must return \(logits, values\)"):
        search.run(games.rows)


def test_a_search_can_be_used_after_an_error() -> None:
    games = Games("splendor", 2)
    answers = [(LOGITS, VALUES)]  # of three games

    def evaluate(_: Any, masks: Any) -> tuple[np.ndarray, np.ndarray]:
        return answers.pop() if answers else (np.zeros(masks.shape), VALUES[: len(masks)])

    search = BatchSearch(games.rules, evaluate, simulations=5)
    with pytest.raises(NotationError):
        search.run(games.rows)
    assert (search.run(games.rows).visits.sum(axis=1) == 5).all()


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"simulations": 0}, NotationError, "simulations must be at least 1"),
        ({"simulations": 2.5}, TypeError, "simulations must be a whole number"),
        ({"leaves": 0}, NotationError, "leaves must be at least 1"),
        ({"c_puct": -1.0}, NotationError, "c_puct must be at least 0"),
        ({"c_puct": float("nan")}, NotationError, "c_puct must be at least 0"),
        ({"c_puct": "1"}, TypeError, "c_puct must be a number"),
        ({"c_puct": True}, TypeError, "c_puct must be a number"),
        ({"noise_share": 1.5}, NotationError, "noise_share must be from 0 to 1"),
        ({"noise_total": 0.0}, NotationError, "noise_total must be at least"),
        ({"fpu_reduction": 2}, NotationError, "fpu_reduction must be from 0 to 1"),
        ({"seed": -1}, NotationError, "seed must be at least 0"),
        ({"rules": "splendor"}, TypeError, "rules must be the rules of a game, not str"),
        ({"evaluate": None}, TypeError, "evaluate must be a function"),
    ],
)
def test_wrong_options_are_explained(options: dict[str, Any], error: Any, words: str) -> None:
    arguments: dict[str, Any] = {"rules": rules("splendor"), "evaluate": Evaluation(2), **options}
    with pytest.raises(error, match=words):
        BatchSearch(**arguments)


def test_wrong_rows_are_explained() -> None:
    games = Games("splendor", 2)
    search = BatchSearch(games.rules, Evaluation(2))
    wrong: list[Any] = [games.rows.astype(np.int32), games.rows.tolist(), games]
    for rows in wrong:
        with pytest.raises(TypeError, match="the rows of splendor-2 must be an int64 array"):
            search.run(rows)
    for rows in (games.rows[0], games.rows[:, 1:], Games("duel", 2).rows):
        with pytest.raises(NotationError, match="must have the shape"):
            search.run(rows)


@pytest.mark.parametrize(
    ("kind", "other"),
    [(KINDS[2], KINDS[4]), (KINDS[4], KINDS[2]), (KINDS[0], KINDS[1]), (KINDS[1], KINDS[0])],
)
def test_rows_of_other_options_are_refused(kind: tuple[str, int], other: tuple[str, int]) -> None:
    """They have the same length, but compiled code would write past its arrays."""
    search = BatchSearch(rules(*kind), Evaluation(kind[1]))
    rows = Games(other[0], 2, players=other[1]).rows
    with pytest.raises(NotationError, match="the options differ"):
        search.run(rows)
