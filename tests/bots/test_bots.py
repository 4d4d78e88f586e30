"""Greedy, the search and the levels: they know views only, and play well."""

from __future__ import annotations

import os
import subprocess
import sys
from random import Random
from time import perf_counter

import pytest
from tests.bots.games import KINDS, each_kind, play, some_way_in

import parure
from parure.bots import Answer, Bot, bot, match_loop
from parure.bots.greedy import GreedyBot
from parure.bots.levels import HIGHEST, LEVELS, SECONDS
from parure.bots.match_loop import prepare
from parure.bots.random_bot import RandomBot
from parure.errors import NotationError
from parure.games.registry import rules

THINKERS = ["greedy", "mcts:40", "level:1", "level:5"]


# --- specifications -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("mcts:0s", "leaves no time"),
        ("mcts:0", "leaves no time"),
        ("mcts:soon", "is no budget"),
        ("mcts:-1s", "is no budget"),
        ("mcts:1s:0", "is no number of threads"),
        ("mcts:1s:two", "is no number of threads"),
        ("level:0", "there is no level '0'"),
        ("level:9", "there is no level '9'"),
        ("level:", "there is no level ''"),
        ("level:²", "there is no level '²'"),
        ("greedy:2", "takes nothing after a colon"),
        ("clever", "no bot is called 'clever'"),
    ],
)
def test_a_wrong_specification_says_what_is_wrong(spec: str, message: str) -> None:
    with pytest.raises(NotationError, match=message):
        bot(spec)


# --- the view is all they know --------------------------------------------------------------------


@each_kind
@pytest.mark.parametrize("spec", THINKERS)
def test_hidden_cards_make_no_difference(game: str, seats: int, spec: str) -> None:
    """Two true states behind the same view: the same choice for the same seed."""
    for seed in range(3):
        state = some_way_in(game, seats, seed)
        view = state.view(state.seat)
        one, other = parure.determinize(view, seed=1), parure.determinize(view, seed=2)
        assert one != other
        answers = [bot(spec).decide(state.view(view.seat), Random(5)) for state in (one, other)]
        assert answers[0] == answers[1]


@each_kind
def test_the_view_is_left_as_it_was(game: str, seats: int) -> None:
    state = some_way_in(game, seats, 1)
    view, same = state.view(state.seat), state.view(state.seat)
    for spec in THINKERS:
        bot(spec).decide(view, Random(1))
    assert view == same


# --- what is decided ------------------------------------------------------------------------------


@each_kind
def test_whole_games_between_thinkers(game: str, seats: int) -> None:
    specs = ["mcts:25", "greedy", "level:2", "level:5"][:seats]
    for seed in range(2):
        assert play(parure.new(game, players=seats, seed=seed), specs, seed).outcome is not None


@each_kind
def test_greedy_beats_random(game: str, seats: int) -> None:
    won = 0
    for number in range(10):
        specs = ["random"] * seats
        specs[number % seats] = "greedy"
        outcome = play(parure.new(game, players=seats, seed=number), specs, number).outcome
        assert outcome is not None
        won += number % seats in outcome.winners
    assert won >= 9


@pytest.mark.parametrize("game", ["duel", "duel+counterfeiters", "splendor"])
def test_a_search_beats_greedy(game: str) -> None:
    won = 0.0
    for number in range(20):
        specs = ["greedy", "greedy"]
        specs[number % 2] = "mcts:250"
        outcome = play(parure.new(game, seed=number // 2), specs, number).outcome
        assert outcome is not None
        won += number % 2 in outcome.winners
    assert won >= 12


def test_candidates_are_all_legal_and_the_best_comes_first() -> None:
    state = some_way_in("duel", 2, 4)
    view = state.view(state.seat)
    for spec in ("greedy", "mcts:200"):
        answer = bot(spec).decide(view, Random(1))
        assert answer.candidates[0].decision == answer.decision
        assert {candidate.decision for candidate in answer.candidates} <= set(view.legal_decisions)
        assert all(0 <= candidate.value <= 1 for candidate in answer.candidates)


def test_a_victory_at_hand_is_taken() -> None:
    """Whoever can win at once does: in games played to their end by greedy, one decision back."""
    for game, seats in KINDS[:3]:
        state = play(parure.new(game, players=seats, seed=8), ["greedy"] * seats)
        assert state.outcome is not None
        if state.outcome.winners != (state.movers[-1],):
            continue
        state.undo()
        while len(state.legal_decisions) == 1:
            state.undo()
        before = state.turns
        answer = bot("mcts:300").decide(state.view(state.seat), Random(1))
        assert answer.candidates[0].value > 0.95
        seat = state.seat
        while not state.is_over and state.turns == before:
            state.play(bot("mcts:300").decide(state.view(seat), Random(1)).decision)
        assert state.outcome is not None
        assert seat in state.outcome.winners


# --- levels ---------------------------------------------------------------------------------------


@each_kind
def test_every_level_answers_in_its_time(game: str, seats: int) -> None:
    state = some_way_in(game, seats, 2)
    for number in range(1, HIGHEST + 1):
        player = bot(f"level:{number}")
        player.decide(state.view(state.seat), Random(1))  # compiles
        start = perf_counter()
        player.decide(state.view(state.seat), Random(2))
        assert perf_counter() - start < SECONDS[number - 1]


@each_kind
def test_the_lowest_level_overlooks_the_best_as_often_as_it_should(game: str, seats: int) -> None:
    """It passes over the best decision, unless it notices none at all."""
    share = LEVELS[rules(game, seats).label][0].overlooks
    passed_over, expected, tries = 0, 0.0, 400
    for seed in range(4):
        state = some_way_in(game, seats, seed)
        view, number = state.view(state.seat), len(state.legal_decisions)
        for again in range(tries // 4):
            answer = bot("level:1").decide(view, Random(again))
            best = answer.candidates[0].decision
            assert {candidate.decision for candidate in answer.candidates} == set(
                view.legal_decisions
            )
            passed_over += answer.decision != best
            expected += share - share**number
    assert passed_over == pytest.approx(expected, abs=4 * (tries * share * (1 - share)) ** 0.5)


@each_kind
def test_levels_search_more_and_overlook_less(game: str, seats: int) -> None:
    levels = LEVELS[rules(game, seats).label]
    assert len(levels) == HIGHEST
    strengths = [(-level.overlooks, level.iterations) for level in levels]
    assert strengths == sorted(set(strengths))


# --- the compiler ---------------------------------------------------------------------------------


def test_without_the_compiler_the_same_is_decided() -> None:
    program = (
        "from random import Random\nimport parure\nfrom parure.bots import bot\n"
        "for game in ('duel+counterfeiters', 'splendor'):\n"
        "    view = parure.new(game, seed=5).view(0)\n"
        "    print(bot('greedy').decide(view, Random(1)).decision)\n"
        "    print(bot('mcts:30').decide(view, Random(1)))\n"
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


def test_what_is_slow_at_first_can_be_done_before(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def choose(self: Bot, *_: object) -> Answer:
        asked.append(type(self).__name__)
        return Answer("pass")

    for kind in (GreedyBot, RandomBot):
        monkeypatch.setattr(kind, "choose", choose)
    monkeypatch.setattr(match_loop, "_prepared", set())
    for _ in range(2):
        prepare("greedy", rules("splendor"))
        prepare("random", rules("splendor"))
    assert asked == ["GreedyBot"], "once, and only what is compiled"
