"""The keys of a match."""

from __future__ import annotations

from parure.server.keys import CREATOR, WATCHER, MatchKeys, key_digest

KEYS = MatchKeys(b"secret", "0123456789abcdef")


def test_a_key_has_one_role() -> None:
    assert KEYS.role(KEYS.seat_key(0), ["", ""]) == 0
    assert KEYS.role(KEYS.seat_key(1), ["", ""]) == 1
    assert KEYS.role(KEYS.watch_key, ["", ""]) == WATCHER
    assert KEYS.role(KEYS.creator_key, ["", ""]) == CREATOR


def test_invalid_keys_have_no_role() -> None:
    assert KEYS.role(KEYS.seat_key(2), ["", ""]) is None
    assert KEYS.role("", ["", ""]) is None
    assert KEYS.role("é", ["", ""]) is None


def test_keys_depend_on_match_and_secret() -> None:
    others = [MatchKeys(b"secret", "fedcba9876543210"), MatchKeys(b"other", KEYS.match)]
    assert len({keys.seat_key(0) for keys in (KEYS, *others)}) == 3


def test_a_renewed_key_replaces_the_first_one() -> None:
    renewed = ["", key_digest("another")]
    assert KEYS.role("another", renewed) == 1
    assert KEYS.role(KEYS.seat_key(1), renewed) is None
    assert KEYS.role(KEYS.seat_key(0), renewed) == 0
    assert KEYS.role(renewed[1], renewed) is None  # the database does not hold the key
