"""The compiled functions of Splendor for batches: observations, rewards, and steps."""

from __future__ import annotations

from parure.envs.kernels.batch_step import (
    MARGIN_REWARD,
    BatchArrays,
    make_determinize,
    make_step,
)
from parure.envs.kernels.single_step import make_step_one
from parure.games.engine.arrays import Cards, Chance, Mask, Menu, Row
from parure.games.engine.bits import has_bit, popcount
from parure.games.engine.jit import kernel
from parure.games.splendor import kernel as splendor
from parure.games.splendor import layout
from parure.observations.splendor import observe


@kernel
def observe_many(rows: Row, cards: Cards, viewers: Row, observations: Row) -> None:
    """Write what a seat observes in each of some positions."""
    for i in range(len(rows)):
        observe(rows[i], cards, viewers[i], observations[i])


@kernel
def write_rewards(s: Row, kind: int, rewards: Mask) -> None:
    """Write what a finished game is worth to each seat; the sum is 0."""
    seats = s[layout.SEAT_COUNT]
    points = 0
    for seat in range(seats):
        points += s[layout.SEATS + seat * layout.SEAT_WORDS + layout.SCORE]
    winners = popcount(s[layout.WINNERS])
    for seat in range(seats):
        if kind == MARGIN_REWARD:  # over the mean of the other seats
            own = s[layout.SEATS + seat * layout.SEAT_WORDS + layout.SCORE]
            rewards[seat] = (seats * own - points) / ((seats - 1) * layout.GOAL)
        elif winners == 0:
            rewards[seat] = 0
        elif has_bit(s[layout.WINNERS], seat):
            rewards[seat] = (seats - winners) / (winners * (seats - 1))
        else:
            rewards[seat] = -1 / (seats - 1)


step_game = make_step(splendor, layout, write_rewards, observe)
determinize_game = make_determinize(splendor, layout, observe)
step_single_game = make_step_one(splendor, layout, write_rewards, observe)


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
