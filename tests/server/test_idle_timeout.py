"""HTTP connections on which no request, or only a part of one, arrives."""

from __future__ import annotations

import socket
import time
from pathlib import Path

import pytest
from tests.server.clients import HOST, TIMEOUT, running, settings_for

from parure.server import idle_timeout, middleware


@pytest.mark.parametrize(
    ("sent", "response"),
    [
        (b"", b""),
        (b"GET /api/health HTTP/1.1\r\nHost: ", b""),
        (
            b"POST /api/matches HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\n{",
            b"HTTP/1.1 408",
        ),
    ],
)
def test_incomplete_requests_are_closed(
    sent: bytes, response: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing, half a request, or half a body: the server does not hold the connection."""
    monkeypatch.setattr(idle_timeout, "REQUEST_TIMEOUT", 0.5)
    monkeypatch.setattr(middleware, "REQUEST_TIMEOUT", 0.5)
    with (
        running(settings_for(tmp_path)) as (api, _),
        socket.create_connection((HOST, api.port), timeout=TIMEOUT) as connection,
    ):
        connection.sendall(sent)
        assert connection.recv(4096)[:12] == response


def test_a_silent_websocket_stays_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with running(settings_for(tmp_path)) as (api, _):
        match = api.create("Ann", "Bob")
        monkeypatch.setattr(idle_timeout, "REQUEST_TIMEOUT", 0.1)
        with api.connect(match, 0) as ann:
            time.sleep(0.5)  # several timeouts
            ann.play_turn()
