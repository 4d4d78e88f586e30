"""The built front end and its files."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.server.clients import HOST, ApiClient, running, settings_for
from tests.server.responses import error
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect


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
