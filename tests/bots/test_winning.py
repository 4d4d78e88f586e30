"""A win in this turn is always found."""

from __future__ import annotations

from random import Random

import pytest
from tests.bots.games import each_kind, play_game

import parure
from parure.bots.base import Budget
from parure.bots.mcts import MctsBot
from parure.bots.network.weights import encode_parameters, random_parameters
from parure.games.state import State


def before_the_last_turn(state: State) -> State | None:
    """Return a finished game at the start of its last turn, if its mover won in it."""
    assert state.outcome is not None
    seat = state.movers[-1]
    if state.outcome.winners != (seat,):
        return None
    state.undo()
    turn = state.turns
    while state.decisions:
        before = state.copy()
        state.undo()
        if (state.seat, state.turns) != (seat, turn):
            return before
    return None


@pytest.mark.slow_without_jit
@each_kind
def test_a_win_in_this_turn_is_played(game: str, seats: int) -> None:
    """An untrained network that searches a single iteration plays every decision of the win."""
    found = 0
    for seed in range(60):
        played = play_game(parure.new(game, players=seats, seed=seed), ["greedy"] * seats, seed)
        state = before_the_last_turn(played)
        if state is None:
            continue
        content = encode_parameters(state.rules.label, random_parameters(state.rules, seed))
        player, seat = MctsBot(Budget(iterations=1), network=content), state.seat
        turns = state.turns
        while not state.is_over:
            assert (state.seat, state.turns) == (seat, turns), "the turn ended without the win"
            answer = player.decide(state.view(seat), Random(seed))
            assert len(state.legal_decisions) == 1 or answer.candidates[0].value == 1.0
            state.play(answer.decision)
        assert state.outcome is not None
        assert state.outcome.winners == (seat,)
        found += 1
        if found == 8:
            return
    raise AssertionError("too few games ended with a win of the last mover")


@pytest.mark.slow_without_jit
@each_kind
def test_no_win_is_found_where_there_is_none(game: str, seats: int) -> None:
    state = parure.new(game, players=seats, seed=1)
    content = encode_parameters(state.rules.label, random_parameters(state.rules))
    answer = MctsBot(Budget(iterations=20), network=content).decide(state.view(0), Random(1))
    assert len(answer.candidates) > 1
