"""The layout of an observation: a row of bytes that is made of named fields.

Kernels write eight bytes at a time: a word of packed counts (see
:mod:`parure.games.engine.tokens`) is eight bytes of the observation. Fields are therefore declared
in groups that fill whole words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray

from parure.games.engine.tokens import pack

WORD_BYTES = 8

# BITS_AS_BYTES[n] is the word whose eight bytes are the eight bits of n.
BITS_AS_BYTES = np.array([pack(number >> bit & 1 for bit in range(8)) for number in range(256)])


@dataclass(frozen=True)
class ObservationField:
    """A named part of an observation: the bytes from `start` up to, but without, `stop`."""

    name: str
    start: int
    shape: tuple[int, ...]
    max_values: tuple[int, ...]  # one for each index of the last axis
    meaning: str

    @property
    def size(self) -> int:
        """The number of bytes."""
        return prod(self.shape)

    @property
    def stop(self) -> int:
        """The index of the first byte after the field."""
        return self.start + self.size


class ObservationLayout:
    """The fields of an observation, in their order.

    >>> layout = ObservationLayout()
    >>> layout.add("tokens", 8, 4, "the tokens held"), layout.size
    (0, 8)
    >>> layout.by_name["tokens"].stop
    8
    """

    def __init__(self, version: int = 0) -> None:
        self.version = version
        self.fields: list[ObservationField] = []
        self.size = 0

    def add(
        self, name: str, shape: int | tuple[int, ...], max_values: int | Sequence[int], meaning: str
    ) -> int:
        """Append a field and return the index of the word that it starts in.

        `max_values` is one number for all bytes, or one for each index of the last axis.
        """
        dimensions = (shape,) if isinstance(shape, int) else shape
        if isinstance(max_values, int):
            max_values = (max_values,) * dimensions[-1]
        assert len(max_values) == dimensions[-1], name
        field = ObservationField(name, self.size, dimensions, tuple(max_values), meaning)
        self.fields.append(field)
        self.size = field.stop
        return field.start // WORD_BYTES

    def prefix(self, count: int) -> ObservationLayout:
        """Return the layout of the first `count` fields."""
        part = ObservationLayout(self.version)
        part.fields = self.fields[:count]
        part.size = part.fields[-1].stop
        return part

    @property
    def by_name(self) -> dict[str, ObservationField]:
        """The fields by name."""
        return {field.name: field for field in self.fields}

    @property
    def max_values(self) -> NDArray[np.uint8]:
        """The greatest possible value of every byte."""
        values = [np.broadcast_to(field.max_values, field.shape).ravel() for field in self.fields]
        return np.concatenate(values).astype(np.uint8)

    def markdown_table(self) -> str:
        """Return the layout as a table in Markdown, one line for each field."""
        lines = ["| index | name | shape | at most | meaning |", "|---|---|---|---|---|"]
        for field in self.fields:
            indices = f"{field.start}–{field.stop - 1}" if field.size > 1 else str(field.start)
            shape = " × ".join(map(str, field.shape))
            is_uniform = len(set(field.max_values)) == 1
            limits = " ".join(map(str, field.max_values[:1] if is_uniform else field.max_values))
            lines.append(f"| {indices} | `{field.name}` | {shape} | {limits} | {field.meaning} |")
        return "\n".join(lines)

    def split(self, observation: NDArray[np.generic]) -> dict[str, NDArray[np.generic]]:
        """Return the fields of an observation, or of a batch of them, as array views by name."""
        return {
            field.name: observation[..., field.start : field.stop].reshape(
                *observation.shape[:-1], *field.shape
            )
            for field in self.fields
        }
