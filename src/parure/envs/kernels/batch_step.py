"""What the compiled steps of all games agree on: how games go on, end, and are looked at.

A step takes one decision for each game. Where a *learner* sits at one seat, the others play at
random inside the same call until it is the learner's turn again; where there is none (-1), every
decision comes from outside and the observation is that of the seat to move.

Numba keeps the machine code of a function that stands in a module, so each game has its own
`step_many`, a loop around what `make_step` makes for it.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any, NamedTuple

from parure.games.engine.arrays import Cards, Chance, Mask, Menu, Rng, Row
from parure.games.engine.jit import inlined, kernel
from parure.games.engine.rng import random_below

# what happens to a game that is over
STAYS_OVER, NEXT_STEP, SAME_STEP = range(3)

# where the learner sits: a number of a seat, drawn for each game, or nowhere
NO_SEAT, ANY_SEAT = -1, -2

# what a finished game is worth
RESULTS, MARGINS = range(2)

# how a step ended
RUNNING, TERMINATED, TRUNCATED = range(3)


class Batch(NamedTuple):
    """Many games, a row each, and all that is told of them."""

    rows: Row
    rngs: Rng
    learners: Row
    seats: Row  # to move
    masks: Mask
    observations: Row
    rewards: Mask
    endings: Row
    last_observations: Row  # of games that began anew in the same step


@kernel
def first_illegal(decisions: Row, masks: Mask, is_over: Mask) -> int:
    """The first game whose decision is not legal; -1 if all are. A game that is over has any."""
    for i in range(len(decisions)):
        if is_over[i]:
            continue
        decision = decisions[i]
        if decision < 0 or decision >= masks.shape[1] or not masks[i, decision]:
            return i
    return -1


def make_step(
    rules: ModuleType,
    layout: ModuleType,
    reward: Callable[[Row, int, Mask], None],
    observe: Callable[[Row, Cards, int, Row], None],
) -> Callable[..., None]:
    """A step of one game among many, by the kernel and the layout of its rules."""
    at: Any = layout

    @inlined
    def step_game(
        games: Batch,
        i: int,
        cards: Cards,
        decision: int,
        settings: Row,
        menu: Menu,
        ids: Row,
        chance: Chance,
    ) -> None:
        """Game i a decision further."""
        autoreset, seat_choice, reward_kind = settings[0], settings[1], settings[2]
        s, rng, mask, rewards = games.rows[i], games.rngs[i], games.masks[i], games.rewards[i]
        for number in range(len(mask)):
            mask[number] = 0
        for seat in range(len(rewards)):
            rewards[seat] = 0
        games.endings[i] = RUNNING
        is_to_deal = s[at.PHASE] == at.OVER
        if is_to_deal and autoreset == STAYS_OVER:
            return
        legal = 0
        while True:
            chance[0] = 0
            if is_to_deal:
                rules.deal(s, rng, chance)
                is_to_deal = False
                if seat_choice == ANY_SEAT:
                    games.learners[i] = random_below(rng, len(rewards))
            else:
                rules.apply(s, cards, decision, rng, chance)
            learner = games.learners[i]
            if s[at.PHASE] == at.OVER:
                reward(s, reward_kind, rewards)
                is_cut = s[at.REASON] == at.LIMIT_REASON
                games.endings[i] = TRUNCATED if is_cut else TERMINATED
                if autoreset != SAME_STEP:
                    break
                viewer = s[at.SEAT] if learner < 0 else learner
                observe(s, cards, viewer, games.last_observations[i])
                is_to_deal = True
                continue
            legal = rules.legal_ids(s, cards, menu, ids)
            if learner < 0 or learner == s[at.SEAT]:
                break
            decision = ids[random_below(rng, legal)]
        games.seats[i] = s[at.SEAT]
        if s[at.PHASE] != at.OVER:
            for n in range(legal):
                mask[ids[n]] = 1
        viewer = s[at.SEAT] if games.learners[i] < 0 else games.learners[i]
        observe(s, cards, viewer, games.observations[i])

    return step_game
