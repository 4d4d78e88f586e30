"""Levels: they overlook less and search more from one to the next."""

from __future__ import annotations

from random import Random

import pytest
from tests.bots.games import each_kind, midgame

import parure
from parure.bots import bot
from parure.bots.levels import HIGHEST_LEVEL, LEVELS


@each_kind
def test_level_1_overlooks_the_best_decision_as_often_as_intended(game: str, seats: int) -> None:
    """It plays another decision, unless it notices none at all."""
    share = LEVELS[parure.rules(game, seats).label][0].overlooked_share
    overlooked, expected, tries = 0, 0.0, 400
    for seed in range(4):
        state = midgame(game, seats, seed)
        view, number = state.view(state.seat), len(state.legal_decisions)
        for rng_seed in range(tries // 4):
            answer = bot("level:1").decide(view, Random(rng_seed))
            best = answer.candidates[0].decision
            assert {candidate.decision for candidate in answer.candidates} == set(
                view.legal_decisions
            )
            overlooked += answer.decision != best
            expected += share - share**number
    assert overlooked == pytest.approx(expected, abs=4 * (tries * share * (1 - share)) ** 0.5)


@each_kind
def test_levels_are_in_order(game: str, seats: int) -> None:
    levels = LEVELS[parure.rules(game, seats).label]
    assert len(levels) == HIGHEST_LEVEL
    strengths = [(-level.overlooked_share, level.has_network, level.iterations) for level in levels]
    assert strengths == sorted(set(strengths))
    assert [level.has_network for level in levels] == [False] * 5 + [True] * 3


@each_kind
@pytest.mark.parametrize("number", [4, 7])
def test_the_budget_of_a_level_is_its_own(game: str, seats: int, number: int) -> None:
    state = midgame(game, seats, 2)
    answer = bot(f"level:{number}").decide(state.view(state.seat), Random(1))
    assert answer.iterations == LEVELS[state.rules.label][number - 1].iterations


@pytest.mark.parametrize("number", ["0", "9", "", "²", "01", "x"])
def test_other_levels_are_refused(number: str) -> None:
    with pytest.raises(parure.NotationError, match=f"there is no level '{number}'"):
        bot(f"level:{number}")
