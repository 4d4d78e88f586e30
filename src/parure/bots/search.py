"""The compiled search: information-set Monte Carlo tree search with PUCT, for any number of seats.

Each iteration determinizes the view (draws a full state that fits it) and descends one tree along
the decisions that are legal in that state, as in single-observer information-set MCTS (Cowling,
Powley and Whitehouse, "Information Set Monte Carlo Tree Search", 2012).

- *Selection* is PUCT: the mean value of an edge plus an exploration term in proportion to its
  prior. Each seat maximizes its own value (max-n).
- *Expansion* evaluates every legal decision of a new node at once. The best ones become edges; the
  softmax of their values is the prior, and the value itself counts as a first visit. There are no
  random playouts: the value of the best decision is what is backed up.
- *Chance*. Edges are decisions, not states: cards that are turned up differ from iteration to
  iteration and are averaged over. Tokens drawn from the bag change what decisions mean (`take a1`),
  so each outcome of a draw has its own node; progressive widening limits the number of outcomes to
  the square root of the visits.
- *Threads* share one tree without locks. Each takes new nodes, edges and outcomes from its own
  blocks and links them once they are written, with atomic operations
  (:mod:`parure.games.engine.atomics`). The visit of an edge is counted on the way down and its
  value on the way up, which acts as a virtual loss. Visits of nodes are counted without atomics, so
  some may get lost.
"""

from __future__ import annotations

from math import exp, sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from parure.bots.evaluation import (
    CURRENT,
    MAX_DEPTH,
    Workspace,
    apply,
    apply_random,
    can_win_now,
    copy,
    determinize,
    evaluate,
    evaluate_decision,
    is_over,
    legal_ids,
    seat_to_move,
    wins_turn,
)
from parure.bots.evaluator import Evaluator, Floats, game_function
from parure.bots.network.game import NetworkEvaluator
from parure.bots.network.inference import evaluate_with_network
from parure.games.engine.arrays import Rng, Row
from parure.games.engine.atomics import atomic_add, compare_and_swap
from parure.games.engine.jit import dispatch_on_type, inlined, kernel, outlined
from parure.games.engine.rng import random_below
from parure.games.rules import CHANCE_SIZE

bag = game_function(lambda game: game.bag)

# Columns of the arrays of a tree.
FIRST_EDGE, NODE_VISITS = range(2)  # nodes
DECISION, NEXT_EDGE, CHILD, VISITS, HAS_CHANCE = range(5)  # edges
PRIOR, VALUE_SUM = range(2)  # edge_values: the prior, then a sum of values for each seat
OUTCOME_NODE, NEXT_OUTCOME, BAG_BEFORE = range(3)  # outcomes
FREE_NODE, FREE_EDGE, FREE_OUTCOME, ROOT, TICK = range(5)  # counters
NODES_END, EDGES_END, OUTCOMES_END = range(5, 8)  # counters: where the blocks of a thread end

NONE = -1
MAX_NEW_EDGES = 4096  # in one iteration
INITIAL_NODES = 1024  # for each thread
INITIAL_EDGES = 16 * INITIAL_NODES + MAX_NEW_EDGES
CACHE_LINE_PAD = 16  # words: threads that write to the same cache lines slow each other down


class Settings(NamedTuple):
    """The parameters of a search."""

    c_puct: float = 0.3  # weight of the exploration term
    temperature: float = 0.05  # of the softmax that turns values into priors
    width: int = 20  # decisions that become edges of a node, at most
    root_width: int = 40  # the same at the root
    prune_margin: float = 0.15  # a decision this much worse than the best gets no edge
    min_prior: float = 0.01  # with a network: a decision with a lower prior gets no edge at first
    fpu_reduction: float = 0.05  # with a network: what an edge lacks to its node's value at first


class Tree(NamedTuple):
    """The tree as flat arrays; nodes, edges and outcomes refer to each other by row."""

    nodes: NDArray[np.int32]
    edges: NDArray[np.int32]  # those of a node are a linked list
    edge_values: Floats
    outcomes: Row  # those of an edge with chance are a linked list that begins at its child
    outcome_tokens: NDArray[np.uint8]  # what chance brought, as the kernel takes it
    counters: Row  # a row for each thread; a thread's own row in :func:`tree_of_thread`


def new_tree(seats: int, threads: int) -> Tree:
    """Return an empty tree; it is reused from turn to turn, as fresh memory is slow at first."""
    nodes, edges = threads * INITIAL_NODES, threads * INITIAL_EDGES
    return Tree(
        nodes=np.zeros((nodes, 2), np.int32),
        edges=np.zeros((edges, 5), np.int32),
        edge_values=np.zeros((edges, VALUE_SUM + seats), np.float64),
        outcomes=np.zeros((nodes, 3), np.int64),
        outcome_tokens=np.zeros((nodes, CHANCE_SIZE), np.uint8),
        counters=np.zeros((threads, CACHE_LINE_PAD), np.int64),
    )


def reset(tree: Tree) -> None:
    """Remove everything from a tree but its root."""
    tree.counters[:] = 0
    assign_blocks(tree, 0, 0)
    tree.counters[0, FREE_NODE] = 1
    tree.nodes[0] = NONE, 0


def assign_blocks(tree: Tree, first_node: int, first_edge: int) -> None:
    """Divide the free nodes, edges and outcomes among the threads."""
    threads = len(tree.counters)
    for free, end, first, size in (
        (FREE_NODE, NODES_END, first_node, len(tree.nodes)),
        (FREE_EDGE, EDGES_END, first_edge, len(tree.edges)),
        (FREE_OUTCOME, OUTCOMES_END, first_node, len(tree.outcomes)),
    ):
        borders = np.linspace(first, size, threads + 1).astype(np.int64)
        tree.counters[:, free] = borders[:-1]
        tree.counters[:, end] = borders[1:]


def enlarged(tree: Tree) -> Tree:
    """Return the same tree with twice the capacity."""
    larger = Tree(
        nodes=twice_as_long(tree.nodes),
        edges=twice_as_long(tree.edges),
        edge_values=twice_as_long(tree.edge_values),
        outcomes=twice_as_long(tree.outcomes),
        outcome_tokens=twice_as_long(tree.outcome_tokens),
        counters=tree.counters,
    )
    assign_blocks(larger, len(tree.nodes), len(tree.edges))
    return larger


def twice_as_long(array: NDArray[Any]) -> NDArray[Any]:
    """Return a copy of an array followed by as many rows of zeros."""
    longer = np.zeros((2 * len(array), *array.shape[1:]), array.dtype)
    longer[: len(array)] = array
    return longer


def tree_of_thread(tree: Tree, thread: int) -> Tree:
    """Return a tree with the counters of one thread, as compiled functions take it."""
    return tree._replace(counters=tree.counters[thread])


@inlined
def has_capacity(tree: Tree) -> bool:
    """Return whether one more iteration fits into the tree in any case."""
    return (
        tree.counters[FREE_NODE] + MAX_DEPTH < tree.counters[NODES_END]
        and tree.counters[FREE_EDGE] + MAX_NEW_EDGES < tree.counters[EDGES_END]
        and tree.counters[FREE_OUTCOME] + MAX_DEPTH < tree.counters[OUTCOMES_END]
    )


@inlined
def add_node(tree: Tree) -> int:
    """Return a new node without edges."""
    node = tree.counters[FREE_NODE]
    tree.counters[FREE_NODE] += 1
    tree.nodes[node, FIRST_EDGE] = NONE
    tree.nodes[node, NODE_VISITS] = 0
    return node


@inlined
def push_front(
    lists: NDArray[Any], i: int, first: int, members: NDArray[Any], member: int, following: int
) -> None:
    """Link a new member to the front of list i; `first` and `following` are columns."""
    while True:
        head = lists[i, first]
        members[member, following] = head
        if compare_and_swap(lists, i, first, head, member):
            break


@inlined
def add_edge(tree: Tree, node: int, decision: int, prior: float, values: Floats) -> None:
    """Add an edge to a node; its evaluation counts like the value of one visit."""
    edge = tree.counters[FREE_EDGE]
    if edge >= tree.counters[EDGES_END]:  # full: a search with room expands the node again
        return
    tree.counters[FREE_EDGE] += 1
    tree.edges[edge, DECISION] = decision
    tree.edges[edge, CHILD] = NONE
    tree.edges[edge, VISITS] = 0
    tree.edges[edge, HAS_CHANCE] = 0
    tree.edge_values[edge, PRIOR] = prior
    for seat in range(len(values)):
        tree.edge_values[edge, VALUE_SUM + seat] = values[seat]
    push_front(tree.nodes, node, FIRST_EDGE, tree.edges, edge, NEXT_EDGE)


@outlined
def expand_by_evaluation(
    tree: Tree,
    node: int,
    evaluator: Evaluator,
    s: Row,
    number: int,
    settings: Settings,
    rng: Rng,
    workspace: Workspace,
) -> None:
    """Evaluate all legal decisions; add edges for the best ones that have none yet.

    The value of the best decision is left in `workspace.values`; `workspace.ids` is overwritten.
    """
    mover = seat_to_move(evaluator, s)
    ids, decision_values = workspace.ids, workspace.decision_values
    best, highest = 0, -1.0
    for i in range(number):
        evaluate_decision(evaluator, s, ids[i], rng, workspace, decision_values[i])
        if decision_values[i, mover] > highest:
            best, highest = i, decision_values[i, mover]
    copy(decision_values[best], workspace.values)
    total = 0.0
    for i in range(number):
        total += exp((decision_values[i, mover] - highest) / settings.temperature)
    for _ in range(settings.root_width if node == tree.counters[ROOT] else settings.width):
        best, value = NONE, highest - settings.prune_margin
        for i in range(number):
            if ids[i] != NONE and decision_values[i, mover] > value:
                best, value = i, decision_values[i, mover]
        if best == NONE:
            break
        if workspace.legal_ticks[ids[best]] == tree.counters[TICK]:  # it has no edge yet
            prior = exp((value - highest) / settings.temperature) / total
            add_edge(tree, node, ids[best], prior, decision_values[best])
        ids[best] = NONE


@outlined
def expand_with_network(
    tree: Tree,
    node: int,
    evaluator: NetworkEvaluator,
    s: Row,
    number: int,
    settings: Settings,
    rng: Rng,
    workspace: Workspace,
) -> None:
    """Evaluate a node with the network; add edges for the legal decisions that have none yet.

    The value of the node is left in `workspace.values`. A decision that wins in this turn, where
    one is found, becomes the only edge.
    """
    mover, ids = seat_to_move(evaluator, s), workspace.ids
    evaluate_with_network(evaluator, s, number, workspace)
    tick, priors = tree.counters[TICK], workspace.network.priors
    if can_win_now(evaluator, s, workspace.network.features[0]):
        for i in range(number - 1, -1, -1):  # purchases are among the last
            if wins_turn(evaluator, s, ids[i], rng, workspace):
                for seat in range(len(workspace.values)):
                    workspace.values[seat] = 1.0 if seat == mover else 0.0
                if workspace.legal_ticks[ids[i]] == tick:
                    add_edge(tree, node, ids[i], 1.0, workspace.values)
                return
    expected = workspace.values[mover]
    workspace.values[mover] = max(expected - settings.fpu_reduction, 0.0)
    least = 0.0
    if node != tree.counters[ROOT]:
        least = settings.min_prior / (1 + tree.nodes[node, NODE_VISITS])
    for i in range(number):
        if priors[i] >= least and workspace.legal_ticks[ids[i]] == tick:
            add_edge(tree, node, ids[i], priors[i], workspace.values)
    workspace.values[mover] = expected


def has_network(evaluator: Evaluator) -> bool:
    """Return whether an evaluator has a network."""
    return hasattr(evaluator, "network")


def _expansion(evaluator_type: Any) -> Any:
    """Return the function that expands nodes with a type of evaluator."""
    return expand_with_network if has_network(evaluator_type) else expand_by_evaluation


expand = dispatch_on_type(_expansion)  # called with the evaluator before all other arguments


@outlined
def select(tree: Tree, node: int, mover: int, settings: Settings, workspace: Workspace) -> int:
    """Return the legal edge with the highest PUCT score; NONE if no edge is legal.

    The ticks of decisions that are legal and have an edge go up by one.
    """
    tick = tree.counters[TICK]
    visits = 1
    edge = tree.nodes[node, FIRST_EDGE]
    while edge != NONE:
        if workspace.legal_ticks[tree.edges[edge, DECISION]] == tick:
            workspace.legal_ticks[tree.edges[edge, DECISION]] = tick + 1
            visits += tree.edges[edge, VISITS]
        edge = tree.edges[edge, NEXT_EDGE]
    exploration = settings.c_puct * sqrt(visits)
    best, highest = NONE, -1.0
    edge = tree.nodes[node, FIRST_EDGE]
    while edge != NONE:
        if workspace.legal_ticks[tree.edges[edge, DECISION]] == tick + 1:
            score = tree.edge_values[edge, VALUE_SUM + mover]
            score += exploration * tree.edge_values[edge, PRIOR]
            score /= tree.edges[edge, VISITS] + 1.0
            if score > highest:
                best, highest = edge, score
        edge = tree.edges[edge, NEXT_EDGE]
    return best


@outlined
def follow(
    tree: Tree, edge: int, evaluator: Evaluator, s: Row, rng: Rng, workspace: Workspace
) -> int:
    """Apply the decision of an edge and return the node after it."""
    bag_before = bag(evaluator, s)
    outcome = NONE
    if tree.edges[edge, HAS_CHANCE]:
        outcome = earlier_outcome(tree, edge, bag_before, rng)
    if outcome == NONE:
        apply_random(evaluator, s, tree.edges[edge, DECISION], rng, workspace)
    else:
        copy(tree.outcome_tokens[outcome], workspace.chance)
        apply(evaluator, s, evaluator.cards, tree.edges[edge, DECISION], rng, workspace.chance)
    if workspace.chance[0] == 0:
        if tree.edges[edge, CHILD] == NONE:
            # has no effect if another thread was faster
            compare_and_swap(tree.edges, edge, CHILD, NONE, add_node(tree))
        return tree.edges[edge, CHILD]
    if outcome == NONE:
        outcome = tree.counters[FREE_OUTCOME]
        tree.counters[FREE_OUTCOME] += 1
        copy(workspace.chance, tree.outcome_tokens[outcome])
        tree.outcomes[outcome, OUTCOME_NODE] = add_node(tree)
        tree.outcomes[outcome, BAG_BEFORE] = bag_before
        push_front(tree.edges, edge, CHILD, tree.outcomes, outcome, NEXT_OUTCOME)
        tree.edges[edge, HAS_CHANCE] = 1
    return tree.outcomes[outcome, OUTCOME_NODE]


@outlined
def earlier_outcome(tree: Tree, edge: int, bag_before: int, rng: Rng) -> int:
    """Return a random earlier outcome; NONE if progressive widening allows a new one."""
    number = 0
    outcome = tree.edges[edge, CHILD]
    while outcome != NONE:
        number += 1 if tree.outcomes[outcome, BAG_BEFORE] == bag_before else 0
        outcome = tree.outcomes[outcome, NEXT_OUTCOME]
    if number * number <= tree.edges[edge, VISITS]:
        return NONE
    n = random_below(rng, number)
    outcome = tree.edges[edge, CHILD]
    while outcome != NONE and (n > 0 or tree.outcomes[outcome, BAG_BEFORE] != bag_before):
        n -= 1 if tree.outcomes[outcome, BAG_BEFORE] == bag_before else 0
        outcome = tree.outcomes[outcome, NEXT_OUTCOME]
    return outcome


@inlined
def is_expansion_due(visits: int) -> bool:
    """Return whether a node is expanded again: other cards may have brought new decisions."""
    return visits == 4 or visits == 16 or visits == 64 or visits == 256 or visits == 1024


@outlined
def iterate(
    tree: Tree,
    evaluator: Evaluator,
    view: Row,
    settings: Settings,
    rng: Rng,
    workspace: Workspace,
) -> None:
    """Do one iteration: determinize, descend, expand, and back up the value."""
    s = workspace.rows[CURRENT]
    copy(view, s)
    determinize(evaluator, s, rng)
    node = tree.counters[ROOT]
    depth = 0
    while True:
        if is_over(evaluator, s) or depth == MAX_DEPTH:
            evaluate(evaluator, s, workspace.features, workspace.values)
            break
        number = legal_ids(evaluator, s, evaluator.cards, workspace.menu, workspace.ids)
        if number == 1:  # forced: no node, no edge
            apply_random(evaluator, s, workspace.ids[0], rng, workspace)
            continue
        tree.counters[TICK] += 2
        for i in range(number):
            workspace.legal_ticks[workspace.ids[i]] = tree.counters[TICK]
        edge = select(tree, node, seat_to_move(evaluator, s), settings, workspace)
        tree.nodes[node, NODE_VISITS] += 1
        if edge == NONE or is_expansion_due(tree.nodes[node, NODE_VISITS]):
            expand(evaluator, tree, node, evaluator, s, number, settings, rng, workspace)
        if edge == NONE:
            break
        workspace.path[depth] = edge
        depth += 1
        node = follow(tree, edge, evaluator, s, rng, workspace)
        atomic_add(tree.edges, edge, VISITS, 1)
    for i in range(depth):
        for seat in range(len(workspace.values)):
            atomic_add(
                tree.edge_values, workspace.path[i], VALUE_SUM + seat, workspace.values[seat]
            )


@kernel
def search(
    tree: Tree,
    evaluator: Evaluator,
    view: Row,
    settings: Settings,
    rng: Rng,
    workspace: Workspace,
    iterations: int,
) -> int:
    """Do iterations until the tree of this thread is full, and return how many were done."""
    for done in range(iterations):
        if not has_capacity(tree):
            return done
        iterate(tree, evaluator, view, settings, rng, workspace)
    return iterations
