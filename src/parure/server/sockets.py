"""The WebSocket of a match: the client's hello, then its commands."""

from __future__ import annotations

import asyncio
from functools import partial

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from parure.server.connection import CloseCode, Connection
from parure.server.keys import CREATOR
from parure.server.limits import MESSAGES, SOCKETS, WRONG_KEYS
from parure.server.messages import AnyIncoming, Failure, Hello, Ping, Pong, decode, encode
from parure.server.origin import client_address, is_same_origin
from parure.server.registry import MatchRegistry
from parure.server.session import MatchSession
from parure.server.store import Unavailable

HELLO_TIMEOUT = 10.0  # seconds
MAX_MESSAGE_LENGTH = 16 << 10  # characters


class Rejected(Exception):
    """Raised to close a socket before it belongs to a match."""

    def __init__(self, close_code: CloseCode, code: str, message: str) -> None:
        super().__init__(message)
        self.close_code = close_code
        self.code = code


async def serve_socket(socket: WebSocket, match: str, registry: MatchRegistry) -> None:
    """Serve one socket until it is closed."""
    await socket.accept()
    registry.metrics.sockets += 1
    try:
        _check_request(socket, registry)
        hello = await _receive_hello(socket)
        session, seat = await _authenticate(socket, match, hello, registry)
    except WebSocketDisconnect:
        return
    except Rejected as error:
        await _reject(socket, error)
        return
    connection = Connection(socket, seat, registry.limits)
    is_creator = hello.creator is not None and session.keys.role(hello.creator, 0) == CREATOR
    session.post(partial(session.join, connection, hello.name, is_creator))
    bucket = registry.limits.bucket(MESSAGES)

    def receive(text: str) -> None:
        registry.metrics.messages += 1
        if not bucket.take():
            connection.fail(CloseCode.RATE_LIMIT, "rate", "too many messages")
            return
        _receive(session, connection, text)

    try:
        await connection.serve(receive)
    finally:
        session.post(partial(session.leave, connection))


def _check_request(socket: WebSocket, registry: MatchRegistry) -> None:
    """Raise Rejected if the socket comes from another site, or too often."""
    if not is_same_origin(socket, registry.settings.url):
        message = "connections from other sites are not allowed"
        raise Rejected(CloseCode.FORBIDDEN_ORIGIN, "origin", message)
    if not registry.limits.allow(SOCKETS, client_address(socket)):
        raise Rejected(CloseCode.RATE_LIMIT, "rate", "too many connections; wait a moment")


async def _receive_hello(socket: WebSocket) -> Hello:
    """Wait for the first message; raise Rejected if it is no hello."""
    try:
        async with asyncio.timeout(HELLO_TIMEOUT):
            message = _decode(await socket.receive_text())
    except TimeoutError:
        raise Rejected(CloseCode.HELLO_TIMEOUT, "hello", "no hello was sent") from None
    except (msgspec.MsgspecError, KeyError, RecursionError):
        raise Rejected(CloseCode.BAD_MESSAGE, "message", "expected a hello") from None
    if not isinstance(message, Hello):
        raise Rejected(CloseCode.BAD_MESSAGE, "hello", "expected a hello")
    return message


async def _authenticate(
    socket: WebSocket, match: str, hello: Hello, registry: MatchRegistry
) -> tuple[MatchSession, int | None]:
    """Return the match and the seat, or None for a watcher, that a key gives access to."""
    try:
        session = await registry.session(match)
    except Unavailable as error:
        raise Rejected(CloseCode.RESTART, "unavailable", str(error)) from None
    if session is not None:
        role = session.keys.role(hello.key, len(session.match.occupants))
        if isinstance(role, int):
            if session.match.occupants[role].is_person:
                return session, role
        elif role is not None and role != CREATOR:
            return session, None
    if not registry.limits.allow(WRONG_KEYS, client_address(socket)):
        raise Rejected(CloseCode.RATE_LIMIT, "rate", "too many wrong keys; wait a moment")
    raise Rejected(CloseCode.WRONG_KEY, "link", "wrong match or key")


def _receive(session: MatchSession, connection: Connection, text: str) -> None:
    """Pass one message on to the session."""
    try:
        message = _decode(text)
    except (msgspec.MsgspecError, RecursionError) as error:
        reason = f"cannot decode the message: {str(error)[:200]}"
        connection.fail(CloseCode.BAD_MESSAGE, "message", reason)
        return
    if isinstance(message, Ping):
        connection.send(Pong())
    elif isinstance(message, Hello):
        connection.fail(CloseCode.BAD_MESSAGE, "hello", "hello was already sent")
    else:
        session.post(partial(session.handle, connection, message))


def _decode(text: str) -> AnyIncoming:
    if len(text) > MAX_MESSAGE_LENGTH:
        raise msgspec.ValidationError("the message is too long")
    message: AnyIncoming = decode(text)
    return message


async def _reject(socket: WebSocket, error: Rejected) -> None:
    try:
        await socket.send_text(encode(Failure(code=error.code, message=str(error))).decode())
        await socket.close(error.close_code, error.code)
    except (WebSocketDisconnect, RuntimeError, OSError):
        pass  # the client has closed it
