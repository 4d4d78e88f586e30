"""Snapshots of a match: everything that one viewer may know of it, and nothing else."""

from __future__ import annotations

from msgspec.structs import replace

from parure.games.view_schema import view_data
from parure.server.match import Match
from parure.server.messages import (
    ClockStatus,
    LogTail,
    NextMatch,
    SeatStatus,
    Snapshot,
    TurnStatus,
)
from parure.table.events import event_for
from parure.table.preview import DecisionPreview, preview_decisions
from parure.table.unavailable import UnavailableAction, unavailable_actions
from parure.table.views import any_view_data, complete_turn_view


class SnapshotBuilder:
    """Builds the snapshots of a match at one moment, one for each viewer."""

    def __init__(self, match: Match, players: list[SeatStatus], now: int) -> None:
        self._match = match
        self._players = players
        self._clock = _clock(match, now)

    def build(
        self, viewer: int | None, next: NextMatch | None = None, log_start: int = 0
    ) -> Snapshot:
        """Return the snapshot for a viewer (None: a watcher), with the log from a line on."""
        match = self._match
        is_private = match.is_private_to(viewer)
        choices: list[DecisionPreview] = []
        unavailable: list[UnavailableAction] = []
        if is_private and match.held is not None:
            table = complete_turn_view(match.held.before, match.held.after)
        else:
            view = (match.state if is_private else match.public_state).view(viewer)
            table = view_data(view, with_cards=False)
            if viewer is not None and match.occupants[viewer].bot is None:
                unavailable = unavailable_actions(view)
                choices = preview_decisions(view)
        return Snapshot(
            version=match.version_for(viewer),
            table=any_view_data(table),
            turn=_turn(match, viewer, is_private),
            choices=choices,
            unavailable=unavailable,
            players=self._players,
            clock=self._clock,
            next=next,
            log=_log(match, viewer, is_private, log_start),
        )


def _turn(match: Match, viewer: int | None, is_private: bool) -> TurnStatus:
    state = match.state if is_private else match.public_state
    is_complete = is_private and match.held is not None
    number = len(state.decisions)
    decisions: list[str] = []
    for event in reversed(match.events[:number]):
        if event.turn != state.turns or state.is_over:
            break
        decisions.insert(0, event_for(event, state.rules, viewer).decision)
    if is_complete and match.held is not None:
        decisions.append(match.held.text)
    return TurnStatus(
        is_yours=viewer is not None and viewer == match.mover,
        is_complete=is_complete,
        decisions=decisions,
        provisional=number - match.fixed_count + is_complete,
        can_undo=match.can_undo(viewer),
        can_take_back=match.take_back_to(viewer) is not None,
        can_hint=can_hint(match, viewer),
    )


def can_hint(match: Match, viewer: int | None) -> bool:
    """Return whether a seat may ask a bot for a hint: against bots only, in its own turn."""
    return match.person_seats == [viewer] and viewer == match.mover and match.held is None


def _clock(match: Match, now: int) -> ClockStatus | None:
    if match.setup.clock is None:
        return None
    running = match.mover if match.deadline() is not None else None
    return ClockStatus(match.clocks.remaining(running, now), running)


def _log(match: Match, viewer: int | None, is_private: bool, start: int) -> LogTail:
    end = len(match.events) if is_private else match.fixed_count
    events = match.events[start:end]
    if is_private and match.held is not None:
        # the refill is not visible before the turn is handed over
        events = [*events, replace(match.held.event, arrivals=(), ends_turn=False)]
    return LogTail(start, [event_for(event, match.state.rules, viewer) for event in events])
