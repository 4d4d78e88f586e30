"""The random generator of the kernels: splitmix64, one 64-bit word of state.

The same seed gives the same game on every machine. See Steele, Lea and Flood, "Fast splittable
pseudorandom number generators" (2014).
"""

from __future__ import annotations

import secrets
from random import Random
from typing import Any

import numpy as np

from parure.errors import NotationError
from parure.games.engine.arrays import Rng
from parure.games.engine.bits import as_int
from parure.games.engine.jit import JIT, inlined

_DTYPE = np.dtype(np.uint64)
_GOLDEN = np.uint64(0x9E37_79B9_7F4A_7C15)
_MIX_1 = np.uint64(0xBF58_476D_1CE4_E5B9)
_MIX_2 = np.uint64(0x94D0_49BB_1331_11EB)
_27, _30, _31, _32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)
_LOW_32 = np.uint64(0xFFFF_FFFF)


def new_rng(seed: int | None = None) -> Rng:
    """Return a generator for the kernels, seeded by the system if `seed` is None."""
    if seed is None:
        seed = secrets.randbits(64)
    if not isinstance(seed, int):
        raise NotationError(f"a seed is a whole number, not {seed!r}")
    return np.array([seed % (1 << 64)], np.uint64)


def check_rng(rng: Rng) -> None:
    """Raise TypeError unless an array can be used as a generator."""
    if not isinstance(rng, np.ndarray) or rng.dtype != _DTYPE or rng.ndim != 1 or not rng.size:
        found = f"{rng.dtype} {rng.shape}" if isinstance(rng, np.ndarray) else type(rng)
        raise TypeError(f"a generator is a uint64 array with one dimension, not {found}")


def rng_from(random: Random) -> Rng:
    """Return a generator for the kernels, seeded from one of Python's."""
    return new_rng(random.getrandbits(64))


if JIT:

    @inlined
    def next_bits(rng: Any) -> Any:
        """Return 64 random bits and advance the generator."""
        rng[0] += _GOLDEN
        z = rng[0]
        z = (z ^ (z >> _30)) * _MIX_1
        z = (z ^ (z >> _27)) * _MIX_2
        return z ^ (z >> _31)


else:

    def next_bits(rng: Any) -> Any:
        """Return 64 random bits and advance the generator."""
        mask_64 = (1 << 64) - 1
        z = (int(rng[0]) + int(_GOLDEN)) & mask_64
        rng[0] = z
        z = (z ^ (z >> 30)) * int(_MIX_1) & mask_64
        z = (z ^ (z >> 27)) * int(_MIX_2) & mask_64
        return np.uint64(z ^ (z >> 31))


@inlined
def random_below(rng: Any, n: int) -> int:
    """Return a uniform random number from 0 to n - 1 (Lemire's method)."""
    count = np.uint64(n)
    product = (next_bits(rng) >> _32) * count
    if (product & _LOW_32) < count:
        threshold = (_LOW_32 + np.uint64(1) - count) % count
        while (product & _LOW_32) < threshold:
            product = (next_bits(rng) >> _32) * count
    return as_int(product >> _32)
