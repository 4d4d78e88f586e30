"""What each seat knows of a Duel state, and full states that fit such knowledge."""

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
    """Turn a state into what a seat, or EVERYONE, knows of it: other cards become UNKNOWN."""
    for deck in range(layout.DECKS):
        for place in range(top_index(s, deck), DECK_ENDS[deck]):
            if deck >= 3 or not is_known(s, card_at(s, place), viewer):
                put_card(s, place, layout.UNKNOWN + deck)
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
    """Whether a viewer knows where a card in a deck or a reserve lies."""
    return has_card(s, layout.KNOWN + 2 * layout.EVERYONE, card) or has_card(
        s, layout.KNOWN + 2 * viewer, card
    )


@kernel
def determinize(s: Row, rng: Rng) -> None:
    """Turn a view into a full state: each way to place the unseen cards is equally likely."""
    fill_unknown(s, rng)
    top = top_index(s, s[layout.PEEK_DECK])
    for place in range(top, top + s[layout.PEEKED]):  # whoever is looking at these knows them
        add_card(s, layout.KNOWN + 2 * s[layout.SEAT], card_at(s, place))


@inlined
def fill_unknown(s: Row, rng: Rng) -> None:
    """Put a random unseen card in the place of each unknown one."""
    low, high, counterfeiters, royals = unseen(s)
    for deck in range(layout.DECKS):
        for place in range(top_index(s, deck), DECK_ENDS[deck]):
            if card_at(s, place) != layout.UNKNOWN + deck:
                continue
            if deck < 2:
                card = random_member(level_part(low, deck), rng)
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
            put_card(s, place, card)
    for seat in range(2):
        them = layout.SEATS + seat * layout.SEAT_WORDS
        for i in range(s[them + layout.RESERVED_COUNT]):
            level = card_number(s[them + layout.RESERVED + i]) - layout.UNKNOWN
            if level >= 0:
                if level < 2:
                    card = random_member(level_part(low, level), rng)
                    low ^= 1 << card
                else:
                    card = random_member(high, rng)
                    high ^= 1 << card
                    card += layout.LEVEL_3
                s[them + layout.RESERVED + i] = priced_card(card)


@inlined
def level_part(low: int, level: int) -> int:
    """The cards of level 1 or 2 in the low word of a set."""
    level_1 = (1 << layout.LEVEL_2) - 1
    return low & level_1 if level == 0 else low & ~level_1


@inlined
def unseen(s: Row) -> tuple[int, int, int, int]:
    """The cards that stand nowhere in the row: jewels in two words, Counterfeiters, royals."""
    low = (1 << layout.LEVEL_3) - 1
    high = (1 << (layout.JEWELS - layout.LEVEL_3)) - 1
    counterfeiters = (1 << layout.COUNTERFEITERS) - 1
    royals = ((1 << layout.ROYALS) - 1) & ~s[layout.FACE_UP_ROYALS]
    for slot in range(12):
        low, high = without(low, high, card_number(s[layout.SLOTS + slot]))
    for slot in range(3):
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
            low, high = without(low, high, card_number(s[them + layout.RESERVED + i]))
    for deck in range(3):
        for place in range(top_index(s, deck), DECK_ENDS[deck]):
            low, high = without(low, high, card_at(s, place))
    return low, high, counterfeiters, royals


@inlined
def without(low: int, high: int, card: int) -> tuple[int, int]:
    """A set of jewels without one card, if it is a jewel."""
    if card < layout.LEVEL_3:
        return low & ~(1 << card), high
    if card < layout.JEWELS:
        return low, high & ~(1 << (card - layout.LEVEL_3))
    return low, high
