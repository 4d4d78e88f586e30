"""The bot that looks one turn ahead."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import numpy as np

from parure.bots.bot import Answer, Bot, Budget, Candidate
from parure.bots.judging import Room, look_ahead, room_for
from parure.bots.knowledge import knowledge
from parure.games.typing import Rng

if TYPE_CHECKING:
    from parure.games.position import View

TIMES = 3  # full states that are drawn for a view


def generator(rng: Random) -> Rng:
    """A generator of the kernels, seeded from one of Python's."""
    return np.array([rng.getrandbits(64)], np.uint64)


class GreedyBot(Bot):
    """Plays the decision after which its turn can end best."""

    def __init__(self) -> None:
        self._room: Room | None = None

    def decide(self, view: View, rng: Random, budget: Budget | None = None) -> Answer:
        """The decision that promises most."""
        by = view.rules
        room = self._room = self._room or room_for(by)
        number = look_ahead(knowledge(by), view.words, generator(rng), room, TIMES)
        values = room.judged[:number, view.seat]
        order = np.argsort(-values, kind="stable")
        candidates = tuple(
            Candidate(by.decision_texts[room.ids[i]], 0.0, float(values[i])) for i in order
        )
        return Answer(candidates[0].decision, candidates=candidates)
