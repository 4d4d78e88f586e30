"""Review a played game: what each turn gave away, what would have been better, and what was luck.

Each decision is searched from what its seat knew then. The value of what was played is taken from
the same search, with as many visits as the best decision has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import groupby
from threading import local
from typing import NamedTuple, TypeAlias

import msgspec

from parure.analysis.luck import Luck, luck_of, no_luck
from parure.analysis.reasons import reasons_for
from parure.analysis.review_types import Review, SeatReview, TurnReview, kind_of, seat_review
from parure.analysis.tree import PositionSearch, RootChoice, Values, winning_line
from parure.analysis.wording import check_language, in_words
from parure.bots.base import Budget
from parure.errors import NotationError
from parure.games import record as records
from parure.games.engine.rng import new_rng
from parure.games.position import Outcome
from parure.games.record import Record
from parure.games.registry import game_name
from parure.games.state import State

DEFAULT_BUDGET = "2000"
FOCUS_SHARE = 2  # a decision beside a sure win gets the budget divided by this

WatchTurn: TypeAlias = Callable[[TurnReview], object]
"""Receives each turn as soon as it is reviewed; returns False to stop the review."""


class _Reviewed(NamedTuple):
    """One decision, reviewed; or the position after the last one, in which nothing was played."""

    values: Values  # of each seat before it, with the best decision
    loss: float
    best: str
    line: tuple[str, ...]
    luck: Luck
    is_forced: bool
    played: Values = ()  # the value of what was played, before chance had its part


def review(
    record: Record | State,
    budget: str | Budget = DEFAULT_BUDGET,
    jobs: int = 1,
    seed: int = 0,
    watch: WatchTurn | None = None,
    language: str = "en",
) -> Review:
    """Return the review of a game, finished or not.

    Args:
        record: A record, or a state with its history.
        budget: Of each decision: iterations (`"2000"`) or time (`"100ms"`).
        jobs: The number of threads.
        seed: The same seed and budget of iterations give the same review.
        watch: Called with each turn in order. If it returns False, the review ends there.
        language: Of the reasons in words: `en`, `fr` or `es`.

    Raises:
        RecordError: The record does not hold.
        NotationError: The budget, the number of jobs or the language is wrong.

    >>> import parure
    >>> state = parure.new("splendor", seed=7)
    >>> for decision in ("take wug", "take urk"):
    ...     _ = state.play(decision)
    >>> found = review(state, budget="100")
    >>> len(found.turns), found.turns[0].decisions
    (2, ('take wug',))
    """
    if isinstance(jobs, bool) or not isinstance(jobs, int) or jobs < 1:
        raise NotationError(f"jobs is a number from 1, not {jobs!r}")
    played = record.record() if isinstance(record, State) else record
    reviewer = Reviewer(played, budget, seed, language)
    turns: list[TurnReview] = []
    for turn in reviewer.turns(jobs):
        turns.append(turn)
        if watch is not None and watch(turn) is False:
            break
    return reviewer.result(turns)


def _seats(record: Record, turns: list[TurnReview]) -> tuple[SeatReview, ...]:
    return tuple(seat_review(name, seat, turns) for seat, name in enumerate(record.players))


def _result(record: Record) -> Outcome | None:
    return None if record.result is msgspec.UNSET else record.result


class Reviewer:
    """Reviews the decisions of a record, in several threads or one at a time.

    `review` explains the arguments.
    """

    def __init__(
        self,
        record: Record,
        budget: str | Budget = DEFAULT_BUDGET,
        seed: int = 0,
        language: str = "en",
    ) -> None:
        check_language(language)
        self.record = record
        self.states = [state.copy() for state in records.replay(record)]  # also after the last one
        self.decisions = self.states[-1].decisions
        self.budget = Budget.parse(budget) if isinstance(budget, str) else budget
        self.seed = seed
        self.language = language
        self.last_values: Values = ()
        self._searches = local()  # a search for each thread

    def turns(self, jobs: int) -> Iterator[TurnReview]:
        """Yield the review of each turn."""
        pool = ThreadPoolExecutor(jobs)
        try:
            reviewed = pool.map(self._decision, range(len(self.states)))
            yield from (turn for turn in self._join(reviewed) if turn is not None)
        finally:
            pool.shutdown(wait=True, cancel_futures=True)

    def steps(self) -> Iterator[TurnReview | None]:
        """Review one position at each step: yield a turn if it completes one, otherwise None.

        There is a step for each decision and one more. A caller that shares the processor with
        others can wait between two steps.
        """
        return self._join(map(self._decision, range(len(self.states))))

    def result(self, turns: list[TurnReview]) -> Review:
        """Return the review of the whole game, given its turns so far."""
        record = self.record
        return Review(
            game=game_name(record.game),
            seats=_seats(record, turns),
            turns=tuple(turns),
            values=self.last_values,
            result=_result(record),
            budget=str(self.budget),
        )

    def _join(self, reviewed: Iterator[_Reviewed]) -> Iterator[TurnReview | None]:
        """Yield for each reviewed position the turn that it completes, or None."""
        numbers = range(len(self.decisions))
        keys = [(self.states[number].seat, self.states[number].turns) for number in numbers]
        groups = (list(turn) for _, turn in groupby(numbers, key=keys.__getitem__))
        found: list[_Reviewed] = []
        turn = next(groups, None)
        for position in reviewed:
            found.append(position)
            self.last_values = position.values
            if turn is not None and len(found) == turn[-1] + 2:  # with the position after it
                yield self._turn(turn, found)
                turn = next(groups, None)
            else:
                yield None

    def _turn(self, numbers: list[int], found: list[_Reviewed]) -> TurnReview:
        """Return the review of a turn, given those of its decisions and the one after them."""
        first, following = numbers[0], numbers[-1] + 1
        seat = self.states[first].seat
        decisions = [found[number] for number in numbers]
        worst = max(numbers, key=lambda number: found[number].loss)
        loss = sum(decision.loss for decision in decisions)
        view = self.states[worst].view(seat)
        reasons = reasons_for(view, found[worst].line)
        lucks = zip(*(decision.luck.values for decision in decisions), strict=True)
        errors = [decision.luck.errors[seat] for decision in decisions]
        total_luck = tuple(sum(luck) for luck in lucks)
        return TurnReview(
            turn=self.states[first].turns,
            seat=seat,
            start=first,
            decisions=tuple(self.decisions[first:following]),
            before=found[first].values[seat],
            after=found[following].values[seat],
            loss=loss,
            kind=kind_of(loss),
            best=found[worst].best,
            step=worst,
            line=found[worst].line,
            reasons=reasons,
            reason=in_words(reasons, self.language, view.seats),
            luck=total_luck[seat],
            values=found[first].values,
            lucks=total_luck,
            luck_error=sum(error**2 for error in errors) ** 0.5,
            is_forced=all(decision.is_forced for decision in decisions),
        )

    def _decision(self, number: int) -> _Reviewed:
        """Return the review of a decision, or of the position after the last one."""
        state = self.states[number]
        seats = state.seats
        if state.outcome is not None:
            return _Reviewed(state.outcome.scores(seats), 0.0, "", (), no_luck(seats), True)
        search = self._search(state, number)
        if number == len(self.decisions):
            return self._unplayed(search)
        text = self.decisions[number].partition(" > ")[0]
        played, after = state.rules.decision(text), self.states[number + 1]
        win = winning_line(search)
        if len(search.legal) == 1:
            if win:
                values = _certain(state.seat, seats)
            else:
                search.advance_within(self.budget)
                values = search.mean_values()
            found = _Reviewed(values, 0.0, text, (text,), no_luck(seats), True, values)
        elif win:
            found = self._beside_a_win(search, win, played, after)
        else:
            found = self._searched(search, played)
        luck = luck_of(state, after, text, found.played, search, self.seed + number)
        return found._replace(luck=luck)

    def _search(self, state: State, number: int) -> PositionSearch:
        """Return a search at a state, with memory that this thread has used before."""
        view, rng = state.view(state.seat), new_rng(self.seed + number)
        if hasattr(self._searches, "search"):
            search: PositionSearch = self._searches.search
            search.restart(view, rng)
        else:
            search = self._searches.search = PositionSearch(view, rng)
        return search

    def _unplayed(self, search: PositionSearch) -> _Reviewed:
        seats, seat = search.rules.seats, search.view.seat
        if winning_line(search):
            values = _certain(seat, seats)
        else:
            search.advance_within(self.budget)
            is_forced = len(search.legal) == 1
            values = search.mean_values() if is_forced else search.choices()[0].values
        return _Reviewed(values, 0.0, "", (), no_luck(seats), True)

    def _searched(self, search: PositionSearch, played: int) -> _Reviewed:
        """Compare what was played with the best decision of a search."""
        search.advance_within(self.budget)
        best = search.choices()[0]
        line = search.line(best.decision)
        if played != best.decision:
            missing = best.visits - _find(search, played).visits
            if missing > 0:
                search.focus([played], missing)
        seat = search.view.seat
        best, own = _find(search, best.decision), _find(search, played)
        loss = best.values[seat] - own.values[seat]
        if loss <= 0.0:
            best, loss = own, 0.0
            line = search.line(played)
        text = search.rules.decision_texts[best.decision]
        luck = no_luck(search.rules.seats)
        return _Reviewed(best.values, loss, text, line, luck, False, own.values)

    def _beside_a_win(
        self, search: PositionSearch, win: tuple[str, ...], played: int, after: State
    ) -> _Reviewed:
        """Compare what was played with a win in this turn."""
        rules, view = search.rules, search.view
        values, chosen = _certain(view.seat, rules.seats), rules.decision_texts[played]
        luck = no_luck(rules.seats)
        if chosen == win[0] or _still_wins(view.seat, view.turns, after):
            line = win if chosen == win[0] else (chosen,)
            return _Reviewed(values, 0.0, chosen, line, luck, False, values)
        search.focus([played], (self.budget.iterations or 1000) // FOCUS_SHARE)
        own = _find(search, played).values
        return _Reviewed(values, 1.0 - own[view.seat], win[0], win, luck, False, own)


def _find(search: PositionSearch, decision: int) -> RootChoice:
    """Return what a search knows of a decision at its root."""
    for choice in search.choices():
        if choice.decision == decision:
            return choice
    return RootChoice(decision, 0, search.mean_values())


def _still_wins(seat: int, turns: int, after: State) -> bool:
    """Return whether a seat has won, or can still do so in the same turn."""
    if after.outcome is not None:
        return after.outcome.winners == (seat,)
    if (after.seat, after.turns) != (seat, turns):
        return False
    return bool(winning_line(PositionSearch(after.view(seat))))


def _certain(winner: int, seats: int) -> Values:
    return tuple(float(seat == winner) for seat in range(seats))
