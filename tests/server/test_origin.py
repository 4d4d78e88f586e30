"""Where a request comes from, and under which name it reached the server."""

from __future__ import annotations

import pytest
from starlette.requests import HTTPConnection

from parure.server.settings import Settings

PUBLIC = Settings(host="0.0.0.0", public_url="https://parure.example:8443")
LOCAL = Settings(port=8000)
OPEN = Settings(host="0.0.0.0", port=8000)
NAMED = Settings(host="table.lan", port=8000)


def request(host: str, origin: str | None = None) -> HTTPConnection:
    headers = [(b"host", host.encode())]
    if origin is not None:
        headers.append((b"origin", origin.encode()))
    return HTTPConnection({"type": "http", "headers": headers})


@pytest.mark.parametrize(
    ("settings", "host", "is_known"),
    [
        (PUBLIC, "parure.example:8443", True),
        (PUBLIC, "PARURE.example", True),  # a proxy may leave out the port
        (PUBLIC, "localhost:8000", True),  # health checks on the machine
        (PUBLIC, "127.0.0.1:8000", True),
        (PUBLIC, "203.0.113.5", False),
        (PUBLIC, "evil.example", False),
        (PUBLIC, "parure.example.evil.example", False),
        (PUBLIC, "evil.example@parure.example:8443", True),  # the part before @ is no host
        (PUBLIC, "parure.example@evil.example", False),
        (PUBLIC, "", False),
        (PUBLIC, "[", False),
        (LOCAL, "localhost:8000", True),
        (LOCAL, "[::1]:8000", True),
        (LOCAL, "192.0.2.7:8000", False),
        (LOCAL, "evil.example:8000", False),
        (OPEN, "192.0.2.7:8000", True),
        (OPEN, "evil.example:8000", False),
        (NAMED, "table.lan:8000", True),
        (NAMED, "other.lan:8000", False),
    ],
)
def test_known_hosts(settings: Settings, host: str, is_known: bool) -> None:
    assert settings.site.is_known_host(request(host)) == is_known


@pytest.mark.parametrize(
    ("settings", "host", "origin", "is_same"),
    [
        (PUBLIC, "parure.example", None, True),
        (PUBLIC, "parure.example", "https://parure.example:8443", True),
        (PUBLIC, "parure.example", "http://parure.example:8443", False),
        (PUBLIC, "parure.example", "https://other.example:8443", False),
        (PUBLIC, "parure.example", "null", False),
        (PUBLIC, "parure.example", "http://[", False),
        (PUBLIC, "parure.example", "http://parure.example:x", False),
        (LOCAL, "localhost:8000", "http://localhost:8000", True),
        (LOCAL, "127.0.0.1:8000", "http://127.0.0.1:8000", True),
        (LOCAL, "localhost:8000", "http://localhost:9000", False),
        (OPEN, "192.0.2.7:8000", "http://192.0.2.7:8000", True),
        (OPEN, "192.0.2.7:8000", "http://192.0.2.8:8000", False),
    ],
)
def test_same_origins(settings: Settings, host: str, origin: str | None, is_same: bool) -> None:
    assert settings.site.is_same_origin(request(host, origin)) == is_same
