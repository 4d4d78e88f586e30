"""One step of many games: what the compiled steps of all games share.

A step takes one decision for each game. If a learner sits at one seat, the other seats play at
random inside the same call until it is the learner's turn again. Without a learner, every decision
comes from the caller, and the observation is that of the seat to move.

Numba caches the machine code only of functions at module level, so each game has a `step_many` of
its own: a loop around the function that `make_step` builds for it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from parure.games.engine.arrays import Cards, Chance, Mask, Menu, Rng, Row
from parure.games.engine.jit import inlined, kernel
from parure.games.engine.rng import random_below
from parure.games.rules import Kernel, Layout

# when a game that is over starts again
AUTORESET_OFF, AUTORESET_NEXT_STEP, AUTORESET_SAME_STEP = range(3)

# values of a learner's seat that are no seats: there is no learner; a seat is drawn for each game
NO_LEARNER, RANDOM_SEAT = -1, -2

# what a finished game is worth: the result, or the margin of points
RESULT_REWARD, MARGIN_REWARD = range(2)

# how the last step ended
RUNNING, TERMINATED, TRUNCATED = range(3)


class BatchArrays(NamedTuple):
    """The arrays of a batch. Row i of each belongs to game i."""

    rows: Row
    rngs: Rng
    learners: Row  # the learner's seat, or NO_LEARNER
    seats: Row  # to move
    masks: Mask
    observations: Row  # as words of eight bytes
    rewards: Mask  # a column for each seat
    endings: Row
    final_observations: Row  # of games that started again in the same step


class StepOptions(NamedTuple):
    """The options of a batch, as the numbers above; `step_many` takes them one by one."""

    autoreset: int
    learner: int  # a seat, NO_LEARNER or RANDOM_SEAT
    reward: int


class Workspace(NamedTuple):
    """Arrays that a step overwrites, allocated once; `step_many` takes them one by one."""

    menu: Menu
    ids: Row
    chance: Chance


@kernel
def first_illegal(decisions: Row, masks: Mask, rows: Row, phase: int, over: int) -> int:
    """Return the first game whose decision is not legal, or -1; games that are over are skipped.

    `phase` is the offset of the phase in a row, and `over` the phase of a game that is over.
    """
    for i in range(len(decisions)):
        if rows[i, phase] == over:
            continue
        decision = decisions[i]
        if decision < 0 or decision >= masks.shape[1] or not masks[i, decision]:
            return i
    return -1


def make_step(
    game: Kernel,
    layout: Layout,
    write_rewards: Callable[[Row, int, Mask], None],
    observe: Callable[[Row, Cards, int, Row], None],
) -> Callable[..., None]:
    """Return the function that takes one decision in game i of a batch."""

    @inlined
    def step_game(
        batch: BatchArrays,
        i: int,
        cards: Cards,
        decision: int,
        autoreset: int,
        learner_option: int,
        reward: int,
        menu: Menu,
        ids: Row,
        chance: Chance,
    ) -> None:
        s, rng, mask, rewards = batch.rows[i], batch.rngs[i], batch.masks[i], batch.rewards[i]
        for n in range(len(mask)):
            mask[n] = 0
        for seat in range(len(rewards)):
            rewards[seat] = 0
        batch.endings[i] = RUNNING
        must_deal = s[layout.PHASE] == layout.OVER
        if must_deal and autoreset == AUTORESET_OFF:
            return
        legal_count = 0
        while True:
            chance[0] = 0
            if must_deal:
                game.deal(s, rng, chance)
                must_deal = False
                if learner_option == RANDOM_SEAT:
                    batch.learners[i] = random_below(rng, len(rewards))
            else:
                game.apply(s, cards, decision, rng, chance)
            learner = batch.learners[i]
            if s[layout.PHASE] == layout.OVER:
                write_rewards(s, reward, rewards)
                is_truncated = s[layout.REASON] == layout.LIMIT_REASON
                batch.endings[i] = TRUNCATED if is_truncated else TERMINATED
                if autoreset != AUTORESET_SAME_STEP:
                    break
                viewer = s[layout.SEAT] if learner < 0 else learner
                observe(s, cards, viewer, batch.final_observations[i])
                must_deal = True
                continue
            legal_count = game.legal_ids(s, cards, menu, ids)
            if learner < 0 or learner == s[layout.SEAT]:
                break
            decision = ids[random_below(rng, legal_count)]
        batch.seats[i] = s[layout.SEAT]
        if s[layout.PHASE] != layout.OVER:
            for n in range(legal_count):
                mask[ids[n]] = 1
        viewer = s[layout.SEAT] if batch.learners[i] < 0 else batch.learners[i]
        observe(s, cards, viewer, batch.observations[i])

    return step_game


def make_determinize(
    game: Kernel, layout: Layout, observe: Callable[[Row, Cards, int, Row], None]
) -> Callable[..., None]:
    """Return the function that redraws what a seat does not know of game i of a batch."""

    @inlined
    def determinize_game(
        batch: BatchArrays, i: int, cards: Cards, viewer: int, menu: Menu, ids: Row
    ) -> None:
        s, mask = batch.rows[i], batch.masks[i]
        game.hide(s, viewer)
        game.determinize(s, batch.rngs[i])
        for n in range(len(mask)):
            mask[n] = 0
        if s[layout.PHASE] != layout.OVER:  # another seat may hold other cards now
            for n in range(game.legal_ids(s, cards, menu, ids)):
                mask[ids[n]] = 1
        observer = s[layout.SEAT] if batch.learners[i] < 0 else batch.learners[i]
        observe(s, cards, observer, batch.observations[i])

    return determinize_game
