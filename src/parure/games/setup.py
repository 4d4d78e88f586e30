"""What the set-ups of all games share: checks and shuffling; see docs/rules/record.md."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, Any, TypeVar

from parure.errors import RecordError
from parure.games.engine.arrays import Row
from parure.games.engine.card_storage import card_numbers

if TYPE_CHECKING:
    from parure.games.rules import Layout

Card = TypeVar("Card", str, int)  # an id, or a number of the kernels


def require_keys(setup: Mapping[str, Any], keys: Collection[str]) -> None:
    """Raise RecordError unless a set-up has exactly these keys."""
    for key in setup:
        if key not in keys:
            raise RecordError(f"the set-up has an unknown key {key[:40]!r}")
    for key in keys:
        if key not in setup:
            raise RecordError(f"the set-up lacks {key!r}")


def cards_in(
    where: str, names: Any, numbers: Mapping[str, int], count: int | None = None
) -> list[int]:
    """Return the numbers of a list of card ids: `count` different ones, or all of them."""
    if not isinstance(names, list):
        raise RecordError(f"{where} must be a list of cards")
    found: dict[int, None] = {}
    for name in names:
        if not isinstance(name, str):
            raise RecordError(f"{where} must list the names of cards")
        number = numbers.get(name)
        if number is None:
            raise RecordError(f"{where}: {name[:40]!r} is no card of it")
        if number in found:
            raise RecordError(f"{where}: {name} is there twice")
        found[number] = None
    wanted = len(numbers) if count is None else count
    if len(found) != wanted:
        missing = [name for name, number in numbers.items() if number not in found]
        hint = f"; missing: {', '.join(missing)}" if count is None else ""
        raise RecordError(f"{where} must have {wanted} cards, not {len(found)}{hint}")
    return list(found)


def decks_in(setup: Mapping[str, Any], numbers: Mapping[str, int]) -> list[int]:
    """Return the cards of the three decks, one deck after the other."""
    decks = setup["decks"]
    if not isinstance(decks, list) or len(decks) != 3:
        raise RecordError("the set-up must have three decks")
    places: list[int] = []
    for level, deck in enumerate(decks, start=1):
        of_level = {name: n for name, n in numbers.items() if name[1] == str(level)}
        places += cards_in(f"deck {level}", deck, of_level)
    return places


def dealt_decks(
    row: Row, layout: Layout, names: Sequence[str], face_up: Sequence[int]
) -> list[list[str]]:
    """Return the three decks of a first state as they were shuffled, the face-up cards first."""
    slots = iter(card_numbers(row[layout.SLOTS : layout.SLOTS + sum(face_up)]))
    return [
        [names[next(slots)] for _ in range(size)]
        + [names[card] for card in cards_of_deck(row, layout, deck)]
        for deck, size in enumerate(face_up)
    ]


def cards_of_deck(row: Row, layout: Layout, deck: int) -> bytes:
    """Return the numbers of the cards in a deck, top first."""
    end = layout.DECK_BYTES * row.itemsize + layout.DECK_ENDS[deck]
    # Of all bytes, which is faster than a view of some.
    return row.tobytes()[end - row.item(layout.DECK_SIZES + deck) : end]


def shuffle_some(cards: Sequence[Card], some: Collection[Card], rng: Random) -> list[Card]:
    """Return cards of which some are in random order, in the places that they had together.

    >>> shuffle_some(["a", "b", "c", "d"], ["b", "d"], Random(1))
    ['a', 'd', 'c', 'b']
    """
    shuffled = [card for card in cards if card in some]
    rng.shuffle(shuffled)
    rest = iter(shuffled)
    return [next(rest) if card in some else card for card in cards]


def shuffle_decks(names: Collection[str], rng: Random) -> list[list[str]]:
    """Return the three decks of a new game, given the ids of all their cards."""
    decks = [[name for name in names if name[1] == level] for level in "123"]
    for deck in decks:
        rng.shuffle(deck)
    return decks
