"""What holds for all built-in bots: they see views only, and the stronger ones win."""

from __future__ import annotations

import os
import subprocess
import sys
from random import Random

import pytest
from tests.bots.games import KINDS, each_kind, midgame, play_game

import parure
from parure.bots import bot

EVALUATING_BOTS = ["greedy", "mcts:40", "level:1", "level:5"]


# --- hidden information ---------------------------------------------------------------------------


@each_kind
@pytest.mark.parametrize("spec", EVALUATING_BOTS)
def test_hidden_cards_make_no_difference(game: str, seats: int, spec: str) -> None:
    """Two states behind the same view: the same answer for the same seed."""
    for seed in range(3):
        state = midgame(game, seats, seed)
        view = state.view(state.seat)
        one, other = parure.determinize(view, seed=1), parure.determinize(view, seed=2)
        assert one != other
        answers = [bot(spec).decide(state.view(view.seat), Random(5)) for state in (one, other)]
        assert answers[0] == answers[1]


@each_kind
def test_the_view_is_not_changed(game: str, seats: int) -> None:
    state = midgame(game, seats, 1)
    view, same = state.view(state.seat), state.view(state.seat)
    for spec in EVALUATING_BOTS:
        bot(spec).decide(view, Random(1))
    assert view == same


# --- playing strength -----------------------------------------------------------------------------


@each_kind
def test_whole_games(game: str, seats: int) -> None:
    specs = ["mcts:25", "greedy", "level:2", "level:5"][:seats]
    for seed in range(2):
        state = play_game(parure.new(game, players=seats, seed=seed), specs, seed)
        assert state.outcome is not None


@each_kind
def test_greedy_beats_random(game: str, seats: int) -> None:
    wins = 0
    for number in range(10):
        specs = ["random"] * seats
        specs[number % seats] = "greedy"
        outcome = play_game(parure.new(game, players=seats, seed=number), specs, number).outcome
        assert outcome is not None
        wins += number % seats in outcome.winners
    assert wins >= 9


@pytest.mark.parametrize("game", ["duel", "duel+counterfeiters", "splendor"])
def test_a_search_beats_greedy(game: str) -> None:
    wins = 0
    for number in range(20):
        specs = ["greedy", "greedy"]
        specs[number % 2] = "mcts:250"
        outcome = play_game(parure.new(game, seed=number // 2), specs, number).outcome
        assert outcome is not None
        wins += number % 2 in outcome.winners
    assert wins >= 12


def test_an_immediate_victory_is_played() -> None:
    """In games played to their end by greedy, one decision before the end."""
    for game, seats in KINDS[:3]:
        state = play_game(parure.new(game, players=seats, seed=8), ["greedy"] * seats)
        assert state.outcome is not None
        if state.outcome.winners != (state.movers[-1],):
            continue
        state.undo()
        while len(state.legal_decisions) == 1:
            state.undo()
        turns = state.turns
        answer = bot("mcts:300").decide(state.view(state.seat), Random(1))
        assert answer.candidates[0].value > 0.95
        seat = state.seat
        while not state.is_over and state.turns == turns:
            state.play(bot("mcts:300").decide(state.view(seat), Random(1)).decision)
        assert state.outcome is not None
        assert seat in state.outcome.winners


def test_candidates_are_legal_and_the_best_comes_first() -> None:
    state = midgame("duel", 2, 4)
    view = state.view(state.seat)
    for spec in ("greedy", "mcts:200"):
        answer = bot(spec).decide(view, Random(1))
        assert answer.candidates[0].decision == answer.decision
        assert {candidate.decision for candidate in answer.candidates} <= set(view.legal_decisions)
        assert all(0 <= candidate.value <= 1 for candidate in answer.candidates)


# --- compilation ----------------------------------------------------------------------------------


def test_decisions_are_the_same_without_the_compiler() -> None:
    program = (
        "from random import Random\nimport parure\nfrom parure.bots import bot\n"
        "for game in ('duel+counterfeiters', 'splendor'):\n"
        "    view = parure.new(game, seed=5).view(0)\n"
        "    print(bot('greedy').decide(view, Random(1)).decision)\n"
        "    print(bot('mcts-linear:30').decide(view, Random(1)))\n"
        "    answer = bot('mcts:30').decide(view, Random(1))\n"
        "    print(answer.decision, round(answer.candidates[0].value, 3))\n"
    )
    outputs = [
        subprocess.run(
            [sys.executable, "-c", program],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "NUMBA_DISABLE_JIT": flag},
        ).stdout
        for flag in ("0", "1")
    ]
    assert outputs[0] == outputs[1]


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("spec", ["greedy", "mcts:20", "mcts-linear:20", "level:3", "level:8"])
def test_a_bot_can_go_on_to_another_game(spec: str) -> None:
    """Its arrays are those of the game that it sees now."""
    player = bot(spec)
    for game, seats in [*KINDS, *reversed(KINDS)]:
        state = midgame(game, seats, seed=1)
        view = state.view(state.seat)
        assert player.decide(view, Random(1)).decision in view.legal_decisions
