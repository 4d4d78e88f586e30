"""A Duel view from its data; see :mod:`parure.games.view_parser`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from parure.games.duel import layout
from parure.games.duel.card_table import NO_CARD, PRICED_CARDS
from parure.games.duel.cards import COUNTERFEITERS, JEWELS, ROYALS
from parure.games.duel.geometry import CELLS
from parure.games.duel.position_checks import check_outcome, check_view
from parure.games.duel.rules import DuelRules
from parure.games.duel.state import (
    CARD_NUMBERS,
    COUNTERFEITER_NUMBERS,
    JEWEL_NUMBERS,
    JOKERS,
    ROYAL_IDS,
    ROYAL_NUMBERS,
    DuelView,
    reserve_limit,
)
from parure.games.duel.view_schema import (
    COUNTERFEITER_BITS,
    PAYMENT_STEPS,
    SLOT_COUNT,
    DeckLook,
    DuelPlayerData,
    DuelPurchase,
    DuelViewData,
    TokenCollection,
    view_data,
)
from parure.games.engine.arrays import Row
from parure.games.engine.tokens import GEMS, KIND_OF_LETTER, LETTERS, counts_by_letter, pack
from parure.games.payment_steps import payment_steps
from parure.games.view_parser import (
    ViewParser,
    bits_of,
    check_legal,
    check_payment,
    kind_bits,
    packed,
    payment_step,
    remaining_tokens,
    require,
)

_JEWELS = {jewel.id: jewel for jewel in JEWELS}
_ROYAL_POINTS = {royal.id: royal.points for royal in ROYALS}


class DuelViewParser(ViewParser[DuelRules, DuelViewData, DuelView]):
    """Builds a Duel view from its data."""

    data_type = DuelViewData
    second_word = layout.LEVEL_3

    def reserve_limit(self, seat: int) -> int:
        """Return the number of cards that a seat may reserve."""
        return reserve_limit(self.data.players[seat].counterfeiters)

    def deck_cards(self, deck: int) -> Mapping[str, int]:
        """Return the cards that belong to a deck, and their numbers in it."""
        if deck == layout.COUNTERFEITER_DECK:
            return COUNTERFEITER_NUMBERS if self.rules.with_counterfeiters else {}
        if deck == layout.ROYAL_DECK:
            return ROYAL_NUMBERS if self.rules.with_counterfeiters else {}
        return {name: n for name, n in JEWEL_NUMBERS.items() if name[1] == str(deck + 1)}

    def put_knowledge(self, row: Row, known: Sequence[Sequence[str]]) -> None:
        """Write which hidden cards each seat knows besides its own reserve."""
        require(self.rules.with_counterfeiters or not any(known), "only C17 shows cards of a deck")
        for seat, names in enumerate(known):
            bits = bits_of(names, JEWEL_NUMBERS, f"seat {seat}'s knowledge")
            for name in names:
                others = (f"deck {name[1]}", f"seat {1 - seat}'s reserve")
                is_hidden = self._places.get(name) in others
                is_hidden = is_hidden and name not in self.data.players[1 - seat].shown
                require(is_hidden, f"{name} is not hidden: seat {seat} cannot have seen it only")
            offset = layout.KNOWN + 2 * seat
            row[offset] = bits & (1 << self.second_word) - 1
            row[offset + 1] = bits >> self.second_word

    def build_view(self) -> DuelView:
        """Return the view; derived fields and the phase are checked afterwards."""
        data = self.data
        self.read_progress()
        self.read_cards()
        is_possible = self.rules.with_counterfeiters or not (
            data.known_in_decks or self.seen_by_viewer
        )
        require(is_possible, "only C17 shows hidden cards")
        for known in data.known_in_decks:
            self.put_known_card(known.level, known.depth, known.card)
        self._read_knowledge()
        self._read_tokens()
        self._read_royals()
        self._read_counterfeiters()
        for seat, player in enumerate(data.players):
            self._read_player(layout.SEATS + seat * layout.SEAT_WORDS, player)
        held = sum(player.privileges for player in data.players)
        require(held <= layout.TOTAL_PRIVILEGES, "3 privileges exist")
        self._read_turn()
        self._read_action()
        return DuelView(self.rules, self.row, data.viewer)

    def _read_knowledge(self) -> None:
        """Write who knows which hidden card: everyone, or the viewer, who saw it in a deck."""
        data = self.data
        self.put_set(layout.KNOWN + 2 * layout.EVERYONE, self.known_to_all)
        seen = [*(known.card for known in data.known_in_decks), *self.seen_by_viewer]
        if data.viewer is None:
            require(not seen, "a watcher has seen no hidden card")
        else:
            self.put_set(layout.KNOWN + 2 * data.viewer, bits_of(seen, JEWEL_NUMBERS, "known"))

    def _read_tokens(self) -> None:
        """Write the tokens on the board; those that are nowhere else are in the bag."""
        on_board: dict[str, int] = {}
        for cell, letter in self.data.board.items():
            require(cell in CELLS, f"there is no cell {cell[:40]!r}")
            require(letter in KIND_OF_LETTER, f"{letter[:40]!r} is no kind of token")
            self.row[layout.BOARD + KIND_OF_LETTER[letter]] |= 1 << CELLS.index(cell)
            on_board[letter] = on_board.get(letter, 0) + 1
        held = [player.tokens for player in self.data.players]
        bag = remaining_tokens(counts_by_letter(self.rules.total_tokens), on_board, *held)
        self.row[layout.BAG] = packed(bag, LETTERS)

    def _read_royals(self) -> None:
        data = self.data
        placed = [*data.royals, *(name for player in data.players for name in player.royals)]
        for seat, player in enumerate(data.players):
            for name in (*player.royals, *player.counterfeiters):
                self.note_place(name, f"seat {seat}'s cards")
        for name in data.royals:
            self.note_place(name, "the royals on the table")
        bits_of(placed, ROYAL_NUMBERS, "royals")
        royals = ROYAL_IDS if self.rules.with_counterfeiters else ROYAL_IDS[: layout.BASE_ROYALS]
        require(set(placed) <= set(royals), f"the royals of {data.game} end with {royals[-1]}")
        in_deck = len(royals) - len(placed)
        is_possible = len(data.royals) <= layout.BASE_ROYALS <= len(placed)
        problem = f"4 royals are dealt: {len(data.royals)} on the table and {len(placed)} in all"
        require(is_possible and (self.rules.with_counterfeiters or not in_deck), problem)
        self.row[layout.FACE_UP_ROYALS] = bits_of(data.royals, ROYAL_NUMBERS, "royals")
        self.put_unknown_deck(layout.ROYAL_DECK, in_deck)

    def _read_counterfeiters(self) -> None:
        data = self.data
        face_up = [name for name in data.counterfeiters if name is not None]
        held = [name for player in data.players for name in player.counterfeiters]
        for card in face_up:
            self.note_place(card, "the Counterfeiter row")
        bits_of([*face_up, *held], COUNTERFEITER_BITS, "counterfeiters")
        first = layout.COUNTERFEITER_ROW
        self.row[first : first + 3] = NO_CARD
        if not self.rules.with_counterfeiters:
            require(not face_up and not held, f"there are no Counterfeiters in {data.game}")
            return
        require(len(data.counterfeiters) == 3, "the Counterfeiter row has three places")
        for slot, name in enumerate(data.counterfeiters, start=first):
            if name is not None:
                self.row[slot] = PRICED_CARDS[COUNTERFEITER_NUMBERS[name]]
        left = layout.COUNTERFEITERS - len(face_up) - len(held)
        self.put_unknown_deck(layout.COUNTERFEITER_DECK, left)

    def _read_player(self, offset: int, player: DuelPlayerData) -> None:
        """Write what a seat holds; bonuses, points and crowns follow from its cards."""
        row = self.row
        bonuses, points_by_color = dict.fromkeys(GEMS, 0), dict.fromkeys(GEMS, 0)
        points = sum(_ROYAL_POINTS[name] for name in player.royals)
        owned = [COUNTERFEITERS[COUNTERFEITER_BITS[name]] for name in player.counterfeiters]
        crowns = sum(card.crowns for card in owned)
        for name in player.cards:
            card = _JEWELS[name]
            points += card.points
            crowns += card.crowns
            color = player.joker_colors.get(name, card.color)
            if color in GEMS:
                bonuses[color] += card.bonus
                points_by_color[color] += card.points
        for name, color in player.joker_colors.items():
            is_owned = name in JOKERS and name in player.cards
            require(is_owned, f"{name[:40]!r} is no joker of the seat")
            require(color in tuple(GEMS), f"{color[:40]!r} is no color")
            row[offset + layout.JOKER_COLORS] |= (GEMS.index(color) + 1) << 4 * JOKERS.index(name)
        row[offset + layout.TOKENS] = packed(player.tokens, LETTERS)
        row[offset + layout.BONUSES] = packed(bonuses, GEMS)
        row[offset + layout.SCORE] = points
        row[offset + layout.SCORE_BY_COLOR] = packed(points_by_color, GEMS)
        row[offset + layout.CROWNS_HELD] = crowns
        row[offset + layout.PRIVILEGES] = player.privileges
        row[offset + layout.ROYALS_HELD] = bits_of(player.royals, ROYAL_NUMBERS, "royals")
        held = bits_of(player.counterfeiters, COUNTERFEITER_BITS, "counterfeiters")
        row[offset + layout.COUNTERFEITERS_HELD] = held
        row[offset + layout.DISCOUNTS] = _discounts(player.counterfeiters)
        is_blocking = player.blocked_turns or player.is_warned
        require(
            self.rules.options.get("anti-blocking") or not is_blocking,
            "blocking is counted only with options:anti-blocking",
        )
        row[offset + layout.BLOCKED_TURNS] = player.blocked_turns
        row[offset + layout.IS_WARNED] = player.is_warned

    def _read_turn(self) -> None:
        """Write what has happened in this turn so far."""
        row, turn = self.row, self.data.turn
        row[layout.REPLENISHED] = turn.has_replenished
        row[layout.AGAIN] = turn.goes_again
        row[layout.USED] = bits_of(turn.used, COUNTERFEITER_BITS, "used")
        row[layout.WINDOW_IS_PAST] = turn.is_window_past
        can_claim = self.rules.options.get("anti-blocking") or not turn.can_claim
        require(can_claim, "claiming is an option")
        row[layout.CLAIMABLE] = turn.can_claim
        row[layout.ROYALS_DUE] = turn.royals_due
        slots = SLOT_COUNT if self.rules.with_counterfeiters else SLOT_COUNT - 3
        for slot in turn.gaps:
            is_gap = slot < slots and row[layout.SLOTS + slot] == NO_CARD
            require(is_gap, f"place {slot} is no gap")
            row[layout.GAPS] |= 1 << slot

    def _read_action(self) -> None:
        """Write what the seat to move is doing: paying, reserving, collecting, looking."""
        row, data = self.row, self.data
        row[layout.CARD] = layout.EMPTY
        if data.buying is not None:
            self._read_purchase(data.buying)
        row[layout.RESERVES_LEFT] = data.reserves_left
        if data.collecting is not None:
            self._read_collection(data.collecting)
        row[layout.IS_BRIBE] = data.is_bribe
        if data.looking is not None:
            size = row.item(layout.DECK_SIZES + data.looking.level - 1)
            require(data.looking.number <= size, "nobody can look at more cards than there are")
            row[layout.PEEK_DECK] = data.looking.level - 1
            row[layout.PEEKED] = data.looking.number

    def _read_purchase(self, buying: DuelPurchase) -> None:
        row = self.row
        numbers = COUNTERFEITER_BITS if buying.is_use else CARD_NUMBERS
        require(buying.card in numbers, "what is paid for is no card of the game")
        row[layout.CARD] = numbers[buying.card]
        row[layout.IS_USE] = buying.is_use
        row[layout.PRICE] = packed(buying.price, LETTERS)
        row[layout.GOLD_LAID] = packed(buying.gold_laid, LETTERS)
        row[layout.PAY_STEP] = payment_step(buying.step, PAYMENT_STEPS)
        row[layout.PAY_USES] = buying.uses

    def _read_collection(self, collecting: TokenCollection) -> None:
        row = self.row
        require(collecting.ability in layout.ABILITIES, "no ability of that name collects")
        require(collecting.color in tuple(GEMS), "a card that collects has a color")
        row[layout.COLLECT_ABILITY] = layout.ABILITIES.index(collecting.ability)
        row[layout.COLLECT_KINDS] = kind_bits(collecting.kinds)
        row[layout.COLLECT_COLOR] = GEMS.index(collecting.color)
        row[layout.COLLECTS_LEFT] = collecting.left

    def check_outcome(self, view: DuelView) -> None:
        """Raise InvalidPosition if the game cannot have ended as the view says."""
        check_outcome(view, view_data(view, with_cards=False))

    def check_phase(self, view: DuelView) -> None:
        """Raise InvalidPosition if the view cannot be in its phase."""
        data, phase = view_data(view, with_cards=False), view.phase
        mover = view.players[view.seat]
        is_of_game = self.rules.with_counterfeiters or phase not in _COUNTERFEITER_PHASES
        require(is_of_game, f"duel has no phase {phase}")
        for field, phases in _PHASES_OF_FIELD.items():
            require(bool(getattr(data, field)) == (phase in phases), f"{field} in phase {phase}")
        if phase in _RESERVING_PHASES:
            require(len(mover.reserved) < mover.reserve_limit, "the reserve is full")
        if phase == "royal":
            require(data.is_bribe or data.turn.royals_due, "no royal is due")
        else:
            require(not data.is_bribe, "a bribe chooses a royal")
        if data.collecting is not None:
            collects = data.collecting.ability in _COLLECTING_ABILITIES
            require(collects, "no ability of that name collects")
        if data.looking is not None:
            _check_look(view, data.looking)
        if data.buying is not None:
            _check_purchase(view, data.buying)
        check_view(view, data)
        if data.looking is None:  # the cards that another seat looks at have no names in this view
            check_legal(view)


_PHASES_OF_FIELD = {
    "buying": ("pay", "color"),
    "reserves_left": ("reserve", "reserve-more"),
    "collecting": ("collect", "collect-more"),
    "looking": ("keep", "bottom"),
}
_PURCHASE_FIELDS = (
    layout.IS_USE, layout.PRICE, layout.GOLD_LAID, layout.PAY_STEP, layout.PAY_USES
)  # fmt: skip
_RESERVING_PHASES = ("reserve", "reserve-more", "deck", "keep")
_COUNTERFEITER_PHASES = (
    "second", "reserve-more", "counterfeiter", "draw", "window", "deck", "keep", "bottom"
)  # fmt: skip
_COLLECTING_ABILITIES = ("token", "take-4-of-a-kind", "gold", "take-3-any")


def _discounts(names: list[str]) -> int:
    """Return what C01 to C08 lower, as :mod:`.paying` counts it: uses by kind of token."""
    lowered = {"discount-three": "y", "discount-pearl": "p", "discount-any": "vv"}
    owned = [COUNTERFEITERS[COUNTERFEITER_BITS[name]] for name in names]
    uses = "".join(lowered.get(card.effect, 2 * card.color) for card in owned)
    return pack(uses.count(letter) for letter in LETTERS)


def _check_look(view: DuelView, look: DeckLook) -> None:
    """Refuse a look at cards that the viewer does not know."""
    require(view.phase != "bottom" or look.number == 2, "two cards are put under their deck")
    if view.viewer == view.seat:
        cards = view.deck(look.level)[: look.number]
        require(not any("?" in card for card in cards), "the viewer looks at cards and knows them")


def _check_purchase(view: DuelView, buying: DuelPurchase) -> None:
    """Refuse a purchase, or use, that was not legal before its payment began."""
    mover = view.players[view.seat]
    if view.phase == "color":
        is_unpaid = not (buying.price or buying.gold_laid or buying.step or buying.uses)
        is_bought = buying.card in mover.cards and buying.card not in mover.joker_colors
        require(is_unpaid and is_bought and buying.card in JOKERS, "no joker takes a color")
        return
    check_payment(buying.price, buying.gold_laid, mover.tokens)
    first = f"{'use' if buying.is_use else 'buy'} {buying.card}"
    before = before_purchase(view.words)
    check_legal(DuelView(view.rules, before, view.viewer), first)
    steps = payment_steps(view.rules, before, first, view.words)
    require(steps is not None, f"no payment after {first!r} leads to that price")


def before_purchase(words: Row) -> Row:
    """Return the row before a purchase, or a use of a Counterfeiter, that is being paid for."""
    before = words.copy()
    before[layout.PHASE] = layout.WINDOW if words[layout.IS_USE] else layout.TURN
    before[layout.CARD] = layout.EMPTY
    for field in _PURCHASE_FIELDS:
        before[field] = 0
    return before
