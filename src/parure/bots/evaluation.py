"""What positions and decisions are worth: compiled functions, the same for all games."""

from __future__ import annotations

from math import exp
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from parure.bots.evaluator import (
    AT_START,
    CHANGE,
    Evaluator,
    Floats,
    evaluator_for,
    feature_names,
    game_function,
)
from parure.bots.network.weights import network_layout
from parure.bots.network.workspace import NetworkWorkspace, network_workspace_for
from parure.errors import NotationError
from parure.games.engine.arrays import Rng, Row
from parure.games.engine.jit import inlined, kernel, outlined
from parure.games.rules import CHANCE_SIZE, MAX_LEGAL, MENU_WORDS, Rules

if TYPE_CHECKING:
    from parure.games.state import State

apply = game_function(lambda game: game.rules.apply)
legal_ids = game_function(lambda game: game.rules.legal_ids)
determinize = game_function(lambda game: game.rules.determinize)
is_over = game_function(lambda game: game.rules.is_over)
seat_to_move = game_function(lambda game: game.rules.seat_to_move)
turns_done = game_function(lambda game: game.rules.turns_done)
winning_seats = game_function(lambda game: game.rules.winning_seats)
write_features = game_function(lambda game: game.write_features)
game_progress = game_function(lambda game: game.progress)
is_settled = game_function(lambda game: game.is_settled)
can_win_now = game_function(lambda game: game.can_win_now)
turn_outlook = game_function(lambda game: game.turn_outlook)

MAX_DEPTH = 200  # decisions in one iteration of the search

CURRENT, TURN_END, AFTER_DECISION = range(3)  # rows of a workspace


class Workspace(NamedTuple):
    """The arrays that evaluation and search write to, allocated once and reused."""

    rows: Row  # the current state, a copy whose turn is finished, a copy after one decision
    menu: Row
    ids: Row  # legal decisions in the current state
    turn_ids: Row  # legal decisions while a turn is finished
    settling_ids: Row  # legal decisions until a position is settled
    legal_ticks: Row  # of each decision of the game: when the search last found it legal
    path: Row  # the edges of one iteration
    chance: NDArray[np.uint8]
    features: Floats  # of one seat
    values: Floats  # of the current state, for each seat
    decision_values: Floats  # after each legal decision, for each seat
    network: NetworkWorkspace


def workspace_for(rules: Rules) -> Workspace:
    """Return a workspace for positions of a game."""
    return Workspace(
        rows=np.zeros((3, rules.layout.ROW_WORDS), np.int64),
        menu=np.zeros(MENU_WORDS, np.int64),
        ids=np.zeros(MAX_LEGAL, np.int64),
        turn_ids=np.zeros(MAX_LEGAL, np.int64),
        settling_ids=np.zeros(MAX_LEGAL, np.int64),
        legal_ticks=np.zeros(len(rules.decision_texts), np.int64),
        path=np.zeros(MAX_DEPTH, np.int64),
        chance=np.zeros(CHANCE_SIZE, np.uint8),
        features=np.zeros(len(feature_names(rules)), np.float64),
        values=np.zeros(rules.seats, np.float64),
        decision_values=np.zeros((MAX_LEGAL, rules.seats), np.float64),
        network=network_workspace_for(network_layout(rules), rules.cards.shape[1]),
    )


@inlined
def copy(source: NDArray[Any], target: NDArray[Any]) -> None:
    """Copy an array over another of the same size."""
    for i in range(len(target)):
        target[i] = source[i]


@inlined
def write_result(evaluator: Evaluator, s: Row, values: Floats) -> None:
    """Write the score of each seat in a game that is over: the winners share 1."""
    winners = winning_seats(evaluator, s)
    number = 0
    for seat in range(len(values)):
        number += (winners >> seat) & 1
    for seat in range(len(values)):
        if number:
            values[seat] = ((winners >> seat) & 1) / number
        else:
            values[seat] = 1.0 / len(values)


@outlined
def evaluate(evaluator: Evaluator, s: Row, features: Floats, values: Floats) -> None:
    """Write the expected score of each seat: the softmax of the seats' worths."""
    if is_over(evaluator, s):
        write_result(evaluator, s, values)
        return
    progress = game_progress(evaluator, s)
    for seat in range(len(values)):
        write_features(evaluator, s, evaluator.cards, evaluator.card_worth, seat, features)
        values[seat] = evaluate_worth(evaluator, features, progress)
    softmax(values, len(values))


@inlined
def evaluate_worth(evaluator: Evaluator, features: Floats, progress: float) -> float:
    """Return the worth of a seat: the weighted sum of its features."""
    worth = 0.0
    for i in range(len(features)):
        weight = evaluator.weights[AT_START, i] + progress * evaluator.weights[CHANGE, i]
        worth += features[i] * weight
    return worth


@inlined
def softmax(values: Floats, number: int) -> None:
    """Replace the first numbers of an array by their softmax."""
    highest = -1e30
    for i in range(number):
        highest = max(highest, values[i])
    total = 0.0
    for i in range(number):
        values[i] = exp(values[i] - highest)
        total += values[i]
    for i in range(number):
        values[i] /= total


@inlined
def apply_random(
    evaluator: Evaluator, s: Row, decision: int, rng: Rng, workspace: Workspace
) -> None:
    """Apply a decision, with a random outcome where chance has a part."""
    workspace.chance[0] = 0
    apply(evaluator, s, evaluator.cards, decision, rng, workspace.chance)


@outlined
def evaluate_decision(
    evaluator: Evaluator, s: Row, decision: int, rng: Rng, workspace: Workspace, values: Floats
) -> None:
    """Write the expected score of each seat after a decision.

    A position that is not settled then is played on, always with the last legal decision.
    """
    after = workspace.rows[AFTER_DECISION]
    copy(s, after)
    apply_random(evaluator, after, decision, rng, workspace)
    while not is_settled(evaluator, after):
        number = legal_ids(
            evaluator, after, evaluator.cards, workspace.menu, workspace.settling_ids
        )
        apply_random(evaluator, after, workspace.settling_ids[number - 1], rng, workspace)
    evaluate(evaluator, after, workspace.features, values)


@outlined
def wins_turn(evaluator: Evaluator, s: Row, decision: int, rng: Rng, workspace: Workspace) -> bool:
    """Return whether the seat to move wins by a decision, however the rest of its turn goes on.

    The turn is finished with the last legal decisions only: what a purchase has reached, no later
    decision of the turn can take away.
    """
    seat, turns = seat_to_move(evaluator, s), turns_done(evaluator, s)
    after = workspace.rows[AFTER_DECISION]
    copy(s, after)
    apply_random(evaluator, after, decision, rng, workspace)
    while (
        not is_over(evaluator, after)
        and seat_to_move(evaluator, after) == seat
        and turns_done(evaluator, after) == turns
    ):
        number = legal_ids(
            evaluator, after, evaluator.cards, workspace.menu, workspace.settling_ids
        )
        apply_random(evaluator, after, workspace.settling_ids[number - 1], rng, workspace)
    return is_over(evaluator, after) and winning_seats(evaluator, after) == 1 << seat


@inlined
def finish_turn(
    evaluator: Evaluator, s: Row, seat: int, turns: int, rng: Rng, workspace: Workspace
) -> None:
    """Apply the decisions of highest value until the turn of a seat is over."""
    while (
        not is_over(evaluator, s)
        and seat_to_move(evaluator, s) == seat
        and turns_done(evaluator, s) == turns
    ):
        number = legal_ids(evaluator, s, evaluator.cards, workspace.menu, workspace.turn_ids)
        best, highest = 0, -1.0
        for i in range(number):
            if number > 1:
                decision = workspace.turn_ids[i]
                evaluate_decision(evaluator, s, decision, rng, workspace, workspace.values)
                if workspace.values[seat] > highest:
                    best, highest = i, workspace.values[seat]
        apply_random(evaluator, s, workspace.turn_ids[best], rng, workspace)


@kernel
def look_ahead(
    evaluator: Evaluator, view: Row, rng: Rng, workspace: Workspace, samples: int
) -> int:
    """Evaluate each legal decision at the end of its turn, and return their number.

    The decisions are left in `workspace.ids`, and in `workspace.decision_values` the means over
    `samples` random determinizations of the view.
    """
    s, t = workspace.rows[CURRENT], workspace.rows[TURN_END]
    number = legal_ids(evaluator, view, evaluator.cards, workspace.menu, workspace.ids)
    for i in range(number):
        for seat in range(len(workspace.values)):
            workspace.decision_values[i, seat] = 0.0
    mover, turns = seat_to_move(evaluator, view), turns_done(evaluator, view)
    for _ in range(samples):
        copy(view, s)
        determinize(evaluator, s, rng)
        for i in range(number):
            copy(s, t)
            apply_random(evaluator, t, workspace.ids[i], rng, workspace)
            finish_turn(evaluator, t, mover, turns, rng, workspace)
            evaluate(evaluator, t, workspace.features, workspace.values)
            for seat in range(len(workspace.values)):
                workspace.decision_values[i, seat] += workspace.values[seat] / samples
    return number


@kernel
def extract_features(evaluator: Evaluator, s: Row, seat: int, features: Floats) -> float:
    """Write the features of a seat in a full state, and return the progress of the game."""
    write_features(evaluator, s, evaluator.cards, evaluator.card_worth, seat, features)
    return game_progress(evaluator, s)


def features_of(state: State, seat: int) -> tuple[Floats, float]:
    """Return the features of a seat and the progress of the game, 0 to 1.

    >>> import parure
    >>> features, progress = features_of(parure.new("duel", seed=7), 0)
    >>> len(features) == len(feature_names(parure.rules("duel"))), progress
    (True, 0.0)
    """
    rules = state.rules
    if seat not in range(rules.seats):
        raise NotationError(f"there is no seat {seat!r}")
    features = np.zeros(len(feature_names(rules)), np.float64)
    progress = extract_features(evaluator_for(rules), state.words, seat, features)
    return features, float(progress)
