"""A whole game to look at: the table after each decision, and the event that led there."""

from __future__ import annotations

from msgspec import Struct

from parure.games import record as records
from parure.games.position import Outcome
from parure.games.record import Record
from parure.games.registry import GameName, game_name
from parure.games.state import State
from parure.table.events import Event, event_between
from parure.table.views import AnyViewData, any_view_data, open_view


class ReplayStep(Struct):
    """The table after some decisions, with every reserved card named, and what led there."""

    table: AnyViewData
    line: Event | None  # null before the first decision


class Replay(Struct):
    """A whole game to look at."""

    game: GameName
    players: list[str]
    steps: list[ReplayStep]
    result: Outcome | None


def replay_of(record: Record) -> Replay:
    """Return a record as a replay; RecordError if its game is not legal."""
    steps: list[ReplayStep] = []
    before: State | None = None
    for state in records.replay(record):
        event = event_between(before, state, state.decisions[-1]) if before else None
        steps.append(ReplayStep(any_view_data(open_view(state)), event))
        before = state.copy()
    if state.outcome is not None:  # set after the last decision if by resignation or on time
        steps[-1].table = any_view_data(open_view(state))
    return Replay(game_name(record.game), record.players, steps, state.outcome)
