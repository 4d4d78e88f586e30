"""Who can win in the next turn, as far as a viewer knows."""

from __future__ import annotations

from random import Random

import pytest
from tests.table.games import GAMES, eager_decision

import parure
from parure.games.state import State
from parure.table import threats
from parure.table.preview import preview_decisions
from parure.table.threats import seats_that_can_win


def positions(game: str, players: int, seeds: range = range(3)) -> list[State]:
    found = []
    for seed in seeds:
        state, rng = parure.new(game, players=players, seed=seed), Random(seed)
        while not state.is_over:
            found.append(state.copy())
            state.play(eager_decision(state, rng))
    return found


@pytest.mark.slow_without_jit
@pytest.mark.parametrize(("game", "players"), GAMES)
def test_a_purchase_that_wins_is_a_threat(game: str, players: int) -> None:
    number = 0
    for state in positions(game, players):
        view = state.view(state.seat)
        wins = [
            one.decision
            for one in preview_decisions(view)
            if one.wins and one.decision.startswith("buy ")
        ]
        if wins:
            number += 1
            assert state.seat in seats_that_can_win(view)
    assert number


@pytest.mark.slow_without_jit
@pytest.mark.parametrize(("game", "players"), GAMES)
def test_threats_do_not_depend_on_hidden_cards(game: str, players: int) -> None:
    rng = Random(3)
    number = 0
    for state in positions(game, players, range(2)):
        for viewer in (*range(players), None):
            view = state.view(viewer)
            other = parure.determinize(view, seed=rng.randrange(1000)).view(viewer)
            found = seats_that_can_win(view)
            assert found == seats_that_can_win(other)
            number += bool(found)
    assert number


@pytest.mark.slow_without_jit
@pytest.mark.parametrize(("game", "players"), GAMES)
def test_a_seat_that_is_far_from_every_goal_cannot_win(
    game: str, players: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is not tried because of `MIN_SHARE` would not have been found either."""
    states = [state for state in positions(game, players, range(2)) if state.phase == "turn"][::5]
    found = [seats_that_can_win(state.view(state.seat)) for state in states]
    monkeypatch.setattr(threats, "MIN_SHARE", 0)
    assert found == [seats_that_can_win(state.view(state.seat)) for state in states]


def test_nobody_can_win_at_the_start_or_after_the_end() -> None:
    state = parure.new("duel", seed=7)
    assert seats_that_can_win(state.view(0)) == []


@pytest.mark.slow_without_jit
def test_a_card_that_only_its_owner_knows_threatens_only_its_owner() -> None:
    """Reserved from a deck: the opponent does not know that it wins."""
    for seed in range(200):
        state, rng = parure.new("splendor", players=2, seed=seed), Random(seed)
        while not state.is_over:
            if state.phase == "turn" and state.players[state.seat].points >= 10:
                own, others = (
                    seats_that_can_win(state.view(viewer)) for viewer in (state.seat, None)
                )
                if state.seat in own and state.seat not in others:
                    return
            decks = [text for text in state.legal_decisions if text.startswith("reserve deck3")]
            state.play(decks[0] if decks and rng.random() < 0.2 else eager_decision(state, rng))
    raise AssertionError("there is no such position")
