"""Limits of requests, the origin check, and the security headers."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest
from starlette.types import ASGIApp, Receive
from tests.server.clients import HOST, ApiClient, running, settings_for
from tests.server.responses import JSON, error
from websockets.sync.client import connect

from parure.server import catalogue, middleware
from parure.server.limits import Rate, RateLimiter
from parure.server.middleware import RequestLimitsMiddleware
from parure.server.origin import Site


def test_deeply_nested_bodies_are_invalid(api: ApiClient) -> None:
    for body in (b"[" * 100_000, b'{"record":' * 20_000):
        response = api.http.post("/api/replays", content=body)
        assert response.status_code in (400, 422)
        assert error(response)[1] == "invalid"


def test_large_bodies_are_refused(api: ApiClient) -> None:
    response = api.http.post("/api/matches", content=b"x" * (5 << 20))
    assert error(response) == (413, "size")

    def without_content_length() -> Iterator[bytes]:
        for _ in range(100):
            yield b"x" * 65536

    response = api.http.post("/api/matches", content=without_content_length())
    assert error(response) == (413, "size")


@pytest.mark.parametrize(
    ("path", "allowed"),
    [
        ("/api/matches", 60_000),
        ("/api/analysis/position", 60_000),
        ("/api/analysis/play", 60_000),
        ("/api/analysis/engine", 60_000),
        ("/api/replays", 500_000),
        ("/api/matches/import", 500_000),
        ("/api/analysis/record", 500_000),
    ],
)
def test_a_body_is_as_large_as_its_path_needs(api: ApiClient, path: str, allowed: int) -> None:
    """A body is parsed by the thread of all matches, into objects of thirty times its size."""
    body, headers = b'{"x":[' + b"{}," * (allowed // 3) + b"{}]}", {"Content-Type": JSON}
    assert error(api.http.post(path, content=body, headers=headers)) == (422, "invalid")
    response = api.http.post(path, content=b" " * (allowed * 6 // 5), headers=headers)
    assert error(response) == (413, "size")


def test_pages_of_other_sites_cannot_post(api: ApiClient) -> None:
    body: dict[str, Any] = {"players": [{}, {}]}
    other = {"Origin": "http://evil.example"}
    assert error(api.http.post("/api/matches", json=body, headers=other)) == (403, "origin")
    own = {"Origin": f"http://{HOST}:{api.port}"}
    assert api.http.post("/api/matches", json=body, headers=own).status_code == 201


@pytest.mark.parametrize("path", ["/", "/api/health", "/table/x"])
def test_a_name_that_is_not_the_servers_is_refused(api: ApiClient, path: str) -> None:
    """Otherwise a page could reach the server under its own name: DNS rebinding."""
    for host in ("evil.example", f"evil.example:{api.port}", "[", "", "127.0.0.1.evil.example"):
        response = api.http.get(path, headers={"Host": host})
        assert response.status_code in (400, 421), host
    rebound = {"Host": "evil.example", "Origin": "http://evil.example"}
    assert error(api.http.post("/api/matches", json={}, headers=rebound)) == (421, "host")
    response = api.http.get(path, headers={"Host": "evil.example"})
    assert "content-security-policy" in response.headers


@pytest.mark.parametrize("path", ["/", "/api/health", "/api/nothing", "/table/x"])
def test_every_response_has_security_headers(api: ApiClient, path: str) -> None:
    headers = api.http.get(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["x-content-type-options"] == "nosniff"
    assert "server" not in headers


def test_rejected_requests_have_security_headers(api: ApiClient) -> None:
    response = api.http.post("/api/matches", headers={"Origin": "http://evil.example"})
    assert response.status_code == 403
    assert "content-security-policy" in response.headers
    assert response.headers["cache-control"] == "no-store"


def test_https_sites_ask_browsers_to_stay_with_https(tmp_path: Path) -> None:
    with running(settings_for(tmp_path, public_url="https://parure.example")) as (api, _):
        assert "strict-transport-security" in api.http.get("/").headers


def test_requests_are_limited_per_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with running(settings_for(tmp_path, limits=1)) as (api, _):
        monkeypatch.setattr(middleware, "REQUESTS", Rate(3, 0))
        statuses = [api.http.get("/api/health").status_code for _ in range(4)]
        assert statuses == [200, 200, 200, 429]
        assert api.http.get("/").status_code != 429  # the page has a limit of its own
        monkeypatch.setattr(middleware, "PAGES", Rate(2, 0))
        assert [api.http.get("/").status_code == 429 for _ in range(3)] == [False, False, True]


def test_a_malformed_origin_is_another_site(api: ApiClient) -> None:
    response = api.http.post("/api/matches", headers={"Origin": "http://["})
    assert error(response) == (403, "origin")
    for name in middleware.SECURITY_HEADERS:
        assert name in response.headers
    url = f"ws://{HOST}:{api.port}/api/matches/{'0' * 16}/socket"
    with connect(url, additional_headers={"Origin": "http://["}, compression=None) as link:
        assert msgspec.json.decode(link.recv(10))["code"] == "origin"


def test_an_unexpected_error_has_security_headers(
    api: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr(catalogue, "catalogue", fail)
    response = api.http.get("/api/catalogue")
    assert error(response) == (500, "failed")
    for name in middleware.SECURITY_HEADERS:
        assert name in response.headers


def test_requests_of_one_ipv6_network_are_limited_together() -> None:
    limiter, counts = RateLimiter(1), []

    async def app(*_: object) -> None:
        counts.append(1)

    site = Site("http://localhost", "localhost", is_public=False)
    limited = RequestLimitsMiddleware(cast(ASGIApp, app), limiter, site)

    async def send(_: object) -> None:
        pass

    async def request_from(address: str) -> None:
        headers = [(b"host", b"localhost")]
        scope = {"type": "http", "method": "GET", "path": "/api/x", "headers": headers}
        await limited(scope | {"client": (address, 1)}, cast(Receive, None), send)

    async def request_all() -> None:
        for number in range(200):
            await request_from(f"2001:db8::{number:x}")
        assert len(counts) < 100
        await request_from("2001:db8:0:1::1")

    asyncio.run(request_all())
    assert 60 < len(counts) < 100
