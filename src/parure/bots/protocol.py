"""The messages to and from a bot that is a program; docs/reference/bot-protocol.md specifies them.

A line is one JSON object, and its `type` says which message it is. Both ends write and read the
lines with these classes.
"""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

import msgspec

from parure.bots.base import Candidate
from parure.errors import NotationError, printable

PROTOCOL_VERSION = 1
MAX_LINE_BYTES = 1 << 20


class Message(msgspec.Struct, tag_field="type"):
    """A line of the protocol; fields that are not known are ignored."""


# --- to the bot -----------------------------------------------------------------------------------


class Hello(Message, tag="hello"):
    """The first line in both directions."""

    protocol: int
    name: str = ""


class Game(Message, tag="game"):
    """A new game begins; the bot answers when it is ready."""

    game: str
    seats: int
    options: dict[str, bool]
    seat: int


class TimeBudget(msgspec.Struct, kw_only=True):
    """How long to think: seconds for the turn and how many are left, or iterations."""

    seconds: Annotated[float, msgspec.Meta(gt=0)] | None = None
    left: float | None = None
    iterations: Annotated[int, msgspec.Meta(gt=0)] | None = None


class Decide(Message, tag="decide"):
    """The bot is to move."""

    view: Any  # see parure.games.view_schema
    legal: list[str]
    budget: TimeBudget | None = None
    limit: float = 0.0  # seconds; a later answer loses the game
    seed: int = 0


class Quit(Message, tag="quit"):
    """No further requests follow."""


# --- from the bot ---------------------------------------------------------------------------------


class Ready(Message, tag="ready"):
    """The game may begin."""


class Decision(Message, tag="decision"):
    """A :class:`parure.bots.Answer` as data."""

    decision: str
    because: str = ""
    candidates: list[Candidate] = []
    iterations: Annotated[int, msgspec.Meta(ge=0)] = 0


class Error(Message, tag="error"):
    """The previous line cannot be answered."""

    reason: str


Request: TypeAlias = Hello | Game | Decide | Quit
Reply: TypeAlias = Hello | Ready | Decision | Error

_request_decoder = msgspec.json.Decoder(Request)
_reply_decoder = msgspec.json.Decoder(Reply)


def encode(message: Message) -> bytes:
    """Return a message as a line."""
    return msgspec.json.encode(message) + b"\n"


def decode_request(line: bytes) -> Request:
    """Return the message to a bot that a line holds; NotationError if there is none."""
    message: Request = _decode(_request_decoder, line)
    return message


def decode_reply(line: bytes) -> Reply:
    """Return the message from a bot that a line holds; NotationError if there is none."""
    message: Reply = _decode(_reply_decoder, line)
    return message


def _decode(decoder: msgspec.json.Decoder[Any], line: bytes) -> Any:
    if len(line) > MAX_LINE_BYTES:
        raise NotationError(f"the line is longer than {MAX_LINE_BYTES:,} bytes")
    try:
        return decoder.decode(line)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise NotationError(f"not a message of the protocol: {excerpt(str(error))}") from None


def excerpt(text: str, max_length: int = 200) -> str:
    """Return the beginning of a foreign text, safe to print.

    >>> excerpt("a long story", 7)
    'a long…'
    """
    return printable(text if len(text) <= max_length else text[: max_length - 1] + "…")
