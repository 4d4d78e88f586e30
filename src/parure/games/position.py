"""States and views: what a game looks like from Python.

A :class:`State` holds everything and can be played on; a :class:`View` what one seat may know.
Both are a :class:`Position` and answer the same questions about the table.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from parure.errors import NotationError
from parure.games.engine.arrays import Row
from parure.games.engine.card_storage import numbers_of
from parure.games.engine.tokens import counts_by_letter
from parure.games.registry import rules
from parure.games.rules import Rules

if TYPE_CHECKING:
    pass


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: the seats that won (none: a draw; several: a shared victory) and why."""

    winners: tuple[int, ...]
    reason: str


def names_in(bits: int, names: Sequence[str]) -> tuple[str, ...]:
    """The names of the things in a set, in their order.

    >>> names_in(0b101, "abc")
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
        return counts_by_letter(self._field(self._layout.TOKENS))

    @property
    def token_count(self) -> int:
        """How many of the tokens held count toward the limit."""
        return self.counted_toward_limit(self.tokens)

    def counted_toward_limit(self, tokens: Mapping[str, int]) -> int:
        """How many of some tokens would count toward the limit."""
        return sum(tokens.values())

    @property
    def token_limit(self) -> int:
        """How many tokens may be kept at the end of a turn."""
        return int(self._layout.TOKEN_LIMIT)

    @property
    def bonuses(self) -> dict[str, int]:
        """The bonuses owned, by letter."""
        return counts_by_letter(self._field(self._layout.BONUSES))

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
