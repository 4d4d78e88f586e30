"""Whoever is connected to a match: one task reads, one writes, and nobody waits for them."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from parure.server.limits import HINTS, RateLimiter
from parure.server.messages import AnyOutgoing, Failure, encode

MAX_WAITING = 64  # messages for a slow reader before it is dropped
SEND_TIMEOUT = 20.0  # seconds for one message

# close codes
BAD_MESSAGE, NO_SUCH_LINK, TOO_LATE, TOO_SLOW, GONE, TOO_MANY = 4400, 4401, 4408, 4409, 4410, 4429
GOING_AWAY = 1012  # the server restarts: come back


class Connection:
    """One open socket of a seat, or of a watcher (`seat` None)."""

    def __init__(self, socket: WebSocket, seat: int | None, limits: RateLimiter) -> None:
        self.seat = seat
        self.lines = 0  # how many lines of the log it has that cannot change any more
        self.hints = limits.bucket(HINTS)
        self._socket = socket
        self._queue: asyncio.Queue[bytes | None] = asyncio.Queue(MAX_WAITING)
        self._closing: tuple[int, str] | None = None
        self._reader: asyncio.Task[object] | None = None

    def send(self, message: AnyOutgoing) -> None:
        """Send a message, later; whoever does not read is dropped."""
        self.send_bytes(encode(message))

    def send_bytes(self, message: bytes) -> None:
        """Send an encoded message, later."""
        try:
            self._queue.put_nowait(message)
        except asyncio.QueueFull:
            self.drop(TOO_SLOW, "too slow")

    def fail(self, close_code: int, code: str, message: str) -> None:
        """Say what is wrong, and hang up."""
        self.send(Failure(code=code, message=message))
        self.drop(close_code, code)

    def drop(self, close_code: int, reason: str) -> None:
        """Hang up once what is waiting has been sent, or at once if it cannot be."""
        if self._closing is None:
            self._closing = (close_code, reason)
            try:
                self._queue.put_nowait(None)
            except asyncio.QueueFull:
                if self._reader is not None:
                    self._reader.cancel()

    async def serve(self, receive: Callable[[str], None]) -> None:
        """Read until either side hangs up; each message is handed over as it comes."""
        writer = asyncio.create_task(self._write())
        self._reader = asyncio.create_task(self._read(receive))
        try:
            await asyncio.wait((writer, self._reader), return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (writer, self._reader):
                task.cancel()
            await asyncio.gather(writer, self._reader, return_exceptions=True)
            await self._close()

    async def _read(self, receive: Callable[[str], None]) -> None:
        with contextlib.suppress(WebSocketDisconnect):
            while self._closing is None:
                try:
                    receive(await self._socket.receive_text())
                except KeyError:  # bytes instead of text
                    self.fail(BAD_MESSAGE, "message", "messages are text")
            await asyncio.Event().wait()  # the writer hangs up when it has said why

    async def _write(self) -> None:
        with contextlib.suppress(WebSocketDisconnect, RuntimeError, OSError):
            while (message := await self._queue.get()) is not None:
                try:
                    async with asyncio.timeout(SEND_TIMEOUT):
                        await self._socket.send_text(message.decode())
                except TimeoutError:
                    self.drop(TOO_SLOW, "too slow")
                    return

    async def _close(self) -> None:
        if self._socket.application_state is not WebSocketState.DISCONNECTED:
            code, reason = self._closing or (1000, "")
            with contextlib.suppress(RuntimeError, OSError, TimeoutError, WebSocketDisconnect):
                async with asyncio.timeout(5):
                    await self._socket.close(code, reason)
