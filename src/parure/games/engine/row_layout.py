"""Assign offsets to the fields of a state's row."""

from __future__ import annotations


class RowLayout:
    """The fields of a row, one after the other.

    >>> row = RowLayout()
    >>> row.field(), row.field(8), row.field()
    (0, 1, 9)
    >>> row.size
    10
    """

    def __init__(self) -> None:
        self.size = 0

    def field(self, words: int = 1) -> int:
        """Append a field of some words and return its offset."""
        offset = self.size
        self.size += words
        return offset
