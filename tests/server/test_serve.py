"""`parure serve`: errors at the start, and the browser."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from tests.server.clients import HOST, free_port, settings_for, wait_for_health

from parure.server import serve


def start_error(*arguments: str) -> str:
    """Return the error line of a `parure serve` that cannot start."""
    program = "from parure.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", program, "serve", "--no-browser", *arguments],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 1
    lines = done.stderr.strip().splitlines()
    assert len(lines) == 1, done.stderr
    return lines[0]


def test_a_port_in_use(tmp_path: Path) -> None:
    with socket.socket() as listening:
        listening.bind((HOST, 0))
        listening.listen()
        port = str(listening.getsockname()[1])
        database = str(tmp_path / "m.sqlite")
        message = start_error("--host", HOST, "--port", port, "--database", database)
    assert message == f"parure: port {port} is in use; choose another one with --port"


def test_a_database_file_that_cannot_be_written(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("", encoding="utf-8")
    port, database = str(free_port()), f"{file}/m.sqlite"
    message = start_error("--host", HOST, "--port", port, "--database", database)
    assert "cannot be written" in message
    assert "--database" in message


def test_invalid_addresses(tmp_path: Path) -> None:
    database = ["--database", str(tmp_path / "m.sqlite")]
    assert "not an address of this machine" in start_error("--host", "nowhere.invalid", *database)
    assert "need --redis" in start_error("--workers", "2", *database)
    assert "http://" in start_error("--public-url", "parure.example", *database)
    assert "unknown database" in start_error("--database", "mysql://x/y")


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
    output, errors = process.communicate(timeout=120)
    assert f"http://{HOST}:{port}" in output
    assert "Links work on this machine only" in output
    assert "Traceback" not in errors
    assert (tmp_path / "new" / "m.db").exists()


def test_the_browser_is_opened(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    opened: list[str] = []

    def open_browser(url: str) -> bool:
        opened.append(url)
        return True

    monkeypatch.setattr("webbrowser.open", open_browser)
    with socket.socket() as listening:
        listening.bind((HOST, 0))
        listening.listen()
        port = listening.getsockname()[1]
        serve._open_browser(settings_for(tmp_path, port=port))
    assert opened == [f"http://{HOST}:{port}/"]


def test_a_missing_browser_is_reported(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("webbrowser.open", lambda _: False)
    with socket.socket() as listening:
        listening.bind((HOST, 0))
        listening.listen()
        serve._open_browser(settings_for(tmp_path, port=listening.getsockname()[1]))
    assert "Could not open a browser" in capsys.readouterr().out
