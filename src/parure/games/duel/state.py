"""States and views of Splendor Duel, with or without The Counterfeiters."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from parure.games.duel import layout
from parure.games.duel.ascii import draw
from parure.games.duel.cards import COUNTERFEITERS, JEWELS, ROYALS
from parure.games.duel.geometry import CELLS
from parure.games.engine.tokens import GEMS, LETTERS, counts_by_letter
from parure.games.position import Player, Position, names_in
from parure.games.state import State
from parure.games.view import View

JEWEL_NUMBERS = {jewel.id: i for i, jewel in enumerate(JEWELS)}
COUNTERFEITER_NUMBERS = {
    card.id: i for i, card in enumerate(COUNTERFEITERS, start=layout.FIRST_COUNTERFEITER)
}
ROYAL_NUMBERS = {royal.id: i for i, royal in enumerate(ROYALS)}
CARD_NUMBERS = JEWEL_NUMBERS | COUNTERFEITER_NUMBERS
CARD_NAMES = (*CARD_NUMBERS, "", "??1", "??2", "??3", "??C", "??R")
JEWEL_IDS, ROYAL_IDS = tuple(JEWEL_NUMBERS), tuple(ROYAL_NUMBERS)
COUNTERFEITER_IDS = tuple(COUNTERFEITER_NUMBERS)
COUNTERFEITER_PLACES = 3  # of their face-up row
JOKERS = [jewel.id for jewel in JEWELS if jewel.color == "joker"]


def reserve_limit(counterfeiters: Collection[str]) -> int:
    """Return the number of cards that the owner of these Counterfeiters may reserve."""
    return layout.MAX_RESERVED if "C15" in counterfeiters else layout.RESERVE_LIMIT


@lru_cache(maxsize=1 << 12)
def _letters_by_cell(*sets: int) -> dict[str, str]:
    """Return the letter on each cell, given the set of cells of each kind of token."""
    letters = {}
    for letter, cells in zip(LETTERS, sets, strict=True):
        while cells:
            letters[(cells & -cells).bit_length() - 1] = letter
            cells &= cells - 1
    return {CELLS[i]: letters[i] for i in sorted(letters)}


class DuelPlayer(Player):
    """A seat of Duel."""

    @property
    def points_by_color(self) -> dict[str, int]:
        """The points on cards of each color; a joker counts in the color it has taken."""
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
        """The jewels bought, in the order of their deck."""
        bits = self._field(layout.TABLEAU) | self._field(layout.TABLEAU + 1) << layout.LEVEL_3
        return names_in(bits, JEWEL_IDS)

    @property
    def joker_colors(self) -> dict[str, str]:
        """The color that each joker has taken."""
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

    @property
    def collection(self) -> tuple[str, ...]:
        """The jewels, Counterfeiters and royals before the seat."""
        return (*self.cards, *self.counterfeiters, *self.royals)

    @property
    def counters(self) -> dict[str, int]:
        """The points, crowns and privileges."""
        return {"points": self.points, "crowns": self.crowns, "privileges": self.privileges}

    def counted_toward_limit(self, tokens: Mapping[str, int]) -> int:
        """Return how many of these tokens count toward the limit; with C12 glassware does not."""
        uncounted = tokens.get("v", 0) if "C12" in self.counterfeiters else 0
        return super().counted_toward_limit(tokens) - uncounted

    @property
    def reserve_limit(self) -> int:
        """The number of cards a seat may reserve."""
        return reserve_limit(self.counterfeiters)

    @property
    def goals(self) -> dict[str, int]:
        """What wins at the end of a turn: points, crowns, or points in one color."""
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
        sets = self.words[layout.BOARD : layout.BOARD + len(LETTERS)].tolist()
        return _letters_by_cell(*sets).copy()

    @property
    def board_cells(self) -> dict[str, str]:
        """The token on each occupied board cell."""
        return self.board

    @property
    def bag(self) -> dict[str, int]:
        """The tokens in the bag, by letter."""
        return counts_by_letter(self._field(layout.BAG))

    @property
    def counterfeiters(self) -> tuple[str | None, ...]:
        """The face-up Counterfeiters; None for a gap."""
        if not self._field(layout.WITH_COUNTERFEITERS):
            return ()
        return self._cards_in_slots(layout.COUNTERFEITER_ROW, COUNTERFEITER_PLACES)

    @property
    def counterfeiter_deck_size(self) -> int:
        """The number of Counterfeiters left in their deck."""
        return self._field(layout.DECK_SIZES + layout.COUNTERFEITER_DECK)

    @property
    def face_up_rows(self) -> tuple[tuple[str | None, ...], ...]:
        """All face-up cards: the Counterfeiter row (empty where there is none), then levels 1–3."""
        return (self.counterfeiters, *self.pyramid)

    @property
    def face_up_places(self) -> int:
        """The number of face-up places, gaps included."""
        has_row = self._field(layout.WITH_COUNTERFEITERS)
        return super().face_up_places + (COUNTERFEITER_PLACES if has_row else 0)

    @property
    def undealt_count(self) -> int:
        """The number of cards left in all decks that refill the face-up rows."""
        return sum(self.deck_sizes) + self.counterfeiter_deck_size

    @property
    def seen_in_decks(self) -> frozenset[str]:
        """The cards of the decks that a seat has seen with C17."""
        low, high = (
            self._field(layout.KNOWN + word) | self._field(layout.KNOWN + 2 + word)
            for word in range(2)
        )
        seen = names_in(low | high << layout.LEVEL_3, JEWEL_IDS)
        return frozenset(card for level in (1, 2, 3) for card in self.deck(level) if card in seen)

    @property
    def royals(self) -> tuple[str, ...]:
        """The face-up royals."""
        return names_in(self._field(layout.FACE_UP_ROYALS), ROYAL_IDS)

    @property
    def tiles(self) -> tuple[str, ...]:
        """The face-up royals."""
        return self.royals

    @property
    def royal_deck_size(self) -> int:
        """The number of royals left in their deck."""
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
        """The card that is being paid for or colored; None otherwise."""
        number = self._field(layout.CARD)
        if number == layout.EMPTY:
            return None
        return COUNTERFEITERS[number].id if self._field(layout.IS_USE) else CARD_NAMES[number]


class DuelView(DuelPosition, View):
    """What one seat may know of a Duel state."""


class DuelState(DuelPosition, State):
    """A state of Duel."""

    if TYPE_CHECKING:

        def view(self, seat: int | None) -> DuelView: ...
