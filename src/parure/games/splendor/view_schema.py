"""The form of a Splendor view; see :mod:`parure.games.view_schema`."""

from __future__ import annotations

import msgspec

from parure.games import view_schema as wire
from parure.games.engine.tokens import counts_by_letter, pack
from parure.games.splendor import decisions, layout
from parure.games.splendor.cards import DEVELOPMENTS, NOBLES
from parure.games.splendor.state import SplendorView
from parure.games.view_schema import Count, Counts

FACTS: dict[str, wire.CardFacts] = {
    card.id: {
        "level": card.level,
        "color": card.color,
        "points": card.points,
        "cost": counts_by_letter(pack(card.cost)),
    }
    for card in DEVELOPMENTS
}
FACTS |= {
    noble.id: {"points": noble.points, "needs": counts_by_letter(pack(noble.needs))}
    for noble in NOBLES
}
STEPS = [
    decisions.TEXTS[decision]
    for decision in decisions.DECISION_AT[layout.PAY, : decisions.PAY_BIT + 1]
]


class Purchase(msgspec.Struct, forbid_unknown_fields=True):
    """What is being paid for, and how far that has come."""

    card: str
    price: Counts  # after bonuses
    gold_laid: Counts  # gold laid in place of each kind
    step: str | None  # the first decision that may still be taken, in their order; None: any


class SplendorPlayerData(wire.PlayerData, kw_only=True, forbid_unknown_fields=True):
    """A seat of Splendor."""

    nobles: list[str]


class SplendorViewData(wire.ViewData, kw_only=True, forbid_unknown_fields=True):
    """The table of Splendor."""

    supply: Counts
    nobles: list[str]
    passes: Count  # in unbroken succession
    is_last_round: bool
    buying: Purchase | None
    players: list[SplendorPlayerData]


def view_data(view: SplendorView) -> SplendorViewData:
    """The form of a view."""
    words = view.words.tolist()
    known_to_all = words[layout.KNOWN] | words[layout.KNOWN + 1] << layout.LEVEL_2
    players = [
        SplendorPlayerData(
            **wire.common_of_seat(view, player.seat, known_to_all), nobles=list(player.nobles)
        )
        for player in view.players
    ]
    nobles = [*view.nobles, *(name for player in players for name in player.nobles)]
    return SplendorViewData(
        **wire.common(view, FACTS, nobles),
        supply=view.supply,
        nobles=list(view.nobles),
        passes=words[layout.PASSES],
        is_last_round=bool(words[layout.LAST_ROUND]),
        buying=purchase(view),
        players=players,
    )


def purchase(view: SplendorView) -> Purchase | None:
    """What is being paid for, if anything is."""
    if view.buying is None:
        return None
    _, price, laid, step = view.words[layout.CARD : layout.PAY_STEP + 1].tolist()
    return Purchase(
        view.buying, counts_by_letter(price), counts_by_letter(laid), STEPS[step] if step else None
    )
