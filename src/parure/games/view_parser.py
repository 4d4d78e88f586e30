"""A view from its data; :mod:`parure.games.view_schema` is the other direction.

The parser trusts nothing: every card must be in one place, no token may be missing, and every field
that follows from others must agree with them or be left out. A view that is accepted can be played
by the kernels. Position texts are read by the same parser (:mod:`parure.games.position_text`), so
there is one definition of what a valid position is.

>>> import parure
>>> from parure.games.view_schema import view_data
>>> view = parure.new("splendor", seed=7).view(0)
>>> parse_view(msgspec.to_builtins(view_data(view))) == view
True
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

import msgspec

from parure.errors import InvalidPosition, NotationError
from parure.games.engine.arrays import Row
from parure.games.engine.tokens import KIND_OF_LETTER, LETTERS, NAMES, pack
from parure.games.position import Position
from parure.games.registry import GAMES, family_of, import_part, rules
from parure.games.rules import Rules
from parure.games.view import View
from parure.games.view_schema import PlayerData, ViewData, view_data

Data = TypeVar("Data", bound=ViewData)
SomeRules = TypeVar("SomeRules", bound=Rules)
SomeView = TypeVar("SomeView", bound=View)

DECK_NAMES = "123CR"  # of jewels or developments by level, of Counterfeiters, of royals


def parse_view(data: object) -> View:
    """Return the view that data decoded from JSON describes.

    Raises:
        InvalidPosition: The data is not that of a view, contradicts itself or cannot come up.
    """
    return read_view(data).view


def read_view(data: object) -> ViewParser[Any, Any, Any]:
    """Like `parse_view`, but return the parser, which knows where every card is."""
    game = data.get("game") if isinstance(data, Mapping) else None
    if game not in GAMES:
        raise InvalidPosition(f"a view names its game, one of: {', '.join(GAMES)}")
    parser_type: type[ViewParser[Any, Any, Any]] = import_part(family_of(game).view_parser)
    try:
        typed_data = msgspec.convert(data, parser_type.data_type)
        parser = parser_type(rules(game, typed_data.seats, typed_data.options), typed_data)
    except (msgspec.ValidationError, NotationError, RecursionError) as error:
        raise InvalidPosition(f"no view of {game}: {str(error)[:200]}") from None
    view = parser.view = parser.build_view()
    _compare(typed_data, view_data(view))
    if view.is_over:
        parser.check_outcome(view)
    else:
        parser.check_phase(view)
    return parser


def _compare(given: ViewData, expected: ViewData) -> None:
    """Refuse data in which a field contradicts the others."""
    for name in given.__struct_fields__:
        if name != "players":
            _compare_field(name, getattr(given, name), getattr(expected, name))
    for seat, players in enumerate(zip(given.players, expected.players, strict=True)):
        for name in players[0].__struct_fields__:
            _compare_field(f"{name} of seat {seat}", *(getattr(one, name) for one in players))


def _compare_field(name: str, given: object, expected: object) -> None:
    if given is not msgspec.UNSET and given != expected:
        raise InvalidPosition(
            f"{name}: {_excerpt(given)} does not fit the rest, {_excerpt(expected)} would"
        )


def _excerpt(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:80]}…"


class HiddenCards(NamedTuple):
    """What a state holds and the view of the seat to move may not."""

    reserved: Sequence[Sequence[str]]  # the reserve of each seat
    decks: Sequence[Sequence[str]]  # each deck, top first
    known: Sequence[Sequence[str]]  # the cards in decks and other reserves that each seat has seen


class ViewParser(ABC, Generic[SomeRules, Data, SomeView]):
    """Builds one view from its data: a blank row is filled field by field."""

    data_type: ClassVar[type[ViewData]]
    second_word: ClassVar[int]  # the first card in the second word of a set of cards
    view: SomeView

    def __init__(self, rules: SomeRules, data: Data) -> None:
        self.rules, self.data = rules, data
        self.row = rules.blank()
        self.known_to_all = 0  # a set of cards as bits
        self.seen_by_viewer: list[str] = []  # in reserves of others
        self._layout = rules.layout
        self._numbers = rules.view_type.card_numbers
        self._level_ends = rules.layout.DECK_ENDS[:3]
        self._places: dict[str, str] = {}  # of every card that has a name
        self._placed_of_level = [0, 0, 0]

    @abstractmethod
    def build_view(self) -> SomeView:
        """Return the view; derived fields and the phase are checked afterwards."""

    @abstractmethod
    def deck_cards(self, deck: int) -> Mapping[str, int]:
        """Return the cards that belong to a deck, and their numbers in it."""

    @abstractmethod
    def check_outcome(self, view: SomeView) -> None:
        """Raise InvalidPosition if the game cannot have ended as the view says."""

    @abstractmethod
    def check_phase(self, view: SomeView) -> None:
        """Raise InvalidPosition if the view cannot be in its phase."""

    @abstractmethod
    def reserve_limit(self, seat: int) -> int:
        """Return the number of cards that a seat may reserve."""

    def complete(self, hidden: HiddenCards) -> Row:
        """Return the row of a state: the row of the view, with the cards that it does not know."""
        row, layout = self.view.words.copy(), self._layout
        for seat, names in enumerate(hidden.reserved):
            first = layout.SEATS + seat * layout.SEAT_WORDS + layout.RESERVED
            for i, name in enumerate(names):
                level = self.view.players[seat].reserved[i]
                if level.startswith("??"):
                    where, cards = f"seat {seat}'s reserve", self.deck_cards(int(level[2]) - 1)
                    require(name in cards, f"{where}: {name[:40]!r} is no card of it")
                    self.note_place(name, where)
                    row[first + i] = self.rules.priced[cards[name]]
        as_bytes = row.view("u1")
        for deck, names in enumerate(hidden.decks):
            where, cards = f"deck {DECK_NAMES[deck]}", self.deck_cards(deck)
            size = row.item(layout.DECK_SIZES + deck)
            for name in names:
                require(name in cards, f"{where}: {name[:40]!r} is no card of it")
                if self._places.get(name) != where:  # the view knows the place of some
                    self.note_place(name, where)
            require(len(set(names)) == len(names), f"{where} has a card twice")
            require(len(names) == size, f"{where} has {size} cards, not {len(names)}")
            end = 8 * layout.DECK_BYTES + layout.DECK_ENDS[deck]
            as_bytes[end - size : end] = [cards[name] for name in names]
        self.put_knowledge(row, hidden.known)
        return row

    def put_knowledge(self, row: Row, known: Sequence[Sequence[str]]) -> None:
        """Write which hidden cards each seat knows besides its own reserve."""
        require(not any(known), f"nobody has seen a hidden card in {self.rules.game}")

    # --- progress of the game ---------------------------------------------------------------------

    def read_progress(self) -> None:
        """Write phase, seat to move, turns and outcome."""
        data, row, layout = self.data, self.row, self._layout
        seats = self.rules.seats
        require(data.phase in layout.PHASES, f"{data.phase[:40]!r} is no phase of {data.game}")
        require(data.seat < seats, f"there is no seat {data.seat}")
        require(data.viewer is None or data.viewer < seats, f"there is no seat {data.viewer}")
        is_over = data.phase == "over"
        require((data.outcome is not None) == is_over, "a game is over when it has an outcome")
        max_turns = layout.MAX_TURNS - (not is_over)
        require(data.turns <= max_turns, f"no game has {data.turns} turns")
        row[layout.PHASE] = layout.PHASES.index(data.phase)
        row[layout.SEAT] = data.seat
        row[layout.TURNS] = data.turns
        if data.outcome is not None:
            reason, reasons = data.outcome.reason, layout.REASONS[1:]
            problem = f"{data.game} ends by {', '.join(reasons)}, not by {reason[:40]!r}"
            require(reason in reasons, problem)
            require(set(data.outcome.winners) <= set(range(seats)), "the winners are seats")
            row[layout.REASON] = layout.REASONS.index(data.outcome.reason)
            row[layout.WINNERS] = sum(1 << seat for seat in set(data.outcome.winners))

    # --- cards ------------------------------------------------------------------------------------

    def read_cards(self) -> None:
        """Write the cards of the pyramid, the seats and the decks."""
        data, face_up = self.data, self.rules.view_type.face_up
        require(
            [len(level) for level in data.pyramid] == list(face_up),
            f"the pyramid has levels of {face_up[0]}, {face_up[1]} and {face_up[2]} places",
        )
        require(len(data.players) == data.seats, f"there are {data.seats} players")
        slot = self._layout.SLOTS
        for level, names in enumerate(data.pyramid):
            for name in names:
                card = self._layout.EMPTY
                if name is not None:
                    card = self._place(name, "the pyramid", level)
                self.row[slot] = self.rules.priced[card]
                slot += 1
        for seat, player in enumerate(data.players):
            self._read_cards_of_seat(seat, player)
        sizes = [self._left_of_level(level) for level in range(3)]
        if data.deck_sizes is not msgspec.UNSET:
            require(len(data.deck_sizes) == 3, "there are three decks")
            for level, size in enumerate(data.deck_sizes):
                self._check_deck_size(level, size)
        for level, size in enumerate(sizes):
            require(size >= 0, f"there are {-size} cards of level {level + 1} too many")
            self.put_unknown_deck(level, size)

    def _read_cards_of_seat(self, seat: int, player: PlayerData) -> None:
        layout, where = self._layout, f"seat {seat}"
        offset = layout.SEATS + seat * layout.SEAT_WORDS
        for name in player.cards:
            self._place(name, f"{where}'s cards")
        self.put_set(offset + layout.TABLEAU, bits_of(player.cards, self._numbers, where))
        require(
            len(player.reserved) <= self.reserve_limit(seat), f"{where} has reserved too many cards"
        )
        for i, name in enumerate(player.reserved):
            if name in ("??1", "??2", "??3"):
                require(seat != self.data.viewer, f"{where} knows its own reserve")
                level = int(name[2]) - 1
                self._placed_of_level[level] += 1
                card = layout.UNKNOWN + level
            else:
                card = self._place(name, f"{where}'s reserve")
            self.row[offset + layout.RESERVED + i] = self.rules.priced[card]
        for i in range(len(player.reserved), layout.TABLEAU - layout.RESERVED):
            self.row[offset + layout.RESERVED + i] = self.rules.priced[layout.EMPTY]
        self.row[offset + layout.RESERVED_COUNT] = len(player.reserved)
        require(set(player.shown) <= set(player.reserved), f"{where} shows what it has reserved")
        self.known_to_all |= bits_of(player.shown, self._numbers, where)
        if seat != self.data.viewer:
            named = [name for name in player.reserved if not name.startswith("??")]
            self.seen_by_viewer += [name for name in named if name not in player.shown]

    def _level_size(self, level: int) -> int:
        return self._level_ends[level] - (self._level_ends[level - 1] if level else 0)

    def _left_of_level(self, level: int) -> int:
        """Return the number of cards of a level that are nowhere else, and so in the deck."""
        return self._level_size(level) - self._placed_of_level[level]

    def _check_deck_size(self, level: int, size: int) -> None:
        placed = self._placed_of_level[level]
        require(
            size == self._left_of_level(level),
            f"{placed} cards of level {level + 1} lie open or in hands and {size} in the deck,"
            f" but there are {self._level_size(level)}",
        )

    def put_unknown_deck(self, deck: int, size: int) -> None:
        """Write a deck of cards that nobody has seen."""
        self.row[self._layout.DECK_SIZES + deck] = size
        end = 8 * self._layout.DECK_BYTES + self._layout.DECK_ENDS[deck]
        self.row.view("u1")[end - size : end] = self._layout.UNKNOWN + deck

    def put_known_card(self, level: int, depth: int, name: str) -> None:
        """Write a card of a deck whose place, counted from the top, the viewer knows."""
        require(1 <= level <= 3, f"there is no deck {level}")
        size = self.row.item(self._layout.DECK_SIZES + level - 1)
        require(depth < size, f"deck {level} has no card {depth} below its top")
        place = 8 * self._layout.DECK_BYTES + self._level_ends[level - 1] - size + depth
        as_bytes = self.row.view("u1")
        is_free = as_bytes[place] >= self._layout.UNKNOWN
        require(is_free, f"two cards lie {depth} below the top of a deck")
        as_bytes[place] = self._place(name, f"deck {level}", level - 1)

    def put_set(self, offset: int, bits: int) -> None:
        """Write a set of cards, which takes two words."""
        self.row[offset] = bits & (1 << self.second_word) - 1
        self.row[offset + 1] = bits >> self.second_word

    def _place(self, name: str, where: str, level: int | None = None) -> int:
        """Return the number of a card; every card can be placed once, in its level if given."""
        number = self._numbers.get(name, 128)
        require(number < self._level_ends[2], f"{where}: {name[:40]!r} is no card of it")
        its_level = sum(number >= end for end in self._level_ends[:2])
        require(level in (None, its_level), f"{where}: {name} is of level {its_level + 1}")
        self.note_place(name, where)
        self._placed_of_level[its_level] += 1
        return number

    def note_place(self, name: str, where: str) -> None:
        """Remember where a card is; every card is in one place."""
        other = self._places.get(name)
        require(other != where, f"{name} is in {where} twice")
        require(other is None, f"{name} is in {other} and in {where}")
        self._places[name] = where


# --- what both games use --------------------------------------------------------------------------


def require(condition: object, problem: str) -> None:
    """Raise InvalidPosition unless a condition holds."""
    if not condition:
        raise InvalidPosition(problem)


def packed(counts: Mapping[str, int], letters: str) -> int:
    """Return counts as the kernels hold them; only some kinds are allowed."""
    for letter, count in counts.items():
        require(letter in letters and len(letter) == 1, f"{letter[:40]!r} is no kind of token here")
        require(count < 100, f"{count} {letter} are more than there are")
    return pack(counts.get(letter, 0) for letter in LETTERS)


def remaining_tokens(total: Mapping[str, int], *parts: Mapping[str, int]) -> dict[str, int]:
    """Return the tokens that are in none of the parts."""
    left = dict(total)
    for part in parts:
        for letter, count in part.items():
            require(letter in left, f"{letter[:40]!r} is no kind of token here")
            left[letter] -= count
    for letter, count in left.items():
        kind = NAMES[KIND_OF_LETTER[letter]]
        problem = f"{total[letter] - count} {kind} tokens: the game has {total[letter]}"
        require(count >= 0, problem)
    return left


def bits_of(names: Sequence[str], numbers: Mapping[str, int], where: str) -> int:
    """Return a set of cards as bits; no card may be named twice."""
    bits = 0
    for name in names:
        require(name in numbers, f"{where}: {name[:40]!r} is no card of it")
        require(not bits >> numbers[name] & 1, f"{where}: {name} is there twice")
        bits |= 1 << numbers[name]
    return bits


def payment_step(text: str | None, steps: Sequence[str]) -> int:
    """Return the index of a decision in the order of a payment; 0 for None."""
    if text is None:
        return 0
    require(text in steps[1:], f"{text[:40]!r} is no step of a payment")
    return steps.index(text)


def kind_bits(letters: str) -> int:
    """Return a set of kinds of token as bits."""
    require(set(letters) <= set(LETTERS), f"{letters[:40]!r} are no kinds of token")
    return sum(1 << KIND_OF_LETTER[letter] for letter in set(letters))


def check_payment(
    price: Mapping[str, int], gold_laid: Mapping[str, int], tokens: Mapping[str, int]
) -> None:
    """Refuse gold laid for more tokens than would be paid, or more gold than there is."""
    for letter, laid in gold_laid.items():
        most = min(price.get(letter, 0), tokens.get(letter, 0))
        require(laid <= most and letter != "y", f"gold is laid for {laid} {letter}, not for {most}")
    lacking = sum(max(n - tokens.get(k, 0), 0) for k, n in price.items() if k != "y")
    gold = lacking + price.get("y", 0) + sum(gold_laid.values())
    require(not gold_laid or gold <= tokens.get("y", 0), "more gold is laid than there is")


def check_legal(position: Position, decision: str | None = None) -> None:
    """Refuse a position in which a decision, or any decision if None, is not legal."""
    legal = position.rules.legal(position.words)
    require(legal, f"nothing can be done in phase {position.phase}")
    if decision is not None:
        number = position.rules.decision_ids.get(decision, -1)
        require(number in legal, f"{decision!r} was not legal")
