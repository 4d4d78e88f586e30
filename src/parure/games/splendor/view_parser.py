"""A Splendor view from its data; see :mod:`parure.games.view_parser`."""

from __future__ import annotations

from parure.games.engine.tokens import GEMS, counts_by_letter, pack
from parure.games.splendor import layout
from parure.games.splendor.card_table import NO_CARD
from parure.games.splendor.cards import DEVELOPMENTS, NOBLES
from parure.games.splendor.rules import SplendorRules
from parure.games.splendor.state import CARD_NUMBERS, NOBLE_NUMBERS, SplendorView
from parure.games.splendor.view_schema import (
    PAYMENT_STEPS,
    SplendorPlayerData,
    SplendorViewData,
    purchase,
)
from parure.games.view_parser import (
    ViewParser,
    bits_of,
    check_legal,
    check_payment,
    packed,
    payment_step,
    remaining_tokens,
    require,
)

LETTERS = GEMS + "y"

_DEVELOPMENTS = {card.id: card for card in DEVELOPMENTS}
_NOBLE_POINTS = {noble.id: noble.points for noble in NOBLES}


class SplendorViewParser(ViewParser[SplendorRules, SplendorViewData, SplendorView]):
    """Builds a Splendor view from its data."""

    data_type = SplendorViewData
    second_word = layout.LEVEL_2

    def reserve_limit(self, seat: int) -> int:
        """Return the number of cards that a seat may reserve."""
        return layout.RESERVE_LIMIT

    def build_view(self) -> SplendorView:
        """Return the view; derived fields and the phase are checked afterwards."""
        data, row, seats = self.data, self.row, self.rules.seats
        self.read_progress()
        self.read_cards()
        self.put_set(layout.KNOWN, self.known_to_all)
        self._clear_unused_seats()
        self._read_supply()
        require(data.passes < seats or data.outcome, "that many passes end the game")
        row[layout.PASSES] = data.passes
        row[layout.LAST_ROUND] = data.is_last_round
        self._read_nobles()
        for seat, player in enumerate(data.players):
            self._read_player(layout.SEATS + seat * layout.SEAT_WORDS, player)
        self._read_purchase()
        return SplendorView(self.rules, row, data.viewer)

    def _clear_unused_seats(self) -> None:
        for seat in range(self.rules.seats, layout.MAX_SEATS):
            reserved = layout.SEATS + seat * layout.SEAT_WORDS + layout.RESERVED
            self.row[reserved : reserved + layout.RESERVE_LIMIT] = NO_CARD

    def _read_supply(self) -> None:
        """Write the tokens that no seat holds."""
        total = counts_by_letter(layout.TOTAL_TOKENS[self.rules.seats])
        supply = remaining_tokens(total, *(player.tokens for player in self.data.players))
        self.row[layout.SUPPLY] = packed(supply, LETTERS)

    def _read_nobles(self) -> None:
        data = self.data
        nobles = [*data.nobles, *(name for player in data.players for name in player.nobles)]
        bits_of(nobles, NOBLE_NUMBERS, "nobles")
        require(len(nobles) == data.seats + 1, f"{data.seats} players have {data.seats + 1} nobles")
        self.row[layout.FACE_UP_NOBLES] = bits_of(data.nobles, NOBLE_NUMBERS, "nobles")

    def _read_player(self, offset: int, player: SplendorPlayerData) -> None:
        """Write what a seat holds; bonuses and points follow from its cards."""
        row, cards = self.row, [_DEVELOPMENTS[name] for name in player.cards]
        bonuses = pack(sum(card.color == letter for card in cards) for letter in GEMS)
        points = sum(card.points for card in cards)
        points += sum(_NOBLE_POINTS[name] for name in player.nobles)
        row[offset + layout.TOKENS] = packed(player.tokens, LETTERS)
        row[offset + layout.BONUSES] = bonuses
        row[offset + layout.SCORE] = points
        row[offset + layout.NOBLES_HELD] = bits_of(player.nobles, NOBLE_NUMBERS, "nobles")

    def _read_purchase(self) -> None:
        row, buying = self.row, self.data.buying
        row[layout.CARD] = layout.EMPTY
        if buying is not None:
            require(buying.card in CARD_NUMBERS, "what is bought is no card of the game")
            row[layout.CARD] = CARD_NUMBERS[buying.card]
            row[layout.PRICE] = packed(buying.price, GEMS)
            row[layout.GOLD_LAID] = packed(buying.gold_laid, GEMS)
            row[layout.PAY_STEP] = payment_step(buying.step, PAYMENT_STEPS)

    def check_phase(self, view: SplendorView) -> None:
        """Raise InvalidPosition if the view cannot be in its phase."""
        buying = purchase(view)
        require((buying is not None) == (view.phase == "pay"), "a card is paid for in phase pay")
        if buying is not None:
            require(buying.price == view.price(buying.card), "the price is not that of the card")
            check_payment(buying.price, buying.gold_laid, view.players[view.seat].tokens)
            before = SplendorView(view.rules, view.words.copy(), view.viewer)
            before.words[layout.PHASE] = layout.TURN
            check_legal(before, f"buy {buying.card}")
        check_legal(view)
