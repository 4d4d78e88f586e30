"""Letting a bot take its decision in a game, and lose the game if it fails."""

from __future__ import annotations

from functools import lru_cache
from random import Random
from typing import TYPE_CHECKING

from parure.bots import bot as bot_called
from parure.bots.base import Bot, BotFailure, BotTimeout, Budget
from parure.games.api import new

if TYPE_CHECKING:
    from parure.games.rules import Rules
    from parure.games.state import State

FAILED, LATE = "resigned", "timeout"  # how a record says that a bot was stopped


@lru_cache(maxsize=64)
def prepare(spec: str, by: Rules) -> None:
    """Let a bot that is compiled decide once: what is slow at first is done before time counts."""
    player = bot_called(spec)
    if player.is_compiled:
        first = new(by.game, players=by.seats, seed=0, options=by.options)
        player.decide(first.view(first.seat), Random(0), Budget(iterations=1))
    player.close()


def play_decision(
    state: State, bot: Bot, rng: Random, budget: Budget | None = None
) -> BotFailure | None:
    """Let a bot decide for the seat to move; gives its failure, by which the others have won."""
    try:
        state.play(bot.decide(state.view(state.seat), rng, budget).decision)
    except BotFailure as failure:
        lose(state, state.seat, reason_of(failure))
        return failure
    return None


def reason_of(error: BaseException) -> str:
    """What a record says of a bot that was stopped by an error."""
    return LATE if isinstance(error, BotTimeout | TimeoutError) else FAILED


def lose(state: State, seat: int, reason: str) -> None:
    """End a game that a seat has lost from outside the rules: all others have won it together."""
    state.end(reason, [winner for winner in range(state.seats) if winner != seat])
