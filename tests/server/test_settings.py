"""The server's settings."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.server.clients import settings_for

from parure.errors import ParureError
from parure.server.schema import database_url
from parure.server.settings import Settings, default_database, with_password


@pytest.mark.parametrize(
    ("settings", "url", "is_local_only"),
    [
        (Settings(), "http://localhost:8000", True),
        (Settings(host="::1", port=1), "http://[::1]:1", True),
        (Settings(host="0.0.0.0"), "http://localhost:8000", True),
        (Settings(host="192.0.2.7"), "http://192.0.2.7:8000", False),
        (Settings(public_url="https://parure.example/"), "https://parure.example", False),
    ],
)
def test_url_and_is_local_only(settings: Settings, url: str, is_local_only: bool) -> None:
    assert settings.url == url
    assert settings.is_local_only == is_local_only


def test_settings_are_passed_to_workers(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PARURE_SERVER", "")
    settings = settings_for(tmp_path, redis="redis://x", workers=3)
    settings.to_environment()
    assert Settings.from_environment() == settings
    assert default_database().endswith("matches.sqlite")


def test_several_workers_need_redis(tmp_path: Path) -> None:
    with pytest.raises(ParureError, match="need --redis"):
        settings_for(tmp_path, workers=2).check()


def test_the_password_of_the_database_can_be_in_a_file_or_in_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "password"
    file.write_text("p@ss/wörd\n", encoding="utf-8")
    address = "postgresql://parure@db.example:5433/matches?sslmode=require"
    url = database_url(with_password(address, file))
    assert (url.username, url.password, url.host) == ("parure", "p@ss/wörd", "db.example")
    assert (url.port, url.database, url.query) == (5433, "matches", {"sslmode": "require"})
    assert with_password(address, None) == address
    monkeypatch.setenv("PARURE_DATABASE_PASSWORD", "other")
    assert database_url(with_password(address, None)).password == "other"
    with_old = address.replace("parure@", "parure:old@")
    assert database_url(with_password(with_old, None)).password == "other"
    assert with_password("matches.sqlite", None) == "matches.sqlite"


def test_a_password_that_cannot_be_used(tmp_path: Path) -> None:
    address = "postgresql://parure@localhost/parure"
    with pytest.raises(ParureError, match="cannot be read"):
        with_password(address, tmp_path / "missing")
    (tmp_path / "password").write_text("x", encoding="utf-8")
    with pytest.raises(ParureError, match="postgresql://"):
        with_password("matches.sqlite", tmp_path / "password")
