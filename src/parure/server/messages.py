"""What goes over a socket: commands in, snapshots and answers out. `docs/server.md` explains them.

Every message is a JSON object whose `type` says which of these it is. An unknown field is refused.
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

import msgspec
from msgspec import Meta, Struct

from parure.server.log_entries import Clock

Counts: TypeAlias = dict[str, int]
"""Tokens, bonuses or prices by letter; what is zero is left out."""

LONGEST_NAME = 40

CommandId = Annotated[str, Meta(min_length=1, max_length=64)]
Version = Annotated[int, Meta(ge=0, le=1_000_000)]
Seat = Annotated[int, Meta(ge=0, le=3)]
DecisionText = Annotated[str, Meta(min_length=1, max_length=40)]
Key = Annotated[str, Meta(min_length=1, max_length=64)]


# --- from a client --------------------------------------------------------------------------------


class Incoming(Struct, tag_field="type", forbid_unknown_fields=True, kw_only=True):
    """Whatever a client sends."""


class Hello(Incoming, tag="hello"):
    """The first message: by which link the client comes, and what its person is called."""

    key: Key
    name: Annotated[str, Meta(max_length=LONGEST_NAME)] | None = None
    creator: Key | None = None  # with it, opening a second seat does not count as sharing


class Ping(Incoming, tag="ping"):
    """Are you there? Answered by `pong`."""


class Command(Incoming):
    """Something that changes a match: `id` is the client's own, `version` the one it saw."""

    id: CommandId
    version: Version


class Decide(Command, tag="decide"):
    """Some decisions, done together or not at all; `end_turn` hands the turn over if complete."""

    decisions: Annotated[list[DecisionText], Meta(min_length=1, max_length=40)]
    end_turn: bool = False


class EndTurn(Command, tag="end_turn"):
    """Hand over a turn that is complete."""


class Undo(Command, tag="undo"):
    """Take back the last command of the own turn, or all that can be taken back of it."""

    all: bool = False


class TakeBack(Command, tag="take_back"):
    """Go back to the start of the own turn before; against bots only."""


class Resign(Command, tag="resign"):
    """Give up. With two seats the game ends; with more a bot plays on."""


class Rematch(Command, tag="rematch"):
    """Ask for, or agree to, another game with the same players."""


class TakeOver(Command, tag="take_over"):
    """Let a bot play for a seat whose person has been away for a while."""

    seat: Seat
    bot: Annotated[str, Meta(max_length=40)]


class SitDown(Command, tag="sit_down"):
    """Take the own seat back from the bot that took it over."""


class Hint(Command, tag="hint"):
    """Ask what a bot would do; changes nothing. Answered by `hint`."""


AnyCommand: TypeAlias = (
    Decide | EndTurn | Undo | TakeBack | Resign | Rematch | TakeOver | SitDown | Hint
)
AnyIncoming: TypeAlias = Hello | Ping | AnyCommand


# --- the table, as one viewer sees it -------------------------------------------------------------


class OutcomeView(Struct):
    """How a game ended; no winner is a draw, several share the victory."""

    winners: list[int]
    reason: str


class PlayerView(Struct, kw_only=True):
    """What a seat has in front of it, in both games."""

    seat: int
    points: int
    tokens: Counts
    token_count: int  # those that count toward the limit
    token_limit: int
    bonuses: Counts
    cards: list[str]
    reserved: list[str]  # `??2` is a card of level 2 that the viewer does not know
    reserve_limit: int
    goals: Counts  # what wins: points, and in Duel crowns and color


class SplendorPlayerView(PlayerView, kw_only=True):
    """A seat of Splendor."""

    nobles: list[str]


class DuelPlayerView(PlayerView, kw_only=True):
    """A seat of Duel."""

    points_by_color: Counts
    crowns: int
    privileges: int
    joker_colors: dict[str, str]
    royals: list[str]
    counterfeiters: list[str]


class TableView(Struct, kw_only=True, tag_field="kind"):
    """What lies on the table, in both games."""

    game: str
    options: dict[str, bool]
    viewer: int | None  # None: a watcher
    phase: str  # as in the rules; `end` where a turn is complete but not handed over
    seat: int  # the one to move
    turns: int  # completed
    outcome: OutcomeView | None
    pyramid: list[list[str | None]]  # levels 1, 2, 3; null is a gap
    deck_sizes: list[int]
    buying: str | None  # the card that is being paid for, or colored


class SplendorTableView(TableView, kw_only=True, tag="splendor"):
    """The table of Splendor."""

    supply: Counts
    nobles: list[str]
    players: list[SplendorPlayerView]


class DuelTableView(TableView, kw_only=True, tag="duel"):
    """The table of Duel."""

    board: dict[str, str]
    bag: Counts
    privileges: int  # on the table
    royals: list[str]
    royal_deck_size: int
    counterfeiters: list[str | None]
    counterfeiter_deck_size: int
    players: list[DuelPlayerView]


# --- what the viewer may do, and what it would bring ----------------------------------------------


class PaymentView(Struct, omit_defaults=True):
    """One way to pay for a card."""

    decisions: list[str]  # all of them, `buy …` first: ready to be sent
    tokens: Counts  # what goes
    discounts: list[str] = []  # the decisions among them that are discounts


class ChoiceView(Struct, omit_defaults=True):
    """A legal decision and what follows from it; a field that is left out is false, 0 or empty."""

    decision: str
    tokens: Counts = {}  # what comes (below 0: goes) to the own seat at once; chance left out
    privilege: bool = False  # gives the opponent a privilege
    over: int = 0  # tokens that will have to be returned
    again: bool = False  # another turn is due
    completes: bool = False  # nothing can follow it in this turn
    wins: bool = False
    hidden: bool = False  # shows something hidden, or asks chance: cannot be undone
    price: Counts = {}  # of a card, after bonuses
    payments: list[PaymentView] = []  # the plain one first
    more_payments: bool = False  # there are others, through phase `pay`


class UnavailableView(Struct, omit_defaults=True):
    """A card that cannot be bought, or an action that cannot be taken, and why."""

    what: str  # a card, or `reserve`, `replenish`, `privilege`
    code: str
    message: str  # in English
    price: Counts = {}
    missing: Counts = {}  # tokens that are lacking, gold not yet used
    short: int = 0  # how many of them gold cannot stand in for


class TurnView(Struct):
    """Where the turn stands."""

    is_yours: bool
    is_complete: bool  # only `end_turn` and `undo` are left
    decisions: list[str]  # of this turn, as far as the viewer is told
    provisional: int  # how many of the last of them can still be undone
    can_undo: bool
    can_take_back: bool
    can_hint: bool


# --- what has happened ----------------------------------------------------------------------------


class Arrival(Struct):
    """A card that came into a slot of the pyramid (levels 1 to 3) or Counterfeiter row (0)."""

    level: int
    slot: int
    card: str


class LogLine(Struct, omit_defaults=True):
    """One decision and what it visibly did; what is left out did not happen."""

    n: int  # counts decisions from 0
    turn: int  # counts turns from 0
    seat: int
    decision: str  # as told to the viewer, chance included: `replenish > wkg`, `keep ??`
    card: str = ""  # the card it is about, as known to the viewer
    tokens: dict[str, Counts] = {}  # by seat ("0"): what came, or below 0 went
    taken: dict[str, str] = {}  # cells emptied
    laid: dict[str, str] = {}  # cells filled
    privileges: Counts = {}  # by seat, what came or went
    points: Counts = {}
    crowns: Counts = {}
    gained: list[str] = []  # cards, royals, nobles, Counterfeiters now in front of the seat
    came: list[Arrival] = []
    ends_turn: bool = False


class LogPart(Struct):
    """The end of the log: what the client has from line `start` on is replaced by these."""

    start: int
    lines: list[LogLine]


# --- to a client ----------------------------------------------------------------------------------


class Seated(Struct):
    """Who sits where."""

    seat: int
    kind: str  # `person` or `bot`
    name: str
    bot: str | None  # which bot plays now
    is_ready: bool  # False: that bot is still being compiled
    is_connected: bool
    has_resigned: bool
    wants_rematch: bool
    away: int | None  # seconds since a person was last seen; None if connected


class ClockView(Struct):
    """Time left in milliseconds at the moment of sending; it runs for one seat, or none."""

    left: list[int]
    running: int | None


class NextMatch(Struct):
    """The rematch, with the viewer's own link to it."""

    match: str
    key: str


class Snapshot(Struct, kw_only=True):
    """Everything the viewer may know at a version."""

    version: int
    table: DuelTableView | SplendorTableView
    turn: TurnView
    choices: list[ChoiceView]
    unavailable: list[UnavailableView]
    players: list[Seated]
    clock: ClockView | None
    next: NextMatch | None
    log: LogPart


class Outgoing(Struct, tag_field="type", kw_only=True):
    """Whatever the server sends."""


class Welcome(Outgoing, tag="welcome"):
    """The answer to `hello`: who you are, and how things stand. Its log is complete."""

    match: str
    seat: int | None  # None: a watcher
    clock_setting: Clock | None
    take_over_after: int  # seconds
    snapshot: Snapshot


class Update(Outgoing, tag="update"):
    """Something changed."""

    snapshot: Snapshot


class Done(Outgoing, tag="done"):
    """A command was carried out, now or (`is_repeated`) when it came before."""

    id: str
    version: int
    is_repeated: bool = False


class Refused(Outgoing, tag="refused"):
    """A command was not carried out: nothing changed. Its log is complete."""

    id: str
    code: str
    message: str
    snapshot: Snapshot


class Presence(Outgoing, tag="presence"):
    """Who is connected now."""

    players: list[Seated]
    watchers: int


class CandidateView(Struct):
    """A decision that a bot considered."""

    decision: str
    share: float
    value: float


class HintGiven(Outgoing, tag="hint"):
    """What a bot would do."""

    id: str
    version: int
    decision: str
    gains: list[str]  # in what it brings something, the best first: names of features
    candidates: list[CandidateView]


class Failure(Outgoing, tag="error"):
    """Something is wrong with what was sent; the socket is closed after it."""

    code: str
    message: str


class Pong(Outgoing, tag="pong"):
    """Yes."""


AnyOutgoing: TypeAlias = Welcome | Update | Done | Refused | Presence | HintGiven | Failure | Pong

decode = msgspec.json.Decoder(AnyIncoming).decode
encode = msgspec.json.Encoder().encode
