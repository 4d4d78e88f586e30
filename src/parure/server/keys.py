"""Links: a key that cannot be guessed for each seat of a match, for its watchers, its creator.

A key follows from the server's secret, the match and the role, so none is ever stored, and the
server can tell a seat its link to a rematch.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from dataclasses import dataclass

KEY_BYTES = 18  # 144 bits; 24 letters
WATCH = "watch"
CREATOR = "creator"


@dataclass(frozen=True, slots=True)
class Keys:
    """All keys of one match."""

    secret: bytes
    match: str

    def of_seat(self, seat: int) -> str:
        """The key of a seat."""
        return self._key(f"seat {seat}")

    @property
    def of_watchers(self) -> str:
        """The key with which one may watch."""
        return self._key(WATCH)

    @property
    def of_creator(self) -> str:
        """The key with which the match may be deleted."""
        return self._key(CREATOR)

    def role(self, key: str, seats: int) -> int | str | None:
        """The seat that a key belongs to, `watch`, `creator`, or None if it is none of them."""
        given = key.encode()
        found: int | str | None = None
        roles: list[tuple[int | str, str]] = [(n, self.of_seat(n)) for n in range(seats)]
        roles += [(WATCH, self.of_watchers), (CREATOR, self.of_creator)]
        for role, right in roles:
            if hmac.compare_digest(given, right.encode()):  # all are compared: no time to measure
                found = role
        return found

    def _key(self, role: str) -> str:
        text = f"{self.match}:{role}".encode()
        digest = hmac.digest(self.secret, text, hashlib.sha256)
        return base64.urlsafe_b64encode(digest[:KEY_BYTES]).decode()


def new_match_id() -> str:
    """A name for a match; it opens nothing without a key."""
    return secrets.token_hex(8)


def new_secret() -> str:
    """A secret for a new server."""
    return secrets.token_hex(32)
