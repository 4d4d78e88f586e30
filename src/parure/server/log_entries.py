"""What is kept of a match: its set-up, and the entries of its log. The log only ever grows.

Entry n leads to version n. Whatever else a match is follows from these.
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import msgspec
from msgspec import Struct

from parure.games.registry import GameName


class Player(Struct, forbid_unknown_fields=True):
    """Who was asked to sit somewhere: a person, or a bot by its specification."""

    name: str
    bot: str | None = None


class Clock(Struct, forbid_unknown_fields=True):
    """How time is kept: a stock for the whole game with an increment, or so much for each turn."""

    kind: Literal["bank", "turn"]
    seconds: int
    increment: int = 0


class Setup(Struct, forbid_unknown_fields=True, kw_only=True):
    """How a match began. Decks and chance in it are secret while the match is on."""

    game: GameName
    options: dict[str, bool]
    players: list[Player]
    deal: dict[str, Any]  # the set-up of the record
    chance: str  # what chance will bring follows from this
    opening: list[str] = []  # decisions of an imported record, before the first entry
    clock: Clock | None = None
    stand_in: str  # the bot that plays on for whoever resigns
    creator: int | None = None  # the creator's seat
    created: int  # milliseconds of the wall clock


class Entry(Struct, tag_field="kind", forbid_unknown_fields=True, kw_only=True):
    """One thing that happened, by one seat's command or by itself."""

    at: int  # milliseconds, never running backwards within a match
    seat: int
    command: str = ""  # the client's id of the command; none for bots and the clock


class Joined(Entry, tag="joined"):
    """A person came to their seat, by this name."""

    name: str


class Decided(Entry, tag="decided"):
    """Decisions, chance included, and whether the turn was handed over if they complete it."""

    decisions: list[str]
    ends_turn: bool


class Ended(Entry, tag="ended"):
    """A complete turn was handed over."""


class Undone(Entry, tag="undone"):
    """Provisional decisions were taken back, down to this number of decisions in all."""

    to: int


class TookBack(Entry, tag="took_back"):
    """Whole turns were taken back, down to this number of decisions in all."""

    to: int


class Resigned(Entry, tag="resigned"):
    """The seat gave up."""


class TimedOut(Entry, tag="timed_out"):
    """The seat's time ran out."""


class Replaced(Entry, tag="replaced"):
    """A bot took the seat over from a person who is away; `by` is the seat that asked for it."""

    bot: str
    by: int | None = None


class Returned(Entry, tag="returned"):
    """The person took the seat back."""


class WantsRematch(Entry, tag="wants_rematch"):
    """The seat wants another game; whoever completes the wish names the new match."""

    successor: str = ""


AnyEntry: TypeAlias = (
    Joined
    | Decided
    | Ended
    | Undone
    | TookBack
    | Resigned
    | TimedOut
    | Replaced
    | Returned
    | WantsRematch
)

encode = msgspec.json.Encoder().encode
decode_entry = msgspec.json.Decoder(AnyEntry).decode
decode_setup = msgspec.json.Decoder(Setup).decode
