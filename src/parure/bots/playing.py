"""Letting a bot take its decision in a game, and lose the game if it fails."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from parure.bots.bot import Bot, BotFailure, BotTimeout, Budget

if TYPE_CHECKING:
    from parure.games.position import State


def play_decision(
    state: State, bot: Bot, rng: Random, budget: Budget | None = None
) -> BotFailure | None:
    """Let a bot decide for the seat to move; gives its failure, by which the others have won.

    The record then says `timeout` or `resigned`.
    """
    try:
        state.play(bot.decide(state.view(state.seat), rng, budget).decision)
    except BotFailure as failure:
        reason = "timeout" if isinstance(failure, BotTimeout) else "resigned"
        state.end(reason, [seat for seat in range(state.seats) if seat != state.seat])
        return failure
    return None
