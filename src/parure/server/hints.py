"""Hints: what a bot would decide at a player's seat."""

from __future__ import annotations

from typing import TYPE_CHECKING

from parure.games.view import View
from parure.server.bot_pool import BotPool, hint_bot
from parure.server.connection import Connection
from parure.server.match import Refusal
from parure.server.messages import Hint, HintGiven
from parure.server.snapshots import can_hint

if TYPE_CHECKING:
    from parure.server.session import MatchSession

MAX_CANDIDATES = 5
MAX_GAINS = 2


def start_hint(session: MatchSession, connection: Connection, seat: int, command: Hint) -> None:
    """Let a bot compute a hint in the background; raise Refusal if none can be given."""
    match, registry = session.match, session.registry
    if command.version != match.version_for(seat):
        raise Refusal("stale", "the match has changed in the meantime")
    if not can_hint(match, seat):
        raise Refusal("no_hint", "hints are given only against bots, and only in your own turn")
    if not connection.hints.take():
        raise Refusal("rate", "too many hints; wait a moment")
    bot = hint_bot(match.setup.game)
    if bot is None:
        raise Refusal("not_ready", "the bots are still being compiled")
    view = match.state.view(seat)
    registry.start_task(_send_hint(registry.bot_pool, connection, command, bot, view))


async def _send_hint(
    bot_pool: BotPool, connection: Connection, command: Hint, bot: str, view: View
) -> None:
    answer, gains = await bot_pool.hint(bot, view)
    connection.send(
        HintGiven(
            id=command.id,
            version=command.version,
            decision=answer.decision,
            gains=gains[:MAX_GAINS],
            candidates=list(answer.candidates[:MAX_CANDIDATES]),
        )
    )
