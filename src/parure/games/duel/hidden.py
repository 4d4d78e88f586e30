"""Hidden cards of a Duel state: views, and random states that fit a view.

docs/rules/duel.md, "What each player knows" and
docs/rules/counterfeiters.md, "What each player knows".
"""

from __future__ import annotations

from parure.games.duel import layout
from parure.games.duel.row_access import (
    DECK_ENDS,
    add_card,
    card_at,
    has_card,
    level_of,
    priced_card,
    put_card,
    top_index,
)
from parure.games.engine.arrays import Rng, Row
from parure.games.engine.card_storage import card_number, random_member
from parure.games.engine.jit import inlined, kernel


@kernel
def hide(s: Row, viewer: int) -> None:
    """Replace every card that the viewer, a seat or EVERYONE, does not know by an unknown one."""
    for deck in range(layout.DECKS):
        for index in range(top_index(s, deck), DECK_ENDS[deck]):
            if deck >= layout.JEWEL_DECKS or not is_known(s, card_at(s, index), viewer):
                put_card(s, index, layout.UNKNOWN + deck)
    for seat in range(2):
        if seat != viewer:
            them = layout.SEATS + seat * layout.SEAT_WORDS
            for i in range(s[them + layout.RESERVED_COUNT]):
                card = card_number(s[them + layout.RESERVED + i])
                if not is_known(s, card, viewer):
                    s[them + layout.RESERVED + i] = priced_card(layout.UNKNOWN + level_of(card))
            s[layout.KNOWN + 2 * seat] = 0
            s[layout.KNOWN + 2 * seat + 1] = 0


@inlined
def is_known(s: Row, card: int, viewer: int) -> bool:
    """Return whether a viewer knows the place of a jewel in a deck or in another seat's reserve."""
    known_to_all = layout.KNOWN + 2 * layout.EVERYONE
    return has_card(s, known_to_all, card) or has_card(s, layout.KNOWN + 2 * viewer, card)


@kernel
def determinize(s: Row, rng: Rng) -> None:
    """Replace every unknown card by a random one; all states that fit are equally likely.

    In the view of another seat, the cards that the mover looks at with C17 are unknown; the mover
    knows the ones that replace them.
    """
    fill_unknown(s, rng)
    top = top_index(s, s[layout.PEEK_DECK])
    for index in range(top, top + s[layout.PEEKED]):
        add_card(s, layout.KNOWN + 2 * s[layout.SEAT], card_at(s, index))


@inlined
def fill_unknown(s: Row, rng: Rng) -> None:
    """Replace every unknown card in decks and reserves by a random unseen one of its deck."""
    low, high, counterfeiters, royals = unseen_cards(s)
    for deck in range(layout.DECKS):
        for index in range(top_index(s, deck), DECK_ENDS[deck]):
            if card_at(s, index) != layout.UNKNOWN + deck:
                continue
            if deck < 2:
                card = random_member(cards_of_level(low, deck), rng)
                low ^= 1 << card
            elif deck == 2:
                card = random_member(high, rng)
                high ^= 1 << card
                card += layout.LEVEL_3
            elif deck == layout.COUNTERFEITER_DECK:
                card = random_member(counterfeiters, rng)
                counterfeiters ^= 1 << card
                card += layout.FIRST_COUNTERFEITER
            else:
                card = random_member(royals, rng)
                royals ^= 1 << card
            put_card(s, index, card)
    for seat in range(2):
        them = layout.SEATS + seat * layout.SEAT_WORDS
        for i in range(s[them + layout.RESERVED_COUNT]):
            level = card_number(s[them + layout.RESERVED + i]) - layout.UNKNOWN
            if level >= 0:
                if level < 2:
                    card = random_member(cards_of_level(low, level), rng)
                    low ^= 1 << card
                else:
                    card = random_member(high, rng)
                    high ^= 1 << card
                    card += layout.LEVEL_3
                s[them + layout.RESERVED + i] = priced_card(card)


@inlined
def cards_of_level(low: int, level: int) -> int:
    """Return the cards of level 0 or 1 in the first word of a set of jewels."""
    level_1 = (1 << layout.LEVEL_2) - 1
    return low & level_1 if level == 0 else low & ~level_1


@inlined
def unseen_cards(s: Row) -> tuple[int, int, int, int]:
    """Return the cards that are nowhere in the row: jewels (two words), Counterfeiters, royals."""
    low = (1 << layout.LEVEL_3) - 1
    high = (1 << (layout.JEWELS - layout.LEVEL_3)) - 1
    counterfeiters = (1 << layout.COUNTERFEITERS) - 1
    royals = ((1 << layout.ROYALS) - 1) & ~s[layout.FACE_UP_ROYALS]
    for slot in range(layout.PYRAMID_SLOTS):
        low, high = without_card(low, high, card_number(s[layout.SLOTS + slot]))
    for slot in range(layout.COUNTERFEITER_SLOTS):
        card = card_number(s[layout.COUNTERFEITER_ROW + slot])
        if card < layout.EMPTY:
            counterfeiters &= ~(1 << (card - layout.FIRST_COUNTERFEITER))
    for seat in range(2):
        them = layout.SEATS + seat * layout.SEAT_WORDS
        low &= ~s[them + layout.TABLEAU]
        high &= ~s[them + layout.TABLEAU + 1]
        counterfeiters &= ~s[them + layout.COUNTERFEITERS_HELD]
        royals &= ~s[them + layout.ROYALS_HELD]
        for i in range(s[them + layout.RESERVED_COUNT]):
            low, high = without_card(low, high, card_number(s[them + layout.RESERVED + i]))
    for deck in range(layout.JEWEL_DECKS):
        for index in range(top_index(s, deck), DECK_ENDS[deck]):
            low, high = without_card(low, high, card_at(s, index))
    return low, high, counterfeiters, royals


@inlined
def without_card(low: int, high: int, card: int) -> tuple[int, int]:
    """Return the two words of a set of jewels without a card, if the card is a jewel."""
    if card < layout.LEVEL_3:
        return low & ~(1 << card), high
    if card < layout.JEWELS:
        return low, high & ~(1 << (card - layout.LEVEL_3))
    return low, high
