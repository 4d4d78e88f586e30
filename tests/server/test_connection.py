"""A client's WebSocket: slow readers."""

from __future__ import annotations

import asyncio
from typing import cast

import pytest
from starlette.websockets import WebSocket, WebSocketState

from parure.server import connection
from parure.server.connection import (
    MAX_QUEUED_BYTES,
    MAX_QUEUED_MESSAGES,
    CloseCode,
    Connection,
)
from parure.server.messages import Pong


class BlockedSocket:
    """A socket that neither accepts nor delivers anything."""

    application_state = WebSocketState.CONNECTED

    def __init__(self) -> None:
        self.closed: tuple[int, str] | None = None

    async def send_text(self, _: str) -> None:
        """Block forever."""
        await asyncio.Event().wait()

    async def receive_text(self) -> str:
        """Block forever."""
        await asyncio.Event().wait()
        return ""

    async def close(self, code: int, reason: str) -> None:
        """Record how it was closed."""
        self.closed = (code, reason)


@pytest.mark.parametrize("messages", [1, MAX_QUEUED_MESSAGES + 5])
def test_a_client_that_does_not_read_is_closed(
    messages: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Because one message takes too long, or because too many are queued."""
    monkeypatch.setattr(connection, "SEND_TIMEOUT", 0.2 if messages == 1 else 600)

    async def serve() -> tuple[int, str] | None:
        socket = BlockedSocket()
        client = Connection(cast(WebSocket, socket), 0)
        task = asyncio.create_task(client.serve(lambda _: None))
        await asyncio.sleep(0)
        for _ in range(messages):
            client.send(Pong())
        await asyncio.wait_for(task, 60)
        return socket.closed

    assert asyncio.run(serve()) == (CloseCode.TOO_SLOW, "too slow")


def test_queued_messages_are_limited_in_bytes() -> None:
    """Few messages, but large ones: the memory of a slow reader is bounded."""

    async def serve() -> tuple[int, str] | None:
        socket = BlockedSocket()
        client = Connection(cast(WebSocket, socket), 0)
        task = asyncio.create_task(client.serve(lambda _: None))
        await asyncio.sleep(0)
        for _ in range(3):
            client.send_bytes(bytes(MAX_QUEUED_BYTES // 2))
        assert client._queued_bytes <= MAX_QUEUED_BYTES
        await asyncio.wait_for(task, 60)
        return socket.closed

    assert asyncio.run(serve()) == (CloseCode.TOO_SLOW, "too slow")
