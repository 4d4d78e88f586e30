"""A state is a row: how its fields are laid out."""

from __future__ import annotations


class RowLayout:
    """Hands out the words of a row, one field after the other.

    >>> words = RowLayout()
    >>> words(), words(8), words()
    (0, 1, 9)
    >>> words.size
    10
    """

    def __init__(self) -> None:
        self.size = 0

    def __call__(self, count: int = 1) -> int:
        """The offset of a new field that is `count` words long."""
        offset = self.size
        self.size += count
        return offset
