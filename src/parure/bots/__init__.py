"""Bots: anything that picks a decision from a view.

>>> import parure
>>> view = parure.new("splendor", seed=7).view(0)
>>> bot("random").decide(view).decision in view.legal_decisions
True

Write your own by subclassing :class:`Bot`, and :func:`register` it to use it by name.
"""

from __future__ import annotations

from parure.bots.base import Answer, Bot, BotFailure, Budget, Candidate
from parure.bots.registry import BotLike, bot, bot_name, register, resolve, runs_program, unregister

__all__ = [
    "Answer",
    "Bot",
    "BotFailure",
    "BotLike",
    "Budget",
    "Candidate",
    "bot",
    "bot_name",
    "register",
    "resolve",
    "runs_program",
    "unregister",
]
