"""Games and positions that the tests of the bots share."""

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


def play_game(state: State, specs: Sequence[str], seed: int = 0) -> State:
    """Let bots play a game to its end, and return it."""
    bots = [bot(spec) for spec in specs]
    rngs = [Random(f"{seed} {seat}") for seat in range(state.seats)]
    while not state.is_over:
        legal, seat = state.legal_decisions, state.seat
        if len(legal) == 1:
            state.play(legal[0])
        else:
            state.play(bots[seat].decide(state.view(seat), rngs[seat]).decision)
    return state


def midgame(game: str, seats: int, seed: int, decisions: int = 40) -> State:
    """Return a state with a choice, after some random decisions."""
    state = parure.new(game, players=seats, seed=seed)
    rng = Random(seed)
    while len(state.decisions) < decisions or len(state.legal_decisions) < 2:
        state.play(rng.choice(state.legal_decisions))
    return state
