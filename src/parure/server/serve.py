"""`parure serve`: run the server, and open a browser when it is ready."""

from __future__ import annotations

import errno
import socket
import sys
import webbrowser
from contextlib import suppress
from dataclasses import replace
from threading import Thread
from time import sleep
from typing import Any

import uvicorn

from parure.errors import ParureError
from parure.server.clock import Run
from parure.server.idle_timeout import IdleTimeoutProtocol
from parure.server.logs import configure_logging
from parure.server.schema import create_private_file, database_url
from parure.server.settings import Settings
from parure.server.warmup import WarmupProcesses, load_compiled

APP = "parure.server.app:from_environment"

UVICORN_OPTIONS: dict[str, Any] = {
    "http": IdleTimeoutProtocol,
    "access_log": False,  # it would contain the addresses of matches
    "log_config": None,  # `configure_logging` does it
    "log_level": "warning",
    "server_header": False,
    "ws_max_size": 64 << 10,  # bytes of one message
    "ws_max_queue": 16,
    "ws_ping_interval": 20,
    "ws_ping_timeout": 30,
    "ws_per_message_deflate": False,
    "timeout_graceful_shutdown": 3,
}


def serve(settings: Settings, opens_browser: bool) -> None:
    """Run the server until it is interrupted; raise ParureError if it cannot start."""
    settings.check()
    _prepare_database_file(settings.database)
    _require_free_port(settings)
    configure_logging()
    if not (settings.static_folder / "index.html").is_file():
        _print("The page is not built; 'make play' builds it. The API is served.")
    _raise_file_limit()
    with WarmupProcesses() as processes:
        if not processes.has_rules:
            _print("Compiling the rules for this machine, once: about half a minute.")
        processes.wait_for_rules()
        load_compiled()
        _run(settings, opens_browser)


def _run(settings: Settings, opens_browser: bool) -> None:
    _print(f"Parure is served at {settings.url} (Ctrl-C stops it).")
    if settings.is_local_only:
        _print("Links work on this machine only; --host and --public-url make them work elsewhere.")
    settings.to_environment()
    Run.start().to_environment()
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


def _raise_file_limit() -> None:
    """Allow as many open files as the system lets this process have: each socket is one."""
    try:
        import resource
    except ModuleNotFoundError:  # Windows
        return
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def _print(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def _prepare_database_file(database: str) -> None:
    """Create the folder and the file of an SQLite database, and check that it is writable."""
    try:
        create_private_file(database_url(database))
    except OSError as error:
        raise ParureError(
            f"{database} cannot be written ({error.strerror}); choose another file with --database"
        ) from None


def _require_free_port(settings: Settings) -> None:
    """Raise ParureError if the port is in use, before anything else is started."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((settings.host, settings.port))
        except socket.gaierror:
            raise ParureError(f"{settings.host!r} is not an address of this machine") from None
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                raise ParureError(
                    f"port {settings.port} is in use; choose another one with --port"
                ) from None
            if error.errno == errno.EACCES:
                raise ParureError(f"no permission to listen on port {settings.port}") from None
            raise ParureError(f"cannot listen on {settings.host}: {error.strerror}") from None


def _open_browser(settings: Settings) -> None:
    """Open the page once the server accepts connections."""
    host = settings.host if settings.host not in ("0.0.0.0", "::") else "localhost"
    for _ in range(100):
        sleep(0.1)
        try:
            socket.create_connection((host, settings.port), timeout=1).close()
        except OSError:
            continue
        try:
            is_open = webbrowser.open(replace(settings, public_url="").url + "/")
        except webbrowser.Error:
            is_open = False
        if not is_open:
            _print(f"Could not open a browser: open {settings.url} yourself.")
        return
