"""What happens in a match without a command: the decisions of bots, and clocks that run out."""

from __future__ import annotations

import asyncio
import logging
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from parure.bots import Answer, Bot, bot
from parure.errors import ParureError
from parure.server.log_entries import AnyEntry, Ended, TimedOut
from parure.server.match import Refusal
from parure.server.store import Unavailable
from parure.server.warmup import wait_until_compiled

if TYPE_CHECKING:
    from parure.server.session import MatchSession

logger = logging.getLogger("parure.server")

RESTART_GRACE_MS = 20_000  # after a restart, for players to reconnect before clocks run out
RETRY_DELAY = 2.0  # seconds until a failed bot decision or timeout is tried again


class _BotTurn(NamedTuple):
    """A decision that a bot has to make."""

    seat: int
    spec: str
    version: int  # of the match, as the seat sees it


class TurnScheduler:
    """Runs the bot whose turn it is, or the timer of the player whose turn it is."""

    def __init__(self, session: MatchSession) -> None:
        self._session = session
        self._registry = session.registry
        self._bots: dict[tuple[int, str], Bot] = {}
        self._decision: asyncio.Task[None] | None = None
        self._decided: _BotTurn | None = None  # what `_decision` is about
        self._timer: asyncio.TimerHandle | None = None

    @property
    def is_deciding(self) -> bool:
        """Whether a bot is about to decide."""
        return self._decision is not None

    def update(self) -> None:
        """Start what the match waits for, and stop a bot whose decision is not wanted any more.

        Called after every change, and when somebody comes or goes: a worker lets bots decide only
        in matches that somebody is connected to here.
        """
        self._cancel_timer()
        match, turn = self._session.match, self._bot_turn()
        if self._decision is not None and self._decided != turn:
            self._decision.cancel()
        elif turn is not None and self._decision is None:
            self._decided, self._decision = turn, asyncio.create_task(self._decide(turn))
        if match.is_bot_to_move:
            return
        deadline = match.deadline()
        if deadline is not None:
            if match.clocks.turn_started_at <= self._registry.started_time:
                deadline = max(deadline, self._registry.started_time + RESTART_GRACE_MS)
            self._start_timer(max(0.0, (deadline - self._registry.time.now()) / 1000))

    def _bot_turn(self) -> _BotTurn | None:
        """Return the decision that a bot should be about to make here; None if there is none."""
        session, match = self._session, self._session.match
        if session.is_deleted or not session.presence or match.mover is None:
            return None
        spec = match.occupants[match.mover].bot
        if spec is None:
            return None
        return _BotTurn(match.mover, spec, match.version_for(match.mover))

    def close(self) -> None:
        """Stop everything."""
        self._cancel_timer()
        if self._decision is not None:
            self._decision.cancel()
        for player in self._bots.values():
            self._registry.bot_pool.forget(player)

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
        if mover is None or deadline is None or deadline > self._registry.time.now():
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

    async def _decide(self, turn: _BotTurn) -> None:
        """Let the bot whose turn it is decide, taking at least the configured pause."""
        session, registry, match = self._session, self._registry, self._session.match
        seat, spec, version = turn
        loop, is_claimed = asyncio.get_running_loop(), False
        try:
            await wait_until_compiled(spec, match.setup.game)
            is_claimed = await self._claim()
            if is_claimed:
                earliest_end = loop.time() + registry.settings.bot_pause
                view, address = match.state.view(seat), session.presence.address
                answer = await registry.bot_pool.decide(self._bot(seat, spec), view, address)
                await asyncio.sleep(earliest_end - loop.time())
                session.post(partial(self._store_decision, version, seat, spec, answer))
            else:  # another worker lets the bot decide: look for its entry later
                await asyncio.sleep(RETRY_DELAY)
                session.post(session.sync)
        except asyncio.CancelledError:
            if is_claimed and registry.bus.is_shared:  # another worker may decide
                registry.start_task(registry.store.unclaim(match.id, registry.worker_id))
            raise
        except ParureError:
            logger.exception("a bot could not decide in match %s", match.id)
            await asyncio.sleep(RETRY_DELAY)
        finally:
            session.post(self._finish_decision)

    async def _claim(self) -> bool:
        """Reserve the decision for this worker; return False if another one has it."""
        if not self._registry.bus.is_shared:
            return True
        now, worker = self._registry.time.now(), self._registry.worker_id
        return await self._registry.store.claim(self._session.match.id, worker, now)

    def _bot(self, seat: int, spec: str) -> Bot:
        """Return the bot of a seat, which may keep its search tree for the next decision.

        A bot whose thread has not ended yet is replaced: two threads must not share a tree.
        """
        pool, player = self._registry.bot_pool, self._bots.get((seat, spec))
        if player is not None and pool.is_running(player):
            pool.forget(player)
            player = None
        if player is None:
            player = self._bots[seat, spec] = bot(spec)
        return player

    async def _store_decision(self, version: int, seat: int, spec: str, answer: Answer) -> None:
        def build(at: int) -> AnyEntry | None:
            match = self._session.match
            if match.mover != seat or match.version_for(seat) != version:
                return None  # the opponent has taken back a turn
            if match.occupants[seat].bot != spec:
                return None  # the person has sat down again, or another bot plays now
            return match.decide(seat, [answer.decision], True, at)

        try:
            await self._session.store_entry(build)
        except Refusal:
            pass  # the match was deleted, or the decision came too late
        except Unavailable:
            await asyncio.sleep(RETRY_DELAY)

    async def _finish_decision(self) -> None:
        self._decision = self._decided = None
        self.update()
