"""A search that an analysis reads: values of each seat, restricted roots and expected lines."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from time import perf_counter
from typing import NamedTuple

import numpy as np

from parure.bots.base import Budget
from parure.bots.evaluator import evaluator_for
from parure.bots.mcts import Search, network_settings, usual_settings
from parure.bots.network.weights import load_network, network_evaluator, trained_network
from parure.bots.search import (
    CACHE_LINE_PAD,
    CHILD,
    DECISION,
    FIRST_EDGE,
    FREE_EDGE,
    HAS_CHANCE,
    NEXT_EDGE,
    NODE_VISITS,
    NONE,
    PRIOR,
    ROOT,
    VALUE_SUM,
    VISITS,
)
from parure.errors import InvalidPosition
from parure.games.engine.arrays import Rng, Row
from parure.games.engine.rng import new_rng
from parure.games.rules import Rules
from parure.games.view import View

FIRST_SLICE = 64  # iterations
SLICE_SECONDS = 0.05  # between two looks at the clock
MEMORY_LIMIT = 256 << 20  # bytes of a tree
NEVER_EXPANDED_AGAIN = 1 << 20  # visits of a root whose edges must not change
MIN_LINE_VISITS = 6  # of an edge that continues a line
MAX_LINE = 40  # decisions
WORLDS = 4  # determinizations in which a line is played

Values = tuple[float, ...]
"""The expected score of each seat."""


class RootChoice(NamedTuple):
    """A decision at the root of a search."""

    decision: int
    visits: int
    values: Values


class PositionSearch(Search):
    """The search of one position, from what the viewer knows, by one thread.

    The viewer need not be the seat to move: then only decisions that the viewer can name are
    choices.
    """

    def __init__(self, view: View, rng: Rng | None = None) -> None:
        rules = view.rules
        source = trained_network(rules)
        if source is None:
            settings, evaluator = usual_settings(rules.seats), evaluator_for(rules)
        else:
            settings = network_settings(rules)
            evaluator = network_evaluator(rules, load_network(source, rules))
        self._rng = _padded(rng)
        super().__init__(view, settings, evaluator)
        self.memory_limit = MEMORY_LIMIT

    def _look_at(self, view: View) -> None:
        if view.is_over:
            raise InvalidPosition("the game is over: there is nothing to decide")
        self.view = view
        self._legal = frozenset(view.rules.legal(view.words))

    def restart(self, view: View, rng: Rng | None = None) -> None:
        """Begin again at another view of the same game."""
        if rng is not None:
            self._rng = _padded(rng)
        self._restart(view)

    @property
    def legal(self) -> frozenset[int]:
        """The decisions that the viewer knows to be legal."""
        return self._legal

    def advance(self, iterations: int) -> int:
        """Do iterations, and return their number: fewer if the tree has reached its limit."""
        before = self.iterations
        self.run([self._rng], iterations)
        return self.iterations - before

    def advance_within(self, budget: Budget, keep_going: Callable[[], bool] = lambda: True) -> bool:
        """Search as long as a budget allows; return False if `keep_going` did so before."""
        now = perf_counter()
        end = None if budget.seconds is None else now + budget.seconds
        number = FIRST_SLICE
        while True:
            if budget.iterations is not None:
                number = min(number, budget.iterations - self.iterations)
            if number <= 0 or self.advance(number) < number:
                return True  # the budget is used, or the tree has reached its limit
            before, now = now, perf_counter()
            if not keep_going():
                return False
            left = SLICE_SECONDS
            if end is not None:
                if now >= end:
                    return True
                left = min(left, end - now)
            speed = number / max(now - before, 1e-6)
            number = max(1, min(2 * number, int(speed * left)))

    def choices(self) -> list[RootChoice]:
        """Return the decisions at the root, the one with the most visits first."""
        tree = self.tree
        found = [
            RootChoice(decision, int(tree.edges[edge, VISITS]), self._values(edge))
            for edge in self.root_edges()
            if (decision := int(tree.edges[edge, DECISION])) in self._legal
        ]
        seat = self.view.seat
        return sorted(found, key=lambda choice: (-choice.visits, -choice.values[seat]))

    def mean_values(self) -> Values:
        """Return the mean of all iterations: the value of the root, exploration included."""
        sums = np.zeros(self.rules.seats)
        for edge in self.root_edges():
            if self.tree.edges[edge, VISITS]:
                sums += self.tree.edge_values[edge, VALUE_SUM:]
        if not sums.any():  # only the root was evaluated
            sums += self.workspaces[0].values
        return _normalized(sums)

    def _values(self, edge: int) -> Values:
        return _normalized(self.tree.edge_values[edge, VALUE_SUM:])

    def focus(self, decisions: Collection[int], iterations: int) -> None:
        """Do iterations in which only some decisions are considered at the root."""
        tree = self.tree
        root = int(tree.counters[0, ROOT])
        if not any(True for _ in self.root_edges()):
            self.advance(1)
        for decision in decisions:
            if all(tree.edges[edge, DECISION] != decision for edge in self.root_edges()):
                self._add_root_edge(root, decision)
        all_edges = list(self.root_edges())
        visits = int(self.tree.nodes[root, NODE_VISITS])
        self._link(root, [e for e in all_edges if tree.edges[e, DECISION] in decisions])
        self.tree.nodes[root, NODE_VISITS] = NEVER_EXPANDED_AGAIN
        try:
            self.advance(iterations)
        finally:
            self.tree.nodes[root, NODE_VISITS] = visits
            self._link(root, all_edges)

    def _add_root_edge(self, root: int, decision: int) -> None:
        """Add an edge for a decision that the expansion of the root has left out."""
        tree = self.tree
        edge = int(tree.counters[0, FREE_EDGE])
        tree.counters[0, FREE_EDGE] += 1
        tree.edges[edge] = 0
        tree.edges[edge, DECISION], tree.edges[edge, CHILD] = decision, NONE
        tree.edges[edge, NEXT_EDGE] = tree.nodes[root, FIRST_EDGE]
        tree.edge_values[edge] = 0.0
        tree.edge_values[edge, PRIOR] = 1.0
        tree.nodes[root, FIRST_EDGE] = edge

    def _link(self, root: int, edges: list[int]) -> None:
        """Make a list of edges those of the root."""
        tree = self.tree
        for edge, following in zip(edges, [*edges[1:], NONE], strict=True):
            tree.edges[edge, NEXT_EDGE] = following
        tree.nodes[root, FIRST_EDGE] = edges[0] if edges else NONE

    def line(self, decision: int) -> tuple[str, ...]:
        """Return the decisions that are expected from one at the root on.

        The line ends where chance enters, or anything else that the viewer does not know, and
        where the tree has too few visits.
        """
        tree = self.tree
        edge = next(e for e in self.root_edges() if tree.edges[e, DECISION] == decision)
        worlds = Worlds(self.view)
        while True:
            if not worlds.play(int(tree.edges[edge, DECISION])) or tree.edges[edge, HAS_CHANCE]:
                break
            if not worlds.play_forced():
                break
            edge = self._most_visited(int(tree.edges[edge, CHILD]), worlds.legal)
            if edge == NONE or len(worlds.line) >= MAX_LINE:
                break
        return tuple(self.rules.decision_texts[number] for number in worlds.line)

    def _most_visited(self, node: int, legal: frozenset[int]) -> int:
        """Return the edge of a node with the most visits among some decisions."""
        tree, best, most = self.tree, NONE, MIN_LINE_VISITS - 1
        for edge in self._edges_of(node):
            if tree.edges[edge, VISITS] > most and int(tree.edges[edge, DECISION]) in legal:
                best, most = edge, int(tree.edges[edge, VISITS])
        return best

    def _edges_of(self, node: int) -> Iterator[int]:
        edge = NONE if node == NONE else int(self.tree.nodes[node, FIRST_EDGE])
        while edge != NONE:
            yield edge
            edge = int(self.tree.edges[edge, NEXT_EDGE])


class Worlds:
    """Some states that fit a view, in which the same decisions are taken.

    As long as the viewer sees the same in all of them, nothing unknown has had a part in what
    happened.
    """

    def __init__(self, view: View) -> None:
        self.view = view
        self.line: list[int] = []
        self._rules: Rules = view.rules
        self._rngs = [new_rng(seed) for seed in range(WORLDS)]
        self._rows = [view.words.copy() for _ in range(WORLDS)]
        for row, rng in zip(self._rows, self._rngs, strict=True):
            self._rules.kernel.determinize(row, rng)
        self.seen = view.words  # what the viewer sees now

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        layout = self._rules.layout
        return bool(self.seen[layout.PHASE] == layout.OVER)

    @property
    def legal(self) -> frozenset[int]:
        """The decisions that are legal in all worlds."""
        return frozenset.intersection(*map(frozenset, self._each_legal()))

    def _each_legal(self) -> list[list[int]]:
        return [self._rules.legal(row) for row in self._rows]

    def play(self, decision: int) -> bool:
        """Take a decision; return whether the game goes on and the viewer knows how."""
        self.line.append(decision)
        rules, layout = self._rules, self._rules.layout
        viewer = layout.EVERYONE if self.view.viewer is None else self.view.viewer
        seen: list[Row] = []
        for row, rng in zip(self._rows, self._rngs, strict=True):
            rules.apply(row, decision, rng)
            seen.append(row.copy())
            rules.kernel.hide(seen[-1], viewer)
        self.seen = seen[0]
        return not self.is_over and all(np.array_equal(seen[0], other) for other in seen[1:])

    def play_forced(self) -> bool:
        """Take the decisions to which there is no alternative; return what `play` does."""
        while True:
            each = self._each_legal()
            if any(legal != each[0] for legal in each) and any(len(legal) == 1 for legal in each):
                return False
            if len(each[0]) != 1:
                return True
            if not self.play(each[0][0]):
                return False


def winning_line(search: PositionSearch) -> tuple[str, ...]:
    """Return decisions that win in this turn, up to where the view depends on hidden cards.

    Empty if no win is found. The view of the search is another one meanwhile.
    """
    texts, rules = search.rules.decision_texts, search.rules
    if search.view.viewer != search.view.seat:
        return ()
    root_view = search.view
    worlds, turns, seat = Worlds(root_view), root_view.turns, root_view.seat
    try:
        while (decision := search.winning_decision(new_rng(len(worlds.line)))) is not None:
            if not worlds.play(rules.decision(decision)) or not worlds.play_forced():
                break
            view = rules.view_type(rules, worlds.seen.copy(), seat)
            if (view.seat, view.turns) != (seat, turns):
                break
            search.view = view
    finally:
        search.view = root_view
    return tuple(texts[number] for number in worlds.line)


def _padded(rng: Rng | None) -> Rng:
    """Return a generator as the search takes it."""
    return (new_rng(0) if rng is None else rng).repeat(CACHE_LINE_PAD)


def _normalized(sums: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> Values:
    """Return numbers divided by their sum."""
    total = float(sums.sum())
    if total <= 0.0:
        return tuple(1.0 / len(sums) for _ in sums)
    return tuple(float(value) / total for value in sums)
