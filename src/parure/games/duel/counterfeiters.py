"""Counterfeiters: gaining them, and using them in the window.

docs/rules/counterfeiters.md, "Counterfeiter cards". Discounts are in :mod:`.paying`. The passive
effects are where they apply: C12 and C15 in :mod:`.legal`, C13 and C15 in :mod:`.actions`, C16 in
:mod:`.abilities`.
"""

from __future__ import annotations

from parure.games.duel import layout
from parure.games.duel.abilities import gain_crowns
from parure.games.duel.card_table import NO_CARD
from parure.games.duel.paying import open_discounts
from parure.games.duel.row_access import (
    DECK_ENDS,
    add_card,
    add_to_reserve,
    card_at,
    draw_card,
    put_card,
    remove_card,
    top_index,
)
from parure.games.engine.arrays import Cards, Row
from parure.games.engine.card_storage import card_number
from parure.games.engine.jit import inlined

PEEK_SIZE = 3  # cards that C17 shows


@inlined
def take_from_row(s: Row, number: int) -> None:
    """Remove a face-up Counterfeiter; the gap stays until the end of the turn.

    docs/rules/counterfeiters.md, "Changes to the turn", 5
    """
    first = layout.PYRAMID_SLOTS
    for slot in range(first, first + layout.COUNTERFEITER_SLOTS):
        if card_number(s[layout.SLOTS + slot]) == layout.FIRST_COUNTERFEITER + number:
            s[layout.SLOTS + slot] = NO_CARD
            s[layout.GAPS] |= 1 << slot


@inlined
def gain_counterfeiter(s: Row, cards: Cards, me: int, number: int) -> None:
    """Add a Counterfeiter to a seat; it works from now on.

    Its crowns count at once: docs/rules/counterfeiters.md, "Privileges, replacement and crowns", 3.
    """
    s[me + layout.COUNTERFEITERS_HELD] |= 1 << number
    if number <= layout.C08:
        s[me + layout.DISCOUNTS] = open_discounts(s, cards, me, 0, 0)
    gain_crowns(s, me, cards[layout.CROWNS, layout.FIRST_COUNTERFEITER + number])


@inlined
def use_counterfeiter(s: Row, me: int, number: int) -> None:
    """Apply `use C09`, `use C10`, `use C11` or `use C17` after its glassware is paid."""
    s[layout.USED] |= 1 << number
    if number == layout.C09:
        s[layout.IS_BRIBE] = 1
        s[layout.PHASE] = layout.ROYAL
    elif number == layout.C10:
        s[me + layout.PRIVILEGES] -= 1
        s[layout.AGAIN] = 1
    elif number == layout.C11:
        s[me + layout.PRIVILEGES] -= 1
        s[layout.PHASE] = layout.STEAL
    else:
        s[layout.PHASE] = layout.DECK


# --- C17 ------------------------------------------------------------------------------------------


@inlined
def peek(s: Row, deck: int) -> None:
    """Do `deck 2`: the user of C17 sees the top cards of a deck."""
    s[layout.PEEK_DECK] = deck
    s[layout.PEEKED] = min(s[layout.DECK_SIZES + deck], PEEK_SIZE)
    top = top_index(s, deck)
    for index in range(top, top + s[layout.PEEKED]):
        add_card(s, layout.KNOWN + 2 * s[layout.SEAT], card_at(s, index))
    s[layout.PHASE] = layout.KEEP


@inlined
def keep(s: Row, me: int, card: int) -> None:
    """Do `keep J2-05`: reserve one of the cards; phase `bottom` follows if two are left."""
    deck = s[layout.PEEK_DECK]
    index = top_index(s, deck)
    carried = card_at(s, index)
    while carried != card:  # move the cards above it down by one
        index += 1
        next_card = card_at(s, index)
        put_card(s, index, carried)
        carried = next_card
    draw_card(s, deck)
    remove_card(s, layout.KNOWN + 2 * s[layout.SEAT], card)
    add_to_reserve(s, me, card)
    s[layout.PEEKED] -= 1
    if s[layout.PEEKED] == 2:
        s[layout.PHASE] = layout.BOTTOM
        return
    if s[layout.PEEKED] == 1:
        move_to_bottom(s, deck, 0)
    finish_peeking(s)


@inlined
def bottom(s: Row, card: int) -> None:
    """Do `bottom J2-11`: both cards go under the deck, the other one after this card."""
    deck = s[layout.PEEK_DECK]
    is_top_card = card_at(s, top_index(s, deck)) == card
    move_to_bottom(s, deck, 0 if is_top_card else 1)
    move_to_bottom(s, deck, 0)
    finish_peeking(s)


@inlined
def move_to_bottom(s: Row, deck: int, depth: int) -> None:
    """Move the card at a depth below the top of a deck to its bottom."""
    index = top_index(s, deck) + depth
    card = card_at(s, index)
    while index + 1 < DECK_ENDS[deck]:
        put_card(s, index, card_at(s, index + 1))
        index += 1
    put_card(s, index, card)


@inlined
def finish_peeking(s: Row) -> None:
    """End the use of C17."""
    s[layout.PEEKED] = 0
    s[layout.PEEK_DECK] = 0
