"""The bot that searches."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from random import Random
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from parure.bots.base import Answer, Bot, Budget, Candidate
from parure.bots.evaluation import Room, room_for
from parure.bots.evaluator import Knowledge, knowledge
from parure.bots.search import (
    APART,
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
    of_thread,
    plant,
    search,
    tree_for,
)
from parure.errors import NotationError
from parure.games.engine.jit import compiling
from parure.games.engine.rng import rng_from

if TYPE_CHECKING:
    from parure.games.engine.arrays import Rng, Row
    from parure.games.rules import Rules
    from parure.games.view import View

Watch: TypeAlias = Callable[[int], None] | None
AtOnce: TypeAlias = Callable[..., Iterable[int]]  # a kind of `map`

OF_TWO = Settings()
OF_MORE = Settings(curiosity=0.2, temperature=0.03, width=5)  # it is long until one's next turn
MAX_THREADS = 64
FIRST_SLICE = 16  # iterations; the next slices take about so many
SLICE_SECONDS = 0.005
SLICE = 512  # iterations, where they are what is counted
MAX_NODES = 1 << 20  # a tree of about a gigabyte
SHARE = 0.7  # of what is left of a turn's time goes to the decision at hand,
LAST_SHARE = 0.95  # and so much to one that ends the turn


def mcts_bot(detail: str) -> MctsBot:
    """The bot for a budget and perhaps a number of threads: `1s`, `2000`, `1s:2`."""
    text, colon, threads = detail.partition(":")
    if colon and not (threads.isascii() and threads.isdigit() and 1 <= int(threads) <= MAX_THREADS):
        raise NotationError(f"{threads[:40]!r} is no number of threads from 1 to {MAX_THREADS}")
    return MctsBot(Budget.parse(text or "1s"), threads=int(threads or 1))


class MctsBot(Bot):
    """Searches for the time of its budget; a turn's decisions share one budget and one tree.

    Several threads grow the tree together.
    """

    is_compiled = True

    def __init__(self, budget: Budget, settings: Settings | None = None, threads: int = 1) -> None:
        self.budget = budget
        self.settings = settings
        self.threads = threads
        self._kept: Search | None = None
        self._turn: tuple[int, int] | None = None
        self._spent = 0.0

    def choose(self, view: View, rng: Random, budget: Budget | None) -> Answer:
        """The decision that the search came back to most often."""
        start = perf_counter()
        if self._turn != (view.seat, view.turns):
            self._turn, self._spent = (view.seat, view.turns), 0.0
        legal = view.legal_decisions
        if len(legal) == 1:
            return Answer(legal[0])
        if self._kept is None:
            usual = OF_TWO if view.seats == 2 else OF_MORE
            self._kept = Search(view, self.settings or usual, self.threads)
        else:
            self._kept.go_on_at(view)
        with in_threads(self.threads) as at_once:
            self._search(self._kept, budget or self.budget, start, rng, at_once)
        answer = self._kept.answer()
        self._kept.follow(answer.decision, rng_from(rng))
        self._spent += perf_counter() - start
        return answer

    def _search(
        self, search: Search, budget: Budget, start: float, rng: Random, at_once: AtOnce
    ) -> None:
        rngs = [rng_from(rng).repeat(APART) for _ in range(self.threads)]
        if budget.iterations is not None:
            search.run(rngs, budget.iterations, at_once, self.on_progress)
        else:
            left = max((budget.seconds or 0.0) - self._spent, 0.0)
            search.run_until(rngs, start + SHARE * left, at_once, self.on_progress)
            if search.ends_turn(rng_from(rng)):
                search.run_until(rngs, start + LAST_SHARE * left, at_once, self.on_progress)


@contextmanager
def in_threads(number: int) -> Iterator[AtOnce]:
    """A `map` that works in so many threads, of which this is the first."""
    if number == 1:
        yield map
        return
    with ThreadPoolExecutor(number - 1) as pool:

        def at_once(work: Callable[..., int], *parts: Iterable[object]) -> Iterable[int]:
            first, *others = zip(*parts, strict=True)
            doing = [pool.submit(work, *part) for part in others]
            return [work(*first), *(part.result() for part in doing)]

        yield at_once


class RootEdge(NamedTuple):
    """A decision at the root: how often it was followed, and the sum of what was found there."""

    decision: int
    followed: int
    sum: float


class Search:
    """A tree that grows, for the decisions of one turn."""

    def __init__(self, view: View, settings: Settings, threads: int = 1) -> None:
        by = view.rules
        self.rules: Rules = by
        self.settings = settings
        self.known: Knowledge = knowledge(by)
        self.rooms: list[Room] = [room_for(by) for _ in range(threads)]
        self._is_done = self._lacks_room = False
        self.tree: Tree = tree_for(by.seats, threads)
        self._begin(view)

    def _begin(self, view: View) -> None:
        self._look_at(view)
        plant(self.tree)
        for room in self.rooms:
            room.stamps[:] = 0
        self._done = [0 for _ in self.rooms]
        self._expected: Row | None = None

    def _look_at(self, view: View) -> None:
        self.view = view
        self._legal = frozenset(view.legal_decisions.ids)

    @property
    def iterations(self) -> int:
        """How many were done in this tree."""
        return sum(self._done)

    def run(
        self, rngs: list[Rng], iterations: int, at_once: AtOnce = map, watch: Watch = None
    ) -> None:
        """Do some iterations, slice by slice; fewer if the tree gets too large."""
        end = self.iterations + iterations
        while (left := end - self.iterations) and self._run_slice(rngs, min(SLICE, left), at_once):
            self._tell(watch)

    def run_until(
        self, rngs: list[Rng], end: float, at_once: AtOnce = map, watch: Watch = None
    ) -> None:
        """Search until a moment, or the choice is clear, or the tree is full; at least for a slice.

        The threads run on without waiting for each other; the first one looks at the clock.
        """
        self._run_slice(rngs, FIRST_SLICE, at_once)
        self._is_done = False
        while not self._is_done:
            self._lacks_room = False
            work = partial(self._run_freely, end=end, watch=watch)
            try:
                list(at_once(work, range(len(rngs)), rngs))
            except BaseException:  # an interrupt in this thread ends the others too
                self._is_done = True
                raise
            if self._lacks_room and not self._grow():
                break

    def _grow(self) -> bool:
        """Make room for a larger tree; gives whether it may become larger."""
        if len(self.tree.nodes) >= MAX_NODES:
            return False
        self.tree = grown(self.tree)
        return True

    def _run_slice(self, rngs: list[Rng], iterations: int, at_once: AtOnce) -> bool:
        """Do some iterations, each thread its part; gives whether there was room for all."""
        threads = range(len(self.rooms))
        left = [(iterations + thread) // len(threads) for thread in threads]
        with compiling(f"the search in {self.rules.game.partition('+')[0].capitalize()}"):
            if len(threads) > 1 and not self.edges():  # alone: the root needs its edges only once
                left[-1] -= self._run_thread(0, rngs[0], 1)
            while True:
                done = at_once(self._run_thread, threads, rngs, left)
                left = [number - part for number, part in zip(left, done, strict=True)]
                if not any(left):
                    return True
                if not self._grow():
                    return False

    def _run_freely(self, thread: int, rng: Rng, end: float, watch: Watch) -> None:
        """Do slices in one thread until the search is done, or a thread lacks room."""
        number, start = FIRST_SLICE, perf_counter()
        while not (self._is_done or self._lacks_room):
            done = self._run_thread(thread, rng, number)
            now = perf_counter()
            speed = done / max(now - start, 1e-6)
            number = max(1, int(speed * min(SLICE_SECONDS, max(end - now, 0.0))))
            start = now
            if done == 0:
                self._lacks_room = True
            elif thread == 0:
                left = len(self.rooms) * speed * (end - now)
                self._is_done = now >= end or self._is_clear(left)
                self._tell(watch)

    def _tell(self, watch: Watch) -> None:
        """Tell who watches how far the search is."""
        if watch is not None:
            watch(self.iterations)

    def _run_thread(self, thread: int, rng: Rng, iterations: int) -> int:
        """Do iterations in one thread; gives how many there was room for."""
        tree, words, room = of_thread(self.tree, thread), self.view.words, self.rooms[thread]
        done = search(tree, self.known, words, self.settings, rng, room, iterations)
        self._done[thread] += done
        return done

    def _is_clear(self, iterations_left: float) -> bool:
        """Whether no other decision can catch up."""
        followed = sorted((edge.followed for edge in self.edges()), reverse=True)
        return len(followed) < 2 or followed[0] - followed[1] > iterations_left

    def edges(self) -> list[RootEdge]:
        """The legal decisions at the root."""
        tree, seat = self.tree, self.view.seat
        found: dict[int, RootEdge] = {}
        edge = int(tree.nodes[tree.counters[0, ROOT], FIRST_EDGE])
        while edge != NONE:
            decision, followed = int(tree.edges[edge, DECISION]), int(tree.edges[edge, FOLLOWED])
            if decision in self._legal:
                # Two threads that came to the root at the same moment may each have made one.
                other = found.get(decision, RootEdge(decision, 0, 0.0))
                value = float(tree.numbers[edge, SUM + seat])
                found[decision] = RootEdge(decision, other.followed + followed, other.sum + value)
            edge = int(tree.edges[edge, NEXT])
        return list(found.values())

    def answer(self) -> Answer:
        """What the search has found, the best decision first."""
        edges = [(edge, edge.sum / (edge.followed + 1)) for edge in self.edges()]
        edges.sort(key=lambda found: (found[0].followed, found[1]), reverse=True)
        together = max(sum(edge.followed for edge, _ in edges), 1)
        texts = self.rules.decision_texts
        candidates = tuple(
            Candidate(texts[edge.decision], edge.followed / together, value)
            for edge, value in edges
        )
        return Answer(candidates[0].decision, candidates=candidates, iterations=self.iterations)

    def follow(self, decision: str, rng: Rng) -> None:
        """Go down the tree after a decision, to go on there if the game goes on as expected."""
        number, tree = self.rules.decision(decision), self.tree
        self._expected = None
        edge = int(tree.nodes[tree.counters[0, ROOT], FIRST_EDGE])
        while edge != NONE and tree.edges[edge, DECISION] != number:
            edge = int(tree.edges[edge, NEXT])
        if edge == NONE or tree.edges[edge, CHILD] == NONE or tree.edges[edge, HAS_CHANCE]:
            return
        tree.counters[:, ROOT] = tree.edges[edge, CHILD]
        self._expected = self._after(number, rng)
        self.rules.kernel.hide(self._expected, self.view.seat)

    def ends_turn(self, rng: Rng) -> bool:
        """Whether the turn is over with the decision that is best so far."""
        best = max(self.edges(), key=lambda edge: edge.followed)
        after, at = self._after(best.decision, rng), self.rules.layout
        return bool(after[at.TURNS] > self.view.turns or after[at.PHASE] == at.OVER)

    def _after(self, decision: int, rng: Rng) -> Row:
        """A full state as it may be after a decision, and after those that are forced then."""
        by, words = self.rules, self.view.words.copy()
        by.kernel.determinize(words, rng)
        by.apply(words, decision, rng)
        while words[by.layout.PHASE] != by.layout.OVER and len(forced := by.legal(words)) == 1:
            by.apply(words, forced[0], rng)  # the tree has no nodes for these
        return words

    def go_on_at(self, view: View) -> None:
        """Keep the tree if it knows of this view, as was expected; begin anew if not."""
        is_expected = self._expected is not None and np.array_equal(self._expected, view.words)
        self._look_at(view)
        if not (is_expected and self.edges()):
            self._begin(view)
