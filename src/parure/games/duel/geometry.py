"""The 5x5 board: docs/rules/duel.md, "The board".

Cells are numbered in reading order, `a1` to `e1`, then `a2` to `e5`; a set of cells is a bitboard.
A *family* of lines shares a length and a direction. A line is identified by its family and its
first cell in reading order.
"""

from __future__ import annotations

SIDE = 5
CELLS = tuple(f"{column}{row}" for row in "12345" for column in "abcde")
SPIRAL = tuple(
    CELLS.index(cell)
    for cell in "c3 c4 b4 b3 b2 c2 d2 d3 d4 d5 c5 b5 a5 a4 a3 a2 a1 b1 c1 d1 e1 e2 e3 e4 e5".split()
)
# ALONG_SPIRAL[row][cells]: the places along the spiral, as a set, of some cells of a row.
ALONG_SPIRAL = tuple(
    tuple(
        sum(1 << SPIRAL.index(SIDE * row + column) for column in range(SIDE) if cells >> column & 1)
        for cells in range(1 << SIDE)
    )
    for row in range(SIDE)
)
ALL_CELLS = (1 << len(CELLS)) - 1
NOT_LAST_COLUMN = sum(1 << i for i, cell in enumerate(CELLS) if cell[0] != "e")
NOT_FIRST_COLUMN = sum(1 << i for i, cell in enumerate(CELLS) if cell[0] != "a")

# Directions as columns to the right and rows down: across, down, down right, down left.
DIRECTIONS = ((1, 0), (0, 1), (1, 1), (-1, 1))

# Length and direction: single cells, then pairs and triples in each direction.
FAMILIES = (
    (1, (0, 0)),
    *((2, direction) for direction in DIRECTIONS),
    *((3, direction) for direction in DIRECTIONS),
)


def lines(length: int, direction: tuple[int, int]) -> dict[int, tuple[int, ...]]:
    """Return the lines of a family by their first cell.

    >>> lines(3, (-1, 1))[2], len(lines(3, (-1, 1)))
    ((2, 6, 10), 9)
    """
    across, down = direction
    found = {}
    for first in range(len(CELLS)):
        column, row = first % SIDE, first // SIDE
        places = [(column + i * across, row + i * down) for i in range(length)]
        if all(0 <= c < SIDE and 0 <= r < SIDE for c, r in places):
            found[first] = tuple(r * SIDE + c for c, r in places)
    return found
