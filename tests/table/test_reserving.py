"""Reserving as one act, gold included."""

from __future__ import annotations

from random import Random

import pytest
from tests.table.games import GAMES, eager_decision

import parure
from parure.games.state import State
from parure.table.preview import preview_decisions
from parure.table.reserving import ReserveOption, reserve_options


def options(state: State) -> list[ReserveOption]:
    view = state.view(state.seat)
    return reserve_options(view, preview_decisions(view))


@pytest.mark.slow_without_jit
@pytest.mark.parametrize(("game", "players"), GAMES)
def test_every_way_is_legal_and_reserves_the_card(game: str, players: int) -> None:
    state, rng = parure.new(game, players=players, seed=5), Random(5)
    tried = 0
    for _ in range(60):
        if state.is_over:
            break
        for option in options(state):
            for way in option.ways:
                after = state.copy()
                for decision in way:
                    after.play(decision)
                old, new = state.players[state.seat], after.players[state.seat]
                assert len(new.reserved) == len(old.reserved) + 1
                assert option.card.startswith("deck") or option.card in new.reserved
                gained = new.tokens.get("y", 0) - old.tokens.get("y", 0)
                assert gained == option.takes_gold
                assert (after.phase == "discard") == bool(option.over_limit)
                tried += 1
        state.play(eager_decision(state, rng))
    assert tried


def test_all_golds_of_the_board_are_ways_in_duel() -> None:
    state = parure.new("duel", seed=7)
    golds = {text for text in state.legal_decisions if text.startswith("gold ")}
    found = options(state)
    assert len(found) == 12 + 3  # the pyramid and its decks
    assert all({way[0] for way in option.ways} == golds for option in found)


def test_there_is_nothing_to_reserve_without_gold_or_for_others() -> None:
    duel = parure.new("duel", seed=7)
    assert reserve_options(duel.view(1), []) == []
    duel.play("take a1 b1 c1")
    duel.play(next(text for text in duel.legal_decisions if text.startswith("gold")))
    assert duel.phase == "reserve"
    assert options(duel) == []


def test_in_splendor_the_last_gold_is_soon_taken() -> None:
    state = parure.new("splendor", players=2, seed=1)
    for _ in range(5):
        assert all(option.takes_gold for option in options(state))
        state.play("reserve deck1")
    assert options(state)
    assert not any(option.takes_gold for option in options(state))
