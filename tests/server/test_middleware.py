"""Limits of requests, the origin check, and the security headers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.server.clients import HOST, ApiClient, running, settings_for
from tests.server.responses import error

from parure.server import middleware
from parure.server.limits import Rate


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


def test_pages_of_other_sites_cannot_post(api: ApiClient) -> None:
    body: dict[str, Any] = {"players": [{}, {}]}
    other = {"Origin": "http://evil.example"}
    assert error(api.http.post("/api/matches", json=body, headers=other)) == (403, "origin")
    own = {"Origin": f"http://{HOST}:{api.port}"}
    assert api.http.post("/api/matches", json=body, headers=own).status_code == 201


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
        assert api.http.get("/").status_code != 429  # the page itself is not limited
