"""The errors of the package. All of them are `ValueError`s."""

from __future__ import annotations


class ParureError(ValueError):
    """Base class of all errors that a caller's input can cause."""


class NotationError(ParureError):
    """A text that names no decision, game, card, seat or option."""


class IllegalDecision(ParureError):
    """A decision that exists but may not be taken now.

    Attributes:
        decision: The decision's text.
        reason: A sentence that says why.
        nearest: A legal decision with a similar spelling, if there is one.

    The message adds the position as the seat to move sees it.
    """

    def __init__(
        self, decision: str, reason: str, position: str, nearest: str | None = None
    ) -> None:
        hint = f"; the nearest legal decision is {nearest!r}" if nearest else ""
        super().__init__(f"{decision!r} is not legal: {reason}{hint}\n\n{position}")
        self.decision = decision
        self.reason = reason
        self.nearest = nearest
        self._position = position

    def __reduce__(self) -> tuple[type[IllegalDecision], tuple[str, str, str, str | None]]:
        return IllegalDecision, (self.decision, self.reason, self._position, self.nearest)


class InvalidPosition(ParureError):
    """A position that cannot exist, or in which the requested action is impossible."""


class RecordError(ParureError):
    """A record that does not hold.

    Attributes:
        number: The index of the decision at fault; None if the fault lies elsewhere.
    """

    def __init__(self, message: str, number: int | None = None) -> None:
        super().__init__(message if number is None else f"decision {number}: {message}")
        self.number = number


def printable(text: str) -> str:
    r"""Return an untrusted text in one line, with characters that a terminal might obey replaced.

    >>> printable("bell\x07, new\nline")
    'bell�, new�line'
    """
    return "".join(sign if sign.isprintable() else "�" for sign in text)
