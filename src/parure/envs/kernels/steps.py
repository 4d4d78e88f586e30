"""What the compiled steps of all games agree on: how games go on, end, and are looked at.

A step takes one decision for each game. Where a *learner* sits at one seat, the others play at
random inside the same call until it is the learner's turn again; where there is none (-1), every
decision comes from outside and the observation is that of the seat to move.

Numba compiles a loop for one kernel at a time, so each game has its own `step_many` that does this.
"""

from __future__ import annotations

from parure.games.compiled import kernel
from parure.games.typing import Mask, Row

# what happens to a game that is over
STAYS_OVER, NEXT_STEP, SAME_STEP = range(3)

# where the learner sits: a number of a seat, drawn for each game, or nowhere
NO_SEAT, ANY_SEAT = -1, -2

# what a finished game is worth
RESULTS, MARGINS = range(2)

# how a step ended
GOES_ON, TERMINATED, TRUNCATED = range(3)


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
