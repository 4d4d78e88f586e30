"""The bot that looks one turn ahead."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import numpy as np

from parure.bots.base import Answer, Bot, Budget, Candidate
from parure.bots.evaluation import Room, look_ahead, room_for, see
from parure.bots.evaluator import AT_START, UNTIL_END, Numbers, feature_names, knowledge
from parure.games.engine.jit import compiling
from parure.games.engine.rng import rng_from

if TYPE_CHECKING:
    from parure.games.state import State
    from parure.games.view import View

OF_COURSE = (  # features that explain nothing
    "the turn",
    "a turn still to come",
    "a purchase that reaches the goal now",
)
TIMES = 3  # full states that are drawn for a view


class GreedyBot(Bot):
    """Plays the decision after which its turn can end best."""

    is_compiled = True

    def __init__(self) -> None:
        self._room: Room | None = None

    def choose(self, view: View, rng: Random, budget: Budget | None) -> Answer:
        """The decision that promises most."""
        by = view.rules
        room = self._room = self._room or room_for(by)
        with compiling(f"a look ahead in {by.game.partition('+')[0].capitalize()}"):
            number = look_ahead(knowledge(by), view.words, rng_from(rng), room, TIMES)
        values = room.judged[:number, view.seat]
        order = np.argsort(-values, kind="stable")
        candidates = tuple(
            Candidate(by.decision_texts[room.ids[i]], 0.0, float(values[i])) for i in order
        )
        best = candidates[0].decision
        return Answer(best, because=reason_for(view, best, rng), candidates=candidates)


def reason_for(view: View, decision: str, rng: Random) -> str:
    """What speaks most for a decision, as a sentence.

    >>> import parure
    >>> view = parure.new("splendor", seed=7).view(0)
    >>> reason_for(view, "take wuk", Random(1)).startswith("It brings most in: ")
    True
    """
    best = gains(view, decision, rng)
    if not best:
        return "Nothing gains anything now; this loses least."
    return f"It brings most in: {', '.join(best[:2])}."


def gains(view: View, decision: str, rng: Random) -> list[str]:
    """The features in which a decision brings something, the best first."""
    by = view.rules
    state = by.state_type.determinized(view, rng_from(rng))
    before = lead(state, view.seat)[0]
    state.play(decision)
    after, weights = lead(state, view.seat)
    found = (after - before) * weights
    names = feature_names(by)
    return [names[i] for i in np.argsort(-found) if found[i] > 0 and names[i] not in OF_COURSE]


def lead(state: State, seat: int) -> tuple[Numbers, Numbers]:
    """By how much a seat has more of each feature than the others, and what that is worth now."""
    known = knowledge(state.rules)
    found = np.zeros((state.seats, known.weights.shape[1]))
    progress = 0.0
    for other in range(state.seats):
        progress = see(known, state.words, other, found[other])
    others = np.delete(found, seat, axis=0).mean(axis=0)
    return found[seat] - others, known.weights[AT_START] + progress * known.weights[UNTIL_END]
