"""PostgreSQL and Redis for the tests: real servers, private ones, on this machine only."""

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

ACCOUNT = "postgres"  # PostgreSQL refuses to run as root; Debian's package makes this account


class MissingServer(RuntimeError):
    """A server that is not installed; `make test` installs it, or says how."""


def find(name: str, *folders: str) -> str:
    """A program, on the path or where Debian keeps it."""
    places = [str(folder) for pattern in folders for folder in sorted(Path("/").glob(pattern))]
    found = shutil.which(name, path=os.pathsep.join([os.environ.get("PATH", ""), *places]))
    if found is None:
        raise MissingServer(f"{name} is not installed: make servers")
    return found


def wait_for_port(port: int) -> None:
    """Wait until somebody listens."""
    give_up = time.monotonic() + 30
    while time.monotonic() < give_up:
        try:
            socket.create_connection((HOST, port), timeout=1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise TimeoutError(f"nobody listens at {port}")


class Service:
    """A server process that can be stopped and started again, with its data."""

    def __init__(self) -> None:
        self.port = free_port()
        self.folder = Path(tempfile.mkdtemp(prefix="parure-"))
        self._process: subprocess.Popen[bytes] | None = None

    def command(self) -> list[str]:
        """What to run."""
        raise NotImplementedError

    def account(self) -> str | None:
        """As whom to run it, if not as oneself."""
        return None

    def start(self) -> None:
        """Run it, and wait until it listens."""
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
        """End it; its data stays."""
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
    """A Redis of one's own."""

    def command(self) -> list[str]:
        """What to run."""
        options = ["--port", str(self.port), "--bind", HOST, "--save", "", "--appendonly", "no"]
        return [find("redis-server"), *options]

    @property
    def url(self) -> str:
        """Its address."""
        return f"redis://{HOST}:{self.port}/0"


class PostgreSQL(Service):
    """A PostgreSQL cluster of one's own."""

    def start(self) -> None:
        """Run it, and wait until it has recovered what it was doing when it was stopped."""
        super().start()
        give_up = time.monotonic() + 30
        while True:
            try:
                psycopg.connect(self.url).close()
            except psycopg.OperationalError:
                if time.monotonic() > give_up:
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
        """As whom to run it: never as root."""
        return ACCOUNT if os.geteuid() == 0 else None

    def command(self) -> list[str]:
        """What to run."""
        settings = [f"listen_addresses={HOST}", f"port={self.port}", "unix_socket_directories="]
        options = [word for setting in settings for word in ("-c", setting)]
        return [self._server, "-D", "data", *options]

    @property
    def url(self) -> str:
        """The address of its one database."""
        return f"postgresql://parure@{HOST}:{self.port}/postgres"
