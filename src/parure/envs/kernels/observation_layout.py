"""An observation is a row of bytes made of named pieces; this is how they are laid out.

The kernels write eight bytes at a time: a packed count (see :mod:`parure.games.engine.tokens`) is
eight bytes of observation. So pieces are declared in groups that fill whole words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray

from parure.games.engine.tokens import pack

WORD = 8  # bytes

# eight flags as eight bytes: the word that spells the bits of a number
SPREAD = np.array([pack(number >> bit & 1 for bit in range(8)) for number in range(256)])


@dataclass(frozen=True)
class Piece:
    """A part of the observation: bytes from `first` on, the greatest value of each, its meaning."""

    name: str
    first: int
    shape: tuple[int, ...]
    most: tuple[int, ...]  # for each place along the last axis
    about: str

    @property
    def size(self) -> int:
        """How many bytes it has."""
        return prod(self.shape)

    @property
    def last(self) -> int:
        """The index of its last byte."""
        return self.first + self.size - 1


class Pieces:
    """Collects the pieces of an observation, one after the other.

    >>> pieces = Pieces()
    >>> pieces.add("tokens", 8, 4, "the tokens held"), pieces.size
    (0, 8)
    >>> pieces.named["tokens"].last
    7
    """

    def __init__(self, version: int = 0) -> None:
        self.version = version
        self.all: list[Piece] = []
        self.size = 0

    def add(
        self, name: str, shape: int | tuple[int, ...], most: int | Sequence[int], about: str
    ) -> int:
        """A new piece; gives the word that it begins in."""
        whole = (shape,) if isinstance(shape, int) else shape
        greatest = (most,) * whole[-1] if isinstance(most, int) else tuple(most)
        assert len(greatest) == whole[-1], name
        first = self.size
        self.all.append(Piece(name, first, whole, greatest, about))
        self.size += self.all[-1].size
        return first // WORD

    def up_to(self, piece: int) -> Pieces:
        """The first so many pieces."""
        part = Pieces(self.version)
        part.all = self.all[:piece]
        part.size = part.all[-1].last + 1
        return part

    @property
    def named(self) -> dict[str, Piece]:
        """The pieces by name."""
        return {piece.name: piece for piece in self.all}

    @property
    def greatest(self) -> NDArray[np.uint8]:
        """The greatest value of every byte."""
        values = [np.broadcast_to(piece.most, piece.shape).ravel() for piece in self.all]
        return np.concatenate(values).astype(np.uint8)

    def table(self) -> str:
        """The layout as a table in Markdown, index by index."""
        lines = ["| index | name | shape | at most | meaning |", "|---|---|---|---|---|"]
        for piece in self.all:
            where = f"{piece.first}–{piece.last}" if piece.size > 1 else str(piece.first)
            shape = " × ".join(map(str, piece.shape))
            most = " ".join(map(str, piece.most)) if len(set(piece.most)) > 1 else piece.most[0]
            lines.append(f"| {where} | `{piece.name}` | {shape} | {most} | {piece.about} |")
        return "\n".join(lines)

    def split(self, observation: NDArray[np.generic]) -> dict[str, NDArray[np.generic]]:
        """An observation, or a batch of them, taken apart: views by name."""
        return {
            piece.name: observation[..., piece.first : piece.last + 1].reshape(
                *observation.shape[:-1], *piece.shape
            )
            for piece in self.all
        }
