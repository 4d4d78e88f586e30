"""An event holds what everybody could see of a decision, and nothing else."""

from __future__ import annotations

from random import Random

import msgspec
import pytest
from tests.games.positions import DUEL_COUNTERFEITERS, Seat, duel, play
from tests.table.games import GAMES, eager_decision

import parure
from parure.table.events import Arrival, Event, event_between, event_for
from parure.table.turn_boundary import drawn


@pytest.mark.slow_without_jit
@pytest.mark.parametrize(("game", "players"), GAMES)
def test_an_event_does_not_name_a_card_that_was_drawn_unseen(game: str, players: int) -> None:
    state, rng = parure.new(game, players=players, seed=8), Random(8)
    while not state.is_over and len(state.decisions) < 100:
        before = state.copy()
        event = event_between(before, state, state.play(eager_decision(state, rng)))
        reserved = state.players[before.seat].reserved
        known_to_all = state.view(None).players[before.seat].reserved
        for i in drawn(before, state):
            if known_to_all[i].startswith("??"):
                assert reserved[i] not in repr(event_for(event, state.rules, None))


@pytest.mark.slow_without_jit
@pytest.mark.parametrize(("game", "players"), GAMES)
def test_the_events_add_up_to_the_game(game: str, players: int) -> None:
    state, rng = parure.new(game, players=players, seed=3), Random(3)
    points, tokens = [0] * players, [dict[str, int]() for _ in range(players)]
    while not state.is_over and len(state.decisions) < 100:
        before = state.copy()
        event = event_between(before, state, state.play(eager_decision(state, rng)))
        assert event.number == len(before.decisions)
        assert (event.seat, event.turn) == (before.seat, before.turns)
        for seat, change in event.points.items():
            points[seat] += change
        for seat, changes in event.tokens.items():
            for kind, change in changes.items():
                tokens[seat][kind] = tokens[seat].get(kind, 0) + change
        for arrival in event.arrivals:
            assert state.face_up_rows[arrival.level][arrival.slot] == arrival.card
    assert points == [player.points for player in state.players]
    for seat, held in enumerate(tokens):
        assert {kind: n for kind, n in held.items() if n} == state.players[seat].tokens


def test_an_event_is_the_same_after_json() -> None:
    state = parure.new("splendor", seed=7)
    before = state.copy()
    event = event_between(before, state, state.play(f"reserve {state.pyramid[0][0]}"))
    assert event.arrivals == (Arrival(1, 0, str(state.pyramid[0][0])),)
    assert msgspec.json.decode(msgspec.json.encode(event), type=Event) == event


def test_only_its_own_seat_learns_which_card_was_kept() -> None:
    state = duel(Seat(tokens="vvvvw", counterfeiters="C17"), game=DUEL_COUNTERFEITERS)
    play(state, next(text for text in state.legal_decisions if text.startswith("take")))
    play(state, "use C17", "deck 2")
    before = state.copy()
    card = state.legal_decisions[0].removeprefix("keep ")
    event = event_between(before, state, state.play(f"keep {card}"))
    assert event_for(event, state.rules, 0) == event
    for viewer in (1, None):
        seen = event_for(event, state.rules, viewer)
        assert (seen.decision, seen.card) == ("keep ??", "??")
        assert card not in repr(seen)
