"""A win in this turn that needs no luck is found."""

from __future__ import annotations

from random import Random

import pytest
from tests.bots.games import each_kind, play_game
from tests.games.positions import DUEL_COUNTERFEITERS, Seat, duel

import parure
from parure.bots.base import Budget
from parure.bots.mcts import MctsBot, Search, network_settings
from parure.bots.network.weights import (
    encode_parameters,
    network_evaluator,
    network_from,
    random_parameters,
)
from parure.games.engine.rng import new_rng
from parure.games.state import State


def untrained_search(state: State) -> Search:
    """Return a search at the view of the seat to move."""
    network = network_from(state.rules, random_parameters(state.rules))
    evaluator = network_evaluator(state.rules, network)
    return Search(state.view(state.seat), network_settings(state.rules), evaluator)


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
@pytest.mark.parametrize("game", ["duel", "duel+counterfeiters"])
def test_wins_of_random_games_are_found(game: str) -> None:
    """They use privileges, royals and Counterfeiters in ways that no bot would think of.

    Each state of the last turn is tried, if chance had no part in what followed.
    """
    found = 0
    for seed in range(60):
        state = play_game(parure.new(game, seed=seed), ["random"] * 2, seed)
        first = before_the_last_turn(state.copy())
        while first is not None and len(state.decisions) > len(first.decisions):
            if " > " in state.decisions[-1] or state.decisions[-1].endswith("deck"):
                break
            state.undo()
            assert untrained_search(state).winning_decision(new_rng(seed)) is not None
            found += 1
    assert found > 80


@pytest.mark.slow_without_jit
@pytest.mark.parametrize(
    "text",
    [
        "splendor-2/seat:1/turns:499/D1:01,02,03,04/D2:01,02,03,04/D3:01,02,03,04/N:01,02,03"
        "/cards1:D1-08",
        "splendor-3/seat:1/turns:499/D1:01,02,03,04/D2:01,02,03,05/D3:01,02,03,04/N:01,02,03,04"
        "/cards1:D1-08",
    ],
)
def test_the_limit_of_turns_may_bring_a_win(text: str) -> None:
    view = parure.position(text)
    state = parure.new(position=view, seed=1)
    assert untrained_search(state).winning_decision(new_rng(1)) is not None


@pytest.mark.slow_without_jit
def test_a_royal_that_lowers_a_goal_may_win_with_a_card_of_another_color() -> None:
    """White has 9 points; the third crown brings R6."""
    state = duel(
        Seat(tokens="ggg", cards="J3-01 J3-02 J2-03"),
        face_up="J1-09",
        royals="R6 R1 R2 R3",
        game=DUEL_COUNTERFEITERS,
    )
    assert untrained_search(state).winning_decision(new_rng(1)) == "buy J1-09"


@pytest.mark.slow_without_jit
def test_a_bribe_that_cannot_win_does_not_hide_another_win() -> None:
    """C09 could follow every action, which would be too many positions."""
    state = duel(
        Seat(
            tokens="rrwww",
            cards="J3-01 J3-02",
            bonuses="rrrr",
            privileges=2,
            counterfeiters="C09",
        ),
        board="rrkkk uuu.. wgggg vvvkp .....",
        face_up="J3-12",
        game=DUEL_COUNTERFEITERS,
    )
    assert untrained_search(state).winning_decision(new_rng(1)) in ("privilege a1", "privilege b1")


@pytest.mark.slow_without_jit
def test_a_win_with_two_privileges_is_found_among_many_discards() -> None:
    me = Seat(tokens="rrpwwwwuug", points=17, privileges=2)
    state = duel(me, board="rrkkk uugyg gk... y.... .....", face_up="J1-30")
    search = untrained_search(state)
    decision = search.winning_decision(new_rng(1))
    cells = {"privilege a1", "privilege b1"}
    assert decision in cells
    state.play(decision)
    assert untrained_search(state).winning_decision(new_rng(1)) in cells - {decision}


@pytest.mark.slow_without_jit
def test_the_shortest_win_is_played() -> None:
    """Nothing that could also come before the purchase, such as a replenish."""
    state = duel(
        Seat(tokens="rrrrp", points=17, privileges=1),
        board="w.... u.... g.... ..... .....",
        face_up="J1-30",
    )
    assert "replenish" in state.legal_decisions
    for seed in range(5):
        assert untrained_search(state).winning_decision(new_rng(seed)) == "buy J1-30"


@pytest.mark.slow_without_jit
def test_what_only_chance_can_win_is_not_certain() -> None:
    """R9 may bring C14 from the deck, or the only other card there."""
    others = " ".join(f"C{number:02}" for number in range(1, 13))
    state = duel(
        Seat(tokens="kkkk", bonuses="kkkk", crowns=5),
        Seat(counterfeiters=others),
        face_up="J3-11",
        royals="R9 R1 R2 R3",
        counterfeiters="C13 C15 C16",
        coming_counterfeiters="C14 C17",
        game=DUEL_COUNTERFEITERS,
    )
    search = untrained_search(state)
    assert all(search.winning_decision(new_rng(seed)) is None for seed in range(200))
    for decision in ("buy J3-11", "color k", "royal R9", "counterfeiter deck"):
        state.play(decision)
    assert state.outcome is not None
    assert state.outcome.winners == (0,)


@pytest.mark.slow_without_jit
@each_kind
def test_no_win_is_found_where_there_is_none(game: str, seats: int) -> None:
    state = parure.new(game, players=seats, seed=1)
    content = encode_parameters(state.rules.label, random_parameters(state.rules))
    answer = MctsBot(Budget(iterations=20), network=content).decide(state.view(0), Random(1))
    assert len(answer.candidates) > 1
