"""The server answers while the rules and the bots are still being compiled."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.server.clients import Process, running, settings_for

from parure.server import warming


def test_bots_wait_until_they_are_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    marker = tmp_path / "server.ready"
    monkeypatch.setattr(warming, "_marker", lambda: marker)
    slow = "import time; print('the rules are compiled', flush=True); time.sleep(4)"
    monkeypatch.setattr(warming, "PROGRAM", slow)
    with running(settings_for(tmp_path)) as (house, _):
        match = house.create("Ann", "bot:greedy", begins=1)
        assert not house.http.get("/api/catalogue").json()["are_bots_ready"]
        assert not marker.exists()
        with house.guest(match, match["seat"]) as ann:
            assert not ann.now.turn.is_yours
            ann.until_turn()
        assert house.http.get("/api/catalogue").json()["are_bots_ready"]
        assert marker.exists()


def test_a_compiler_that_fails_is_done_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(warming, "_marker", lambda: tmp_path / "server.ready")
    monkeypatch.setattr(warming, "PROGRAM", "raise SystemExit(1)")
    with running(settings_for(tmp_path)) as (house, _):
        match = house.create("Ann", "bot:greedy")
        with house.guest(match, match["seat"]) as ann:
            ann.play_turn()
            ann.until_turn()


@pytest.mark.long
def test_nothing_was_compiled_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The server answers at once, and its bots play once they are compiled."""
    monkeypatch.setenv("PARURE_CACHE", str(tmp_path / "cache"))
    with Process(str(tmp_path / "matches.sqlite")) as server:
        assert not server.house.http.get("/api/catalogue").json()["are_bots_ready"]
        server.house.http.timeout = 300.0
        match = server.house.create("Ann", "bot:level:8")
        with server.house.guest(match, match["seat"]) as ann:
            ann.play_turn()
            while not ann.now.turn.is_yours:
                ann.receive(600)
                assert server.house.http.get("/api/health").elapsed.total_seconds() < 1
        assert server.house.http.get("/api/catalogue").json()["are_bots_ready"]
