"""What one viewer of a match is sent: everything they may know of it, and nothing else."""

from __future__ import annotations

from functools import cached_property

from msgspec.structs import replace

from parure.server.match import Match
from parure.server.messages import (
    ChoiceView,
    ClockView,
    DuelTableView,
    LogLine,
    LogPart,
    NextMatch,
    Seated,
    Snapshot,
    SplendorTableView,
    TurnView,
    UnavailableView,
)
from parure.server.serializers import (
    choices_of,
    log_line,
    seen_by,
    table_of,
    unavailable_to,
    unrefilled_table,
)


class Snapshots:
    """How a match stands, for one viewer after another; what all are told is made once."""

    def __init__(self, match: Match, players: list[Seated], now: int) -> None:
        self._match = match
        self._players = players
        self._clock = _clock(match, now)

    @cached_property
    def _table(self) -> DuelTableView | SplendorTableView:
        """The table as a watcher sees it."""
        return table_of(self._match.public_state.view(None), None)

    def of(self, viewer: int | None, next: NextMatch | None = None, log_start: int = 0) -> Snapshot:
        """Everything that a viewer may know; the log from a line on."""
        match = self._match
        choices: list[ChoiceView] = []
        unavailable: list[UnavailableView] = []
        is_private = match.is_private_to(viewer)
        if is_private and match.held is not None:
            table = unrefilled_table(match.held.before, match.held.after)
        else:
            view = (match.state if is_private else match.public_state).view(viewer)
            table = table_of(view, viewer) if is_private else seen_by(self._table, view)
            if viewer is not None and match.occupants[viewer].bot is None:
                unavailable = unavailable_to(view)
                choices = choices_of(view)
        return Snapshot(
            version=match.version_for(viewer),
            table=table,
            turn=_turn(match, viewer, is_private),
            choices=choices,
            unavailable=unavailable,
            players=self._players,
            clock=self._clock,
            next=next,
            log=_log(match, viewer, is_private, log_start),
        )


def _turn(match: Match, viewer: int | None, is_private: bool) -> TurnView:
    state = match.state if is_private else match.public_state
    is_complete = is_private and match.held is not None
    number = len(state.decisions)
    decisions: list[str] = []
    for what in reversed(match.events[:number]):
        if what.turn != state.turns or state.is_over:
            break
        decisions.insert(0, state.rules.redact(what.decision, is_own=what.seat == viewer))
    if is_complete and match.held is not None:
        decisions.append(match.held.text)
    return TurnView(
        is_yours=viewer is not None and viewer == match.mover,
        is_complete=is_complete,
        decisions=decisions,
        provisional=number - match.fixed_count + is_complete,
        can_undo=match.can_undo(viewer),
        can_take_back=match.take_back_to(viewer) is not None,
        can_hint=can_hint(match, viewer),
    )


def can_hint(match: Match, viewer: int | None) -> bool:
    """Whether a seat may ask a bot what to do: against bots only, in its own turn."""
    return match.person_seats == [viewer] and viewer == match.mover and match.held is None


def _clock(match: Match, now: int) -> ClockView | None:
    if match.setup.clock is None:
        return None
    running = match.mover if match.deadline() is not None else None
    return ClockView(match.clocks.remaining(running, now), running)


def _log(match: Match, viewer: int | None, is_private: bool, start: int) -> LogPart:
    end = len(match.events) if is_private else match.fixed_count
    rules = match.state.rules
    lines = [log_line(n, match.events[n], rules, viewer) for n in range(start, end)]
    if is_private and match.held is not None:
        lines.append(_held_line(match, viewer, end))
    return LogPart(start, lines)


def _held_line(match: Match, viewer: int | None, n: int) -> LogLine:
    """The line of a decision that is held: what its seat has not seen yet is left out."""
    assert match.held is not None
    what = replace(match.held.event, came={}, ends_turn=False)
    return log_line(n, what, match.state.rules, viewer)
