"""Positions in which something is to be seen, found by playing at random from fixed seeds."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any

from tests.server.clients import ApiClient

import parure
from parure.games import record as records
from parure.games.duel.view_schema import DuelViewData
from parure.games.state import State
from parure.games.view_schema import view_data
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


def blocking_position() -> State:
    """A position in which seat 0 holds all gold and pearls for the third turn, and is warned."""
    for seed in range(50):
        state = parure.new("duel", seed=seed, options={"anti-blocking": True})
        for _ in range(120):
            if state.is_over:
                break
            if state.phase == "turn" and state.seat == 0 and _is_warned(state):
                return state
            state.play(min(state.legal_decisions, key=lambda text: _blocking_rank(state, text)))
    raise AssertionError("there is no such position")


def _is_warned(state: State) -> bool:
    data = view_data(state.view(0))
    assert isinstance(data, DuelViewData)
    return data.players[0].is_warned


def _blocking_rank(state: Any, decision: str) -> tuple[int, int]:
    """Seat 0 collects gold and pearls and keeps them; seat 1 takes as little as possible."""
    verb, *words = decision.split()
    has_pearl = any(state.board.get(word) == "p" for word in words)
    if state.seat == 0 and (verb == "gold" or (verb in ("take", "privilege") and has_pearl)):
        return 0, -len(words)
    if verb == "discard":
        return (9 if words[0] in "py" else 1), 0
    if verb == "take":
        return (5 if has_pearl else 2), len(words)
    return (1 if verb == "reserve" else 8 if verb in ("buy", "gold") else 3), 0
