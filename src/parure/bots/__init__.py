"""Bots: whatever picks a decision from a view.

A bot is named by a text, its *specification*, in records and on the command line alike: a name,
and behind a colon what that bot wants to know.

>>> import parure
>>> from random import Random
>>> view = parure.new("splendor", seed=7).view(0)
>>> bot("random").decide(view, Random(1)).decision in view.legal_decisions
True
"""

from __future__ import annotations

from collections.abc import Callable

from parure.bots.base import Answer, Bot, BotFailure, Budget, Candidate
from parure.errors import NotationError

__all__ = ["Answer", "Bot", "BotFailure", "Budget", "Candidate", "bot", "runs_program"]


def _random(detail: str) -> Bot:
    from parure.bots.random_bot import RandomBot

    _refuse_detail("random", detail)
    return RandomBot()


def _greedy(detail: str) -> Bot:
    from parure.bots.greedy import GreedyBot

    _refuse_detail("greedy", detail)
    return GreedyBot()


def _mcts(detail: str) -> Bot:
    from parure.bots.mcts import mcts_bot

    return mcts_bot(detail)


def _level(detail: str) -> Bot:
    from parure.bots.levels import level_bot

    return level_bot(detail)


def _exec(detail: str) -> Bot:
    from parure.bots.external import external_bot

    return external_bot(detail)


_MAKERS: dict[str, Callable[[str], Bot]] = {
    "random": _random,
    "greedy": _greedy,
    "mcts": _mcts,
    "level": _level,
    "exec": _exec,
}


def bot(spec: str) -> Bot:
    """A new bot, for one seat of one game; NotationError if the specification names none."""
    name, _, detail = spec.partition(":")
    try:
        maker = _MAKERS[name]
    except KeyError:
        known = ", ".join(_MAKERS)
        raise NotationError(f"no bot is called {spec[:40]!r}; there are: {known}") from None
    return maker(detail)


def runs_program(spec: str) -> bool:
    """Whether a specification names a program to be run: never take one from a file or a stranger.

    >>> runs_program("exec:./mybot"), runs_program("random")
    (True, False)
    """
    return spec.partition(":")[0] == "exec"


def _refuse_detail(name: str, detail: str) -> None:
    if detail:
        raise NotationError(f"{name} takes nothing behind a colon, not {detail[:40]!r}")
