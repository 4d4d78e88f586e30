"""A match: the state that follows from its set-up and its log. No waiting, storing or sending here.

A command becomes a log entry (`decide`, `undo`, …: checked, nothing changed yet); once the entry is
stored it is applied. Decisions of the seat to move are *provisional* while it can still undo them:
only that seat sees them. They become *fixed*, visible to all, when something hidden was revealed or
the turn is handed over. The last decision of a turn is *held* until then.

Two laws keep hidden information hidden. Whether a command is refused, and how, depends only on what
its seat knows. And what a viewer receives, version numbers included, changes only when something
changes that this viewer may see.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from copy import copy
from dataclasses import dataclass
from typing import assert_never

from parure.errors import InvalidPosition
from parure.games.record import FORMAT, Record, first_state
from parure.games.state import State
from parure.server.clock import PlayerClocks
from parure.server.log_entries import (
    AnyEntry,
    Decided,
    Disclosed,
    Ended,
    Joined,
    Renewed,
    Replaced,
    Resigned,
    Returned,
    Setup,
    TimedOut,
    TookBack,
    Undone,
    WantsRematch,
)
from parure.server.played_decisions import PlayedDecision, play, play_together
from parure.server.played_decisions import Refusal as Refusal  # part of this module's interface
from parure.table.events import Event

VERSION_STEP = 1 << 16  # more than the changes in one turn that only its seat sees
MAX_REVERSALS = 1_000  # entries of one seat that take something back; real matches have some ten
CHECKPOINT_INTERVAL = 100  # decisions


@dataclass(slots=True)
class Occupant:
    """Who plays at a seat now."""

    name: str
    bot: str | None  # the bot that plays; None: a person does
    is_person: bool  # the seat has a link, so that a person can open it
    has_joined: bool = False
    has_resigned: bool = False
    wants_rematch: bool = False
    key_digest: str = ""  # of the key that replaced the first one
    reversals: int = 0  # entries that took something back or renamed the player


@dataclass(frozen=True, slots=True)
class _Proposal:
    """An entry that `decide` made, with its decisions already played."""

    entry: Decided
    played: tuple[PlayedDecision, ...]


class Match:
    """A game being played, or finished."""

    def __init__(self, id: str, setup: Setup) -> None:
        self.id = id
        self.setup = setup
        self.version = 0
        self.changed_at = setup.created  # milliseconds of the wall clock
        self.time = 0  # of the last entry: milliseconds on which the players' clocks run
        self.visibly_changed_at = setup.created  # when something changed that all may see
        self.visible_changes = 0  # the number of such changes
        self.successor = ""
        self.occupants = [
            Occupant(player.name, player.bot, is_person=player.bot is None)
            for player in setup.players
        ]
        self.held: PlayedDecision | None = None
        self.commands: dict[tuple[int, str], int] = {}  # the version that each led to
        self.public_version = 0  # counts the changes of the table that all see
        self.private_version = 0  # counts those since then that only the seat to move sees
        self.is_disclosed = False  # the record was read after the end: all decks are known
        self._proposal: _Proposal | None = None
        self._restart()
        self.clocks = PlayerClocks(setup.clock, len(setup.players), setup.created)

    def _restart(self) -> None:
        """Set up the table and play the opening, which cannot be undone."""
        setup = self.setup
        names = [player.bot or player.name for player in setup.players]
        record = Record(
            format=FORMAT,
            game=setup.game,
            options=dict(setup.options),
            players=names,
            setup=setup.deal,
            position=setup.position,
            decisions=[],
        )
        self.states = [first_state(record)]  # the fixed one, then one per provisional decision
        self._checkpoints = self.states.copy()  # fixed states, at intervals, for take-backs
        self.events: list[Event] = []
        self.command_starts: list[int] = []  # decisions played before each provisional command
        self._play_fixed(setup.opening)

    def _play_fixed(self, decisions: Iterable[str]) -> None:
        """Play decisions that cannot be undone."""
        for played in play(decisions, self.state, self.setup.chance):
            self._add(played, is_final=True, is_fixed=True)

    # --- queries ----------------------------------------------------------------------------------

    @property
    def state(self) -> State:
        """The state with the provisional decisions, but not a held one."""
        return self.states[-1]

    @property
    def public_state(self) -> State:
        """The state that all may see, each through their view."""
        return self.states[0]

    @property
    def fixed_count(self) -> int:
        """The number of decisions that cannot be undone."""
        return len(self.public_state.decisions)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.state.is_over

    @property
    def is_final(self) -> bool:
        """Whether the game has ended and no turn can be taken back any more."""
        can_go_on = any(self.take_back_to(seat) is not None for seat in self.person_seats)
        return self.is_over and not can_go_on

    @property
    def mover(self) -> int | None:
        """The seat to move; None when the game is over."""
        return None if self.is_over else self.state.seat

    @property
    def is_bot_to_move(self) -> bool:
        """Whether a bot is to move."""
        return self.mover is not None and self.occupants[self.mover].bot is not None

    @property
    def person_seats(self) -> list[int]:
        """The seats that have a link."""
        return [seat for seat, occupant in enumerate(self.occupants) if occupant.is_person]

    def fixed_states(self, start: int, end: int) -> Iterator[State]:
        """Return the states after `start` to `end` decisions that cannot be undone.

        They are played again from a checkpoint: only the last one is kept.
        """
        state = next(one for one in reversed(self._checkpoints) if len(one.decisions) <= start)
        for number in range(len(state.decisions), min(end, self.fixed_count) + 1):
            if number > len(state.decisions):
                state = state.copy()
                state.play(self.public_state.decisions[number - 1])
            if number >= start:
                # the game may have ended without a decision
                yield self.public_state if number == self.fixed_count else state

    def is_private_to(self, seat: int | None) -> bool:
        """Return whether a seat sees more than the others: its provisional decisions."""
        has_more = self.held is not None or len(self.states) > 1
        return has_more and seat == self.mover

    def version_for(self, seat: int | None) -> int:
        """Return a number that grows with every change of the table that a viewer sees.

        It depends on nothing else, so that nobody can tell how often another seat has tried
        something out and undone it.
        """
        private = self.private_version if seat == self.mover else 0
        return self.public_version * VERSION_STEP + private

    def can_undo(self, seat: int | None) -> bool:
        """Return whether a seat has provisional decisions."""
        return self.is_private_to(seat)

    def deadline(self) -> int | None:
        """Return when the seat to move runs out of time; None if it cannot."""
        if self.mover is None or self.is_bot_to_move or not self._all_have_joined():
            return None
        return self.clocks.deadline(self.mover)

    def _all_have_joined(self) -> bool:
        people = [occupant for occupant in self.occupants if occupant.is_person]
        return all(person.has_joined or person.bot is not None for person in people)

    # --- from commands to entries -----------------------------------------------------------------

    def decide(
        self, seat: int, decisions: list[str], ends_turn: bool, at: int, command: str = ""
    ) -> Decided:
        """Return the entry of some decisions, played together or not at all.

        The decisions are played here, once: `apply` reuses the resulting states.
        """
        self._require_turn(seat)
        if self.held is not None:
            raise Refusal("complete", "the turn is complete: end it, or undo")
        played = play_together(decisions, self.state, self.setup.chance)
        texts = [one.text for one in played]
        entry = Decided(at=at, seat=seat, command=command, decisions=texts, ends_turn=ends_turn)
        self._proposal = _Proposal(entry, played)
        return entry

    def end_turn(self, seat: int, at: int, command: str = "") -> Ended:
        """Return the entry that hands over a complete turn."""
        self._require_turn(seat)
        if self.held is None:
            raise Refusal("incomplete", "the turn is not complete")
        return Ended(at=at, seat=seat, command=command)

    def undo(self, seat: int, is_all: bool, at: int, command: str = "") -> Undone:
        """Return the entry that takes back provisional decisions."""
        self._require_turn(seat)
        if not self.can_undo(seat):
            raise Refusal("fixed", "there is nothing to undo: what was revealed cannot be undone")
        self._require_reversals(seat)
        to = self.fixed_count
        if self.command_starts and not is_all:
            to = max(to, self.command_starts[-1])
        return Undone(at=at, seat=seat, command=command, to=to)

    def take_back(self, seat: int, at: int, command: str = "") -> TookBack:
        """Return the entry that goes back to the start of the seat's last turn."""
        to = self.take_back_to(seat)
        if to is None:
            if self.is_disclosed:
                raise Refusal("no_take_back", "the record was read: nothing is hidden any more")
            raise Refusal("no_take_back", "only against bots, and only own turns are taken back")
        self._require_reversals(seat)
        return TookBack(at=at, seat=seat, command=command, to=to)

    def take_back_to(self, seat: int | None) -> int | None:
        """Return the number of decisions a take-back would leave; None if it is not allowed."""
        if seat is None or self.person_seats != [seat] or self.occupants[seat].has_resigned:
            return None
        if self.is_disclosed:
            return None
        played_here = self.events[len(self.setup.opening) :]
        own = [event for event in played_here if event.seat == seat]
        if not own:
            return None
        return next(event.number for event in own if event.turn == own[-1].turn)

    def resign(self, seat: int, at: int, command: str = "") -> Resigned:
        """Return the entry of a seat that resigns."""
        self._require_running()
        if self.occupants[seat].has_resigned:
            raise Refusal("resigned", "you have resigned already")
        return Resigned(at=at, seat=seat, command=command)

    def take_over(self, by: int, seat: int, bot: str, at: int, command: str = "") -> Replaced:
        """Return the entry of a bot that takes over a seat; the caller checks that it is away."""
        self._require_running()
        if seat >= len(self.occupants) or self.occupants[seat].bot is not None:
            raise Refusal("seat", "no person plays at that seat")
        self._require_reversals(by)
        return Replaced(at=at, seat=seat, command=command, bot=bot, by=by)

    def sit_down(self, seat: int, at: int, command: str = "") -> Returned:
        """Return the entry of a person who takes the seat back."""
        self._require_running()
        occupant = self.occupants[seat]
        if occupant.bot is None or occupant.has_resigned:
            raise Refusal("seat", "no bot has taken this seat over")
        self._require_reversals(seat)
        return Returned(at=at, seat=seat, command=command)

    def rematch(self, seat: int, successor: str, at: int, command: str = "") -> WantsRematch:
        """Return the entry of a seat that wants a rematch; the last one to want it starts it."""
        if not self.is_over:
            raise Refusal("running", "the game is not over")
        if self.occupants[seat].wants_rematch:
            raise Refusal("rematch", "you have asked already")
        others = [other for other in self.person_seats if other != seat]
        is_last = all(self.occupants[other].wants_rematch for other in others)
        return WantsRematch(
            at=at, seat=seat, command=command, successor=successor if is_last else ""
        )

    def join(self, seat: int, name: str, at: int) -> Joined | None:
        """Return the entry of a person who opens their seat; None if it would change nothing."""
        who = self.occupants[seat]
        if who.has_joined and (name == who.name or who.reversals >= MAX_REVERSALS):
            return None
        return Joined(at=at, seat=seat, name=name)

    def renew_key(self, seat: int, digest: str, at: int, command: str = "") -> Renewed:
        """Return the entry of a seat whose link gets another key, given the digest of that key."""
        self._require_reversals(seat)
        return Renewed(at=at, seat=seat, command=command, key_digest=digest)

    def disclose(self, at: int) -> Disclosed | None:
        """Return the entry after which the end of the game is final; None if it is that already.

        Raises:
            Refusal: The game is not over.
        """
        if not self.is_over:
            raise Refusal("running", "the game is not over: its record would reveal hidden cards")
        return None if self.is_final else Disclosed(at=at, seat=self.person_seats[0])

    def _require_reversals(self, seat: int) -> None:
        """Refuse to make the log of a match endless; what brings a game to its end is not limited.

        Without entries that take something back, the rules limit the length of a game.
        """
        if self.occupants[seat].reversals >= MAX_REVERSALS:
            raise Refusal("long", "you have taken back or changed too much in this match")

    def _require_running(self) -> None:
        if self.is_over:
            raise Refusal("over", "the game is over")

    def _require_turn(self, seat: int) -> None:
        self._require_running()
        if seat != self.mover:
            raise Refusal("turn", "it is not your turn")

    # --- applying entries -------------------------------------------------------------------------

    def after(self, entry: AnyEntry) -> Match:
        """Return the match as it will be once an entry is stored; this one does not change."""
        match = Match.__new__(Match)
        match.__dict__.update(self.__dict__)
        match.states, match.command_starts = self.states.copy(), self.command_starts.copy()
        match.events, match.commands = self.events.copy(), self.commands.copy()
        if not isinstance(entry, Decided | Ended):  # these change no occupant
            match.occupants = [copy(occupant) for occupant in self.occupants]
        match.clocks = self.clocks.copy()
        match.apply(entry)
        match._proposal = None
        return match

    def apply(self, entry: AnyEntry) -> None:
        """Bring the match to its next version.

        The decisions of a stored entry are played here; those of the entry that `decide` has just
        made were played there.
        """
        self.changed_at = entry.at
        self.time = max(self.time, entry.time or entry.at)
        self.version += 1
        if entry.command:
            self.commands[_sender(entry), entry.command] = self.version
        if isinstance(entry, REVERSALS):
            self.occupants[_sender(entry)].reversals += 1
        fixed, was_over = self.fixed_count, self.is_over
        provisional = (len(self.state.decisions), self.held)
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
                self.occupants[entry.seat].name = entry.name
                self.occupants[entry.seat].has_joined = True
                if self._all_have_joined():
                    self.clocks.start(self.time)
            case Replaced():
                self._drop_provisional_of(entry.seat)
                self.occupants[entry.seat].bot = entry.bot
                if self._all_have_joined():
                    self.clocks.start(self.time)
            case Returned():
                self.occupants[entry.seat].bot = None
            case WantsRematch():
                self.occupants[entry.seat].wants_rematch = True
                self.successor = entry.successor or self.successor
            case Renewed():
                self.occupants[entry.seat].key_digest = entry.key_digest
            case Disclosed():
                self.is_disclosed = True
            case _:
                assert_never(entry)
        is_ended = self.is_over != was_over
        is_public = isinstance(entry, TookBack) or is_ended or self.fixed_count != fixed
        if is_public:
            self.public_version += 1
            self.private_version = 0
        elif (len(self.state.decisions), self.held) != provisional:
            self.private_version += 1
        if is_public or not isinstance(entry, Decided | Undone | Renewed):
            self.visibly_changed_at = entry.at
            self.visible_changes += 1
        if (self.state.turns, self.mover) != turn_before:
            self.clocks.turn_ended(turn_before[1], self.time)

    def _apply_decisions(self, entry: Decided) -> None:
        is_bot = self.occupants[entry.seat].bot is not None
        self.command_starts.append(len(self.state.decisions))
        for played in self._decisions_of(entry):
            self._add(played, is_final=is_bot or entry.ends_turn, is_fixed=is_bot)

    def _decisions_of(self, entry: Decided) -> Iterable[PlayedDecision]:
        """Return the decisions of an entry, played from the present state."""
        proposal = self._proposal
        if (
            proposal is not None
            and proposal.entry is entry
            and proposal.played[0].before is self.state
        ):
            return proposal.played
        return play(entry.decisions, self.state, self.setup.chance)

    def _add(self, played: PlayedDecision, is_final: bool, is_fixed: bool = False) -> None:
        """Add a decision; hold it if it completes the turn and may still be undone."""
        if played.event.ends_turn:
            if not is_final and not played.is_revealing:
                self.held = played
                return
            is_fixed = True
        self.events.append(played.event)
        self.states.append(played.after)
        if played.is_revealing or is_fixed:
            del self.states[:-1]
            self.command_starts.clear()
            if self.fixed_count >= len(self._checkpoints[-1].decisions) + CHECKPOINT_INTERVAL:
                self._checkpoints = [*self._checkpoints, self.public_state]

    def _hand_over(self) -> None:
        assert self.held is not None
        held, self.held = self.held, None
        self._add(held, is_final=True)

    def _undo(self, to: int) -> None:
        self.held = None
        del self.states[to - self.fixed_count + 1 :]
        del self.events[to:]
        self.command_starts = [start for start in self.command_starts if start < to]

    def _take_back(self, to: int) -> None:
        """Go back to a number of decisions, from the last checkpoint before them."""
        self.held = None
        decisions = self.state.decisions[:to]
        self._checkpoints = [one for one in self._checkpoints if len(one.decisions) <= to]
        self.states = self._checkpoints[-1:]
        start = self.fixed_count
        del self.events[start:]
        self.command_starts.clear()
        self._play_fixed(decisions[start:])

    def _give_up(self, entry: Resigned | TimedOut) -> None:
        """End a game of two; in a larger one a bot plays on."""
        self._drop_provisional_of(entry.seat)
        occupant = self.occupants[entry.seat]
        occupant.has_resigned = True
        if len(self.occupants) > 2:
            occupant.bot = self.setup.stand_in
            return
        if self.mover is not None:
            self._drop_provisional_of(self.mover)
        ended = self.state.copy()
        reason = "resigned" if isinstance(entry, Resigned) else "timeout"
        ended.end(reason, [1 - entry.seat])
        self.states = [ended]

    def _drop_provisional_of(self, seat: int) -> None:
        if self.is_private_to(seat):
            self._undo(self.fixed_count)

    # --- the record -------------------------------------------------------------------------------

    def record(self) -> Record:
        """Return the record of a finished match."""
        if not self.is_over:
            raise InvalidPosition("the game is not over: its record would reveal hidden cards")
        state = self.state.copy()
        state.names = [occupant.bot or occupant.name for occupant in self.occupants]
        return state.record()


# Entries after which a match may go on for as long as before.
REVERSALS = (Undone, TookBack, Replaced, Returned, Joined, Renewed)


def _sender(entry: AnyEntry) -> int:
    """The seat whose command led to an entry."""
    if isinstance(entry, Replaced) and entry.by is not None:
        return entry.by
    return entry.seat
