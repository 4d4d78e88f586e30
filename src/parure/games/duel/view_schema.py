"""The form of a Duel view; see :mod:`parure.games.view_schema`."""

from __future__ import annotations

from typing import Annotated

import msgspec

from parure.games import view_schema as wire
from parure.games.duel import decisions, layout
from parure.games.duel.cards import COUNTERFEITERS, JEWELS, ROYALS
from parure.games.duel.state import DuelView
from parure.games.engine.tokens import GEMS, LETTERS, counts_by_letter, pack
from parure.games.view_schema import Count, Counts

FACTS: dict[str, wire.CardFacts] = {
    jewel.id: {
        "level": jewel.level,
        "color": jewel.color,
        "bonus": jewel.bonus,
        "points": jewel.points,
        "crowns": jewel.crowns,
        "ability": jewel.ability,
        "cost": counts_by_letter(pack(jewel.cost)),
    }
    for jewel in JEWELS
}
FACTS |= {royal.id: {"points": royal.points, "ability": royal.ability} for royal in ROYALS}
FACTS |= {
    card.id: {
        "effect": card.effect,
        "color": card.color,
        "crowns": card.crowns,
        "cost": counts_by_letter(pack(card.cost)),
    }
    for card in COUNTERFEITERS
}
COUNTERFEITER_BITS = {card.id: i for i, card in enumerate(COUNTERFEITERS)}
STEPS = [
    decisions.TEXTS[decision]
    for decision in decisions.DECISION_AT[layout.PAY, : decisions.PAY_BIT + 1]
]
SLOTS = sum(layout.PYRAMID) + 3


class KnownCard(msgspec.Struct, forbid_unknown_fields=True):
    """A card in a deck whose place the viewer knows."""

    level: Count
    depth: Count  # 0 for the top
    card: str


class Turn(msgspec.Struct, forbid_unknown_fields=True):
    """What this turn has brought so far."""

    has_replenished: bool
    goes_again: bool  # an extra turn is due
    used: list[str]  # Counterfeiters
    is_window_past: bool
    can_claim: bool
    royals_due: Annotated[int, msgspec.Meta(ge=0, le=2)]
    gaps: list[Count]  # places emptied: 0 to 11 in the pyramid, 12 to 14 Counterfeiters


class Purchase(msgspec.Struct, forbid_unknown_fields=True):
    """What is being paid for, and how far that has come; or a joker that takes its color."""

    card: str
    is_use: bool  # of a Counterfeiter already owned
    price: Counts  # after bonuses and the discounts used so far
    gold_laid: Counts  # gold laid in place of each kind
    step: str | None  # the first decision that may still be taken, in their order; None: any
    uses: Annotated[int, msgspec.Meta(ge=0, le=1)]  # of the discount at `step`


class Collection(msgspec.Struct, forbid_unknown_fields=True):
    """Tokens being taken from the board by an ability."""

    ability: str
    kinds: str  # of which one may be taken now
    color: str  # of the card that collects
    left: Annotated[int, msgspec.Meta(ge=1, le=4)]


class Look(msgspec.Struct, forbid_unknown_fields=True):
    """The cards on top of a deck that the seat to move is looking at."""

    level: Annotated[int, msgspec.Meta(ge=1, le=3)]
    number: Annotated[int, msgspec.Meta(ge=1, le=3)]


class DuelPlayerData(wire.PlayerData, kw_only=True, forbid_unknown_fields=True):
    """A seat of Duel."""

    points_by_color: Counts
    crowns: Count
    privileges: Annotated[int, msgspec.Meta(ge=0, le=3)]
    royals: list[str]
    counterfeiters: list[str]
    joker_colors: dict[str, str]
    blocked_turns: Count  # in a row, begun with all gold and pearls
    is_warned: bool  # of blocking, and has not answered yet


class DuelViewData(wire.ViewData, kw_only=True, forbid_unknown_fields=True):
    """The table of Duel."""

    board: dict[str, str]  # the letter on each cell that is not empty
    bag: Counts
    privileges: Count  # on the table
    royals: list[str]
    royal_deck_size: Count
    counterfeiters: list[str | None]
    counterfeiter_deck_size: Count
    known_in_decks: list[KnownCard]
    turn: Turn
    buying: Purchase | None
    reserves_left: Annotated[int, msgspec.Meta(ge=0, le=2)]
    collecting: Collection | None
    is_bribe: bool  # the royal is chosen for C09
    looking: Look | None
    players: list[DuelPlayerData]


def view_data(view: DuelView) -> DuelViewData:
    """The form of a view."""
    words = view.words.tolist()
    everyone = layout.KNOWN + 2 * layout.EVERYONE
    known_to_all = words[everyone] | words[everyone + 1] << layout.LEVEL_3
    players = [_seat(view, player.seat, known_to_all) for player in view.players]
    known = [
        KnownCard(level, depth, card)
        for level in (1, 2, 3)
        for depth, card in enumerate(view.deck(level))
        if not card.startswith("??")
    ]
    named = [*view.royals, *(name for name in view.counterfeiters if name)]
    named += [name for player in players for name in (*player.royals, *player.counterfeiters)]
    named += [place.card for place in known]
    return DuelViewData(
        **wire.common(view, FACTS, named),
        board=view.board,
        bag=view.bag,
        privileges=view.privileges,
        royals=list(view.royals),
        royal_deck_size=words[layout.DECK_SIZES + layout.ROYAL_DECK],
        counterfeiters=list(view.counterfeiters),
        counterfeiter_deck_size=view.counterfeiter_deck_size,
        known_in_decks=known,
        turn=_turn(words),
        buying=_purchase(view),
        reserves_left=words[layout.RESERVES_LEFT],
        collecting=_collection(words),
        is_bribe=bool(words[layout.IS_BRIBE]),
        looking=Look(words[layout.PEEK_DECK] + 1, words[layout.PEEKED])
        if words[layout.PEEKED]
        else None,
        players=players,
    )


def _seat(view: DuelView, seat: int, known_to_all: int) -> DuelPlayerData:
    player = view.players[seat]
    me = layout.SEATS + seat * layout.SEAT_WORDS
    return DuelPlayerData(
        **wire.common_of_seat(view, seat, known_to_all),
        points_by_color=player.points_by_color,
        crowns=player.crowns,
        privileges=player.privileges,
        royals=list(player.royals),
        counterfeiters=list(player.counterfeiters),
        joker_colors=player.joker_colors,
        blocked_turns=int(view.words[me + layout.BLOCKED_TURNS]),
        is_warned=bool(view.words[me + layout.IS_WARNED]),
    )


def _turn(words: list[int]) -> Turn:
    return Turn(
        has_replenished=bool(words[layout.REPLENISHED]),
        goes_again=bool(words[layout.AGAIN]),
        used=[name for name, i in COUNTERFEITER_BITS.items() if words[layout.USED] >> i & 1],
        is_window_past=bool(words[layout.WINDOW_IS_PAST]),
        can_claim=bool(words[layout.CLAIMABLE]),
        royals_due=words[layout.ROYALS_DUE],
        gaps=[slot for slot in range(SLOTS) if words[layout.GAPS] >> slot & 1],
    )


def _purchase(view: DuelView) -> Purchase | None:
    if view.buying is None:
        return None
    words = view.words.tolist()
    step = words[layout.PAY_STEP]
    return Purchase(
        card=view.buying,
        is_use=bool(words[layout.IS_USE]),
        price=counts_by_letter(words[layout.PRICE]),
        gold_laid=counts_by_letter(words[layout.GOLD_LAID]),
        step=STEPS[step] if step else None,
        uses=words[layout.PAY_USES],
    )


def _collection(words: list[int]) -> Collection | None:
    if not words[layout.COLLECTS_LEFT]:
        return None
    return Collection(
        ability=layout.ABILITIES[words[layout.COLLECT_ABILITY]],
        kinds="".join(k for i, k in enumerate(LETTERS) if words[layout.COLLECT_KINDS] >> i & 1),
        color=GEMS[words[layout.COLLECT_COLOR]],
        left=words[layout.COLLECTS_LEFT],
    )
