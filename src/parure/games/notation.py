"""Decision texts as people type them: lenient spelling, and what a wrong one may have meant."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches

_CARD_LETTER = re.compile(r"\b[jd](?=\d-\d)")  # may be left out: `buy 2-05`
_LONGEST_SHOWN = 60


def normalize(text: str) -> str:
    """Return what all accepted spellings of a decision share.

    Case, blanks and the order of cells or gems do not matter; a card's letter may be left out.

    >>> normalize("take  C1 b1") == normalize("take b1 c1")
    True
    >>> normalize("buy 2-05") == normalize("BUY J2-05")
    True
    """
    verb, *words = _CARD_LETTER.sub("", text.casefold()).split() or [""]
    if verb == "take":
        words = sorted("".join(sorted(word)) for word in words)
    return " ".join((verb, *words))


def closest(text: str, decisions: Iterable[str]) -> str | None:
    """Return the decision whose spelling is nearest to a text; None if none is near.

    >>> closest("tak wug", ["take wug", "take ww", "pass"])
    'take wug'
    """
    found = get_close_matches(text[:_LONGEST_SHOWN].casefold(), list(decisions), n=1)
    return found[0] if found else None


def shorten(text: object) -> str:
    """Return a text quoted for an error message, cut if it is long."""
    shown = str(text)
    return repr(shown if len(shown) <= _LONGEST_SHOWN else f"{shown[:_LONGEST_SHOWN]}…")
