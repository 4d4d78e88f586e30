"""A game as the Python face sees it: its kernel, its tables and its texts, behind one interface.

Everything outside `games/` asks for rules by name:

>>> from parure.games.rules import rules
>>> rules("duel").decision_texts[:3]
('take a1', 'take b1', 'take c1')
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cached_property
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from parure.errors import NotationError
from parure.games.engine import jit as compiled
from parure.games.engine.arrays import Cards, Chance, Menu, Rng, Row
from parure.games.engine.tokens import counts_by_letter

if TYPE_CHECKING:
    from parure.games.position import Position
    from parure.games.state import State
    from parure.games.view import View

MENU_WORDS = 8  # enough for every game
MAX_LEGAL = 256  # decisions at once; 145 lines are most of them
CHANCE_SIZE = 32  # enough for a count and every token


class Rules(ABC):
    """One game with its options and number of seats."""

    game: str
    seats: int
    options: Mapping[str, bool]
    layout: ModuleType
    kernel: ModuleType
    cards: Cards
    priced: Row  # all cards as they lie in slots and reserves
    decision_texts: tuple[str, ...]
    state_type: type[State]
    view_type: type[View]
    known_options: ClassVar[tuple[str, ...]] = ()

    @abstractmethod
    def blank(self) -> Row:
        """A row with only the options in it, ready to be dealt."""

    @abstractmethod
    def lay_out(self, setup: Any) -> Row:
        """The first state of a game whose set-up a record gives; RecordError if it is wrong."""

    @abstractmethod
    def setup_of(self, row: Row) -> Any:
        """The set-up of a first state, as a record gives it."""

    @abstractmethod
    def reason_against(self, position: Position, decision: int) -> str:
        """Why a decision is not legal, in a sentence that the seat to move may read."""

    @abstractmethod
    def unavailable_actions(self, position: Position) -> dict[str, tuple[str, str]]:
        """Why the seat to move cannot take some kinds of action: a code and a sentence each."""

    def redact(self, text: str, is_own: bool) -> str:
        """A decision as told to its own seat or to the others."""
        return text

    def chance_size(self, row: Row, text: str) -> int | None:
        """How many tokens chance brings with a decision; None where it has no part."""
        return None

    def bag(self, row: Row) -> int:
        """The tokens that chance draws from, packed."""
        return 0

    @cached_property
    def decision_ids(self) -> dict[str, int]:
        """The integer of each decision text."""
        return {text: i for i, text in enumerate(self.decision_texts)}

    @cached_property
    def printed_costs(self) -> dict[str, dict[str, int]]:
        """What each card costs before bonuses, by letter."""
        costs = self.cards[self.layout.COST]
        numbers = self.state_type.card_numbers
        return {card: counts_by_letter(costs.item(number)) for card, number in numbers.items()}

    @property
    def label(self) -> str:
        """The game with its number of seats where that varies: `splendor-3`, `duel`."""
        return f"splendor-{self.seats}" if self.game == "splendor" else self.game

    def decision(self, text: str) -> int:
        """The integer of a decision text; NotationError if it is none.

        >>> rules("duel").decision("take a1 b1 c1")
        97
        """
        try:
            return self.decision_ids[text]
        except (KeyError, TypeError):
            shown = text if len(str(text)) <= 60 else f"{str(text)[:60]}…"
            raise NotationError(f"{shown!r} is no decision of {self.game}") from None

    def deal(self, rng: Rng) -> Row:
        """A new game, shuffled."""
        row = self.blank()
        self._announce()
        self.kernel.deal(row, rng, _chance())
        return row

    def legal(self, row: Row) -> list[int]:
        """The legal decisions, in ascending order."""
        self._announce()
        menu: Menu = np.empty(MENU_WORDS, np.int64)
        ids: Row = np.empty(MAX_LEGAL, np.int64)
        number = self.kernel.legal_ids(row, self.cards, menu, ids)
        return sorted(ids[:number].tolist())

    def apply(self, row: Row, decision: int, rng: Rng, known: Sequence[int] = ()) -> list[int]:
        """Do a decision unchecked; gives the kinds that chance brought."""
        self._announce()
        chance = _chance(known)
        self.kernel.apply(row, self.cards, decision, rng, chance)
        return chance[1 : 1 + chance[0]].tolist()

    def _announce(self) -> None:
        compiled.announce_compilation(self.kernel)


def _chance(known: Sequence[int] = ()) -> Chance:
    chance = np.zeros(CHANCE_SIZE, np.uint8)
    chance[0] = len(known)
    chance[1 : 1 + len(known)] = known
    return chance
