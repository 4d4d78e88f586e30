"""Token buckets."""

from __future__ import annotations

from parure.server import limits
from parure.server.limits import MESSAGES, Rate, RateLimiter, TokenBucket


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
