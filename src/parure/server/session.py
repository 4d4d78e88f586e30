"""A match with whoever is connected to it. One task owns it and does one thing after another.

A command becomes an entry, the entry is stored, and only then is it applied and told. If another
worker was quicker, what it stored is read first, and the command is looked at again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING

from parure.bots import Answer, Bot, bot
from parure.errors import ParureError
from parure.games.view import View
from parure.server.bot_pool import hint_bot_for, is_allowed
from parure.server.bus import VersionChanged, WorkerPresence
from parure.server.connection import GOING_AWAY, GONE, TOO_MANY, Connection
from parure.server.keys import Keys, new_match_id
from parure.server.log_entries import AnyEntry, Ended, Joined, TimedOut, WantsRematch
from parure.server.match import Match, Refusal
from parure.server.match_setup import rematch_of
from parure.server.messages import (
    AnyCommand,
    CandidateView,
    Decide,
    Done,
    EndTurn,
    Hint,
    HintGiven,
    NextMatch,
    Refused,
    Rematch,
    Resign,
    SitDown,
    Snapshot,
    TakeBack,
    TakeOver,
    Undo,
    Update,
    Welcome,
    encode,
)
from parure.server.presence import PresenceTracker
from parure.server.snapshots import Snapshots, can_hint
from parure.server.store import Append, MatchIndex, NewMatch, Unavailable
from parure.server.warmup import wait_until_compiled

if TYPE_CHECKING:
    from parure.server.registry import MatchRegistry

logger = logging.getLogger("parure.server")

MAX_CONNECTIONS = 200  # at one table
MAX_ENTRIES = 10_000  # of one match; real ones have some hundred
MAX_CONFLICTS = 20  # with other workers, over one command
CLAIM_MS = 90_000  # milliseconds in which only one worker thinks about a match
RESTART_GRACE_MS = 20_000  # milliseconds after a restart in which nobody's time runs out
SOON = 600_000  # milliseconds; a match whose clock has longer to run may leave the memory
AGAIN = 2.0  # seconds until a bot, or the clock, is tried again after a failure


class MatchSession:
    """A match that is in memory."""

    def __init__(self, registry: MatchRegistry, match: Match, is_shared: bool) -> None:
        self.registry = registry
        self.match = match
        self.is_shared = is_shared
        self.is_deleted = False
        self.keys = Keys(registry.secret, match.id)
        self.used_at = registry.clock.now()
        self.presence = PresenceTracker(len(match.occupants), self.used_at)
        self._bots: dict[tuple[int, str], Bot] = {}
        self._thought: asyncio.Task[None] | None = None
        self._alarm: asyncio.TimerHandle | None = None
        self._jobs: asyncio.Queue[Callable[[], Awaitable[None]]] = asyncio.Queue()
        self._owner = asyncio.create_task(self._work(), name=f"table {match.id}")

    # --- the owner --------------------------------------------------------------------------------

    def post(self, job: Callable[[], Awaitable[None]]) -> None:
        """Have something done, after whatever is being done."""
        self._jobs.put_nowait(job)

    async def _work(self) -> None:
        self._look_ahead()
        while True:
            job = await self._jobs.get()
            self.used_at = self.registry.clock.now()
            try:
                await job()
            except Exception:
                logger.exception("table %s", self.match.id)
            self.used_at = self.registry.clock.now()

    def close(self) -> None:
        """Stop everything; nothing that was stored is lost."""
        self._owner.cancel()
        if self._thought is not None:
            self._thought.cancel()
        if self._alarm is not None:
            self._alarm.cancel()
        for player in self._bots.values():
            player.close()

    @property
    def is_idle(self) -> bool:
        """Whether nobody is here and nothing is to be done."""
        deadline = self.match.deadline()
        is_due_soon = deadline is not None and deadline - self.registry.clock.now() < SOON
        return not (self.presence or self._thought or is_due_soon or not self._jobs.empty())

    # --- coming and going -------------------------------------------------------------------------

    async def join(self, connection: Connection, name: str | None, is_creator: bool) -> None:
        """Welcome somebody who has shown a key."""
        if self._reject_if_deleted(connection):
            return
        if len(self.presence) >= MAX_CONNECTIONS:
            connection.fail(TOO_MANY, "rate", "too many are at this table")
            return
        try:
            if self.registry.bus.is_shared:
                await self.sync()  # a notice may still be on its way
            if self._reject_if_deleted(connection):
                return
            await self._note_arrival(connection.seat, name, is_creator)
        except Unavailable as error:
            connection.fail(GOING_AWAY, "unavailable", str(error))
            return
        except Refusal as refusal:  # it has just been deleted
            connection.fail(GONE, refusal.code, str(refusal))
            return
        self.presence.add(connection)
        connection.send(self._welcome(connection))
        self._tell_presence()
        self._look_ahead()

    def _reject_if_deleted(self, connection: Connection) -> bool:
        """Whether the match was deleted; the connection is told so."""
        if self.is_deleted:
            connection.fail(GONE, "gone", "there is no such match any more")
        return self.is_deleted

    async def _note_arrival(self, seat: int | None, name: str | None, is_creator: bool) -> None:
        """Store that somebody else has a link, that a person is here, and what they are called."""
        if not self.is_shared and not is_creator and seat != self.match.setup.creator:
            await self.registry.store.share(self.match.id)
            self.is_shared = True
        if seat is None:
            return
        who = self.match.occupants[seat]
        name = who.name if name is None else name.strip()
        is_new = not who.has_joined or name != who.name
        if is_new and self.match.version < MAX_ENTRIES:
            await self._store(lambda at: Joined(at=at, seat=seat, name=name))

    async def leave(self, connection: Connection) -> None:
        """Somebody hung up."""
        if self.presence.remove(connection, self.registry.clock.now()):
            self._tell_presence()

    def hear(self, notice: WorkerPresence) -> None:
        """Another worker says who is connected there."""
        if notice.asks:
            self._announce(asks=False)
        if self.presence.hear(notice, self.registry.clock.now()):
            self._send_presence()

    def refresh_presence(self) -> None:
        """Say again who is here; a worker that has not done so for long is gone."""
        if self.presence:
            self._announce(asks=False)
        if self.presence.forget_silent(self.registry.clock.now()):
            self._send_presence()

    def _tell_presence(self) -> None:
        self._announce(asks=True)
        self._send_presence()

    def _announce(self, asks: bool) -> None:
        self.registry.bus.publish(self.presence.notice(self.registry.worker, self.match.id, asks))

    def _send_presence(self) -> None:
        self.presence.send(self.presence.presence(self.match, self.registry.clock.now()))

    # --- telling ----------------------------------------------------------------------------------

    def _snapshots(self) -> Snapshots:
        now = self.registry.clock.now()
        return Snapshots(self.match, self.presence.seated(self.match, now), now)

    def _next_match(self, seat: int | None) -> NextMatch | None:
        """The rematch, with the link of whoever has a seat here, or watches."""
        successor = self.match.successor
        if not successor:
            return None
        keys = Keys(self.registry.secret, successor)
        at = (seat - 1) % len(self.match.occupants) if seat is not None else None
        return NextMatch(match=successor, key=keys.of_watchers if at is None else keys.of_seat(at))

    def _complete_snapshot(self, connection: Connection) -> Snapshot:
        """A snapshot with the whole log."""
        connection.lines = self.match.fixed_count
        return self._snapshots().of(connection.seat, self._next_match(connection.seat))

    def _welcome(self, connection: Connection) -> Welcome:
        return Welcome(
            match=self.match.id,
            seat=connection.seat,
            clock_setting=self.match.setup.clock,
            take_over_after=self.registry.settings.take_over_after,
            snapshot=self._complete_snapshot(connection),
        )

    def _tell(self, is_private: bool) -> None:
        """Send everybody, or only the seat to move, how things stand now."""
        snapshots = self._snapshots()
        made: dict[tuple[int | None, int], bytes] = {}
        for connection in self.presence:
            if is_private and connection.seat != self.match.mover:
                continue
            seat, lines = what = (connection.seat, connection.lines)
            if what not in made:
                made[what] = encode(
                    Update(snapshot=snapshots.of(seat, self._next_match(seat), lines))
                )
            connection.send_bytes(made[what])
            connection.lines = self.match.fixed_count

    def _go_to(self, after: Match) -> bool:
        """Take over what was stored; whether only the seat to move can see that it changed."""
        before, self.match = self.match, after
        for connection in self.presence:
            connection.lines = min(connection.lines, after.fixed_count)
        is_same_for_all = after.fixed_version == before.fixed_version
        return is_same_for_all and after.own_version != before.own_version

    # --- commands ---------------------------------------------------------------------------------

    async def handle(self, connection: Connection, command: AnyCommand) -> None:
        """Carry out a command of a seat, or refuse it."""
        if self.is_deleted:
            connection.fail(GONE, "gone", "there is no such match any more")
            return
        seat = connection.seat
        try:
            if seat is None:
                raise Refusal("watcher", "watchers do not play")
            if isinstance(command, Hint):
                await self._hint(connection, seat, command)
                return
            is_repeated = await self._carry_out(seat, command)
        except Refusal as refusal:
            self._refuse(connection, command, refusal.code, str(refusal))
        except Unavailable as error:
            self._refuse(connection, command, "unavailable", str(error))
        else:
            version = self.match.version_for(seat)
            connection.send(Done(id=command.id, version=version, is_repeated=is_repeated))

    def _refuse(self, connection: Connection, command: AnyCommand, code: str, message: str) -> None:
        now = self._complete_snapshot(connection)
        connection.send(Refused(id=command.id, code=code, message=message, snapshot=now))
        self.registry.metrics.refused += 1

    async def _carry_out(self, seat: int, command: AnyCommand) -> bool:
        """Store and apply what a command asks for; whether that had been done before."""

        def entry(at: int) -> AnyEntry:
            if (seat, command.id) in self.match.commands:
                raise _Obsolete
            if command.version != self.match.version_for(seat):
                raise Refusal("stale", "the table has changed since")
            if self.match.version >= MAX_ENTRIES:
                raise Refusal("long", "this match has gone on for too long")
            return self._entry(seat, command, at)

        try:
            await self._store(entry)
        except _Obsolete:
            return True
        return False

    def _entry(self, seat: int, command: AnyCommand, at: int) -> AnyEntry:
        """The entry that a command asks for; Refusal if it cannot be."""
        match, who = self.match, self.match.occupants[seat]
        if who.bot is not None and not isinstance(command, SitDown | Rematch):
            raise Refusal("bot", "a bot plays at your seat")
        match command:
            case Decide():
                return match.decide(seat, command.decisions, command.end_turn, at, command.id)
            case EndTurn():
                return match.end_turn(seat, at, command.id)
            case Undo():
                return match.undo(seat, command.all, at, command.id)
            case TakeBack():
                return match.take_back(seat, at, command.id)
            case Resign():
                return match.resign(seat, at, command.id)
            case Rematch():
                return match.rematch(seat, new_match_id(), at, command.id)
            case SitDown():
                return match.sit_down(seat, at, command.id)
            case TakeOver():
                self._require_away(command.seat)
                if not is_allowed(command.bot):
                    raise Refusal("bot", f"no bot is called {command.bot!r} here")
                return match.take_over(seat, command.seat, command.bot, at, command.id)
        raise AssertionError(command)

    def _require_away(self, seat: int) -> None:
        if seat >= len(self.match.occupants):
            raise Refusal("seat", "there is no such seat")
        away = self.presence.away(seat, self.registry.clock.now())
        if away is None or away < self.registry.settings.take_over_after:
            raise Refusal("not_away", "that seat's person has not been away for long enough")

    async def _store(self, make: Callable[[int], AnyEntry]) -> None:
        """Store the entry that fits the match as it stands, apply it and tell it."""
        for _ in range(MAX_CONFLICTS):
            entry = make(max(self.registry.clock.now(), self.match.changed_at))
            after = self.match.after(entry)
            if await self.registry.store.append(self._append(entry, after)):
                is_private = self._go_to(after)
                self.registry.metrics.entries += 1
                notice = VersionChanged(
                    worker=self.registry.worker, match=self.match.id, version=self.match.version
                )
                self.registry.bus.publish(notice)
                self._tell(is_private)
                self._look_ahead()
                return
            await self.sync()
            if self.is_deleted:
                raise Refusal("gone", "there is no such match any more")
        raise Unavailable("too much is happening at once; try again")

    def _append(self, entry: AnyEntry, after: Match) -> Append:
        """An entry with what the database should know of the match after it."""
        new_match = None
        if isinstance(entry, WantsRematch) and entry.successor:
            setup = rematch_of(self.match, entry.at)
            new_match = NewMatch(entry.successor, setup, index_of(Match(entry.successor, setup)))
        return Append(self.match.id, self.match.version, entry, index_of(after), new_match)

    async def sync(self) -> None:
        """Read what other workers have stored."""
        found = await self.registry.store.entries_after(self.match.id, self.match.version)
        if found is None:
            self.mark_deleted()
            return
        if found:
            privacies = [self._go_to(self.match.after(entry)) for entry in found]
            self._tell(all(privacies))
            self._look_ahead()

    def mark_deleted(self) -> None:
        """The match was deleted."""
        self.is_deleted = True
        for connection in self.presence:
            connection.fail(GONE, "gone", "the match was deleted")
        self.registry.forget(self)

    # --- bots and the clock -----------------------------------------------------------------------

    def _look_ahead(self) -> None:
        """See to what happens without a command: a bot's decision, the end of somebody's time."""
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        if self.match.is_bot_to_move:
            if self._thought is None and not self.is_deleted:
                self._thought = asyncio.create_task(self._think())
            return
        deadline = self.match.deadline()
        if deadline is not None:
            if self.match.clocks.began < self.registry.opened_at:  # they must find back first
                deadline = max(deadline, self.registry.opened_at + RESTART_GRACE_MS)
            self._ring(max(0.0, (deadline - self.registry.clock.now()) / 1000))

    def _ring(self, seconds: float) -> None:
        loop = asyncio.get_running_loop()
        self._alarm = loop.call_later(seconds, self.post, self._time_is_up)

    async def _time_is_up(self) -> None:
        """Call time for the seat to move; a turn that is complete is only handed over."""
        mover, deadline = self.match.mover, self.match.deadline()
        if mover is None or deadline is None or deadline > self.registry.clock.now():
            self._look_ahead()
            return
        version = self.match.version

        def entry(at: int) -> AnyEntry:
            if self.match.version != version:
                raise _Obsolete
            kind = TimedOut if self.match.held is None else Ended
            return kind(at=at, seat=mover)

        try:
            await self._store(entry)
        except (_Obsolete, Unavailable):
            self._ring(AGAIN)

    async def _think(self) -> None:
        """Let the bot whose turn it is decide, after a pause that lets the eye follow."""
        match = self.match
        seat = match.mover
        assert seat is not None
        spec = match.occupants[seat].bot
        assert spec is not None
        version = match.version_for(seat)
        try:
            await wait_until_compiled(spec, match.setup.game)
            if await self._claim():
                view = match.state.view(seat)
                pause = asyncio.create_task(asyncio.sleep(self.registry.settings.bot_pause))
                answer = await self.registry.bot_pool.decide(self._bot(seat, spec), view)
                await pause
                self.post(partial(self._bot_decided, version, seat, answer))
            else:
                await asyncio.sleep(AGAIN)  # another worker thinks; see whether it has answered
                self.post(self.sync)
        except ParureError:
            logger.exception("a bot could not decide in %s", match.id)
            await asyncio.sleep(AGAIN)
        finally:
            self.post(self._thought_is_over)

    async def _claim(self) -> bool:
        if not self.registry.bus.is_shared:
            return True
        now = self.registry.clock.now()
        return await self.registry.store.claim(
            self.match.id, self.registry.worker, now, now + CLAIM_MS
        )

    async def _thought_is_over(self) -> None:
        self._thought = None
        self._look_ahead()

    def _bot(self, seat: int, spec: str) -> Bot:
        """The bot of a seat; it remembers the game as long as the table is in memory."""
        if (seat, spec) not in self._bots:
            self._bots[seat, spec] = bot(spec)
        return self._bots[seat, spec]

    async def _bot_decided(self, version: int, seat: int, answer: Answer) -> None:
        def entry(at: int) -> AnyEntry:
            if self.match.mover != seat or self.match.version_for(seat) != version:
                raise _Obsolete
            return self.match.decide(seat, [answer.decision], True, at)

        try:
            await self._store(entry)
        except (_Obsolete, Refusal):
            pass  # a person's take-back was quicker
        except Unavailable:
            await asyncio.sleep(AGAIN)

    async def _hint(self, connection: Connection, seat: int, command: Hint) -> None:
        """Ask a bot on behalf of a person; the table does not wait for it."""
        match = self.match
        if command.version != match.version_for(seat):
            raise Refusal("stale", "the table has changed since")
        if not can_hint(match, seat):
            raise Refusal("no_hint", "hints are given against bots only, in your own turn")
        if not connection.hints.take():
            raise Refusal("rate", "too many hints; wait a moment")
        adviser = hint_bot_for(match.setup.game)
        if adviser is None:
            raise Refusal("not_ready", "the bots are still being compiled")
        self.registry.start(self._advise(connection, command, adviser, match.state.view(seat)))

    async def _advise(
        self, connection: Connection, command: Hint, adviser: str, view: View
    ) -> None:
        answer, gains = await self.registry.bot_pool.advise(adviser, view)
        candidates = [CandidateView(c.decision, c.share, c.value) for c in answer.candidates[:5]]
        connection.send(
            HintGiven(
                id=command.id,
                version=command.version,
                decision=answer.decision,
                gains=gains[:2],
                candidates=candidates,
            )
        )


def index_of(match: Match) -> MatchIndex:
    """What the database should know of a match without reading its log."""
    return MatchIndex(match.changed_at, match.is_over, match.is_bot_to_move, match.deadline())


class _Obsolete(Exception):
    """What was to be stored is not wanted any more, or was stored before."""
