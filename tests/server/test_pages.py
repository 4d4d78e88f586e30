"""The built front end and its files."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.server.clients import HOST, ApiClient, running, settings_for
from tests.server.responses import error
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from parure.server.middleware import SECURITY_HEADERS


def test_the_front_end_is_served(tmp_path: Path) -> None:
    built = tmp_path / "static"
    (built / "assets").mkdir(parents=True)
    (built / "index.html").write_text("<!doctype html>Parure", encoding="utf-8")
    (built / "assets" / "page-1.js").write_text("1", encoding="utf-8")
    (tmp_path / "secret.txt").write_text("secret", encoding="utf-8")
    with running(settings_for(tmp_path, static=str(built))) as (api, _):
        for path in ("/", "/table/0123456789abcdef", "/help"):
            assert api.http.get(path).text == "<!doctype html>Parure"
        asset = api.http.get("/assets/page-1.js")
        assert asset.headers["content-type"].startswith("text/javascript")
        assert "immutable" in asset.headers["cache-control"]
        assert api.http.get("/assets/nothing.js").status_code == 404
        for outside in ("/../secret.txt", "/%2e%2e/secret.txt", "/assets/..%2f..%2fsecret.txt"):
            assert "secret" not in api.http.get(outside).text
        assert error(api.http.post("/help")) == (405, "method")


def test_a_missing_front_end_is_explained(tmp_path: Path) -> None:
    with running(settings_for(tmp_path, static=str(tmp_path))) as (api, _):
        response = api.http.get("/")
        assert response.status_code == 503
        assert "make play" in response.text


def test_unknown_api_paths(api: ApiClient) -> None:
    assert error(api.http.get("/api/nothing")) == (404, "path")
    with pytest.raises(InvalidStatus), connect(f"ws://{HOST}:{api.port}/api/nothing"):
        pass


def test_assets_are_compressed_and_kept_for_ever(tmp_path: Path) -> None:
    built = tmp_path / "static"
    (built / "assets").mkdir(parents=True)
    script = "export const answer = 42;\n" * 1000
    for name in ("index.html", "assets/page-1.js", "assets/card-1.webp"):
        (built / name).write_text(script, encoding="utf-8")
    with running(settings_for(tmp_path, static=str(built))) as (api, _):
        plain, compressed = (
            api.http.get("/assets/page-1.js", headers={"Accept-Encoding": encodings})
            for encodings in ("identity", "br, gzip")
        )
        assert plain.text == compressed.text == script
        assert compressed.headers["content-encoding"] == "gzip"
        assert int(compressed.headers["content-length"]) < len(script) / 10
        assert "content-encoding" not in plain.headers
        for response in (plain, compressed):
            assert response.headers["vary"] == "Accept-Encoding"
            assert response.headers["cache-control"] == "public, max-age=31536000, immutable"
            assert response.headers["content-type"].startswith("text/javascript")
        assert api.http.get("/").headers["content-encoding"] == "gzip"
        assert api.http.get("/").headers["cache-control"] == "no-cache"
        assert "content-encoding" not in api.http.get("/assets/card-1.webp").headers
        (built / "assets" / "page-1.js").write_text("changed", encoding="utf-8")
        os.utime(built / "assets" / "page-1.js", (1, 1))
        assert api.http.get("/assets/page-1.js").text == "changed"


@pytest.mark.parametrize(
    "path", ["/%00", "/a%0ab", "/" + "a" * 300, "/assets/" + "a" * 300 + ".js"]
)
def test_strange_paths_are_not_found(tmp_path: Path, path: str) -> None:
    (tmp_path / "index.html").write_text("<!doctype html>Parure", encoding="utf-8")
    with running(settings_for(tmp_path, static=str(tmp_path))) as (api, _):
        response = api.http.get(path)
        assert error(response) == (404, "path")
        for name in SECURITY_HEADERS:
            assert name in response.headers
