"""What the commands show in a terminal."""

from __future__ import annotations

import sys


def say(text: str = "") -> None:
    """Print a line, whatever a name in a record may hold."""
    shown = "".join(sign if sign.isprintable() or sign == "\n" else "�" for sign in text)
    sys.stdout.write(f"{shown}\n")


def ask(prompt: str) -> str | None:
    """The line that is typed next, without blanks around it; None when nothing more comes."""
    sys.stdout.write(prompt)
    sys.stdout.flush()
    line = sys.stdin.readline()
    if not line.endswith("\n"):
        sys.stdout.write("\n")
    return line.strip() if line else None
