"""The view that a form makes, if it makes one; :mod:`parure.games.view_schema` is the way there.

Reading trusts nothing: every card must lie in one place, no token may be missing, and whatever
follows from the rest must be what it says; then the view is one that the kernels can play on.

>>> import parure
>>> view = parure.new("splendor", seed=7).view(0)
>>> parse_view(msgspec.to_builtins(view_data(view))) == view
True
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from parure.errors import InvalidPosition, NotationError
from parure.games.engine.arrays import Row
from parure.games.engine.tokens import KIND_OF_LETTER, LETTERS, pack
from parure.games.position import Position
from parure.games.registry import GAMES, rules
from parure.games.rules import Rules
from parure.games.view import View
from parure.games.view_schema import PlayerData, ViewData, view_data


def parse_view(data: object) -> View:
    """The view that a form makes, given as JSON decodes it; InvalidPosition if it cannot be."""
    game = data.get("game") if isinstance(data, Mapping) else None
    if game not in GAMES:
        raise InvalidPosition(f"a view names its game, one of: {', '.join(GAMES)}")
    reading = _reading(game)
    try:
        form = msgspec.convert(data, reading.data_type)
        by = rules(form.game, form.seats, form.options)
    except (msgspec.ValidationError, NotationError, RecursionError) as error:
        raise InvalidPosition(f"no view of {game}: {str(error)[:200]}") from None
    view: View = reading.build_view(by, form)
    _compare(form, view_data(view))
    if not view.is_over:
        reading.check_phase(view)
    return view


def _reading(game: str) -> Any:
    """The module that reads the forms of a game."""
    if game == "splendor":
        from parure.games.splendor import view_parser as reading
    else:
        from parure.games.duel import view_parser as reading  # type: ignore[no-redef]
    return reading


def _compare(given: ViewData, true: ViewData) -> None:
    """Whatever a form says twice must agree with itself."""
    for name in given.__struct_fields__:
        said, is_so = getattr(given, name), getattr(true, name)
        if name == "players":
            for seat, (one, other) in enumerate(zip(said, is_so, strict=True)):
                for field in one.__struct_fields__:
                    _agree(f"{field} of seat {seat}", getattr(one, field), getattr(other, field))
        else:
            _agree(name, said, is_so)


def _agree(name: str, said: object, is_so: object) -> None:
    if said != is_so:
        raise InvalidPosition(f"{name}: {_cut(said)} does not fit the rest, {_cut(is_so)} would")


def _cut(what: object) -> str:
    text = repr(what)
    return text if len(text) <= 80 else f"{text[:80]}…"


# --- what both games read -------------------------------------------------------------------------


def require(is_so: object, problem: str) -> None:
    """What must hold of a form."""
    if not is_so:
        raise InvalidPosition(problem)


def packed(counts: Mapping[str, int], letters: str) -> int:
    """Counts as the kernels hold them; only of certain kinds."""
    for letter, count in counts.items():
        require(letter in letters and len(letter) == 1, f"{letter[:40]!r} is no kind of token here")
        require(count < 100, f"{count} {letter} are more than there are")
    return pack(counts.get(letter, 0) for letter in LETTERS)


def rest_of(everything: Mapping[str, int], *parts: Mapping[str, int]) -> dict[str, int]:
    """The tokens that are in none of the parts."""
    left = dict(everything)
    for part in parts:
        for letter, count in part.items():
            require(letter in left, f"{letter[:40]!r} is no kind of token here")
            left[letter] -= count
    for letter, count in left.items():
        require(count >= 0, f"there are {-count} more {letter} than the game has")
    return left


def names_in(names: Sequence[str], numbers: Mapping[str, int], where: str) -> int:
    """A set of cards as bits, each there once."""
    bits = 0
    for name in names:
        require(name in numbers, f"{where}: {name[:40]!r} is no card of it")
        require(not bits >> numbers[name] & 1, f"{where}: {name} is there twice")
        bits |= 1 << numbers[name]
    return bits


class CardPlacer:
    """Lays the cards of a form into a row, each in one place."""

    def __init__(
        self, by: Rules, row: Row, form: ViewData, limits: Sequence[int], split: int
    ) -> None:
        self.by, self.row, self.form, self.limits = by, row, form, limits
        self.split = split  # the first card in the second word of a set
        self.at = by.layout
        self.numbers = by.view_type.card_numbers
        self.levels = by.layout.DECK_ENDS[:3]
        self.placed: set[str] = set()
        self.in_level = [0, 0, 0]
        self.known_to_all = 0

    def lay(self, players: Sequence[PlayerData]) -> None:
        """All cards of the pyramid, the decks and the seats; those known in decks follow."""
        form, at = self.form, self.at
        face_up = self.by.view_type.face_up
        require(
            [len(level) for level in form.pyramid] == list(face_up),
            f"the pyramid has levels of {face_up[0]}, {face_up[1]} and {face_up[2]} places",
        )
        require(len(form.deck_sizes) == 3, "there are three decks")
        require(len(players) == form.seats, f"there are {form.seats} players")
        slot = at.SLOTS
        for level, names in enumerate(form.pyramid):
            for name in names:
                card = at.EMPTY if name is None else self._card(name, level, "pyramid")
                self.row[slot] = self.by.priced[card]
                slot += 1
        for seat, player in enumerate(players):
            self._lay_seat(seat, player)
        for level, size in enumerate(form.deck_sizes):
            end = self.levels[level]
            whole = end - (self.levels[level - 1] if level else 0)
            require(
                self.in_level[level] + size == whole,
                f"{self.in_level[level]} cards of level {level + 1} lie open or in hands and {size}"
                f" in the deck, but there are {whole}",
            )
            self.row[at.DECK_SIZES + level] = size
            first = 8 * at.DECK_BYTES + end
            self.row.view("u1")[first - size : first] = at.UNKNOWN + level

    def know_in_deck(self, level: int, depth: int, name: str) -> None:
        """A card of a deck whose place, counted from the top, the viewer knows."""
        require(1 <= level <= 3, f"there is no deck {level}")
        size = self.form.deck_sizes[level - 1]
        require(depth < size, f"deck {level} has no card {depth} below its top")
        place = 8 * self.at.DECK_BYTES + self.levels[level - 1] - size + depth
        as_bytes = self.row.view("u1")
        require(
            as_bytes[place] >= self.at.UNKNOWN, f"two cards lie {depth} below the top of a deck"
        )
        as_bytes[place] = self._card(name, level - 1, f"deck {level}")

    def _lay_seat(self, seat: int, player: PlayerData) -> None:
        at, where = self.at, f"seat {seat}"
        me = at.SEATS + seat * at.SEAT_WORDS
        for name in player.cards:
            self._card(name, None, where)
        self.put_set(me + at.TABLEAU, names_in(player.cards, self.numbers, where))
        require(len(player.reserved) <= self.limits[seat], f"{where} has reserved too many cards")
        for i, name in enumerate(player.reserved):
            if name in ("??1", "??2", "??3"):
                require(seat != self.form.viewer, f"{where} knows its own reserve")
                card = at.UNKNOWN + int(name[2]) - 1
                self.in_level[card - at.UNKNOWN] += 1
            else:
                card = self._card(name, None, where)
            self.row[me + at.RESERVED + i] = self.by.priced[card]
        for i in range(len(player.reserved), at.TABLEAU - at.RESERVED):
            self.row[me + at.RESERVED + i] = self.by.priced[at.EMPTY]
        self.row[me + at.RESERVED_COUNT] = len(player.reserved)
        require(set(player.shown) <= set(player.reserved), f"{where} shows what it has reserved")
        self.known_to_all |= names_in(player.shown, self.numbers, where)

    def put_set(self, offset: int, bits: int) -> None:
        """Write a set of cards."""
        self.row[offset] = bits & (1 << self.split) - 1
        self.row[offset + 1] = bits >> self.split

    def _card(self, name: str, level: int | None, where: str) -> int:
        number = self.numbers.get(name, 128)
        require(number < self.levels[2], f"{where}: {name[:40]!r} is no card of it")
        require(name not in self.placed, f"{name} is in two places")
        its_level = sum(number >= end for end in self.levels[:2])
        require(level in (None, its_level), f"{where}: {name} is of level {its_level + 1}")
        self.placed.add(name)
        self.in_level[its_level] += 1
        return number


def read_standing(by: Rules, row: Row, form: ViewData) -> None:
    """Write where the game stands: phase, seat, turns, outcome."""
    at = by.layout
    require(form.phase in at.PHASES, f"{form.phase[:40]!r} is no phase of {by.game}")
    require(form.seat < by.seats, f"there is no seat {form.seat}")
    require(form.viewer is None or form.viewer < by.seats, f"there is no seat {form.viewer}")
    is_over = form.phase == "over"
    require((form.outcome is not None) == is_over, "a game is over when it has an outcome")
    require(form.turns <= at.MAX_TURNS - (not is_over), f"no game has {form.turns} turns")
    row[at.PHASE] = at.PHASES.index(form.phase)
    row[at.SEAT] = form.seat
    row[at.TURNS] = form.turns
    if form.outcome is not None:
        require(form.outcome.reason in at.REASONS[1:], "no game ends for that reason")
        require(set(form.outcome.winners) <= set(range(by.seats)), "the winners are seats")
        row[at.REASON] = at.REASONS.index(form.outcome.reason)
        row[at.WINNERS] = sum(1 << seat for seat in set(form.outcome.winners))


def read_step(text: str | None, steps: Sequence[str]) -> int:
    """The place of a decision in the order in which a payment is spelled; 0 for None."""
    if text is None:
        return 0
    require(text in steps[1:], f"{text[:40]!r} is no step of a payment")
    return steps.index(text)


def check_payment(
    price: Mapping[str, int], gold_laid: Mapping[str, int], tokens: Mapping[str, int]
) -> None:
    """Gold can only be laid for tokens that would be paid, and only as much as there is."""
    for letter, laid in gold_laid.items():
        has = min(price.get(letter, 0), tokens.get(letter, 0))
        require(laid <= has and letter != "y", f"gold is laid for {laid} {letter}, not for {has}")
    lacking = sum(max(n - tokens.get(k, 0), 0) for k, n in price.items() if k != "y")
    gold = lacking + price.get("y", 0) + sum(gold_laid.values())
    require(not gold_laid or gold <= tokens.get("y", 0), "there is not so much gold to lay")


def check_legal(position: Position, decision: str | None = None) -> None:
    """Something may be done in a position, or a certain decision."""
    legal = position.rules.legal(position.words)
    require(legal, f"nothing can be done in phase {position.phase}")
    if decision is not None:
        number = position.rules.decision_ids.get(decision, -1)
        require(number in legal, f"{decision!r} was not legal")


def kinds(letters: str) -> int:
    """A set of kinds."""
    require(set(letters) <= set(LETTERS), f"{letters[:40]!r} are no kinds of token")
    return sum(1 << KIND_OF_LETTER[letter] for letter in set(letters))
