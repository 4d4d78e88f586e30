"""Words that stand side by side in a row, looked at all at once.

What comes out is a set: n is in it if the n-th of the words, counted from 0, is as asked. Where the
processor has vectors of four words (AVX2) they are used; everywhere else it is a loop.
"""

from __future__ import annotations

from typing import Any

from numba import types
from numba.extending import intrinsic

from parure.games.engine.arrays import Row
from parure.games.engine.bits import (
    GOLD_SHIFT,
    HIGH,
    NO_GOLD,
    as_int,
    guarded_saturating_sub,
    total,
)
from parure.games.engine.jit import helper, processor_has

if processor_has("avx2"):
    from llvmlite import ir

    _INT64 = ir.IntType(64)
    _WORDS = ir.VectorType(_INT64, 4)
    _LANES = ir.VectorType(ir.IntType(8), 32)

    def _load(context: Any, builder: Any, row_type: Any, row: Any, first: Any) -> Any:
        """Four words of a row."""
        array = context.make_array(row_type)(context, builder, row)
        place = builder.bitcast(builder.gep(array.data, [first]), _WORDS.as_pointer())
        return builder.load(place, align=8)

    def _four_times(builder: Any, word: Any) -> Any:
        """A word, in all places of a vector."""
        nothing = ir.Constant(_WORDS, ir.Undefined)
        once = builder.insert_element(nothing, word, ir.Constant(ir.IntType(32), 0))
        from_first = ir.Constant(ir.VectorType(ir.IntType(32), 4), [0, 0, 0, 0])
        return builder.shuffle_vector(once, nothing, from_first)

    def _as_set(builder: Any, truths: Any) -> Any:
        """Four truth values as a set."""
        return builder.zext(builder.bitcast(truths, ir.IntType(4)), _INT64)

    @intrinsic
    def _four_equal(typing_context: Any, row: Any, first: Any, word: Any) -> Any:
        """Which of four words are equal to a word."""

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            words = _load(context, builder, signature.args[0], *args[:2])
            return _as_set(builder, builder.icmp_signed("==", words, _four_times(builder, args[2])))

        return types.int64(row, types.int64, types.int64), generate

    @intrinsic
    def _four_payable(typing_context: Any, row: Any, first: Any, guarded: Any, gold: Any) -> Any:
        """Which of four priced cards can be paid for; wealth is guarded, its lane of gold full."""

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            subtract = builder.module.declare_intrinsic(
                "llvm.usub.sat.v32i8", fnty=ir.FunctionType(_LANES, [_LANES, _LANES])
            )
            add_up = builder.module.declare_intrinsic(
                "llvm.x86.avx2.psad.bw", fnty=ir.FunctionType(_WORDS, [_LANES, _LANES])
            )
            words = _load(context, builder, signature.args[0], *args[:2])
            prices = builder.bitcast(words, _LANES)
            wealth = builder.bitcast(_four_times(builder, args[2]), _LANES)
            lacking = builder.call(subtract, [prices, wealth])  # in each lane, not below 0
            gold_lacking = builder.call(add_up, [lacking, ir.Constant(_LANES, [0] * 32)])
            gold = _four_times(builder, args[3])
            return _as_set(builder, builder.icmp_signed("<=", gold_lacking, gold))

        return types.int64(row, types.int64, types.int64, types.int64), generate

    @helper
    def equal_to(row: Row, first: int, number: int, word: int) -> int:
        """Those of some words that are equal to a word; also reads up to three more."""
        found = 0
        for i in range(0, number, 4):
            found |= _four_equal(row, first + i, word) << i
        return found & ((1 << number) - 1)

    @helper
    def payable(row: Row, first: int, number: int, wealth: int, gold: int) -> int:
        """Those of some priced cards that wealth and gold can pay; also reads up to three more."""
        guarded = wealth | HIGH | -1 << GOLD_SHIFT
        found = 0
        for i in range(0, number, 4):
            found |= _four_payable(row, first + i, guarded, gold) << i
        return found & ((1 << number) - 1)

else:

    @helper
    def equal_to(row: Row, first: int, number: int, word: int) -> int:
        """Those of some words that are equal to a word."""
        found = 0
        for i in range(number):
            found |= as_int(row[first + i] == word) << i
        return found

    @helper
    def payable(row: Row, first: int, number: int, wealth: int, gold: int) -> int:
        """Those of some priced cards that wealth and gold can pay."""
        found = 0
        for i in range(number):
            lacking = guarded_saturating_sub(row[first + i] & NO_GOLD, wealth)
            found |= as_int(total(lacking) <= gold) << i
        return found


@helper
def other_than(row: Row, first: int, number: int, word: int) -> int:
    """Those of some words that are not equal to a word."""
    return equal_to(row, first, number, word) ^ ((1 << number) - 1)
