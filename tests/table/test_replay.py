"""A replay shows the table after every decision of a record."""

from __future__ import annotations

from random import Random

import msgspec
import pytest
from tests.table.games import GAMES, eager_decision

import parure
from parure.errors import RecordError
from parure.table.replay import Replay, replay_of


@pytest.mark.parametrize(("game", "players"), GAMES)
def test_a_replay_has_a_step_for_every_decision(game: str, players: int) -> None:
    state, rng = parure.new(game, players=players, seed=2), Random(2)
    while not state.is_over and len(state.decisions) < 40:
        state.play(eager_decision(state, rng))
    if not state.is_over:
        state.end("resigned", [0])
    replay = replay_of(state.record())
    assert len(replay.steps) == len(state.decisions) + 1
    assert replay.steps[0].line is None
    lines = [step.line for step in replay.steps[1:] if step.line]
    assert [line.decision for line in lines] == state.decisions
    assert [line.number for line in lines] == list(range(len(state.decisions)))
    assert replay.result == replay.steps[-1].table.outcome == state.outcome
    assert msgspec.json.decode(msgspec.json.encode(replay), type=Replay) == replay


def test_an_illegal_record_has_no_replay() -> None:
    record = parure.new("splendor", seed=2).record()
    with pytest.raises(RecordError):
        replay_of(msgspec.structs.replace(record, decisions=["take wug", "buy D1-01"]))
