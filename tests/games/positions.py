"""Positions for the rule tests, written in notation.

A position says only what matters; everything else is filled in so that the whole is a table as it
could lie: each card in one place, and each token on the board, in a hand or in the bag.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypedDict

from parure.games.api import new
from parure.games.duel import layout as duel_layout
from parure.games.duel.card_table import PRICED_CARDS
from parure.games.duel.cards import COUNTERFEITERS, JEWELS, ROYALS
from parure.games.duel.geometry import CELLS, SPIRAL
from parure.games.duel.state import CARD_NUMBERS, JOKERS, ROYAL_NUMBERS, DuelState
from parure.games.engine.rng import new_rng
from parure.games.engine.tokens import GEMS, KIND_OF_LETTER, LETTERS, pack
from parure.games.record import FORMAT, Record, first_state
from parure.games.registry import rules
from parure.games.splendor import layout as splendor_layout
from parure.games.splendor.cards import DEVELOPMENTS, NOBLES
from parure.games.splendor.state import NOBLE_NUMBERS, SplendorState
from parure.games.state import State

DUEL, COUNTERFEIT = "duel", "duel+counterfeiters"
PLAIN_TOKENS = "wwwwuuuuggggrrrrkkkkppyyy"
ALL_TOKENS = "wwwwuuuuggggrrrrkkkkppvvvvyyy"

_JEWELS = {jewel.id: jewel for jewel in JEWELS}
_COUNTERFEITERS = [card.id for card in COUNTERFEITERS]
_ROYALS = {royal.id: royal for royal in ROYALS}
_DEVELOPMENTS = {card.id: card for card in DEVELOPMENTS}


@dataclass(frozen=True)
class Seat:
    """What a seat holds. `cards` are those bought; a joker names its color: `J1-26=w`.

    `bonuses`, `points` and `crowns` come on top of what the cards bring.
    """

    tokens: str = ""
    cards: str = ""
    reserved: str = ""
    royals: str = ""
    nobles: str = ""
    counterfeiters: str = ""
    privileges: int = 0
    bonuses: str = ""
    points: int = 0
    crowns: int = 0

    @property
    def names(self) -> list[str]:
        """The cards bought, without the colors of jokers."""
        return [name.partition("=")[0] for name in self.cards.split()]


NOBODY = Seat()


class Table(TypedDict, total=False):
    """What a test may say of the table around what it looks at; see `duel`."""

    bag: str
    face_up: str
    coming: str
    deck_sizes: str
    royals: str
    coming_royals: str
    counterfeiters: str
    coming_counterfeiters: str


def play(state: State, *decisions: str) -> None:
    """Take one decision after the other."""
    for decision in decisions:
        state.play(decision)


def legal(state: State, verb: str = "") -> set[str]:
    """The legal decisions, or those with a certain verb."""
    return {text for text in state.legal_decisions if not verb or text.split()[0] == verb}


def packed(letters: str) -> int:
    """Tokens as the kernel counts them."""
    return pack(letters.count(letter) for letter in LETTERS)


# --- Duel -----------------------------------------------------------------------------------------


def duel_setup(
    game: str = DUEL,
    *,
    board: str = "",
    decks: str = "",
    royals: str = "",
    counterfeiters: str = "",
) -> dict[str, Any]:
    """A set-up as a record has it: what is named comes first, the rest in the order of the files.

    `board` are tokens along the spiral, `decks` cards of all levels.
    """
    is_plain = game == DUEL
    rest = Counter(PLAIN_TOKENS if is_plain else ALL_TOKENS) - Counter(board)
    tokens = board + "".join(sorted(rest.elements(), key=LETTERS.index))
    return {
        "board": tokens[:25],
        "bag": tokens[25:],
        "decks": _decks(decks.split(), _JEWELS),
        "royals": _first(royals.split(), list(_ROYALS)[: 4 if is_plain else 12]),
        "counterfeiters": [] if is_plain else _first(counterfeiters.split(), _COUNTERFEITERS),
    }


def duel_of(setup: Mapping[str, Any], game: str = DUEL) -> DuelState:
    """The first state of a set-up."""
    state = first_state(Record(FORMAT, game, {}, ["a", "b"], dict(setup), []))
    assert isinstance(state, DuelState)
    return state


def new_duel(game: str = DUEL, *, seed: int) -> DuelState:
    """A shuffled game."""
    state = new(game, seed=seed)
    assert isinstance(state, DuelState)
    return state


def _first(named: Sequence[str], everything: Sequence[str]) -> list[str]:
    assert len(set(named)) == len(named), f"a card is in two places: {named}"
    assert set(named) <= set(everything), f"not cards of this kind: {named}"
    return [*named, *(name for name in everything if name not in named)]


def _decks(named: Sequence[str], everything: Mapping[str, Any]) -> list[list[str]]:
    return [
        _first(
            [name for name in named if name[1] == level],
            [name for name in everything if name[1] == level],
        )
        for level in "123"
    ]


def _stacked(
    named: Sequence[str],
    gone: Sequence[str],
    coming: Sequence[str],
    all_: Sequence[str],
    slots: int,
) -> tuple[list[str], int]:
    """A deck for `slots` face-up cards, and how many cards under these are not in it any more."""
    used = {*named, *gone, *coming}
    assert len(used) == len(named) + len(gone) + len(coming), "a card is in two places"
    fill = [name for name in all_ if name not in used][: slots - len(named)]
    return _first([*named, *fill, *gone, *coming], all_), len(gone)


def duel(
    me: Seat = NOBODY,
    them: Seat = NOBODY,
    *,
    board: str | None = None,
    bag: str | None = None,
    face_up: str = "",
    coming: str = "",
    deck_sizes: str = "",
    royals: str = "",
    coming_royals: str = "",
    counterfeiters: str = "",
    coming_counterfeiters: str = "",
    game: str = DUEL,
    turns: int = 0,
    options: Mapping[str, bool] | None = None,
) -> DuelState:
    """A turn of seat 0 (`me`) begins.

    `board` gives the rows from the top, `.` for an empty cell; what is neither there nor in a hand
    is in the bag. With a `bag` instead, the rest lies along the spiral in kind order.
    `face_up` cards take the first slots, `coming` ones lie on top of their decks; `deck_sizes`
    cuts decks: `1:0 C:2`. `royals` are those face up where not all of them are.
    """
    seats = (me, them)
    decks, gone = [], []
    bought = [name for seat in seats for name in (*seat.names, *seat.reserved.split())]
    for level, slots in enumerate(duel_layout.PYRAMID, start=1):
        deck, missing = _stacked(
            [name for name in face_up.split() if name[1] == str(level)],
            [name for name in bought if name[1] == str(level)],
            [name for name in coming.split() if name[1] == str(level)],
            [name for name in _JEWELS if name[1] == str(level)],
            slots,
        )
        decks.append(deck)
        gone.append(missing)
    setup = duel_setup(game) | {"decks": decks}
    if game != DUEL:
        owned = [name for seat in seats for name in seat.counterfeiters.split()]
        setup["counterfeiters"], missing = _stacked(
            counterfeiters.split(), owned, coming_counterfeiters.split(), _COUNTERFEITERS, 3
        )
        gone.append(missing)
        taken = [name for seat in seats for name in seat.royals.split()]
        setup["royals"], missing = _stacked(
            royals.split(), taken, coming_royals.split(), list(_ROYALS), 4
        )
        gone.append(missing)
    by = rules(game, 2, options)
    words = by.set_up(setup)
    state = DuelState(by, words, new_rng(1))
    _cut_all(state, gone, deck_sizes)
    if royals and game == DUEL:
        words[duel_layout.FACE_UP_ROYALS] = sum(1 << ROYAL_NUMBERS[name] for name in royals.split())
    for number, seat in enumerate(seats):
        _seat_duel(state, number, seat)
        for name in seat.royals.split():
            words[duel_layout.FACE_UP_ROYALS] &= ~(1 << ROYAL_NUMBERS[name])
    _lay_tokens(state, board, bag, me.tokens + them.tokens)
    words[duel_layout.TURNS] = turns
    if by.options.get("anti-blocking") and (me.tokens.count("y"), me.tokens.count("p")) == (3, 2):
        words[duel_layout.SEATS + duel_layout.BLOCKED_TURNS] = 1
    state._first = words.copy()
    return state


def _cut_all(state: State, gone: Sequence[int], deck_sizes: str) -> None:
    """Take away what is not in the decks any more, then cut them to the sizes that are given."""
    for number, missing in enumerate(gone):
        _cut(state, number, missing)
    for part in deck_sizes.split():
        name, _, size = part.partition(":")
        number = "123CR".index(name)
        _cut(state, number, int(state.words[state.rules.layout.DECK_SIZES + number]) - int(size))


def _cut(state: State, deck: int, number: int) -> None:
    """Take cards off a deck and out of sight."""
    layout = state.rules.layout
    first = layout.DECK_BYTES * 8 + layout.DECK_ENDS[deck]
    for _ in range(number):
        state.row[first - int(state.words[layout.DECK_SIZES + deck])] = 0
        state.words[layout.DECK_SIZES + deck] -= 1


def _seat_duel(state: DuelState, number: int, seat: Seat) -> None:
    at, words = duel_layout, state.words
    me = at.SEATS + number * at.SEAT_WORDS
    words[me + at.TOKENS] = packed(seat.tokens)
    words[me + at.PRIVILEGES] = seat.privileges
    bonuses, by_color = seat.bonuses, Counter[str]()
    points, crowns = seat.points, seat.crowns
    for text in seat.cards.split():
        name, _, color = text.partition("=")
        card, place = _JEWELS[name], CARD_NUMBERS[name]
        if card.color == "joker":
            words[me + at.JOKER_COLORS] |= (GEMS.index(color) + 1) << 4 * JOKERS.index(name)
        color = color or card.color
        if color in GEMS:
            bonuses += color * card.bonus
            by_color[color] += card.points
        points += card.points
        crowns += card.crowns
        low = place < at.LEVEL_3
        words[me + at.TABLEAU + (not low)] |= 1 << (place if low else place - at.LEVEL_3)
    for name in seat.royals.split():
        points += _ROYALS[name].points
        words[me + at.ROYALS_HELD] |= 1 << ROYAL_NUMBERS[name]
    discounts = 0  # see `paying`: uses of discounts by the kind that they lower
    for name in seat.counterfeiters.split():
        counterfeiter = COUNTERFEITERS[_COUNTERFEITERS.index(name)]
        words[me + at.COUNTERFEITERS_HELD] |= 1 << _COUNTERFEITERS.index(name)
        crowns += counterfeiter.crowns
        by_effect = {"discount-three": "y", "discount-pearl": "p", "discount-any": "vv"}
        discounts += packed(by_effect.get(counterfeiter.effect, 2 * counterfeiter.color))
    words[me + at.DISCOUNTS] = discounts
    words[me + at.BONUSES] = packed(bonuses)
    words[me + at.SCORE] = points
    words[me + at.SCORE_BY_COLOR] = packed("".join(by_color.elements()))
    words[me + at.CROWNS_HELD] = crowns
    for i, name in enumerate(seat.reserved.split()):
        words[me + at.RESERVED + i] = PRICED_CARDS[CARD_NUMBERS[name]]
        words[me + at.RESERVED_COUNT] = i + 1


def _lay_tokens(state: DuelState, board: str | None, bag: str | None, held: str) -> None:
    at, words = duel_layout, state.words
    left = Counter(PLAIN_TOKENS if state.game == DUEL else ALL_TOKENS)
    left.subtract(held)
    if board is None:
        left.subtract(bag or "")
        rest = sorted(left.elements(), key=LETTERS.index)
        cells = dict(zip((CELLS[i] for i in SPIRAL), rest, strict=False))
        left.subtract(cells.values())
        left.update(bag or "")
    else:
        rows = board.split()
        cells = {
            f"{column}{row}": letter
            for row, letters in enumerate(rows, start=1)
            for column, letter in zip("abcde", letters, strict=True)
            if letter != "."
        }
        left.subtract(cells.values())
    assert min(left.values()) >= 0, f"there are not so many tokens: {left}"
    in_bag = "".join(left.elements())
    assert bag is None or sorted(bag) == sorted(in_bag), f"the bag holds {in_bag}"
    for kind in range(8):
        words[at.BOARD + kind] = 0
    for cell, letter in cells.items():
        words[at.BOARD + KIND_OF_LETTER[letter]] |= 1 << CELLS.index(cell)
    words[at.BAG] = packed(in_bag)


def tokens_in_all(state: DuelState) -> str:
    """Every token of the table, in kind order."""
    found = Counter(state.board.values())
    for part in (state.bag, *(player.tokens for player in state.players)):
        found.update(part)
    return "".join(sorted(found.elements(), key=LETTERS.index))


# --- Splendor -------------------------------------------------------------------------------------


def splendor_setup(players: int = 2, *, decks: str = "", nobles: str = "") -> dict[str, Any]:
    """A set-up as a record has it: what is named comes first, the rest in the order of the files.

    `nobles` are filled up to the number that is revealed.
    """
    names = [noble.id for noble in NOBLES]
    return {
        "decks": _decks(decks.split(), _DEVELOPMENTS),
        "nobles": _first(nobles.split(), names)[: players + 1],
    }


def new_splendor(players: int = 2, *, seed: int) -> SplendorState:
    """A shuffled game."""
    state = new("splendor", players=players, seed=seed)
    assert isinstance(state, SplendorState)
    return state


def splendor(
    *seats: Seat,
    supply: str | None = None,
    face_up: str = "",
    coming: str = "",
    deck_sizes: str = "",
    nobles: str = "",
    seat: int = 0,
    turns: int | None = None,
) -> SplendorState:
    """A turn of a seat begins; two play, or as many as are given.

    Pieces that nobody holds are in the supply; a `supply` that is given instead is all there is.
    `deck_sizes` cuts decks: `1:0`.
    """
    players = max(len(seats), 2)
    seats = (*seats, *[NOBODY] * (players - len(seats)))
    at = splendor_layout
    decks, gone = [], []
    bought = [name for holder in seats for name in (*holder.names, *holder.reserved.split())]
    for level in "123":
        deck, missing = _stacked(
            [name for name in face_up.split() if name[1] == level],
            [name for name in bought if name[1] == level],
            [name for name in coming.split() if name[1] == level],
            [name for name in _DEVELOPMENTS if name[1] == level],
            at.FACE_UP,
        )
        decks.append(deck)
        gone.append(missing)
    by = rules("splendor", players)
    words = by.set_up(splendor_setup(players, nobles=nobles) | {"decks": decks})
    state = SplendorState(by, words, new_rng(1))
    _cut_all(state, gone, deck_sizes)
    for number, holder in enumerate(seats):
        _seat_splendor(state, number, holder)
        for name in holder.nobles.split():
            words[at.FACE_UP_NOBLES] &= ~(1 << NOBLE_NUMBERS[name])
    if supply is not None:
        words[at.SUPPLY] = packed(supply)
    else:
        words[at.SUPPLY] -= packed("".join(holder.tokens for holder in seats))
    words[at.SEAT] = seat
    words[at.TURNS] = seat if turns is None else turns
    state._first = words.copy()
    return state


def _seat_splendor(state: SplendorState, number: int, seat: Seat) -> None:
    at, words = splendor_layout, state.words
    me = at.SEATS + number * at.SEAT_WORDS
    words[me + at.TOKENS] = packed(seat.tokens)
    bonuses, points = seat.bonuses, seat.points
    numbers = state.card_numbers
    for name in seat.names:
        bonuses += _DEVELOPMENTS[name].color
        points += _DEVELOPMENTS[name].points
        low = numbers[name] < at.LEVEL_2
        words[me + at.TABLEAU + (not low)] |= 1 << (numbers[name] - (0 if low else at.LEVEL_2))
    for name in seat.nobles.split():
        points += 3
        words[me + at.NOBLES_HELD] |= 1 << NOBLE_NUMBERS[name]
    words[me + at.BONUSES] = packed(bonuses)
    words[me + at.SCORE] = points
    for i, name in enumerate(seat.reserved.split()):
        words[me + at.RESERVED + i] = state.rules.priced[numbers[name]]
        words[me + at.RESERVED_COUNT] = i + 1


def random_decisions(state: State, seed: int) -> Iterator[str]:
    """Play a random game to its end, one decision at a time; the same one for the same seed."""
    chooser = random.Random(seed)
    while not state.is_over:
        ids = state.legal_decisions.ids
        yield state.play(ids[int(chooser.random() * len(ids))])
