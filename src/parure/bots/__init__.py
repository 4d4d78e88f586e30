"""Bots: whatever picks a decision from a view.

A bot is named by a text, its *specification*, in records and on the command line alike:

>>> import parure
>>> from random import Random
>>> view = parure.new("splendor", seed=7).view(0)
>>> bot("random")(view, Random(1)) in view.legal_decisions
True
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING, TypeAlias

from parure.errors import NotationError

if TYPE_CHECKING:
    from parure.games.position import View

Bot: TypeAlias = "Callable[[View, Random], str]"
"""Gives one of the view's legal decisions; all its chance comes from the generator."""


def choose_at_random(view: View, rng: Random) -> str:
    """Any legal decision, each equally likely."""
    decision: str = rng.choice(view.legal_decisions)
    return decision


_BOTS: dict[str, Bot] = {"random": choose_at_random}


def bot(spec: str) -> Bot:
    """The bot that a specification names; NotationError if there is none."""
    try:
        return _BOTS[spec]
    except KeyError:
        raise NotationError(f"no bot is called {spec!r}; there are: {', '.join(_BOTS)}") from None
