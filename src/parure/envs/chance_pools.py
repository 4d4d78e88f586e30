"""What chance can draw in a game: the part of explicit chance that differs between games."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from parure.games.engine.arrays import Row
from parure.games.engine.tokens import LETTERS
from parure.games.rules import Rules
from parure.observations.layout import WORD_BYTES

TOKEN_POOL = "token"
LEVELS = (1, 2, 3)


class ChancePools(ABC):
    """The pools that chance draws from, each with a name such as `token` or `deck 1`.

    Args:
        rules: The rules of the game.
        pools: The tokens or cards of each pool before anything is drawn.
        setup_draws: What the set-up draws, in order: a pool and a number.
        decks: The decks in the order in which a decision draws from them: the number of the deck
            in the row, and its pool.

    Attributes:
        setup_draws: The pool of each single draw of the set-up.
        outcomes: Everything that chance can draw. A position in it is an OpenSpiel action.
        outcome_numbers: The position of each outcome.
    """

    def __init__(
        self,
        rules: Rules,
        pools: Mapping[str, list[str]],
        setup_draws: Sequence[tuple[str, int]],
        decks: Sequence[tuple[int, str]],
    ) -> None:
        self.rules = rules
        self.pools = pools
        self.setup_draws = [pool for pool, count in setup_draws for _ in range(count)]
        self.decks = decks
        cards = (card for pool, names in pools.items() if pool != TOKEN_POOL for card in names)
        self.outcomes = (*LETTERS, *cards)
        self.outcome_numbers = {name: number for number, name in enumerate(self.outcomes)}

    @cached_property
    def deck_names(self) -> dict[int, list[str]]:
        """The names of the cards by their numbers, for each deck."""
        names = range(len(self.rules.view_type.card_names))
        return {deck: [self.card_name(deck, n) for n in names] for deck, _ in self.decks}

    @cached_property
    def card_outcomes(self) -> dict[int, list[int]]:
        """The outcomes of drawing the cards by their numbers, for each deck; -1 for no card."""
        numbers = self.outcome_numbers
        return {
            deck: [numbers.get(name, -1) for name in names]
            for deck, names in self.deck_names.items()
        }

    @cached_property
    def deck_words(self) -> tuple[int, int]:
        """The first word of a row that holds the sizes and cards of decks, and the one after."""
        layout = self.rules.layout
        return layout.DECK_SIZES, layout.DECK_BYTES + -(-layout.DECK_ENDS[-1] // WORD_BYTES)

    @abstractmethod
    def record_setup(self, drawn: Sequence[str]) -> dict[str, Any]:
        """Return the set-up of a record in which chance drew these, one for each set-up draw."""

    def known_cards(self, row: Row, deck: int) -> set[int]:
        """Return the cards of a deck whose places some seat knows."""
        return set()

    def is_peeking(self, row: Row) -> bool:
        """Return whether the seat to move is looking at cards of a deck."""
        return False

    def peeked_count(self, row: Row, deck: int) -> int:
        """Return the number of cards on top of a deck that the seat to move is looking at."""
        return 0

    def card_name(self, deck: int, card: int) -> str:
        """Return the name of a card of a deck."""
        return self.rules.view_type.card_names[card]

    def drawn_by_pool(self, drawn: Sequence[str]) -> dict[str, list[str]]:
        """Return what the set-up drew from each pool."""
        by_pool: dict[str, list[str]] = {pool: [] for pool in self.pools}
        for pool, name in zip(self.setup_draws, drawn, strict=True):
            by_pool[pool].append(name)
        return by_pool

    def with_rest(self, pool: str, drawn: Sequence[str]) -> list[str]:
        """Return the cards drawn from a pool, then the rest of it in a fixed order."""
        return [*drawn, *(name for name in self.pools[pool] if name not in drawn)]


def deck_pool(level: int) -> str:
    """Return the name of the pool of a level's deck."""
    return f"deck {level}"


def level_pools(decks: Sequence[Sequence[str]]) -> dict[str, list[str]]:
    """Return the pools of the three decks of a set-up."""
    return {deck_pool(level): sorted(deck) for level, deck in zip(LEVELS, decks, strict=True)}


def level_draws(rules: Rules) -> list[tuple[str, int]]:
    """Return the draws that fill the face-up rows."""
    return [
        (deck_pool(level), count)
        for level, count in zip(LEVELS, rules.state_type.face_up, strict=True)
    ]


LEVEL_DECKS = [(level - 1, deck_pool(level)) for level in LEVELS]
