"""Symmetries of a game: other names for the colors, and other ways to look at the board.

A position whose colors are renamed is nearly as good for every seat, and its best decision is the
renamed one. It is not quite the same position, since the printed cards are not symmetric in their
colors and the board is filled along a spiral. Training uses symmetries to see each position in
several forms (`parure.train.fit`); the search does not.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from parure.games.engine.arrays import Row
from parure.games.engine.tokens import GEMS, KIND_OF_LETTER, LETTERS
from parure.observations.layout import WORD_BYTES

Renaming: TypeAlias = tuple[int, ...]  # the new color of each color

ROTATIONS: tuple[Renaming, ...] = tuple(
    tuple((color + shift) % len(GEMS) for color in range(len(GEMS))) for shift in range(len(GEMS))
)
REFLECTIONS: tuple[Renaming, ...] = tuple(
    tuple((shift - color) % len(GEMS) for color in range(len(GEMS))) for shift in range(len(GEMS))
)


class Symmetry(NamedTuple):
    """What a symmetry does to the inputs and outputs of a network."""

    source_bytes: Row  # for each byte of the new observation, the byte of the old one
    scores: Row  # the new number of each score


def rename_colors(size: int, words: Iterable[int], colors: Renaming) -> Row:
    """Return the source bytes of a renaming; the first bytes of each word are one per color.

    >>> rename_colors(16, [1], (1, 2, 3, 4, 0))[8:].tolist()
    [12, 8, 9, 10, 11, 13, 14, 15]
    """
    source: Row = np.arange(size)
    for word in words:
        for old, new in enumerate(colors):
            source[WORD_BYTES * word + new] = WORD_BYTES * word + old
    return source


def move_words(source: Row, first: int, places: Sequence[int]) -> None:
    """Move the words from `first` on to the places named for each."""
    words = source.reshape(-1, WORD_BYTES)
    words[[first + place for place in places]] = words[first : first + len(places)].copy()


def renamed(text: str, colors: Renaming) -> str:
    """Return the text of a decision in a position whose colors are renamed.

    >>> renamed("take wuk", (1, 2, 3, 4, 0)), renamed("discard y", (1, 2, 3, 4, 0))
    ('take wug', 'discard y')
    """
    verb, _, letters = text.partition(" ")
    if not letters or not set(letters) <= set(GEMS):
        return text
    kinds = sorted(colors[KIND_OF_LETTER[letter]] for letter in letters)
    return f"{verb} {''.join(LETTERS[kind] for kind in kinds)}"
