"""Duel and The Counterfeiters as the environments need them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from parure.envs.adapter import GameAdapter
from parure.envs.chance_pools import (
    LEVEL_DECKS,
    LEVELS,
    TOKEN_POOL,
    ChancePools,
    deck_pool,
    level_draws,
    level_pools,
)
from parure.envs.kernels import duel_batch
from parure.envs.kernels.slot_actions import FACE_UP, PEEKED, RESERVED, CardPlaces
from parure.envs.slot_actions import PlaceGroup, SlotTable
from parure.games.duel import decisions, layout
from parure.games.duel.cards import ROYALS
from parure.games.duel.counterfeiters import PEEK_SIZE
from parure.games.duel.rules import DuelRules
from parure.games.engine.arrays import Row
from parure.games.engine.rng import new_rng
from parure.games.engine.tokens import LETTERS, spell
from parure.games.rules import Rules
from parure.observations import duel_layout
from parure.observations.layout import ObservationLayout

ROYAL_POOL = "royals"
COUNTERFEITER_POOL = "counterfeiters"

FACE_UP_COUNTERFEITERS = 3
FACE_UP_ROYALS = 4


class DuelChancePools(ChancePools):
    """The tokens, the decks, and with The Counterfeiters their deck and that of the royals."""

    def __init__(self, rules: Rules) -> None:
        setup = rules.setup_of(rules.deal(new_rng(0)))
        pools = level_pools(setup["decks"])
        pools[TOKEN_POOL] = sorted(setup["board"] + setup["bag"], key=LETTERS.index)
        pools[ROYAL_POOL] = sorted(setup["royals"], key=[royal.id for royal in ROYALS].index)
        pools[COUNTERFEITER_POOL] = sorted(setup["counterfeiters"])
        draws = [(TOKEN_POOL, len(setup["board"])), *level_draws(rules)]
        if _has_counterfeiters(rules):  # without them the four royals are not drawn
            draws += [
                (COUNTERFEITER_POOL, FACE_UP_COUNTERFEITERS),
                (ROYAL_POOL, FACE_UP_ROYALS),
            ]
        decks = [
            (layout.COUNTERFEITER_DECK, COUNTERFEITER_POOL),
            (layout.ROYAL_DECK, ROYAL_POOL),
            *LEVEL_DECKS,
        ]
        super().__init__(rules, pools, draws, decks)

    def record_setup(self, drawn: Sequence[str]) -> dict[str, Any]:
        """Return the set-up of a record in which chance drew these, one for each set-up draw."""
        by_pool = self.drawn_by_pool(drawn)
        decks = [deck_pool(level) for level in LEVELS]
        in_bag = Counter(self.pools[TOKEN_POOL]) - Counter(by_pool[TOKEN_POOL])
        return {
            "board": "".join(by_pool[TOKEN_POOL]),
            "bag": spell(in_bag),
            "decks": [self.with_rest(pool, by_pool[pool]) for pool in decks],
            "royals": self.with_rest(ROYAL_POOL, by_pool[ROYAL_POOL]),
            "counterfeiters": self.with_rest(COUNTERFEITER_POOL, by_pool[COUNTERFEITER_POOL]),
        }

    def known_cards(self, row: Row, deck: int) -> set[int]:
        """Return the cards of a deck whose places some seat knows, through C17."""
        if deck >= len(LEVEL_DECKS):
            return set()
        words = row[layout.KNOWN : layout.KNOWN + 2 * (layout.EVERYONE + 1)].tolist()
        if not any(words):
            return set()
        known = 0
        for low, high in zip(words[::2], words[1::2], strict=True):
            known |= low | high << layout.LEVEL_3
        cards = set()
        while known:
            cards.add((known & -known).bit_length() - 1)
            known &= known - 1
        return cards

    def is_peeking(self, row: Row) -> bool:
        """Return whether the seat to move is looking at cards of a deck, through C17."""
        return bool(row[layout.PEEKED])

    def peeked_count(self, row: Row, deck: int) -> int:
        """Return the number of cards on top of a deck that the seat to move is looking at."""
        return int(row[layout.PEEKED]) if row[layout.PEEK_DECK] == deck else 0

    def card_name(self, deck: int, card: int) -> str:
        """Return the name of a card of a deck."""
        if deck == layout.ROYAL_DECK:
            return ROYALS[card].id if card < len(ROYALS) else ""
        return super().card_name(deck, card)


def _layout_for(rules: Rules) -> ObservationLayout:
    has_counterfeiters = _has_counterfeiters(rules)
    layouts = duel_layout
    return layouts.LAYOUT if has_counterfeiters else layouts.PLAIN_LAYOUT


def _has_counterfeiters(rules: Rules) -> bool:
    assert isinstance(rules, DuelRules)
    return rules.with_counterfeiters


def _slot_table(rules: Rules) -> SlotTable:
    slots, buy, reserve = layout.SLOTS, decisions.FIRST_BUY, decisions.FIRST_RESERVE
    groups = [
        PlaceGroup("reserve", "slot", FACE_UP, slots, layout.PYRAMID_SLOTS, reserve),
        PlaceGroup("buy", "slot", FACE_UP, slots, layout.PYRAMID_SLOTS, buy),
        PlaceGroup("buy", "reserved", RESERVED, 0, layout.MAX_RESERVED, buy),
    ]
    replaced: tuple[str, ...] = ("buy ", "reserve ")
    if _has_counterfeiters(rules):
        row, count = layout.COUNTERFEITER_ROW, layout.COUNTERFEITER_SLOTS
        buy_counterfeiter = decisions.FIRST_BUY_COUNTERFEITER
        keep, bottom = (decisions.TEXTS.index(f"{verb} J1-01") for verb in ("keep", "bottom"))
        groups += [
            PlaceGroup("buy", "counterfeiter slot", FACE_UP, row, count, buy_counterfeiter),
            PlaceGroup("keep", "card", PEEKED, 0, PEEK_SIZE, keep),
            PlaceGroup("bottom", "card", PEEKED, 0, PEEK_SIZE, bottom),
        ]
        replaced += ("keep ", "bottom ")
    places = CardPlaces(
        seat=layout.SEAT,
        seats=layout.SEATS,
        seat_words=layout.SEAT_WORDS,
        reserved=layout.RESERVED,
        reserved_count=layout.RESERVED_COUNT,
        empty=layout.EMPTY,
        deck_bytes=layout.DECK_BYTES,
        deck_sizes=layout.DECK_SIZES,
        peek_deck=layout.PEEK_DECK,
        peeked=layout.PEEKED,
        deck_ends=tuple(layout.DECK_ENDS),
    )
    return SlotTable(groups, replaced, places)


ADAPTER = GameAdapter(
    layout_for=_layout_for,
    slot_table=_slot_table,
    chance_pools=DuelChancePools,
    observe_many=duel_batch.observe_many,
    write_rewards=duel_batch.write_rewards,
    step_many=duel_batch.step_many,
    step_one=duel_batch.step_one,
    determinize_many=duel_batch.determinize_many,
)
