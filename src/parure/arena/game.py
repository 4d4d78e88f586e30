"""Play one game of a tournament. A bot that fails in any way loses it; the reason is kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from time import perf_counter
from typing import NamedTuple, TypeAlias

import msgspec

from parure.arena.participants import Participants
from parure.arena.plan import Fixture, Plan
from parure.bots import Bot, BotFailure
from parure.bots.match_loop import lose, reason_of
from parure.errors import NotationError
from parure.games.position import Outcome
from parure.games.record import Record
from parure.games.state import State

BeforeDecision: TypeAlias = Callable[[int, Sequence[str]], None]
"""Receives the seat whose bot is called next, and the decisions since the last call."""

MAX_FAILURE_LENGTH = 300


class GameResult(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is kept of a played game besides its record."""

    pair: int
    set: int
    game: int
    lineup: list[int]  # the index of the bot at each seat
    winners: list[int]  # seats
    reason: str
    decisions: int
    turns: int
    seconds: list[float]  # thinking time of each seat
    failure: str = ""  # why the losing bot was stopped

    @property
    def key(self) -> tuple[int, int, int]:
        """Identifies the game within the tournament."""
        return self.pair, self.set, self.game

    def belongs_to(self, plan: Plan) -> bool:
        """Return whether a tournament contains this game."""
        return (
            self.pair in range(len(plan.pairs))
            and self.set >= 0
            and self.game in range(plan.seats)
            and self.lineup == Fixture(plan, *self.key).lineup
            and len(self.seconds) == plan.seats
            and set(self.winners) <= set(range(plan.seats))
        )

    @property
    def scores(self) -> tuple[float, ...]:
        """The score of each seat; they add up to 1.

        >>> GameResult(0, 0, 0, [0, 1], [], "limit", 900, 400, [0.1, 0.1]).scores
        (0.5, 0.5)
        """
        return Outcome(tuple(self.winners), self.reason).scores(len(self.lineup))


class PlayedGame(NamedTuple):
    """A game that has ended, with its record."""

    result: GameResult
    record: Record


def play_game(
    fixture: Fixture, participants: Participants, before_decision: BeforeDecision
) -> PlayedGame:
    """Play a game; `before_decision` is called each time before a bot is made or decides.

    Bots are not called where only one decision is legal.
    """
    state = fixture.new_state()
    bots: list[Bot] = []
    reported, seconds = 0, [0.0] * state.seats
    for name in dict.fromkeys(fixture.names):
        with suppress(Exception):  # what fails here fails again when the bot plays
            participants.prepare(name, state.rules)
    try:
        for seat, name in enumerate(fixture.names):
            before_decision(seat, ())
            try:
                bots.append(participants.make(name))
            except Exception as error:
                return _lost_by_error(error, fixture, state, seat, seconds)
        rngs = [fixture.bot_rng(seat) for seat in range(state.seats)]
        while not state.is_over:
            seat, legal = state.seat, state.legal_decisions
            if len(legal) == 1:
                state.play(legal[0])
                continue
            before_decision(seat, state.decisions[reported:])
            reported = len(state.decisions)
            start = perf_counter()
            try:
                decision = bots[seat].decide(state.view(seat), rngs[seat]).decision
                if not isinstance(decision, str) or decision not in legal:
                    raise BotFailure(_objection(state, decision))
            except (Exception, SystemExit) as error:
                seconds[seat] += perf_counter() - start
                return _lost_by_error(error, fixture, state, seat, seconds)
            seconds[seat] += perf_counter() - start
            state.play(decision)
        return _played_game(fixture, state, seconds)
    finally:
        for bot in bots:
            with suppress(Exception):
                bot.close()


def lost_game(
    fixture: Fixture,
    seat: int,
    decisions: Sequence[str],
    seconds: Sequence[float],
    reason: str,
    failure: str,
) -> PlayedGame:
    """Return the game after some decisions, lost by a seat for a reason outside the rules."""
    state = fixture.new_state()
    for decision in decisions:
        state.play(decision)
    return _lost(fixture, state, seat, seconds, reason, failure)


def _lost_by_error(
    error: BaseException, fixture: Fixture, state: State, seat: int, seconds: Sequence[float]
) -> PlayedGame:
    failure = str(error) if isinstance(error, BotFailure) else f"{type(error).__name__}: {error}"
    return _lost(fixture, state, seat, seconds, reason_of(error), failure)


def _lost(
    fixture: Fixture,
    state: State,
    seat: int,
    seconds: Sequence[float],
    reason: str,
    failure: str,
) -> PlayedGame:
    lose(state, seat, reason)
    line = failure.partition("\n")[0][:MAX_FAILURE_LENGTH]
    return _played_game(fixture, state, seconds, f"{state.names[seat]} at seat {seat}: {line}")


def _played_game(
    fixture: Fixture, state: State, seconds: Sequence[float], failure: str = ""
) -> PlayedGame:
    outcome = state.outcome
    assert outcome is not None
    result = GameResult(
        *fixture.key,
        lineup=fixture.lineup,
        winners=list(outcome.winners),
        reason=outcome.reason,
        decisions=len(state.decisions),
        turns=state.turns,
        seconds=[round(time, 4) for time in seconds],
        failure=failure,
    )
    return PlayedGame(result, state.record())


def _objection(state: State, decision: object) -> str:
    """Return what is wrong with the answer of a bot.

    A bot may not choose random outcomes: `replenish > wkg` is refused here.
    """
    if not isinstance(decision, str):
        return f"answered {decision!r}, which is not a text"
    try:
        number = state.rules.decision(decision)
    except NotationError as error:
        return f"answered something that is not a decision: {error}"
    reason = state.rules.reason_against(state, number)
    return f"answered {decision!r}, which is not legal: {reason}"
