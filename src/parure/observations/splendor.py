"""Write what a seat of Splendor observes, as `splendor_layout` describes it.

The observation holds what the seat may know and nothing else: written from a state or from the
view of that seat, it is the same.
"""

from __future__ import annotations

import numpy as np

from parure.games.engine.arrays import Cards, Row
from parure.games.engine.bits import gold_in, has_bit, lane_sum, popcount, saturating_sub
from parure.games.engine.card_storage import card_number
from parure.games.engine.jit import inlined, outlined
from parure.games.engine.tokens import KIND_OF_LETTER, pack
from parure.games.splendor import layout
from parure.games.splendor.cards import DEVELOPMENTS
from parure.games.splendor.row_access import has_card, level_of
from parure.observations import splendor_layout as fields
from parure.observations.layout import BITS_AS_BYTES

CARD_WORDS = 2
SEAT_WORDS = 2 + layout.RESERVE_LIMIT * CARD_WORDS
ONE_LEVEL = 1 << 56  # the level is the last byte of the price word
IS_PUBLIC = 1 << 56


def _card_features() -> Row:
    """Return the color and points of each card as a word."""
    words = np.zeros(layout.CARDS, np.int64)
    for number, card in enumerate(DEVELOPMENTS):
        words[number] = 1 << 8 * KIND_OF_LETTER[card.color] | pack([0] * 5 + [card.points, 1])
    return words


CARD_FEATURES = _card_features()
ALL_LOW = (1 << layout.LEVEL_2) - 1
ALL_HIGH = (1 << (layout.DEVELOPMENTS - layout.LEVEL_2)) - 1
BYTE_MASK = 0xFF


@outlined
def observe(s: Row, cards: Cards, seat: int, out: Row) -> None:
    """Write what a seat observes, as words of eight bytes."""
    me = layout.SEATS + seat * layout.SEAT_WORDS
    seats = s[layout.SEAT_COUNT]
    out[fields.SITUATION] = (
        1 << (s[layout.PHASE] << 3)
        | (s[layout.TURNS] >> 1) << 40
        | s[layout.PASSES] << 48
        | s[layout.LAST_ROUND] << 56
    )
    to_move = s[layout.SEAT] - seat if s[layout.SEAT] >= seat else s[layout.SEAT] - seat + seats
    out[fields.PLACE] = 1 << (seat << 3) | 1 << (32 + (to_move << 3))
    out[fields.SUPPLY] = s[layout.SUPPLY]
    out[fields.PRICE] = s[layout.PRICE]
    out[fields.GOLD_LAID] = s[layout.GOLD_LAID]
    out[fields.BUYING] = CARD_FEATURES[s[layout.CARD]]
    write_nobles(s, cards, me, out)
    for slot in range(layout.DECKS * layout.FACE_UP):
        card = card_number(s[layout.SLOTS + slot])
        write_card(s, cards, card, me, out, fields.PYRAMID + CARD_WORDS * slot, IS_PUBLIC)
    for place in range(seats):
        other = seat + place if seat + place < seats else seat + place - seats
        write_seat(s, cards, other, place == 0, out, fields.SEATS + SEAT_WORDS * place)
    write_unseen(s, seat, out)


@inlined
def write_nobles(s: Row, cards: Cards, me: int, out: Row) -> None:
    """Write a word for each noble."""
    taken = 0
    for seat in range(s[layout.SEAT_COUNT]):
        taken |= s[layout.SEATS + seat * layout.SEAT_WORDS + layout.NOBLES_HELD]
    own = s[me + layout.NOBLES_HELD]
    for noble in range(layout.NOBLES):
        word = 0
        if has_bit(s[layout.FACE_UP_NOBLES], noble):
            word = (
                saturating_sub(
                    cards[layout.COST, layout.FIRST_NOBLE + noble], s[me + layout.BONUSES]
                )
                | 1 << 40
            )
        elif has_bit(own, noble):
            word = 1 << 48
        elif has_bit(taken, noble):
            word = 1 << 56
        out[fields.NOBLES + noble] = word


@inlined
def write_card(
    s: Row, cards: Cards, card: int, player: int, out: Row, word: int, public: int
) -> None:
    """Write a known development with its price to a player, or zeros where there is no card."""
    if card >= layout.DEVELOPMENTS:
        out[word] = 0
        out[word + 1] = 0
        return
    price = saturating_sub(cards[layout.COST, card], s[player + layout.BONUSES])
    lacking = lane_sum(saturating_sub(price, s[player + layout.TOKENS]))
    can_pay = 1 if lacking <= gold_in(s[player + layout.TOKENS]) else 0
    out[word] = price | lacking << 40 | can_pay << 48 | (1 + level_of(card)) * ONE_LEVEL
    out[word + 1] = CARD_FEATURES[card] | public


@inlined
def write_seat(s: Row, cards: Cards, seat: int, is_own: bool, out: Row, first: int) -> None:
    """Write what a seat holds; of its reserve only what the observer knows."""
    player = layout.SEATS + seat * layout.SEAT_WORDS
    out[first] = (
        s[player + layout.TOKENS]
        | s[player + layout.SCORE] << 40
        | s[player + layout.RESERVED_COUNT] << 48
    )
    out[first + 1] = (
        s[player + layout.BONUSES]
        | lane_sum(s[player + layout.BONUSES]) << 40
        | popcount(s[player + layout.NOBLES_HELD]) << 48
        | (1 if s[layout.SEAT] == seat else 0) << 56
    )
    for i in range(layout.RESERVE_LIMIT):
        card = card_number(s[player + layout.RESERVED + i])
        word = first + 2 + CARD_WORDS * i
        is_public = card < layout.DEVELOPMENTS and has_card(s, layout.KNOWN, card)
        if is_own or is_public or card == layout.EMPTY:
            write_card(s, cards, card, player, out, word, IS_PUBLIC if is_public else 0)
        else:
            level = card - layout.UNKNOWN if card >= layout.UNKNOWN else level_of(card)
            out[word] = (1 + level) * ONE_LEVEL
            out[word + 1] = 0


@inlined
def write_unseen(s: Row, seat: int, out: Row) -> None:
    """Write the developments whose place is unknown, deck sizes, and counts of hidden cards."""
    low, high = s[layout.KNOWN], s[layout.KNOWN + 1]
    counts = 0
    for deck in range(layout.DECKS):
        counts |= s[layout.DECK_SIZES + deck] << (16 + 8 * deck)
    for slot in range(layout.DECKS * layout.FACE_UP):
        low, high = with_card(low, high, card_number(s[layout.SLOTS + slot]))
    for other in range(s[layout.SEAT_COUNT]):
        player = layout.SEATS + other * layout.SEAT_WORDS
        low |= s[player + layout.TABLEAU]
        high |= s[player + layout.TABLEAU + 1]
        for i in range(s[player + layout.RESERVED_COUNT]):
            card = card_number(s[player + layout.RESERVED + i])
            if other == seat:
                low, high = with_card(low, high, card)
            elif card >= layout.UNKNOWN:
                counts += 1 << (40 + 8 * (card - layout.UNKNOWN))
            elif not has_card(s, layout.KNOWN, card):
                counts += 1 << (40 + 8 * level_of(card))
    low, high = ALL_LOW & ~low, ALL_HIGH & ~high
    for i in range(5):
        out[fields.UNSEEN + i] = BITS_AS_BYTES[(low >> 8 * i) & BYTE_MASK]
    for i in range(7):
        out[fields.UNSEEN + 5 + i] = BITS_AS_BYTES[(high >> 8 * i) & BYTE_MASK]
    out[fields.UNSEEN + 11] |= counts


@inlined
def with_card(low: int, high: int, card: int) -> tuple[int, int]:
    """Return a set of developments with one card added, if it is a development."""
    if card < layout.LEVEL_2:
        return low | 1 << card, high
    if card < layout.DEVELOPMENTS:
        return low, high | 1 << (card - layout.LEVEL_2)
    return low, high
