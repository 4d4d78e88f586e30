"""The compiled functions of Duel for batches: observations, rewards, and steps."""

from __future__ import annotations

from parure.envs.kernels.batch_step import MARGIN_REWARD, BatchArrays, make_step
from parure.envs.kernels.duel_observation import observe
from parure.games.duel import kernel as duel
from parure.games.duel import layout
from parure.games.engine.arrays import Cards, Chance, Mask, Menu, Row
from parure.games.engine.jit import kernel


@kernel
def observe_many(rows: Row, cards: Cards, viewers: Row, observations: Row) -> None:
    """Write what a seat observes in each of some positions."""
    for i in range(len(rows)):
        observe(rows[i], cards, viewers[i], observations[i])


@kernel
def write_rewards(s: Row, kind: int, rewards: Mask) -> None:
    """Write what a finished game is worth to each seat."""
    if kind == MARGIN_REWARD:
        first = s[layout.SEATS + layout.SCORE]
        second = s[layout.SEATS + layout.SEAT_WORDS + layout.SCORE]
        rewards[0] = (first - second) / layout.GOAL
    else:
        winners = s[layout.WINNERS]
        rewards[0] = (winners & 1) - (winners >> 1 & 1)
    rewards[1] = -rewards[0]


step_game = make_step(duel, layout, write_rewards, observe)


@kernel
def step_many(
    batch: BatchArrays,
    cards: Cards,
    decisions: Row,
    autoreset: int,
    learner: int,
    reward: int,
    menu: Menu,
    ids: Row,
    chance: Chance,
) -> None:
    """Take one decision in each game of a batch."""
    for i in range(len(decisions)):
        step_game(batch, i, cards, decisions[i], autoreset, learner, reward, menu, ids, chance)
