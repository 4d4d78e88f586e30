"""The compiled functions of Duel for batches: observations, rewards, and steps."""

from __future__ import annotations

from parure.envs.kernels.batch_step import (
    MARGIN_REWARD,
    BatchArrays,
    make_determinize,
    make_step,
)
from parure.envs.kernels.single_step import make_step_one
from parure.games.duel import kernel as duel
from parure.games.duel import layout
from parure.games.engine.arrays import Cards, Chance, Mask, Menu, Row
from parure.games.engine.jit import kernel
from parure.observations.duel import observe


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
determinize_game = make_determinize(duel, layout, observe)
step_single_game = make_step_one(duel, layout, write_rewards, observe)


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


@kernel
def determinize_many(batch: BatchArrays, cards: Cards, viewers: Row, menu: Menu, ids: Row) -> None:
    """Redraw what a seat of each game of a batch does not know."""
    for i in range(len(viewers)):
        determinize_game(batch, i, cards, viewers[i], menu, ids)


@kernel
def step_one(block: Row, cards: Cards, decision: int, learner: int) -> int:
    """Take one decision in the game of a block."""
    return step_single_game(block, cards, decision, learner)
