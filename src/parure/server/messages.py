"""The messages of the socket: commands from a client, snapshots and answers from the server.

Every message is a JSON object whose `type` says which of these it is. An unknown field is refused.
The TypeScript types of the page are generated from these classes: `make types`.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct

from parure.analysis.reasons import Reason
from parure.games.view_schema import Seat
from parure.server.log_entries import Clock
from parure.table.events import Event
from parure.table.preview import DecisionPreview
from parure.table.reserving import ReserveOption
from parure.table.unavailable import UnavailableAction
from parure.table.views import AnyViewData

MAX_NAME_LENGTH = 40

CommandId = Annotated[str, Meta(min_length=1, max_length=64)]
Version = Annotated[int, Meta(ge=0, le=1 << 53)]  # exact in JavaScript
DecisionText = Annotated[str, Meta(min_length=1, max_length=40)]
Key = Annotated[str, Meta(min_length=1, max_length=64)]
NewKey = Annotated[str, Meta(min_length=24, max_length=64, pattern="^[A-Za-z0-9_-]+$")]


# --- from a client --------------------------------------------------------------------------------


class Incoming(Struct, tag_field="type", forbid_unknown_fields=True, kw_only=True):
    """A message from a client."""


class Hello(Incoming, tag="hello"):
    """The first message: the key of the link that was opened, and the name of the person."""

    key: Key
    name: Annotated[str, Meta(max_length=MAX_NAME_LENGTH)] | None = None
    creator: Key | None = None  # with it, opening a second seat does not count as sharing


class Ping(Incoming, tag="ping"):
    """Check the connection; answered by `pong`, and by `update` if the client's version is old."""

    version: Version | None = None  # of the last snapshot that the client has


class ReadLog(Incoming, tag="log"):
    """Ask for the lines of the log before a line; answered by `log`."""

    before: Annotated[int, Meta(ge=0, le=1_000_000)]


class ReadSteps(Incoming, tag="steps"):
    """Ask for the table before and after each of some lines of the log; answered by `steps`."""

    start: Annotated[int, Meta(ge=0, le=1_000_000)]  # the first line
    end: Annotated[int, Meta(ge=0, le=1_000_000)]  # the line after the last one


class Command(Incoming):
    """A command to a match."""

    id: CommandId  # chosen by the client; a repeated command is carried out once
    version: Version  # of the last snapshot that the client has


class Decide(Command, tag="decide"):
    """Take some decisions, together or not at all; only the last one may reveal something."""

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


class RenewLink(Command, tag="renew_link"):
    """Replace the key of the own seat; connections with the old one are closed.

    The client chooses the new key, so that it is not locked out if the answer is lost.
    """

    key: NewKey  # random: base64 of at least 18 bytes


class Hint(Command, tag="hint"):
    """Ask what a bot would do; answered by `hint`. Changes nothing."""


AnyCommand: TypeAlias = (
    Decide | EndTurn | Undo | TakeBack | Resign | Rematch | TakeOver | SitDown | RenewLink | Hint
)
AnyIncoming: TypeAlias = Hello | Ping | ReadLog | ReadSteps | AnyCommand


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
    """The end of the log; it replaces what the client has from line `start` on.

    It has a limited number of lines. A client whose log ends before `start` has missed some: it
    drops the earlier ones, or asks for them with `log`.
    """

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
    reserves: list[ReserveOption]  # what can be reserved now, gold included
    can_win: list[int]  # seats that can reach a goal in their next turn, as far as the viewer knows
    players: list[SeatStatus]
    clock: ClockStatus | None
    next: NextMatch | None
    log: LogTail


class Outgoing(Struct, tag_field="type", kw_only=True):
    """A message from the server."""


class Welcome(Outgoing, tag="welcome"):
    """The answer to `hello`. Its log has the last lines; `log` reads earlier ones."""

    match: str
    seat: int | None  # null: a watcher
    clock_setting: Clock | None
    take_over_after: int  # seconds that a person must be away
    has_known_decks: bool  # the creator imported the match with its decks, and may know every card
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
    """A command was not carried out; nothing has changed.

    Everything that the viewer may know was sent before, as `welcome` or `update`.
    """

    id: str
    code: str
    message: str
    version: int  # of the last snapshot that was sent


class LogPage(Outgoing, tag="log"):
    """Earlier lines of the log, from line `start` on."""

    start: int
    lines: list[Event]


class Steps(Outgoing, tag="steps"):
    """The table before and after each of some lines of the log, without provisional decisions.

    It has a limited number of lines: the last of those that were asked for.
    """

    start: int
    lines: list[Event]
    tables: list[AnyViewData]  # one more than lines: before the first, then after each


class Presence(Outgoing, tag="presence"):
    """Who is connected now."""

    players: list[SeatStatus]
    watchers: int


class HintCandidate(Struct):
    """A decision that is worth considering."""

    decision: str
    value: float  # the chance to win after it: 1 is a sure victory
    line: list[str]  # what is expected, this decision first, until chance enters
    reasons: list[Reason]
    words: dict[str, str]  # the reasons by language: `en`, `fr`, `es`; `{2}` is the name of seat 2


class HintGiven(Outgoing, tag="hint"):
    """The best decisions of the position that `version` names, the best one first."""

    id: str
    version: int
    candidates: list[HintCandidate]  # one to three


class Failure(Outgoing, tag="error"):
    """A message could not be accepted; the socket is closed after this."""

    code: str
    message: str


class Pong(Outgoing, tag="pong"):
    """The answer to `ping`."""


AnyOutgoing: TypeAlias = (
    Welcome | Update | Done | Refused | LogPage | Steps | Presence | HintGiven | Failure | Pong
)

decode = msgspec.json.Decoder(AnyIncoming).decode
encode = msgspec.json.Encoder().encode
