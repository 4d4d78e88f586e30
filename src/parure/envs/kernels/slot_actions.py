"""Actions that name a place instead of a card, translated to decisions for many games."""

from __future__ import annotations

from typing import NamedTuple

from parure.games.engine.arrays import Mask, Row
from parure.games.engine.card_storage import card_number
from parure.games.engine.jit import kernel

# The columns of a table of actions: where the card of an action is, its place there, and the
# decision that it stands for with card 0; for a fixed action that is the decision itself.
SOURCE, PLACE, FIRST_DECISION = range(3)

# the sources
FIXED, FACE_UP, RESERVED, PEEKED = range(4)

NO_DECISION = -1


class CardPlaces(NamedTuple):
    """Where the cards lie in a row, in words; `translate_many` takes them as an array."""

    seat: int
    seats: int
    seat_words: int
    reserved: int
    reserved_count: int
    empty: int  # the number of no card
    deck_bytes: int
    deck_sizes: int
    peek_deck: int = 0  # the deck that the seat to move is looking at
    peeked: int = -1  # and the number of its cards; -1 in a game without this
    deck_ends: tuple[int, ...] = ()


(
    SEAT_AT,
    SEATS_AT,
    SEAT_WORDS_AT,
    RESERVED_AT,
    RESERVED_COUNT_AT,
    EMPTY_AT,
    DECK_BYTES_AT,
    DECK_SIZES_AT,
    PEEK_DECK_AT,
    PEEKED_AT,
    DECK_ENDS_AT,
) = range(11)


@kernel
def translate_many(
    rows: Row, masks: Mask, table: Row, places: Row, decisions: Row, slot_masks: Mask
) -> None:
    """Write the decision of each action in each game, and which actions are legal."""
    for i in range(len(rows)):
        s = rows[i]
        own = places[SEATS_AT] + s[places[SEAT_AT]] * places[SEAT_WORDS_AT]
        for action in range(len(table)):
            source, place = table[action, SOURCE], table[action, PLACE]
            card = 0
            if source == FACE_UP:
                card = card_number(s[place])
            elif source == RESERVED:
                card = places[EMPTY_AT]
                if place < s[own + places[RESERVED_COUNT_AT]]:
                    card = card_number(s[own + places[RESERVED_AT] + place])
            elif source == PEEKED:
                card = places[EMPTY_AT]
                if place < s[places[PEEKED_AT]]:
                    deck = s[places[PEEK_DECK_AT]]
                    top = places[DECK_ENDS_AT + deck] - s[places[DECK_SIZES_AT] + deck]
                    index = top + place
                    word = s[places[DECK_BYTES_AT] + index // 8]
                    card = (word >> 8 * (index % 8)) & 0xFF
            decision = table[action, FIRST_DECISION] + card
            if source != FIXED and card >= places[EMPTY_AT]:
                decision = NO_DECISION
            decisions[i, action] = decision
            slot_masks[i, action] = 0 if decision < 0 else masks[i, decision]
