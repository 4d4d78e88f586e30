"""Tables in Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    r"""Return a table.

    >>> print(table(["a", "b"], [[1, "x|y"]]))
    | a | b |
    |---|---|
    | 1 | x\|y |
    """
    lines = [_line(header), "|" + "---|" * len(header)]
    return "\n".join([*lines, *map(_line, rows)])


def _line(cells: Sequence[object]) -> str:
    shown = (str(cell).replace("|", "\\|").replace("\n", " ") for cell in cells)
    return f"| {' | '.join(shown)} |"
