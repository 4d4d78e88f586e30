"""Positions in which something is to be seen, found by playing at random from fixed seeds."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any

from tests.server.clients import ApiClient

import parure
from parure.games import record as records
from parure.games.state import State
from parure.table.preview import Payment, preview_decisions


def find(game: str, is_wanted: Callable[[Any], bool], players: int | None = None) -> State:
    """The first position of random games that is wanted."""
    for seed in range(300):
        rng, state = Random(seed), parure.new(game, seed=seed, players=players)
        while not state.is_over:
            if is_wanted(state):
                return state
            state.play(rng.choice(state.legal_decisions))
    raise AssertionError("there is no such position")


def late(game: str, share: float, players: int | None = None) -> State:
    """A position after a share of a random game."""
    rng, state = Random(1), parure.new(game, seed=1, players=players)
    while not state.is_over:
        state.play(rng.choice(state.legal_decisions))
    length, again = int(len(state.decisions) * share), parure.new(game, seed=1, players=players)
    for decision in state.decisions[:length]:
        again.play(decision)
    while again.phase != "turn":
        again.play(again.legal_decisions[0])
    return again


def payments(state: Any) -> dict[str, tuple[Payment, ...]]:
    """The ways to pay for each card that can be bought."""
    if state.phase != "turn":
        return {}
    return {
        outlook.decision: outlook.payments
        for outlook in preview_decisions(state.view(state.seat))
        if outlook.payments
    }


def resume(api: ApiClient, state: State, opponent: str | None = "random") -> dict[str, Any]:
    """A match that goes on from a position; the seat to move is a person's."""
    other: dict[str, str] = {"bot": opponent} if opponent else {"name": "Bob"}
    players = [{"name": "Ann"} if seat == state.seat else other for seat in range(state.seats)]
    record = json.loads(records.encode(state.record()))
    body = {"record": record, "players": players, "creator": state.seat, "shuffle": False}
    answer = api.http.post("/api/matches/import", json=body)
    assert answer.status_code == 201, answer.text
    created: dict[str, Any] = answer.json()
    return created
