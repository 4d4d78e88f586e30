"""The socket of a match: a greeting, then commands."""

from __future__ import annotations

import asyncio
from functools import partial
from urllib.parse import urlsplit

import msgspec
from starlette.requests import HTTPConnection
from starlette.websockets import WebSocket, WebSocketDisconnect

from parure.server.connection import (
    BAD_MESSAGE,
    GOING_AWAY,
    NO_SUCH_LINK,
    TOO_LATE,
    TOO_MANY,
    Connection,
)
from parure.server.keys import CREATOR
from parure.server.limits import MESSAGES, SOCKETS, WRONG_KEYS
from parure.server.messages import AnyIncoming, Failure, Hello, Ping, Pong, decode, encode
from parure.server.registry import MatchRegistry
from parure.server.session import MatchSession
from parure.server.store import Unavailable

GREETING = 10.0  # seconds in which a client must say hello
LONGEST_MESSAGE = 16 << 10  # bytes
FORBIDDEN = 4403


def client_address(connection: HTTPConnection) -> str:
    """The address that a request comes from."""
    return connection.client.host if connection.client else ""


def is_own_origin(connection: HTTPConnection, url: str) -> bool:
    """Whether a page of this site, or a program that is no browser, sends a request."""
    origin = connection.headers.get("origin")
    if origin is None:
        return True
    own = {connection.headers.get("host", ""), urlsplit(url).netloc}
    return urlsplit(origin).netloc in own


async def serve_socket(socket: WebSocket, match: str, registry: MatchRegistry) -> None:
    """Serve one socket until it is closed."""
    await socket.accept()
    address = client_address(socket)
    registry.metrics.sockets += 1
    if not is_own_origin(socket, registry.settings.url):
        await _turn_away(socket, FORBIDDEN, "origin", "this page is not of this site")
    elif not registry.limits.allow(SOCKETS, address):
        await _turn_away(socket, TOO_MANY, "rate", "too many connections; wait a moment")
    else:
        await _greet(socket, match, registry, address)


async def _greet(socket: WebSocket, match: str, registry: MatchRegistry, address: str) -> None:
    """Wait for the greeting, and let whoever has a key in."""
    try:
        async with asyncio.timeout(GREETING):
            hello = _read(await socket.receive_text())
    except WebSocketDisconnect:
        return
    except TimeoutError:
        await _turn_away(socket, TOO_LATE, "hello", "nothing was said")
        return
    except (msgspec.MsgspecError, KeyError, RecursionError):
        await _turn_away(socket, BAD_MESSAGE, "message", "a hello was expected")
        return
    if not isinstance(hello, Hello):
        await _turn_away(socket, BAD_MESSAGE, "hello", "a hello was expected")
        return
    try:
        session = await registry.session(match)
    except Unavailable as error:
        await _turn_away(socket, GOING_AWAY, "unavailable", str(error))
        return
    role = None
    if session is not None:
        role = session.keys.role(hello.key, len(session.match.occupants))
    is_seat = (
        isinstance(role, int) and session is not None and session.match.occupants[role].is_person
    )
    if (
        session is None
        or role is None
        or role == CREATOR
        or (isinstance(role, int) and not is_seat)
    ):
        if not registry.limits.allow(WRONG_KEYS, address):
            await _turn_away(socket, TOO_MANY, "rate", "too many wrong links; wait a moment")
        else:
            await _turn_away(socket, NO_SUCH_LINK, "link", "this link opens nothing")
        return
    connection = Connection(socket, role if isinstance(role, int) else None, registry.limits)
    is_creator = hello.creator is not None and session.keys.role(hello.creator, 0) == CREATOR
    session.post(partial(session.join, connection, hello.name, is_creator))
    bucket = registry.limits.bucket(MESSAGES)

    def receive(text: str) -> None:
        registry.metrics.messages += 1
        if not bucket.take():
            connection.fail(TOO_MANY, "rate", "too many messages")
            return
        _receive(session, connection, text)

    try:
        await connection.serve(receive)
    finally:
        session.post(partial(session.leave, connection))


def _receive(session: MatchSession, connection: Connection, text: str) -> None:
    """Pass one message on to the session."""
    try:
        message = _read(text)
    except (msgspec.MsgspecError, RecursionError) as error:
        connection.fail(BAD_MESSAGE, "message", f"not understood: {str(error)[:200]}")
        return
    if isinstance(message, Ping):
        connection.send(Pong())
    elif isinstance(message, Hello):
        connection.fail(BAD_MESSAGE, "hello", "hello was said already")
    else:
        session.post(partial(session.handle, connection, message))


def _read(text: str) -> AnyIncoming:
    if len(text) > LONGEST_MESSAGE:
        raise msgspec.ValidationError("the message is too long")
    message: AnyIncoming = decode(text)
    return message


async def _turn_away(socket: WebSocket, close_code: int, code: str, message: str) -> None:
    try:
        await socket.send_text(encode(Failure(code=code, message=message)).decode())
        await socket.close(close_code, code)
    except (WebSocketDisconnect, RuntimeError, OSError):
        pass  # gone already
