"""A Splendor view from its data; see :mod:`parure.games.view_parser`."""

from __future__ import annotations

from collections.abc import Mapping

from parure.games.engine.arrays import Row
from parure.games.engine.tokens import GEMS, counts_by_letter, pack
from parure.games.payment_steps import payment_steps
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

    def deck_cards(self, deck: int) -> Mapping[str, int]:
        """Return the cards that belong to a deck, and their numbers in it."""
        return {name: n for name, n in CARD_NUMBERS.items() if name[1] == str(deck + 1)}

    def build_view(self) -> SplendorView:
        """Return the view; derived fields and the phase are checked afterwards."""
        data, row, seats = self.data, self.row, self.rules.seats
        self.read_progress()
        self.read_cards()
        self.put_set(layout.KNOWN, self.known_to_all)
        for name in self.seen_by_viewer:
            require(False, f"{name}: nobody sees what another seat draws; write ??{name[1]}")
        self._clear_unused_seats()
        self._read_supply()
        require(data.passes < seats or data.outcome, "that many passes end the game")
        row[layout.PASSES] = data.passes
        self._read_nobles()
        for seat, player in enumerate(data.players):
            self._read_player(layout.SEATS + seat * layout.SEAT_WORDS, player)
        row[layout.LAST_ROUND] = self._is_last_round()
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
        for seat, player in enumerate(data.players):
            for name in player.nobles:
                self.note_place(name, f"seat {seat}'s cards")
        for name in data.nobles:
            self.note_place(name, "the nobles on the table")
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

    def _is_last_round(self) -> bool:
        """Return whether a seat has ended a turn with enough points.

        docs/rules/splendor.md, "End"
        """
        row, outcome, mover = self.row, self.data.outcome, self.data.seat
        is_turn_over = outcome is not None and outcome.reason not in ("resigned", "timeout")
        return any(
            row[layout.SEATS + seat * layout.SEAT_WORDS + layout.SCORE] >= layout.GOAL
            for seat in range(self.rules.seats)
            if is_turn_over or seat != mover
        )

    def _read_purchase(self) -> None:
        row, buying = self.row, self.data.buying
        row[layout.CARD] = layout.EMPTY
        if buying is not None:
            require(buying.card in CARD_NUMBERS, "what is bought is no card of the game")
            row[layout.CARD] = CARD_NUMBERS[buying.card]
            row[layout.PRICE] = packed(buying.price, GEMS)
            row[layout.GOLD_LAID] = packed(buying.gold_laid, GEMS)
            row[layout.PAY_STEP] = payment_step(buying.step, PAYMENT_STEPS)

    def check_outcome(self, view: SplendorView) -> None:
        """Raise InvalidPosition if the game cannot have ended as the view says."""
        assert view.outcome is not None
        reason, winners = view.outcome.reason, view.outcome.winners
        if reason in ("resigned", "timeout"):
            require(winners, f"somebody has won if the game was {reason}")
            return
        require(view.buying is None, f"no game ends by {reason} in the middle of a decision")
        ranks = [(player.points, -len(player.cards)) for player in view.players]
        best = tuple(seat for seat, rank in enumerate(ranks) if rank == max(ranks))
        require(winners == best, f"seats {best} have most points, not {winners}")
        is_right = {
            "points": max(ranks)[0] >= layout.GOAL and view.seat == view.seats - 1,
            "stalemate": self.data.passes >= view.seats,
            "limit": view.turns == layout.MAX_TURNS,
        }[reason]
        require(is_right, f"the game has not ended by {reason}")

    def _check_seats(self, view: SplendorView) -> None:
        """Refuse seats that have more tokens or points than they can have now."""
        phase = view.phase
        for player in view.players:
            seat, count, limit = player.seat, player.token_count, player.token_limit
            is_mover = seat == view.seat
            if is_mover and phase == "discard":
                require(count > limit, f"seat {seat} holds {count} tokens and returns none")
            else:
                problem = f"seat {seat} holds {count} tokens: {limit} are the limit"
                require(count <= limit, problem)
            has_ended = seat > view.seat or (is_mover and phase in ("turn", "pay"))
            is_reached = player.points >= layout.GOAL and has_ended
            require(not is_reached, f"seat {seat} has {player.points} points: the game has ended")

    def check_phase(self, view: SplendorView) -> None:
        """Raise InvalidPosition if the view cannot be in its phase."""
        buying = purchase(view)
        self._check_seats(view)
        for level, size in enumerate(view.deck_sizes):
            has_gap = None in view.pyramid[level]
            require(not has_gap or not size, f"level {level + 1} has a gap and a deck of {size}")
        require((buying is not None) == (view.phase == "pay"), "a card is paid for in phase pay")
        if buying is not None:
            require(buying.price == view.price(buying.card), "the price is not that of the card")
            check_payment(buying.price, buying.gold_laid, view.players[view.seat].tokens)
            before, first = before_purchase(view.words), f"buy {buying.card}"
            check_legal(SplendorView(view.rules, before, view.viewer), first)
            steps = payment_steps(view.rules, before, first, view.words)
            require(steps is not None, f"no payment after {first!r} leads there")
        check_legal(view)


def before_purchase(words: Row) -> Row:
    """Return the row before a purchase that is being paid for."""
    before = words.copy()
    before[layout.PHASE] = layout.TURN
    before[layout.CARD] = layout.EMPTY
    for field in (layout.PRICE, layout.GOLD_LAID, layout.PAY_STEP):
        before[field] = 0
    return before
