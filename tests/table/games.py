"""Games for the tests of tables."""

from __future__ import annotations

from random import Random

from parure.games.state import State

GAMES = [("duel", 2), ("duel+counterfeiters", 2), ("splendor", 2), ("splendor", 4)]


def eager_decision(state: State, rng: Random) -> str:
    """Return a decision that makes progress: buying rather than taking, sometimes any."""
    legal = list(state.legal_decisions)
    wanted = [text for text in legal if text.startswith(("buy", "use", "royal", "discount"))]
    return rng.choice(wanted if wanted and rng.random() < 0.7 else legal)
