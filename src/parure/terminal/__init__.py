"""Commands that talk to a person in a terminal."""

from __future__ import annotations

import sys

from parure.errors import printable


def echo(text: str = "") -> None:
    """Print lines, with control characters replaced: names in records may contain them."""
    for line in text.split("\n"):
        sys.stdout.write(f"{printable(line)}\n")


def prompt(text: str) -> str | None:
    """Print a prompt and return the line that is typed, stripped; None at the end of input."""
    sys.stdout.write(text)
    sys.stdout.flush()
    line = sys.stdin.readline()
    if not line.endswith("\n"):
        sys.stdout.write("\n")
    return line.strip() if line else None
