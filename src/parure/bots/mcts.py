"""The bot that searches."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from random import Random
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from parure.bots.bot import Answer, Bot, Budget, Candidate, budget
from parure.bots.greedy import generator
from parure.bots.judging import Room, room_for
from parure.bots.knowledge import Knowledge, knowledge
from parure.bots.search import (
    CHILD,
    DECISION,
    FIRST_EDGE,
    FOLLOWED,
    HAS_CHANCE,
    NEXT,
    NONE,
    ROOT,
    SUM,
    Settings,
    Tree,
    grown,
    new_tree,
    search,
)
from parure.errors import NotationError
from parure.games.compiled import compiling

if TYPE_CHECKING:
    from parure.games.position import View
    from parure.games.rules import Rules
    from parure.games.typing import Rng, Row

Watch: TypeAlias = Callable[[int], None] | None

USUAL = Settings()
MOST_THREADS = 64
FIRST_SLICE = 16  # iterations; the next slices take about so many
SLICE_SECONDS = 0.005
SLICE = 512  # iterations, where they are what is counted
SHARE = 0.7  # of what is left of a turn's time goes to the decision at hand


def mcts_bot(detail: str) -> MctsBot:
    """The bot for a budget and perhaps a number of threads: `1s`, `2000`, `1s:2`."""
    text, colon, threads = detail.partition(":")
    if colon and not (
        threads.isascii() and threads.isdigit() and 1 <= int(threads) <= MOST_THREADS
    ):
        raise NotationError(f"{threads[:40]!r} is no number of threads from 1 to {MOST_THREADS}")
    return MctsBot(budget(text or "1s"), threads=int(threads or 1))


class MctsBot(Bot):
    """Searches for the time of its budget; a turn's decisions share one budget and one tree.

    With several threads each grows a tree of its own, and what they found is added up.
    """

    def __init__(self, budget: Budget, settings: Settings = USUAL, threads: int = 1) -> None:
        self.budget = budget
        self.settings = settings
        self.threads = threads
        self._searches: list[Search] = []
        self._turn: tuple[int, int] | None = None
        self._spent = 0.0

    def decide(self, view: View, rng: Random, budget: Budget | None = None) -> Answer:
        """The decision that the search came back to most often."""
        start = perf_counter()
        if self._turn != (view.seat, view.turns):
            self._turn, self._spent = (view.seat, view.turns), 0.0
        legal = view.legal_decisions
        if len(legal) == 1:
            return Answer(legal[0])
        for kept in self._searches:
            kept.go_on_at(view)
        while len(self._searches) < self.threads:
            self._searches.append(Search(view, self.settings))
        self._search(budget or self.budget, start, [generator(rng) for _ in self._searches])
        answer = self._answer(view)
        for grown_on in self._searches:
            grown_on.follow(answer.decision, generator(rng))
        self._spent += perf_counter() - start
        return answer

    def _search(self, budget: Budget, start: float, rngs: list[Rng]) -> None:
        if budget.iterations is not None:
            each = -(-budget.iterations // self.threads)
            self._in_threads(lambda search, rng: search.run(rng, each, self.watch), rngs)
        else:
            left = max((budget.seconds or 0.0) - self._spent, 0.0)
            end = start + SHARE * left
            self._in_threads(lambda search, rng: search.run_until(rng, end, self.watch), rngs)

    def _in_threads(self, work: Callable[[Search, Rng], object], rngs: list[Rng]) -> None:
        if self.threads == 1:
            work(self._searches[0], rngs[0])
            return
        with ThreadPoolExecutor(self.threads) as pool:
            list(pool.map(work, self._searches, rngs))

    def _answer(self, view: View) -> Answer:
        """What all trees together say."""
        followed: dict[int, int] = {}
        sums: dict[int, float] = {}
        for tree in self._searches:
            for edge in tree.edges():
                followed[edge.decision] = followed.get(edge.decision, 0) + edge.followed
                sums[edge.decision] = sums.get(edge.decision, 0.0) + edge.sum
        judgements = {decision: followed[decision] + len(self._searches) for decision in followed}
        values = {decision: sums[decision] / judgements[decision] for decision in followed}
        order = sorted(followed, key=lambda decision: (followed[decision], values[decision]))[::-1]
        together = max(sum(followed.values()), 1)
        texts = view.rules.decision_texts
        candidates = tuple(
            Candidate(texts[decision], followed[decision] / together, values[decision])
            for decision in order
        )
        iterations = sum(search.iterations for search in self._searches)
        return Answer(candidates[0].decision, candidates=candidates, iterations=iterations)


class RootEdge(NamedTuple):
    """A decision at the root: how often it was followed, and the sum of what was found there."""

    decision: int
    followed: int
    sum: float


class Search:
    """A tree that grows, for the decisions of one turn."""

    def __init__(self, view: View, settings: Settings) -> None:
        by = view.rules
        self.rules: Rules = by
        self.settings = settings
        self.known: Knowledge = knowledge(by)
        self.room: Room = room_for(by)
        self._begin(view)

    def _begin(self, view: View) -> None:
        self.view = view
        self.tree: Tree = new_tree(self.rules.seats)
        self.room.stamps[:] = 0
        self.iterations = 0
        self._expected: Row | None = None

    def _run_slice(self, rng: Rng, iterations: int, watch: Watch) -> None:
        """Do a slice of iterations."""
        left = iterations
        with compiling(f"the search in {self.rules.game.partition('+')[0].capitalize()}"):
            while left:
                words, settings, room = self.view.words, self.settings, self.room
                left -= search(self.tree, self.known, words, settings, rng, room, left)
                if left:
                    self.tree = grown(self.tree)
        self.iterations += iterations
        if watch is not None:
            watch(self.iterations)

    def run(self, rng: Rng, iterations: int, watch: Watch = None) -> int:
        """Do some iterations, slice by slice; gives how many."""
        for done in range(0, iterations, SLICE):
            self._run_slice(rng, min(SLICE, iterations - done), watch)
        return iterations

    def run_until(self, rng: Rng, end: float, watch: Watch = None) -> None:
        """Search until a moment, or until the choice is clear; at least for a slice."""
        number = FIRST_SLICE
        start = perf_counter()
        while True:
            self._run_slice(rng, number, watch)
            now = perf_counter()
            speed = number / max(now - start, 1e-6)
            if now >= end or self._is_clear(speed * (end - now)):
                return
            number = max(1, int(speed * min(SLICE_SECONDS, end - now)))
            start = now

    def _is_clear(self, iterations_left: float) -> bool:
        """Whether no other decision can catch up."""
        followed = sorted((edge.followed for edge in self.edges()), reverse=True)
        return len(followed) < 2 or followed[0] - followed[1] > iterations_left

    def edges(self) -> list[RootEdge]:
        """The legal decisions at the root."""
        tree, seat, found = self.tree, self.view.seat, []
        legal = set(self.view.legal_decisions.ids)
        edge = int(tree.nodes[tree.counters[ROOT], FIRST_EDGE])
        while edge != NONE:
            decision, followed = int(tree.edges[edge, DECISION]), int(tree.edges[edge, FOLLOWED])
            if decision in legal:
                found.append(RootEdge(decision, followed, float(tree.numbers[edge, SUM + seat])))
            edge = int(tree.edges[edge, NEXT])
        return found

    def follow(self, decision: str, rng: Rng) -> None:
        """Go down the tree after a decision, to go on there if the game goes on as expected."""
        number, tree = self.rules.decision(decision), self.tree
        self._expected = None
        edge = int(tree.nodes[tree.counters[ROOT], FIRST_EDGE])
        while edge != NONE and tree.edges[edge, DECISION] != number:
            edge = int(tree.edges[edge, NEXT])
        if edge == NONE or tree.edges[edge, CHILD] == NONE or tree.edges[edge, HAS_CHANCE]:
            return
        tree.counters[ROOT] = tree.edges[edge, CHILD]
        words = self.view.words.copy()
        self.rules.kernel.determinize(words, rng)
        self.rules.apply(words, number, rng)
        self.rules.kernel.hide(words, self.view.seat)
        self._expected = words

    def go_on_at(self, view: View) -> None:
        """Keep the tree if a view is the one that was expected; begin anew if not."""
        if self._expected is not None and np.array_equal(self._expected, view.words):
            self.view = view
        else:
            self._begin(view)
