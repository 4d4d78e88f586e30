"""What the tests of the bots share: the kinds of game, and games that are played."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

import parure
from parure.bots import bot
from parure.games.state import State

KINDS = [
    ("duel", 2),
    ("duel+counterfeiters", 2),
    ("splendor", 2),
    ("splendor", 3),
    ("splendor", 4),
]

each_kind = pytest.mark.parametrize(("game", "seats"), KINDS)


def play(state: State, specs: Sequence[str], seed: int = 0) -> State:
    bots = [bot(spec) for spec in specs]
    chance = [Random(f"{seed} {seat}") for seat in range(state.seats)]
    while not state.is_over:
        legal, seat = state.legal_decisions, state.seat
        if len(legal) == 1:
            state.play(legal[0])
        else:
            state.play(bots[seat].decide(state.view(seat), chance[seat]).decision)
    return state


def some_way_in(game: str, seats: int, seed: int, decisions: int = 40) -> State:
    state = parure.new(game, players=seats, seed=seed)
    chance = Random(seed)
    while len(state.decisions) < decisions or len(state.legal_decisions) < 2:
        state.play(chance.choice(state.legal_decisions))
    return state
