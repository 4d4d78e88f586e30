"""Play Duel with OpenSpiel's MCTS: `python examples/openspiel_mcts.py [simulations]`.

This bot sees the whole state, hidden cards included, as it does in every game of OpenSpiel.
`ISMCTSBot` resamples what its player cannot know instead.
"""

from __future__ import annotations

import sys

import numpy as np
import pyspiel
from open_spiel.python.algorithms import mcts

import parure.envs.openspiel  # noqa: F401 — registers the games


def main(simulations: int = 10, max_decisions: int = 10_000) -> list[float]:
    """Play MCTS against random decisions, and return the result of each seat."""
    rng = np.random.RandomState(1)
    game = pyspiel.load_game("parure_duel")
    evaluator = mcts.RandomRolloutEvaluator(1, rng)
    bot = mcts.MCTSBot(game, 1.4, simulations, evaluator, random_state=rng)
    state = game.new_initial_state()
    decisions = 0
    while not state.is_terminal() and decisions < max_decisions:
        if state.is_chance_node():
            outcomes, odds = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choice(outcomes, p=odds))
            continue
        decisions += 1
        own = state.current_player() == 0
        state.apply_action(bot.step(state) if own else rng.choice(state.legal_actions()))
    print(state)
    print(f"{decisions} decisions, returns {state.returns()}")
    return list(state.returns())


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
