"""`parure serve`: what it says when something is in the way, and what it serves."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from tests.server.clients import HOST, free_port, settings_for, wait_for_health

from parure.errors import ParureError
from parure.server import serve
from parure.server.settings import Settings, default_database


def complaint(*arguments: str) -> str:
    """What `parure serve` says on stderr when it cannot begin."""
    program = "from parure.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", program, "serve", "--no-browser", *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1
    lines = done.stderr.strip().splitlines()
    assert len(lines) == 1, done.stderr
    return lines[0]


def test_a_port_that_is_taken(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind((HOST, 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        said = complaint("--host", HOST, "--port", port, "--database", str(tmp_path / "m.sqlite"))
    assert said == f"parure: port {port} is in use; choose another one with --port"


def test_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("", encoding="utf-8")
    said = complaint("--host", HOST, "--port", str(free_port()), "--database", f"{file}/m.sqlite")
    assert "cannot be written" in said
    assert "--database" in said


def test_addresses_that_cannot_be(tmp_path: Path) -> None:
    database = ["--database", str(tmp_path / "m.sqlite")]
    assert "not an address of this machine" in complaint("--host", "nowhere.invalid", *database)
    assert "need --redis" in complaint("--workers", "2", *database)
    assert "http://" in complaint("--public-url", "parure.example", *database)
    assert "unknown database" in complaint("--database", "mysql://x/y")


def test_it_serves_until_interrupted(tmp_path: Path) -> None:
    port = free_port()
    program = "from parure.cli import main; main()"
    arguments = ["serve", "--host", HOST, "--port", str(port), "--no-browser"]
    process = subprocess.Popen(
        [sys.executable, "-c", program, *arguments, "--database", str(tmp_path / "new" / "m.db")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONWARNINGS": "ignore"},
    )
    wait_for_health(port)
    process.send_signal(signal.SIGINT)
    said, complained = process.communicate(timeout=30)
    assert f"http://{HOST}:{port}" in said
    assert "Links work on this machine only" in said
    assert "Traceback" not in complained
    assert (tmp_path / "new" / "m.db").exists()


def test_the_browser_is_opened(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    opened: list[str] = []

    def note(url: str) -> bool:
        opened.append(url)
        return True

    monkeypatch.setattr("webbrowser.open", note)
    with socket.socket() as listening:
        listening.bind((HOST, 0))
        listening.listen()
        port = listening.getsockname()[1]
        serve._open_browser(settings_for(tmp_path, port=port))
    assert opened == [f"http://{HOST}:{port}/"]


def test_no_browser_is_said(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("webbrowser.open", lambda _: False)
    with socket.socket() as listening:
        listening.bind((HOST, 0))
        listening.listen()
        serve._open_browser(settings_for(tmp_path, port=listening.getsockname()[1]))
    assert "Could not open a browser" in capsys.readouterr().out


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
def test_links(settings: Settings, url: str, is_local_only: bool) -> None:
    assert settings.url == url
    assert settings.is_local_only == is_local_only


def test_settings_reach_a_worker(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PARURE_SERVER", "")
    chosen = settings_for(tmp_path, redis="redis://x", workers=3)
    chosen.to_environment()
    assert Settings.from_environment() == chosen
    assert default_database().endswith("matches.sqlite")


def test_a_bad_address_of_redis() -> None:
    from parure.server.bus import RedisBus

    with pytest.raises(ParureError, match="redis://"):
        RedisBus("nonsense")
