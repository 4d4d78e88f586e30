"""The typed interface of a game: everything that differs between games is reached through it.

A :class:`Rules` object is one game with its options and number of seats. It carries the compiled
functions (:class:`Kernel`), the layout of a state's row (:class:`Layout`), the card table, the
decision texts and the Python types of states and views. `parure.rules` finds it by name:

>>> from parure.games.registry import rules
>>> rules("duel").decision_texts[:3]
('take a1', 'take b1', 'take c1')
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol

import msgspec
import numpy as np

from parure.errors import NotationError
from parure.games import notation
from parure.games.engine import jit
from parure.games.engine.arrays import Cards, Chance, Mask, Menu, Rng, Row
from parure.games.engine.rng import check_rng
from parure.games.engine.tokens import LETTERS, counts_by_letter
from parure.games.registry import family_of, label_of
from parure.games.setup import shuffle_some

if TYPE_CHECKING:
    from parure.games.position import Position
    from parure.games.state import State
    from parure.games.view import View

MENU_WORDS = 8  # enough for the menu of every game
MAX_LEGAL = 256  # legal decisions in one position
CHANCE_SIZE = 32  # a count, then a byte for each token that chance can bring


_LETTER_OF_KIND = LETTERS.encode().ljust(256)


class Kernel(Protocol):
    """The compiled functions of a game; `games/duel/kernel.py` and `games/splendor/kernel.py`.

    None of them checks its arguments: rows must be valid and decisions legal. The methods of
    :class:`Rules` are the checked way in.
    """

    def deal(self, s: Row, rng: Rng, chance: Chance, /) -> None:
        """Shuffle and set up a new game with the options already written to the row."""

    def apply(self, s: Row, cards: Cards, decision: int, rng: Rng, chance: Chance, /) -> None:
        """Do a legal decision and everything that follows, up to the next decision."""

    def legal_ids(self, s: Row, cards: Cards, menu: Menu, ids: Row, /) -> int:
        """Write all legal decisions to `ids` and return their number."""

    def choose(self, s: Row, cards: Cards, rng: Rng, menu: Menu, /) -> int:
        """Return a random legal decision, each equally likely."""

    def choose_many(self, rows: Row, cards: Cards, rngs: Rng, menu: Menu, chosen: Row, /) -> None:
        """Write a random legal decision for each row; 0 where the game is over."""

    def playout(self, s: Row, cards: Cards, rng: Rng, menu: Menu, chance: Chance, /) -> int:
        """Play random decisions until the game is over and return their number."""

    def playout_many(
        self, s: Row, cards: Cards, rngs: Rng, menu: Menu, chance: Chance, results: Row, /
    ) -> None:
        """Deal and play out a game from each generator; see `games/playouts.py`."""

    def playout_recorded(
        self, s: Row, cards: Cards, rng: Rng, menu: Menu, chance: Chance, ids: Row, drawn: Chance, /
    ) -> int:
        """Like `playout`, and write the decisions; see `games/random_records.py`."""

    def replay_many(
        self,
        s: Row,
        cards: Cards,
        decisions: Row,
        first: int,
        rng: Rng,
        menu: Menu,
        ids: Row,
        chance: Chance,
        rows: Row,
        masks: Mask,
        /,
    ) -> int:
        """Apply recorded decisions; see `games/record_arrays.py`."""

    def apply_each(self, rows: Row, cards: Cards, chosen: Row, rng: Rng, chance: Chance, /) -> None:
        """Do one legal decision in each row."""

    def hide(self, s: Row, viewer: int, /) -> None:
        """Replace every card that the viewer may not know by an unknown one."""

    def determinize(self, s: Row, rng: Rng, /) -> None:
        """Replace every unknown card by a random one that fits."""


class Layout(Protocol):
    """What lies where in a state's row; `games/duel/layout.py` and `games/splendor/layout.py`.

    Offsets count 64-bit words. Only what every game has is listed here.
    """

    # ruff: noqa: N802
    @property
    def ROW_WORDS(self) -> int: ...
    @property
    def OPTION_WORDS(self) -> int: ...  # at the start of a row, the same in all rows of a game
    @property
    def PHASES(self) -> tuple[str, ...]: ...
    @property
    def TURN(self) -> int: ...
    @property
    def PAY(self) -> int: ...
    @property
    def DISCARD(self) -> int: ...
    @property
    def OVER(self) -> int: ...
    @property
    def REASONS(self) -> tuple[str, ...]: ...
    @property
    def LIMIT_REASON(self) -> int: ...
    @property
    def MAX_TURNS(self) -> int: ...
    @property
    def TOKEN_LIMIT(self) -> int: ...
    @property
    def EVERYONE(self) -> int: ...
    @property
    def PHASE(self) -> int: ...
    @property
    def SEAT(self) -> int: ...
    @property
    def TURNS(self) -> int: ...
    @property
    def REASON(self) -> int: ...
    @property
    def WINNERS(self) -> int: ...
    @property
    def CARD(self) -> int: ...
    @property
    def PRICE(self) -> int: ...
    @property
    def GOLD_LAID(self) -> int: ...
    @property
    def PAY_STEP(self) -> int: ...
    @property
    def SLOTS(self) -> int: ...
    @property
    def DECKS(self) -> int: ...
    @property
    def DECK_SIZES(self) -> int: ...
    @property
    def DECK_BYTES(self) -> int: ...
    @property
    def DECK_ENDS(self) -> Sequence[int]: ...
    @property
    def KNOWN(self) -> int: ...
    @property
    def SEATS(self) -> int: ...
    @property
    def SEAT_WORDS(self) -> int: ...
    @property
    def TOKENS(self) -> int: ...
    @property
    def BONUSES(self) -> int: ...
    @property
    def SCORE(self) -> int: ...
    @property
    def TABLEAU(self) -> int: ...
    @property
    def RESERVED(self) -> int: ...
    @property
    def RESERVED_COUNT(self) -> int: ...
    @property
    def COST(self) -> int: ...
    @property
    def POINTS(self) -> int: ...
    @property
    def EMPTY(self) -> int: ...
    @property
    def UNKNOWN(self) -> int: ...


class CardInfo(msgspec.Struct, frozen=True, kw_only=True):
    """What is printed on a card, noble, royal or Counterfeiter."""

    id: str
    kind: Literal["jewel", "royal", "counterfeiter", "development", "noble"]
    level: int = 0
    color: str = ""  # a token letter, `joker`, or nothing
    bonus: int = 0
    points: int = 0
    crowns: int = 0
    ability: str = ""
    cost: dict[str, int] = {}  # by letter; for a noble the bonuses needed


class Rules(ABC):
    """One game with its options and number of seats."""

    known_options: ClassVar[tuple[str, ...]] = ()

    # What decisions reveal, by how their texts begin; see `parure.table.turn_boundary.reveals`.
    disclosures: ClassVar[tuple[str, ...]] = ()  # show the result of chance, or cards of a deck
    draws: ClassVar[tuple[str, ...]] = ("reserve deck",)  # put a card of a deck into the reserve
    draws_known: ClassVar[tuple[str, ...]] = ()  # the same, but the seat has seen that card
    uncertain: ClassVar[tuple[str, ...]] = ()  # what they reveal decides what they do

    chance_verbs: ClassVar[tuple[str, ...]] = ()  # chance may bring tokens with these decisions
    drawn_in_order: ClassVar[tuple[str, ...]] = ()  # and here the order of the tokens matters

    game: str
    title: str  # as people write it: `Splendor Duel`
    seats: int
    options: Mapping[str, bool]
    kernel: Kernel
    layout: Layout
    cards: Cards
    priced: Row  # all cards as they are stored in slots and reserves
    decision_texts: tuple[str, ...]
    card_infos: tuple[CardInfo, ...]
    state_type: type[State]
    view_type: type[View]

    @abstractmethod
    def blank(self) -> Row:
        """Return a row that holds only the options, ready to be dealt."""

    @abstractmethod
    def set_up(self, setup: Mapping[str, Any]) -> Row:
        """Return the first state of a record's set-up; RecordError if the set-up is wrong."""

    @abstractmethod
    def setup_of(self, row: Row) -> dict[str, Any]:
        """Return the set-up of a first state, as a record holds it."""

    @abstractmethod
    def reason_against(self, position: Position, decision: int) -> str:
        """Return a sentence for the seat to move that says why a decision is not legal."""

    @abstractmethod
    def shuffled_setup(self, rng: Random) -> dict[str, Any]:
        """Return the set-up of a new game; every one is equally likely.

        Unlike `deal`, this takes as much randomness as `rng` has: with `random.SystemRandom` nobody
        can find out the decks from the face-up cards.
        """

    def reshuffled_setup(self, state: State, rng: Random) -> dict[str, Any]:
        """Return a state's set-up with the cards that nobody has seen in another order."""
        setup = state.record().setup
        decks = [
            shuffle_some(deck, set(state.deck(level)) - state.seen_in_decks, rng)
            for level, deck in enumerate(setup["decks"], start=1)
        ]
        return {**setup, "decks": decks}

    def redact(self, text: str, is_own: bool) -> str:
        """Return a decision as its own seat, or any other seat, may read it."""
        return text

    def chance_size(self, row: Row, text: str) -> int | None:
        """Return the number of tokens chance brings with a decision; None where it has no part."""
        return None

    @cached_property
    def has_chance(self) -> tuple[bool, ...]:
        """Whether chance may have a part in each decision."""
        return tuple(text.startswith(self.chance_verbs) for text in self.decision_texts)

    def with_chance(self, text: str, kinds: Sequence[int]) -> str:
        """Return a decision as a record holds it, with the kinds of token that chance brought."""
        return f"{text} > {_letters(bytes(kinds), text in self.drawn_in_order)}"

    def bag(self, row: Row) -> int:
        """Return the tokens that chance draws from, packed."""
        return 0

    @cached_property
    def decision_ids(self) -> dict[str, int]:
        """The integer of each decision text."""
        return {text: i for i, text in enumerate(self.decision_texts)}

    @cached_property
    def _lenient_ids(self) -> dict[str, int]:
        """The integer of each decision by its normalized spelling."""
        return {notation.normalize(text): i for i, text in enumerate(self.decision_texts)}

    @cached_property
    def printed_costs(self) -> dict[str, dict[str, int]]:
        """The cost of each card before bonuses, by letter."""
        costs = self.cards[self.layout.COST]
        numbers = self.state_type.card_numbers
        return {card: counts_by_letter(costs.item(number)) for card, number in numbers.items()}

    @property
    def label(self) -> str:
        """The game with its number of seats where that varies: `splendor-3`, `duel`."""
        return label_of(self.game, self.seats)

    @property
    def family(self) -> str:
        """The name of the games that share this kernel and layout: `splendor` or `duel`."""
        return family_of(self.game).name

    @property
    def seat_counts(self) -> tuple[int, ...]:
        """The numbers of players the game is made for."""
        return family_of(self.game).seat_counts

    def decision(self, text: str) -> int:
        """Return the integer of a decision text; NotationError if there is no such decision.

        >>> from parure.games.registry import rules
        >>> rules("duel").decision("take a1 b1 c1")
        97
        """
        try:
            return self.decision_ids[text]
        except (KeyError, TypeError):
            raise NotationError(
                f"{notation.shorten(text)} is not a decision of {self.game}"
            ) from None

    def find_decision(self, text: str) -> int | None:
        """Return the integer of a decision in lenient spelling; None if there is no such decision.

        Case, blanks, the order of cells or gems, and the letter of a card do not matter.

        >>> from parure.games.registry import rules
        >>> rules("duel").find_decision("Take c1 B1 a1")
        97
        """
        found = self.decision_ids.get(text)
        return self._lenient_ids.get(notation.normalize(text)) if found is None else found

    def check_row(self, row: Row) -> None:
        """Raise TypeError unless a row has the type and size of this game's states."""
        words = self.layout.ROW_WORDS
        if not isinstance(row, np.ndarray) or row.dtype != np.int64 or row.shape != (words,):
            found = f"{row.dtype} {row.shape}" if isinstance(row, np.ndarray) else type(row)
            raise TypeError(f"a row of {self.game} is an int64 array of shape ({words},): {found}")

    def deal(self, rng: Rng) -> Row:
        """Return a new game, shuffled."""
        check_rng(rng)
        row = self.blank()
        self.announce()
        self.kernel.deal(row, rng, new_chance())
        return row

    def legal(self, row: Row) -> list[int]:
        """Return the legal decisions in ascending order."""
        self.check_row(row)
        self.announce()
        menu: Menu = np.empty(MENU_WORDS, np.int64)
        ids: Row = np.empty(MAX_LEGAL, np.int64)
        number = self.kernel.legal_ids(row, self.cards, menu, ids)
        return sorted(ids[:number].tolist())

    def apply(self, row: Row, decision: int, rng: Rng, known: Sequence[int] = ()) -> list[int]:
        """Do a legal decision in place and return the kinds of token that chance brought.

        `known` says what chance brings; if it is empty, the generator decides. Whether the decision
        is legal is not checked.
        """
        self.check_row(row)
        check_rng(rng)
        if not 0 <= decision < len(self.decision_texts):
            raise NotationError(f"{decision!r} is not a decision of {self.game}")
        self.announce()
        chance = new_chance(known)
        self.kernel.apply(row, self.cards, decision, rng, chance)
        number = chance.item(0)
        return chance[1 : 1 + number].tolist() if number else []

    def announce(self) -> None:
        """Print a message if the first use of the rules is going to compile them."""
        jit.announce_compilation(self.kernel)


@lru_cache(maxsize=1 << 14)
def _letters(kinds: bytes, is_in_order: bool) -> str:
    """Return the letters of some kinds of token, in kind order unless theirs matters."""
    brought = kinds if is_in_order else bytes(sorted(kinds))
    return brought.translate(_LETTER_OF_KIND).decode()


def new_chance(known: Sequence[int] = ()) -> Chance:
    """Return the array in which a kernel receives, or reports, what chance brings."""
    if len(known) >= CHANCE_SIZE:
        raise NotationError(f"chance brings at most {CHANCE_SIZE - 1} tokens, not {len(known)}")
    chance = np.zeros(CHANCE_SIZE, np.uint8)
    if known:
        chance[0] = len(known)
        chance[1 : 1 + len(known)] = known
    return chance
