"""Find a decision that wins in this turn, by trying everything that the turn allows."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from parure.bots.evaluation import (
    CURRENT,
    Workspace,
    apply_random,
    copy,
    determinize,
    is_over,
    legal_ids,
    seat_to_move,
    turns_done,
    winning_seats,
)
from parure.bots.evaluator import Evaluator
from parure.games.engine.arrays import Rng, Row
from parure.games.engine.jit import kernel, outlined
from parure.games.rules import MAX_LEGAL, Rules

NONE = -1
MAX_TURN_DECISIONS = 24  # a longer line is not followed
MAX_POSITIONS = 2000  # that are tried after one decision
SAMPLES = 6  # determinizations in which a decision must win


class TurnWorkspace(NamedTuple):
    """A stack for the depth-first search through a turn."""

    rows: Row  # the state after each decision of the line
    ids: Row  # its legal decisions
    left: Row  # how many of them are not tried yet


def turn_workspace_for(rules: Rules) -> TurnWorkspace:
    """Return a workspace for positions of a game."""
    return TurnWorkspace(
        rows=np.zeros((MAX_TURN_DECISIONS + 1, rules.layout.ROW_WORDS), np.int64),
        ids=np.zeros((MAX_TURN_DECISIONS + 1, MAX_LEGAL), np.int64),
        left=np.zeros(MAX_TURN_DECISIONS + 1, np.int64),
    )


@kernel
def winning_decision(
    evaluator: Evaluator, view: Row, rng: Rng, workspace: Workspace, turn: TurnWorkspace
) -> int:
    """Return a decision after which the seat to move can win in this turn; NONE if there is none.

    Where chance or unknown cards have a part, the win must be found in every one of some random
    determinizations.
    """
    number = legal_ids(evaluator, view, evaluator.cards, workspace.menu, workspace.ids)
    s = workspace.rows[CURRENT]
    for i in range(number - 1, -1, -1):  # purchases come last
        wins = 0
        for _ in range(SAMPLES):
            copy(view, s)
            determinize(evaluator, s, rng)
            if not can_win(evaluator, s, workspace.ids[i], rng, workspace, turn):
                break
            wins += 1
        if wins == SAMPLES:
            return workspace.ids[i]
    return NONE


@outlined
def can_win(
    evaluator: Evaluator, s: Row, decision: int, rng: Rng, workspace: Workspace, turn: TurnWorkspace
) -> bool:
    """Return whether the seat to move can win in this turn, beginning with a decision."""
    seat, turns = seat_to_move(evaluator, s), turns_done(evaluator, s)
    copy(s, turn.rows[0])
    apply_random(evaluator, turn.rows[0], decision, rng, workspace)
    depth, positions = 0, 1
    is_new = True
    while depth >= 0:
        row = turn.rows[depth]
        if is_new:
            turn.left[depth] = 0
            if is_over(evaluator, row):
                if winning_seats(evaluator, row) == 1 << seat:
                    return True
            elif (
                seat_to_move(evaluator, row) == seat
                and turns_done(evaluator, row) == turns
                and depth < MAX_TURN_DECISIONS
            ):
                turn.left[depth] = legal_ids(
                    evaluator, row, evaluator.cards, workspace.menu, turn.ids[depth]
                )
        is_new = False
        if turn.left[depth] == 0:
            depth -= 1
        elif positions == MAX_POSITIONS:
            return False
        else:
            turn.left[depth] -= 1
            positions += 1
            copy(row, turn.rows[depth + 1])
            following = turn.ids[depth, turn.left[depth]]
            apply_random(evaluator, turn.rows[depth + 1], following, rng, workspace)
            depth += 1
            is_new = True
    return False
