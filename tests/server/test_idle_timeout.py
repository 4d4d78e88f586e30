"""HTTP connections of clients that send only a part of a request, or do not read the response."""

from __future__ import annotations

import socket
import time
from contextlib import suppress
from pathlib import Path
from random import Random

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


def test_a_response_that_nobody_reads_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would stay in memory for as long as the client likes."""
    monkeypatch.setattr(idle_timeout, "REQUEST_TIMEOUT", 0.2)
    monkeypatch.setattr(idle_timeout, "RESPONSE_TIMEOUT", 0.5)
    (tmp_path / "index.html").write_text("page")
    large = tmp_path / "large.js"  # more than the buffers of the system
    large.write_bytes(Random(1).randbytes(8 << 20))
    request = b"GET /large.js HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n\r\n"
    with (
        running(settings_for(tmp_path, static=str(tmp_path))) as (api, _),
        socket.create_connection((HOST, api.port), timeout=TIMEOUT) as connection,
    ):
        connection.sendall(request)
        time.sleep(3)
        size = 0
        with suppress(ConnectionResetError):
            while received := connection.recv(1 << 20):
                size += len(received)
        assert 0 < size < 8 << 20
        assert api.http.get("/large.js").content == large.read_bytes()


def test_a_silent_websocket_stays_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with running(settings_for(tmp_path)) as (api, _):
        match = api.create("Ann", "Bob")
        monkeypatch.setattr(idle_timeout, "REQUEST_TIMEOUT", 0.1)
        with api.connect(match, 0) as ann:
            time.sleep(0.5)  # several timeouts
            ann.play_turn()
