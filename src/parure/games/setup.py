"""What the set-ups of all games share: checks and shuffling; see docs/rules/record.md."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from random import Random
from typing import Any

from parure.errors import RecordError


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


def shuffle_last(cards: Sequence[str], number: int, rng: Random) -> list[str]:
    """Return cards with the last `number` of them in random order."""
    last = list(cards[len(cards) - number :])
    rng.shuffle(last)
    return [*cards[: len(cards) - number], *last]
