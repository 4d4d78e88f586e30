"""Playouts and successors of many games: wrong arguments raise before compiled code runs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import parure
from parure.errors import NotationError
from parure.games.engine.rng import new_rng
from parure.games.playouts import after_each, generators, play_out
from parure.games.registry import rules


def test_generators_of_a_series_do_not_depend_on_where_it_starts() -> None:
    assert generators(3, 0, 0).shape == (0, 1)
    assert (generators(3, 5, 4) == generators(np.int64(3), 0, 9)[5:]).all()  # type: ignore[arg-type]
    assert (generators(2**70, 0, 2) != generators(2**70 + 1, 0, 2)).all()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((-1, 0, 1), "seed must not be negative, but is -1"),
        ((0, -2, 1), "first must not be negative"),
        ((0, 0, -1), "number must not be negative"),
        ((1.5, 0, 1), "seed must be a whole number, not 1.5"),
        ((0, None, 1), "first must be a whole number"),
        ((0, 0, "3"), "number must be a whole number"),
    ],
)
def test_generators_need_whole_numbers(arguments: Any, message: str) -> None:
    with pytest.raises((NotationError, TypeError), match=message):
        generators(*arguments)


@pytest.mark.parametrize(
    "rngs",
    [
        np.zeros((3, 1), np.int64),
        np.zeros((3, 1), np.uint8),
        np.zeros((3, 1)),
        np.zeros(3, np.uint64),
        np.zeros((3, 2), np.uint64),
        np.zeros((3, 0), np.uint64),
        np.zeros((6, 1), np.uint64)[::2],
        [[1], [2]],
        None,
        7,
    ],
)
def test_play_out_needs_generators(rngs: Any) -> None:
    with pytest.raises(
        TypeError, match=r"rngs must be a (contiguous )?uint64 array of shape \(n, 1\)"
    ):
        play_out(rules("splendor"), rngs)


def test_play_out_of_no_games() -> None:
    assert play_out(rules("duel"), generators(1, 0, 0)).shape == (0, 4)


@pytest.mark.parametrize(
    ("game", "seats"), [("duel", 2), ("duel+counterfeiters", 2), ("splendor", 3)]
)
def test_after_each_returns_every_successor(game: str, seats: int) -> None:
    state = parure.new(game, players=seats, seed=5)
    before = state.words.copy()
    rows = after_each(state.rules, state.words, state.legal_decisions.ids, new_rng(1))
    assert (state.words == before).all()
    for decision, row in zip(state.legal_decisions.ids, rows, strict=True):
        successor = state.copy()
        successor.play(decision)
        assert (row == successor.words).all()
    assert after_each(state.rules, state.words, [], new_rng(1)).shape == (0, len(before))


def test_after_each_refuses_wrong_arguments() -> None:
    state = parure.new("duel", seed=5)
    legal = state.legal_decisions.ids
    wrong: Any
    for wrong in (state.row, state.words[:-1], state.words.astype(float), state.words[None], None):
        with pytest.raises(TypeError, match="a row of duel is an int64 array of shape"):
            after_each(state.rules, wrong, legal, new_rng(1))
    for wrong in (-1, 389, 10**12, state.rules.decision("pass"), 1.5, "pass", None):
        with pytest.raises(NotationError, match="is not the number of a legal decision"):
            after_each(state.rules, state.words, [*legal, wrong], new_rng(1))
    for wrong in (np.zeros(1, np.int64), np.zeros((1, 1), np.uint64), np.zeros(0, np.uint64), 1):
        with pytest.raises(TypeError, match=r"rng must be a (contiguous )?uint64 array of shape"):
            after_each(state.rules, state.words, legal, wrong)
