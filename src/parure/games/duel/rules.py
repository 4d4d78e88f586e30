"""Splendor Duel as Python sees it: rules, states, views, set-ups and reasons."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, ClassVar

import numpy as np

from parure.errors import NotationError, RecordError
from parure.games.duel import decisions, kernel, layout
from parure.games.duel.ascii import draw
from parure.games.duel.card_table import PRICED, card_table
from parure.games.duel.cards import COUNTERFEITERS, JEWELS, ROYALS
from parure.games.duel.geometry import CELLS, SPIRAL
from parure.games.duel.reasons import reason_against, unavailable_actions
from parure.games.engine.arrays import Row
from parure.games.engine.tokens import GEMS, KIND_OF_LETTER, LETTERS, counts_by_letter, spell
from parure.games.position import Player, Position, names_in
from parure.games.rules import Rules
from parure.games.setup import cards_in, decks_in, require_keys
from parure.games.state import State
from parure.games.view import View

JEWEL_NUMBERS = {jewel.id: i for i, jewel in enumerate(JEWELS)}
COUNTERFEITER_NUMBERS = {
    card.id: i for i, card in enumerate(COUNTERFEITERS, start=layout.FIRST_COUNTERFEITER)
}
ROYAL_NUMBERS = {royal.id: i for i, royal in enumerate(ROYALS)}
CARD_NUMBERS = JEWEL_NUMBERS | COUNTERFEITER_NUMBERS
CARD_NAMES = [*CARD_NUMBERS, "", "??1", "??2", "??3", "??C", "??R"]
JEWEL_IDS, ROYAL_IDS = tuple(JEWEL_NUMBERS), tuple(ROYAL_NUMBERS)
COUNTERFEITER_IDS = tuple(COUNTERFEITER_NUMBERS)
JOKERS = [jewel.id for jewel in JEWELS if jewel.color == "joker"]

SECRET_VERBS = ("keep", "bottom")


def reserve_limit(counterfeiters: Collection[str]) -> int:
    """How many cards may be reserved by who owns these."""
    return layout.MAX_RESERVED if "C15" in counterfeiters else layout.RESERVE_LIMIT


class DuelPlayer(Player):
    """A seat of Duel."""

    @property
    def points_by_color(self) -> dict[str, int]:
        """The points on cards of each color; jokers count in theirs."""
        return counts_by_letter(self._field(layout.SCORE_BY_COLOR))

    @property
    def crowns(self) -> int:
        """The crowns collected."""
        return self._field(layout.CROWNS_HELD)

    @property
    def privileges(self) -> int:
        """The privileges held."""
        return self._field(layout.PRIVILEGES)

    @property
    def cards(self) -> tuple[str, ...]:
        """The jewels bought."""
        bits = self._field(layout.TABLEAU) | self._field(layout.TABLEAU + 1) << layout.LEVEL_3
        return names_in(bits, JEWEL_IDS)

    @property
    def joker_colors(self) -> dict[str, str]:
        """The color that each joker bought has taken."""
        colors = self._field(layout.JOKER_COLORS)
        nibbles = {name: colors >> 4 * i & 0xF for i, name in enumerate(JOKERS)}
        return {name: GEMS[color - 1] for name, color in nibbles.items() if color}

    @property
    def royals(self) -> tuple[str, ...]:
        """The royals taken."""
        return names_in(self._field(layout.ROYALS_HELD), ROYAL_IDS)

    @property
    def counterfeiters(self) -> tuple[str, ...]:
        """The Counterfeiters owned."""
        return names_in(self._field(layout.COUNTERFEITERS_HELD), COUNTERFEITER_IDS)

    def counted_toward_limit(self, tokens: Mapping[str, int]) -> int:
        """How many of some tokens would count toward the limit; glassware does not with C12."""
        uncounted = tokens.get("v", 0) if "C12" in self.counterfeiters else 0
        return super().counted_toward_limit(tokens) - uncounted

    @property
    def reserve_limit(self) -> int:
        """How many cards may be reserved."""
        return reserve_limit(self.counterfeiters)

    @property
    def goals(self) -> dict[str, int]:
        """What wins at the end of a turn: so many points, crowns, or points in one color."""
        royals = self.royals
        return {
            "points": layout.GOAL,
            "crowns": layout.CROWNS_GOAL - ("R7" in royals),
            "color": layout.COLOR_GOAL - ("R6" in royals),
        }


class DuelPosition(Position):
    """The table of Duel."""

    player_type = DuelPlayer
    card_numbers = CARD_NUMBERS
    card_names = CARD_NAMES
    face_up = layout.PYRAMID
    players: tuple[DuelPlayer, ...]

    def __str__(self) -> str:
        return draw(self)

    @property
    def board(self) -> dict[str, str]:
        """The tokens on the board: the letter on each cell that is not empty."""
        letters = {}
        for letter, cells in zip(
            LETTERS, self.words[layout.BOARD : layout.BOARD + len(LETTERS)].tolist(), strict=True
        ):
            while cells:
                letters[(cells & -cells).bit_length() - 1] = letter
                cells &= cells - 1
        return {CELLS[i]: letters[i] for i in sorted(letters)}

    @property
    def bag(self) -> dict[str, int]:
        """The tokens in the bag, by letter."""
        return counts_by_letter(self._field(layout.BAG))

    @property
    def counterfeiters(self) -> tuple[str | None, ...]:
        """The face-up Counterfeiters; None for a gap."""
        if not self._field(layout.WITH_COUNTERFEITERS):
            return ()
        return self._face_up(layout.COUNTERFEITER_ROW, 3)

    @property
    def counterfeiter_deck_size(self) -> int:
        """How many Counterfeiters are left in their deck."""
        return self._field(layout.DECK_SIZES + layout.COUNTERFEITER_DECK)

    @property
    def royals(self) -> tuple[str, ...]:
        """The face-up royals."""
        return names_in(self._field(layout.FACE_UP_ROYALS), ROYAL_IDS)

    @property
    def royal_deck_size(self) -> int:
        """How many royals are left in their deck."""
        return self._field(layout.DECK_SIZES + layout.ROYAL_DECK)

    @property
    def is_replenished(self) -> bool:
        """Whether the board was replenished in this turn."""
        return bool(self._field(layout.REPLENISHED))

    @property
    def is_again(self) -> bool:
        """Whether the seat to move has another turn after this one."""
        return bool(self._field(layout.AGAIN))

    @property
    def privileges(self) -> int:
        """The privileges on the table."""
        return layout.TOTAL_PRIVILEGES - sum(player.privileges for player in self.players)

    @property
    def buying(self) -> str | None:
        """The card whose price is being paid, or which is to be colored."""
        number = self._field(layout.CARD)
        if number == layout.EMPTY:
            return None
        return COUNTERFEITERS[number].id if self._field(layout.IS_USE) else CARD_NAMES[number]


class DuelState(DuelPosition, State):
    """A state of Duel."""


class DuelView(DuelPosition, View):
    """A view of a Duel state."""


class DuelRules(Rules):
    """Splendor Duel, with or without The Counterfeiters."""

    known_options: ClassVar[tuple[str, ...]] = ("anti-blocking",)
    layout = layout
    kernel = kernel
    state_type = DuelState
    view_type = DuelView
    priced = PRICED
    _table = card_table()

    def __init__(self, game: str, seats: int | None, options: Mapping[str, bool]) -> None:
        if seats not in (None, 2):
            raise NotationError(f"{game} is for 2 players, not {seats}")
        self.game = game
        self.seats = 2
        self.options = options
        self.cards = self._table
        self.with_counterfeiters = game != "duel"
        size = len(decisions.TEXTS) if self.with_counterfeiters else decisions.PLAIN_DECISIONS
        self.decision_texts = decisions.TEXTS[:size]

    def blank(self) -> Row:
        """A row with only the options in it, ready to be dealt."""
        row = np.zeros(layout.ROW_WORDS, np.int64)
        row[layout.WITH_COUNTERFEITERS] = self.with_counterfeiters
        row[layout.ANTI_BLOCKING] = self.options.get("anti-blocking", False)
        return row

    def lay_out(self, setup: Mapping[str, Any]) -> Row:
        """The first state of a game whose set-up a record gives."""
        require_keys(setup, ("board", "bag", "decks", "royals", "counterfeiters"))
        places = decks_in(setup, JEWEL_NUMBERS)
        board, bag = setup["board"], setup["bag"]
        everything = spell(counts_by_letter(self.tokens_in_all))
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
            cards_in("royals", setup["royals"], dict(list(ROYAL_NUMBERS.items())[:4]))
            cards_in("counterfeiters", setup["counterfeiters"], {})
        row = self.blank()
        self._announce()
        kernel.lay_out(row, np.array(places), np.array([KIND_OF_LETTER[c] for c in board]))
        return row

    @property
    def tokens_in_all(self) -> int:
        """Every token of the game, packed."""
        return 0x0304_0204_0404_0404 if self.with_counterfeiters else 0x0300_0204_0404_0404

    def setup_of(self, row: Row) -> dict[str, Any]:
        """The set-up of a first state, as a record gives it."""
        position = DuelView(self, row, None)
        decks = [
            [name for name in (*face_up, *position.deck(level)) if name]
            for level, face_up in enumerate(position.pyramid, start=1)
        ]
        board = position.board
        hidden = [CARD_NAMES[n] for n in position._deck(layout.COUNTERFEITER_DECK)]
        royals = [ROYALS[n].id for n in position._deck(layout.ROYAL_DECK)]
        return {
            "board": "".join(board[CELLS[i]] for i in SPIRAL),
            "bag": spell(position.bag),
            "decks": decks,
            "royals": [*position.royals, *royals],
            "counterfeiters": [*(card for card in position.counterfeiters if card), *hidden],
        }

    def reason_against(self, position: Position, decision: int) -> str:
        """Why a decision is not legal, in a sentence that the seat to move may read."""
        assert isinstance(position, DuelPosition)
        return reason_against(position, decision)

    def unavailable_actions(self, position: Position) -> dict[str, tuple[str, str]]:
        """Why the seat to move cannot take some actions: a code and a sentence each."""
        assert isinstance(position, DuelPosition)
        return unavailable_actions(position)

    def redact(self, text: str, is_own: bool) -> str:
        """A decision as told to its own seat or to the others."""
        verb, _, _ = text.partition(" ")
        return text if is_own or verb not in SECRET_VERBS else f"{verb} ??"

    def chance_size(self, row: Row, text: str) -> int | None:
        """How many tokens chance brings with a decision; None where it has no part."""
        in_bag = sum(counts_by_letter(self.bag(row)).values())
        if text == "replenish":
            empty = len(CELLS) - sum(int(row[layout.BOARD + k]).bit_count() for k in range(8))
            return min(empty, in_bag)
        if text.startswith("draw "):
            return int(text[5:])
        return None

    def bag(self, row: Row) -> int:
        """The tokens that chance draws from, packed."""
        return int(row[layout.BAG])
