"""A state: everything on the table, hidden cards included, and the decisions that led there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import index
from os import PathLike
from typing import TYPE_CHECKING, Any, Self

from parure.atomic_write import write_atomically
from parure.errors import IllegalDecision, InvalidPosition, NotationError
from parure.games.engine.arrays import Rng, Row
from parure.games.engine.tokens import KIND_OF_LETTER, LETTERS, counts_by_letter
from parure.games.position import Position
from parure.games.rules import Rules
from parure.games.view import View

if TYPE_CHECKING:
    from parure.games.record import Record


class State(Position):
    """A position with everything in it, hidden things too, and the way that led there.

    Equality and hash compare positions, not histories. A state that is played on changes its hash.
    """

    def __init__(
        self, rules: Rules, words: Row, rng: Rng, names: Sequence[str] | None = None
    ) -> None:
        super().__init__(rules, words)
        self.rng = rng
        self.names = list(names) if names is not None else ["player"] * rules.seats
        self.decisions: list[str] = []
        self.movers: list[int] = []  # the seat that took each decision
        self._generators: list[int] = []  # the generator before each
        self._first: Row | None = words.copy()
        self._setup: Mapping[str, Any] | None = None  # as its record spelled it

    @classmethod
    def determinized(cls, view: View, rng: Rng) -> Self:
        """A full state drawn at random among those that fit a view."""
        words = view.words.copy()
        view.rules.kernel.determinize(words, rng)
        state = cls(view.rules, words, rng)
        state._first = None
        return state

    def __repr__(self) -> str:
        number = len(self.decisions)
        return f"<{type(self).__name__}: {number} decisions, {self.phase}, seat {self.seat}>"

    def copy(self) -> Self:
        """An independent copy, history and generator included."""
        new = type(self).__new__(type(self))
        new.__dict__.update(self.__dict__)
        new.__dict__.pop("players", None)
        new.words, new.rng = self.words.copy(), self.rng.copy()
        new.names, new.decisions = self.names.copy(), self.decisions.copy()
        new.movers, new._generators = self.movers.copy(), self._generators.copy()
        return new

    __copy__ = copy

    def __deepcopy__(self, memo: object) -> Self:
        return self.copy()

    def play(self, decision: str | int) -> str:
        """Do a decision and all that follows; gives its text as a record holds it.

        A text may say what chance brings (`replenish > wkg`); otherwise the state's own generator
        does. Raises NotationError or IllegalDecision and changes nothing then.

        >>> import parure
        >>> state = parure.new("splendor", seed=7)
        >>> state.play("take wug")
        'take wug'
        >>> state.players[0].tokens
        {'w': 1, 'u': 1, 'g': 1}
        """
        text, arrow, outcome = (
            decision.partition(" > ") if isinstance(decision, str) else ("", "", "")
        )
        number = self.rules.decision(text) if isinstance(decision, str) else index(decision)
        if not 0 <= number < len(self.rules.decision_texts):
            raise NotationError(f"{number} is no decision of {self.game}")
        text = self.rules.decision_texts[number]
        if self.is_over:
            raise self._refusal(text, "the game is over")
        if number not in self.rules.legal(self.words):
            raise self._refusal(text, self.rules.reason_against(self, number))
        has_chance = bool(self.rules.chance_size(self.words, text))
        known = self._chance(text, outcome) if arrow else []
        self.movers.append(self.seat)
        self._generators.append(int(self.rng[0]))
        came = self.rules.apply(self.words, number, self.rng, known)
        if has_chance:
            if text != "replenish":
                came = sorted(came)
            text = f"{text} > {''.join(LETTERS[kind] for kind in came)}"
        self.decisions.append(text)
        return text

    def _chance(self, text: str, outcome: str) -> list[int]:
        """The kinds that an outcome of chance names, checked against the bag."""
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
        if text != "replenish" and list(outcome) != sorted(outcome, key=LETTERS.index):
            raise NotationError(f"the tokens of {text!r} are written in the order {LETTERS}")
        return [KIND_OF_LETTER[letter] for letter in outcome]

    def _refusal(self, text: str, reason: str) -> IllegalDecision:
        return IllegalDecision(text, reason, str(self.view(self.seat)))

    def undo(self) -> str:
        """Take back the last decision and give its text; chance would fall out the same again."""
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

    def end(self, reason: str, winners: Sequence[int]) -> None:
        """End the game from outside the rules: `resigned` or `timeout`."""
        layout = self.rules.layout
        if reason not in ("resigned", "timeout"):
            raise NotationError(f"a game is ended by 'resigned' or 'timeout', not {reason!r}")
        if self.is_over:
            raise InvalidPosition("the game is over already")
        if not winners or list(winners) != sorted(set(winners) & set(range(self.seats))):
            raise NotationError("the winners must be seats of this game in order, at least one")
        self.words[layout.PHASE] = layout.OVER
        self.words[layout.REASON] = layout.REASONS.index(reason)
        self.words[layout.WINNERS] = sum(1 << seat for seat in winners)

    def log(self, seat: int | None) -> list[str]:
        """The decisions so far as told to one seat, or to a watcher (None)."""
        return [
            self.rules.redact(text, is_own=seat == mover)
            for text, mover in zip(self.decisions, self.movers, strict=True)
        ]

    def view(self, seat: int | None) -> View:
        """What one seat may know, or a watcher (None)."""
        if seat is not None and not 0 <= seat < self.seats:
            raise NotationError(f"there is no seat {seat}: they count from 0 to {self.seats - 1}")
        words = self.words.copy()
        self.rules.kernel.hide(words, self.rules.layout.EVERYONE if seat is None else seat)
        return self.rules.view_type(self.rules, words, seat)

    def record(self) -> Record:
        """The game so far as a record."""
        from parure.games.record import record_of

        if self._first is None:
            raise InvalidPosition("only a game played from its set-up can be recorded")
        return record_of(self, self._setup or self.rules.setup_of(self._first))

    def save(self, path: str | PathLike[str]) -> None:
        """Write the game so far to a file; what stood there before is kept if that fails."""
        from parure.games.record import encode

        write_atomically(path, encode(self.record()))
