"""What each seat knows of a Splendor state, and full states that fit such knowledge."""

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
    """Turn a state into what a seat, or EVERYONE, knows of it: other cards become UNKNOWN."""
    for deck in range(layout.DECKS):
        for place in range(top_index(s, deck), DECK_ENDS[deck]):
            put_card(s, place, layout.UNKNOWN + deck)
    for seat in range(s[layout.SEAT_COUNT]):
        if seat != viewer:
            reserved = layout.SEATS + seat * layout.SEAT_WORDS + layout.RESERVED
            for i in range(layout.RESERVE_LIMIT):
                card = card_number(s[reserved + i])
                if card < layout.DEVELOPMENTS and not has_card(s, layout.KNOWN, card):
                    s[reserved + i] = priced_card(layout.UNKNOWN + level_of(card))


@kernel
def determinize(s: Row, rng: Rng) -> None:
    """Turn a view into a full state: each way to place the unseen cards is equally likely."""
    fill_unknown(s, rng)


@inlined
def fill_unknown(s: Row, rng: Rng) -> None:
    """Put a random unseen card in the place of each unknown one."""
    for deck in range(layout.DECKS):
        first = DECK_STARTS[deck]
        left = unseen(s, deck)
        for place in range(top_index(s, deck), DECK_ENDS[deck]):
            if card_at(s, place) >= layout.UNKNOWN:
                card = random_member(left, rng)
                left ^= 1 << card
                put_card(s, place, first + card)
        for seat in range(s[layout.SEAT_COUNT]):
            reserved = layout.SEATS + seat * layout.SEAT_WORDS + layout.RESERVED
            for i in range(layout.RESERVE_LIMIT):
                if card_number(s[reserved + i]) == layout.UNKNOWN + deck:
                    card = random_member(left, rng)
                    left ^= 1 << card
                    s[reserved + i] = priced_card(first + card)


@inlined
def unseen(s: Row, deck: int) -> int:
    """The cards of a deck that stand nowhere in the row, as a set counted from its first card."""
    first = DECK_STARTS[deck]
    seen = 0
    for i in range(layout.FACE_UP):
        seen |= bit_of(card_number(s[layout.SLOTS + layout.FACE_UP * deck + i]), first)
    for seat in range(s[layout.SEAT_COUNT]):
        them = layout.SEATS + seat * layout.SEAT_WORDS
        if deck == 0:
            seen |= s[them + layout.TABLEAU]
        else:
            seen |= s[them + layout.TABLEAU + 1] >> (first - layout.LEVEL_2)
        for i in range(layout.RESERVE_LIMIT):
            seen |= bit_of(card_number(s[them + layout.RESERVED + i]), first)
    for place in range(top_index(s, deck), DECK_ENDS[deck]):
        seen |= bit_of(card_at(s, place), first)
    return all_cards(deck) & ~seen


@inlined
def all_cards(deck: int) -> int:
    """The cards of a whole deck, as a set counted from its first card."""
    return (1 << (DECK_ENDS[deck] - DECK_STARTS[deck])) - 1


@inlined
def bit_of(card: int, first: int) -> int:
    """A card as a set counted from the first card of a deck; empty where it is of another."""
    return 1 << (card - first) if first <= card < layout.DEVELOPMENTS and card - first < 63 else 0
