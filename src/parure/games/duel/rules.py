"""The rules of Splendor Duel and The Counterfeiters behind the interface that all games share."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any, ClassVar

import numpy as np

from parure.errors import RecordError
from parure.games.duel import decisions, kernel, layout
from parure.games.duel.card_table import PRICED_CARDS, card_table
from parure.games.duel.cards import COUNTERFEITERS, JEWELS, ROYALS
from parure.games.duel.geometry import CELLS, SPIRAL
from parure.games.duel.reasons import reason_against
from parure.games.duel.state import (
    CARD_NAMES,
    COUNTERFEITER_NUMBERS,
    JEWEL_NUMBERS,
    ROYAL_IDS,
    ROYAL_NUMBERS,
    DuelPosition,
    DuelState,
    DuelView,
)
from parure.games.engine.arrays import Row
from parure.games.engine.card_storage import card_numbers
from parure.games.engine.tokens import KIND_OF_LETTER, LETTERS, counts_by_letter, pack, spell
from parure.games.position import Position, names_in
from parure.games.rules import CardInfo, Rules
from parure.games.setup import (
    cards_in,
    cards_of_deck,
    dealt_decks,
    decks_in,
    require_keys,
    shuffle_decks,
    shuffle_some,
)
from parure.games.state import State

SECRET_VERBS = ("keep", "bottom")
_PLACE_OF_CELL = {1 << cell: place for place, cell in enumerate(SPIRAL)}  # by the bit of a board

JEWEL_INFOS = tuple(
    CardInfo(
        id=jewel.id,
        kind="jewel",
        level=jewel.level,
        color="" if jewel.color == "none" else jewel.color,
        bonus=jewel.bonus,
        points=jewel.points,
        crowns=jewel.crowns,
        ability=jewel.ability,
        cost=counts_by_letter(pack(jewel.cost)),
    )
    for jewel in JEWELS
)
ROYAL_INFOS = tuple(
    CardInfo(id=royal.id, kind="royal", points=royal.points, ability=royal.ability)
    for royal in ROYALS
)
COUNTERFEITER_INFOS = tuple(
    CardInfo(
        id=card.id,
        kind="counterfeiter",
        color=card.color,
        crowns=card.crowns,
        ability=card.effect,
        cost=counts_by_letter(pack(card.cost)),
    )
    for card in COUNTERFEITERS
)


class DuelRules(Rules):
    """Splendor Duel, with or without The Counterfeiters."""

    known_options: ClassVar[tuple[str, ...]] = ("anti-blocking",)
    disclosures = ("replenish", "draw 1", "draw 2", "deck ", "counterfeiter deck")
    draws_known = ("keep ",)
    uncertain = ("draw 1", "draw 2", "counterfeiter deck")
    chance_verbs = ("replenish", "draw ")
    drawn_in_order = ("replenish",)
    layout = layout
    kernel = kernel
    state_type = DuelState
    view_type = DuelView
    priced = PRICED_CARDS
    cards = card_table()

    def __init__(self, game: str, seats: int, options: Mapping[str, bool]) -> None:
        self.game = game
        self.seats = seats
        self.options = options
        self.with_counterfeiters = game == "duel+counterfeiters"
        if self.with_counterfeiters:
            self.title = "Splendor Duel: The Counterfeiters"
            self.decision_texts = decisions.TEXTS
            self.card_infos = (*JEWEL_INFOS, *ROYAL_INFOS, *COUNTERFEITER_INFOS)
        else:
            self.title = "Splendor Duel"
            self.decision_texts = decisions.TEXTS[: decisions.PLAIN_DECISIONS]
            self.card_infos = (*JEWEL_INFOS, *ROYAL_INFOS[: layout.BASE_ROYALS])

    def blank(self) -> Row:
        """Return a row that holds only the options, ready to be dealt."""
        row = np.zeros(layout.ROW_WORDS, np.int64)
        row[layout.WITH_COUNTERFEITERS] = self.with_counterfeiters
        row[layout.ANTI_BLOCKING] = self.options.get("anti-blocking", False)
        return row

    def set_up(self, setup: Mapping[str, Any]) -> Row:
        """Return the first state of a record's set-up; RecordError if the set-up is wrong."""
        require_keys(setup, ("board", "bag", "decks", "royals", "counterfeiters"))
        places = decks_in(setup, JEWEL_NUMBERS)
        board, bag = setup["board"], setup["bag"]
        everything = spell(counts_by_letter(self.total_tokens))
        if not isinstance(board, str) or len(board) != len(CELLS):
            raise RecordError(f"the board must be {len(CELLS)} tokens")
        if not isinstance(bag, str) or list(bag) != sorted(bag, key=LETTERS.find):
            raise RecordError(f"the bag must list its tokens in the order {LETTERS}")
        if sorted(board + bag) != sorted(everything):
            raise RecordError(f"board and bag together must hold {everything}")
        if self.with_counterfeiters:
            places += cards_in("counterfeiters", setup["counterfeiters"], COUNTERFEITER_NUMBERS)
            places += cards_in("royals", setup["royals"], ROYAL_NUMBERS)
        else:
            cards_in(
                "royals", setup["royals"], dict(list(ROYAL_NUMBERS.items())[: layout.BASE_ROYALS])
            )
            cards_in("counterfeiters", setup["counterfeiters"], {})
        row = self.blank()
        self.announce()
        kernel.set_up(row, np.array(places), np.array([KIND_OF_LETTER[c] for c in board]))
        return row

    @property
    def total_tokens(self) -> int:
        """Every token of the game, packed."""
        return layout.TOTAL_TOKENS_WITH_GLASS if self.with_counterfeiters else layout.TOTAL_TOKENS

    def setup_of(self, row: Row) -> dict[str, Any]:
        """Return the set-up of a first state, as a record holds it."""
        letters = [""] * len(CELLS)  # along the spiral
        for letter, cells in zip(
            LETTERS, row[layout.BOARD : layout.BOARD + len(LETTERS)].tolist(), strict=True
        ):
            while cells:
                lowest = cells & -cells
                letters[_PLACE_OF_CELL[lowest]] = letter
                cells ^= lowest
        royals = names_in(row.item(layout.FACE_UP_ROYALS), ROYAL_IDS)
        hidden_royals = cards_of_deck(row, layout, layout.ROYAL_DECK)
        counterfeiters: list[str] = []
        if self.with_counterfeiters:
            first = layout.COUNTERFEITER_ROW
            face_up = card_numbers(row[first : first + layout.COUNTERFEITER_SLOTS])
            hidden = cards_of_deck(row, layout, layout.COUNTERFEITER_DECK)
            counterfeiters = [CARD_NAMES[card] for card in (*face_up, *hidden) if CARD_NAMES[card]]
        return {
            "board": "".join(letters),
            "bag": spell(counts_by_letter(row.item(layout.BAG))),
            "decks": dealt_decks(row, layout, CARD_NAMES, layout.PYRAMID),
            "royals": [*royals, *(ROYAL_IDS[number] for number in hidden_royals)],
            "counterfeiters": counterfeiters,
        }

    def shuffled_setup(self, rng: Random) -> dict[str, Any]:
        """Return the set-up of a new game; every one is equally likely."""
        tokens = list(spell(counts_by_letter(self.total_tokens)))
        rng.shuffle(tokens)
        royals = list(ROYAL_NUMBERS)
        counterfeiters: list[str] = []
        if self.with_counterfeiters:
            counterfeiters = list(COUNTERFEITER_NUMBERS)
            rng.shuffle(counterfeiters)
            rng.shuffle(royals)
        else:
            royals = royals[: layout.BASE_ROYALS]
        return {
            "board": "".join(tokens[: len(CELLS)]),
            "bag": "".join(sorted(tokens[len(CELLS) :], key=LETTERS.index)),
            "decks": shuffle_decks(JEWEL_NUMBERS, rng),
            "royals": royals,
            "counterfeiters": counterfeiters,
        }

    def reshuffled_setup(self, state: State, rng: Random) -> dict[str, Any]:
        """Return a state's set-up with the cards that nobody has seen in another order."""
        assert isinstance(state, DuelState)
        setup = super().reshuffled_setup(state, rng)
        for pile, unseen in (
            ("royals", state.royal_deck_size),
            ("counterfeiters", state.counterfeiter_deck_size),
        ):
            cards = setup[pile]
            setup[pile] = shuffle_some(cards, cards[len(cards) - unseen :], rng)
        return setup

    def reason_against(self, position: Position, decision: int) -> str:
        """Return a sentence for the seat to move that says why a decision is not legal."""
        assert isinstance(position, DuelPosition)
        return reason_against(position, decision)

    def redact(self, text: str, is_own: bool) -> str:
        """Return a decision as its own seat, or any other seat, may read it."""
        verb, _, _ = text.partition(" ")
        return text if is_own or verb not in SECRET_VERBS else f"{verb} ??"

    def chance_size(self, row: Row, text: str) -> int | None:
        """Return the number of tokens chance brings with a decision; None where it has no part."""
        in_bag = sum(counts_by_letter(self.bag(row)).values())
        if text == "replenish":
            empty = len(CELLS) - sum(int(row[layout.BOARD + k]).bit_count() for k in range(8))
            return min(empty, in_bag)
        if text.startswith("draw "):
            return int(text[5:])
        return None

    def bag(self, row: Row) -> int:
        """Return the tokens that chance draws from, packed."""
        return int(row[layout.BAG])
