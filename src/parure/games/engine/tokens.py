"""The eight kinds of token, and counts of them packed into one integer.

Kinds are always listed in the order ``w u g r k p v y``:
docs/rules/README.md, "Kinds of token". A *packed count* holds one byte ("lane") for each kind,
white lowest, so that the tokens, bonuses or price of a seat are one 64-bit integer that kernels
add, compare and subtract in a few instructions (see :mod:`parure.games.engine.bits`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

W, U, G, R, K, P, V, Y = range(8)

LETTERS = "wugrkpvy"
NAMES = ("white", "blue", "green", "red", "black", "pearl", "glass", "gold")
GEMS = LETTERS[:5]

KIND_OF_LETTER = {letter: kind for kind, letter in enumerate(LETTERS)}


def pack(counts: Iterable[int]) -> int:
    """Return up to eight counts in kind order as a packed count.

    >>> hex(pack([1, 0, 2]))
    '0x20001'
    """
    return sum(count << 8 * kind for kind, count in enumerate(counts))


def unpack(packed: int) -> tuple[int, ...]:
    """Return the eight counts of a packed count, in kind order.

    >>> unpack(0x20001)
    (1, 0, 2, 0, 0, 0, 0, 0)
    """
    return tuple(int(packed) >> 8 * kind & 0xFF for kind in range(8))


def counts_by_letter(packed: int) -> dict[str, int]:
    """Return the counts that are not zero, by letter.

    >>> counts_by_letter(0x20001)
    {'w': 1, 'g': 2}
    """
    return _counts_by_letter(int(packed)).copy()


@lru_cache(maxsize=1 << 14)
def _counts_by_letter(packed: int) -> dict[str, int]:
    lanes = packed.to_bytes(8, "little", signed=True)
    return {letter: n for letter, n in zip(LETTERS, lanes, strict=True) if n}


def spell(counts: Mapping[str, int]) -> str:
    """Return tokens as letters in kind order.

    >>> spell({"g": 2, "w": 1})
    'wgg'
    """
    return "".join([letter * counts.get(letter, 0) for letter in LETTERS])


def shortage(card: str, lack: Mapping[str, int], gold: int) -> str:
    """Return a sentence that says what is missing to buy a card.

    >>> shortage("J1-01", {"p": 1}, 0)
    'J1-01 needs 1 more pearl'
    """
    wanted = ", ".join(f"{n} more {NAMES[KIND_OF_LETTER[kind]]}" for kind, n in lack.items())
    held = f" and you hold {gold} gold" if gold else ""
    return f"{card} needs {wanted or 'more gold'}{held}"
