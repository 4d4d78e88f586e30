"""Token buckets."""

from __future__ import annotations

import pytest

from parure.server import limits
from parure.server.limits import MESSAGES, Rate, RateLimiter, TokenBucket, address_group


def test_a_bucket_refills() -> None:
    times = iter([0.0, *[0.0] * 4, *[0.5] * 3, *[60.0] * 5])
    bucket = TokenBucket(Rate(3, 2), lambda: next(times))
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]
    assert [bucket.take() for _ in range(2)] == [True, False]
    assert [bucket.is_full, bucket.is_full] == [False, True]
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]


def test_each_sender_has_a_bucket() -> None:
    some = RateLimiter(0.1)
    allowed = [some.allow(MESSAGES, "a") for _ in range(20)]
    assert allowed[0]
    assert not allowed[-1]
    assert some.allow(MESSAGES, "b")


def test_limits_can_be_disabled() -> None:
    none = RateLimiter(0)
    assert all(none.allow(MESSAGES, "a") for _ in range(1000))
    bucket = none.bucket(MESSAGES)
    assert all(bucket.take() for _ in range(1000))


def test_the_number_of_buckets_is_bounded() -> None:
    some = RateLimiter(1)
    for sender in range(2 * limits.MAX_BUCKETS):
        some.allow(MESSAGES, sender)
    assert len(some._buckets) <= limits.MAX_BUCKETS


def test_many_other_senders_do_not_renew_an_allowance(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_BUCKETS", 100)
    some = RateLimiter(1)
    while some.allow(MESSAGES, "flooder"):
        pass
    for sender in range(1000):
        some.allow(MESSAGES, sender)
    assert len(some._buckets) <= 100
    assert not some.allow(MESSAGES, "flooder")


@pytest.mark.parametrize(
    ("one", "other", "are_same"),
    [
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", True),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
        ("fe80::1%eth0", "fe80::2%eth0", True),
        ("192.0.2.1", "192.0.2.2", False),
        ("192.0.2.1", "::ffff:192.0.2.1", True),
        ("testclient", "", False),
    ],
)
def test_a_network_of_ipv6_is_one_sender(one: str, other: str, are_same: bool) -> None:
    assert (address_group(one) == address_group(other)) is are_same
