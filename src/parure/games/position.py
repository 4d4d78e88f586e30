"""What states and views share: named access to everything on the table."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import islice
from operator import index
from typing import Any, ClassVar, overload

import msgspec
import numpy as np

from parure.errors import NotationError
from parure.games.engine.arrays import Row
from parure.games.engine.card_storage import card_numbers
from parure.games.engine.tokens import counts_by_letter
from parure.games.registry import rules
from parure.games.rules import Rules


class Outcome(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a game ended: the winning seats and why.

    No winner is a draw; several winners share the victory.
    """

    winners: tuple[int, ...]
    reason: str

    def scores(self, seats: int) -> tuple[float, ...]:
        """Return each seat's share of the victory; in a draw all share equally.

        >>> Outcome((0, 2), "points").scores(3)
        (0.5, 0.0, 0.5)
        """
        sharing = self.winners or tuple(range(seats))
        return tuple((seat in sharing) / len(sharing) for seat in range(seats))


@lru_cache(maxsize=1 << 14)
def names_in(bits: int, names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of the members of a set, in order.

    >>> names_in(0b101, ("a", "b", "c"))
    ('a', 'c')
    """
    found = []
    while bits:
        found.append(names[(bits & -bits).bit_length() - 1])
        bits &= bits - 1
    return tuple(found)


class LegalDecisions(Sequence[str]):
    """The legal decisions of a position: a sequence of texts.

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

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        if isinstance(index, slice):
            return [self._rules.decision_texts[i] for i in self.ids[index]]
        return self._rules.decision_texts[self.ids[index]]

    def __contains__(self, decision: object) -> bool:
        if isinstance(decision, str):
            return self._rules.decision_ids.get(decision, -1) in self.ids
        return decision in self.ids

    def __repr__(self) -> str:
        return f"<LegalDecisions: {', '.join(self)}>"


class Player(ABC):
    """One seat of a position. Each game adds what only it has: crowns, privileges, nobles."""

    def __init__(self, position: Position, seat: int) -> None:
        layout = position.rules.layout
        self._layout = layout
        self._words = position.words  # not the position, which would make a reference cycle
        self._card_names = position.card_names
        self._offset = layout.SEATS + seat * layout.SEAT_WORDS
        self.seat = seat

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.seat}: {self.points} points>"

    def _field(self, offset: int) -> int:
        return self._words.item(self._offset + offset)

    @property
    def tokens(self) -> dict[str, int]:
        """The tokens held, by letter."""
        return counts_by_letter(self._field(self._layout.TOKENS))

    @property
    def token_count(self) -> int:
        """The number of tokens held that count toward the limit."""
        return self.counted_toward_limit(self.tokens)

    def counted_toward_limit(self, tokens: Mapping[str, int]) -> int:
        """Return how many of these tokens would count toward this seat's limit."""
        return sum(tokens.values())

    @property
    def token_limit(self) -> int:
        """The number of tokens a seat may keep at the end of its turn."""
        return self._layout.TOKEN_LIMIT

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
        """The reserved cards in the order they came; `??2` is an unknown card of level 2."""
        count = self._field(self._layout.RESERVED_COUNT)
        first = self._offset + self._layout.RESERVED
        names = self._card_names
        return tuple([names[card] for card in card_numbers(self._words[first : first + count])])

    @property
    @abstractmethod
    def reserve_limit(self) -> int:
        """The number of cards a seat may reserve."""

    @property
    @abstractmethod
    def cards(self) -> tuple[str, ...]:
        """The cards bought, in the order of their deck."""

    @property
    @abstractmethod
    def collection(self) -> tuple[str, ...]:
        """Everything that lies face up before the seat: cards, royals or nobles, Counterfeiters."""

    @property
    @abstractmethod
    def counters(self) -> dict[str, int]:
        """The numbers that everybody watches: points, and in Duel crowns and privileges."""

    @property
    @abstractmethod
    def goals(self) -> dict[str, int]:
        """What it takes to win: points, and in Duel crowns and points in one color."""


class Position(ABC):
    """A state or a view."""

    player_type: ClassVar[type[Player]]
    card_numbers: ClassVar[Mapping[str, int]]  # card id to the kernel's number
    card_names: ClassVar[Sequence[str]]  # and back; "" for no card, `??2` for an unknown one
    face_up: ClassVar[Sequence[int]]  # the number of face-up cards of each level

    def __init__(self, rules: Rules, words: Row) -> None:
        rules.check_row(words)
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
        """The number of players."""
        return self.rules.seats

    @property
    def options(self) -> Mapping[str, bool]:
        """The options of the game."""
        return self.rules.options

    @property
    def phase(self) -> str:
        """What is being decided, in the terms of the rules: `turn`, `pay`, … or `over`."""
        return self.rules.layout.PHASES[self._field(self.rules.layout.PHASE)]

    @property
    def seat(self) -> int:
        """The seat to move; once the game is over, the one that moved last."""
        return self._field(self.rules.layout.SEAT)

    @property
    def turns(self) -> int:
        """The number of turns completed."""
        return self._field(self.rules.layout.TURNS)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        layout = self.rules.layout
        return self.words.item(layout.PHASE) == layout.OVER

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
    def players(self) -> tuple[Player, ...]:
        """The seats, with what each holds."""
        return tuple(self.player_type(self, seat) for seat in range(self.seats))

    @property
    def pyramid(self) -> tuple[tuple[str | None, ...], ...]:
        """The face-up cards of levels 1, 2, 3; None for a gap."""
        cards = iter(self._cards_in_slots(self.rules.layout.SLOTS, sum(self.face_up)))
        return tuple([tuple(islice(cards, size)) for size in self.face_up])

    def _cards_in_slots(self, first: int, number: int) -> tuple[str | None, ...]:
        names = self.card_names
        cards = card_numbers(self.words[first : first + number])
        return tuple([names[card] or None for card in cards])

    @property
    def face_up_rows(self) -> tuple[tuple[str | None, ...], ...]:
        """All face-up cards: the Counterfeiter row (empty where there is none), then levels 1–3."""
        return ((), *self.pyramid)

    @property
    def face_up_places(self) -> int:
        """The number of face-up places, gaps included."""
        return sum(self.face_up)

    @property
    def deck_sizes(self) -> tuple[int, ...]:
        """The number of cards left in the decks of levels 1, 2, 3."""
        first = self.rules.layout.DECK_SIZES
        return tuple(self.words[first : first + 3].tolist())

    @property
    def undealt_count(self) -> int:
        """The number of cards left in all decks that refill the face-up rows."""
        return sum(self.deck_sizes)

    @property
    @abstractmethod
    def tiles(self) -> tuple[str, ...]:
        """The face-up royals or nobles."""

    @property
    def board_cells(self) -> dict[str, str]:
        """The token on each occupied board cell; empty in a game without a board."""
        return {}

    @property
    @abstractmethod
    def buying(self) -> str | None:
        """The card that is being paid for; None between purchases."""

    def deck(self, level: int) -> tuple[str, ...]:
        """Return the cards of a deck, top first; a view shows `??2` for an unknown one."""
        if level not in (1, 2, 3):
            raise NotationError(f"there is no deck {level!r}: the levels are 1, 2 and 3")
        return tuple(self.card_names[number] for number in self._deck_numbers(level - 1))

    @property
    def seen_in_decks(self) -> frozenset[str]:
        """The cards of the decks that some seat has seen and whose place it knows."""
        return frozenset()

    def _deck_numbers(self, deck: int) -> Sequence[int]:
        layout = self.rules.layout
        end, size = layout.DECK_ENDS[deck], self._field(layout.DECK_SIZES + deck)
        first = layout.DECK_BYTES * self.words.itemsize
        return self.row[first + end - size : first + end].tolist()

    def text(self) -> str:
        """Return the position in one line, which `parure.position` reads; docs/rules/position.md.

        >>> import parure
        >>> parure.new("splendor", seed=7).view(0).text()
        'splendor-2/view:0/seat:0/turns:0/D1:16,01,37,24/D2:20,28,11,02/D3:08,01,12,11/N:01,05,10'
        """
        from parure.games.position_text import text_of

        return text_of(self)

    def price(self, card: str, seat: int | None = None) -> dict[str, int]:
        """Return what a card costs a seat after its bonuses, by letter.

        Args:
            card: The id of any card of the game.
            seat: Whose bonuses count; None for the seat to move.

        Raises:
            NotationError: There is no such card or seat.

        >>> import parure
        >>> parure.new("splendor", seed=7).price("D1-01")
        {'r': 2, 'k': 1}
        """
        if not isinstance(card, str) or card not in self.card_numbers:
            raise NotationError(f"no card of {self.game} is called {str(card)[:40]!r}")
        bonuses = self._player(seat).bonuses
        cost = self.rules.printed_costs[card]
        left = {letter: n - bonuses.get(letter, 0) for letter, n in cost.items()}
        return {letter: n for letter, n in left.items() if n > 0}

    def missing(self, card: str, seat: int | None = None) -> dict[str, int]:
        """Return the tokens a seat lacks to pay for a card, gold and discounts left out."""
        tokens = self._player(seat).tokens
        lack = {k: n - tokens.get(k, 0) for k, n in self.price(card, seat).items()}
        return {letter: n for letter, n in lack.items() if n > 0}

    def _player(self, seat: int | None) -> Player:
        return self.players[self.seat if seat is None else self.check_seat(seat)]

    def check_seat(self, seat: int) -> int:
        """Return a seat as an integer; NotationError if the game has no such seat."""
        try:
            number = index(seat)
        except TypeError:
            number = -1
        if not 0 <= number < self.seats:
            raise NotationError(f"there is no seat {seat!r}: they count from 0 to {self.seats - 1}")
        return number

    @property
    def legal_decisions(self) -> LegalDecisions:
        """The decisions that the seat to move may take."""
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
