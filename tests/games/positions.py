"""Build positions for the rule tests from a short notation.

A test names only what matters. The rest is filled in so that the position is complete: each card is
in one place, and each token on the board, with a player or in the bag.
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

DUEL, DUEL_COUNTERFEITERS = "duel", "duel+counterfeiters"
PLAIN_TOKENS = "wwwwuuuuggggrrrrkkkkppyyy"
ALL_TOKENS = "wwwwuuuuggggrrrrkkkkppvvvvyyy"

_JEWELS = {jewel.id: jewel for jewel in JEWELS}
_COUNTERFEITERS = [card.id for card in COUNTERFEITERS]
_ROYALS = {royal.id: royal for royal in ROYALS}
_DEVELOPMENTS = {card.id: card for card in DEVELOPMENTS}


@dataclass(frozen=True)
class Seat:
    """What a player has. `cards` are those bought; a joker is written with its color: `J1-26=w`.

    `bonuses`, `points` and `crowns` are added to those of the cards.
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


EMPTY_SEAT = Seat()


class Table(TypedDict, total=False):
    """Keyword arguments of `duel` that tests pass through helpers."""

    bag: str
    face_up: str
    coming: str
    deck_sizes: str
    royals: str
    coming_royals: str
    counterfeiters: str
    coming_counterfeiters: str


def play(state: State, *decisions: str) -> None:
    """Play some decisions."""
    for decision in decisions:
        state.play(decision)


def legal(state: State, verb: str = "") -> set[str]:
    """Return the legal decisions, or those with a verb."""
    return {text for text in state.legal_decisions if not verb or text.split()[0] == verb}


def packed(letters: str) -> int:
    """Return the packed count of tokens written as letters."""
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
    """Return a set-up as in a record: what is given comes first, the rest in file order.

    `board` lists tokens along the spiral, `decks` cards of all levels.
    """
    is_plain = game == DUEL
    rest = Counter(PLAIN_TOKENS if is_plain else ALL_TOKENS) - Counter(board)
    tokens = board + "".join(sorted(rest.elements(), key=LETTERS.index))
    return {
        "board": tokens[:25],
        "bag": tokens[25:],
        "decks": _decks(decks.split(), _JEWELS),
        "royals": _listed_first(royals.split(), list(_ROYALS)[: 4 if is_plain else 12]),
        "counterfeiters": []
        if is_plain
        else _listed_first(counterfeiters.split(), _COUNTERFEITERS),
    }


def duel_from_setup(setup: Mapping[str, Any], game: str = DUEL) -> DuelState:
    """Return the first state of a set-up."""
    record = Record(
        format=FORMAT, game=game, options={}, players=["a", "b"], setup=dict(setup), decisions=[]
    )
    state = first_state(record)
    assert isinstance(state, DuelState)
    return state


def new_duel(game: str = DUEL, *, seed: int) -> DuelState:
    """Return a new shuffled game."""
    state = new(game, seed=seed)
    assert isinstance(state, DuelState)
    return state


def _listed_first(named: Sequence[str], everything: Sequence[str]) -> list[str]:
    assert len(set(named)) == len(named), f"a card is in two places: {named}"
    assert set(named) <= set(everything), f"not cards of this kind: {named}"
    return [*named, *(name for name in everything if name not in named)]


def _decks(named: Sequence[str], everything: Mapping[str, Any]) -> list[list[str]]:
    return [
        _listed_first(
            [name for name in named if name[1] == level],
            [name for name in everything if name[1] == level],
        )
        for level in "123"
    ]


def _stack_deck(
    named: Sequence[str],
    gone: Sequence[str],
    coming: Sequence[str],
    all_cards: Sequence[str],
    slots: int,
) -> tuple[list[str], int]:
    """Return a deck whose first cards fill the slots, and the number of cards to remove from it.

    The cards to remove (`gone`) follow the face-up ones; then come the next ones (`coming`).
    """
    used = {*named, *gone, *coming}
    assert len(used) == len(named) + len(gone) + len(coming), "a card is in two places"
    fill = [name for name in all_cards if name not in used][: slots - len(named)]
    return _listed_first([*named, *fill, *gone, *coming], all_cards), len(gone)


def duel(
    me: Seat = EMPTY_SEAT,
    them: Seat = EMPTY_SEAT,
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
    """Return a state at the start of a turn of seat 0 (`me`).

    Args:
        me: what seat 0 has.
        them: what seat 1 has.
        board: the rows of the board from the top, `.` for an empty cell; all tokens that no player
            has are in the bag. Without it, all tokens that are not in the bag lie on the board,
            along the spiral in kind order.
        bag: the tokens in the bag.
        face_up: the cards in the first slots of their levels.
        coming: the top cards of the decks.
        deck_sizes: sizes to which decks are cut, such as `1:0 C:2`.
        royals: the face-up royals.
        coming_royals: the top cards of the royal deck.
        counterfeiters: the first face-up Counterfeiters.
        coming_counterfeiters: the top cards of the Counterfeiter deck.
        game: plain Duel, or with The Counterfeiters.
        turns: the number of completed turns.
        options: the options of the game.
    """
    seats = (me, them)
    decks, gone = [], []
    bought = [name for seat in seats for name in (*seat.names, *seat.reserved.split())]
    for level, slots in enumerate(duel_layout.PYRAMID, start=1):
        deck, missing = _stack_deck(
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
        setup["counterfeiters"], missing = _stack_deck(
            counterfeiters.split(), owned, coming_counterfeiters.split(), _COUNTERFEITERS, 3
        )
        gone.append(missing)
        taken = [name for seat in seats for name in seat.royals.split()]
        setup["royals"], missing = _stack_deck(
            royals.split(), taken, coming_royals.split(), list(_ROYALS), 4
        )
        gone.append(missing)
    game_rules = rules(game, 2, options)
    words = game_rules.set_up(setup)
    state = DuelState(game_rules, words, new_rng(1))
    _cut_decks(state, gone, deck_sizes)
    if royals and game == DUEL:
        words[duel_layout.FACE_UP_ROYALS] = sum(1 << ROYAL_NUMBERS[name] for name in royals.split())
    for number, seat in enumerate(seats):
        _set_duel_seat(state, number, seat)
        for name in seat.royals.split():
            words[duel_layout.FACE_UP_ROYALS] &= ~(1 << ROYAL_NUMBERS[name])
    _set_tokens(state, board, bag, me.tokens + them.tokens)
    words[duel_layout.TURNS] = turns
    if game_rules.options.get("anti-blocking") and (me.tokens.count("y"), me.tokens.count("p")) == (
        3,
        2,
    ):
        words[duel_layout.SEATS + duel_layout.BLOCKED_TURNS] = 1
    state._first = words.copy()
    return state


def _cut_decks(state: State, gone: Sequence[int], deck_sizes: str) -> None:
    """Remove cards from the decks: those that are elsewhere, then all above the given sizes."""
    for number, missing in enumerate(gone):
        _remove_top_cards(state, number, missing)
    for part in deck_sizes.split():
        name, _, size = part.partition(":")
        number = "123CR".index(name)
        _remove_top_cards(
            state, number, int(state.words[state.rules.layout.DECK_SIZES + number]) - int(size)
        )


def _remove_top_cards(state: State, deck: int, number: int) -> None:
    """Remove cards from the top of a deck; they are nowhere afterwards."""
    layout = state.rules.layout
    first = layout.DECK_BYTES * 8 + layout.DECK_ENDS[deck]
    for _ in range(number):
        state.row[first - int(state.words[layout.DECK_SIZES + deck])] = 0
        state.words[layout.DECK_SIZES + deck] -= 1


def _set_duel_seat(state: DuelState, number: int, seat: Seat) -> None:
    layout, words = duel_layout, state.words
    me = layout.SEATS + number * layout.SEAT_WORDS
    words[me + layout.TOKENS] = packed(seat.tokens)
    words[me + layout.PRIVILEGES] = seat.privileges
    bonuses, by_color = seat.bonuses, Counter[str]()
    points, crowns = seat.points, seat.crowns
    for text in seat.cards.split():
        name, _, color = text.partition("=")
        card, place = _JEWELS[name], CARD_NUMBERS[name]
        if card.color == "joker":
            words[me + layout.JOKER_COLORS] |= (GEMS.index(color) + 1) << 4 * JOKERS.index(name)
        color = color or card.color
        if color in GEMS:
            bonuses += color * card.bonus
            by_color[color] += card.points
        points += card.points
        crowns += card.crowns
        is_in_low_word = place < layout.LEVEL_3
        words[me + layout.TABLEAU + (not is_in_low_word)] |= 1 << (
            place if is_in_low_word else place - layout.LEVEL_3
        )
    for name in seat.royals.split():
        points += _ROYALS[name].points
        words[me + layout.ROYALS_HELD] |= 1 << ROYAL_NUMBERS[name]
    discounts = 0  # as `paying.open_discounts` encodes them
    for name in seat.counterfeiters.split():
        counterfeiter = COUNTERFEITERS[_COUNTERFEITERS.index(name)]
        words[me + layout.COUNTERFEITERS_HELD] |= 1 << _COUNTERFEITERS.index(name)
        crowns += counterfeiter.crowns
        by_effect = {"discount-three": "y", "discount-pearl": "p", "discount-any": "vv"}
        discounts += packed(by_effect.get(counterfeiter.effect, 2 * counterfeiter.color))
    words[me + layout.DISCOUNTS] = discounts
    words[me + layout.BONUSES] = packed(bonuses)
    words[me + layout.SCORE] = points
    words[me + layout.SCORE_BY_COLOR] = packed("".join(by_color.elements()))
    words[me + layout.CROWNS_HELD] = crowns
    for i, name in enumerate(seat.reserved.split()):
        words[me + layout.RESERVED + i] = PRICED_CARDS[CARD_NUMBERS[name]]
        words[me + layout.RESERVED_COUNT] = i + 1


def _set_tokens(state: DuelState, board: str | None, bag: str | None, held: str) -> None:
    layout, words = duel_layout, state.words
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
    assert min(left.values()) >= 0, f"more tokens than the game has: {left}"
    in_bag = "".join(left.elements())
    assert bag is None or sorted(bag) == sorted(in_bag), f"the bag holds {in_bag}"
    for kind in range(8):
        words[layout.BOARD + kind] = 0
    for cell, letter in cells.items():
        words[layout.BOARD + KIND_OF_LETTER[letter]] |= 1 << CELLS.index(cell)
    words[layout.BAG] = packed(in_bag)


def all_tokens(state: DuelState) -> str:
    """Return all tokens of the game, in kind order."""
    found = Counter(state.board.values())
    for part in (state.bag, *(player.tokens for player in state.players)):
        found.update(part)
    return "".join(sorted(found.elements(), key=LETTERS.index))


# --- Splendor -------------------------------------------------------------------------------------


def splendor_setup(players: int = 2, *, decks: str = "", nobles: str = "") -> dict[str, Any]:
    """Return a set-up as in a record: what is given comes first, the rest in file order."""
    names = [noble.id for noble in NOBLES]
    return {
        "decks": _decks(decks.split(), _DEVELOPMENTS),
        "nobles": _listed_first(nobles.split(), names)[: players + 1],
    }


def new_splendor(players: int = 2, *, seed: int) -> SplendorState:
    """Return a new shuffled game."""
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
    """Return a state at the start of a turn; it has at least two seats.

    Args:
        seats: what each player has.
        supply: the tokens in the supply; all that no player has by default.
        face_up: the cards in the first slots of their levels.
        coming: the top cards of the decks.
        deck_sizes: sizes to which decks are cut, such as `1:0`.
        nobles: the first face-up nobles.
        seat: the seat to move.
        turns: the number of completed turns.
    """
    players = max(len(seats), 2)
    seats = (*seats, *[EMPTY_SEAT] * (players - len(seats)))
    layout = splendor_layout
    decks, gone = [], []
    bought = [name for holder in seats for name in (*holder.names, *holder.reserved.split())]
    for level in "123":
        deck, missing = _stack_deck(
            [name for name in face_up.split() if name[1] == level],
            [name for name in bought if name[1] == level],
            [name for name in coming.split() if name[1] == level],
            [name for name in _DEVELOPMENTS if name[1] == level],
            layout.FACE_UP,
        )
        decks.append(deck)
        gone.append(missing)
    game_rules = rules("splendor", players)
    words = game_rules.set_up(splendor_setup(players, nobles=nobles) | {"decks": decks})
    state = SplendorState(game_rules, words, new_rng(1))
    _cut_decks(state, gone, deck_sizes)
    for number, holder in enumerate(seats):
        _set_splendor_seat(state, number, holder)
        for name in holder.nobles.split():
            words[layout.FACE_UP_NOBLES] &= ~(1 << NOBLE_NUMBERS[name])
    if supply is not None:
        words[layout.SUPPLY] = packed(supply)
    else:
        words[layout.SUPPLY] -= packed("".join(holder.tokens for holder in seats))
    words[layout.SEAT] = seat
    words[layout.TURNS] = seat if turns is None else turns
    state._first = words.copy()
    return state


def _set_splendor_seat(state: SplendorState, number: int, seat: Seat) -> None:
    layout, words = splendor_layout, state.words
    me = layout.SEATS + number * layout.SEAT_WORDS
    words[me + layout.TOKENS] = packed(seat.tokens)
    bonuses, points = seat.bonuses, seat.points
    numbers = state.card_numbers
    for name in seat.names:
        bonuses += _DEVELOPMENTS[name].color
        points += _DEVELOPMENTS[name].points
        is_in_low_word = numbers[name] < layout.LEVEL_2
        words[me + layout.TABLEAU + (not is_in_low_word)] |= 1 << (
            numbers[name] - (0 if is_in_low_word else layout.LEVEL_2)
        )
    for name in seat.nobles.split():
        points += 3
        words[me + layout.NOBLES_HELD] |= 1 << NOBLE_NUMBERS[name]
    words[me + layout.BONUSES] = packed(bonuses)
    words[me + layout.SCORE] = points
    for i, name in enumerate(seat.reserved.split()):
        words[me + layout.RESERVED + i] = state.rules.priced[numbers[name]]
        words[me + layout.RESERVED_COUNT] = i + 1


def random_decisions(state: State, seed: int) -> Iterator[str]:
    """Play random decisions that depend only on the seed, and yield each after it is played."""
    chooser = random.Random(seed)
    while not state.is_over:
        ids = state.legal_decisions.ids
        yield state.play(ids[int(chooser.random() * len(ids))])
