"""A search in many games at once that asks a network of the caller's about all leaves in one call.

>>> import numpy as np
>>> from parure.envs import BatchSearch, Games
>>> games = Games("splendor", 4, seed=7)
>>> def evaluate(observations, masks):
...     return np.zeros(masks.shape), np.full(len(masks), 0.5)
>>> search = BatchSearch(games.rules, evaluate, simulations=20)
>>> result = search.run(games.rows)
>>> result.visits.sum(axis=1).tolist(), result.values.shape
([20, 20, 20, 20], (4, 2))
>>> rows, masks, rewards = games.step(result.visits.argmax(axis=1))
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from parure.bots.evaluation import MAX_DEPTH, workspace_for
from parure.bots.evaluator import evaluator_for
from parure.bots.search import CACHE_LINE_PAD, EDGES_END, FREE_EDGE, VALUE_SUM, Settings, Tree
from parure.envs.adapter import adapter_for
from parure.envs.checks import check_integer, check_number, check_rows, describe
from parure.envs.kernels.batch_search import (
    Leaves,
    Roots,
    descend_many,
    expand_many,
    reset_trees,
    write_visits,
)
from parure.errors import NotationError
from parure.games.engine.arrays import Row
from parure.games.engine.jit import compiling
from parure.games.engine.rng import new_rng
from parure.games.rules import CHANCE_SIZE, MAX_LEGAL, Rules

Evaluate: TypeAlias = Callable[[NDArray[np.uint8], NDArray[np.int8]], tuple[ArrayLike, ArrayLike]]
"""A network: `evaluate(observations, masks) -> (logits, values)`; see :class:`BatchSearch`."""

EDGES_PER_NODE = 16  # that there is memory for at first
TOLERANCE = 1e-3  # of a value that rounding takes out of the range from 0 to 1


class SearchResult(NamedTuple):
    """What a search found; row i of each array belongs to game i.

    Attributes:
        visits: How often each decision was visited: the target of a policy, once divided by its
            sum. All 0 where the game is over.
        values: The expected score of each seat, from 0 to 1, the seat to move first. Where the
            game is over, the scores.
    """

    visits: Row
    values: NDArray[np.float64]


class BatchSearch:
    """Information-set Monte Carlo tree search in many games, with a network of the caller's.

    All games advance in lock-step. In each round, compiled code descends the tree of every game to
    a leaf, one call of `evaluate` receives the leaves of all games, and compiled code expands them
    and backs up their values. The trees are those of the `mcts` bot: PUCT, each seat maximizes its
    own score, and the outcomes of draws from the bag have nodes of their own.

    The search never uses what the seat to move does not know. It hides it first, and each
    simulation draws the hidden cards again. A leaf shows `evaluate` what its own seat to move would
    observe with the cards drawn.

    `evaluate(observations, masks)` receives a uint8 array `[n, size]`, as
    :func:`parure.envs.observation_layout` describes it, and an int8 array `[n, decisions]` with 1
    for each legal decision. The next call overwrites both. It returns:

    - `logits [n, decisions]`: the softmax over the legal decisions is the prior. The logits of
      other decisions are ignored.
    - `values [n, seats]`: the expected score of each seat, from 0 to 1: 1 for a victory, winners
      share it. The seat to move is first, then the seat that moves after it, as in the observation.
      With two seats, `[n]` is enough: the value of the seat to move.

    Both may be NumPy arrays or whatever `numpy.asarray` converts: JAX arrays, and torch tensors on
    the CPU without gradients.

    Args:
        rules: The game.
        evaluate: The network.
        simulations: The number of visits that the decisions of each game receive together.
        c_puct: The weight of exploration; grows with the trust in the priors.
        fpu_reduction: How much worse than its node a decision counts before its first visit.
        noise_share: The share of Dirichlet noise in the priors of the root, for self-play.
        noise_total: The concentration of the noise, divided among the legal decisions.
        leaves: The leaves of each game that a call of `evaluate` receives at most. More than one
            makes the calls larger and fewer; a virtual loss keeps the descents apart.
        seed: Makes the searches reproducible, in the order in which they are run.

    Raises:
        TypeError: An argument does not have its type.
        NotationError: An argument is out of range.
    """

    def __init__(
        self,
        rules: Rules,
        evaluate: Evaluate,
        *,
        simulations: int = 64,
        c_puct: float = 0.5,
        fpu_reduction: float = 0.1,
        noise_share: float = 0.0,
        noise_total: float = 10.0,
        leaves: int = 1,
        seed: int = 0,
    ) -> None:
        if not isinstance(rules, Rules):
            raise TypeError(f"rules must be the rules of a game, not {describe(rules)}")
        if not callable(evaluate):
            raise TypeError(f"evaluate must be a function, not {describe(evaluate)}")
        self.rules = rules
        self._evaluate = evaluate
        self._simulations = check_integer("simulations", simulations, 1)
        self._leaves_per_round = check_integer("leaves", leaves, 1)
        self._noise_share = check_number("noise_share", noise_share, 0.0, 1.0)
        self._noise_total = check_number("noise_total", noise_total, 1e-3)
        self._settings = Settings(
            c_puct=check_number("c_puct", c_puct, 0.0),
            fpu_reduction=check_number("fpu_reduction", fpu_reduction, 0.0, 1.0),
        )
        self._rng = np.random.default_rng(check_integer("seed", seed, 0))
        self._adapter = adapter_for(rules)
        self._evaluator = evaluator_for(rules)
        self._workspace = workspace_for(rules)
        self._trees = self._new_trees(0)
        self._leaves = self._new_leaves(0)
        self._observations = np.zeros((0, self._adapter.layout_for(rules).size), np.uint8)

    def run(self, rows: Row) -> SearchResult:
        """Search in some positions.

        A game with a single legal decision is not searched: the decision receives all visits, and
        the values are those of `evaluate`.

        Args:
            rows: The words of states, or of views of the seat to move, one position in each row,
                such as `games.rows`. They are not changed.

        Raises:
            TypeError: The rows do not have this type, or `evaluate` returned something else.
            NotationError: The rows do not have this shape or are of another game, or what
                `evaluate` returned is not of the shape or in the range described above.
        """
        views = self._hidden(check_rows(self.rules, rows))
        count, decisions, seats = len(views), len(self.rules.decision_texts), self.rules.seats
        self._reserve(count)
        roots = Roots(
            views=views,
            rngs=self._rng.integers(1 << 64, size=(count, 1), dtype=np.uint64),
            value_sums=np.zeros((count, seats), np.float64),
            noise=np.zeros((count, decisions), np.float64),
        )
        visits: Row = np.zeros((count, decisions), np.int64)
        with compiling(f"the batch search in {self.rules.family.capitalize()}"):
            trees = self._trees_of(count)
            reset_trees(trees)
            number = self._descend(trees, roots, np.ones(count, np.int64))
            masks = np.zeros((count, decisions), np.int8)  # all 0 where a game is over
            masks[self._leaves.games[:number]] = self._leaves.masks[:number]
            self._write_noise(masks, roots.noise)
            self._evaluate_and_expand(trees, roots, number)
            legal = masks.sum(axis=1)
            left = np.where(legal > 1, self._simulations, 0)
            while left.any():
                wanted = np.minimum(left, self._leaves_per_round)
                trees = self._enlarged(trees)
                number = self._descend(trees, roots, wanted)
                self._evaluate_and_expand(trees, roots, number)
                left -= wanted
            write_visits(trees, visits)
        visits[(legal == 1)[:, np.newaxis] & (masks == 1)] = self._simulations
        values = roots.value_sums / np.where(legal > 1, 1 + self._simulations, 1)[:, np.newaxis]
        movers = views[:, self.rules.layout.SEAT, np.newaxis]
        return SearchResult(
            visits, np.take_along_axis(values, (movers + np.arange(seats)) % seats, 1)
        )

    # --- one round --------------------------------------------------------------------------------

    def _hidden(self, rows: Row) -> Row:
        """Return the view that the seat to move has of each position."""
        views, rng, kernel = rows.copy(), new_rng(0), self.rules.kernel
        for view in views:
            kernel.determinize(view, rng)  # `hide` takes states only; no effect on a state
            kernel.hide(view, view[self.rules.layout.SEAT])
        return views

    def _write_noise(self, masks: NDArray[np.int8], noise: NDArray[np.float64]) -> None:
        """Write Dirichlet noise over the legal decisions of each game."""
        if self._noise_share == 0:
            return
        concentrations = self._noise_total / np.maximum(masks.sum(axis=1, keepdims=True), 1)
        gammas = masks * self._rng.standard_gamma(np.broadcast_to(concentrations, masks.shape))
        noise[:] = gammas / np.maximum(gammas.sum(axis=1, keepdims=True), 1e-300)

    def _descend(self, trees: Tree, roots: Roots, wanted: Row) -> int:
        """Descend in each game as often as wanted; return the number of leaves to evaluate."""
        return descend_many(
            trees, self._evaluator, roots, wanted, self._settings, self._workspace, self._leaves
        )

    def _evaluate_and_expand(self, trees: Tree, roots: Roots, number: int) -> None:
        """Evaluate the first leaves in one call, add their edges and back up their values."""
        if not number:
            return
        leaves, observations = self._leaves, self._observations[:number]
        self._adapter.observe_many(
            leaves.rows[:number],
            self.rules.cards,
            leaves.seats[:number],
            observations.view(np.int64),
        )
        masks = leaves.masks[:number]
        answer = self._evaluate(observations, masks)
        if not isinstance(answer, tuple) or len(answer) != 2:
            raise TypeError(f"evaluate must return (logits, values), not {describe(answer)}")
        logits = _checked_logits(answer[0], masks)
        values = _checked_values(answer[1], number, self.rules.seats)
        expand_many(
            trees, roots, leaves, number, logits, values, self._noise_share, self._settings,
            self._workspace,
        )  # fmt: skip

    # --- memory, kept from search to search -------------------------------------------------------

    def _reserve(self, count: int) -> None:
        """Make room for a number of games."""
        if count > len(self._trees.nodes):
            self._trees = self._new_trees(count)
        if count * self._leaves_per_round > len(self._leaves.games):
            self._leaves = self._new_leaves(count * self._leaves_per_round)
            size = self._adapter.layout_for(self.rules).size
            self._observations = np.zeros((count * self._leaves_per_round, size), np.uint8)

    def _new_trees(self, count: int) -> Tree:
        """Return a tree for each game: arrays of a tree with one more axis in front."""
        nodes = self._simulations + 2  # a descent adds one node, and one outcome, at most
        edges = EDGES_PER_NODE * nodes + self._leaves_per_round * MAX_LEGAL
        return Tree(
            nodes=np.zeros((count, nodes, 2), np.int32),
            edges=np.zeros((count, edges, 5), np.int32),
            edge_values=np.zeros((count, edges, VALUE_SUM + self.rules.seats), np.float64),
            outcomes=np.zeros((count, nodes, 3), np.int64),
            outcome_tokens=np.zeros((count, nodes, CHANCE_SIZE), np.uint8),
            counters=np.zeros((count, CACHE_LINE_PAD), np.int64),
        )

    def _new_leaves(self, count: int) -> Leaves:
        return Leaves(
            games=np.zeros(count, np.int64),
            nodes=np.zeros(count, np.int64),
            depths=np.zeros(count, np.int64),
            paths=np.zeros((count, MAX_DEPTH), np.int64),
            rows=np.zeros((count, self.rules.layout.ROW_WORDS), np.int64),
            seats=np.zeros(count, np.int64),
            masks=np.zeros((count, len(self.rules.decision_texts)), np.int8),
        )

    def _trees_of(self, count: int) -> Tree:
        """Return the trees of the first games."""
        arrays: Any = (array[:count] for array in self._trees)
        return Tree(*arrays)

    def _enlarged(self, trees: Tree) -> Tree:
        """Return the trees with room for the edges of another round."""
        needed = int(trees.counters[:, FREE_EDGE].max()) + self._leaves_per_round * MAX_LEGAL
        if needed <= trees.edges.shape[1]:
            return trees
        self._trees = self._trees._replace(
            edges=_with_more_edges(self._trees.edges),
            edge_values=_with_more_edges(self._trees.edge_values),
        )
        self._trees.counters[:, EDGES_END] = self._trees.edges.shape[1]
        return self._trees_of(len(trees.nodes))


def _with_more_edges(array: NDArray[Any]) -> NDArray[Any]:
    """Return the array with twice the length of its second axis."""
    larger = np.zeros((array.shape[0], 2 * array.shape[1], *array.shape[2:]), array.dtype)
    larger[:, : array.shape[1]] = array
    return larger


def _checked_logits(logits: ArrayLike, masks: NDArray[np.int8]) -> NDArray[np.float32]:
    """Return the logits of a network as compiled code takes them."""
    given = np.asarray(logits)
    if given.dtype.kind != "f":
        raise TypeError(f"the logits of evaluate must be real numbers, not {describe(given)}")
    if given.shape != masks.shape:
        raise NotationError(
            f"evaluate must return logits of shape {masks.shape}, one for each decision, "
            f"not {given.shape}"
        )
    checked = np.ascontiguousarray(given, np.float32)
    if not np.isfinite(checked[masks != 0]).all():
        raise NotationError("evaluate returned a logit of a legal decision that is not finite")
    return checked


def _checked_values(values: ArrayLike, count: int, seats: int) -> NDArray[np.float32]:
    """Return the value of each seat, the seat to move first, as compiled code takes them."""
    given = np.asarray(values)
    if given.dtype.kind != "f":
        raise TypeError(f"the values of evaluate must be real numbers, not {describe(given)}")
    if given.shape == (count,) and seats == 2:
        given = np.stack([given, 1 - given], axis=1)
    if given.shape != (count, seats):
        expected = f"({count}, {seats})" + (f" or ({count},)" if seats == 2 else "")
        raise NotationError(
            f"evaluate must return values of shape {expected}, the expected score of each seat, "
            f"the seat to move first, not {given.shape}"
        )
    checked = np.ascontiguousarray(given, np.float32)
    if not ((checked >= -TOLERANCE) & (checked <= 1 + TOLERANCE)).all():  # nan is not either
        raise NotationError(
            "evaluate returned a value that is not from 0 to 1: values are expected scores, "
            f"and these go from {given.min()} to {given.max()}"
        )
    return checked
