"""Luck: zero on average, and nothing without chance."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from tests.bots.games import each_kind, midgame
from tests.games.hidden_information import hiding_game

import parure
from parure.analysis.luck import has_chance, luck_of, outcomes, unseen_places
from parure.analysis.tree import PositionSearch
from parure.games.state import State


def chance_decision(state: State, random: Random) -> str | None:
    """Return a decision in which chance has a part, if there is one."""
    for text in random.sample(list(state.legal_decisions), len(state.legal_decisions)):
        after = state.copy()
        after.play(text)
        if has_chance(state, after, text) and not after.is_over:
            return text
    return None


def position_with_chance(game: str, seats: int) -> tuple[State, str]:
    random = Random(2)
    state = midgame(game, seats, 2, decisions=30)
    while (decision := chance_decision(state, random)) is None:
        state.play(random.choice(state.legal_decisions))
    return state, decision


@pytest.mark.slow_without_jit
@each_kind
def test_luck_is_zero_on_average(game: str, seats: int) -> None:
    """Whatever chance brings: the mean over many outcomes is zero within its error."""
    state, decision = position_with_chance(game, seats)
    search = PositionSearch(state.view(state.seat))
    expected = (1 / seats,) * seats
    lucks = []
    for seed, row in enumerate(outcomes(state, decision, seed=99)):
        after = type(state)(state.rules, row, state.rng)
        luck = luck_of(state, after, decision, expected, search, seed)
        assert sum(luck.values) == pytest.approx(0, abs=1e-9)
        lucks.append(luck.values[0])
        if seed == 23:
            break
    error = np.std(lucks, ddof=1) / len(lucks) ** 0.5
    assert abs(np.mean(lucks)) <= 4 * error + 1e-9


@pytest.mark.slow_without_jit
def test_the_same_seed_gives_the_same_luck() -> None:
    state, decision = position_with_chance("splendor", 2)
    after = state.copy()
    after.play(decision)
    search = PositionSearch(state.view(state.seat))
    first = luck_of(state, after, decision, (0.5, 0.5), search, seed=3)
    assert first == luck_of(state, after, decision, (0.5, 0.5), search, seed=3)
    assert all(error > 0 for error in first.errors)


@pytest.mark.slow_without_jit
def test_no_luck_without_chance() -> None:
    state = parure.new("splendor", seed=7)
    after = state.copy()
    after.play("take wug")
    search = PositionSearch(state.view(0))
    assert luck_of(state, after, "take wug", (0.5, 0.5), search).values == (0.0, 0.0)


@each_kind
def test_other_outcomes_change_nothing_that_anybody_knows(game: str, seats: int) -> None:
    """After a decision without chance, every seat sees the same, whatever the decks are."""
    random = Random(1)
    for state in hiding_game(game, seats, seed=3, owns_c17=game == "duel+counterfeiters"):
        if state.is_over or random.random() < 0.7:
            continue
        decision = random.choice(list(state.legal_decisions))
        after = state.copy()
        after.play(decision)
        if has_chance(state, after, decision) or decision.startswith("deck "):
            continue
        for row in list(outcomes(state, decision))[::16]:
            other = type(state)(state.rules, row, state.rng)
            for seat in range(seats):
                assert other.view(seat) == after.view(seat), decision


@each_kind
def test_outcomes_only_move_cards_that_nobody_has_seen(game: str, seats: int) -> None:
    for state in hiding_game(game, seats, seed=4, owns_c17=game == "duel+counterfeiters"):
        moved = sum(len(places) for places in unseen_places(state))
        decks = slice(state.rules.layout.DECK_SIZES, None)
        sizes = state.words[decks][: state.rules.layout.DECKS].sum()
        assert moved == sizes - len(state.seen_in_decks)
