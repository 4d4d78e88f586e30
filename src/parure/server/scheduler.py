"""What happens in a match without a command: the decisions of bots, and clocks that run out."""

from __future__ import annotations

import asyncio
import logging
from functools import partial
from typing import TYPE_CHECKING

from parure.bots import Answer, Bot, bot
from parure.errors import ParureError
from parure.server.log_entries import AnyEntry, Ended, TimedOut
from parure.server.match import Refusal
from parure.server.store import Unavailable
from parure.server.warmup import wait_until_compiled

if TYPE_CHECKING:
    from parure.server.session import MatchSession

logger = logging.getLogger("parure.server")

CLAIM_MS = 90_000  # for which a worker reserves a bot's decision
RESTART_GRACE_MS = 20_000  # after a restart, for players to reconnect before clocks run out
RETRY_DELAY = 2.0  # seconds until a failed bot decision or timeout is tried again


class TurnScheduler:
    """Runs the bot whose turn it is, or the timer of the player whose turn it is."""

    def __init__(self, session: MatchSession) -> None:
        self._session = session
        self._registry = session.registry
        self._bots: dict[tuple[int, str], Bot] = {}
        self._decision: asyncio.Task[None] | None = None
        self._timer: asyncio.TimerHandle | None = None

    @property
    def is_deciding(self) -> bool:
        """Whether a bot is about to decide."""
        return self._decision is not None

    def update(self) -> None:
        """Start what the match waits for; called after every change."""
        self._cancel_timer()
        match = self._session.match
        if match.is_bot_to_move:
            if self._decision is None and not self._session.is_deleted:
                self._decision = asyncio.create_task(self._decide())
            return
        deadline = match.deadline()
        if deadline is not None:
            if match.clocks.turn_started_at < self._registry.started_at:
                deadline = max(deadline, self._registry.started_at + RESTART_GRACE_MS)
            self._start_timer(max(0.0, (deadline - self._registry.clock.now()) / 1000))

    def close(self) -> None:
        """Stop everything."""
        self._cancel_timer()
        if self._decision is not None:
            self._decision.cancel()
        for player in self._bots.values():
            player.close()

    # --- clocks -----------------------------------------------------------------------------------

    def _start_timer(self, seconds: float) -> None:
        self._cancel_timer()
        loop = asyncio.get_running_loop()
        self._timer = loop.call_later(seconds, self._session.post, self._check_deadline)

    def _cancel_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    async def _check_deadline(self) -> None:
        """End the game of a seat whose time is up; if its turn is complete, only end the turn."""
        session = self._session
        mover, deadline = session.match.mover, session.match.deadline()
        if mover is None or deadline is None or deadline > self._registry.clock.now():
            self.update()
            return
        version = session.match.version

        def build(at: int) -> AnyEntry | None:
            if session.match.version != version:
                return None
            kind = TimedOut if session.match.held is None else Ended
            return kind(at=at, seat=mover)

        try:
            is_stored = await session.store_entry(build)
        except Refusal:  # the match was deleted
            return
        except Unavailable:
            is_stored = False
        if not is_stored:
            self._start_timer(RETRY_DELAY)

    # --- bots -------------------------------------------------------------------------------------

    async def _decide(self) -> None:
        """Let the bot whose turn it is decide, taking at least the configured pause."""
        session, registry, match = self._session, self._registry, self._session.match
        seat = match.mover
        assert seat is not None
        spec = match.occupants[seat].bot
        assert spec is not None
        version = match.version_for(seat)
        try:
            await wait_until_compiled(spec, match.setup.game)
            if await self._claim():
                pause = asyncio.create_task(asyncio.sleep(registry.settings.bot_pause))
                view = match.state.view(seat)
                answer = await registry.bot_pool.decide(self._bot(seat, spec), view)
                await pause
                session.post(partial(self._store_decision, version, seat, answer))
            else:  # another worker lets the bot decide: look for its entry later
                await asyncio.sleep(RETRY_DELAY)
                session.post(session.sync)
        except ParureError:
            logger.exception("a bot could not decide in match %s", match.id)
            await asyncio.sleep(RETRY_DELAY)
        finally:
            session.post(self._finish_decision)

    async def _claim(self) -> bool:
        """Reserve the decision for this worker; return False if another one has it."""
        if not self._registry.bus.is_shared:
            return True
        now, worker = self._registry.clock.now(), self._registry.worker_id
        return await self._registry.store.claim(self._session.match.id, worker, now, now + CLAIM_MS)

    def _bot(self, seat: int, spec: str) -> Bot:
        """Return the bot of a seat; it keeps its search tree while the session is in memory."""
        if (seat, spec) not in self._bots:
            self._bots[seat, spec] = bot(spec)
        return self._bots[seat, spec]

    async def _store_decision(self, version: int, seat: int, answer: Answer) -> None:
        def build(at: int) -> AnyEntry | None:
            match = self._session.match
            if match.mover != seat or match.version_for(seat) != version:
                return None  # the opponent has taken back a turn
            return match.decide(seat, [answer.decision], True, at)

        try:
            await self._session.store_entry(build)
        except Refusal:
            pass  # the match was deleted, or the decision came too late
        except Unavailable:
            await asyncio.sleep(RETRY_DELAY)

    async def _finish_decision(self) -> None:
        self._decision = None
        self.update()
