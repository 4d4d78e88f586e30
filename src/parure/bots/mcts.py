"""The bot that searches: budgets, threads and trees around the compiled search."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from random import Random
from time import perf_counter
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

import numpy as np

from parure.bots.base import Answer, Bot, Budget, Candidate
from parure.bots.evaluation import Workspace, workspace_for
from parure.bots.evaluator import Evaluator, evaluator_for
from parure.bots.network.weights import load_network, network_evaluator, trained_network
from parure.bots.search import (
    CACHE_LINE_PAD,
    CHILD,
    DECISION,
    FIRST_EDGE,
    HAS_CHANCE,
    NEXT_EDGE,
    NONE,
    ROOT,
    VALUE_SUM,
    VISITS,
    Settings,
    Tree,
    enlarged,
    has_network,
    new_tree,
    reset,
    search,
    tree_of_thread,
)
from parure.bots.winning import NO_DECISION, TurnWorkspace, turn_workspace_for, winning_decision
from parure.errors import NotationError
from parure.games.engine.jit import compiling
from parure.games.engine.rng import rng_from

if TYPE_CHECKING:
    from parure.games.engine.arrays import Rng, Row
    from parure.games.rules import Rules
    from parure.games.view import View

Clock: TypeAlias = Callable[[], float]
OnProgress: TypeAlias = Callable[[int], None] | None
ParallelMap: TypeAlias = Callable[..., Iterable[int]]  # called like `map`

TWO_SEAT_SETTINGS = Settings()
# With more seats the next own turn is far away, so the tree is kept narrow to reach it.
MULTI_SEAT_SETTINGS = Settings(c_puct=0.2, temperature=0.03, width=5)

NETWORK_SETTINGS = Settings(c_puct=0.6, fpu_reduction=0.1)
MULTI_SEAT_NETWORK_SETTINGS = Settings(c_puct=0.4, fpu_reduction=0.1)

MAX_THREADS = 64
MAX_NODES = 1 << 20  # a tree of about a gigabyte
FIRST_SLICE = 16  # iterations between two looks at the clock, at first
SLICE_SECONDS = 0.005  # between two looks at the clock, later
SLICE = 512  # iterations between two calls of `on_progress`, where iterations are the budget
DECISION_SHARE = 0.7  # of the remaining time of a turn, for a decision after which others follow
LAST_DECISION_SHARE = 0.95  # of the remaining time of a turn, for the decision that ends it


def usual_settings(seats: int) -> Settings:
    """Return the settings of the linear search that suit a number of seats."""
    return TWO_SEAT_SETTINGS if seats == 2 else MULTI_SEAT_SETTINGS


def network_settings(rules: Rules) -> Settings:
    """Return the settings of the search with a network that suit a game."""
    return NETWORK_SETTINGS if rules.seats == 2 else MULTI_SEAT_NETWORK_SETTINGS


NetworkSource: TypeAlias = Literal["trained"] | Path | bytes | None
"""The network of this package for the game, a file of weights, its content, or no network."""


def linear_mcts_bot(detail: str) -> MctsBot:
    """Return the bot that searches without a network."""
    return mcts_bot(detail, network=None)


def mcts_bot(detail: str, network: NetworkSource = "trained") -> MctsBot:
    """Return the bot for a budget and an optional number of threads: `1s`, `2000`, `1s:2`."""
    text, colon, threads = detail.partition(":")
    if colon and not (threads.isascii() and threads.isdigit() and 1 <= int(threads) <= MAX_THREADS):
        raise NotationError(f"{threads[:40]!r} is not a number of threads from 1 to {MAX_THREADS}")
    return MctsBot(Budget.parse(text or "1s"), threads=int(threads or 1), network=network)


class MctsBot(Bot):
    """Searches as long as its budget allows.

    The decisions of a turn share one budget of seconds and, where possible, one tree.

    Args:
        budget: Used where :meth:`decide` receives none.
        settings: None for those that suit the number of seats.
        threads: The number of threads that search in one tree.
        clock: Returns the time in seconds; tests pass their own.
        network: What evaluates positions; without one, the linear evaluation does.
    """

    is_compiled = True

    def __init__(
        self,
        budget: Budget,
        settings: Settings | None = None,
        threads: int = 1,
        clock: Clock = perf_counter,
        network: NetworkSource = "trained",
    ) -> None:
        self.budget = budget
        self.settings = settings
        self.threads = threads
        self.clock = clock
        self.network = network
        self._search: Search | None = None
        self._turn: tuple[int, int] | None = None  # the turn that `_spent` counts
        self._spent = 0.0  # seconds

    def choose(self, view: View, rng: Random, budget: Budget | None) -> Answer:
        """Return the decision with the most visits."""
        start = self.clock()
        if self._turn != (view.seat, view.turns):
            self._turn, self._spent = (view.seat, view.turns), 0.0
        legal = view.legal_decisions
        if len(legal) == 1:
            return Answer(legal[0])
        search = self._search_at(view)
        if (winning := search.winning_decision(rng_from(rng))) is not None:
            candidates = (Candidate(winning, share=1.0, value=1.0, visits=1),)
            return Answer(winning, candidates=candidates)
        with parallel_map(self.threads) as parallel:
            self._run(search, budget or self.budget, start, rng, parallel)
        answer = search.answer()
        search.follow(answer.decision, rng_from(rng))
        self._spent += self.clock() - start
        return answer

    def _prepared(self, rules: Rules) -> tuple[Settings, Evaluator]:
        """Return the settings and the evaluator for a game."""
        source = self.network
        if source == "trained":
            source = trained_network(rules)
        if source is None:
            return self.settings or usual_settings(rules.seats), evaluator_for(rules)
        evaluator = network_evaluator(rules, load_network(source, rules))
        return self.settings or network_settings(rules), evaluator

    @property
    def memory(self) -> int:
        """The bytes of the tree."""
        return 0 if self._search is None else tree_bytes(self._search.tree)

    def release_memory(self) -> None:
        """Forget the tree."""
        self._search = None

    def _search_at(self, view: View) -> Search:
        if self._search is None or self._search.rules is not view.rules:
            settings, evaluator = self._prepared(view.rules)
            self._search = Search(view, settings, evaluator, self.threads, self.clock)
        else:
            self._search.move_to(view)
        self._search.memory_limit = self.memory_limit
        return self._search

    def _run(
        self, search: Search, budget: Budget, start: float, rng: Random, parallel: ParallelMap
    ) -> None:
        rngs = [rng_from(rng).repeat(CACHE_LINE_PAD) for _ in range(self.threads)]
        if budget.iterations is not None:
            search.run(rngs, budget.iterations, parallel, self.on_progress)
        else:
            left = max((budget.seconds or 0.0) - self._spent, 0.0)
            search.run_until(rngs, start + DECISION_SHARE * left, parallel, self.on_progress)
            if search.ends_turn(rng_from(rng)):
                end = start + LAST_DECISION_SHARE * left
                search.run_until(rngs, end, parallel, self.on_progress)


@contextmanager
def parallel_map(threads: int) -> Iterator[ParallelMap]:
    """Provide a `map` that works in several threads, of which the calling one is the first."""
    if threads == 1:
        yield map
        return
    with ThreadPoolExecutor(threads - 1) as pool:

        def map_in_threads(work: Callable[..., int], *parts: Iterable[object]) -> Iterable[int]:
            first, *others = zip(*parts, strict=True)
            futures = [pool.submit(work, *part) for part in others]
            return [work(*first), *(future.result() for future in futures)]

        yield map_in_threads


def tree_bytes(tree: Tree) -> int:
    """Return the memory of a tree."""
    return sum(array.nbytes for array in tree)


class RootEdge(NamedTuple):
    """A decision at the root, with its visits and the sum of their values for the mover."""

    decision: int
    visits: int
    value_sum: float


class Search:
    """A tree that grows from a view, and can be continued after a decision."""

    def __init__(
        self,
        view: View,
        settings: Settings,
        evaluator: Evaluator,
        threads: int = 1,
        clock: Clock = perf_counter,
    ) -> None:
        rules = view.rules
        self.rules: Rules = rules
        self.settings = settings
        self.clock = clock
        self.evaluator = evaluator
        self.workspaces: list[Workspace] = [workspace_for(rules) for _ in range(threads)]
        self.tree: Tree = new_tree(rules.seats, threads)
        self._turn_workspace: TurnWorkspace | None = None
        self.memory_limit: int | None = None  # bytes of the tree, while it is enlarged too
        self._is_done = self._is_full = False
        self._restart(view)

    def _restart(self, view: View) -> None:
        self._look_at(view)
        reset(self.tree)
        for workspace in self.workspaces:
            workspace.legal_ticks[:] = 0
        self._iterations_by_thread = [0 for _ in self.workspaces]
        self._expected: Row | None = None

    def _look_at(self, view: View) -> None:
        self.view = view
        self._legal = frozenset(view.legal_decisions.ids)

    @property
    def iterations(self) -> int:
        """The number of iterations done in this tree."""
        return sum(self._iterations_by_thread)

    def run(
        self,
        rngs: list[Rng],
        iterations: int,
        parallel: ParallelMap = map,
        on_progress: OnProgress = None,
    ) -> None:
        """Do a number of iterations; fewer if the tree reaches its largest size."""
        end = self.iterations + iterations
        while (left := end - self.iterations) and self._run_slice(rngs, min(SLICE, left), parallel):
            self._report(on_progress)

    def run_until(
        self,
        rngs: list[Rng],
        end: float,
        parallel: ParallelMap = map,
        on_progress: OnProgress = None,
    ) -> None:
        """Search until the clock says `end`, the best decision is certain, or the tree is full.

        At least one slice is searched. The threads do not wait for each other; the first one looks
        at the clock.
        """
        self._run_slice(rngs, FIRST_SLICE, parallel)
        self._is_done = False
        while not self._is_done:
            self._is_full = False
            work = partial(self._run_freely, end=end, on_progress=on_progress)
            try:
                list(parallel(work, range(len(rngs)), rngs))
            except BaseException:  # an interrupt in this thread stops the others too
                self._is_done = True
                raise
            if self._is_full and not self._enlarge():
                break

    def _enlarge(self) -> bool:
        """Double the capacity of the tree, and return whether that was allowed."""
        if len(self.tree.nodes) >= MAX_NODES:
            return False
        needed = 3 * tree_bytes(self.tree)  # the tree, and one of twice its size
        if self.memory_limit is not None and needed > self.memory_limit:
            return False
        self.tree = enlarged(self.tree)
        return True

    def _run_slice(self, rngs: list[Rng], iterations: int, parallel: ParallelMap) -> bool:
        """Divide iterations among the threads; return False if the tree is full before."""
        threads = range(len(self.workspaces))
        left = [(iterations + thread) // len(threads) for thread in threads]
        with compiling(f"the search in {self.rules.family.capitalize()}"):
            if len(threads) > 1 and not self.edges():  # alone: the root needs its edges only once
                left[-1] -= self._run_thread(0, rngs[0], 1)
            while True:
                done = parallel(self._run_thread, threads, rngs, left)
                left = [number - part for number, part in zip(left, done, strict=True)]
                if not any(left):
                    return True
                if not self._enlarge():
                    return False

    def _run_freely(self, thread: int, rng: Rng, end: float, on_progress: OnProgress) -> None:
        """Run slices in one thread until the search is done or the tree is full."""
        number, start = FIRST_SLICE, self.clock()
        while not (self._is_done or self._is_full):
            done = self._run_thread(thread, rng, number)
            now = self.clock()
            speed = done / max(now - start, 1e-6)
            number = max(1, int(speed * min(SLICE_SECONDS, max(end - now, 0.0))))
            start = now
            if done == 0:
                self._is_full = True
            elif thread == 0:
                left = len(self.workspaces) * speed * (end - now)
                self._is_done = now >= end or self._is_certain(left)
                self._report(on_progress)

    def _report(self, on_progress: OnProgress) -> None:
        if on_progress is not None:
            on_progress(self.iterations)

    def _run_thread(self, thread: int, rng: Rng, iterations: int) -> int:
        """Run iterations in one thread and return their number, fewer if the tree is full."""
        done = search(
            tree_of_thread(self.tree, thread),
            self.evaluator,
            self.view.words,
            self.settings,
            rng,
            self.workspaces[thread],
            iterations,
        )
        self._iterations_by_thread[thread] += done
        return done

    def _is_certain(self, iterations_left: float) -> bool:
        """Return whether no other decision can get more visits than the best one."""
        visits = sorted((edge.visits for edge in self.edges()), reverse=True)
        return len(visits) < 2 or visits[0] - visits[1] > iterations_left

    def winning_decision(self, rng: Rng) -> str | None:
        """Return a decision that wins in this turn; always None without a network.

        The linear search has no such check.
        """
        if not has_network(self.evaluator):
            return None
        if self._turn_workspace is None:
            self._turn_workspace = turn_workspace_for(self.rules)
        with compiling(f"the search in {self.rules.family.capitalize()}"):
            decision = winning_decision(
                self.evaluator, self.view.words, rng, self.workspaces[0], self._turn_workspace
            )
        return None if decision == NO_DECISION else self.rules.decision_texts[decision]

    def edges(self) -> list[RootEdge]:
        """Return the legal decisions at the root."""
        tree, seat = self.tree, self.view.seat
        found: dict[int, RootEdge] = {}
        for edge in self.root_edges():
            decision, visits = int(tree.edges[edge, DECISION]), int(tree.edges[edge, VISITS])
            if decision in self._legal:
                # Two threads that expand the root at the same moment each add an edge.
                other = found.get(decision, RootEdge(decision, 0, 0.0))
                value = float(tree.edge_values[edge, VALUE_SUM + seat])
                found[decision] = RootEdge(decision, other.visits + visits, other.value_sum + value)
        return list(found.values())

    def root_edges(self) -> Iterator[int]:
        """Yield the edges of the root, as rows of the tree."""
        tree = self.tree
        edge = int(tree.nodes[tree.counters[0, ROOT], FIRST_EDGE])
        while edge != NONE:
            yield edge
            edge = int(tree.edges[edge, NEXT_EDGE])

    def answer(self) -> Answer:
        """Return the result of the search, the decision with the most visits first."""
        edges = [(edge, edge.value_sum / (edge.visits + 1)) for edge in self.edges()]
        edges.sort(key=lambda found: (found[0].visits, found[1]), reverse=True)
        total = max(sum(edge.visits for edge, _ in edges), 1)
        texts = self.rules.decision_texts
        candidates = tuple(
            Candidate(texts[edge.decision], edge.visits / total, value, edge.visits)
            for edge, value in edges
        )
        return Answer(candidates[0].decision, candidates=candidates, iterations=self.iterations)

    def follow(self, decision: str, rng: Rng) -> None:
        """Make the node after a decision the root, so that :meth:`move_to` can continue there."""
        number, tree = self.rules.decision(decision), self.tree
        self._expected = None
        edge = next((e for e in self.root_edges() if tree.edges[e, DECISION] == number), NONE)
        if edge == NONE or tree.edges[edge, CHILD] == NONE or tree.edges[edge, HAS_CHANCE]:
            return
        tree.counters[:, ROOT] = tree.edges[edge, CHILD]
        self._expected = self._state_after(number, rng)
        self.rules.kernel.hide(self._expected, self.view.seat)

    def ends_turn(self, rng: Rng) -> bool:
        """Return whether the turn is over after the decision that is best so far."""
        best = max(self.edges(), key=lambda edge: edge.visits)
        after, layout = self._state_after(best.decision, rng), self.rules.layout
        return bool(after[layout.TURNS] > self.view.turns or after[layout.PHASE] == layout.OVER)

    def _state_after(self, decision: int, rng: Rng) -> Row:
        """Return a random state after a decision, and after the forced ones that follow it."""
        rules, words = self.rules, self.view.words.copy()
        layout = rules.layout
        rules.kernel.determinize(words, rng)
        rules.apply(words, decision, rng)
        while words[layout.PHASE] != layout.OVER and len(forced := rules.legal(words)) == 1:
            rules.apply(words, forced[0], rng)  # the tree has no nodes for these
        return words

    def move_to(self, view: View) -> None:
        """Continue the search at a view; the tree is kept if it was followed there."""
        is_expected = self._expected is not None and np.array_equal(self._expected, view.words)
        self._look_at(view)
        if not (is_expected and self.edges()):
            self._restart(view)
