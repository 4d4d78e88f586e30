"""A client's WebSocket: one task reads, one writes, and the session waits for neither."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from enum import IntEnum

from starlette.status import WS_1000_NORMAL_CLOSURE
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from parure.server.messages import AnyOutgoing, Failure, encode

# For a slow reader, before its connection is closed:
MAX_QUEUED_MESSAGES = 64
MAX_QUEUED_BYTES = 512 << 10
SEND_TIMEOUT = 20.0  # seconds for one message
CLOSE_TIMEOUT = 5.0  # seconds for the closing handshake


class CloseCode(IntEnum):
    """Why the server closed a WebSocket."""

    RESTART = 1012  # the client should reconnect
    BAD_MESSAGE = 4400
    WRONG_KEY = 4401
    FORBIDDEN_ORIGIN = 4403
    HELLO_TIMEOUT = 4408
    TOO_SLOW = 4409
    MATCH_DELETED = 4410
    RATE_LIMIT = 4429
    UNREADABLE = 4500  # what is stored of the match is damaged


class Connection:
    """An open WebSocket of a seat, or of a watcher (`seat` None).

    `address` is what limits count as one sender: see `limits.address_group`. `key_digest` belongs
    to the key that it was opened with.
    """

    def __init__(
        self, socket: WebSocket, seat: int | None, address: str = "", key_digest: str = ""
    ) -> None:
        self.seat = seat
        self.address = address
        self.key_digest = key_digest
        self.final_lines = 0  # number of log lines the client has that can no longer change
        self._socket = socket
        self._queue: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._queued_bytes = 0
        self._closing: tuple[CloseCode, str] | None = None
        self._reader: asyncio.Task[object] | None = None

    def send(self, message: AnyOutgoing) -> None:
        """Queue a message; close the connection if the client does not read."""
        self.send_bytes(encode(message))

    def send_bytes(self, message: bytes) -> None:
        """Like `send`, but takes an encoded message."""
        if self._closing is not None:
            return
        # One message may be larger than the limit: an empty queue accepts it.
        is_too_large = self._queued_bytes + len(message) > MAX_QUEUED_BYTES
        if self._queue.qsize() >= MAX_QUEUED_MESSAGES or (self._queued_bytes and is_too_large):
            self._drop(CloseCode.TOO_SLOW, "too slow")
            return
        self._queued_bytes += len(message)
        self._queue.put_nowait(message)

    def fail(self, close_code: CloseCode, code: str, message: str) -> None:
        """Send an error, then close the connection."""
        self.send(Failure(code=code, message=message))
        self.close(close_code, code)

    def close(self, code: CloseCode, reason: str) -> None:
        """Close after the queued messages were sent."""
        if self._closing is None:
            self._closing = (code, reason)
            self._queue.put_nowait(None)

    def _drop(self, code: CloseCode, reason: str) -> None:
        """Close without sending the queued messages."""
        self._closing = (code, reason)
        while not self._queue.empty():
            self._queue.get_nowait()
        self._queue.put_nowait(None)
        if self._reader is not None:
            self._reader.cancel()

    async def serve(self, receive: Callable[[str], None]) -> None:
        """Pass every incoming message to `receive` until either side closes."""
        writer = asyncio.create_task(self._write())
        self._reader = asyncio.create_task(self._read(receive))
        try:
            await asyncio.wait((writer, self._reader), return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (writer, self._reader):
                task.cancel()
            await asyncio.gather(writer, self._reader, return_exceptions=True)
            await self._close_socket()

    async def _read(self, receive: Callable[[str], None]) -> None:
        with contextlib.suppress(WebSocketDisconnect):
            while self._closing is None:
                try:
                    receive(await self._socket.receive_text())
                except KeyError:  # Starlette's error for a binary frame
                    self.fail(CloseCode.BAD_MESSAGE, "message", "messages must be text")
            await asyncio.Event().wait()  # until the writer has sent the error

    async def _write(self) -> None:
        with contextlib.suppress(WebSocketDisconnect, RuntimeError, OSError):
            while (message := await self._queue.get()) is not None:
                try:
                    async with asyncio.timeout(SEND_TIMEOUT):
                        await self._socket.send_text(message.decode())
                except TimeoutError:
                    self.close(CloseCode.TOO_SLOW, "too slow")
                    return
                self._queued_bytes -= len(message)

    async def _close_socket(self) -> None:
        if self._socket.application_state is not WebSocketState.DISCONNECTED:
            code, reason = self._closing or (WS_1000_NORMAL_CLOSURE, "")
            with contextlib.suppress(RuntimeError, OSError, TimeoutError, WebSocketDisconnect):
                async with asyncio.timeout(CLOSE_TIMEOUT):
                    await self._socket.close(code, reason)
