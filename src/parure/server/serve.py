"""`parure serve`: run the server, and open the browser when it is ready."""

from __future__ import annotations

import errno
import logging
import socket
import sys
import webbrowser
from dataclasses import replace
from pathlib import Path
from threading import Thread
from time import sleep
from typing import Any

import uvicorn

from parure.errors import ParureError
from parure.server.idle_timeout import IdleTimeoutProtocol
from parure.server.settings import Settings
from parure.server.warmup import WarmupProcesses, load_compiled

LONGEST_FRAME = 64 << 10  # bytes of one socket message
APP = "parure.server.app:from_environment"


UVICORN_OPTIONS: dict[str, Any] = {
    "http": IdleTimeoutProtocol,
    "access_log": False,  # no addresses of tables in a log
    "log_level": "warning",
    "server_header": False,
    "ws_max_size": LONGEST_FRAME,
    "ws_max_queue": 16,
    "ws_ping_interval": 20,
    "ws_ping_timeout": 30,
    "ws_per_message_deflate": False,
    "timeout_graceful_shutdown": 3,
}


def serve(settings: Settings, opens_browser: bool) -> None:
    """Run until interrupted; ParureError if that cannot even begin."""
    settings.check()
    _prepare_folder(settings.database)
    _require_free_port(settings)
    logging.basicConfig(level=logging.INFO, format="%(levelname)s: %(message)s")
    logging.getLogger("alembic").setLevel(logging.WARNING)
    if not (settings.static_folder / "index.html").is_file():
        say("The files of the page are missing: build them with 'make play'. The API is served.")
    with WarmupProcesses() as preparation:
        if not preparation.has_rules:
            say("Compiling the rules for this machine: half a minute or so, this once.")
        preparation.wait_for_rules()
        load_compiled()
        _run(settings, opens_browser)


def _run(settings: Settings, opens_browser: bool) -> None:
    say(f"Parure is served at {settings.url} (Ctrl-C ends it).")
    if settings.is_local_only:
        say("Links work on this machine only; --host and --public-url make them work elsewhere.")
    settings.to_environment()
    if opens_browser:
        Thread(target=_open_browser, args=(settings,), daemon=True).start()
    uvicorn.run(
        APP,
        factory=True,
        host=settings.host,
        port=settings.port,
        workers=settings.workers,
        **UVICORN_OPTIONS,
    )


def say(text: str) -> None:
    """Print a line."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def _prepare_folder(database: str) -> None:
    """Make the folder of a database file, and see that the file can be written."""
    if "://" in database:
        return
    file = Path(database)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("ab"):
            pass
    except OSError as error:
        raise ParureError(
            f"{file} cannot be written ({error.strerror}); name another file with --database"
        ) from None


def _require_free_port(settings: Settings) -> None:
    """Say clearly that a port is taken, before anything else is done."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((settings.host, settings.port))
        except socket.gaierror:
            raise ParureError(f"{settings.host!r} is no address of this machine") from None
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                raise ParureError(
                    f"port {settings.port} is taken; choose another one with --port"
                ) from None
            if error.errno == errno.EACCES:
                raise ParureError(f"port {settings.port} needs more rights than you have") from None
            raise ParureError(f"{settings.host} cannot be used: {error.strerror}") from None


def _open_browser(settings: Settings) -> None:
    """Open the page once the server answers."""
    host = settings.host if settings.host not in ("0.0.0.0", "::") else "localhost"
    for _ in range(100):
        sleep(0.1)
        try:
            socket.create_connection((host, settings.port), timeout=1).close()
        except OSError:
            continue
        try:
            opened = webbrowser.open(replace(settings, public_url="").url + "/")
        except webbrowser.Error:
            opened = False
        if not opened:
            say(f"No browser could be opened: go to {settings.url} yourself.")
        return
