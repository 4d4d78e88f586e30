"""One game of a tournament. A bot that fails in any way has lost it; the reason is kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from time import perf_counter
from typing import TypeAlias

import msgspec

from parure.arena.plan import Fixture, Plan
from parure.bots import bot
from parure.bots.base import Bot, BotFailure
from parure.bots.match_loop import lose, prepare, reason_of
from parure.errors import NotationError
from parure.games.record import Record
from parure.games.state import State

Told: TypeAlias = Callable[[int, Sequence[str]], None]
"""Takes the seat that is about to be asked, and what was decided since the last time."""


class Played(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is kept of a game besides its record."""

    pair: int
    set: int
    game: int
    lineup: list[int]  # the number of the bot at each seat
    winners: list[int]  # seats
    reason: str
    decisions: int
    turns: int
    seconds: list[float]  # thought, by seat
    failure: str = ""  # why the bot that lost was stopped

    @property
    def key(self) -> tuple[int, int, int]:
        """What tells it from all other games of the tournament."""
        return self.pair, self.set, self.game

    def is_of(self, plan: Plan) -> bool:
        """Whether a tournament has such a game."""
        return (
            self.pair in range(len(plan.pairs))
            and self.set >= 0
            and self.game in range(plan.seats)
            and self.lineup == Fixture(plan, *self.key).lineup
            and len(self.seconds) == plan.seats
            and set(self.winners) <= set(range(plan.seats))
        )

    def share(self, seat: int) -> float:
        """The part of the victory that a seat has; where nobody won, all have the same.

        >>> drawn = Played(0, 0, 0, [0, 1], [], "limit", 900, 400, [0.1, 0.1])
        >>> drawn.share(1)
        0.5
        """
        winners = self.winners or range(len(self.lineup))
        return 1 / len(winners) if seat in winners else 0.0


PlayedGame: TypeAlias = tuple[Played, Record]


def play_game(fixture: Fixture, tell: Told) -> PlayedGame:
    """Play a game, telling each time who is about to be asked."""
    state = fixture.new_state()
    bots: list[Bot] = []
    told, seconds = 0, [0.0] * state.seats
    for name in dict.fromkeys(fixture.names):
        with suppress(Exception):  # what fails here fails again when the bot is asked
            prepare(name, state.rules)
    try:
        for seat, name in enumerate(fixture.names):
            tell(seat, ())
            try:
                bots.append(bot(name))
            except Exception as error:
                return _lost_by(error, fixture, state, seat, seconds)
        luck = [fixture.chance(seat) for seat in range(state.seats)]
        while not state.is_over:
            seat, legal = state.seat, state.legal_decisions
            if len(legal) == 1:
                state.play(legal[0])
                continue
            tell(seat, state.decisions[told:])
            told = len(state.decisions)
            start = perf_counter()
            try:
                decision = bots[seat].decide(state.view(seat), luck[seat]).decision
                if not isinstance(decision, str) or decision not in legal:
                    raise BotFailure(_objection(state, decision))
            except (Exception, SystemExit) as error:
                seconds[seat] += perf_counter() - start
                return _lost_by(error, fixture, state, seat, seconds)
            seconds[seat] += perf_counter() - start
            state.play(decision)
        return _kept(fixture, state, seconds)
    finally:
        for player in bots:
            with suppress(Exception):
                player.close()


def lost_game(
    fixture: Fixture,
    seat: int,
    decisions: Sequence[str],
    seconds: Sequence[float],
    reason: str,
    failure: str,
) -> PlayedGame:
    """A game that a seat has lost from outside the rules."""
    state = fixture.new_state()
    for decision in decisions:
        state.play(decision)
    return _end(fixture, state, seat, seconds, reason, failure)


def _lost_by(
    error: BaseException, fixture: Fixture, state: State, seat: int, seconds: Sequence[float]
) -> PlayedGame:
    what = str(error) if isinstance(error, BotFailure) else f"{type(error).__name__}: {error}"
    return _end(fixture, state, seat, seconds, reason_of(error), what)


def _end(
    fixture: Fixture,
    state: State,
    seat: int,
    seconds: Sequence[float],
    reason: str,
    failure: str,
) -> PlayedGame:
    lose(state, seat, reason)
    line = failure.partition("\n")[0][:300]
    return _kept(fixture, state, seconds, f"{state.names[seat]} at seat {seat}: {line}")


def _kept(
    fixture: Fixture, state: State, seconds: Sequence[float], failure: str = ""
) -> PlayedGame:
    outcome = state.outcome
    assert outcome is not None
    played = Played(
        *fixture.key,
        lineup=fixture.lineup,
        winners=list(outcome.winners),
        reason=outcome.reason,
        decisions=len(state.decisions),
        turns=state.turns,
        seconds=[round(time, 4) for time in seconds],
        failure=failure,
    )
    return played, state.record()


def _objection(state: State, decision: object) -> str:
    """What is wrong with an answer; what chance brings is not for a bot to say."""
    if not isinstance(decision, str):
        return f"answered {decision!r}, which is no text"
    try:
        number = state.rules.decision(decision)
    except NotationError as error:
        return f"answered something else than a decision: {error}"
    reason = state.rules.reason_against(state, number)
    return f"answered {decision!r}, which is not legal: {reason}"
