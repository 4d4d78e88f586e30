"""The server's settings."""

from __future__ import annotations

import ipaddress
import os
from dataclasses import asdict, dataclass, field
from pathlib import Path

import msgspec
from platformdirs import user_data_path

from parure.errors import ParureError
from parure.server.origin import ALL_INTERFACES, Site
from parure.server.schema import database_url

VARIABLE = "PARURE_SERVER"  # the environment variable that passes settings to worker processes
PASSWORD_VARIABLE = "PARURE_DATABASE_PASSWORD"
METRICS_VARIABLE = "PARURE_METRICS_TOKEN"

MIN_TOKEN_LENGTH = 16  # characters


def default_database() -> str:
    """Return the path of the SQLite file in the user's data directory."""
    return str(user_data_path("parure", appauthor=False) / "matches.sqlite")


def with_password(database: str, file: Path | None) -> str:
    """Return the address of a database with the password of a file or of the environment.

    Other users of the machine can read command lines, so a password should not be in one.

    Args:
        database: An address, with or without a password.
        file: A file that holds the password; None: the variable `PARURE_DATABASE_PASSWORD`.

    Raises:
        ParureError: The file cannot be read, or the database has no password.
    """
    password = os.environ.get(PASSWORD_VARIABLE, "")
    if file is not None:
        try:
            password = file.read_text("utf-8").rstrip("\r\n")
        except (OSError, UnicodeDecodeError) as error:
            raise ParureError(f"{file} cannot be read: {error}") from None
    url = database_url(database)
    if url.get_backend_name() == "postgresql":
        if password:
            return url.set(password=password).render_as_string(hide_password=False)
        return database
    if file is not None:
        raise ParureError("a password needs a database at postgresql://…")
    return database


def metrics_token() -> str:
    """Return the token that opens `/api/metrics`, from the environment; empty: it stays closed.

    Raises:
        ParureError: The token is so short that it could be guessed.
    """
    token = os.environ.get(METRICS_VARIABLE, "")
    if token and len(token) < MIN_TOKEN_LENGTH:
        raise ParureError(f"{METRICS_VARIABLE} must have at least {MIN_TOKEN_LENGTH} characters")
    return token


def default_searches() -> int:
    """Return the number of concurrent bot decisions: all processors but the one that serves."""
    return max(1, (os.cpu_count() or 2) - 1)


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of one server; `parure serve` has an option for most of them."""

    host: str = "localhost"
    port: int = 8000
    public_url: str = ""  # the address for links, if not host and port
    database: str = field(default_factory=default_database)
    redis: str = ""  # required with several workers
    workers: int = 1
    searches: int = field(default_factory=default_searches)  # concurrent bot decisions per worker
    bot_memory: int = 1024  # megabytes for the search trees of all bots, over all workers
    limits: float = 1.0  # factor of all rate limits; 0 disables them
    bot_pause: float = 0.7  # minimum seconds per bot decision, so that players can follow
    take_over_after: int = 120  # seconds a player must be disconnected before a bot may take over
    finished_days: int = 90  # days until a finished match is deleted
    idle_days: int = 30  # days without a change until an unfinished match is deleted
    metrics_token: str = ""  # opens /api/metrics; without one it is closed
    static: str = ""  # folder of the built front end, if not the package's own

    @property
    def url(self) -> str:
        """The address that links start with, without a trailing slash."""
        if self.public_url:
            return self.public_url.rstrip("/")
        host = "localhost" if self.host in ALL_INTERFACES else self.host
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}"

    @property
    def site(self) -> Site:
        """The names under which clients reach the server."""
        return Site(self.url, self.host, is_public=bool(self.public_url))

    @property
    def is_local_only(self) -> bool:
        """Whether links work on this machine only."""
        if self.public_url:
            return False
        if self.host in ("localhost", *ALL_INTERFACES):
            return True  # `url` says localhost
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False

    @property
    def static_folder(self) -> Path:
        """The folder of the built front end."""
        return Path(self.static) if self.static else Path(__file__).with_name("static")

    def to_environment(self) -> None:
        """Store the settings in an environment variable, for worker processes."""
        os.environ[VARIABLE] = msgspec.json.encode(asdict(self)).decode()

    @classmethod
    def from_environment(cls) -> Settings:
        """Read the settings that `to_environment` stored."""
        return msgspec.json.decode(os.environ[VARIABLE], type=cls)

    def check(self) -> None:
        """Raise ParureError if the settings contradict each other."""
        if self.workers > 1 and not self.redis:
            raise ParureError("several workers need --redis, to notify each other of changes")
        if self.public_url and not self.public_url.startswith(("http://", "https://")):
            raise ParureError("--public-url must begin with http:// or https://")
