"""The bot that looks one turn ahead."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import numpy as np

from parure.bots.base import Answer, Bot, Budget, Candidate
from parure.bots.evaluation import Workspace, features_of, look_ahead, workspace_for
from parure.bots.evaluator import AT_START, CHANGE, Floats, evaluator_for, feature_names
from parure.games.engine.jit import compiling
from parure.games.engine.rng import rng_from

if TYPE_CHECKING:
    from parure.games.rules import Rules
    from parure.games.state import State
    from parure.games.view import View

UNEXPLAINING_FEATURES = (  # they follow from the order of play, not from the decision
    "the turn",
    "a turn still to come",
    "a purchase that reaches the goal now",
)
SAMPLES = 3  # determinizations of a view


class GreedyBot(Bot):
    """Plays the decision after which its turn can end with the highest value."""

    is_compiled = True

    def __init__(self) -> None:
        self._rules: Rules | None = None  # of the workspace
        self._workspace: Workspace

    def choose(self, view: View, rng: Random, budget: Budget | None) -> Answer:
        """Return the decision of highest value; the budget does not matter."""
        rules = view.rules
        if self._rules is not rules:
            self._rules, self._workspace = rules, workspace_for(rules)
        workspace = self._workspace
        with compiling(f"a look ahead in {rules.family.capitalize()}"):
            number = look_ahead(evaluator_for(rules), view.words, rng_from(rng), workspace, SAMPLES)
        values = workspace.decision_values[:number, view.seat]
        order = np.argsort(-values, kind="stable")
        candidates = tuple(
            Candidate(rules.decision_texts[workspace.ids[i]], 0.0, float(values[i])) for i in order
        )
        best = candidates[0].decision
        return Answer(best, because=explain(view, best, rng), candidates=candidates)


def explain(view: View, decision: str, rng: Random) -> str:
    """Return a sentence that says what a decision gains most.

    >>> import parure
    >>> view = parure.new("splendor", seed=7).view(0)
    >>> explain(view, "take wuk", Random(1)).startswith("It brings most in: ")
    True
    """
    best = gains(view, decision, rng)
    if not best:
        return "Nothing gains anything now; this loses least."
    return f"It brings most in: {', '.join(best[:2])}."


def gains(view: View, decision: str, rng: Random) -> list[str]:
    """Return the features that a decision improves, the largest gain first."""
    state = view.rules.state_type.determinized(view, rng_from(rng))
    before, _ = lead(state, view.seat)
    state.play(decision)
    after, weights = lead(state, view.seat)
    gain = (after - before) * weights
    names = feature_names(view.rules)
    return [
        names[i] for i in np.argsort(-gain) if gain[i] > 0 and names[i] not in UNEXPLAINING_FEATURES
    ]


def lead(state: State, seat: int) -> tuple[Floats, Floats]:
    """Return a seat's features minus the mean of the other seats', and their present weights."""
    features = []
    progress = 0.0
    for other in range(state.seats):
        found, progress = features_of(state, other)
        features.append(found)
    others = np.delete(features, seat, axis=0).mean(axis=0)
    weights = evaluator_for(state.rules).weights
    return features[seat] - others, weights[AT_START] + progress * weights[CHANGE]
