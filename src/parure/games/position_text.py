"""Position texts: a state or a view in one line, like FEN in chess; docs/rules/position.md.

`text_of` writes a position and `parse_position` reads it. Both go through the data of a view
(:mod:`parure.games.view_schema`), so a text is checked by the parser that also reads JSON. What
only one game has is in its own module `position_text`, found through the registry.

>>> import parure
>>> state = parure.new("splendor", seed=7)
>>> view = state.view(0)
>>> view.text()
'splendor-2/view:0/seat:0/turns:0/D1:16,01,37,24/D2:20,28,11,02/D3:08,01,12,11/N:01,05,10'
>>> parse_position(view.text()) == view, parse_position(state.text()) == state
(True, True)
"""

from __future__ import annotations

import hashlib
import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from random import Random
from typing import Any, ClassVar

import numpy as np

from parure.errors import InvalidPosition, NotationError
from parure.games import notation
from parure.games.engine.tokens import KIND_OF_LETTER, spell
from parure.games.payment_steps import play_steps
from parure.games.position import Position
from parure.games.registry import family_of, import_part, rules, rules_from_label
from parure.games.rules import Rules
from parure.games.setup import shuffle_some
from parure.games.state import State
from parure.games.view import View
from parure.games.view_parser import DECK_NAMES, HiddenCards, read_view, require
from parure.games.view_schema import PlayerData, ViewData, view_data

MAX_LENGTH = 4000  # the longest texts have some 1,200 characters
UNKNOWN = "??"
GAP, EMPTIED_GAP = "-", "--"
NONE = "none"
WATCHER = "all"

_SEPARATORS = re.compile(r"[/\s]+")
_COUNTERFEITERS = re.compile(r"\s*duel[-+ ]counterfeiters\b")
_CARD = re.compile(r"([a-z]?)([123])-(\d\d)(\??)([wugrk]?)")
_TILE = re.compile(r"([crn])(\d{1,2})")
_RUN = re.compile(r"\?\?(?:x(\d{1,2}))?")


# --- writing --------------------------------------------------------------------------------------


def text_of(position: Position) -> str:
    """Return the text of a state or a view."""
    text_format = format_of(position.rules)
    view = position
    if not isinstance(view, View):  # what a viewer without secrets would see
        view = position.rules.view_type(position.rules, position.words, None)
    data = view_data(view, with_cards=False)
    fields = [*_progress(position, data)]
    fields += _rows(text_format, data)
    fields += text_format.table_fields(view, data)
    for seat, player in enumerate(data.players):
        fields += _seat_fields(text_format, seat, player)
    fields += _decks(text_format, position)
    if isinstance(position, State):
        fields += text_format.knowledge_fields(position)
    label = position.rules.label.replace("+", "-")
    return "/".join([label, *(f"{key}:{value}" for key, value in fields)])


def _progress(position: Position, data: ViewData) -> Iterator[tuple[str, object]]:
    """Yield the fields that say whose turn it is and how far the game has come."""
    if isinstance(position, View):
        yield "view", WATCHER if position.viewer is None else position.viewer
    options = [name for name, is_on in data.options.items() if is_on]
    if options:
        yield "options", ",".join(options)
    yield "seat", data.seat
    yield "turns", data.turns
    if data.outcome is not None:
        yield "result", ",".join([data.outcome.reason, *map(str, data.outcome.winners)])
    elif data.phase != "turn":
        yield "phase", data.phase


def _rows(text_format: TextFormat, data: ViewData) -> Iterator[tuple[str, str]]:
    marks = text_format.gap_marks(data)
    slot = 0
    for level, names in enumerate(data.pyramid, start=1):
        items = []
        for name in names:
            items.append(name[3:] if name else marks.get(slot, GAP))
            slot += 1
        yield f"{text_format.letter}{level}", ",".join(items)


def _seat_fields(
    text_format: TextFormat, seat: int, player: PlayerData
) -> Iterator[tuple[str, object]]:
    if player.tokens:
        yield f"tokens{seat}", spell(player.tokens)
    cards = text_format.collection(player)
    if cards:
        yield f"cards{seat}", ",".join(cards)
    if player.reserved:
        public = set(player.shown)
        yield (
            f"reserved{seat}",
            ",".join(
                name if name in public or name.startswith(UNKNOWN) else f"{name}?"
                for name in player.reserved
            ),
        )
    yield from text_format.seat_fields(seat, player)


def _decks(text_format: TextFormat, position: Position) -> Iterator[tuple[str, str]]:
    """Yield all decks of a state, and those of a view in which the viewer has seen a card."""
    for deck in range(text_format.deck_count(position.rules)):
        names = text_format.deck_names(position, deck)
        if isinstance(position, State):
            yield f"deck{DECK_NAMES[deck]}", ",".join(map(short_name, names)) or NONE
        elif not all(name.startswith(UNKNOWN) for name in names):
            items = []
            for name, run in groupby(short_name(name) for name in names):
                number = len(list(run))
                items.append(name if number == 1 else f"{name}x{number}")
            yield f"deck{DECK_NAMES[deck]}", ",".join(items)


def short_name(name: str) -> str:
    """Return a card without its deck.

    >>> short_name("J2-05"), short_name("C17"), short_name("??2")
    ('05', '17', '??')
    """
    if name.startswith(UNKNOWN):
        return UNKNOWN
    return name[3:] if "-" in name else name[1:]


# --- reading --------------------------------------------------------------------------------------


def parse_position(text: str) -> State | View:
    """Return the state or view that a position text describes.

    A text with `view`, with an unknown card (`??`) or without decks is a view; without `view` it is
    that of the seat to move.

    Raises:
        NotationError: The text cannot be read.
        InvalidPosition: The text contradicts itself, or the position cannot come up.
    """
    fields = Fields(text)
    found = _rules(fields)
    text_format = format_of(found)
    is_view = fields.is_view
    data: dict[str, Any] = {
        "game": found.game,
        "options": dict(found.options),
        "seats": found.seats,
    }
    _read_progress(fields, data)
    data["pyramid"], emptied = _read_rows(fields, text_format, found)
    data["players"] = [_read_seat(fields, text_format, seat) for seat in range(found.seats)]
    text_format.read_table(fields, data, emptied, found)
    payment = text_format.read_payment(fields)
    number = text_format.deck_count(found)
    decks = [_read_deck(fields, text_format, deck) for deck in range(number)]
    known = [fields.cards(f"known{seat}", text_format.letter) for seat in range(found.seats)]
    fields.finish()
    if is_view:
        require(not any(known), "a view holds what its viewer knows; known0, known1 are for states")
        return _parse_view(data, text_format, decks, payment)
    hidden = HiddenCards(
        [player["reserved"] for player in data["players"]], [deck or [] for deck in decks], known
    )
    return _parse_state(data, text_format, hidden, payment)


def _parse_view(
    data: dict[str, Any],
    text_format: TextFormat,
    decks: Sequence[list[str] | None],
    payment: Sequence[str],
) -> View:
    for deck, names in enumerate(decks[3:], start=3):
        is_unknown = all(name == UNKNOWN for name in names or ())
        require(is_unknown, f"nobody has seen a card of deck {DECK_NAMES[deck]}")
    text_format.put_known(data, decks[:3])
    _read_payment(data, payment)
    view: View = read_view(data).view
    for deck, names in enumerate(decks):
        if names is not None:
            size = view._field(view.rules.layout.DECK_SIZES + deck)
            where = f"deck {DECK_NAMES[deck]}"
            require(len(names) == size, f"{where} has {size} cards, not {len(names)}")
    return view


def _parse_state(
    data: dict[str, Any], text_format: TextFormat, hidden: HiddenCards, payment: Sequence[str]
) -> State:
    """Return a state: the view of the seat to move, completed by what that seat does not know."""
    mover = data["viewer"] = data["seat"]
    seen = set(hidden.known[mover]) if mover < len(hidden.known) else set()
    for seat, player in enumerate(data["players"]):
        if seat != mover:
            player["reserved"] = [
                name if name in player["shown"] or name in seen else f"{UNKNOWN}{name[1:2]}"
                for name in player["reserved"]
            ]
    text_format.put_known(
        data, [[n if n in seen else UNKNOWN for n in names] for names in hidden.decks[:3]]
    )
    _read_payment(data, payment)
    parser = read_view(data)
    row = parser.complete(hidden)
    state: State = parser.rules.state_type(parser.rules, row, np.zeros(1, np.uint64))
    state._position = text_of(state)
    state.rng[:] = _seed(state._position)
    return state


def _seed(text: str) -> int:
    """Return the seed for playing on from a position, which depends on nothing else."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "little")


def _read_payment(data: dict[str, Any], payment: Sequence[str]) -> None:
    """Play the decisions of a payment, and add what it is like then."""
    if not payment:
        return
    phase = "window" if payment[0].startswith("use ") else "turn"
    before: View = read_view({**data, "phase": phase, "outcome": None}).view
    layout, row = before.rules.layout, before.words
    for step in payment:
        after = play_steps(before.rules, row, [step])
        if after is None:
            raise InvalidPosition(f"{step!r} was not legal")
        row = after
    is_paying = row[layout.PHASE] == layout.PAY
    require(is_paying, f"nothing is left to choose after {', '.join(payment)}")
    buying = view_data(type(before)(before.rules, row, before.viewer), with_cards=False).buying
    assert buying is not None
    data["buying"] = {name: getattr(buying, name) for name in buying.__struct_fields__}


def _rules(fields: Fields) -> Rules:
    options = fields.take("options")
    named = [] if options is None else options.split(",")
    found = rules_from_label(fields.label)
    return rules(found.game, found.seats, dict.fromkeys(named, True))


def _read_progress(fields: Fields, data: dict[str, Any]) -> None:
    last = data["seats"] - 1
    data["seat"] = fields.number("seat", 0, last)
    viewer = fields.take("view")
    data["viewer"] = None if viewer == WATCHER else data["seat"]
    if viewer not in (None, WATCHER):
        data["viewer"] = number(viewer or "", "view", last)
    data["turns"] = fields.number("turns", data["seat"])
    data["phase"] = fields.take("phase")
    result = fields.take("result")
    data["outcome"] = None
    if result is not None:
        reason, *winners = result.split(",")
        seats = [number(seat, "result") for seat in winners]
        data["outcome"] = {"reason": reason, "winners": seats}
        if data["phase"] not in (None, "over"):
            raise InvalidPosition(f"a game with a result is over, not in phase {data['phase']}")
        data["phase"] = "over"
    elif data["phase"] is None:
        data["phase"] = "pay" if "buying" in fields or "using" in fields else "turn"


def _read_rows(
    fields: Fields, text_format: TextFormat, rules: Rules
) -> tuple[list[list[str | None]], dict[int, str]]:
    """Return the pyramid, and how each gap is marked, by slot."""
    rows, gaps, slot = [], {}, 0
    for level, places in enumerate(rules.view_type.face_up, start=1):
        key = f"{text_format.letter}{level}"
        items = split(fields.require(key.lower()), key)
        problem = f"{key} lists {len(items)} cards for {places} places; write - for no card"
        require(len(items) == places, problem)
        names: list[str | None] = []
        for item in items:
            is_gap = item in (GAP, EMPTIED_GAP)
            names.append(None if is_gap else card_name(item, text_format.letter, str(level)))
            if is_gap:
                gaps[slot] = item
            slot += 1
        rows.append(names)
    return rows, gaps


def _read_seat(fields: Fields, text_format: TextFormat, seat: int) -> dict[str, Any]:
    letters = fields.take(f"tokens{seat}") or ""
    if unknown := set(letters) - set(KIND_OF_LETTER):
        raise NotationError(f"tokens{seat}: {min(unknown)!r} is no kind of token")
    reserved, shown = [], []
    for item in fields.items(f"reserved{seat}"):
        if re.fullmatch(r"\?\?[123]", item):
            reserved.append(item)
            continue
        match = _CARD.fullmatch(item)
        if match is None or match[5]:
            card = f"{text_format.letter}1-05"
            raise NotationError(f"reserved{seat}: {item[:40]!r} is no card; write {card} or ??1")
        reserved.append(f"{text_format.letter}{match[2]}-{match[3]}")
        if not match[4]:
            shown.append(reserved[-1])
    player: dict[str, Any] = {
        "tokens": {letter: letters.count(letter) for letter in letters},
        "reserved": reserved,
        "shown": shown,
    }
    text_format.read_seat(fields, seat, player)
    return player


def _read_deck(fields: Fields, text_format: TextFormat, deck: int) -> list[str] | None:
    """Return the cards of a deck; None if the text does not mention it."""
    name = DECK_NAMES[deck]
    value = fields.take(f"deck{name.lower()}")
    if value is None or value == NONE:
        return None if value is None else []
    cards: list[str] = []
    for item in split(value, f"deck{name}"):
        run = _RUN.fullmatch(item)
        if run:
            cards += [UNKNOWN] * int(run[1] or 1)
        elif deck < 3:
            cards.append(card_name(item, text_format.letter, name))
        else:
            cards.append(tile_name(item, name))
    return cards


def card_name(item: str, letter: str, level: str) -> str:
    """Return the id of a card, which in a row or deck of a level may be written as a number.

    >>> card_name("05", "J", "2"), card_name("j2-05", "J", "2"), card_name("j2-05", "J", "")
    ('J2-05', 'J2-05', 'J2-05')
    """
    if level and re.fullmatch(r"\d{1,2}", item):
        return f"{letter}{level}-{int(item):02}"
    match = _CARD.fullmatch(item)
    if match is None or match[4] or match[5] or match[1] not in ("", letter.lower()):
        example = f"{letter}{level}-05 or 05" if level else f"{letter}1-05"
        raise NotationError(f"{item[:40]!r} is no card; write {example}")
    return f"{letter}{match[2]}-{match[3]}"


def tile_name(item: str, letter: str) -> str:
    """Return the id of a Counterfeiter, a royal or a noble, which may be written as a number.

    >>> tile_name("5", "C"), tile_name("r5", "R")
    ('C05', 'R5')
    """
    match = _TILE.fullmatch(item if item[:1].isalpha() else f"{letter.lower()}{item}")
    if match is None or match[1] != letter.lower():
        raise NotationError(f"{item[:40]!r} is none of the cards {letter}")
    digits = int(match[2])
    return f"R{digits}" if letter == "R" else f"{letter}{digits:02}"


def number(text: str, key: str, most: int = 999) -> int:
    """Return a count up to a limit."""
    if not re.fullmatch(r"[0-9]{1,3}", text) or int(text) > most:
        raise NotationError(f"{key}: {text[:40]!r} is no number from 0 to {most}")
    return int(text)


def split(text: str, key: str) -> list[str]:
    """Return the items of a list, none of which is empty."""
    items = text.split(",")
    if not all(items):
        raise NotationError(f"{key}: an item is missing before or after a comma")
    return items


def reshuffled(state: State, rng: Random) -> str:
    """Return the text that a game started from, with the cards that nobody has seen yet reordered.

    The decisions played since then lead to the same views as before.
    """
    assert state._first is not None
    first = type(state)(state.rules, state._first.copy(), state.rng)
    layout = state.rules.layout
    for deck in range(layout.DECKS):
        end, size = layout.DECK_ENDS[deck], first._field(layout.DECK_SIZES + deck)
        unseen = set(state._deck_numbers(deck))
        if deck < 3:
            unseen -= {state.card_numbers[name] for name in state.seen_in_decks}
        place = 8 * layout.DECK_BYTES + end
        first.row[place - size : place] = shuffle_some(first._deck_numbers(deck), unseen, rng)
    return text_of(first)


class Fields:
    """The fields of a text; each is taken once, and none may be left."""

    def __init__(self, text: str) -> None:
        if not isinstance(text, str):
            raise NotationError(f"a position is a text, not {type(text).__name__}")
        if len(text) > MAX_LENGTH:
            raise NotationError(f"too long for a position: {len(text):,} characters")
        text = _COUNTERFEITERS.sub("duel+counterfeiters", text.lower().strip())
        self.label, *pieces = _SEPARATORS.split(text)
        self._values: dict[str, str] = {}
        for piece in pieces:
            key, colon, value = piece.partition(":")
            if not piece:
                continue
            if not colon or not value:
                raise NotationError(f"{notation.shorten(piece)} is no field; write key:value")
            if key in self._values:
                raise NotationError(f"{key[:40]} is given twice")
            self._values[key] = value
        has_deck = any(key.startswith("deck") for key in self._values)
        self.is_view = "view" in self._values or UNKNOWN in text or not has_deck

    def __contains__(self, key: str) -> bool:
        return key in self._values

    def take(self, key: str) -> str | None:
        """Return the value of a field; None if it is not there."""
        return self._values.pop(key, None)

    def require(self, key: str) -> str:
        """Return the value of a field that must be there."""
        value = self.take(key)
        if value is None:
            shown = key.upper() if len(key) < 3 else key  # J1, D2, C, R, N
            raise InvalidPosition(f"the position lacks {shown}")
        return value

    def number(self, key: str, default: int, most: int = 999) -> int:
        """Return a field that is a number."""
        value = self.take(key)
        return default if value is None else number(value, key, most)

    def items(self, key: str) -> list[str]:
        """Return the items of a list; none if the field is not there."""
        value = self.take(key)
        return [] if value is None else split(value, key)

    def cards(self, key: str, letter: str) -> list[str]:
        """Return a list of cards with their levels."""
        return [card_name(item, letter, "") for item in self.items(key)]

    def finish(self) -> None:
        """Raise NotationError if a field is left, which then belongs to no position."""
        if self._values:
            names = ", ".join(key[:20] for key in list(self._values)[:3])
            raise NotationError(f"this position has no field {names}")


# --- the parts of a game --------------------------------------------------------------------------


def format_of(rules: Rules) -> TextFormat:
    """Return what only the texts of a game have."""
    found: TextFormat = import_part(family_of(rules.game).position_text)
    return found


class TextFormat(ABC):
    """The fields of position texts that only one family of games has."""

    letter: ClassVar[str]  # with which the ids of cards begin

    @abstractmethod
    def deck_count(self, rules: Rules) -> int:
        """Return the number of decks."""

    @abstractmethod
    def deck_names(self, position: Position, deck: int) -> Sequence[str]:
        """Return the cards of a deck, top first."""

    def gap_marks(self, data: Any) -> Mapping[int, str]:
        """Return how gaps of the pyramid are written where that is not `-`, by slot."""
        return {}

    @abstractmethod
    def table_fields(self, view: Any, data: Any) -> Iterator[tuple[str, object]]:
        """Yield the fields of the table and of the decision in progress."""

    @abstractmethod
    def collection(self, player: Any) -> list[str]:
        """Return everything that lies face up before a seat."""

    def seat_fields(self, seat: int, player: Any) -> Iterator[tuple[str, object]]:
        """Yield what else a seat has."""
        yield from ()

    def knowledge_fields(self, state: Any) -> Iterator[tuple[str, str]]:
        """Yield the hidden cards that seats have seen."""
        yield from ()

    @abstractmethod
    def read_seat(self, fields: Fields, seat: int, player: dict[str, Any]) -> None:
        """Add the cards of a seat and what else it has."""

    @abstractmethod
    def read_table(
        self, fields: Fields, data: dict[str, Any], gaps: Mapping[int, str], rules: Rules
    ) -> None:
        """Add the table and the decision in progress; `gaps` are the marks by slot."""

    def read_payment(self, fields: Fields) -> list[str]:
        """Return the decisions of the payment in progress; none between purchases."""
        items = fields.items("buying")
        if not items:
            return []
        card, *steps = items
        return [f"buy {self.bought_name(card)}", *map(self.payment_step, steps)]

    def bought_name(self, item: str) -> str:
        """Return the id of a card that is being bought."""
        return card_name(item, self.letter, "")

    def payment_step(self, item: str) -> str:
        """Return the decision that an item of a payment stands for."""
        return f"gold-for {item}"

    def put_known(self, data: dict[str, Any], decks: Sequence[list[str] | None]) -> None:
        """Add the cards of decks that the viewer has seen."""
        is_unknown = all(name == UNKNOWN for names in decks for name in names or ())
        require(is_unknown, f"nobody has seen a card of a deck in {data['game']}")
