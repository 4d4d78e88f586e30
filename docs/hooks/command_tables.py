"""The command line as a page, generated from the Typer application."""

from __future__ import annotations

import inspect
from typing import Any

import typer
from markdown_tables import table

from parure.cli import app


def command_reference() -> str:
    """Return a section for each command."""
    group = typer.main.get_group(app)
    context = typer.Context(group, info_name="parure")
    names = group.list_commands(context)
    return "\n\n".join(_section(name, group.get_command(context, name), context) for name in names)


def _section(name: str, command: Any, parent: typer.Context) -> str:
    context = typer.Context(command, info_name=name, parent=parent)
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    parts = [f"## parure {name}", inspect.cleandoc(command.help), f"    {usage}"]
    for kind in ("argument", "option"):
        params = [param for param in command.params if param.param_type_name == kind]
        if params:
            rows = [_row(param, context) for param in params]
            parts.append(table([kind, "meaning", "default"], rows))
    return "\n\n".join(parts)


def _row(param: Any, context: typer.Context) -> tuple[str, str, str]:
    """Return the spelling of an argument or option, its help, and its default and limits."""
    spelling, text = param.get_help_record(context)
    meaning, _, extra = text.partition("  [")
    if meaning.startswith("["):
        meaning, extra = "", meaning.removeprefix("[")
    extra = extra.removesuffix("]").removeprefix("default: ")
    spelling = spelling.replace(" range>", ">")
    if param.param_type_name == "argument":
        spelling = spelling.partition(" <")[0]
    return f"`{spelling}`", meaning, extra
