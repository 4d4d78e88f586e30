"""Bit operations of the kernels: sets of small numbers, and packed counts.

A *set* is an integer whose bit n says whether n is a member. A *packed count* holds one count in
each of eight byte-wide lanes, one lane for each kind of token
(see :mod:`parure.games.engine.tokens`).

All integers are ``int64`` and not negative; operations that may overflow are done unsigned.
Functions that Python cannot express as fast have a second, plain definition for running without
the JIT; a test compares the two.
"""

from __future__ import annotations

from itertools import accumulate
from typing import Any

import numpy as np
from numba import types
from numba.extending import intrinsic

from parure.games.engine.jit import JIT, cpu_has, inlined

LANE_COUNT = 8
GLASS_SHIFT = 48
GOLD_SHIFT = 56
ONE_GOLD = 1 << GOLD_SHIFT
# These three leave out gold, the highest lane, so that they stay positive numbers.
NON_GOLD_LANES = ONE_GOLD - 1  # all bits of each lane
LANE_ONES = 0x0001_0101_0101_0101  # a count of 1 in each lane
LANE_HIGH_BITS = 0x0080_8080_8080_8080  # the highest bit of each lane

_ALL_LANE_ONES = np.uint64(0x0101_0101_0101_0101)
_ALL_HIGH_BITS = np.uint64(0x8080_8080_8080_8080)
_GATHER = np.uint64(0x0102_0408_1020_4080)  # multiplier: lowest bit of each lane to the top byte
_TOP_BYTE_SHIFT = np.uint64(56)
_HIGH_BIT_SHIFT = np.uint64(7)


if JIT:
    from llvmlite import ir

    _INT64 = ir.IntType(64)

    @intrinsic
    def popcount(typing_context: Any, bits: Any) -> Any:
        """Return the number of members of a set."""
        return types.int64(types.int64), lambda _c, builder, _s, args: builder.ctpop(args[0])

    @intrinsic
    def lowest_bit(typing_context: Any, bits: Any) -> Any:
        """Return the smallest member of a set that is not empty."""

        def generate(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
            return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

        return types.int64(types.int64), generate

    @intrinsic
    def _deposit_bits(typing_context: Any, bits: Any, mask: Any) -> Any:
        """Move the low bits to the positions of the mask's bits: the instruction ``pdep``."""

        def generate(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
            deposit = builder.module.declare_intrinsic(
                "llvm.x86.bmi.pdep.64", fnty=ir.FunctionType(_INT64, [_INT64, _INT64])
            )
            return builder.call(deposit, args)

        return types.int64(types.int64, types.int64), generate

    if cpu_has("bmi2"):

        @inlined
        def nth_bit(bits: int, n: int) -> int:
            """Return the n-th smallest member of a set, counted from 0."""
            return lowest_bit(_deposit_bits(1 << n, bits))

    else:

        @inlined
        def nth_bit(bits: int, n: int) -> int:
            """Return the n-th smallest member of a set, counted from 0."""
            position = 0
            for width in (32, 16, 8, 4, 2, 1):
                in_lower_half = popcount(bits & ((1 << width) - 1))
                if n >= in_lower_half:
                    n -= in_lower_half
                    bits >>= width
                    position += width
            return position

    @inlined
    def lane_sum(packed: int) -> int:
        """Return the sum of all eight counts."""
        return as_int(np.uint64(packed) * _ALL_LANE_ONES >> _TOP_BYTE_SHIFT)

    @inlined
    def kinds_in(packed: int) -> int:
        """Return the set of kinds whose count is not zero."""
        nonzero = ((np.uint64(packed) | _ALL_HIGH_BITS) - _ALL_LANE_ONES) & _ALL_HIGH_BITS
        return as_int((nonzero >> _HIGH_BIT_SHIFT) * _GATHER >> _TOP_BYTE_SHIFT)

    @inlined
    def running_totals(packed: int) -> int:
        """Return in each lane the sum of its count and the counts of all lower lanes."""
        return as_int(np.uint64(packed) * _ALL_LANE_ONES)

    @inlined
    def lanes_greater_than(packed: int, n: int) -> int:
        """Return a count of 1 in each lane whose count is greater than n."""
        greater = (np.uint64(packed) | _ALL_HIGH_BITS) - np.uint64(n + 1) * _ALL_LANE_ONES
        return as_int((greater & _ALL_HIGH_BITS) >> _HIGH_BIT_SHIFT)


else:

    def popcount(bits: int) -> int:
        """Return the number of members of a set."""
        return int(bits).bit_count()

    def lowest_bit(bits: int) -> int:
        """Return the smallest member of a set that is not empty."""
        return (int(bits) & -int(bits)).bit_length() - 1

    def nth_bit(bits: int, n: int) -> int:
        """Return the n-th smallest member of a set, counted from 0."""
        for _ in range(n):
            bits &= bits - 1
        return lowest_bit(bits)

    def lane_sum(packed: int) -> int:
        """Return the sum of all eight counts."""
        return sum(int(packed).to_bytes(8, "little"))

    def kinds_in(packed: int) -> int:
        """Return the set of kinds whose count is not zero."""
        return sum(1 << k for k, n in enumerate(int(packed).to_bytes(8, "little")) if n)

    def running_totals(packed: int) -> int:
        """Return in each lane the sum of its count and the counts of all lower lanes."""
        totals = accumulate(int(packed).to_bytes(8, "little"))
        return sum(count << 8 * kind for kind, count in enumerate(totals))

    def lanes_greater_than(packed: int, n: int) -> int:
        """Return a count of 1 in each lane whose count is greater than n."""
        counts = int(packed).to_bytes(8, "little")
        return sum(1 << 8 * kind for kind, count in enumerate(counts) if count > n)


@inlined
def as_int(value: Any) -> int:
    """Return a boolean or a small integer as an ``int64``."""
    return np.int64(value)  # type: ignore[return-value]


# --- sets -----------------------------------------------------------------------------------------


@inlined
def has_bit(bits: int, n: int) -> bool:
    """Return whether n is a member of a set."""
    return (bits >> n) & 1 != 0


# --- packed counts --------------------------------------------------------------------------------


@inlined
def one_of(kind: int) -> int:
    """Return one token of a kind, packed."""
    return 1 << (8 * kind)


@inlined
def count_of(packed: int, kind: int) -> int:
    """Return the count of one kind."""
    return (packed >> (8 * kind)) & 0x7F


@inlined
def gold_in(packed: int) -> int:
    """Return the count of gold."""
    return packed >> GOLD_SHIFT


@inlined
def guarded_saturating_sub(guarded: int, right: int) -> int:
    """Like `saturating_sub`, but faster.

    Neither side has gold, and the left side has `LANE_HIGH_BITS` set already.
    """
    difference = guarded - right
    not_negative = difference & LANE_HIGH_BITS
    return difference & (not_negative - (not_negative >> 7))


@inlined
def saturating_sub(left: int, right: int) -> int:
    """Subtract each count of `right` from that of `left`, down to 0; the result has no gold."""
    return guarded_saturating_sub((left & NON_GOLD_LANES) | LANE_HIGH_BITS, right & NON_GOLD_LANES)


@inlined
def lane_min(left: int, right: int) -> int:
    """Return the smaller count of each kind; the result has no gold."""
    return (left & NON_GOLD_LANES) - saturating_sub(left, right)


@inlined
def counts_from_totals(totals: int) -> int:
    """Return the packed counts of which these are the running totals."""
    return totals - ((totals & NON_GOLD_LANES) << 8)
