"""Products of float32 matrices and vectors, with vectors of the processor.

`add_rows` adds some rows of a matrix, each times a factor: the product of a matrix and a vector
that is zero elsewhere. The sums of a block of columns stay in registers over all rows, which
Numba's own loops do not achieve. Sums are not rounded in the same order on every processor, so the
last bits may differ.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numpy.typing import NDArray

from parure.games.engine.arrays import Row
from parure.games.engine.jit import JIT, inlined

COLUMNS = 16  # the columns of a matrix are a multiple of this

if JIT:
    from llvmlite import ir

    _FLOAT = ir.FloatType()
    _LANES = 8
    _VECTOR = ir.VectorType(_FLOAT, _LANES)
    _INT64 = ir.IntType(64)
    _FUSED = ("contract",)
    _REORDERED = ("contract", "reassoc")

    def _array(context: Any, builder: Any, array_type: Any, value: Any) -> Any:
        return context.make_array(array_type)(context, builder, value)

    def _vector_pointer(builder: Any, data: Any, index: Any) -> Any:
        return builder.bitcast(builder.gep(data, [index]), _VECTOR.as_pointer())

    def _load(builder: Any, data: Any, index: Any) -> Any:
        return builder.load(_vector_pointer(builder, data, index), align=4)

    def _broadcast(builder: Any, number: Any) -> Any:
        """Return a vector of copies of a number."""
        undefined = ir.Constant(_VECTOR, ir.Undefined)
        in_first = builder.insert_element(undefined, number, ir.Constant(ir.IntType(32), 0))
        from_first = ir.Constant(ir.VectorType(ir.IntType(32), _LANES), [0] * _LANES)
        return builder.shuffle_vector(in_first, undefined, from_first)

    def _constant(number: int) -> Any:
        return ir.Constant(_INT64, number)

    def _add_rows_of_block(block: int) -> Any:
        """Return the function that adds rows in a block of columns."""

        @intrinsic
        def add_rows_of_block(
            typing_context: Any,
            weights: Any,
            rows: Any,
            factors: Any,
            count: Any,
            column: Any,
            total: Any,
        ) -> Any:
            def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
                matrix, row_list, factor_list = (
                    _array(context, builder, array_type, value)
                    for array_type, value in zip(signature.args[:3], args[:3], strict=True)
                )
                count, column = args[3:5]
                target = _array(context, builder, signature.args[5], args[5]).data
                width = cgutils.unpack_tuple(builder, matrix.shape)[1]
                sums = []
                for first in range(0, block, _LANES):
                    place = builder.add(column, _constant(first))
                    sums.append(cgutils.alloca_once_value(builder, _load(builder, target, place)))
                with cgutils.for_range(builder, count) as loop:
                    row = builder.load(builder.gep(row_list.data, [loop.index]))
                    factor = builder.load(builder.gep(factor_list.data, [loop.index]))
                    factors_in_lanes = _broadcast(builder, factor)
                    start = builder.add(builder.mul(row, width), column)
                    for number, total_so_far in enumerate(sums):
                        place = builder.add(start, _constant(number * _LANES))
                        product = builder.fmul(
                            factors_in_lanes, _load(builder, matrix.data, place), flags=_FUSED
                        )
                        added = builder.fadd(builder.load(total_so_far), product, flags=_FUSED)
                        builder.store(added, total_so_far)
                for number, total_so_far in enumerate(sums):
                    place = builder.add(column, _constant(number * _LANES))
                    pointer = _vector_pointer(builder, target, place)
                    builder.store(builder.load(total_so_far), pointer, align=4)
                return context.get_dummy_value()

            signature = types.void(weights, rows, factors, types.int64, types.int64, total)
            return signature, generate

        return add_rows_of_block

    _add_64_columns = _add_rows_of_block(64)
    _add_32_columns = _add_rows_of_block(32)
    _add_16_columns = _add_rows_of_block(16)

    @inlined
    def add_rows(
        weights: NDArray[np.float32],
        rows: Row,
        factors: NDArray[np.float32],
        count: int,
        total: NDArray[np.float32],
    ) -> None:
        """Add the first `count` of some rows of a matrix, each times its factor, to a vector."""
        column, left = 0, len(total)
        while left >= 64:
            _add_64_columns(weights, rows, factors, count, column, total)
            column += 64
            left -= 64
        if left >= 32:
            _add_32_columns(weights, rows, factors, count, column, total)
            column += 32
            left -= 32
        if left >= 16:
            _add_16_columns(weights, rows, factors, count, column, total)

    @intrinsic
    def dot(typing_context: Any, a: Any, first_a: Any, b: Any, first_b: Any, length: Any) -> Any:
        """Return the dot product of two parts of vectors; their length is a multiple of 8."""

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            data_a = _array(context, builder, signature.args[0], args[0]).data
            data_b = _array(context, builder, signature.args[2], args[2]).data
            zero = ir.Constant(_VECTOR, [0.0] * _LANES)
            total = cgutils.alloca_once_value(builder, zero)
            vectors = builder.udiv(args[4], _constant(_LANES))
            with cgutils.for_range(builder, vectors) as loop:
                offset = builder.mul(loop.index, _constant(_LANES))
                in_a = _load(builder, data_a, builder.add(args[1], offset))
                in_b = _load(builder, data_b, builder.add(args[3], offset))
                product = builder.fmul(in_a, in_b, flags=_REORDERED)
                builder.store(builder.fadd(builder.load(total), product, flags=_REORDERED), total)
            lanes = builder.load(total)
            result = ir.Constant(_FLOAT, 0.0)
            for lane in range(_LANES):
                number = builder.extract_element(lanes, ir.Constant(ir.IntType(32), lane))
                result = builder.fadd(result, number, flags=_REORDERED)
            return result

        return types.float32(a, types.int64, b, types.int64, types.int64), generate

else:

    def add_rows(
        weights: NDArray[np.float32],
        rows: Row,
        factors: NDArray[np.float32],
        count: int,
        total: NDArray[np.float32],
    ) -> None:
        """Add the first `count` of some rows of a matrix, each times its factor, to a vector."""
        for i in range(count):
            total += factors[i] * weights[rows[i]]

    def dot(
        a: NDArray[np.float32], first_a: int, b: NDArray[np.float32], first_b: int, length: int
    ) -> np.float32:
        """Return the dot product of two parts of vectors; their length is a multiple of 8."""
        product: np.float32 = np.dot(a[first_a : first_a + length], b[first_b : first_b + length])
        return product
