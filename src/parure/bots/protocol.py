"""The lines that go to and from a bot that is a program of its own; docs/protocol.md tells them.

Every line is one JSON object, and its `type` says what it is. The same classes write and read them,
so that both ends speak of the same fields.
"""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

import msgspec

from parure.errors import NotationError, printable

VERSION = 1
LONGEST_LINE = 1 << 20  # bytes


class Message(msgspec.Struct, tag_field="type"):
    """A line of the protocol; fields that are not known are passed over."""


# --- to the bot -----------------------------------------------------------------------------------


class Hello(Message, tag="hello"):
    """The first line in both directions: who speaks which version."""

    protocol: int
    name: str = ""


class Game(Message, tag="game"):
    """A new game begins; the bot gets ready for it and says so."""

    game: str
    seats: int
    options: dict[str, bool]
    seat: int


class Allowance(msgspec.Struct, kw_only=True):
    """How long to think: seconds for the turn and what is left of them, or iterations."""

    seconds: Annotated[float, msgspec.Meta(gt=0)] | None = None
    left: float | None = None
    iterations: Annotated[int, msgspec.Meta(gt=0)] | None = None


class Decide(Message, tag="decide"):
    """A decision is due."""

    view: Any  # the form of a view, see parure.games.view_schema
    legal: list[str]
    budget: Allowance | None = None
    limit: float = 0.0  # seconds; who answers later has lost
    seed: int = 0


class Quit(Message, tag="quit"):
    """Nothing more will be asked."""


# --- from the bot ---------------------------------------------------------------------------------


class Ready(Message, tag="ready"):
    """The game may begin."""


class Thought(msgspec.Struct):
    """A decision that was considered, as :class:`parure.bots.Candidate` has it."""

    decision: str
    share: float
    value: float


class Decision(Message, tag="decision"):
    """What the bot decides, and what it thought, if it says."""

    decision: str
    because: str = ""
    candidates: list[Thought] = []
    iterations: Annotated[int, msgspec.Meta(ge=0)] = 0


class Error(Message, tag="error"):
    """The line before could not be obeyed."""

    reason: str


FromHost: TypeAlias = Hello | Game | Decide | Quit
FromBot: TypeAlias = Hello | Ready | Decision | Error

_from_host = msgspec.json.Decoder(FromHost)
_from_bot = msgspec.json.Decoder(FromBot)


def line_of(message: Message) -> bytes:
    """A message as it goes over the wire."""
    return msgspec.json.encode(message) + b"\n"


def from_host(line: bytes) -> FromHost:
    """What a host asks in a line; NotationError if it is no message."""
    message: FromHost = _read(_from_host, line)
    return message


def from_bot(line: bytes) -> FromBot:
    """What a bot answers in a line; NotationError if it is no message."""
    message: FromBot = _read(_from_bot, line)
    return message


def _read(decoder: msgspec.json.Decoder[Any], line: bytes) -> Any:
    if len(line) > LONGEST_LINE:
        raise NotationError(f"a line is longer than {LONGEST_LINE:,} bytes")
    try:
        return decoder.decode(line)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise NotationError(f"no message of the protocol: {excerpt(str(error))}") from None


def excerpt(text: str, longest: int = 200) -> str:
    """As much of a foreign text as fits into a message.

    >>> excerpt("a long story", 7)
    'a long…'
    """
    return printable(text if len(text) <= longest else text[: longest - 1] + "…")
