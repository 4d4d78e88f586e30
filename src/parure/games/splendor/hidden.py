"""Hidden cards of a Splendor state: views, and random states that fit a view.

docs/rules/splendor.md, "What each player knows"
"""

from __future__ import annotations

from parure.games.engine.arrays import Rng, Row
from parure.games.engine.card_storage import card_number, random_member
from parure.games.engine.jit import inlined, kernel
from parure.games.splendor import layout
from parure.games.splendor.row_access import (
    DECK_ENDS,
    DECK_STARTS,
    card_at,
    has_card,
    level_of,
    priced_card,
    put_card,
    top_index,
)


@kernel
def hide(s: Row, viewer: int) -> None:
    """Replace every card that the viewer, a seat or EVERYONE, does not know by an unknown one."""
    for deck in range(layout.DECKS):
        for index in range(top_index(s, deck), DECK_ENDS[deck]):
            put_card(s, index, layout.UNKNOWN + deck)
    for seat in range(s[layout.SEAT_COUNT]):
        if seat != viewer:
            reserved = layout.SEATS + seat * layout.SEAT_WORDS + layout.RESERVED
            for i in range(layout.RESERVE_LIMIT):
                card = card_number(s[reserved + i])
                if card < layout.DEVELOPMENTS and not has_card(s, layout.KNOWN, card):
                    s[reserved + i] = priced_card(layout.UNKNOWN + level_of(card))


@kernel
def determinize(s: Row, rng: Rng) -> None:
    """Replace every unknown card by a random one; all states that fit are equally likely."""
    for deck in range(layout.DECKS):
        first = DECK_STARTS[deck]
        left = unseen_cards(s, deck)
        for index in range(top_index(s, deck), DECK_ENDS[deck]):
            if card_at(s, index) >= layout.UNKNOWN:
                card = random_member(left, rng)
                left ^= 1 << card
                put_card(s, index, first + card)
        for seat in range(s[layout.SEAT_COUNT]):
            reserved = layout.SEATS + seat * layout.SEAT_WORDS + layout.RESERVED
            for i in range(layout.RESERVE_LIMIT):
                if card_number(s[reserved + i]) == layout.UNKNOWN + deck:
                    card = random_member(left, rng)
                    left ^= 1 << card
                    s[reserved + i] = priced_card(first + card)


@inlined
def unseen_cards(s: Row, deck: int) -> int:
    """Return the cards of a deck that are nowhere in the row, counted from its first card."""
    first = DECK_STARTS[deck]
    seen = 0
    for i in range(layout.FACE_UP):
        seen |= bit_in_deck(card_number(s[layout.SLOTS + layout.FACE_UP * deck + i]), first)
    for seat in range(s[layout.SEAT_COUNT]):
        them = layout.SEATS + seat * layout.SEAT_WORDS
        if deck == 0:
            seen |= s[them + layout.TABLEAU]
        else:
            seen |= s[them + layout.TABLEAU + 1] >> (first - layout.LEVEL_2)
        for i in range(layout.RESERVE_LIMIT):
            seen |= bit_in_deck(card_number(s[them + layout.RESERVED + i]), first)
    for index in range(top_index(s, deck), DECK_ENDS[deck]):
        seen |= bit_in_deck(card_at(s, index), first)
    all_cards = (1 << (DECK_ENDS[deck] - first)) - 1
    return all_cards & ~seen


@inlined
def bit_in_deck(card: int, first: int) -> int:
    """Return a card as a set counted from the first card of a deck; empty if it is not in a deck.

    Cards of later decks set bits after the last card of the deck, which `unseen_cards` ignores.
    """
    return 1 << (card - first) if first <= card < layout.DEVELOPMENTS and card - first < 63 else 0
