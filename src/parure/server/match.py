"""A match: what follows from its set-up and its log. Nothing here waits, stores or sends.

A command becomes an entry (`decide`, `undo`, …: checked, nothing changed yet); an entry that has
been stored is applied. Decisions of the seat to move are *provisional* while it can still undo
them: only that seat sees them. They become *fixed*, for all to see, when something hidden was
revealed or the turn is handed over. The last decision of a turn is *held* until then.
"""

from __future__ import annotations

import hashlib
from copy import copy
from dataclasses import dataclass
from typing import assert_never

from parure.errors import IllegalDecision, InvalidPosition, ParureError
from parure.games.engine.rng import new_rng
from parure.games.record import FORMAT, Record, first_state
from parure.games.state import State
from parure.server.clock import PlayerClocks
from parure.server.log_entries import (
    AnyEntry,
    Decided,
    Ended,
    Joined,
    Replaced,
    Resigned,
    Returned,
    Setup,
    TimedOut,
    TookBack,
    Undone,
    WantsRematch,
)
from parure.table.events import Event, event_between
from parure.table.turn_boundary import completes_turn, reveals


class Refusal(ParureError):
    """A command that cannot be carried out; `code` is for programs, the message for people."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(slots=True)
class Seating:
    """Who sits at a seat now."""

    name: str
    bot: str | None  # the one that plays
    is_person: bool  # a person has the link
    has_joined: bool = False
    has_resigned: bool = False
    wants_rematch: bool = False


@dataclass(frozen=True, slots=True)
class Held:
    """The last decision of a turn that has not been handed over."""

    decision: str
    before: State
    after: State


class Match:
    """A game being played, or finished."""

    def __init__(self, id: str, setup: Setup) -> None:
        self.id = id
        self.setup = setup
        self.version = 0
        self.changed = setup.created  # when
        self.successor = ""
        self.seatings = [
            Seating(player.name, player.bot, is_person=player.bot is None)
            for player in setup.players
        ]
        self.held: Held | None = None
        self.commands: dict[tuple[int, str], int] = {}  # the version that each led to
        self.fixed_version = 0  # when the table that all see last changed
        self.own_version = 0  # when the table that the seat to move sees last changed
        self._begin(setup.opening)
        self.times = PlayerClocks(setup.clock, len(setup.players), setup.created)

    def _begin(self, decisions: list[str]) -> None:
        """Set up the table and play decisions that are beyond doubt."""
        setup = self.setup
        names = [player.bot or player.name for player in setup.players]
        record = Record(FORMAT, setup.game, dict(setup.options), names, setup.deal, [])
        self.states = [first_state(record)]  # the fixed one, then one for each provisional decision
        self.events: list[Event] = []
        self.steps: list[int] = []  # how many decisions there were before each provisional command
        for text in decisions:
            self._do(text, is_final=True, is_fixed=True)

    # --- how things stand -------------------------------------------------------------------------

    @property
    def state(self) -> State:
        """The state with the provisional decisions, but not a held one."""
        return self.states[-1]

    @property
    def shown(self) -> State:
        """The state that all may see, each in their view."""
        return self.states[0]

    @property
    def fixed(self) -> int:
        """How many decisions are beyond undoing."""
        return len(self.shown.decisions)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.state.is_over

    @property
    def mover(self) -> int | None:
        """The seat to move; None when the game is over."""
        return None if self.is_over else self.state.seat

    @property
    def is_bot_due(self) -> bool:
        """Whether a bot is to move."""
        return self.mover is not None and self.seatings[self.mover].bot is not None

    @property
    def persons(self) -> list[int]:
        """The seats that have a link."""
        return [seat for seat, who in enumerate(self.seatings) if who.is_person]

    def is_private_to(self, seat: int | None) -> bool:
        """Whether a seat sees more of the turn than the others do."""
        has_more = self.held is not None or len(self.states) > 1
        return has_more and seat == self.mover

    def version_for(self, seat: int | None) -> int:
        """The version at which what a viewer sees of the table last changed."""
        return self.own_version if seat == self.mover else self.fixed_version

    def can_undo(self, seat: int | None) -> bool:
        """Whether a seat has provisional decisions."""
        return self.is_private_to(seat)

    def deadline(self) -> int | None:
        """When the seat to move runs out of time; None if it cannot."""
        if self.mover is None or self.is_bot_due or not self._all_are_here():
            return None
        return self.times.deadline(self.mover)

    def _all_are_here(self) -> bool:
        return all(who.has_joined or who.bot is not None for who in self.seatings if who.is_person)

    # --- from commands to entries -----------------------------------------------------------------

    def decide(
        self, seat: int, decisions: list[str], ends_turn: bool, at: int, command: str = ""
    ) -> Decided:
        """The entry of some decisions, done together or not at all."""
        self._require_turn(seat)
        if self.held is not None:
            raise Refusal("complete", "the turn is complete: end it, or undo")
        state, turns = self.state.copy(), self.state.turns
        texts = []
        for text in decisions:
            if state.turns > turns or state.is_over:
                raise Refusal("illegal", f"{text!r}: the turn is complete before it")
            if ">" in text:
                raise Refusal("illegal", "chance cannot be chosen")
            self._prepare_chance(state)
            try:
                texts.append(state.play(text))
            except IllegalDecision as error:
                raise Refusal("illegal", f"{error.decision!r}: {error.reason}") from None
            except ParureError as error:
                raise Refusal("illegal", str(error)) from None
        return Decided(at=at, seat=seat, command=command, decisions=texts, ends_turn=ends_turn)

    def end_turn(self, seat: int, at: int, command: str = "") -> Ended:
        """The entry that hands a complete turn over."""
        self._require_turn(seat)
        if self.held is None:
            raise Refusal("incomplete", "the turn is not complete")
        return Ended(at=at, seat=seat, command=command)

    def undo(self, seat: int, is_all: bool, at: int, command: str = "") -> Undone:
        """The entry that takes back provisional decisions."""
        self._require_turn(seat)
        if not self.can_undo(seat):
            raise Refusal("fixed", "there is nothing to undo: what was seen cannot be unseen")
        to = self.fixed if is_all else max(self.fixed, self.steps[-1] if self.steps else 0)
        return Undone(at=at, seat=seat, command=command, to=to)

    def take_back(self, seat: int, at: int, command: str = "") -> TookBack:
        """The entry that takes back whole turns, down to the start of the seat's own last one."""
        to = self.take_back_to(seat)
        if to is None:
            raise Refusal("no_take_back", "only against bots, and only own turns are taken back")
        return TookBack(at=at, seat=seat, command=command, to=to)

    def take_back_to(self, seat: int | None) -> int | None:
        """How many decisions a take-back would leave; None if the seat cannot have one."""
        if seat is None or self.persons != [seat] or self.seatings[seat].has_resigned:
            return None
        own = [n for n, what in enumerate(self.events) if what.seat == seat]
        own = [n for n in own if n >= len(self.setup.opening)]
        if not own:
            return None
        turn = self.events[own[-1]].turn
        return next(n for n in own if self.events[n].turn == turn)

    def resign(self, seat: int, at: int, command: str = "") -> Resigned:
        """The entry of a seat that gives up."""
        self._require_running()
        if self.seatings[seat].has_resigned:
            raise Refusal("resigned", "you have resigned already")
        return Resigned(at=at, seat=seat, command=command)

    def take_over(self, by: int, seat: int, bot: str, at: int, command: str = "") -> Replaced:
        """The entry of a bot that takes over; whether the person is away is not known here."""
        self._require_running()
        if seat >= len(self.seatings) or self.seatings[seat].bot is not None:
            raise Refusal("seat", "no person plays at that seat")
        return Replaced(at=at, seat=seat, command=command, bot=bot, by=by)

    def sit_down(self, seat: int, at: int, command: str = "") -> Returned:
        """The entry of a person who takes the seat back."""
        who = self.seatings[seat]
        self._require_running()
        if who.bot is None or who.has_resigned:
            raise Refusal("seat", "no bot has taken this seat over")
        return Returned(at=at, seat=seat, command=command)

    def rematch(self, seat: int, successor: str, at: int, command: str = "") -> WantsRematch:
        """The entry of a seat that wants another game; the last one starts it."""
        if not self.is_over:
            raise Refusal("running", "the game is not over")
        if self.seatings[seat].wants_rematch:
            raise Refusal("rematch", "you have asked already")
        others = [self.seatings[other].wants_rematch for other in self.persons if other != seat]
        name = successor if all(others) else ""
        return WantsRematch(at=at, seat=seat, command=command, successor=name)

    def _require_running(self) -> None:
        if self.is_over:
            raise Refusal("over", "the game is over")

    def _require_turn(self, seat: int) -> None:
        self._require_running()
        if seat != self.mover:
            raise Refusal("turn", "it is not your turn")

    # --- applying entries -------------------------------------------------------------------------

    def after(self, entry: AnyEntry) -> Match:
        """The match as it will be once an entry is stored; this one stays as it is."""
        match = copy(self)
        match.states, match.steps = self.states.copy(), self.steps.copy()
        match.events, match.commands = self.events.copy(), self.commands.copy()
        match.seatings = [copy(who) for who in self.seatings]
        match.times = self.times.copy()
        match.apply(entry)
        return match

    def apply(self, entry: AnyEntry) -> None:
        """Bring the match to its next version."""
        self.changed = entry.at
        self.version += 1
        if entry.command:
            self.commands[_sender(entry), entry.command] = self.version
        fixed, seen = self.fixed, (len(self.state.decisions), self.held, self.is_over)
        turn_before = (self.state.turns, self.mover)
        match entry:
            case Decided():
                self._apply_decisions(entry)
            case Ended():
                self._hand_over()
            case Undone():
                self._undo(entry.to)
            case TookBack():
                self._take_back(entry.to)
            case Resigned() | TimedOut():
                self._give_up(entry)
            case Joined():
                self.seatings[entry.seat].name = entry.name
                self.seatings[entry.seat].has_joined = True
                if self._all_are_here():
                    self.times.start(entry.at)
            case Replaced():
                self._drop_provisional_of(entry.seat)
                self.seatings[entry.seat].bot = entry.bot
                if self._all_are_here():
                    self.times.start(entry.at)
            case Returned():
                self.seatings[entry.seat].bot = None
            case WantsRematch():
                self.seatings[entry.seat].wants_rematch = True
                self.successor = entry.successor or self.successor
            case _:
                assert_never(entry)
        if isinstance(entry, TookBack) or self.fixed != fixed or self.is_over != seen[2]:
            self.fixed_version = self.own_version = self.version
        elif seen != (len(self.state.decisions), self.held, self.is_over):
            self.own_version = self.version
        if (self.state.turns, self.mover) != turn_before:
            self.times.turn_ended(turn_before[1], entry.at)

    def _apply_decisions(self, entry: Decided) -> None:
        is_bot = self.seatings[entry.seat].bot is not None
        self.steps.append(len(self.state.decisions))
        for text in entry.decisions:
            self._do(text, is_final=is_bot or entry.ends_turn, is_fixed=is_bot)

    def _do(self, text: str, is_final: bool, is_fixed: bool = False) -> None:
        """Do a decision; hold it if it completes the turn and that is not `is_final`."""
        before = self.state
        after = before.copy()
        after.play(text)
        is_seen = reveals(before, after, text)
        if completes_turn(before, after):
            if not is_final and not is_seen:
                self.held = Held(text, before, after)
                return
            is_fixed = True
        self.events.append(event_between(before, after, text))
        self.states.append(after)
        if is_seen or is_fixed:
            self._fix()

    def _fix(self) -> None:
        """What was decided so far is beyond undoing."""
        del self.states[:-1]
        self.steps.clear()

    def _hand_over(self) -> None:
        assert self.held is not None
        held, self.held = self.held, None
        self._do(held.decision, is_final=True)

    def _undo(self, to: int) -> None:
        self.held = None
        del self.states[to - self.fixed + 1 :]
        del self.events[to:]
        self.steps = [step for step in self.steps if step < to]

    def _take_back(self, to: int) -> None:
        self.held = None
        self._begin(self.state.decisions[:to])

    def _give_up(self, entry: Resigned | TimedOut) -> None:
        """End a game of two; in a larger one a bot plays on."""
        self._drop_provisional_of(entry.seat)
        who = self.seatings[entry.seat]
        who.has_resigned = True
        if len(self.seatings) > 2:
            who.bot = self.setup.stand_in
            return
        if self.mover is not None:
            self._drop_provisional_of(self.mover)
        ended = self.state.copy()
        reason = "resigned" if isinstance(entry, Resigned) else "timeout"
        ended.end(reason, [1 - entry.seat])
        self.states = [ended]

    def _drop_provisional_of(self, seat: int) -> None:
        if self.is_private_to(seat):
            self._undo(self.fixed)

    def _prepare_chance(self, state: State) -> None:
        """Give a state the generator for its next decision: the same whenever it comes there."""
        seed = f"{self.setup.chance}:{len(state.decisions)}".encode()
        state.rng = new_rng(int.from_bytes(hashlib.sha256(seed).digest()[:8], "little"))

    # --- afterwards -------------------------------------------------------------------------------

    def record(self) -> Record:
        """The record of a finished match."""
        if not self.is_over:
            raise InvalidPosition("the game is not over: its record would show what is hidden")
        state = self.state.copy()
        state.names = [who.bot or who.name for who in self.seatings]
        return state.record()


def _sender(entry: AnyEntry) -> int:
    """The seat whose command led to an entry."""
    if isinstance(entry, Replaced) and entry.by is not None:
        return entry.by
    return entry.seat
