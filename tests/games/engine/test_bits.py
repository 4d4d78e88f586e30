"""Bit operations, compared with plain definitions."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tests.games.engine.calls import callable_from_python
from tests.games.random_games import examples

from parure.games.engine import bits
from parure.games.engine.tokens import pack, unpack

POPCOUNT = callable_from_python(bits.popcount, 1)
LOWEST_BIT = callable_from_python(bits.lowest_bit, 1)
NTH_BIT = callable_from_python(bits.nth_bit, 2)
LANE_SUM = callable_from_python(bits.lane_sum, 1)
KINDS_IN = callable_from_python(bits.kinds_in, 1)
RUNNING_TOTALS = callable_from_python(bits.running_totals, 1)
LANES_GREATER_THAN = callable_from_python(bits.lanes_greater_than, 2)
COUNTS_FROM_TOTALS = callable_from_python(bits.counts_from_totals, 1)
HAS_BIT = callable_from_python(bits.has_bit, 2)
COUNT_OF = callable_from_python(bits.count_of, 2)
ONE_OF = callable_from_python(bits.one_of, 1)
SATURATING_SUB = callable_from_python(bits.saturating_sub, 2)
LANE_MIN = callable_from_python(bits.lane_min, 2)
GOLD_IN = callable_from_python(bits.gold_in, 1)
SETS = st.integers(1, 2**63 - 1) | st.integers(0, 62).map(lambda n: 1 << n)
COUNTS = st.lists(st.integers(0, 15), min_size=8, max_size=8)
LARGE_COUNTS = st.lists(st.integers(0, 127), min_size=8, max_size=8)


@given(number=SETS)
@examples(100)
def test_set_operations(number: int) -> None:
    members = [n for n in range(63) if number >> n & 1]
    assert POPCOUNT(number) == len(members)
    assert LOWEST_BIT(number) == members[0]
    assert [NTH_BIT(number, n) for n in range(len(members))] == members
    assert [n for n in range(63) if HAS_BIT(number, n)] == members


@given(counts=COUNTS)
@examples(100)
def test_operations_on_a_packed_count(counts: list[int]) -> None:
    packed = pack(counts)
    assert list(unpack(packed)) == counts
    assert LANE_SUM(packed) == sum(counts)
    assert KINDS_IN(packed) == sum(1 << kind for kind, n in enumerate(counts) if n)
    assert [COUNT_OF(packed, kind) for kind in range(8)] == counts
    assert GOLD_IN(packed) == counts[7]
    assert sum(n * ONE_OF(kind) for kind, n in enumerate(counts)) == packed
    tokens = [kind for kind, n in enumerate(counts) for _ in range(n)]
    totals = RUNNING_TOTALS(packed)
    for n, kind in enumerate(
        tokens
    ):  # drawing the n-th token lowers the totals of its kind and of later ones
        assert LANES_GREATER_THAN(totals, n) == sum(1 << 8 * later for later in range(kind, 8))
    assert COUNTS_FROM_TOTALS(totals) == packed


@given(left=LARGE_COUNTS, right=LARGE_COUNTS)
@examples(100)
def test_operations_on_two_packed_counts(left: list[int], right: list[int]) -> None:
    pairs = list(zip(left, right, strict=True))[:7]  # the results have no gold
    assert SATURATING_SUB(pack(left), pack(right)) == pack(max(a - b, 0) for a, b in pairs)
    assert LANE_MIN(pack(left), pack(right)) == pack(min(a, b) for a, b in pairs)
