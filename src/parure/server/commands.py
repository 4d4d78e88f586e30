"""Commands of clients, translated into log entries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parure.server.bot_pool import is_allowed
from parure.server.keys import key_digest, new_match_id
from parure.server.log_entries import AnyEntry
from parure.server.match import Refusal
from parure.server.messages import (
    AnyCommand,
    Decide,
    EndTurn,
    Hint,
    Rematch,
    RenewLink,
    Resign,
    SitDown,
    TakeBack,
    TakeOver,
    Undo,
)

if TYPE_CHECKING:
    from parure.server.session import MatchSession


ALLOWED_BESIDE_BOT = (SitDown, Rematch, RenewLink, Resign)  # while a bot plays at the seat
VALID_AT_ANY_VERSION = (Resign, RenewLink)  # they mean the same, whatever the table is


def entry_of(session: MatchSession, seat: int, command: AnyCommand, at: int) -> AnyEntry:
    """Return the log entry of a command given by a seat; raise Refusal if it is not possible."""
    match = session.match
    if match.occupants[seat].bot is not None and not isinstance(command, ALLOWED_BESIDE_BOT):
        raise Refusal("bot", "a bot plays at your seat")
    match command:
        case Decide():
            return match.decide(seat, command.decisions, command.end_turn, at, command.id)
        case EndTurn():
            return match.end_turn(seat, at, command.id)
        case Undo():
            return match.undo(seat, command.all, at, command.id)
        case TakeBack():
            return match.take_back(seat, at, command.id)
        case Resign():
            return match.resign(seat, at, command.id)
        case Rematch():
            return match.rematch(seat, new_match_id(), at, command.id)
        case SitDown():
            return match.sit_down(seat, at, command.id)
        case RenewLink():
            return match.renew_key(seat, key_digest(command.key), at, command.id)
        case TakeOver():
            _require_away(session, command.seat)
            if not is_allowed(command.bot):
                raise Refusal("bot", f"there is no bot {command.bot!r}")
            return match.take_over(seat, command.seat, command.bot, at, command.id)
        case Hint():
            raise AssertionError("a hint is not stored")


def _require_away(session: MatchSession, seat: int) -> None:
    if seat >= len(session.match.occupants):
        raise Refusal("seat", "there is no such seat")
    away = session.presence.seconds_away(seat, session.registry.clock.now())
    if away is None or away < session.registry.settings.take_over_after:
        raise Refusal("not_away", "that player has not been away for long enough")
