"""The few bit tricks that make the kernels fast, each under a plain name.

Three families: sets of small numbers as bits of an integer, packed counts (see
:mod:`parure.games.engine.tokens`), and the random generator. All integers are ``int64``
and stay positive; where an operation may overflow it is done unsigned in here. Each trick that
Python cannot express has a plain double for running without the JIT, and a test compares the two.
"""

from __future__ import annotations

from itertools import accumulate
from typing import Any

import numpy as np
from numba import types
from numba.extending import intrinsic

from parure.games.engine.jit import JIT, helper, processor_has

LANES = 0x0001_0101_0101_0101  # a 1 in each lane but gold's
HIGH = 0x0080_8080_8080_8080  # the top bit of each lane but gold's
LANE_COUNT = 8
GOLD_SHIFT = 56
GLASS_SHIFT = 48
ONE_GOLD = 1 << GOLD_SHIFT
NO_GOLD = ONE_GOLD - 1  # keeps every lane but gold's

_ALL_LANES = np.uint64(0x0101_0101_0101_0101)
_ALL_HIGH = np.uint64(0x8080_8080_8080_8080)
_GATHER = np.uint64(0x0102_0408_1020_4080)  # moves the lowest bit of each lane into the top byte
_TOP_BYTE = np.uint64(56)
_SEVEN = np.uint64(7)


if JIT:
    from llvmlite import ir

    _INT64 = ir.IntType(64)

    @intrinsic
    def popcount(typing_context: Any, bits: Any) -> Any:
        """How many bits are set."""
        return types.int64(types.int64), lambda _c, builder, _s, args: builder.ctpop(args[0])

    @intrinsic
    def lowest(typing_context: Any, bits: Any) -> Any:
        """The position of the lowest bit that is set."""

        def generate(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
            return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

        return types.int64(types.int64), generate

    @intrinsic
    def _deposit(typing_context: Any, bits: Any, mask: Any) -> Any:
        """The processor's ``pdep``: spread the low bits over the places that the mask names."""

        def generate(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
            deposit = builder.module.declare_intrinsic(
                "llvm.x86.bmi.pdep.64", fnty=ir.FunctionType(_INT64, [_INT64, _INT64])
            )
            return builder.call(deposit, args)

        return types.int64(types.int64, types.int64), generate

    if processor_has("bmi2"):

        @helper
        def nth(bits: int, n: int) -> int:
            """The position of the n-th bit that is set, counted from 0."""
            return lowest(_deposit(1 << n, bits))

    else:

        @helper
        def nth(bits: int, n: int) -> int:
            """The position of the n-th bit that is set, counted from 0."""
            position = 0
            for width in (32, 16, 8, 4, 2, 1):
                below = popcount(bits & ((1 << width) - 1))
                if n >= below:
                    n -= below
                    bits >>= width
                    position += width
            return position

    @helper
    def total(packed: int) -> int:
        """The sum of all eight lanes."""
        return as_int(np.uint64(packed) * _ALL_LANES >> _TOP_BYTE)

    @helper
    def kinds_in(packed: int) -> int:
        """The kinds whose count is not zero, as a set."""
        some = ((np.uint64(packed) | _ALL_HIGH) - _ALL_LANES) & _ALL_HIGH
        return as_int((some >> _SEVEN) * _GATHER >> _TOP_BYTE)

    @helper
    def running_totals(packed: int) -> int:
        """In each lane the sum of its count and those of all lanes below."""
        return as_int(np.uint64(packed) * _ALL_LANES)

    @helper
    def lanes_greater_than(up_to: int, n: int) -> int:
        """A 1 in each lane that is more than n."""
        more = ((np.uint64(up_to) | _ALL_HIGH) - np.uint64(n + 1) * _ALL_LANES) & _ALL_HIGH
        return as_int(more >> _SEVEN)


else:

    def popcount(bits: int) -> int:
        """How many bits are set."""
        return int(bits).bit_count()

    def lowest(bits: int) -> int:
        """The position of the lowest bit that is set."""
        return (int(bits) & -int(bits)).bit_length() - 1

    def nth(bits: int, n: int) -> int:
        """The position of the n-th bit that is set, counted from 0."""
        for _ in range(n):
            bits &= bits - 1
        return lowest(bits)

    def total(packed: int) -> int:
        """The sum of all eight lanes."""
        return sum(int(packed).to_bytes(8, "little"))

    def kinds_in(packed: int) -> int:
        """The kinds whose count is not zero, as a set."""
        return sum(1 << k for k, n in enumerate(int(packed).to_bytes(8, "little")) if n)

    def running_totals(packed: int) -> int:
        """In each lane the sum of its count and those of all lanes below."""
        lanes = accumulate(int(packed).to_bytes(8, "little"))
        return sum(count << 8 * kind for kind, count in enumerate(lanes))

    def lanes_greater_than(up_to: int, n: int) -> int:
        """A 1 in each lane that is more than n."""
        lanes = int(up_to).to_bytes(8, "little")
        return sum(1 << 8 * kind for kind, count in enumerate(lanes) if count > n)


@helper
def as_int(value: Any) -> int:
    """A truth value or a small number as a full integer."""
    return np.int64(value)  # type: ignore[return-value]


# --- sets ---------------------------------------------------------------------------------------


@helper
def has(bits: int, n: int) -> bool:
    """Whether n is in the set."""
    return (bits >> n) & 1 != 0


# --- packed counts ------------------------------------------------------------------------------


@helper
def count_of(packed: int, kind: int) -> int:
    """The count of one kind."""
    return (packed >> (8 * kind)) & 0x7F


@helper
def one(kind: int) -> int:
    """A single token of a kind, packed."""
    return 1 << (8 * kind)


@helper
def guarded_saturating_sub(guarded: int, right: int) -> int:
    """As `excess`, where the left side already carries HIGH and neither has gold: fewer steps."""
    difference = guarded - right
    not_less = difference & HIGH
    return difference & (not_less - (not_less >> 7))


@helper
def saturating_sub(left: int, right: int) -> int:
    """By how much each count of `left` exceeds that of `right`, gold left out."""
    return guarded_saturating_sub((left & NO_GOLD) | HIGH, right & NO_GOLD)


@helper
def lane_min(left: int, right: int) -> int:
    """The smaller count of each kind, gold left out."""
    return (left & NO_GOLD) - saturating_sub(left, right)


@helper
def counts_from(up_to: int) -> int:
    """The counts whose running totals these are."""
    return up_to - ((up_to & NO_GOLD) << 8)


@helper
def gold_in(packed: int) -> int:
    """How many gold."""
    return packed >> GOLD_SHIFT
