"""Write what a seat of Duel observes, as `duel_layout` describes it.

The observation holds what the seat may know and nothing else: written from a state or from the
view of that seat, it is the same.
"""

from __future__ import annotations

import numpy as np

from parure.games.duel import decisions, layout
from parure.games.duel.cards import JEWELS
from parure.games.duel.hidden import is_known
from parure.games.duel.paying import discount_card
from parure.games.duel.row_access import card_at, level_of, top_index
from parure.games.engine.arrays import Cards, Row
from parure.games.engine.bits import has_bit, lane_sum, lowest_bit, one_of, saturating_sub
from parure.games.engine.card_storage import card_number
from parure.games.engine.jit import inlined, outlined
from parure.games.engine.tokens import Y, pack
from parure.observations import duel_layout as fields
from parure.observations.layout import BITS_AS_BYTES

CARD_WORDS = 3
ONE_LEVEL = 1 << 56  # the level is the last byte of the price word
IS_PUBLIC = 1 << 56


def _card_features() -> Row:
    """Return two words for each card: its color, and what else is printed on it."""
    words = np.zeros((layout.CARDS, 2), np.int64)
    colors = {"joker": layout.JOKER, "none": layout.COLORLESS}
    for number, jewel in enumerate(JEWELS):
        color = "wugrk".find(jewel.color)
        words[number, 0] = 1 << 8 * colors.get(jewel.color, color)
        abilities = [jewel.ability == name for name in ("token", "steal", "privilege", "again")]
        words[number, 1] = pack([1, jewel.points, jewel.bonus, jewel.crowns, *abilities])
    return words


CARD_FEATURES = _card_features()
ALL_LOW = (1 << layout.LEVEL_3) - 1
ALL_HIGH = (1 << (layout.JEWELS - layout.LEVEL_3)) - 1
NIBBLE_MASK, BYTE_MASK = 0xF, 0xFF


@outlined
def observe(s: Row, cards: Cards, seat: int, out: Row) -> None:
    """Write what a seat observes, as words of eight bytes."""
    me = layout.SEATS + (seat & 1) * layout.SEAT_WORDS
    them = layout.SEATS + (~seat & 1) * layout.SEAT_WORDS
    write_situation(s, seat, out)
    write_board(s, out)
    write_royals(s, seat, me, them, out)
    write_seat(s, me, out, fields.OWN)
    write_seat(s, them, out, fields.OTHER)
    for slot in range(layout.PYRAMID_SLOTS):
        card = card_number(s[layout.SLOTS + slot])
        write_card(s, cards, card, me, out, fields.PYRAMID + CARD_WORDS * slot, IS_PUBLIC)
    for i in range(layout.RESERVE_LIMIT):
        write_own_reserved(s, cards, me, i, out, fields.OWN_RESERVE + CARD_WORDS * i)
        write_other_reserved(s, cards, seat, them, i, out, fields.OTHER_RESERVE + CARD_WORDS * i)
    write_unseen(s, seat, me, them, out)
    if s[layout.WITH_COUNTERFEITERS]:
        write_counterfeiters(s, cards, seat, me, them, out)


@inlined
def write_situation(s: Row, seat: int, out: Row) -> None:
    """Write the phase and turn, the bag, and the payment in progress."""
    phase = s[layout.PHASE]
    out[fields.SITUATION] = 0
    out[fields.SITUATION + 1] = 0
    out[fields.SITUATION + 2] = (
        (s[layout.TURNS] >> 1) << 16
        | (1 if s[layout.SEAT] == seat else 0) << 24
        | s[layout.REPLENISHED] << 32
        | s[layout.AGAIN] << 40
        | s[layout.ROYALS_DUE] << 48
        | s[layout.CLAIMABLE] << 56
    )
    out[fields.SITUATION + (phase >> 3)] |= 1 << ((phase & 7) << 3)
    out[fields.BAG] = s[layout.BAG]
    out[fields.PRICE] = s[layout.PRICE]
    out[fields.GOLD_LAID] = s[layout.GOLD_LAID]
    card = layout.EMPTY if s[layout.IS_USE] else s[layout.CARD]
    out[fields.BUYING] = CARD_FEATURES[card, 0]
    out[fields.BUYING + 1] = CARD_FEATURES[card, 1]


@inlined
def write_board(s: Row, out: Row) -> None:
    """Write a one-hot word for each cell."""
    for cell in range(layout.CELLS):
        out[fields.BOARD + cell] = 0
    for kind in range(8):
        cells = s[layout.BOARD + kind]
        while cells:
            out[fields.BOARD + lowest_bit(cells)] = 1 << (kind << 3)
            cells &= cells - 1


@inlined
def write_royals(s: Row, seat: int, me: int, them: int, out: Row) -> None:
    """Write the first four royals, the privileges left, and what may still be taken."""
    table = layout.TOTAL_PRIVILEGES - s[me + layout.PRIVILEGES] - s[them + layout.PRIVILEGES]
    out[fields.ROYALS] = (
        BITS_AS_BYTES[s[layout.FACE_UP_ROYALS] & NIBBLE_MASK]
        | BITS_AS_BYTES[s[me + layout.ROYALS_HELD] & NIBBLE_MASK] << 32
    )
    out[fields.ROYALS + 1] = (
        BITS_AS_BYTES[s[them + layout.ROYALS_HELD] & NIBBLE_MASK]
        | table << 32
        | s[layout.COLLECTS_LEFT] << 40
        | s[layout.RESERVES_LEFT] << 48
        | seat << 56
    )


@inlined
def write_seat(s: Row, player: int, out: Row, first: int) -> None:
    """Write what everyone knows of a seat."""
    out[first] = s[player + layout.TOKENS]
    out[first + 1] = (
        s[player + layout.BONUSES]
        | s[player + layout.SCORE] << 40
        | s[player + layout.CROWNS_HELD] << 48
        | s[player + layout.PRIVILEGES] << 56
    )
    out[first + 2] = (
        s[player + layout.SCORE_BY_COLOR]
        | s[player + layout.RESERVED_COUNT] << 40
        | min(s[player + layout.BLOCKED_TURNS], 3) << 48
        | s[player + layout.IS_WARNED] << 56
    )


@inlined
def write_card(
    s: Row, cards: Cards, card: int, player: int, out: Row, word: int, public: int
) -> None:
    """Write a known jewel with its price to a player, or zeros where there is no card."""
    if card >= layout.JEWELS:
        write_no_card(out, word)
        return
    price = saturating_sub(cards[layout.COST, card], s[player + layout.BONUSES])
    lacking = lane_sum(saturating_sub(price, s[player + layout.TOKENS]))
    out[word] = price | lacking << 48 | (1 + level_of(card)) * ONE_LEVEL
    out[word + 1] = CARD_FEATURES[card, 0] | public
    out[word + 2] = CARD_FEATURES[card, 1]


@inlined
def write_no_card(out: Row, word: int) -> None:
    """Write zeros: there is no card, or it is unknown."""
    out[word] = 0
    out[word + 1] = 0
    out[word + 2] = 0


@inlined
def write_own_reserved(s: Row, cards: Cards, me: int, i: int, out: Row, word: int) -> None:
    """Write a card of the observer's own reserve."""
    card = card_number(s[me + layout.RESERVED + i])
    public = IS_PUBLIC if card < layout.JEWELS and is_known(s, card, layout.EVERYONE) else 0
    write_card(s, cards, card, me, out, word, public)


@inlined
def write_other_reserved(
    s: Row, cards: Cards, seat: int, them: int, i: int, out: Row, word: int
) -> None:
    """Write a card of the opponent's reserve; of an unknown one only the level."""
    card = card_number(s[them + layout.RESERVED + i])
    if card < layout.JEWELS and is_known(s, card, seat):
        write_card(
            s, cards, card, them, out, word, IS_PUBLIC if is_known(s, card, layout.EVERYONE) else 0
        )
        return
    write_no_card(out, word)
    if card < layout.JEWELS:
        out[word] = (1 + level_of(card)) * ONE_LEVEL
    elif card >= layout.UNKNOWN:
        out[word] = (1 + card - layout.UNKNOWN) * ONE_LEVEL


@inlined
def write_unseen(s: Row, seat: int, me: int, them: int, out: Row) -> None:
    """Write the jewels whose place is unknown, and the deck sizes."""
    everyone = layout.KNOWN + 2 * layout.EVERYONE
    own = layout.KNOWN + 2 * seat
    low = s[me + layout.TABLEAU] | s[them + layout.TABLEAU] | s[everyone] | s[own]
    high = s[me + layout.TABLEAU + 1] | s[them + layout.TABLEAU + 1] | s[everyone + 1] | s[own + 1]
    for slot in range(layout.PYRAMID_SLOTS):
        low, high = with_card(low, high, card_number(s[layout.SLOTS + slot]))
    for i in range(layout.MAX_RESERVED):
        low, high = with_card(low, high, card_number(s[me + layout.RESERVED + i]))
    write_jewel_set(ALL_LOW & ~low, ALL_HIGH & ~high, out, fields.UNSEEN)
    sizes = 0
    for deck in range(layout.DECKS):
        sizes |= s[layout.DECK_SIZES + deck] << (24 + 8 * deck)
    out[fields.UNSEEN + 8] |= sizes


@inlined
def with_card(low: int, high: int, card: int) -> tuple[int, int]:
    """Return a set of jewels with one card added, if it is a jewel."""
    if card < layout.LEVEL_3:
        return low | 1 << card, high
    if card < layout.JEWELS:
        return low, high | 1 << (card - layout.LEVEL_3)
    return low, high


@inlined
def write_jewel_set(low: int, high: int, out: Row, word: int) -> None:
    """Write a set of jewels as one byte for each."""
    for i in range(6):
        out[word + i] = BITS_AS_BYTES[(low >> 8 * i) & BYTE_MASK]
    rest = (low >> 48) | high << (layout.LEVEL_3 - 48)
    for i in range(3):
        out[word + 6 + i] = BITS_AS_BYTES[(rest >> 8 * i) & BYTE_MASK]


# --- The Counterfeiters ---------------------------------------------------------------------------


@inlined
def write_counterfeiters(s: Row, cards: Cards, seat: int, me: int, them: int, out: Row) -> None:
    """Write what exists only with The Counterfeiters."""
    out[fields.MORE_ROYALS] = BITS_AS_BYTES[s[layout.FACE_UP_ROYALS] >> 4]
    out[fields.MORE_ROYALS + 1] = BITS_AS_BYTES[s[me + layout.ROYALS_HELD] >> 4]
    out[fields.MORE_ROYALS + 2] = BITS_AS_BYTES[s[them + layout.ROYALS_HELD] >> 4]
    for number in range(layout.COUNTERFEITERS):
        write_counterfeiter(s, cards, number, me, them, out, fields.COUNTERFEITERS + 2 * number)
    for i in range(2):
        write_own_reserved(s, cards, me, 3 + i, out, fields.OWN_MORE_RESERVE + CARD_WORDS * i)
        word = fields.OTHER_MORE_RESERVE + CARD_WORDS * i
        write_other_reserved(s, cards, seat, them, 3 + i, out, word)
    peeked = s[layout.PEEKED] if s[layout.SEAT] == seat else 0
    top = top_index(s, s[layout.PEEK_DECK])
    for i in range(3):
        card = card_at(s, top + i) if i < peeked else layout.EMPTY
        write_card(s, cards, card, me, out, fields.PEEKED + CARD_WORDS * i, 0)
    write_known_in_decks(s, seat, me, them, out)
    is_looking = 1 if s[layout.PEEKED] else 0
    out[fields.KNOWN + 8] |= (
        s[layout.WINDOW_IS_PAST] << 24
        | s[layout.IS_BRIBE] << 32
        | is_looking << (40 + 8 * s[layout.PEEK_DECK])
    )


@inlined
def write_counterfeiter(
    s: Row, cards: Cards, number: int, me: int, them: int, out: Row, word: int
) -> None:
    """Write one Counterfeiter as two words."""
    card = layout.FIRST_COUNTERFEITER + number
    is_face_up = 0
    for slot in range(3):
        is_face_up |= 1 if card_number(s[layout.COUNTERFEITER_ROW + slot]) == card else 0
    is_own = 1 if has_bit(s[me + layout.COUNTERFEITERS_HELD], number) else 0
    is_other = 1 if has_bit(s[them + layout.COUNTERFEITERS_HELD], number) else 0
    is_active = 1 if s[layout.CARD] == (number if s[layout.IS_USE] else card) else 0
    cost = cards[layout.COST, card]
    gold = (cost >> 8 * Y) * one_of(Y)
    price = saturating_sub(cost, s[me + layout.BONUSES])
    lacking = lane_sum(saturating_sub(price, s[me + layout.TOKENS]))
    is_discounting = (
        s[layout.PAY_STEP] < decisions.GOLD_FOR_BIT and discount_card(s[layout.PAY_STEP]) == number
    )
    uses = s[layout.PAY_USES] if is_discounting else 0
    out[word] = price | gold if is_face_up else 0
    out[word + 1] = (
        is_face_up
        | is_own << 8
        | is_other << 16
        | (1 if has_bit(s[layout.USED], number) else 0) << 24
        | is_active << 32
        | (lacking if is_face_up else 0) << 40
        | (0 if is_face_up or is_own or is_other else 1) << 48
        | uses << 56
    )


@inlined
def write_known_in_decks(s: Row, seat: int, me: int, them: int, out: Row) -> None:
    """Write the jewels whose place in a deck the seat knows: all it knows but the reserved ones."""
    low = s[layout.KNOWN + 2 * seat] | s[layout.KNOWN + 2 * layout.EVERYONE]
    high = s[layout.KNOWN + 2 * seat + 1] | s[layout.KNOWN + 2 * layout.EVERYONE + 1]
    reserved_low, reserved_high = 0, 0
    for i in range(layout.MAX_RESERVED):
        own, other = me + layout.RESERVED + i, them + layout.RESERVED + i
        reserved_low, reserved_high = with_card(reserved_low, reserved_high, card_number(s[own]))
        reserved_low, reserved_high = with_card(reserved_low, reserved_high, card_number(s[other]))
    write_jewel_set(low & ~reserved_low, high & ~reserved_high, out, fields.KNOWN)
