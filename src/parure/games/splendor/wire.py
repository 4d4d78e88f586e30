"""The form of a Splendor view, and the view of a form; see :mod:`parure.games.wire`."""

from __future__ import annotations

import msgspec

from parure.games import wire
from parure.games.kinds import GEMS, counted, pack
from parure.games.rules import Rules
from parure.games.splendor import decisions as to
from parure.games.splendor import layout as at
from parure.games.splendor.cards import DEVELOPMENTS, NOBLES
from parure.games.splendor.game import NOBLE_NUMBERS, SplendorView
from parure.games.typing import Row
from parure.games.wire import Count, Counts, require

LETTERS = GEMS + "y"
GOLD_IN_ALL = 5
FACTS: dict[str, wire.CardFacts] = {
    card.id: {
        "level": card.level,
        "color": card.color,
        "points": card.points,
        "cost": counted(pack(card.cost)),
    }
    for card in DEVELOPMENTS
}
FACTS |= {
    noble.id: {"points": noble.points, "needs": counted(pack(noble.needs))} for noble in NOBLES
}
_DEVELOPMENTS = {card.id: card for card in DEVELOPMENTS}
_NOBLE_POINTS = {noble.id: noble.points for noble in NOBLES}
_STEPS = [to.TEXTS[decision] for decision in to.DECISION_AT[at.PAY, : to.PAY_BIT + 1]]


class Purchase(msgspec.Struct, forbid_unknown_fields=True):
    """What is being paid for, and how far that has come."""

    card: str
    price: Counts  # after bonuses
    gold_laid: Counts  # gold laid in place of each kind
    step: str | None  # the first decision that may still be taken, in their order; None: any


class SplendorSeat(wire.SeatForm, kw_only=True, forbid_unknown_fields=True):
    """A seat of Splendor."""

    nobles: list[str]


class SplendorForm(wire.Form, kw_only=True, forbid_unknown_fields=True):
    """The table of Splendor."""

    supply: Counts
    nobles: list[str]
    passes: Count  # in unbroken succession
    is_last_round: bool
    buying: Purchase | None
    players: list[SplendorSeat]


form_type = SplendorForm


def form_of(view: SplendorView) -> SplendorForm:
    """The form of a view."""
    words = view.words.tolist()
    known_to_all = words[at.KNOWN] | words[at.KNOWN + 1] << at.LEVEL_2
    players = [
        SplendorSeat(
            **wire.common_of_seat(view, player.seat, known_to_all), nobles=list(player.nobles)
        )
        for player in view.players
    ]
    nobles = [*view.nobles, *(name for player in players for name in player.nobles)]
    return SplendorForm(
        **wire.common(view, FACTS, nobles),
        supply=view.supply,
        nobles=list(view.nobles),
        passes=words[at.PASSES],
        is_last_round=bool(words[at.LAST_ROUND]),
        buying=_purchase(view),
        players=players,
    )


def _purchase(view: SplendorView) -> Purchase | None:
    if view.buying is None:
        return None
    _, price, laid, step = view.words[at.CARD : at.PAY_STEP + 1].tolist()
    return Purchase(view.buying, counted(price), counted(laid), _STEPS[step] if step else None)


def view_of(by: Rules, form: SplendorForm) -> SplendorView:
    """The view that a form makes, before what follows from it is compared and checked."""
    row = by.blank()
    wire.read_standing(by, row, form)
    cards = wire.CardLayer(by, row, form, [at.RESERVE_LIMIT] * by.seats, at.LEVEL_2)
    cards.lay(form.players)
    cards.put_set(at.KNOWN, cards.known_to_all)
    for seat in range(by.seats, at.MOST_SEATS):
        reserved = at.SEATS + seat * at.SEAT_WORDS + at.RESERVED
        row[reserved : reserved + at.RESERVE_LIMIT] = at.EMPTY
    gems = 7 if by.seats == 4 else by.seats + 2
    everything = dict.fromkeys(GEMS, gems) | {"y": GOLD_IN_ALL}
    supply = wire.rest_of(everything, *(player.tokens for player in form.players))
    row[at.SUPPLY] = wire.packed(supply, LETTERS)
    require(form.passes < by.seats or form.outcome, "so many passes end the game")
    row[at.PASSES] = form.passes
    row[at.LAST_ROUND] = form.is_last_round
    _read_nobles(row, form)
    for seat, player in enumerate(form.players):
        _read_seat(row, at.SEATS + seat * at.SEAT_WORDS, player)
    row[at.CARD] = at.EMPTY
    if form.buying is not None:
        require(form.buying.card in _DEVELOPMENTS, "what is bought is no card of the game")
        row[at.CARD] = SplendorView.card_numbers[form.buying.card]
        row[at.PRICE] = wire.packed(form.buying.price, GEMS)
        row[at.GOLD_LAID] = wire.packed(form.buying.gold_laid, GEMS)
        row[at.PAY_STEP] = wire.read_step(form.buying.step, _STEPS)
    return SplendorView(by, row, form.viewer)


def _read_nobles(row: Row, form: SplendorForm) -> None:
    everyone = [*form.nobles, *(name for player in form.players for name in player.nobles)]
    wire.members(everyone, NOBLE_NUMBERS, "nobles")
    require(len(everyone) == form.seats + 1, f"{form.seats} players have {form.seats + 1} nobles")
    row[at.FACE_UP_NOBLES] = wire.members(form.nobles, NOBLE_NUMBERS, "nobles")


def _read_seat(row: Row, me: int, player: SplendorSeat) -> None:
    """Write what a seat holds; bonuses and points follow from its cards."""
    cards = [_DEVELOPMENTS[name] for name in player.cards]
    row[me + at.TOKENS] = wire.packed(player.tokens, LETTERS)
    row[me + at.BONUSES] = pack(sum(card.color == letter for card in cards) for letter in GEMS)
    row[me + at.SCORE] = sum(card.points for card in cards)
    row[me + at.SCORE] += sum(_NOBLE_POINTS[name] for name in player.nobles)
    row[me + at.NOBLES_HELD] = wire.members(player.nobles, NOBLE_NUMBERS, "nobles")


def check_phase(view: SplendorView) -> None:
    """The phase must be one that the rest allows; InvalidPosition otherwise."""
    wire.check_legal(view)
    buying = _purchase(view)
    require((buying is not None) == (view.phase == "pay"), "a card is paid for in phase pay")
    if buying is not None:
        wire.check_payment(buying.price, buying.gold_laid, view.players[view.seat].tokens)
        before = SplendorView(view.rules, view.words.copy(), view.viewer)
        before.words[at.PHASE] = at.TURN
        wire.check_legal(before, f"buy {buying.card}")
