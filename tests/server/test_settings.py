"""The server's settings."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.server.clients import settings_for

from parure.errors import ParureError
from parure.server.settings import Settings, default_database


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
