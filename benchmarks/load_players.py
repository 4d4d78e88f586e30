"""The scripted players of `load.py`: a minimal WebSocket client, and what it does at a table."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from random import Random
from time import perf_counter

import msgspec
from msgspec import Struct

HOST = "127.0.0.1"
THINKING_SECONDS = (0.5, 2.0)  # between a player's turn and its decision
TEXT, PING, PONG = 1, 9, 10  # opcodes of frames


class Choice(Struct):
    """A legal decision."""

    decision: str


class Turn(Struct):
    """Whose turn it is."""

    is_yours: bool


class Table(Struct):
    """Whether the game is over."""

    outcome: object | None


class Line(Struct):
    """One decision of the log."""

    seat: int
    decision: str


class Log(Struct):
    """The end of the log, from line `start` on."""

    start: int
    lines: list[Line]


class Snapshot(Struct):
    """The fields of a snapshot that a scripted player uses."""

    version: int
    table: Table
    turn: Turn
    choices: list[Choice]
    log: Log


class Message(Struct):
    """The fields of a message that a scripted player uses."""

    type: str
    id: str = ""
    code: str = ""
    snapshot: Snapshot | None = None


decode = msgspec.json.Decoder(Message).decode
encode = msgspec.json.Encoder().encode


@dataclass
class Tally:
    """The measurements of all players."""

    latencies: list[float] = field(default_factory=list)
    acknowledged: dict[str, list[str]] = field(default_factory=dict)  # decisions, by match
    refused: int = 0
    unanswered: int = 0
    finished: int = 0


class WebSocketProtocol(asyncio.Protocol):
    """A minimal WebSocket client.

    With a library, six hundred players would need more processor time than the server.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._received = b""
        self._is_open = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Send the opening handshake."""
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        lines = (
            f"GET {self._path} HTTP/1.1",
            f"Host: {HOST}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        )
        transport.write("\r\n".join((*lines, "", "")).encode())

    def data_received(self, data: bytes) -> None:
        """Handle the complete frames."""
        arrived = perf_counter()
        self._received += data
        if not self._is_open:
            head, end, rest = self._received.partition(b"\r\n\r\n")
            if not end:
                return
            assert head.startswith(b"HTTP/1.1 101"), head
            self._is_open, self._received = True, rest
            self.opened()
        while len(self._received) >= 2:
            size, start = self._received[1], 2
            if size >= 126:
                start = 4 if size == 126 else 10
                size = int.from_bytes(self._received[2:start])
            end_of_frame = start + size
            if len(self._received) < end_of_frame:
                return
            kind, payload = self._received[0] & 15, self._received[start:end_of_frame]
            self._received = self._received[end_of_frame:]
            if kind == TEXT:
                self.message_received(payload, arrived)
            elif kind == PING:
                self.send(payload, PONG)

    def send(self, payload: bytes, kind: int = TEXT) -> None:
        """Send a short frame, masked with zeros."""
        size = bytes([128 + len(payload)] if len(payload) < 126 else [254, 0, len(payload)])
        self.transport.write(bytes([128 + kind]) + size + bytes(4) + payload)

    def opened(self) -> None:
        """Called when the handshake is complete."""

    def message_received(self, payload: bytes, arrived: float) -> None:
        """Called with each text message and the time of its arrival."""


class Player(WebSocketProtocol):
    """One seat of one match: waits, decides, waits for the answer."""

    def __init__(
        self, match: str, key: str, rng: Random, start: float, end: float, tally: Tally
    ) -> None:
        super().__init__(f"/api/matches/{match}/socket")
        self.over: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._match, self._key, self._rng = match, key, rng
        self._start, self._end, self._tally = start, end, tally
        self._now: Snapshot | None = None
        self._decision = ""  # sent, and not yet answered
        self._sent = 0.0
        self._number = 0
        self._is_thinking = False

    def opened(self) -> None:
        """Say hello."""
        self.send(encode({"type": "hello", "key": self._key}))

    def connection_lost(self, error: Exception | None) -> None:
        """Fail unless this player has left."""
        if not self.over.done():
            self.over.set_exception(error or ConnectionError("the server closed the connection"))

    def message_received(self, payload: bytes, arrived: float) -> None:
        """Record the answer to a decision, and schedule the next one."""
        message = decode(payload)
        self._now = message.snapshot or self._now
        if self._decision and message.type in ("done", "refused"):
            if self._sent > self._start:
                self._tally.latencies.append(arrived - self._sent)
            if message.type == "done":
                self._tally.acknowledged.setdefault(self._match, []).append(self._decision)
            else:
                self._tally.refused += 1
            self._decision = ""
        now = self._now
        if now is not None and now.table.outcome is not None:
            self._tally.finished += 1
            self.leave()
        elif now is not None and now.turn.is_yours and not (self._decision or self._is_thinking):
            self._is_thinking = True
            delay = self._rng.uniform(*THINKING_SECONDS)
            asyncio.get_running_loop().call_later(delay, self._decide)

    def _decide(self) -> None:
        """Send a random legal decision."""
        self._is_thinking = False
        if perf_counter() > self._end:
            return
        assert self._now is not None
        self._number += 1
        self._decision = self._rng.choice(self._now.choices).decision
        command = {
            "type": "decide",
            "id": f"{self._key[:6]}{self._number}",
            "version": self._now.version,
            "decisions": [self._decision],
            "end_turn": True,
        }
        self._sent = perf_counter()
        self.send(encode(command))

    def leave(self) -> None:
        """Close the connection; a decision without an answer counts as unanswered."""
        if not self.over.done():
            self.over.set_result(None)
            self._tally.unanswered += bool(self._decision)
        self.transport.close()
