"""What the commands show in a terminal."""

from __future__ import annotations

import sys

from parure.errors import printable


def say(text: str = "") -> None:
    """Print a line, whatever a name in a record may hold."""
    for line in text.split("\n"):
        sys.stdout.write(f"{printable(line)}\n")


def ask(prompt: str) -> str | None:
    """The line that is typed next, without blanks around it; None when nothing more comes."""
    sys.stdout.write(prompt)
    sys.stdout.flush()
    line = sys.stdin.readline()
    if not line.endswith("\n"):
        sys.stdout.write("\n")
    return line.strip() if line else None
