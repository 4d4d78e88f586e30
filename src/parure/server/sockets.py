"""The WebSocket of a match: the client's hello, then its commands."""

from __future__ import annotations

import asyncio
from functools import partial

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from parure.server.connection import CloseCode, Connection
from parure.server.keys import CREATOR, key_digest
from parure.server.limits import ADDRESS_MESSAGES, MESSAGES, SOCKETS, WRONG_KEYS
from parure.server.messages import (
    AnyIncoming,
    Failure,
    Hello,
    Ping,
    Pong,
    ReadLog,
    ReadSteps,
    decode,
    encode,
)
from parure.server.origin import client_address
from parure.server.registry import MatchRegistry
from parure.server.session import MatchSession
from parure.server.store import Unavailable, UnreadableMatch

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
    address = client_address(socket)
    if not registry.limits.open_socket(address):
        message = "too many open connections from your address"
        await _reject(socket, Rejected(CloseCode.RATE_LIMIT, "rate", message))
        return
    try:
        await _serve_accepted(socket, match, registry, address)
    finally:
        registry.limits.close_socket(address)


async def _serve_accepted(
    socket: WebSocket, match: str, registry: MatchRegistry, address: str
) -> None:
    try:
        _check_request(socket, registry)
        hello = await _receive_hello(socket)
        session, seat = await _authenticate(socket, match, hello, registry)
    except WebSocketDisconnect:
        return
    except Rejected as error:
        await _reject(socket, error)
        return
    connection = Connection(socket, seat, address, key_digest(hello.key))
    is_creator = hello.creator is not None and session.role(hello.creator) == CREATOR
    session.post(partial(session.join, connection, hello.name, is_creator))
    sender = (match, connection.address if seat is None else seat)

    def receive(text: str) -> None:
        registry.metrics.messages += 1
        limits = registry.limits
        is_allowed = limits.allow(MESSAGES, sender)
        if not (is_allowed and limits.allow(ADDRESS_MESSAGES, connection.address)):
            connection.fail(CloseCode.RATE_LIMIT, "rate", "too many messages")
            return
        _receive(session, connection, text)

    try:
        await connection.serve(receive)
    finally:
        session.post(partial(session.leave, connection))


def _check_request(socket: WebSocket, registry: MatchRegistry) -> None:
    """Raise Rejected if the socket comes from another site, or too often."""
    site = registry.settings.site
    if not (site.is_known_host(socket) and site.is_same_origin(socket)):
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
        raise Rejected(CloseCode.RESTART, error.code, str(error)) from None
    except UnreadableMatch as error:
        raise Rejected(CloseCode.UNREADABLE, "damaged", str(error)) from None
    if session is not None:
        role = session.role(hello.key)
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
        if message.version is not None:
            session.check_version(connection, message.version)
    elif isinstance(message, ReadLog):
        session.send_log(connection, message.before)
    elif isinstance(message, ReadSteps):
        session.send_steps(connection, message.start, message.end)
    elif isinstance(message, Hello):
        connection.fail(CloseCode.BAD_MESSAGE, "hello", "hello was already sent")
    else:
        session.receive(connection, message)


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
