"""A state: everything on the table, hidden cards included, and the decisions that led there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import index
from os import PathLike
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np

from parure.atomic_write import write_atomically
from parure.errors import IllegalDecision, InvalidPosition, NotationError
from parure.games import notation
from parure.games.engine.arrays import Chance, Menu, Rng, Row
from parure.games.engine.rng import check_rng
from parure.games.engine.tokens import KIND_OF_LETTER, LETTERS, counts_by_letter
from parure.games.position import LegalDecisions, Position
from parure.games.rules import MAX_LEGAL, MENU_WORDS, Rules, new_chance
from parure.games.view import View

if TYPE_CHECKING:
    from parure.games.record import Record


class _BeforeEnd(NamedTuple):
    """The fields that ending a game from outside the rules has overwritten."""

    phase: int
    reason: int
    winners: int


class _Workspace(NamedTuple):
    """The arrays that compiled functions write to besides the row."""

    menu: Menu
    ids: Row
    chance: Chance

    @classmethod
    def new(cls) -> _Workspace:
        return cls(np.empty(MENU_WORDS, np.int64), np.empty(MAX_LEGAL, np.int64), new_chance())


class State(Position):
    """A position with everything in it, hidden cards too, and its history.

    Equality and hash compare positions, not histories. Playing on changes the hash.
    """

    def __init__(
        self, rules: Rules, words: Row, rng: Rng, names: Sequence[str] | None = None
    ) -> None:
        super().__init__(rules, words)
        check_rng(rng)
        self.rng = rng
        self.names = list(names) if names is not None else ["player"] * rules.seats
        self.decisions: list[str] = []
        self.movers: list[int] = []  # the seat that took each decision
        self._generators: list[int] = []  # the generator before each decision
        self._first: Row | None = words.copy()
        self._setup: Mapping[str, Any] | None = None  # as its record spelled it
        self._position: str | None = None  # the text of the first state, unless it is a set-up
        self._before_end: _BeforeEnd | None = None  # set while a game is ended from outside
        self._legal: list[int] = []  # what is legal in a position, and the bytes of that position
        self._legal_position = b""
        self._workspace = _Workspace.new()
        rules.announce()

    @classmethod
    def determinized(cls, view: View, rng: Rng) -> Self:
        """Return a full state drawn at random among those that fit a view."""
        check_rng(rng)
        words = view.words.copy()
        view.rules.kernel.determinize(words, rng)
        state = cls(view.rules, words, rng)
        state._first = None
        return state

    def __repr__(self) -> str:
        number = len(self.decisions)
        return f"<{type(self).__name__}: {number} decisions, {self.phase}, seat {self.seat}>"

    def copy(self) -> Self:
        """Return an independent copy, history and generator included."""
        new = type(self).__new__(type(self))
        new.__dict__.update(self.__dict__)
        new.__dict__.pop("players", None)
        new.words, new.rng = self.words.copy(), self.rng.copy()
        new.names, new.decisions = self.names.copy(), self.decisions.copy()
        new.movers, new._generators = self.movers.copy(), self._generators.copy()
        new._workspace = _Workspace.new()
        return new

    __copy__ = copy

    def __getstate__(self) -> dict[str, Any]:
        """Return what a pickle holds: not what is found again when it is needed."""
        content = super().__getstate__()
        del content["_workspace"], content["_legal"], content["_legal_position"]
        return content

    def __setstate__(self, content: dict[str, Any]) -> None:
        """Restore a pickled state."""
        super().__setstate__(content)
        self._legal, self._legal_position = [], b""
        self._workspace = _Workspace.new()

    def __deepcopy__(self, memo: object) -> Self:
        return self.copy()

    def play(self, decision: str | int) -> str:
        """Do a decision and everything that follows, and return its text as a record holds it.

        A text may be spelled leniently (`Take c1 B1`) and may say what chance brings
        (`replenish > wkg`); otherwise the state's own generator decides that.

        Raises:
            NotationError: There is no such decision. Nothing has changed.
            IllegalDecision: The decision may not be taken now. Nothing has changed.

        >>> import parure
        >>> state = parure.new("splendor", seed=7)
        >>> state.play("take wug")
        'take wug'
        >>> state.players[0].tokens
        {'w': 1, 'u': 1, 'g': 1}
        """
        rules, words = self.rules, self.words
        exact = rules.decision_ids.get(decision) if type(decision) is str else None
        number, outcome = self._read_decision(decision) if exact is None else (exact, None)
        text = rules.decision_texts[number]
        if number not in self._legal_ids():
            if self.is_over:
                raise self._refusal(text, "the game is over")
            raise self._refusal(text, rules.reason_against(self, number))
        chance, rng = self._workspace.chance, self.rng
        if outcome is None:
            chance[0] = 0
        else:
            chance = new_chance(self._read_chance(text, outcome))
        check_rng(rng)
        seat, generator = words.item(rules.layout.SEAT), rng.item(0)
        rules.kernel.apply(words, rules.cards, number, rng, chance)
        self.movers.append(seat)
        self._generators.append(generator)
        if rules.has_chance[number] and chance.item(0):
            text = rules.with_chance(text, chance[1 : 1 + chance.item(0)].tolist())
        self.decisions.append(text)
        return text

    @property
    def legal_decisions(self) -> LegalDecisions:
        """The decisions that the seat to move may take."""
        return LegalDecisions(self.rules, self._legal_ids().copy())

    def _legal_ids(self) -> list[int]:
        """Return the legal decisions, found again only if the position has changed."""
        position = self.words.tobytes()
        if position != self._legal_position:
            rules = self.rules
            if self.is_over:
                self._legal = []
            else:
                menu, ids, _ = self._workspace
                number = rules.kernel.legal_ids(self.words, rules.cards, menu, ids)
                self._legal = sorted(ids[:number].tolist())
            self._legal_position = position
        return self._legal

    def _read_decision(self, decision: str | int) -> tuple[int, str | None]:
        """Return the number of a decision and the outcome of chance that its text names."""
        if isinstance(decision, str):
            text, arrow, outcome = decision.partition(" > ")
            found = self.rules.find_decision(text)
            if found is None:
                raise NotationError(self._unknown_decision(text))
            return found, outcome if arrow else None
        try:
            number = index(decision)
        except TypeError:
            raise NotationError(f"a decision is a text or an integer, not {decision!r}") from None
        if not 0 <= number < len(self.rules.decision_texts):
            raise NotationError(f"{number} is not a decision of {self.game}")
        return number, None

    def _unknown_decision(self, text: str) -> str:
        near = notation.closest(text, self.legal_decisions)
        hint = f"; the nearest legal decision is {near!r}" if near else ""
        return f"{notation.shorten(text)} is not a decision of {self.game}{hint}"

    def _read_chance(self, text: str, outcome: str) -> list[int]:
        """Return the kinds that an outcome of chance names, checked against the bag."""
        size = self.rules.chance_size(self.words, text)
        if not size:
            raise NotationError(f"chance has no part in {text!r}")
        in_bag = counts_by_letter(self.rules.bag(self.words))
        if len(outcome) != size or any(c not in KIND_OF_LETTER for c in outcome):
            raise NotationError(f"{text!r} brings {size} tokens, which {outcome[:40]!r} are not")
        for letter in set(outcome):
            held = in_bag.get(letter, 0)
            if outcome.count(letter) > held:
                raise NotationError(
                    f"{text!r} cannot bring {outcome!r}: the bag holds {held} {letter}"
                )
        if text not in self.rules.drawn_in_order and list(outcome) != sorted(
            outcome, key=LETTERS.index
        ):
            raise NotationError(f"the tokens of {text!r} are written in the order {LETTERS}")
        return [KIND_OF_LETTER[letter] for letter in outcome]

    def _refusal(self, text: str, reason: str) -> IllegalDecision:
        near = notation.closest(text, self.legal_decisions)
        return IllegalDecision(text, reason, str(self.view(self.seat)), near)

    def undo(self) -> str:
        """Take back the last decision and return its text; chance would bring the same again.

        If the game was ended from outside the rules (`resign`, `end`), exactly that is taken
        back, and the reason is returned.
        """
        if self._before_end is not None:
            return self._undo_end(self._before_end)
        if self._first is None or not self.decisions:
            raise InvalidPosition("there is no decision to take back")
        texts, generators = self.decisions, self._generators
        last, generator = texts.pop(), generators.pop()
        self.movers.pop()
        self.words[:] = self._first
        for text in texts:
            plain, _, outcome = text.partition(" > ")
            known = [KIND_OF_LETTER[letter] for letter in outcome]
            self.rules.apply(self.words, self.rules.decision(plain), self.rng, known)
        self.rng[0] = generator
        return last

    def _undo_end(self, before: _BeforeEnd) -> str:
        layout = self.rules.layout
        reason = layout.REASONS[self._field(layout.REASON)]
        self.words[layout.PHASE] = before.phase
        self.words[layout.REASON] = before.reason
        self.words[layout.WINNERS] = before.winners
        self._before_end = None
        return reason

    def resign(self, seat: int | None = None) -> None:
        """End the game because a seat (the one to move) gives up: all others win."""
        loser = self.seat if seat is None else self.check_seat(seat)
        self.end("resigned", [other for other in range(self.seats) if other != loser])

    def end(self, reason: str, winners: Sequence[int]) -> None:
        """End the game from outside the rules.

        Args:
            reason: `resigned` or `timeout`.
            winners: The winning seats in ascending order, at least one.
        """
        layout = self.rules.layout
        if reason not in ("resigned", "timeout"):
            raise NotationError(f"a game is ended by 'resigned' or 'timeout', not {reason!r}")
        if self.is_over:
            raise InvalidPosition("the game is over already")
        if not winners or list(winners) != sorted(set(winners) & set(range(self.seats))):
            raise NotationError("the winners must be seats of this game in order, at least one")
        self._before_end = _BeforeEnd(
            self._field(layout.PHASE), self._field(layout.REASON), self._field(layout.WINNERS)
        )
        self.words[layout.PHASE] = layout.OVER
        self.words[layout.REASON] = layout.REASONS.index(reason)
        self.words[layout.WINNERS] = sum(1 << seat for seat in winners)

    def log(self, seat: int | None) -> list[str]:
        """Return the decisions so far as one seat, or a watcher (None), may read them."""
        return [
            self.rules.redact(text, is_own=seat == mover)
            for text, mover in zip(self.decisions, self.movers, strict=True)
        ]

    def view(self, seat: int | None) -> View:
        """Return what one seat, or a watcher (None), may know."""
        viewer = None if seat is None else self.check_seat(seat)
        words = self.words.copy()
        self.rules.kernel.hide(words, self.rules.layout.EVERYONE if viewer is None else viewer)
        return self.rules.view_type(self.rules, words, viewer)

    def record(self) -> Record:
        """Return the game so far as a record."""
        from parure.games.record import record_of

        if self._first is None:
            raise InvalidPosition(
                "a determinized state has no record; parure.new(position=…) starts a game from it"
            )
        if self._position is not None:
            return record_of(self, {}, self._position)
        return record_of(self, self._setup or self.rules.setup_of(self._first))

    def save(self, path: str | PathLike[str]) -> None:
        """Write the game so far to a file; an existing file is kept if that fails."""
        from parure.games.record import encode

        write_atomically(path, encode(self.record()))
