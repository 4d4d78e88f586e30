"""A Duel view as data; see :mod:`parure.games.view_schema`."""

from __future__ import annotations

from copy import copy
from typing import Annotated

from msgspec import UNSET, Meta, Struct

from parure.games.duel import decisions, layout
from parure.games.duel.cards import COUNTERFEITERS, JEWELS, ROYALS
from parure.games.duel.state import DuelView
from parure.games.engine.tokens import GEMS, LETTERS, counts_by_letter, pack
from parure.games.view_schema import (
    CardFacts,
    Count,
    DerivedCount,
    DerivedCounts,
    PlayerData,
    Purchase,
    ViewData,
    shared_fields,
    shared_player_fields,
)

CARD_FACTS: dict[str, CardFacts] = {
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
CARD_FACTS |= {royal.id: {"points": royal.points, "ability": royal.ability} for royal in ROYALS}
CARD_FACTS |= {
    card.id: {
        "effect": card.effect,
        "color": card.color,
        "crowns": card.crowns,
        "cost": counts_by_letter(pack(card.cost)),
    }
    for card in COUNTERFEITERS
}
COUNTERFEITER_BITS = {card.id: i for i, card in enumerate(COUNTERFEITERS)}
PAYMENT_STEPS = [
    decisions.TEXTS[decision]
    for decision in decisions.DECISION_AT[layout.PAY, : decisions.PAY_BIT + 1]
]
SLOT_COUNT = sum(layout.PYRAMID) + 3


class KnownCard(Struct, forbid_unknown_fields=True):
    """A card in a deck whose place the viewer knows."""

    level: Count
    depth: Count  # 0 for the top
    card: str


class DuelTurn(Struct, forbid_unknown_fields=True):
    """What has happened in this turn so far."""

    has_replenished: bool
    goes_again: bool  # the seat has another turn after this one
    used: list[str]  # Counterfeiter cards used in the window
    is_window_past: bool
    can_claim: bool  # anti-blocking: `claim` is legal
    royals_due: Annotated[int, Meta(ge=0, le=2)]  # still to be taken for crowns
    gaps: list[Count]  # places emptied: 0 to 11 in the pyramid, 12 to 14 Counterfeiters


class DuelPurchase(Purchase, kw_only=True, forbid_unknown_fields=True):
    """A card that is being paid for, and the payment so far; or a joker that takes its color."""

    is_use: bool  # of a Counterfeiter already owned
    uses: Annotated[int, Meta(ge=0, le=1)]  # of the discount at `step`


class TokenCollection(Struct, forbid_unknown_fields=True):
    """Tokens being taken from the board by an ability."""

    ability: str
    kinds: str  # the letters of which one may be taken now
    color: str  # of the card with the ability
    left: Annotated[int, Meta(ge=1, le=4)]  # tokens that may still be taken


class DeckLook(Struct, forbid_unknown_fields=True):
    """The cards on top of a deck that the seat to move is looking at."""

    level: Annotated[int, Meta(ge=1, le=3)]
    number: Annotated[int, Meta(ge=1, le=3)]  # of cards


class DuelPlayerData(PlayerData, kw_only=True, forbid_unknown_fields=True):
    """A seat of Duel."""

    points_by_color: DerivedCounts = UNSET
    crowns: DerivedCount = UNSET
    privileges: Annotated[int, Meta(ge=0, le=3)]
    royals: list[str]
    counterfeiters: list[str]
    joker_colors: dict[str, str]  # the color chosen for each joker bought
    blocked_turns: Count  # in a row, begun while holding all gold and pearls
    is_warned: bool  # of blocking, and has not answered yet


class DuelViewData(ViewData, kw_only=True, forbid_unknown_fields=True, tag="duel"):
    """The table of Duel."""

    board: dict[str, str]  # the letter on each cell that is not empty
    bag: DerivedCounts = UNSET
    privileges: DerivedCount = UNSET  # on the table
    royals: list[str]  # face up
    royal_deck_size: DerivedCount = UNSET
    counterfeiters: list[str | None]  # the three slots of the row; null for a gap
    counterfeiter_deck_size: DerivedCount = UNSET
    known_in_decks: list[KnownCard]
    turn: DuelTurn
    buying: DuelPurchase | None
    reserves_left: Annotated[int, Meta(ge=0, le=2)]  # cards that may be reserved now
    collecting: TokenCollection | None
    is_bribe: bool  # the royal is chosen for C09
    looking: DeckLook | None
    players: list[DuelPlayerData]


def view_data(view: DuelView, with_cards: bool = True) -> DuelViewData:
    """Return a view as data."""
    words = view.words.tolist()
    everyone = layout.KNOWN + 2 * layout.EVERYONE
    known_to_all = words[everyone] | words[everyone + 1] << layout.LEVEL_3
    players = [_player(view, seat, words, known_to_all) for seat in range(view.seats)]
    known = _known_in_decks(view)
    named = [*view.royals, *(name for name in view.counterfeiters if name)]
    named += [name for player in players for name in (*player.royals, *player.counterfeiters)]
    named += [place.card for place in known]
    return DuelViewData(
        **shared_fields(view, CARD_FACTS if with_cards else None, named),
        board=view.board,
        bag=view.bag,
        privileges=view.privileges,
        royals=list(view.royals),
        royal_deck_size=view.royal_deck_size,
        counterfeiters=list(view.counterfeiters),
        counterfeiter_deck_size=view.counterfeiter_deck_size,
        known_in_decks=known,
        turn=_turn(words),
        buying=_purchase(view, words),
        reserves_left=words[layout.RESERVES_LEFT],
        collecting=_collection(words),
        is_bribe=bool(words[layout.IS_BRIBE]),
        looking=_look(words),
        players=players,
    )


_players: dict[tuple[int, ...], DuelPlayerData] = {}  # by the words that they are made of
MAX_CACHED_PLAYERS = 4096


def _known_in_decks(view: DuelView) -> list[KnownCard]:
    return [
        KnownCard(deck + 1, depth, view.card_names[number])
        for deck in range(3)
        for depth, number in enumerate(view._deck_numbers(deck))
        if number < len(JEWELS)
    ]


def _player(view: DuelView, seat: int, words: list[int], known_to_all: int) -> DuelPlayerData:
    """Return the data of a seat. Its counts and lists are shared, but for `reserved`.

    Most decisions change one seat only, and all viewers have mostly the same words of it.
    """
    first = layout.SEATS + seat * layout.SEAT_WORDS
    key = (seat, known_to_all, *words[first : first + layout.SEAT_WORDS])
    found = _players.get(key)
    if found is None:
        if len(_players) >= MAX_CACHED_PLAYERS:
            _players.clear()
        found = _players[key] = _new_player(view, seat, known_to_all)
    player = copy(found)
    player.reserved = found.reserved.copy()  # a table covers some of them
    return player


def _new_player(view: DuelView, seat: int, known_to_all: int) -> DuelPlayerData:
    player = view.players[seat]
    offset = layout.SEATS + seat * layout.SEAT_WORDS
    return DuelPlayerData(
        **shared_player_fields(view, seat, known_to_all),
        points_by_color=player.points_by_color,
        crowns=player.crowns,
        privileges=player.privileges,
        royals=list(player.royals),
        counterfeiters=list(player.counterfeiters),
        joker_colors=player.joker_colors,
        blocked_turns=view.words.item(offset + layout.BLOCKED_TURNS),
        is_warned=bool(view.words[offset + layout.IS_WARNED]),
    )


def _turn(words: list[int]) -> DuelTurn:
    return DuelTurn(
        has_replenished=bool(words[layout.REPLENISHED]),
        goes_again=bool(words[layout.AGAIN]),
        used=[name for name, i in COUNTERFEITER_BITS.items() if words[layout.USED] >> i & 1],
        is_window_past=bool(words[layout.WINDOW_IS_PAST]),
        can_claim=bool(words[layout.CLAIMABLE]),
        royals_due=words[layout.ROYALS_DUE],
        gaps=[slot for slot in range(SLOT_COUNT) if words[layout.GAPS] >> slot & 1],
    )


def _purchase(view: DuelView, words: list[int]) -> DuelPurchase | None:
    if view.buying is None:
        return None
    step = words[layout.PAY_STEP]
    return DuelPurchase(
        card=view.buying,
        price=counts_by_letter(words[layout.PRICE]),
        gold_laid=counts_by_letter(words[layout.GOLD_LAID]),
        step=PAYMENT_STEPS[step] if step else None,
        is_use=bool(words[layout.IS_USE]),
        uses=words[layout.PAY_USES],
    )


def _collection(words: list[int]) -> TokenCollection | None:
    if not words[layout.COLLECTS_LEFT]:
        return None
    kinds = words[layout.COLLECT_KINDS]
    return TokenCollection(
        ability=layout.ABILITIES[words[layout.COLLECT_ABILITY]],
        kinds="".join(letter for i, letter in enumerate(LETTERS) if kinds >> i & 1),
        color=GEMS[words[layout.COLLECT_COLOR]],
        left=words[layout.COLLECTS_LEFT],
    )


def _look(words: list[int]) -> DeckLook | None:
    if not words[layout.PEEKED]:
        return None
    return DeckLook(level=words[layout.PEEK_DECK] + 1, number=words[layout.PEEKED])
