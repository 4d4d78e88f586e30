"""The view that the form of a Splendor view makes; see :mod:`parure.games.view_parser`."""

from __future__ import annotations

from parure.games import view_parser as reading
from parure.games.engine.arrays import Row
from parure.games.engine.tokens import GEMS, counts_by_letter, pack
from parure.games.rules import Rules
from parure.games.splendor import layout
from parure.games.splendor.card_table import NO_CARD
from parure.games.splendor.cards import DEVELOPMENTS, NOBLES
from parure.games.splendor.state import NOBLE_NUMBERS, SplendorView
from parure.games.splendor.view_schema import STEPS, SplendorPlayerData, SplendorViewData, purchase
from parure.games.view_parser import require

LETTERS = GEMS + "y"

_DEVELOPMENTS = {card.id: card for card in DEVELOPMENTS}
_NOBLE_POINTS = {noble.id: noble.points for noble in NOBLES}

data_type = SplendorViewData


def build_view(by: Rules, form: SplendorViewData) -> SplendorView:
    """The view that a form makes, before what follows from it is compared and checked."""
    row = by.blank()
    reading.read_standing(by, row, form)
    cards = reading.CardPlacer(by, row, form, [layout.RESERVE_LIMIT] * by.seats, layout.LEVEL_2)
    cards.lay(form.players)
    cards.put_set(layout.KNOWN, cards.known_to_all)
    for seat in range(by.seats, layout.MAX_SEATS):
        reserved = layout.SEATS + seat * layout.SEAT_WORDS + layout.RESERVED
        row[reserved : reserved + layout.RESERVE_LIMIT] = NO_CARD
    everything = counts_by_letter(layout.TOTAL_TOKENS[by.seats])
    supply = reading.rest_of(everything, *(player.tokens for player in form.players))
    row[layout.SUPPLY] = reading.packed(supply, LETTERS)
    require(form.passes < by.seats or form.outcome, "so many passes end the game")
    row[layout.PASSES] = form.passes
    row[layout.LAST_ROUND] = form.is_last_round
    _read_nobles(row, form)
    for seat, player in enumerate(form.players):
        _read_seat(row, layout.SEATS + seat * layout.SEAT_WORDS, player)
    row[layout.CARD] = layout.EMPTY
    if form.buying is not None:
        require(form.buying.card in _DEVELOPMENTS, "what is bought is no card of the game")
        row[layout.CARD] = SplendorView.card_numbers[form.buying.card]
        row[layout.PRICE] = reading.packed(form.buying.price, GEMS)
        row[layout.GOLD_LAID] = reading.packed(form.buying.gold_laid, GEMS)
        row[layout.PAY_STEP] = reading.read_step(form.buying.step, STEPS)
    return SplendorView(by, row, form.viewer)


def _read_nobles(row: Row, form: SplendorViewData) -> None:
    everyone = [*form.nobles, *(name for player in form.players for name in player.nobles)]
    reading.names_in(everyone, NOBLE_NUMBERS, "nobles")
    require(len(everyone) == form.seats + 1, f"{form.seats} players have {form.seats + 1} nobles")
    row[layout.FACE_UP_NOBLES] = reading.names_in(form.nobles, NOBLE_NUMBERS, "nobles")


def _read_seat(row: Row, me: int, player: SplendorPlayerData) -> None:
    """Write what a seat holds; bonuses and points follow from its cards."""
    cards = [_DEVELOPMENTS[name] for name in player.cards]
    row[me + layout.TOKENS] = reading.packed(player.tokens, LETTERS)
    row[me + layout.BONUSES] = pack(sum(card.color == letter for card in cards) for letter in GEMS)
    row[me + layout.SCORE] = sum(card.points for card in cards)
    row[me + layout.SCORE] += sum(_NOBLE_POINTS[name] for name in player.nobles)
    row[me + layout.NOBLES_HELD] = reading.names_in(player.nobles, NOBLE_NUMBERS, "nobles")


def check_phase(view: SplendorView) -> None:
    """The phase must be one that the rest allows; InvalidPosition otherwise."""
    buying = purchase(view)
    require((buying is not None) == (view.phase == "pay"), "a card is paid for in phase pay")
    if buying is not None:
        reading.check_payment(buying.price, buying.gold_laid, view.players[view.seat].tokens)
        before = SplendorView(view.rules, view.words.copy(), view.viewer)
        before.words[layout.PHASE] = layout.TURN
        reading.check_legal(before, f"buy {buying.card}")
    reading.check_legal(view)
