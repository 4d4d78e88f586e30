"""Atomic operations on the elements of an array that several threads write to.

A plain ``array[i, j] += 1`` reads, adds and writes in three steps, so that additions of other
threads in between are lost.
"""

from __future__ import annotations

from typing import Any

from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from parure.games.engine.jit import JIT

if JIT:

    def _element_pointer(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        """Return a pointer to the element that the first three arguments name."""
        array_type = signature.args[0]
        array = context.make_array(array_type)(context, builder, args[0])
        return cgutils.get_item_pointer(
            context, builder, array_type, array, args[1:3], wraparound=False
        )

    @intrinsic
    def atomic_add(typing_context: Any, array: Any, i: Any, j: Any, amount: Any) -> Any:
        """Add an amount to an element."""

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            operation = "fadd" if isinstance(signature.args[3], types.Float) else "add"
            pointer = _element_pointer(context, builder, signature, args)
            builder.atomic_rmw(operation, pointer, args[3], "monotonic")
            return context.get_dummy_value()

        return types.void(array, types.intp, types.intp, array.dtype), generate

    @intrinsic
    def compare_and_swap(
        typing_context: Any, array: Any, i: Any, j: Any, old: Any, new: Any
    ) -> Any:
        """Change an element from `old` to `new`; return False if it had another value.

        A thread that reads the new value also sees everything that was written before the swap.
        """

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            pointer = _element_pointer(context, builder, signature, args)
            swapped = builder.cmpxchg(pointer, args[3], args[4], "acq_rel", "monotonic")
            return builder.extract_value(swapped, 1)

        signature = types.boolean(array, types.intp, types.intp, array.dtype, array.dtype)
        return signature, generate

else:

    def atomic_add(array: Any, i: int, j: int, amount: float) -> None:
        """Add an amount to an element."""
        array[i, j] += amount

    def compare_and_swap(array: Any, i: int, j: int, old: int, new: int) -> bool:
        """Change an element from `old` to `new`; return False if it had another value."""
        if array[i, j] != old:
            return False
        array[i, j] = new
        return True
