"""The ASGI application."""

from __future__ import annotations

from pathlib import Path

from tests.server.clients import settings_for

from parure.server.app import create_app


def test_an_app_can_be_created_without_running_it(tmp_path: Path) -> None:
    assert create_app(settings_for(tmp_path)).title == "Parure"
