"""What can be wrong, told apart by whose fault it is. All are `ValueError`s."""

from __future__ import annotations


class ParureError(ValueError):
    """Something that was asked for cannot be done."""


class NotationError(ParureError):
    """A text that is no decision, or names no game, card or option."""


class IllegalDecision(ParureError):
    """A decision that exists but may not be taken now.

    `reason` says why in a sentence; the message adds the position as the seat to move sees it.
    """

    def __init__(self, decision: str, reason: str, position: str) -> None:
        super().__init__(f"{decision!r} is not legal: {reason}\n\n{position}")
        self.decision = decision
        self.reason = reason

    def __reduce__(self) -> tuple[type[ParureError], tuple[str]]:
        return ParureError, (str(self),)


class InvalidPosition(ParureError):
    """A position from which what was asked for cannot be had."""


class RecordError(ParureError):
    """A record that cannot be read; `number` is the decision at fault, if it is one."""

    def __init__(self, message: str, number: int | None = None) -> None:
        super().__init__(message if number is None else f"decision {number}: {message}")
        self.number = number


def printable(text: str) -> str:
    r"""A text from wherever in one line, with every sign that a terminal might obey replaced.

    >>> printable("bell\x07, new\nline")
    'bell�, new�line'
    """
    return "".join(sign if sign.isprintable() else "�" for sign in text)
