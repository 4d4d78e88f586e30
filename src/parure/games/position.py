"""States and views: what a game looks like from Python.

A :class:`State` holds everything and can be played on; a :class:`View` what one seat may know.
Both are a :class:`Position` and answer the same questions about the table.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from operator import index
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from parure.errors import IllegalDecision, InvalidPosition, NotationError
from parure.games.engine.arrays import Rng, Row
from parure.games.engine.card_storage import numbers_of
from parure.games.engine.tokens import KIND_OF_LETTER, LETTERS, counted
from parure.games.rules import Rules, rules

if TYPE_CHECKING:
    from parure.games.record import Record


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: the seats that won (none: a draw; several: a shared victory) and why."""

    winners: tuple[int, ...]
    reason: str


def members(bits: int, names: Sequence[str]) -> tuple[str, ...]:
    """The names of the things in a set, in their order.

    >>> members(0b101, "abc")
    ('a', 'c')
    """
    found = []
    while bits:
        found.append(names[(bits & -bits).bit_length() - 1])
        bits &= bits - 1
    return tuple(found)


class LegalDecisions(Sequence[str]):
    """The legal decisions of a position: texts to iterate over, count, and look into.

    >>> import parure
    >>> legal = parure.new("splendor", seed=7).legal_decisions
    >>> len(legal), legal[0], "take ww" in legal, "pass" in legal
    (30, 'take wug', True, False)
    """

    def __init__(self, rules: Rules, ids: list[int]) -> None:
        self._rules = rules
        self.ids = ids

    def __len__(self) -> int:
        return len(self.ids)

    def __iter__(self) -> Iterator[str]:
        return (self._rules.decision_texts[i] for i in self.ids)

    def __getitem__(self, index: Any) -> Any:
        chosen = self.ids[index]
        if isinstance(chosen, list):
            return [self._rules.decision_texts[i] for i in chosen]
        return self._rules.decision_texts[chosen]

    def __contains__(self, decision: object) -> bool:
        if isinstance(decision, str):
            return self._rules.decision_ids.get(decision, -1) in self.ids
        return decision in self.ids

    def __repr__(self) -> str:
        return f"<LegalDecisions: {', '.join(self)}>"


class Player:
    """One seat of a position. The games add what they know of: crowns, privileges, nobles."""

    def __init__(self, position: Position, seat: int) -> None:
        layout = position.rules.layout
        self._layout = layout
        self._words = position.words  # not the position: a cycle would have to be collected
        self._card_names = position.card_names
        self._at = layout.SEATS + seat * layout.SEAT_WORDS
        self.seat = seat

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.seat}: {self.points} points>"

    def _field(self, offset: int) -> int:
        return self._words.item(self._at + offset)

    @property
    def tokens(self) -> dict[str, int]:
        """The tokens held, by letter."""
        return counted(self._field(self._layout.TOKENS))

    @property
    def token_count(self) -> int:
        """How many of the tokens held count toward the limit."""
        return self.limited(self.tokens)

    def limited(self, tokens: Mapping[str, int]) -> int:
        """How many of some tokens would count toward the limit."""
        return sum(tokens.values())

    @property
    def token_limit(self) -> int:
        """How many tokens may be kept at the end of a turn."""
        return int(self._layout.TOKEN_LIMIT)

    @property
    def bonuses(self) -> dict[str, int]:
        """The bonuses owned, by letter."""
        return counted(self._field(self._layout.BONUSES))

    @property
    def points(self) -> int:
        """All points."""
        return self._field(self._layout.SCORE)

    @property
    def reserved(self) -> tuple[str, ...]:
        """The reserved cards in the order they came; `??2` is one of level 2 that is not known."""
        count = self._field(self._layout.RESERVED_COUNT)
        first = self._at + self._layout.RESERVED
        names = self._card_names
        return tuple(names[card] for card in numbers_of(self._words[first : first + count]))


class Position:
    """What is common to states and views: named access to everything on the table."""

    player_type: ClassVar[type[Player]] = Player
    card_numbers: ClassVar[Mapping[str, int]]  # as the kernel counts them
    card_names: ClassVar[Sequence[str]]  # and back; "" where there is no card, `??2` if unknown
    face_up: ClassVar[Sequence[int]]  # how many cards of each level lie open

    def __init__(self, rules: Rules, words: Row) -> None:
        self.rules = rules
        self.words = words

    @property
    def row(self) -> np.ndarray[Any, np.dtype[np.uint8]]:
        """The bytes of the position."""
        return self.words.view(np.uint8)

    def _field(self, offset: int) -> int:
        return self.words.item(offset)

    @property
    def game(self) -> str:
        """`splendor`, `duel` or `duel+counterfeiters`."""
        return self.rules.game

    @property
    def seats(self) -> int:
        """How many play."""
        return self.rules.seats

    @property
    def options(self) -> Mapping[str, bool]:
        """The options of the game."""
        return self.rules.options

    @property
    def phase(self) -> str:
        """What is being decided, in the words of the rules: `turn`, `pay`, … or `over`."""
        return str(self.rules.layout.PHASES[self._field(self.rules.layout.PHASE)])

    @property
    def seat(self) -> int:
        """The seat to move; once the game is over, the one that moved last."""
        return self._field(self.rules.layout.SEAT)

    @property
    def turns(self) -> int:
        """How many turns have been completed."""
        return self._field(self.rules.layout.TURNS)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self._field(self.rules.layout.PHASE) == int(self.rules.layout.OVER)

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it is on."""
        if not self.is_over:
            return None
        layout = self.rules.layout
        winners = self._field(layout.WINNERS)
        return Outcome(
            tuple(seat for seat in range(self.seats) if winners >> seat & 1),
            layout.REASONS[self._field(layout.REASON)],
        )

    @cached_property
    def players(self) -> tuple[Any, ...]:
        """The seats, with what each holds."""
        return tuple(self.player_type(self, seat) for seat in range(self.seats))

    @property
    def pyramid(self) -> tuple[tuple[str | None, ...], ...]:
        """The face-up cards of levels 1, 2, 3; None for a gap."""
        cards = iter(self._face_up(self.rules.layout.SLOTS, sum(self.face_up)))
        return tuple(tuple(islice(cards, size)) for size in self.face_up)

    def _face_up(self, first: int, number: int) -> tuple[str | None, ...]:
        """The cards in some slots; None for a gap."""
        names = self.card_names
        return tuple(names[card] or None for card in numbers_of(self.words[first : first + number]))

    @property
    def deck_sizes(self) -> tuple[int, ...]:
        """How many cards are left in the decks of levels 1, 2, 3."""
        first = self.rules.layout.DECK_SIZES
        return tuple(self.words[first : first + 3].tolist())

    def deck(self, level: int) -> tuple[str, ...]:
        """The cards of a deck, top first; in a view `??` and the level where not known."""
        return tuple(self.card_names[number] for number in self._deck(level - 1))

    def _deck(self, deck: int) -> Sequence[int]:
        layout = self.rules.layout
        end, size = layout.DECK_ENDS[deck], self._field(layout.DECK_SIZES + deck)
        first = layout.DECK_BYTES * self.words.itemsize
        return self.row[first + end - size : first + end].tolist()

    def price(self, card: str, seat: int | None = None) -> dict[str, int]:
        """What a card costs a seat (the one to move) after its bonuses, by letter.

        >>> import parure
        >>> parure.new("splendor", seed=7).price("D1-01")
        {'r': 2, 'k': 1}
        """
        if card not in self.card_numbers:
            raise NotationError(f"no card of {self.game} is called {card!r}")
        bonuses = self.players[self.seat if seat is None else seat].bonuses
        cost = self.rules.printed_costs[card]
        left = {letter: n - bonuses.get(letter, 0) for letter, n in cost.items()}
        return {letter: n for letter, n in left.items() if n > 0}

    def missing(self, card: str, seat: int | None = None) -> dict[str, int]:
        """The tokens a seat lacks to pay for a card, gold and discounts left out."""
        tokens = self.players[self.seat if seat is None else seat].tokens
        lack = {k: n - tokens.get(k, 0) for k, n in self.price(card, seat).items()}
        return {letter: n for letter, n in lack.items() if n > 0}

    @property
    def legal_decisions(self) -> LegalDecisions:
        """What the seat to move may do."""
        return LegalDecisions(self.rules, [] if self.is_over else self.rules.legal(self.words))

    def __getstate__(self) -> dict[str, Any]:
        state = self.__dict__.copy()
        state.pop("players", None)
        state["rules"] = (self.rules.game, self.rules.seats, dict(self.rules.options))
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, rules=rules(*state["rules"]))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[Any, ...]:
        """What two equal positions share."""
        return (type(self), self.rules.game, self.words.tobytes())


class View(Position):
    """What one seat, or a watcher (`viewer` None), may know of a state.

    The row is that of the state with every card the viewer has not seen replaced by an unknown
    one, so two views are equal exactly when they hold the same knowledge.
    """

    def __init__(self, rules: Rules, words: Row, viewer: int | None) -> None:
        super().__init__(rules, words)
        self.viewer = viewer

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of seat {self.viewer}, {self.phase}, {self.seat} to move>"

    def _key(self) -> tuple[Any, ...]:
        return (*super()._key(), self.viewer)

    @property
    def legal_decisions(self) -> LegalDecisions:
        """What the viewer may do now; nothing while another seat is to move."""
        if self.viewer != self.seat:
            return LegalDecisions(self.rules, [])
        return super().legal_decisions


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
        in_bag = counted(self.rules.bag(self.words))
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
            self.rules.told(text, is_own=seat == mover)
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

        target = Path(path)
        draft = target.with_name(target.name + ".part")
        try:
            draft.write_bytes(encode(self.record()))
            draft.replace(target)
        finally:
            draft.unlink(missing_ok=True)
