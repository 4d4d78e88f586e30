"""What positions and decisions are worth: compiled, for all games alike."""

from __future__ import annotations

from math import exp
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from parure.bots.evaluator import AT_START, UNTIL_END, Numbers, by_game, door, feature_names
from parure.games.engine.arrays import Rng, Row
from parure.games.engine.jit import inlined, kernel, outlined
from parure.games.rules import CHANCE_SIZE, MAX_LEGAL, MENU_WORDS, Rules

apply = door("apply")
legal_ids = door("legal_ids")
determinize = door("determinize")
features = by_game("features")
progress = by_game("progress")
is_settled = by_game("is_settled")
is_over = door("is_over")
seat_to_move = door("seat_to_move")
turns_done = door("turns_done")
winning_seats = door("winning_seats")


class Room(NamedTuple):
    """Room to work in, made once."""

    rows: Row  # the state at hand, the same while a turn is finished, the same a decision further
    menu: Row
    ids: Row  # legal decisions: of the state at hand,
    options: Row  # while a turn is finished,
    last_ids: Row  # and until a position can be judged
    stamps: Row  # by decision: when it was last seen to be legal
    path: Row  # the edges that an iteration went along
    chance: NDArray[np.uint8]
    found: Numbers  # features
    values: Numbers  # what the state at hand is worth to each seat
    judged: Numbers  # the same after each legal decision


DEEPEST = 200  # decisions in one iteration


def room_for(by: Rules) -> Room:
    """Room for positions of a game."""
    return Room(
        rows=np.zeros((3, by.layout.ROW_WORDS), np.int64),
        menu=np.zeros(MENU_WORDS, np.int64),
        ids=np.zeros(MAX_LEGAL, np.int64),
        options=np.zeros(MAX_LEGAL, np.int64),
        last_ids=np.zeros(MAX_LEGAL, np.int64),
        stamps=np.zeros(len(by.decision_texts), np.int64),
        path=np.zeros(DEEPEST, np.int64),
        chance=np.zeros(CHANCE_SIZE, np.uint8),
        found=np.zeros(len(feature_names(by)), np.float64),
        values=np.zeros(by.seats, np.float64),
        judged=np.zeros((MAX_LEGAL, by.seats), np.float64),
    )


@inlined
def copy(source: Any, target: Any) -> None:
    """Write one array over another of the same size."""
    for i in range(len(target)):
        target[i] = source[i]


@inlined
def share_victory(known: Any, s: Row, values: Numbers) -> None:
    """Write what each seat got out of a game that is over."""
    winners = winning_seats(known, s)
    number = 0
    for seat in range(len(values)):
        number += (winners >> seat) & 1
    for seat in range(len(values)):
        if number:
            values[seat] = ((winners >> seat) & 1) / number
        else:
            values[seat] = 1.0 / len(values)


@outlined
def evaluate(known: Any, s: Row, found: Numbers, values: Numbers) -> None:
    """Write each seat's expected score: 1 for a sure victory."""
    if is_over(known, s):
        share_victory(known, s, values)
        return
    highest = -1e30
    far = progress(known, s)
    for seat in range(len(values)):
        features(known, s, known.cards, known.worth, seat, found)
        worth = 0.0
        for i in range(len(found)):
            worth += found[i] * (known.weights[AT_START, i] + far * known.weights[UNTIL_END, i])
        values[seat] = worth
        highest = max(highest, worth)
    together = 0.0
    for seat in range(len(values)):
        values[seat] = exp(values[seat] - highest)
        together += values[seat]
    for seat in range(len(values)):
        values[seat] /= together


@inlined
def do(known: Any, s: Row, decision: int, rng: Rng, room: Any) -> None:
    """Do a decision, whatever chance brings."""
    room.chance[0] = 0
    apply(known, s, known.cards, decision, rng, room.chance)


@outlined
def judge_decision(known: Any, s: Row, decision: int, rng: Rng, room: Any, values: Numbers) -> None:
    """Write what a state is worth after a decision.

    Whatever is half done then is finished first, with the decisions that stand last in the menu.
    """
    t = room.rows[2]
    copy(s, t)
    do(known, t, decision, rng, room)
    while not is_settled(known, t):
        number = legal_ids(known, t, known.cards, room.menu, room.last_ids)
        do(known, t, room.last_ids[number - 1], rng, room)
    evaluate(known, t, room.found, values)


@inlined
def finish_turn(known: Any, s: Row, seat: int, turns: int, rng: Rng, room: Any) -> None:
    """Take the best-looking decisions until the turn of a seat is over."""
    while (
        not is_over(known, s) and seat_to_move(known, s) == seat and turns_done(known, s) == turns
    ):
        number = legal_ids(known, s, known.cards, room.menu, room.options)
        best, highest = 0, -1.0
        for i in range(number):
            if number > 1:
                judge_decision(known, s, room.options[i], rng, room, room.values)
                if room.values[seat] > highest:
                    best, highest = i, room.values[seat]
        do(known, s, room.options[best], rng, room)


@kernel
def look_ahead(known: Any, view: Row, rng: Rng, room: Any, times: int) -> int:
    """Judge each legal decision by the best end of the turn after it; gives their number.

    The means over some full states that fit the view are left in `judged`.
    """
    s, t = room.rows[0], room.rows[1]
    number = legal_ids(known, view, known.cards, room.menu, room.ids)
    for i in range(number):
        for seat in range(len(room.values)):
            room.judged[i, seat] = 0.0
    me, turns = seat_to_move(known, view), turns_done(known, view)
    for _ in range(times):
        copy(view, s)
        determinize(known, s, rng)
        for i in range(number):
            copy(s, t)
            do(known, t, room.ids[i], rng, room)
            finish_turn(known, t, me, turns, rng, room)
            evaluate(known, t, room.found, room.values)
            for seat in range(len(room.values)):
                room.judged[i, seat] += room.values[seat] / times
    return number


@kernel
def see(known: Any, s: Row, seat: int, found: Numbers) -> float:
    """Write the features of a seat in a full state; gives how far the game is."""
    features(known, s, known.cards, known.worth, seat, found)
    far: float = progress(known, s)
    return far
