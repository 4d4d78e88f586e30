"""PostgreSQL and Redis servers that tests start on this machine."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Self

import psycopg
from tests.server.clients import HOST, free_port

ACCOUNT = "postgres"  # PostgreSQL refuses to run as root; Debian's package creates this account


class MissingServer(RuntimeError):
    """A server is not installed; `make test` installs it, or says how."""


def find(name: str, *folders: str) -> str:
    """Return the path of a program, on the search path or in Debian's folders."""
    places = [str(folder) for pattern in folders for folder in sorted(Path("/").glob(pattern))]
    found = shutil.which(name, path=os.pathsep.join([os.environ.get("PATH", ""), *places]))
    if found is None:
        raise MissingServer(f"{name} is not installed: make servers")
    return found


def wait_for_port(port: int) -> None:
    """Wait until a server listens on a port."""
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        try:
            socket.create_connection((HOST, port), timeout=1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise TimeoutError(f"no server listens on port {port}")


class Service:
    """A server process that can be stopped and started again, with its data."""

    def __init__(self) -> None:
        self.port = free_port()
        self.folder = Path(tempfile.mkdtemp(prefix="parure-"))
        self._process: subprocess.Popen[bytes] | None = None

    def command(self) -> list[str]:
        """Return the command that runs the server."""
        raise NotImplementedError

    def account(self) -> str | None:
        """Return the account to run it as; None for the current one."""
        return None

    def start(self) -> None:
        """Start it, and wait until it listens."""
        self._process = subprocess.Popen(
            self.command(),
            cwd=self.folder,
            user=self.account(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        wait_for_port(self.port)

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """Stop it and keep its data."""
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(20)
            self._process = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)


class Redis(Service):
    """A Redis server."""

    def command(self) -> list[str]:
        """Return the command that runs the server."""
        options = ["--port", str(self.port), "--bind", HOST, "--save", "", "--appendonly", "no"]
        return [find("redis-server"), *options]

    @property
    def url(self) -> str:
        """The address of the server."""
        return f"redis://{HOST}:{self.port}/0"


class PostgreSQL(Service):
    """A PostgreSQL server with an empty database."""

    def start(self) -> None:
        """Start it, and wait until it has finished its recovery."""
        super().start()
        deadline = time.monotonic() + 30
        while True:
            try:
                psycopg.connect(self.url).close()
            except psycopg.OperationalError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.1)
            else:
                return

    def __init__(self) -> None:
        super().__init__()
        account = self.account()
        if account is not None:
            shutil.chown(self.folder, account)
        programs = "usr/lib/postgresql/*/bin"
        self._server = find("postgres", programs)
        options = ["--auth=trust", "--username=parure", "--no-sync", "--encoding=UTF8"]
        subprocess.run(
            [find("initdb", programs), "--pgdata", "data", *options],
            cwd=self.folder,
            user=account,
            check=True,
            stdout=subprocess.DEVNULL,
        )

    def account(self) -> str | None:
        """Return the account to run it as: never root."""
        return ACCOUNT if os.geteuid() == 0 else None

    def command(self) -> list[str]:
        """Return the command that runs the server."""
        settings = [f"listen_addresses={HOST}", f"port={self.port}", "unix_socket_directories="]
        options = [word for setting in settings for word in ("-c", setting)]
        return [self._server, "-D", "data", *options]

    @property
    def url(self) -> str:
        """The address of the database."""
        return f"postgresql://parure@{HOST}:{self.port}/postgres"
