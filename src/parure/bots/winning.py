"""Find a decision that wins in this turn: a depth-first search with iterative deepening."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from parure.bots.evaluation import (
    Workspace,
    apply_random,
    copy,
    determinize,
    is_over,
    legal_ids,
    seat_to_move,
    turn_outlook,
    turns_done,
    winning_seats,
)
from parure.bots.evaluator import MAY_WIN, NO_WIN, SURE_WIN, Evaluator
from parure.games.engine.arrays import Rng, Row
from parure.games.engine.jit import inlined, kernel, outlined
from parure.games.rules import MAX_LEGAL, Rules

NO_DECISION = -1
MAX_TURN_DECISIONS = 24  # a longer line is not followed
MAX_POSITIONS = 20_000  # that are tried, for lines of all lengths together
SAMPLES = 64  # determinizations in which a line must win


class TurnWorkspace(NamedTuple):
    """A stack for the depth-first search through a turn."""

    rows: Row  # the state after each decision of the line
    ids: Row  # its legal decisions
    left: Row  # how many of them are not tried yet
    line: Row  # the decision that follows each state
    checked: Row  # a state in which a line is checked


def turn_workspace_for(rules: Rules) -> TurnWorkspace:
    """Return a workspace for positions of a game."""
    return TurnWorkspace(
        rows=np.zeros((MAX_TURN_DECISIONS + 1, rules.layout.ROW_WORDS), np.int64),
        ids=np.zeros((MAX_TURN_DECISIONS + 1, MAX_LEGAL), np.int64),
        left=np.zeros(MAX_TURN_DECISIONS + 1, np.int64),
        line=np.zeros(MAX_TURN_DECISIONS, np.int64),
        checked=np.zeros(rules.layout.ROW_WORDS, np.int64),
    )


@kernel
def winning_decision(
    evaluator: Evaluator, view: Row, rng: Rng, workspace: Workspace, stack: TurnWorkspace
) -> int:
    """Return the first decision of a shortest line that wins in this turn.

    NO_DECISION if none is found. A line must win in every one of `SAMPLES` random determinizations,
    so that it depends neither on unknown cards nor on chance. A win whose decisions depend on what
    chance brings is not found, nor is one beyond the limits of length and positions above.
    """
    copy(view, stack.rows[0])
    determinize(evaluator, stack.rows[0], rng)
    if turn_outlook(evaluator, stack.rows[0], evaluator.cards) == NO_WIN:
        return NO_DECISION
    positions = 0
    for length in range(1, MAX_TURN_DECISIONS + 1):
        has_longer_lines = False
        depth = 0
        stack.left[0] = legal_ids(
            evaluator, stack.rows[0], evaluator.cards, workspace.menu, stack.ids[0]
        )
        while depth >= 0:
            if stack.left[depth] == 0:
                depth -= 1
                continue
            if positions == MAX_POSITIONS:
                return NO_DECISION
            positions += 1
            stack.left[depth] -= 1
            stack.line[depth] = stack.ids[depth, stack.left[depth]]
            row = stack.rows[depth + 1]
            copy(stack.rows[depth], row)
            apply_random(evaluator, row, stack.line[depth], rng, workspace)
            outlook = outlook_after(evaluator, view, row)
            if outlook == SURE_WIN and depth + 1 == length:
                if wins_always(evaluator, view, length, rng, workspace, stack):
                    return stack.line[0]
            elif outlook == MAY_WIN and depth + 1 < length:
                depth += 1
                stack.left[depth] = legal_ids(
                    evaluator, row, evaluator.cards, workspace.menu, stack.ids[depth]
                )
            elif outlook == MAY_WIN:
                has_longer_lines = True
        if not has_longer_lines:
            break
    return NO_DECISION


@inlined
def outlook_after(evaluator: Evaluator, view: Row, row: Row) -> int:
    """Return the outlook in a later state of the turn of a view; NO_WIN once that turn is over."""
    if is_over(evaluator, row):
        has_won = winning_seats(evaluator, row) == 1 << seat_to_move(evaluator, view)
        return SURE_WIN if has_won else NO_WIN
    if turns_done(evaluator, row) != turns_done(evaluator, view):
        return NO_WIN
    return turn_outlook(evaluator, row, evaluator.cards)


@outlined
def wins_always(
    evaluator: Evaluator,
    view: Row,
    length: int,
    rng: Rng,
    workspace: Workspace,
    stack: TurnWorkspace,
) -> bool:
    """Return whether `stack.line` is legal and wins in each of some determinizations."""
    row, ids = stack.checked, workspace.settling_ids
    for _ in range(SAMPLES):
        copy(view, row)
        determinize(evaluator, row, rng)
        for i in range(length):
            outlook = outlook_after(evaluator, view, row) if i else MAY_WIN
            if outlook == SURE_WIN:
                break
            if outlook == NO_WIN:
                return False
            number = legal_ids(evaluator, row, evaluator.cards, workspace.menu, ids)
            is_legal = False
            for n in range(number):
                is_legal = is_legal or ids[n] == stack.line[i]
            if not is_legal:
                return False
            apply_random(evaluator, row, stack.line[i], rng, workspace)
        if outlook_after(evaluator, view, row) != SURE_WIN:
            return False
    return True
