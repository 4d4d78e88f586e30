"""Snapshots of a match: everything that one viewer may know of it, and nothing else."""

from __future__ import annotations

from msgspec.structs import replace

from parure.games.view_schema import view_data
from parure.server.match import Match
from parure.server.messages import (
    ClockStatus,
    LogPage,
    LogTail,
    NextMatch,
    SeatStatus,
    Snapshot,
    Steps,
    TurnStatus,
)
from parure.table.events import Event, event_for
from parure.table.preview import DecisionPreview, preview_decisions
from parure.table.reserving import ReserveOption, reserve_options
from parure.table.threats import seats_that_can_win
from parure.table.unavailable import UnavailableAction, unavailable_actions
from parure.table.views import any_view_data, complete_turn_view, covered_cards

MAX_LINES = 200  # of the log in one message; a game has some 150
MAX_STEPS = 40  # in one message; the moves of three opponents are some ten


class SnapshotBuilder:
    """Builds the snapshots of a match at one moment, one for each viewer."""

    def __init__(self, match: Match, players: list[SeatStatus], now: int) -> None:
        self._match = match
        self._players = players
        self._clock = _clock(match, now)

    def build(
        self, viewer: int | None, next: NextMatch | None = None, log_start: int = 0
    ) -> Snapshot:
        """Return the snapshot for a viewer (None: a watcher), with the log from a line on.

        Of the log it has at most the last `MAX_LINES` lines.
        """
        match = self._match
        is_private = match.is_private_to(viewer)
        choices: list[DecisionPreview] = []
        unavailable: list[UnavailableAction] = []
        reserves: list[ReserveOption] = []
        if is_private and match.held is not None:
            before, after = match.held.before, match.held.after
            table = complete_turn_view(before, after)
            can_win = seats_that_can_win(after.view(viewer), covered_cards(before, after))
        else:
            view = (match.state if is_private else match.public_state).view(viewer)
            table = view_data(view, with_cards=False)
            if viewer is not None and match.occupants[viewer].bot is None:
                unavailable = unavailable_actions(view)
                choices = preview_decisions(view)
                reserves = reserve_options(view, choices)
            can_win = seats_that_can_win(view)
        return Snapshot(
            version=match.version_for(viewer),
            table=any_view_data(table),
            turn=_turn(match, viewer, is_private),
            choices=choices,
            unavailable=unavailable,
            reserves=reserves,
            can_win=can_win,
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
    for index in range(number - 1, -1, -1):
        event = match.events[index]
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
    start = max(start, end - MAX_LINES)
    events = match.events[start:end]
    if is_private and match.held is not None:
        # the refill is not visible before the turn is handed over
        events = [*events, replace(match.held.event, arrivals=(), ends_turn=False)]
    return LogTail(start, _lines(match, viewer, events))


def log_page(match: Match, viewer: int | None, before: int) -> LogPage:
    """Return the last `MAX_LINES` lines before a line of the log, without provisional ones."""
    end = min(before, match.fixed_count)
    start = max(0, end - MAX_LINES)
    return LogPage(start=start, lines=_lines(match, viewer, match.events[start:end]))


def steps_between(match: Match, viewer: int | None, start: int, end: int) -> Steps:
    """Return the tables around the last `MAX_STEPS` of some fixed lines, as a viewer saw them."""
    end = min(end, match.fixed_count)
    start = max(0, min(start, end), end - MAX_STEPS)
    tables = [
        any_view_data(view_data(state.view(viewer), with_cards=False))
        for state in match.fixed_states(start, end)
    ]
    return Steps(start=start, lines=_lines(match, viewer, match.events[start:end]), tables=tables)


def _lines(match: Match, viewer: int | None, events: list[Event]) -> list[Event]:
    return [event_for(event, match.state.rules, viewer) for event in events]
