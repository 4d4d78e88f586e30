"""Let a bot take its decision in a game, and lose the game if it fails."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING

from parure.bots.base import Answer, Bot, BotFailure, BotTimeout, Budget
from parure.bots.registry import BotLike, resolve
from parure.games.api import new

if TYPE_CHECKING:
    from parure.games.rules import Rules
    from parure.games.state import State

FAILED, LATE = "resigned", "timeout"  # how a record says that a bot was stopped

_prepared: set[tuple[object, Rules]] = set()


def prepare(bot: BotLike, rules: Rules) -> None:
    """Let a compiled bot decide once, so that compiling does not count as thinking time.

    Does nothing for a bot that was prepared in this process before. A bot that is passed as an
    object decides for the first position of a game that is not played.
    """
    key: tuple[object, Rules] = (type(bot) if isinstance(bot, Bot) else bot, rules)
    if key in _prepared:
        return
    player = resolve(bot)
    if player.is_compiled:
        first = new(rules.game, players=rules.seats, seed=0, options=rules.options)
        player.decide(first.view(first.seat), Random(0), Budget(iterations=1))
    if player is not bot:
        player.close()
    _prepared.add(key)


def play_decision(
    state: State,
    bot: Bot,
    rng: Random,
    budget: Budget | None = None,
    on_answer: Callable[[Answer], None] = lambda _: None,
) -> BotFailure | None:
    """Let a bot decide for the seat to move; `on_answer` receives its answer.

    Returns the failure if it fails; the other seats have then won.
    """
    try:
        answer = bot.decide(state.view(state.seat), rng, budget)
        on_answer(answer)
        state.play(answer.decision)
    except BotFailure as failure:
        lose(state, state.seat, reason_of(failure))
        return failure
    return None


def reason_of(error: BaseException) -> str:
    """Return what a record gives as the reason when an error stopped a bot."""
    return LATE if isinstance(error, BotTimeout | TimeoutError) else FAILED


def lose(state: State, seat: int, reason: str) -> None:
    """End a game that a seat has lost for a reason outside the rules; all others win."""
    state.end(reason, [winner for winner in range(state.seats) if winner != seat])
