"""Collect observations by self-play: `python examples/self_play.py [decisions]`.

Decisions are chosen by random playouts in copies of the games, where a real trainer would use a
search with a network. In each copy the cards that the seat to move does not know are drawn again,
so the playouts know no more than a player at the table.
"""

from __future__ import annotations

import sys

import numpy as np

from parure.envs import Games


def best_decision(games: Games, game: int, rng: np.random.Generator, playouts: int) -> int:
    """Return the legal decision whose playouts went best for the seat to move."""
    legal = np.flatnonzero(games.masks[game])
    tried = rng.choice(legal, min(len(legal), 8), replace=False)
    copies = games.take(np.full(len(tried) * playouts, game), autoreset="off")
    seat = games.seats[game]
    copies.step(np.repeat(tried, playouts))
    results = copies.rewards[:, seat].copy()
    while not copies.is_over.all():
        copies.step_randomly()
        results += copies.rewards[:, seat]
    return int(tried[results.reshape(len(tried), playouts).mean(axis=1).argmax()])


def main(decisions: int = 30, num_games: int = 4, playouts: int = 16) -> np.ndarray:
    """Play in several games, and return the observations that a network would learn from."""
    rng = np.random.default_rng(1)
    games = Games("duel", num_games, seed=1)
    observations = []
    for _ in range(decisions):
        observations.append(games.observations.copy())
        games.step([best_decision(games, game, rng, playouts) for game in range(num_games)])
    points = games.observation_layout.split(games.observations)["own_points"].ravel()
    print(f"{decisions} decisions in {num_games} games; points of the seats to move: {points}")
    return np.concatenate(observations)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
