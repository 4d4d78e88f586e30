"""Compare consecutive words of a row at once.

Each function returns a set: n is a member if the n-th word, counted from 0, satisfies the
condition. On processors with AVX2 four words are compared in one vector; elsewhere it is a loop.
The vector versions read whole groups of four, so up to three words after the last one must exist.
"""

from __future__ import annotations

from typing import Any

from numba import types
from numba.extending import intrinsic

from parure.games.engine.arrays import Row
from parure.games.engine.bits import (
    GOLD_SHIFT,
    LANE_HIGH_BITS,
    NON_GOLD_LANES,
    as_int,
    guarded_saturating_sub,
    lane_sum,
)
from parure.games.engine.jit import cpu_has, inlined

if cpu_has("avx2"):
    from llvmlite import ir

    _INT64 = ir.IntType(64)
    _FOUR_WORDS = ir.VectorType(_INT64, 4)
    _BYTES = ir.VectorType(ir.IntType(8), 32)

    def _load(context: Any, builder: Any, row_type: Any, row: Any, first: Any) -> Any:
        """Return four words of a row as a vector."""
        array = context.make_array(row_type)(context, builder, row)
        pointer = builder.bitcast(builder.gep(array.data, [first]), _FOUR_WORDS.as_pointer())
        return builder.load(pointer, align=8)

    def _broadcast(builder: Any, word: Any) -> Any:
        """Return a vector of four copies of a word."""
        undefined = ir.Constant(_FOUR_WORDS, ir.Undefined)
        in_first = builder.insert_element(undefined, word, ir.Constant(ir.IntType(32), 0))
        from_first = ir.Constant(ir.VectorType(ir.IntType(32), 4), [0, 0, 0, 0])
        return builder.shuffle_vector(in_first, undefined, from_first)

    def _as_set(builder: Any, booleans: Any) -> Any:
        """Return four booleans as a set."""
        return builder.zext(builder.bitcast(booleans, ir.IntType(4)), _INT64)

    @intrinsic
    def _four_equal(typing_context: Any, row: Any, first: Any, word: Any) -> Any:
        """Return which of four words are equal to a word."""

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            words = _load(context, builder, signature.args[0], *args[:2])
            return _as_set(builder, builder.icmp_signed("==", words, _broadcast(builder, args[2])))

        return types.int64(row, types.int64, types.int64), generate

    @intrinsic
    def _four_affordable(typing_context: Any, row: Any, first: Any, guarded: Any, gold: Any) -> Any:
        """Return which of four priced cards are affordable.

        `guarded` is the wealth with all high bits and the whole lane of gold set.
        """

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            saturating_sub = builder.module.declare_intrinsic(
                "llvm.usub.sat.v32i8", fnty=ir.FunctionType(_BYTES, [_BYTES, _BYTES])
            )
            sum_bytes = builder.module.declare_intrinsic(
                "llvm.x86.avx2.psad.bw", fnty=ir.FunctionType(_FOUR_WORDS, [_BYTES, _BYTES])
            )
            words = _load(context, builder, signature.args[0], *args[:2])
            costs = builder.bitcast(words, _BYTES)
            wealth = builder.bitcast(_broadcast(builder, args[2]), _BYTES)
            lacking = builder.call(saturating_sub, [costs, wealth])
            gold_needed = builder.call(sum_bytes, [lacking, ir.Constant(_BYTES, [0] * 32)])
            gold = _broadcast(builder, args[3])
            return _as_set(builder, builder.icmp_signed("<=", gold_needed, gold))

        return types.int64(row, types.int64, types.int64, types.int64), generate

    @inlined
    def find_equal(row: Row, first: int, number: int, word: int) -> int:
        """Return which of some words are equal to a word."""
        found = 0
        for i in range(0, number, 4):
            found |= _four_equal(row, first + i, word) << i
        return found & ((1 << number) - 1)

    @inlined
    def find_affordable(row: Row, first: int, number: int, wealth: int, gold: int) -> int:
        """Return which of some priced cards can be paid with wealth, and gold for what it lacks.

        Wealth is the sum of bonuses and tokens, without gold.
        """
        guarded = wealth | LANE_HIGH_BITS | -1 << GOLD_SHIFT
        found = 0
        for i in range(0, number, 4):
            found |= _four_affordable(row, first + i, guarded, gold) << i
        return found & ((1 << number) - 1)

else:

    @inlined
    def find_equal(row: Row, first: int, number: int, word: int) -> int:
        """Return which of some words are equal to a word."""
        found = 0
        for i in range(number):
            found |= as_int(row[first + i] == word) << i
        return found

    @inlined
    def find_affordable(row: Row, first: int, number: int, wealth: int, gold: int) -> int:
        """Return which of some priced cards can be paid with wealth, and gold for what it lacks.

        Wealth is the sum of bonuses and tokens, without gold.
        """
        found = 0
        for i in range(number):
            lacking = guarded_saturating_sub(row[first + i] & NON_GOLD_LANES, wealth)
            found |= as_int(lane_sum(lacking) <= gold) << i
        return found


@inlined
def find_different(row: Row, first: int, number: int, word: int) -> int:
    """Return which of some words are not equal to a word."""
    return find_equal(row, first, number, word) ^ ((1 << number) - 1)
