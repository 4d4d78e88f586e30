"""The bot that searches."""

from __future__ import annotations

from random import Random
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from parure.bots import search as tree_of
from parure.bots.bot import Answer, Bot, Budget, Candidate
from parure.bots.greedy import generator
from parure.bots.judging import Room, room_for
from parure.bots.knowledge import Knowledge, knowledge
from parure.bots.search import Settings, Tree, grown, new_tree, search

if TYPE_CHECKING:
    from parure.games.position import View
    from parure.games.rules import Rules
    from parure.games.typing import Rng, Row

USUAL = Settings()
SLICE = 0.005  # seconds between two looks at the clock
FIRST_SHARE = 0.7  # of what is left of a turn's time goes to the next decision


class MctsBot(Bot):
    """Searches for the time of its budget; a turn's decisions share one budget and one tree."""

    def __init__(self, budget: Budget, settings: Settings = USUAL) -> None:
        self.budget = budget
        self.settings = settings
        self._search: Search | None = None
        self._turn: tuple[int, int] | None = None
        self._spent = 0.0

    def decide(self, view: View, rng: Random, budget: Budget | None = None) -> Answer:
        """The decision that the search came back to most often."""
        start = perf_counter()
        budget = budget or self.budget
        if self._turn != (view.seat, view.turns):
            self._turn, self._spent, self._search = (view.seat, view.turns), 0.0, None
        legal = view.legal_decisions
        if len(legal) == 1:
            return Answer(legal[0])
        if self._search is None or not self._search.goes_on_at(view):
            self._search = Search(view, self.settings)
        self._search.view = view
        rng_row = generator(rng)
        if budget.seconds is None:
            self._search.run(rng_row, budget.iterations or 1)
        else:
            left = max(budget.seconds - self._spent, 0.0)
            self._search.run_until(rng_row, start + FIRST_SHARE * left)
        answer = self._search.answer()
        self._search.decided(answer.decision, rng_row)
        self._spent += perf_counter() - start
        return answer


class Search:
    """A tree that grows, for the decisions of one turn."""

    def __init__(self, view: View, settings: Settings) -> None:
        by = view.rules
        self.view = view
        self.rules: Rules = by
        self.settings = settings
        self.known: Knowledge = knowledge(by)
        self.room: Room = room_for(by)
        self.tree: Tree = new_tree(by.seats)
        self.iterations = 0
        self.expected: Row | None = None

    def run(self, rng: Rng, iterations: int) -> int:
        """Do some iterations."""
        done = 0
        while done < iterations:
            done += search(
                self.tree,
                self.known,
                self.view.words,
                self.settings,
                rng,
                self.room,
                iterations - done,
            )
            if done < iterations:
                self.tree = grown(self.tree)
        self.iterations += done
        return done

    def run_until(self, rng: Rng, end: float) -> None:
        """Search until a moment, or until the choice is clear."""
        number = 16
        while (start := perf_counter()) < end:
            self.run(rng, number)
            now = perf_counter()
            speed = number / max(now - start, 1e-6)
            if self._is_clear(speed * (end - now)):
                break
            number = max(1, int(speed * min(SLICE, max(end - now, 0.0005))))

    def _is_clear(self, iterations_left: float) -> bool:
        """Whether no other decision could catch up."""
        followed = sorted((n for _, n, _ in self.edges()), reverse=True)
        return len(followed) < 2 or followed[0] - followed[1] > iterations_left

    def edges(self) -> list[tuple[int, int, float]]:
        """The legal decisions at the root: how often each was followed, and its value."""
        tree, found = self.tree, []
        legal = set(self.view.legal_decisions.ids)
        edge = tree.nodes[tree.counters[tree_of.ROOT], tree_of.FIRST_EDGE]
        while edge != tree_of.NONE:
            decision, edge_after, _, followed, _ = tree.edges[edge].tolist()
            if decision in legal:
                value = tree.numbers[edge, tree_of.SUM + self.view.seat] / (followed + 1)
                found.append((decision, followed, float(value)))
            edge = edge_after
        return found

    def answer(self) -> Answer:
        """The decision followed most often, and what was thought of the others."""
        found = sorted(self.edges(), key=lambda edge: (edge[1], edge[2]), reverse=True)
        together = max(sum(followed for _, followed, _ in found), 1)
        candidates = tuple(
            Candidate(self.rules.decision_texts[decision], followed / together, value)
            for decision, followed, value in found
        )
        return Answer(candidates[0].decision, candidates=candidates, iterations=self.iterations)

    def decided(self, decision: str, rng: Rng) -> None:
        """Go down the tree after the decision, to go on there if the game goes on as expected."""
        number = self.rules.decision(decision)
        self.expected = None
        tree = self.tree
        edge = tree.nodes[tree.counters[tree_of.ROOT], tree_of.FIRST_EDGE]
        while tree.edges[edge, tree_of.DECISION] != number:
            edge = tree.edges[edge, tree_of.NEXT]
        _, _, child, _, has_chance = tree.edges[edge].tolist()
        if child == tree_of.NONE or has_chance:
            return
        tree.counters[tree_of.ROOT] = child
        words = self.view.words.copy()
        self.rules.kernel.determinize(words, rng)
        self.rules.apply(words, number, rng)
        self.rules.kernel.hide(words, self.view.seat)
        self.expected = words

    def goes_on_at(self, view: View) -> bool:
        """Whether a view is the one that was expected, so that the tree fits it."""
        return self.expected is not None and bool(np.array_equal(self.expected, view.words))
