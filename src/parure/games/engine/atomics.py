"""What threads may do to one array at the same moment without undoing each other's work.

A plain ``array[i, j] += 1`` reads, adds and writes: a thread that is held up in between would
later set back all that the others have added.
"""

from __future__ import annotations

from typing import Any

from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from parure.games.engine.jit import JIT

if JIT:

    def _place(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        """Where the element stands that the first three arguments name."""
        kind = signature.args[0]
        array = context.make_array(kind)(context, builder, args[0])
        return cgutils.get_item_pointer(context, builder, kind, array, args[1:3], wraparound=False)

    @intrinsic
    def add_to(typing_context: Any, array: Any, i: Any, j: Any, amount: Any) -> Any:
        """Add an amount to an element."""

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            how = "fadd" if isinstance(signature.args[3], types.Float) else "add"
            place = _place(context, builder, signature, args)
            builder.atomic_rmw(how, place, args[3], "monotonic")
            return context.get_dummy_value()

        return types.void(array, types.intp, types.intp, array.dtype), generate

    @intrinsic
    def replace(typing_context: Any, array: Any, i: Any, j: Any, old: Any, new: Any) -> Any:
        """Change an element from an old value to a new one; False if it has another.

        Who sees the new value also sees all that was written before.
        """

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            place = _place(context, builder, signature, args)
            done = builder.cmpxchg(place, args[3], args[4], "acq_rel", "monotonic")
            return builder.extract_value(done, 1)

        signature = types.boolean(array, types.intp, types.intp, array.dtype, array.dtype)
        return signature, generate

else:

    def add_to(array: Any, i: int, j: int, amount: float) -> None:
        """Add an amount to an element."""
        array[i, j] += amount

    def replace(array: Any, i: int, j: int, old: int, new: int) -> bool:
        """Change an element from an old value to a new one; False if it has another."""
        if array[i, j] != old:
            return False
        array[i, j] = new
        return True
