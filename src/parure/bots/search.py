"""The compiled search: Monte-Carlo tree search over what a seat knows.

Each iteration draws a full state that fits the view, descends the tree along the decisions that
are legal in it, and at the end of the way judges all decisions at once: the promising ones become
edges with a prior and a first value each, and the best of them is the value of the whole
iteration. Each seat looks for its own good (max-n).

Edges are decisions, not states: cards turned up on the way differ from iteration to iteration and
are averaged over. Tokens from the bag change the meaning of decisions (`take a1`), so each outcome
of a draw gets a node of its own; the number of outcomes grows with the root of the visits.

Several threads can grow one tree. Each takes new nodes, edges and outcomes from blocks of its own,
so none is given away twice, and links them when they are written. The threads do not wait for each
other, and none undoes what another does (:mod:`parure.games.engine.atomics`; only some visits of
nodes, which are counted roughly, may get lost). An edge counts as followed as soon as a thread goes
along it, and what it is worth comes later: meanwhile the others rather look elsewhere.
"""

from __future__ import annotations

from math import exp, sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from parure.bots.evaluation import (
    DEEPEST,
    apply,
    copy,
    determinize,
    do,
    evaluate,
    is_over,
    judge_decision,
    legal_ids,
    seat_to_move,
)
from parure.bots.evaluator import Numbers, by_game
from parure.games.engine.arrays import Rng, Row
from parure.games.engine.atomics import atomic_add, compare_and_swap
from parure.games.engine.jit import inlined, kernel, outlined
from parure.games.engine.rng import random_below
from parure.games.rules import CHANCE_SIZE

bag = by_game("bag")

# Columns of the tree's arrays.
FIRST_EDGE, VISITS = range(2)  # of a node
DECISION, NEXT, CHILD, FOLLOWED, HAS_CHANCE = range(5)  # of an edge
PRIOR, SUM = range(2)  # of an edge's numbers: the prior, then a sum of values for each seat
OUTCOME_NODE, NEXT_OUTCOME, BAG_BEFORE = range(3)  # of an outcome of chance
NODES, EDGES, OUTCOMES, ROOT, TICK = range(5)  # of a thread's counters: the next free ones,
NODES_END, EDGES_END, OUTCOMES_END = range(5, 8)  # and where its blocks end

NONE = -1
MAX_NEW_EDGES = 4096  # in one iteration
FIRST_NODES = 1024  # of a thread
FIRST_EDGES = 16 * FIRST_NODES + MAX_NEW_EDGES
APART = 16  # words between what two threads write: a processor keeps neighbours together


class Settings(NamedTuple):
    """How a search goes about it."""

    curiosity: float = 0.3  # how much a prior counts against what was found
    temperature: float = 0.05  # how much the priors of decisions of different worth differ
    width: int = 20  # decisions that are considered at a node,
    root_width: int = 40  # at the root,
    hopeless: float = 0.15  # and only those that seem worse than the best by less than this


class Tree(NamedTuple):
    """All that a search remembers."""

    nodes: NDArray[np.int32]
    edges: NDArray[np.int32]
    numbers: Numbers  # of the edges
    outcomes: Row
    chances: NDArray[np.uint8]  # the tokens of each outcome
    counters: Row  # a row for each thread


def tree_for(seats: int, threads: int) -> Tree:
    """Room for a tree, for turn after turn: memory that was never written is slow at first."""
    nodes, edges = threads * FIRST_NODES, threads * FIRST_EDGES
    return Tree(
        nodes=np.zeros((nodes, 2), np.int32),
        edges=np.zeros((edges, 5), np.int32),
        numbers=np.zeros((edges, SUM + seats), np.float64),
        outcomes=np.zeros((nodes, 3), np.int64),
        chances=np.zeros((nodes, CHANCE_SIZE), np.uint8),
        counters=np.zeros((threads, APART), np.int64),
    )


def plant(tree: Tree) -> None:
    """Leave nothing of a tree but its root."""
    tree.counters[:] = 0
    give_blocks(tree, 0, 0)
    tree.counters[0, NODES] = 1
    tree.nodes[0] = NONE, 0


def give_blocks(tree: Tree, first_node: int, first_edge: int) -> None:
    """Share all nodes, edges and outcomes from the first ones on among the threads."""
    threads = len(tree.counters)
    for next_free, end, first, size in (
        (NODES, NODES_END, first_node, len(tree.nodes)),
        (EDGES, EDGES_END, first_edge, len(tree.edges)),
        (OUTCOMES, OUTCOMES_END, first_node, len(tree.outcomes)),
    ):
        borders = np.linspace(first, size, threads + 1).astype(np.int64)
        tree.counters[:, next_free] = borders[:-1]
        tree.counters[:, end] = borders[1:]


def grown(tree: Tree) -> Tree:
    """The same tree with twice the room."""
    arrays = (name for name in Tree._fields if name != "counters")
    larger = tree._replace(**{name: twice_as_long(getattr(tree, name)) for name in arrays})
    give_blocks(larger, len(tree.nodes), len(tree.edges))
    return larger


def twice_as_long(array: NDArray[Any]) -> NDArray[Any]:
    """An array that begins with another one, with zeros after it."""
    longer = np.zeros((2 * len(array), *array.shape[1:]), array.dtype)
    longer[: len(array)] = array
    return longer


def of_thread(tree: Tree, thread: int) -> Tree:
    """The tree as a thread has it: with its own counters."""
    return tree._replace(counters=tree.counters[thread])


@inlined
def has_room(tree: Any) -> bool:
    """Whether one more iteration surely fits."""
    return (
        tree.counters[NODES] + DEEPEST < tree.counters[NODES_END]
        and tree.counters[EDGES] + MAX_NEW_EDGES < tree.counters[EDGES_END]
        and tree.counters[OUTCOMES] + DEEPEST < tree.counters[OUTCOMES_END]
    )


@inlined
def add_node(tree: Any) -> int:
    """A new node without edges."""
    node = tree.counters[NODES]
    tree.counters[NODES] += 1
    tree.nodes[node, FIRST_EDGE] = NONE
    tree.nodes[node, VISITS] = 0
    return node


@inlined
def put_first(lists: Any, i: int, first: int, members: Any, member: int, following: int) -> None:
    """Put a new member at the head of list i; `first` and `following` are columns."""
    while True:
        head = lists[i, first]
        members[member, following] = head
        if compare_and_swap(lists, i, first, head, member):
            break


@inlined
def add_edge(tree: Any, node: int, decision: int, prior: float, values: Numbers) -> None:
    """A new edge of a node; its first judgement counts like one visit."""
    edge = tree.counters[EDGES]
    tree.counters[EDGES] += 1
    tree.edges[edge, DECISION] = decision
    tree.edges[edge, CHILD] = NONE
    tree.edges[edge, FOLLOWED] = 0
    tree.edges[edge, HAS_CHANCE] = 0
    tree.numbers[edge, PRIOR] = prior
    for seat in range(len(values)):
        tree.numbers[edge, SUM + seat] = values[seat]
    put_first(tree.nodes, node, FIRST_EDGE, tree.edges, edge, NEXT)


@outlined
def expand(
    tree: Any, node: int, known: Any, s: Row, number: int, settings: Any, rng: Rng, room: Any
) -> None:
    """Give a node edges for the most promising legal decisions that have none yet.

    What the best of them is worth is left in `values`.
    """
    mover = seat_to_move(known, s)
    best, highest = 0, -1.0
    for i in range(number):
        judge_decision(known, s, room.ids[i], rng, room, room.judged[i])
        if room.judged[i, mover] > highest:
            best, highest = i, room.judged[i, mover]
    copy(room.judged[best], room.values)
    together = 0.0
    for i in range(number):
        together += exp((room.judged[i, mover] - highest) / settings.temperature)
    for _ in range(settings.root_width if node == tree.counters[ROOT] else settings.width):
        best, value = NONE, highest - settings.hopeless
        for i in range(number):
            if room.ids[i] != NONE and room.judged[i, mover] > value:
                best, value = i, room.judged[i, mover]
        if best == NONE:
            break
        if room.stamps[room.ids[best]] == tree.counters[TICK]:  # it has no edge yet
            prior = exp((value - highest) / settings.temperature) / together
            add_edge(tree, node, room.ids[best], prior, room.judged[best])
        room.ids[best] = NONE


@outlined
def select(tree: Any, node: int, mover: int, settings: Any, room: Any) -> int:
    """The legal edge with the best sum of value and curiosity; NONE if no edge is legal.

    The stamps of decisions that are legal and have an edge go up by one.
    """
    tick = tree.counters[TICK]
    times = 1
    edge = tree.nodes[node, FIRST_EDGE]
    while edge != NONE:
        if room.stamps[tree.edges[edge, DECISION]] == tick:
            room.stamps[tree.edges[edge, DECISION]] = tick + 1
            times += tree.edges[edge, FOLLOWED]
        edge = tree.edges[edge, NEXT]
    curiosity = settings.curiosity * sqrt(times)
    best, highest = NONE, -1.0
    edge = tree.nodes[node, FIRST_EDGE]
    while edge != NONE:
        if room.stamps[tree.edges[edge, DECISION]] == tick + 1:
            promise = tree.numbers[edge, SUM + mover] + curiosity * tree.numbers[edge, PRIOR]
            promise /= tree.edges[edge, FOLLOWED] + 1.0
            if promise > highest:
                best, highest = edge, promise
        edge = tree.edges[edge, NEXT]
    return best


@outlined
def follow(tree: Any, edge: int, known: Any, s: Row, rng: Rng, room: Any) -> int:
    """Do the decision of an edge; gives the node behind it."""
    bag_before = bag(known, s)
    outcome = NONE
    if tree.edges[edge, HAS_CHANCE]:
        outcome = known_outcome(tree, edge, bag_before, rng)
    if outcome == NONE:
        do(known, s, tree.edges[edge, DECISION], rng, room)
    else:
        copy(tree.chances[outcome], room.chance)
        apply(known, s, known.cards, tree.edges[edge, DECISION], rng, room.chance)
    if room.chance[0] == 0:
        if tree.edges[edge, CHILD] == NONE:
            compare_and_swap(
                tree.edges, edge, CHILD, NONE, add_node(tree)
            )  # unless another thread did
        return tree.edges[edge, CHILD]
    if outcome == NONE:
        outcome = tree.counters[OUTCOMES]
        tree.counters[OUTCOMES] += 1
        copy(room.chance, tree.chances[outcome])
        tree.outcomes[outcome, OUTCOME_NODE] = add_node(tree)
        tree.outcomes[outcome, BAG_BEFORE] = bag_before
        put_first(tree.edges, edge, CHILD, tree.outcomes, outcome, NEXT_OUTCOME)
        tree.edges[edge, HAS_CHANCE] = 1
    return tree.outcomes[outcome, OUTCOME_NODE]


@outlined
def known_outcome(tree: Any, edge: int, bag_before: int, rng: Rng) -> int:
    """One of the outcomes that were drawn before; NONE if there should be a new one."""
    number = 0
    outcome = tree.edges[edge, CHILD]
    while outcome != NONE:
        number += 1 if tree.outcomes[outcome, BAG_BEFORE] == bag_before else 0
        outcome = tree.outcomes[outcome, NEXT_OUTCOME]
    if number * number <= tree.edges[edge, FOLLOWED]:
        return NONE
    n = random_below(rng, number)
    outcome = tree.edges[edge, CHILD]
    while outcome != NONE and (n > 0 or tree.outcomes[outcome, BAG_BEFORE] != bag_before):
        n -= 1 if tree.outcomes[outcome, BAG_BEFORE] == bag_before else 0
        outcome = tree.outcomes[outcome, NEXT_OUTCOME]
    return outcome


@inlined
def is_time_to_look_again(visits: int) -> bool:
    """At 4, 16, 64 … visits: cards turned up since may have brought new decisions."""
    return visits == 4 or visits == 16 or visits == 64 or visits == 256 or visits == 1024


@outlined
def iterate(tree: Any, known: Any, view: Row, settings: Any, rng: Rng, room: Any) -> None:
    """One iteration: descend, judge, and tell all edges on the way."""
    s = room.rows[0]
    copy(view, s)
    determinize(known, s, rng)
    node = tree.counters[ROOT]
    depth = 0
    while True:
        if is_over(known, s) or depth == DEEPEST:
            evaluate(known, s, room.found, room.values)
            break
        number = legal_ids(known, s, known.cards, room.menu, room.ids)
        if number == 1:  # forced: no node, no edge
            do(known, s, room.ids[0], rng, room)
            continue
        tree.counters[TICK] += 2
        for i in range(number):
            room.stamps[room.ids[i]] = tree.counters[TICK]
        edge = select(tree, node, seat_to_move(known, s), settings, room)
        tree.nodes[node, VISITS] += 1
        if edge == NONE or is_time_to_look_again(tree.nodes[node, VISITS]):
            expand(tree, node, known, s, number, settings, rng, room)
        if edge == NONE:
            break
        room.path[depth] = edge
        depth += 1
        node = follow(tree, edge, known, s, rng, room)
        atomic_add(tree.edges, edge, FOLLOWED, 1)
    for i in range(depth):
        for seat in range(len(room.values)):
            atomic_add(tree.numbers, room.path[i], SUM + seat, room.values[seat])


@kernel
def search(
    tree: Any, known: Any, view: Row, settings: Any, rng: Rng, room: Any, iterations: int
) -> int:
    """Do some iterations, fewer if the tree gets too small; gives how many."""
    for done in range(iterations):
        if not has_room(tree):
            return done
        iterate(tree, known, view, settings, rng, room)
    return iterations
