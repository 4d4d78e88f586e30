"""The compiled part of the batch search: many trees, whose leaves are evaluated by the caller.

The trees, PUCT and the handling of hidden cards and chance are those of :mod:`parure.bots.search`.
An iteration is cut in two: :func:`descend_many` goes down to a leaf in every game, and
:func:`expand_many` takes what the caller's network says about the leaves. In between, the edges on
the way down have one visit more and no value for it yet, which acts as a virtual loss if several
leaves of one tree are collected.

Nothing in here depends on the game: the type of the evaluator selects its rules.
"""

from __future__ import annotations

from math import exp
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from parure.bots.evaluation import (
    MAX_DEPTH,
    Workspace,
    apply_random,
    copy,
    determinize,
    is_over,
    legal_ids,
    seat_to_move,
    write_result,
)
from parure.bots.evaluator import Evaluator, Floats
from parure.bots.search import (
    DECISION,
    EDGES_END,
    FIRST_EDGE,
    FREE_EDGE,
    FREE_NODE,
    FREE_OUTCOME,
    NEXT_EDGE,
    NODE_VISITS,
    NONE,
    ROOT,
    TICK,
    VALUE_SUM,
    VISITS,
    Settings,
    Tree,
    add_edge,
    follow,
    is_expansion_due,
    select,
)
from parure.games.engine.arrays import Mask, Rng, Row
from parure.games.engine.jit import inlined, kernel, outlined


class Leaves(NamedTuple):
    """The leaves of a round; row i of each array belongs to leaf i."""

    games: Row  # the number of the game
    nodes: Row  # in the tree of that game
    depths: Row  # the number of edges from the root
    paths: Row  # these edges
    rows: Row  # the state
    seats: Row  # to move
    masks: Mask  # 1 for each legal decision


class Roots(NamedTuple):
    """What is known of the roots; row i of each array belongs to game i."""

    views: Row
    rngs: Rng
    value_sums: Floats  # of all iterations, for each seat
    noise: Floats  # added to the priors, for each decision


@inlined
def tree_of_game(trees: Tree, game: int) -> Tree:
    """Return one of the trees."""
    return Tree(
        trees.nodes[game],
        trees.edges[game],
        trees.edge_values[game],
        trees.outcomes[game],
        trees.outcome_tokens[game],
        trees.counters[game],
    )


@kernel
def reset_trees(trees: Tree) -> None:
    """Remove everything from the trees but their roots."""
    for game in range(len(trees.nodes)):
        counters = trees.counters[game]
        counters[ROOT] = 0
        counters[FREE_NODE] = 1
        counters[FREE_EDGE] = 0
        counters[FREE_OUTCOME] = 0
        counters[EDGES_END] = trees.edges.shape[1]
        trees.nodes[game, 0, FIRST_EDGE] = NONE
        trees.nodes[game, 0, NODE_VISITS] = 0


@kernel
def descend_many(
    trees: Tree,
    evaluator: Evaluator,
    roots: Roots,
    wanted: Row,
    settings: Settings,
    workspace: Workspace,
    leaves: Leaves,
) -> int:
    """Do `wanted[i]` descents in game i, and return the number of leaves to be evaluated."""
    forget_ticks(workspace)
    tick, count = 0, 0
    for game in range(len(wanted)):
        tree = tree_of_game(trees, game)
        tree.counters[TICK] = tick
        for _ in range(wanted[game]):
            leaves.games[count] = game
            if descend(tree, evaluator, roots, game, settings, workspace, leaves, count):
                count += 1
        tick = tree.counters[TICK]
    return count


@inlined
def forget_ticks(workspace: Workspace) -> None:
    """Start the ticks at 0: the trees share one workspace."""
    for decision in range(len(workspace.legal_ticks)):
        workspace.legal_ticks[decision] = 0


@outlined
def descend(
    tree: Tree,
    evaluator: Evaluator,
    roots: Roots,
    game: int,
    settings: Settings,
    workspace: Workspace,
    leaves: Leaves,
    leaf: int,
) -> bool:
    """Determinize a view, descend, and write the leaf; return False if the game is over there.

    The result of a game that is over is backed up.
    """
    s, path, rng = leaves.rows[leaf], leaves.paths[leaf], roots.rngs[game]
    copy(roots.views[game], s)
    determinize(evaluator, s, rng)
    node = tree.counters[ROOT]
    depth = 0
    while True:
        if is_over(evaluator, s):
            write_result(evaluator, s, workspace.values)
            back_up(tree, path, depth, workspace.values, roots.value_sums[game])
            return False
        number = legal_ids(evaluator, s, evaluator.cards, workspace.menu, workspace.ids)
        if number == 1 and depth > 0:  # forced: no node, no edge
            apply_random(evaluator, s, workspace.ids[0], rng, workspace)
            continue
        tree.counters[TICK] += 2
        for i in range(number):
            workspace.legal_ticks[workspace.ids[i]] = tree.counters[TICK]
        edge = select(tree, node, seat_to_move(evaluator, s), settings, workspace)
        tree.nodes[node, NODE_VISITS] += 1
        if edge == NONE or depth == MAX_DEPTH or must_expand_again(tree, node, number, workspace):
            leaves.nodes[leaf] = node
            leaves.depths[leaf] = depth
            leaves.seats[leaf] = seat_to_move(evaluator, s)
            write_mask(workspace.ids, number, leaves.masks[leaf])
            return True
        path[depth] = edge
        depth += 1
        node = follow(tree, edge, evaluator, s, rng, workspace)
        tree.edges[edge, VISITS] += 1


@inlined
def must_expand_again(tree: Tree, node: int, number: int, workspace: Workspace) -> bool:
    """Return whether a node is due for another expansion and a legal decision has no edge."""
    if not is_expansion_due(tree.nodes[node, NODE_VISITS]):
        return False
    for i in range(number):
        if workspace.legal_ticks[workspace.ids[i]] == tree.counters[TICK]:
            return True
    return False


@inlined
def write_mask(ids: Row, number: int, mask: Mask) -> None:
    """Write 1 for each of some decisions and 0 for all others."""
    for decision in range(len(mask)):
        mask[decision] = 0
    for i in range(number):
        mask[ids[i]] = 1


@inlined
def back_up(tree: Tree, path: Row, depth: int, values: Floats, root_values: Floats) -> None:
    """Add the value of each seat to the edges of a path and to the root."""
    for seat in range(len(values)):
        root_values[seat] += values[seat]
        for i in range(depth):
            tree.edge_values[path[i], VALUE_SUM + seat] += values[seat]


@kernel
def expand_many(
    trees: Tree,
    roots: Roots,
    leaves: Leaves,
    count: int,
    logits: NDArray[np.float32],
    values: NDArray[np.float32],
    noise_share: float,
    settings: Settings,
    workspace: Workspace,
) -> None:
    """Add edges to the first `count` leaves and back up their values.

    A row of `values` has the value of each seat, the seat to move first.
    """
    forget_ticks(workspace)
    seats = len(workspace.values)
    for leaf in range(count):
        game, mover = leaves.games[leaf], leaves.seats[leaf]
        tree = tree_of_game(trees, game)
        for place in range(seats):
            workspace.values[(mover + place) % seats] = values[leaf, place]
        back_up(
            tree, leaves.paths[leaf], leaves.depths[leaf], workspace.values, roots.value_sums[game]
        )
        if leaves.depths[leaf] < MAX_DEPTH:
            # An edge that was never visited counts as a little worse than its node.
            expected = workspace.values[mover]
            workspace.values[mover] = max(expected - settings.fpu_reduction, 0.0)
            node = leaves.nodes[leaf]
            share = noise_share if node == tree.counters[ROOT] else 0.0
            mark_edges(tree, node, leaf + 1, workspace)
            add_edges(
                tree, node, leaves.masks[leaf], logits[leaf], roots.noise[game], share,
                leaf + 1, workspace,
            )  # fmt: skip


@inlined
def mark_edges(tree: Tree, node: int, tick: int, workspace: Workspace) -> None:
    """Set the ticks of the decisions that a node has an edge for."""
    edge = tree.nodes[node, FIRST_EDGE]
    while edge != NONE:
        workspace.legal_ticks[tree.edges[edge, DECISION]] = tick
        edge = tree.edges[edge, NEXT_EDGE]


@outlined
def add_edges(
    tree: Tree,
    node: int,
    mask: Mask,
    logits: NDArray[np.float32],
    noise: Floats,
    noise_share: float,
    tick: int,
    workspace: Workspace,
) -> None:
    """Add an edge for each legal decision without one; priors are the softmax of the logits."""
    highest = -np.inf
    for decision in range(len(mask)):
        if mask[decision]:
            highest = max(highest, logits[decision])
    total = 0.0
    for decision in range(len(mask)):
        if mask[decision]:
            total += exp(logits[decision] - highest)
    for decision in range(len(mask)):
        if mask[decision] and workspace.legal_ticks[decision] != tick:
            prior = exp(logits[decision] - highest) / total
            prior = (1 - noise_share) * prior + noise_share * noise[decision]
            add_edge(tree, node, decision, prior, workspace.values)


@kernel
def write_visits(trees: Tree, visits: Row) -> None:
    """Write how often each decision was visited at each root."""
    for game in range(len(visits)):
        tree = tree_of_game(trees, game)
        edge = tree.nodes[tree.counters[ROOT], FIRST_EDGE]
        while edge != NONE:
            visits[game, tree.edges[edge, DECISION]] = tree.edges[edge, VISITS]
            edge = tree.edges[edge, NEXT_EDGE]
