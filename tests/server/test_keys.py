"""The keys of a match."""

from __future__ import annotations

from parure.server.keys import CREATOR, WATCHER, MatchKeys

KEYS = MatchKeys(b"secret", "0123456789abcdef")


def test_a_key_has_one_role() -> None:
    assert KEYS.role(KEYS.seat_key(0), seats=2) == 0
    assert KEYS.role(KEYS.seat_key(1), seats=2) == 1
    assert KEYS.role(KEYS.watch_key, seats=2) == WATCHER
    assert KEYS.role(KEYS.creator_key, seats=2) == CREATOR


def test_invalid_keys_have_no_role() -> None:
    assert KEYS.role(KEYS.seat_key(2), seats=2) is None
    assert KEYS.role("", seats=2) is None
    assert KEYS.role("é", seats=2) is None


def test_keys_depend_on_match_and_secret() -> None:
    others = [MatchKeys(b"secret", "fedcba9876543210"), MatchKeys(b"other", KEYS.match)]
    assert len({keys.seat_key(0) for keys in (KEYS, *others)}) == 3
