"""A Splendor view as data; see :mod:`parure.games.view_schema`."""

from __future__ import annotations

from msgspec import UNSET

from parure.games.engine.tokens import counts_by_letter, pack
from parure.games.splendor import decisions, layout
from parure.games.splendor.cards import DEVELOPMENTS, NOBLES
from parure.games.splendor.state import SplendorView
from parure.games.view_schema import (
    CardFacts,
    Count,
    DerivedCounts,
    DerivedFlag,
    PlayerData,
    Purchase,
    ViewData,
    shared_fields,
    shared_player_fields,
)

CARD_FACTS: dict[str, CardFacts] = {
    card.id: {
        "level": card.level,
        "color": card.color,
        "points": card.points,
        "cost": counts_by_letter(pack(card.cost)),
    }
    for card in DEVELOPMENTS
}
CARD_FACTS |= {
    noble.id: {"points": noble.points, "needs": counts_by_letter(pack(noble.needs))}
    for noble in NOBLES
}
PAYMENT_STEPS = [
    decisions.TEXTS[decision]
    for decision in decisions.DECISION_AT[layout.PAY, : decisions.PAY_BIT + 1]
]


class SplendorPlayerData(PlayerData, kw_only=True, forbid_unknown_fields=True):
    """A seat of Splendor."""

    nobles: list[str]


class SplendorViewData(ViewData, kw_only=True, forbid_unknown_fields=True, tag="splendor"):
    """The table of Splendor."""

    supply: DerivedCounts = UNSET
    nobles: list[str]
    passes: Count  # turns passed in a row
    is_last_round: DerivedFlag = UNSET  # a seat has reached the goal
    players: list[SplendorPlayerData]


def view_data(view: SplendorView, with_cards: bool = True) -> SplendorViewData:
    """Return a view as data."""
    words = view.words.tolist()
    known_to_all = words[layout.KNOWN] | words[layout.KNOWN + 1] << layout.LEVEL_2
    players = [
        SplendorPlayerData(
            **shared_player_fields(view, player.seat, known_to_all), nobles=list(player.nobles)
        )
        for player in view.players
    ]
    nobles = [*view.nobles, *(name for player in players for name in player.nobles)]
    return SplendorViewData(
        **shared_fields(view, CARD_FACTS if with_cards else None, nobles),
        supply=view.supply,
        nobles=list(view.nobles),
        passes=words[layout.PASSES],
        is_last_round=bool(words[layout.LAST_ROUND]),
        buying=purchase(view),
        players=players,
    )


def purchase(view: SplendorView) -> Purchase | None:
    """Return the purchase that is being paid for; None between purchases."""
    if view.buying is None:
        return None
    _, price, laid, step = view.words[layout.CARD : layout.PAY_STEP + 1].tolist()
    return Purchase(
        card=view.buying,
        price=counts_by_letter(price),
        gold_laid=counts_by_letter(laid),
        step=PAYMENT_STEPS[step] if step else None,
    )
