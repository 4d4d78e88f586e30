"""Call functions from Python that have no Python wrapper when they are compiled."""

from __future__ import annotations

from typing import Any

import numba

from parure.games.engine.jit import JIT


def callable_from_python(function: Any, arguments: int) -> Any:
    """Return an inlined function wrapped so that Python can call it."""
    if not JIT:
        return function
    if arguments == 1:
        return numba.njit(lambda one: function(one))
    if arguments == 2:
        return numba.njit(lambda one, two: function(one, two))
    return numba.njit(lambda *these: function(*these))
