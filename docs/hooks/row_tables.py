"""The row of a state as a table, generated from the layout of its game."""

from __future__ import annotations

import ast
import inspect
import io
import tokenize
from importlib import import_module

from markdown_tables import table


def row_table(game: str, part: str = "row") -> str:
    """Return the fields of the row of a game, or of the `seat` part of it.

    A field is assigned in the layout as `_row.field(size)` or `_seat.field(size)`.
    """
    layout = import_module(f"parure.games.{game}.layout")
    source = inspect.getsource(layout)
    comments = {
        token.start[0]: token.string.lstrip("# ")
        for token in tokenize.generate_tokens(io.StringIO(source).readline)
        if token.type == tokenize.COMMENT
    }
    own_line_comments = {
        line: comment
        for line, comment in comments.items()
        if source.splitlines()[line - 1].startswith("#") and comment.endswith(".")
    }
    rows = []
    for node in ast.parse(source).body:
        if (
            isinstance(node, ast.Assign)
            and isinstance(node.value, ast.Call)
            and isinstance(node.targets[0], ast.Name)
            and ast.unparse(node.value.func) == f"_{part}.field"
        ):
            name = node.targets[0].id
            arguments = node.value.args
            size = eval(ast.unparse(arguments[0]), vars(layout)) if arguments else 1
            line = node.end_lineno or 0
            meaning = comments.get(line) or own_line_comments.get(line - 1, "")
            rows.append((getattr(layout, name), size, f"`{name}`", meaning))
    return table(["word", "words", "field", "meaning"], rows)
