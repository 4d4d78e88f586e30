"""How a server is to run."""

from __future__ import annotations

import ipaddress
import os
from dataclasses import asdict, dataclass, field
from pathlib import Path

import msgspec
from platformdirs import user_data_path

from parure.errors import ParureError

VARIABLE = "PARURE_SERVER"  # how the settings reach worker processes


def default_database() -> str:
    """The SQLite file in the user's data directory."""
    return str(user_data_path("parure", appauthor=False) / "matches.sqlite")


def default_searches() -> int:
    """How many bots may think at once: all processors but one, which serves."""
    return max(1, (os.cpu_count() or 2) - 1)


@dataclass(frozen=True, slots=True)
class Settings:
    """How a server is to run."""

    host: str = "localhost"
    port: int = 8000
    public_url: str = ""  # how others reach it, if not by host and port
    database: str = field(default_factory=default_database)
    redis: str = ""  # needed with several workers
    workers: int = 1
    searches: int = field(default_factory=default_searches)
    limits: float = 1.0  # all rate limits times this; 0 switches them off
    bot_pause: float = 0.7  # seconds before a bot's decision, so that the eye can follow
    take_over_after: int = 120  # seconds that a person must be away
    finished_days: int = 90  # how long matches are kept after they ended
    idle_days: int = 30  # or after anybody last touched them
    static: str = ""  # the built front end, if not the package's own

    @property
    def url(self) -> str:
        """The address that links begin with."""
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
            return True  # without a public address the links name this machine
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False

    @property
    def static_folder(self) -> Path:
        """Where the built front end lies."""
        return Path(self.static) if self.static else Path(__file__).with_name("static")

    def to_environment(self) -> None:
        """Leave the settings where worker processes find them."""
        os.environ[VARIABLE] = msgspec.json.encode(asdict(self)).decode()

    @classmethod
    def from_environment(cls) -> Settings:
        """The settings that were left for a worker process."""
        return msgspec.json.decode(os.environ[VARIABLE], type=cls)

    def check(self) -> None:
        """Refuse what cannot work."""
        if self.workers > 1 and not self.redis:
            raise ParureError("several workers need --redis, to tell each other what happened")
        if self.public_url and not self.public_url.startswith(("http://", "https://")):
            raise ParureError("--public-url must begin with http:// or https://")
