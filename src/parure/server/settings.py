"""The server's settings."""

from __future__ import annotations

import ipaddress
import os
from dataclasses import asdict, dataclass, field
from pathlib import Path

import msgspec
from platformdirs import user_data_path

from parure.errors import ParureError

VARIABLE = "PARURE_SERVER"  # the environment variable that passes settings to worker processes


def default_database() -> str:
    """Return the path of the SQLite file in the user's data directory."""
    return str(user_data_path("parure", appauthor=False) / "matches.sqlite")


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
    limits: float = 1.0  # factor of all rate limits; 0 disables them
    bot_pause: float = 0.7  # minimum seconds per bot decision, so that players can follow
    take_over_after: int = 120  # seconds a player must be disconnected before a bot may take over
    finished_days: int = 90  # days until a finished match is deleted
    idle_days: int = 30  # days without a change until an unfinished match is deleted
    static: str = ""  # folder of the built front end, if not the package's own

    @property
    def url(self) -> str:
        """The address that links start with, without a trailing slash."""
        if self.public_url:
            return self.public_url.rstrip("/")
        host = "localhost" if self.host in ("0.0.0.0", "::", "") else self.host
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}"

    @property
    def is_local_only(self) -> bool:
        """Whether links work on this machine only."""
        if self.public_url:
            return False
        if self.host in ("localhost", "", "0.0.0.0", "::"):
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
