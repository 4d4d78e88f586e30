"""The bot that plays at random."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from parure.bots.base import Answer, Bot, Budget

if TYPE_CHECKING:
    from parure.games.view import View


class RandomBot(Bot):
    """Plays each legal decision with the same probability."""

    def choose(self, view: View, rng: Random, budget: Budget | None) -> Answer:
        """Return a random legal decision."""
        return Answer(rng.choice(view.legal_decisions))
