"""Analyse a position: its value for each seat, the best decisions, their lines and reasons."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import TypeAlias

from msgspec import Struct

from parure.analysis.evaluate import view_of
from parure.analysis.reasons import Reason, reasons_for
from parure.analysis.tree import MEMORY_LIMIT, PositionSearch, Values, Worlds, winning_line
from parure.analysis.wording import check_language, in_words
from parure.bots.base import Budget
from parure.errors import InvalidPosition, NotationError
from parure.games.engine.rng import new_rng
from parure.games.position import Position
from parure.games.registry import GameName, game_name
from parure.games.view import View

DEFAULT_BUDGET = "2000"
WATCH_SECONDS = 0.2  # between two calls of `watch`
MIN_SHARE = 0.05  # of all visits, for each choice that is reported
MAX_LINES = 20


class Choice(Struct, frozen=True):
    """A decision, what it is worth and why."""

    decision: str
    share: float  # of the visits of the search, 0 to 1
    values: Values  # the expected score of each seat after it
    line: tuple[str, ...]  # what is expected, this decision first, until chance enters
    reasons: tuple[Reason, ...]
    reason: str  # the reasons in words


class Analysis(Struct, frozen=True):
    """What a position is worth to each seat, and the best decisions, the best one first."""

    game: GameName
    seat: int  # to move
    viewer: int | None  # from whose knowledge; null: from what everybody knows
    values: Values  # the expected score of each seat: 1 is a sure victory
    choices: tuple[Choice, ...]  # none once the game is over
    iterations: int
    is_exact: bool = False  # the game is over, or won in this turn for certain


Watch: TypeAlias = Callable[[Analysis], object]
"""Receives what is known so far; returns False to stop the analysis."""


def analyse(
    position: Position,
    budget: str | Budget | None = DEFAULT_BUDGET,
    lines: int = 3,
    seed: int | None = None,
    watch: Watch | None = None,
    language: str = "en",
    is_wanted: Callable[[], bool] = lambda: True,
    memory_limit: int | None = None,
) -> Analysis:
    """Return the best decisions of a position, with values, expected lines and reasons.

    Args:
        position: A state, of which only what the seat to move knows is used, or a view.
        budget: Iterations (`"2000"`) or time (`"1s"`); None for as long as `watch` allows.
        lines: The number of decisions to report, at most.
        seed: The same seed and budget of iterations give the same analysis.
        watch: Called from time to time with the analysis so far. If it returns False, the
            analysis stops and what is known then is returned.
        language: Of the reasons in words: `en`, `fr` or `es`.
        is_wanted: Asked often; the analysis stops like with `watch` as soon as it returns False.
        memory_limit: Of the search tree in bytes; the analysis ends when it is reached. None for
            256 MB.

    Raises:
        NotationError: The budget, the number of lines or the language is wrong.
        InvalidPosition: The viewer cannot name any legal decision.

    >>> import parure
    >>> found = analyse(parure.new("splendor", seed=7), budget="200", seed=1)
    >>> len(found.choices), found.choices[0].line[0] == found.choices[0].decision
    (3, True)
    """
    check_language(language)
    if isinstance(lines, bool) or not isinstance(lines, int) or not 1 <= lines <= MAX_LINES:
        raise NotationError(f"lines is a number from 1 to {MAX_LINES}, not {lines!r}")
    limit = Budget.parse(budget) if isinstance(budget, str) else budget
    if limit is None and watch is None:
        raise NotationError("an analysis without a budget needs `watch` to stop it")
    view = view_of(position)
    if view.outcome is not None:
        scores = view.outcome.scores(view.seats)
        return Analysis(game_name(view.game), view.seat, view.viewer, scores, (), 0, is_exact=True)
    search = PositionSearch(view, new_rng(seed))
    search.memory_limit = min(MEMORY_LIMIT, memory_limit or MEMORY_LIMIT)
    analyser = _Analyser(search, lines, language)
    return analyser.run(limit or Budget(), watch, is_wanted)


class _Analyser:
    """One analysis while it runs."""

    def __init__(self, search: PositionSearch, lines: int, language: str) -> None:
        self.search = search
        self.view: View = search.view
        self.lines = lines
        self.language = language
        if not search.legal:
            raise InvalidPosition("this viewer cannot name any decision of the seat to move")

    def run(self, budget: Budget, watch: Watch | None, is_wanted: Callable[[], bool]) -> Analysis:
        """Search until the budget is used, or `watch` or `is_wanted` returns False."""
        if win := winning_line(self.search):
            return self._report_win(win)
        if self._run(budget, watch, is_wanted):
            self._visit_all(budget)
        return self._report()

    def _run(self, budget: Budget, watch: Watch | None, is_wanted: Callable[[], bool]) -> bool:
        """Run the search; return whether it was not stopped before its budget was used."""
        reported = perf_counter()

        def report() -> bool:
            nonlocal reported
            if not is_wanted():
                return False
            if watch is None or perf_counter() - reported < WATCH_SECONDS:
                return True
            goes_on = watch(self._report()) is not False
            reported = perf_counter()
            return goes_on

        return self.search.advance_within(budget, report)

    def _visit_all(self, budget: Budget) -> None:
        """Give each choice that is reported the visits that its value needs."""
        if budget.seconds is not None or budget.iterations is None or self._is_forced:
            return
        needed = int(MIN_SHARE * budget.iterations)
        for choice in self.search.choices()[: self.lines]:
            if choice.visits < needed:
                self.search.focus([choice.decision], needed - choice.visits)

    @property
    def _is_forced(self) -> bool:
        return len(self.search.legal) == 1

    def _report(self) -> Analysis:
        if self._is_forced:
            return self._report_forced()
        found = self.search.choices()
        total = max(sum(choice.visits for choice in found), 1)
        texts = self.view.rules.decision_texts
        choices = tuple(
            self._choice(
                texts[choice.decision],
                choice.visits / total,
                choice.values,
                self.search.line(choice.decision),
            )
            for choice in found[: self.lines]
        )
        # Where another seat may win with a card that the viewer does not know, there is no choice.
        values = found[0].values if found else self.search.mean_values()
        return self._analysis(values, choices)

    def _report_forced(self) -> Analysis:
        """Report the only decision; the tree has no edge for it and begins behind it."""
        worlds = Worlds(self.view)
        worlds.play_forced()
        line = tuple(self.view.rules.decision_texts[number] for number in worlds.line)
        values = self.search.mean_values()
        return self._analysis(values, (self._choice(line[0], 1.0, values, line),))

    def _report_win(self, line: tuple[str, ...]) -> Analysis:
        values = tuple(float(seat == self.view.seat) for seat in range(self.view.seats))
        return self._analysis(values, (self._choice(line[0], 1.0, values, line),), is_exact=True)

    def _choice(self, decision: str, share: float, values: Values, line: tuple[str, ...]) -> Choice:
        reasons = reasons_for(self.view, line)
        words = in_words(reasons, self.language, self.view.seats)
        return Choice(decision, share, values, line, reasons, words)

    def _analysis(
        self, values: Values, choices: tuple[Choice, ...], is_exact: bool = False
    ) -> Analysis:
        view = self.view
        game = game_name(view.game)
        done = self.search.iterations
        return Analysis(game, view.seat, view.viewer, values, choices, done, is_exact)
