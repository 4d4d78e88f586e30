"""What is stored of a match: its set-up and the entries of its log, which only grows.

Entry n leads to version n. Everything else about a match follows from these.
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import msgspec
from msgspec import Struct

from parure.games.registry import GameName


class Player(Struct, forbid_unknown_fields=True):
    """A player of the set-up: a person, or a bot."""

    name: str
    bot: str | None = None  # its specification


class Clock(Struct, forbid_unknown_fields=True):
    """A time control: `bank` is for the whole game with an increment per turn, `turn` per turn."""

    kind: Literal["bank", "turn"]
    seconds: int
    increment: int = 0


class Setup(Struct, forbid_unknown_fields=True, kw_only=True):
    """How a match began. Decks and chance are secret until the match is over."""

    game: GameName
    options: dict[str, bool]
    players: list[Player]
    deal: dict[str, Any]  # the set-up of the record; empty if it starts from a position
    position: str = ""  # the text of the state that an imported record starts from
    chance: str  # the seed of all chance
    opening: list[str] = []  # decisions of an imported record, before the first entry
    has_known_decks: bool = False  # as in the imported record: its owner knows every card
    clock: Clock | None = None
    stand_in: str  # the bot that plays on for a player who resigns
    creator: int | None = None  # the creator's seat
    created: int  # milliseconds of the wall clock


class Entry(Struct, tag_field="kind", forbid_unknown_fields=True, kw_only=True):
    """One change of a match, by a command, a bot or the clock."""

    at: int  # milliseconds of the wall clock, never decreasing within a match
    time: int = 0  # milliseconds on which the players' clocks run; 0 in old logs: as `at`
    seat: int
    command: str = ""  # the client's id of the command; none for bots and the clock


class Joined(Entry, tag="joined"):
    """A person opened their seat, under this name."""

    name: str


class Decided(Entry, tag="decided"):
    """Decisions, chance included."""

    decisions: list[str]
    ends_turn: bool  # the turn is handed over if they complete it


class Ended(Entry, tag="ended"):
    """A complete turn was handed over."""


class Undone(Entry, tag="undone"):
    """Provisional decisions were taken back."""

    to: int  # the number of decisions left


class TookBack(Entry, tag="took_back"):
    """Whole turns were taken back."""

    to: int  # the number of decisions left


class Resigned(Entry, tag="resigned"):
    """The seat resigned."""


class TimedOut(Entry, tag="timed_out"):
    """The seat's time ran out."""


class Replaced(Entry, tag="replaced"):
    """A bot took over the seat of a person who is away."""

    bot: str
    by: int | None = None  # the seat that sent the command


class Returned(Entry, tag="returned"):
    """The person took the seat back."""


class WantsRematch(Entry, tag="wants_rematch"):
    """The seat wants another game."""

    successor: str = ""  # the new match, named by the last seat that wants it


class Renewed(Entry, tag="renewed"):
    """The seat's link got another key; the one before is no longer valid."""

    key_digest: str  # SHA-256 in hex; the key itself is not stored


class Disclosed(Entry, tag="disclosed"):
    """The record was read after the end, so that all decks are known: no turn is taken back now."""


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
    | Renewed
    | Disclosed
)

encode = msgspec.json.Encoder().encode
decode_entry = msgspec.json.Decoder(AnyEntry).decode
decode_setup = msgspec.json.Decoder(Setup).decode
