"""Secret keys of a match: one per seat, one for watchers and one for the creator.

A key is an HMAC of the match id and the role under the server's secret. No key is stored, and the
server can compute a seat's key for the rematch. A seat can replace its key by one that its client
chooses; the match then stores a digest of that key, and the key before is not valid any more.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass

KEY_BYTES = 18  # 144 bits, 24 characters in base64
MATCH_ID = "[0-9a-f]{16}"  # a regular expression
WATCHER = "watch"
CREATOR = "creator"


@dataclass(frozen=True, slots=True)
class MatchKeys:
    """The keys of one match."""

    secret: bytes
    match: str

    def seat_key(self, seat: int) -> str:
        """Return the key of a seat."""
        return self._key(f"seat {seat}")

    @property
    def watch_key(self) -> str:
        """The key that lets a client watch."""
        return self._key(WATCHER)

    @property
    def creator_key(self) -> str:
        """The key that lets a client delete the match."""
        return self._key(CREATOR)

    def role(self, key: str, renewed: Sequence[str]) -> int | str | None:
        """Return the seat a key belongs to, `WATCHER`, `CREATOR`, or None if it is invalid.

        Args:
            key: As a client sent it.
            renewed: For each seat the digest of the key that replaced its first one, or nothing.
        """
        given = key_digest(key)
        found: int | str | None = None
        roles: list[tuple[int | str, str]] = [
            (seat, digest or key_digest(self.seat_key(seat))) for seat, digest in enumerate(renewed)
        ]
        roles += [(WATCHER, key_digest(self.watch_key)), (CREATOR, key_digest(self.creator_key))]
        for role, expected in roles:  # always compare all of them: constant time
            if hmac.compare_digest(given, expected):
                found = role
        return found

    def _key(self, role: str) -> str:
        text = f"{self.match}:{role}".encode()
        digest = hmac.digest(self.secret, text, hashlib.sha256)
        return base64.urlsafe_b64encode(digest[:KEY_BYTES]).decode()


def key_digest(key: str) -> str:
    """Return what is stored of a key that a client chose: its SHA-256 in hex."""
    return hashlib.sha256(key.encode()).hexdigest()


def new_match_id() -> str:
    """Return a random match id. Without a key it opens only the finished game."""
    return secrets.token_hex(8)


def is_match_id(text: str) -> bool:
    """Return whether a text has the form of a match id: what a client sends may not."""
    return re.fullmatch(MATCH_ID, text) is not None


def new_secret() -> str:
    """Return a random secret for a new server, in hex."""
    return secrets.token_hex(32)
