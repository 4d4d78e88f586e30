"""The 5x5 board: cells, the printed spiral, and the lines that may be taken.

Cells are numbered in reading order, `a1` to `e1`, then `a2` … `e5`; a set of cells is a bitboard.
A *family* of lines shares a length and a direction; a line is known by its family and by its first
cell in reading order, which is also how it is written.
"""

from __future__ import annotations

SIDE = 5
CELLS = tuple(f"{column}{row}" for row in "12345" for column in "abcde")
SPIRAL = tuple(
    CELLS.index(cell)
    for cell in "c3 c4 b4 b3 b2 c2 d2 d3 d4 d5 c5 b5 a5 a4 a3 a2 a1 b1 c1 d1 e1 e2 e3 e4 e5".split()
)
# Cells of a row of the board, as a bitboard of that row alone, in their places along the spiral.
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

# How far it is to the next cell: along the row, down, down right, down left.
STEPS = ((1, 0), (0, 1), (1, 1), (-1, 1))

# single cells, then pairs and triples in each of the four directions
FAMILIES = ((1, (0, 0)), *((2, step) for step in STEPS), *((3, step) for step in STEPS))


def lines(length: int, step: tuple[int, int]) -> dict[int, tuple[int, ...]]:
    """The lines of a family, by their first cell.

    >>> lines(3, (-1, 1))[2], len(lines(3, (-1, 1)))
    ((2, 6, 10), 9)
    """
    across, down = step
    found = {}
    for first in range(len(CELLS)):
        column, row = first % SIDE, first // SIDE
        places = [(column + i * across, row + i * down) for i in range(length)]
        if all(0 <= c < SIDE and 0 <= r < SIDE for c, r in places):
            found[first] = tuple(r * SIDE + c for c, r in places)
    return found
