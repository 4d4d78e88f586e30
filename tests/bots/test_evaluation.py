"""The evaluation: features and their weights."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from tests.bots.games import each_kind
from tests.games.positions import DUEL_COUNTERFEITERS, EMPTY_SEAT, Seat, duel, splendor

import parure
from parure.bots.evaluation import features_of
from parure.bots.evaluator import WEIGHTS, evaluator_for, feature_names
from parure.games.state import State


@each_kind
def test_every_weight_belongs_to_a_feature(game: str, seats: int) -> None:
    rules = parure.rules(game, seats)
    table = json.loads(WEIGHTS.read_text(encoding="utf-8"))[rules.label]
    names = feature_names(rules)
    assert set(table) <= set(names)
    at_start, change = evaluator_for(rules).weights
    assert np.abs(at_start).max() < 10
    for name, (start, end) in table.items():
        assert at_start[names.index(name)] == pytest.approx(start)
        assert (at_start + change)[names.index(name)] == pytest.approx(end)
    assert table["points"][1] > 0


@each_kind
def test_weights_change_with_the_points_of_the_leader(game: str, seats: int) -> None:
    layout: Any = parure.rules(game, seats).layout

    def progress(points: int) -> float:
        state = parure.new(game, players=seats, seed=3)
        state.words[layout.SEATS + layout.SEAT_WORDS + layout.SCORE] = points
        return features_of(state, 0)[1]

    assert [progress(0), progress(layout.GOAL), progress(layout.GOAL + 4)] == [0, 1, 1]
    assert 0 < progress(1) < progress(2) < 1


def features_by_name(state: State, seat: int) -> dict[str, float]:
    """Return all features of a seat by name."""
    features, _ = features_of(state, seat)
    return dict(zip(feature_names(state.rules), features, strict=True))


@each_kind
def test_features_of_a_new_game(game: str, seats: int) -> None:
    state = parure.new(game, players=seats, seed=3)
    for seat in range(seats):
        features = features_by_name(state, seat)
        assert features["points"] == features["bonuses"] == features["gems"] == 0
        assert features["the turn"] == (seat == 0)
        assert features["the best card within reach"] > 0


def test_discounts_bring_cards_within_reach() -> None:
    """J1-01 costs two red and two black; C02 and C05 let one glassware pay for each pair."""

    def buyable(me: Seat) -> float:
        state = duel(me, face_up="J1-01", game=DUEL_COUNTERFEITERS)
        return features_by_name(state, 0)["cards that can be bought at once"]

    assert buyable(Seat("vv")) == buyable(Seat("vv", counterfeiters="C02")) == 0
    assert buyable(Seat("v", counterfeiters="C02 C05")) == 0
    assert buyable(Seat("vv", counterfeiters="C02 C05")) == buyable(Seat("rrkk")) == 1


def test_counterfeiters_are_features() -> None:
    features = features_by_name(
        duel(Seat(counterfeiters="C02 C05 C13"), game=DUEL_COUNTERFEITERS), 0
    )
    assert (features["C01 to C05"], features["C13"], features["C14"]) == (2, 1, 0)


RED, BLUE, BLACK = 8 * "r", 2 * "wwuuugg", 8 * "k"  # bonuses that pay for J3-12, J3-04, J3-11


@pytest.mark.parametrize(
    ("me", "reaches"),
    [
        (Seat(reserved="J3-04", bonuses=BLUE, points=15), False),
        (Seat(reserved="J3-04", bonuses=BLUE, points=16), True),
        (Seat(reserved="J3-04", points=16), False),  # it cannot be paid
        (Seat(reserved="J3-11", bonuses=BLACK, crowns=6), False),
        (Seat(reserved="J3-11", bonuses=BLACK, crowns=6, royals="R7"), True),
        (Seat(reserved="J3-11", bonuses=BLACK, crowns=7), True),
        (Seat(reserved="J3-04", bonuses=BLUE, cards="J3-03 J2-07"), False),
        (Seat(reserved="J3-04", bonuses=BLUE, cards="J3-03 J2-07", royals="R6"), True),
        (Seat(reserved="J3-04", bonuses=BLUE, cards="J3-03 J2-07 J1-10"), True),
        (Seat(reserved="J3-12", bonuses=RED, cards="J3-03 J2-07 J1-10"), False),
        (Seat(reserved="J3-12", bonuses=RED, cards="J3-03 J2-07 J2-08"), True),  # a joker
    ],
)
def test_a_purchase_that_reaches_a_goal_of_duel(me: Seat, reaches: bool) -> None:
    state = duel(me, game=DUEL_COUNTERFEITERS)
    assert features_by_name(state, 0)["a purchase that reaches the goal"] == reaches
    assert features_by_name(state, 0)["a purchase that reaches the goal now"] == reaches


@pytest.mark.parametrize(
    ("me", "reaches"),
    [
        (Seat(reserved="D3-07", bonuses="wwwwwww", points=10), False),
        (Seat(reserved="D3-07", bonuses="wwwwwww", points=11), True),
        (Seat(reserved="D3-07", tokens="wwwwww", points=11), False),
        (Seat(reserved="D3-07", bonuses="wwwwwwwuuu", points=8), True),  # the noble comes
        (Seat(reserved="D3-07", bonuses="wwwwwwwuuu", points=7), False),
        (Seat(reserved="D3-07", bonuses="wwwwwwwuu", points=8), False),
    ],
)
def test_a_purchase_that_reaches_the_goal_of_splendor(me: Seat, reaches: bool) -> None:
    state = splendor(EMPTY_SEAT, me, nobles="N01")
    assert features_by_name(state, 1)["a purchase that reaches the goal"] == reaches
    assert features_by_name(state, 1)["a purchase that reaches the goal now"] == 0


@pytest.mark.parametrize(("bonuses", "lacking"), [("", 7), ("wwww", 3), (9 * "w", 0)])
def test_bonuses_bring_cards_near(bonuses: str, lacking: int) -> None:
    """D3-07, four points and a bonus, costs seven white; tokens do not count."""
    with_it, without = (
        features_by_name(splendor(Seat("www", bonuses=bonuses, reserved=reserved)), 0)
        for reserved in ("D3-07", "")
    )
    for name, worth in ("cards", 4.9), ("points", 4):
        near = f"{name} that bonuses bring near"
        assert with_it[near] - without[near] == pytest.approx(worth * 0.8**lacking)


def test_points_in_two_colors() -> None:
    """Blue 3 + 2, white 4, black 3: the two colors with the most points count."""
    features = features_by_name(duel(Seat(cards="J3-02 J3-03 J2-07 J3-09")), 0)
    assert (features["points in one color"], features["points in a second color"]) == (5, 4)


@pytest.mark.parametrize("seat", [-1, 2, None])
def test_features_of_a_seat_that_does_not_exist(seat: Any) -> None:
    with pytest.raises(parure.NotationError, match="there is no seat"):
        features_of(parure.new("duel", seed=1), seat)
