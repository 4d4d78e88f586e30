"""Fifty positions with a win in this turn, found by another search: the analysis finds all."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.bots.games import each_kind, play_game

import parure
from parure.analysis import analyse
from parure.games.record import replay
from parure.games.state import State

POSITIONS = 10  # of each of the five kinds of game
MAX_NODES = 3000


def wins_by_force(state: State, seat: int, turns: int, nodes: list[int]) -> bool:
    """Return whether a seat can win in this turn without the help of chance."""
    for text in sorted(state.legal_decisions, key=lambda text: not text.startswith("buy ")):
        if state.rules.chance_size(state.words, text):
            continue
        nodes[0] += 1
        if nodes[0] > MAX_NODES:
            return False
        after = state.copy()
        after.play(text)
        if after.outcome is not None:
            if after.outcome.winners == (seat,):
                return True
        elif (after.seat, after.turns) == (seat, turns) and wins_by_force(
            after, seat, turns, nodes
        ):
            return True
    return False


def winning_positions(game: str, seats: int) -> Iterator[State]:
    """Yield positions late in games in which the seat to move can win."""
    for seed in range(200):
        played = play_game(parure.new(game, players=seats, seed=seed), ["greedy"] * seats, seed)
        states = [state.copy() for state in replay(played.record())]
        for state in states[-16:]:
            is_choice = not state.is_over and len(state.legal_decisions) > 1
            if is_choice and wins_by_force(state, state.seat, state.turns, [0]):
                yield state


@pytest.mark.slow_without_jit
@each_kind
def test_the_analysis_finds_every_win_in_one_turn(game: str, seats: int) -> None:
    positions = winning_positions(game, seats)
    for _ in range(POSITIONS):
        state = next(positions)
        seat, turns = state.seat, state.turns
        while not state.is_over:
            assert (state.seat, state.turns) == (seat, turns), "the turn ended without the win"
            found = analyse(state, "20", seed=1)
            if len(state.legal_decisions) > 1:
                assert found.is_exact
                assert found.values[seat] == 1.0
                assert found.choices[0].reasons[0].decision == found.choices[0].decision
            state.play(found.choices[0].decision)
        assert state.outcome is not None
        assert state.outcome.winners == (seat,)
