"""The messages of the socket: commands from a client, snapshots and answers from the server.

Every message is a JSON object whose `type` says which of these it is. An unknown field is refused.
The TypeScript types of the page are generated from these classes: `make types`.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct

from parure.bots.base import Candidate
from parure.games.view_schema import Seat
from parure.server.log_entries import Clock
from parure.table.events import Event
from parure.table.preview import DecisionPreview
from parure.table.unavailable import UnavailableAction
from parure.table.views import AnyViewData

MAX_NAME_LENGTH = 40

CommandId = Annotated[str, Meta(min_length=1, max_length=64)]
Version = Annotated[int, Meta(ge=0, le=1_000_000)]
DecisionText = Annotated[str, Meta(min_length=1, max_length=40)]
Key = Annotated[str, Meta(min_length=1, max_length=64)]


# --- from a client --------------------------------------------------------------------------------


class Incoming(Struct, tag_field="type", forbid_unknown_fields=True, kw_only=True):
    """A message from a client."""


class Hello(Incoming, tag="hello"):
    """The first message: the key of the link that was opened, and the name of the person."""

    key: Key
    name: Annotated[str, Meta(max_length=MAX_NAME_LENGTH)] | None = None
    creator: Key | None = None  # with it, opening a second seat does not count as sharing


class Ping(Incoming, tag="ping"):
    """Check the connection; answered by `pong`."""


class Command(Incoming):
    """A command to a match."""

    id: CommandId  # chosen by the client; a repeated command is carried out once
    version: Version  # of the last snapshot that the client has


class Decide(Command, tag="decide"):
    """Take some decisions, together or not at all."""

    decisions: Annotated[list[DecisionText], Meta(min_length=1, max_length=40)]
    end_turn: bool = False  # hand the turn over if they complete it


class EndTurn(Command, tag="end_turn"):
    """Hand over a turn that is complete."""


class Undo(Command, tag="undo"):
    """Take back the last command of the own turn."""

    all: bool = False  # everything in the turn that can be taken back


class TakeBack(Command, tag="take_back"):
    """Go back to the start of the own last turn; against bots only."""


class Resign(Command, tag="resign"):
    """Resign. With two seats the game ends; with more a bot plays on."""


class Rematch(Command, tag="rematch"):
    """Ask for, or agree to, another game with the same players."""


class TakeOver(Command, tag="take_over"):
    """Let a bot play for a seat whose person has been away for some time."""

    seat: Seat
    bot: Annotated[str, Meta(max_length=40)]


class SitDown(Command, tag="sit_down"):
    """Take the own seat back from the bot that took it over."""


class Hint(Command, tag="hint"):
    """Ask what a bot would do; answered by `hint`. Changes nothing."""


AnyCommand: TypeAlias = (
    Decide | EndTurn | Undo | TakeBack | Resign | Rematch | TakeOver | SitDown | Hint
)
AnyIncoming: TypeAlias = Hello | Ping | AnyCommand


# --- what a viewer knows of a match ---------------------------------------------------------------


class TurnStatus(Struct):
    """The turn in progress, and what the viewer can do about it."""

    is_yours: bool
    is_complete: bool  # only `end_turn` and `undo` are left
    decisions: list[str]  # of this turn, as the viewer may know them
    provisional: int  # the number of decisions at the end of them that can still be undone
    can_undo: bool
    can_take_back: bool
    can_hint: bool


class LogTail(Struct):
    """The end of the log; it replaces what the client has from line `start` on."""

    start: int
    lines: list[Event]


# --- to a client ----------------------------------------------------------------------------------


class SeatStatus(Struct):
    """Who plays at a seat."""

    seat: int
    kind: Literal["person", "bot"]
    name: str
    bot: str | None  # the bot that plays now
    is_ready: bool  # false: the bot is still being compiled
    is_connected: bool
    has_resigned: bool
    wants_rematch: bool
    away: int | None  # seconds since the person was connected; null: is now


class ClockStatus(Struct):
    """The time left for each seat at the moment of sending."""

    left: list[int]  # milliseconds
    running: int | None  # the seat whose clock runs


class NextMatch(Struct):
    """The rematch, with the viewer's own key to it."""

    match: str
    key: str


class Snapshot(Struct, kw_only=True):
    """Everything that a viewer may know at a version."""

    version: int
    table: AnyViewData
    turn: TurnStatus
    choices: list[DecisionPreview]  # the legal decisions of the viewer
    unavailable: list[UnavailableAction]
    players: list[SeatStatus]
    clock: ClockStatus | None
    next: NextMatch | None
    log: LogTail


class Outgoing(Struct, tag_field="type", kw_only=True):
    """A message from the server."""


class Welcome(Outgoing, tag="welcome"):
    """The answer to `hello`. Its log is complete."""

    match: str
    seat: int | None  # null: a watcher
    clock_setting: Clock | None
    take_over_after: int  # seconds that a person must be away
    snapshot: Snapshot


class Update(Outgoing, tag="update"):
    """The match has changed."""

    snapshot: Snapshot


class Done(Outgoing, tag="done"):
    """A command was carried out."""

    id: str
    version: int
    is_repeated: bool = False  # it had been carried out before


class Refused(Outgoing, tag="refused"):
    """A command was not carried out; nothing has changed. Its log is complete."""

    id: str
    code: str
    message: str
    snapshot: Snapshot


class Presence(Outgoing, tag="presence"):
    """Who is connected now."""

    players: list[SeatStatus]
    watchers: int


class HintGiven(Outgoing, tag="hint"):
    """What a bot would do."""

    id: str
    version: int
    decision: str
    gains: list[str]  # the features that it improves most, best first
    candidates: list[Candidate]


class Failure(Outgoing, tag="error"):
    """A message could not be accepted; the socket is closed after this."""

    code: str
    message: str


class Pong(Outgoing, tag="pong"):
    """The answer to `ping`."""


AnyOutgoing: TypeAlias = Welcome | Update | Done | Refused | Presence | HintGiven | Failure | Pong

decode = msgspec.json.Decoder(AnyIncoming).decode
encode = msgspec.json.Encoder().encode
