"""What a seat of Duel observes, and many games of it a step further in one call.

The observation of plain Duel is the first part of that with The Counterfeiters. It holds what the
seat may know and nothing else: written from a state or from that seat's view it is the same.
"""

from __future__ import annotations

import numpy as np

from parure.envs.kernels import duel_observation_layout as seen
from parure.envs.kernels.batch_step import MARGINS, Batch, make_step
from parure.envs.kernels.observation_layout import BITS_AS_BYTES
from parure.games.duel import decisions, layout
from parure.games.duel import kernel as duel
from parure.games.duel.cards import JEWELS
from parure.games.duel.hidden import is_known
from parure.games.duel.row_access import card_at, level_of, top_index
from parure.games.engine.arrays import Cards, Chance, Mask, Menu, Row
from parure.games.engine.bits import has_bit, lane_sum, lowest_bit, one_of, saturating_sub
from parure.games.engine.card_storage import card_number
from parure.games.engine.jit import inlined, kernel, outlined
from parure.games.engine.tokens import Y, pack

GOAL = 20  # points; margins are measured by it
CARD_WORDS = 3
ONE_LEVEL = 1 << 56  # the level stands in the last byte of the price
PUBLIC = 1 << 56


def _features() -> Row:
    """The color, and what else stands on a card, as two words for each card."""
    words = np.zeros((layout.CARDS, 2), np.int64)
    colors = {"joker": layout.JOKER, "none": layout.COLORLESS}
    for number, jewel in enumerate(JEWELS):
        color = "wugrk".find(jewel.color)
        words[number, 0] = 1 << 8 * colors.get(jewel.color, color)
        abilities = [jewel.ability == name for name in ("token", "steal", "privilege", "again")]
        words[number, 1] = pack([1, jewel.points, jewel.bonus, jewel.crowns, *abilities])
    return words


FEATURES = _features()
ALL_LOW = (1 << layout.LEVEL_3) - 1
ALL_HIGH = (1 << (layout.JEWELS - layout.LEVEL_3)) - 1
LOW_NIBBLE, LOW_BYTE = 0xF, 0xFF

# --- observing ------------------------------------------------------------------------------------


@outlined
def observe(s: Row, cards: Cards, seat: int, out: Row) -> None:
    """Write what a seat observes, a word for eight bytes."""
    me = layout.SEATS + (seat & 1) * layout.SEAT_WORDS
    them = layout.SEATS + (~seat & 1) * layout.SEAT_WORDS
    observe_situation(s, seat, out)
    observe_board(s, out)
    observe_royals(s, seat, me, them, out)
    observe_seat(s, me, out, seen.OWN)
    observe_seat(s, them, out, seen.OTHER)
    for slot in range(12):
        card = card_number(s[layout.SLOTS + slot])
        show_card(s, cards, card, me, out, seen.PYRAMID + CARD_WORDS * slot, PUBLIC)
    for i in range(3):
        show_own(s, cards, me, i, out, seen.OWN_RESERVE + CARD_WORDS * i)
        show_other(s, cards, seat, them, i, out, seen.OTHER_RESERVE + CARD_WORDS * i)
    observe_unseen(s, seat, me, them, out)
    if s[layout.WITH_COUNTERFEITERS]:
        observe_counterfeiters(s, cards, seat, me, them, out)


@inlined
def observe_situation(s: Row, seat: int, out: Row) -> None:
    """Phase and turn, the bag, and what is being paid."""
    phase = s[layout.PHASE]
    out[seen.SITUATION] = 0
    out[seen.SITUATION + 1] = 0
    out[seen.SITUATION + 2] = (
        (s[layout.TURNS] >> 1) << 16
        | (1 if s[layout.SEAT] == seat else 0) << 24
        | s[layout.REPLENISHED] << 32
        | s[layout.AGAIN] << 40
        | s[layout.ROYALS_DUE] << 48
        | s[layout.CLAIMABLE] << 56
    )
    out[seen.SITUATION + (phase >> 3)] |= 1 << ((phase & 7) << 3)
    out[seen.BAG] = s[layout.BAG]
    out[seen.PRICE] = s[layout.PRICE]
    out[seen.GOLD_LAID] = s[layout.GOLD_LAID]
    card = layout.EMPTY if s[layout.IS_USE] else s[layout.CARD]
    out[seen.BUYING] = FEATURES[card, 0]
    out[seen.BUYING + 1] = FEATURES[card, 1]


@inlined
def observe_board(s: Row, out: Row) -> None:
    """A one-hot word for each cell."""
    for cell in range(layout.CELLS):
        out[seen.BOARD + cell] = 0
    for kind in range(8):
        cells = s[layout.BOARD + kind]
        while cells:
            out[seen.BOARD + lowest_bit(cells)] = 1 << (kind << 3)
            cells &= cells - 1


@inlined
def observe_royals(s: Row, seat: int, me: int, them: int, out: Row) -> None:
    """The first four royals, the privileges left, and what may still be taken."""
    table = layout.TOTAL_PRIVILEGES - s[me + layout.PRIVILEGES] - s[them + layout.PRIVILEGES]
    out[seen.ROYALS] = (
        BITS_AS_BYTES[s[layout.FACE_UP_ROYALS] & LOW_NIBBLE]
        | BITS_AS_BYTES[s[me + layout.ROYALS_HELD] & LOW_NIBBLE] << 32
    )
    out[seen.ROYALS + 1] = (
        BITS_AS_BYTES[s[them + layout.ROYALS_HELD] & LOW_NIBBLE]
        | table << 32
        | s[layout.COLLECTS_LEFT] << 40
        | s[layout.RESERVES_LEFT] << 48
        | seat << 56
    )


@inlined
def observe_seat(s: Row, whose: int, out: Row, first: int) -> None:
    """What lies open before a seat."""
    out[first] = s[whose + layout.TOKENS]
    out[first + 1] = (
        s[whose + layout.BONUSES]
        | s[whose + layout.SCORE] << 40
        | s[whose + layout.CROWNS_HELD] << 48
        | s[whose + layout.PRIVILEGES] << 56
    )
    out[first + 2] = (
        s[whose + layout.SCORE_BY_COLOR]
        | s[whose + layout.RESERVED_COUNT] << 40
        | min(s[whose + layout.BLOCKED_TURNS], 3) << 48
        | s[whose + layout.IS_WARNED] << 56
    )


@inlined
def show_card(
    s: Row, cards: Cards, card: int, whose: int, out: Row, word: int, public: int
) -> None:
    """A known jewel as three words, its price that for a seat; nothing where there is no card."""
    if card >= layout.JEWELS:
        hide_card(out, word)
        return
    price = saturating_sub(cards[layout.COST, card], s[whose + layout.BONUSES])
    lacking = lane_sum(saturating_sub(price, s[whose + layout.TOKENS]))
    out[word] = price | lacking << 48 | (1 + level_of(card)) * ONE_LEVEL
    out[word + 1] = FEATURES[card, 0] | public
    out[word + 2] = FEATURES[card, 1]


@inlined
def hide_card(out: Row, word: int) -> None:
    """No card, or none that may be seen."""
    out[word] = 0
    out[word + 1] = 0
    out[word + 2] = 0


@inlined
def show_own(s: Row, cards: Cards, me: int, i: int, out: Row, word: int) -> None:
    """A card of the observer's own reserve."""
    card = card_number(s[me + layout.RESERVED + i])
    public = PUBLIC if card < layout.JEWELS and is_known(s, card, layout.EVERYONE) else 0
    show_card(s, cards, card, me, out, word, public)


@inlined
def show_other(s: Row, cards: Cards, seat: int, them: int, i: int, out: Row, word: int) -> None:
    """A card of the opponent's reserve: all of it if it is known, else its level."""
    card = card_number(s[them + layout.RESERVED + i])
    if card < layout.JEWELS and is_known(s, card, seat):
        show_card(
            s, cards, card, them, out, word, PUBLIC if is_known(s, card, layout.EVERYONE) else 0
        )
        return
    hide_card(out, word)
    if card < layout.JEWELS:
        out[word] = (1 + level_of(card)) * ONE_LEVEL
    elif card >= layout.UNKNOWN:
        out[word] = (1 + card - layout.UNKNOWN) * ONE_LEVEL


@inlined
def observe_unseen(s: Row, seat: int, me: int, them: int, out: Row) -> None:
    """The jewels that may lie anywhere, and the sizes of the decks."""
    everyone = layout.KNOWN + 2 * layout.EVERYONE
    own = layout.KNOWN + 2 * seat
    low = s[me + layout.TABLEAU] | s[them + layout.TABLEAU] | s[everyone] | s[own]
    high = s[me + layout.TABLEAU + 1] | s[them + layout.TABLEAU + 1] | s[everyone + 1] | s[own + 1]
    for slot in range(12):
        low, high = with_card(low, high, card_number(s[layout.SLOTS + slot]))
    for i in range(5):
        low, high = with_card(low, high, card_number(s[me + layout.RESERVED + i]))
    spell_jewels(ALL_LOW & ~low, ALL_HIGH & ~high, out, seen.UNSEEN)
    sizes = 0
    for deck in range(layout.DECKS):
        sizes |= s[layout.DECK_SIZES + deck] << (24 + 8 * deck)
    out[seen.UNSEEN + 8] |= sizes


@inlined
def with_card(low: int, high: int, card: int) -> tuple[int, int]:
    """A set of jewels with one card, if it is a jewel."""
    if card < layout.LEVEL_3:
        return low | 1 << card, high
    if card < layout.JEWELS:
        return low, high | 1 << (card - layout.LEVEL_3)
    return low, high


@inlined
def spell_jewels(low: int, high: int, out: Row, word: int) -> None:
    """A set of jewels as a byte for each."""
    for i in range(6):
        out[word + i] = BITS_AS_BYTES[(low >> 8 * i) & LOW_BYTE]
    rest = (low >> 48) | high << (layout.LEVEL_3 - 48)
    for i in range(3):
        out[word + 6 + i] = BITS_AS_BYTES[(rest >> 8 * i) & LOW_BYTE]


# --- observing The Counterfeiters -----------------------------------------------------------------


@inlined
def observe_counterfeiters(s: Row, cards: Cards, seat: int, me: int, them: int, out: Row) -> None:
    """What only The Counterfeiters have."""
    out[seen.MORE_ROYALS] = BITS_AS_BYTES[s[layout.FACE_UP_ROYALS] >> 4]
    out[seen.MORE_ROYALS + 1] = BITS_AS_BYTES[s[me + layout.ROYALS_HELD] >> 4]
    out[seen.MORE_ROYALS + 2] = BITS_AS_BYTES[s[them + layout.ROYALS_HELD] >> 4]
    for number in range(layout.COUNTERFEITERS):
        observe_counterfeiter(s, cards, number, me, them, out, seen.COUNTERFEITERS + 2 * number)
    for i in range(2):
        show_own(s, cards, me, 3 + i, out, seen.OWN_MORE_RESERVE + CARD_WORDS * i)
        show_other(s, cards, seat, them, 3 + i, out, seen.OTHER_MORE_RESERVE + CARD_WORDS * i)
    peeked = s[layout.PEEKED] if s[layout.SEAT] == seat else 0
    top = top_index(s, s[layout.PEEK_DECK])
    for i in range(3):
        card = card_at(s, top + i) if i < peeked else layout.EMPTY
        show_card(s, cards, card, me, out, seen.PEEKED + CARD_WORDS * i, 0)
    observe_known(s, seat, me, them, out)
    is_looking = 1 if s[layout.PEEKED] else 0
    out[seen.KNOWN + 8] |= (
        s[layout.WINDOW_IS_PAST] << 24
        | s[layout.IS_BRIBE] << 32
        | is_looking << (40 + 8 * s[layout.PEEK_DECK])
    )


@inlined
def observe_counterfeiter(
    s: Row, cards: Cards, number: int, me: int, them: int, out: Row, word: int
) -> None:
    """One Counterfeiter as two words."""
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
    out[word] = price | gold if is_face_up else 0
    out[word + 1] = (
        is_face_up
        | is_own << 8
        | is_other << 16
        | (1 if has_bit(s[layout.USED], number) else 0) << 24
        | is_active << 32
        | (lacking if is_face_up else 0) << 40
        | (0 if is_face_up or is_own or is_other else 1) << 48
        | (s[layout.PAY_USES] if discount_at(s[layout.PAY_STEP]) == number else 0) << 56
    )


@inlined
def discount_at(step: int) -> int:
    """The Counterfeiter whose discount stands at a step of the payment; -1 past all of them."""
    if step < decisions.THREE_OFF_BIT:
        return step
    if step < decisions.PEARL_OFF_BIT:
        return decisions.C06
    if step < decisions.ANY_OFF_BIT:
        return decisions.C07
    return decisions.C08 if step < decisions.GOLD_FOR_BIT else -1


@inlined
def observe_known(s: Row, seat: int, me: int, them: int, out: Row) -> None:
    """The jewels whose place in a deck the seat knows: what it knows less what is reserved."""
    low = s[layout.KNOWN + 2 * seat] | s[layout.KNOWN + 2 * layout.EVERYONE]
    high = s[layout.KNOWN + 2 * seat + 1] | s[layout.KNOWN + 2 * layout.EVERYONE + 1]
    own_low, own_high = 0, 0
    for i in range(5):
        own, other = (
            card_number(s[me + layout.RESERVED + i]),
            card_number(s[them + layout.RESERVED + i]),
        )
        own_low, own_high = with_card(own_low, own_high, own)
        own_low, own_high = with_card(own_low, own_high, other)
    spell_jewels(low & ~own_low, high & ~own_high, out, seen.KNOWN)


@kernel
def observe_many(rows: Row, cards: Cards, viewers: Row, observations: Row) -> None:
    """What a seat of each of many games observes."""
    for i in range(len(rows)):
        observe(rows[i], cards, viewers[i], observations[i])


# --- stepping -------------------------------------------------------------------------------------


@kernel
def reward(s: Row, kind: int, rewards: Mask) -> None:
    """What a finished game brings each seat."""
    if kind == MARGINS:
        ahead = s[layout.SEATS + layout.SCORE] - s[layout.SEATS + layout.SEAT_WORDS + layout.SCORE]
        rewards[0] = ahead / GOAL
        rewards[1] = -ahead / GOAL
    else:
        winners = s[layout.WINNERS]
        rewards[0] = (winners & 1) - (winners >> 1 & 1)
        rewards[1] = -rewards[0]


step_game = make_step(duel, layout, reward, observe)


@kernel
def step_many(
    games: Batch, cards: Cards, decisions: Row, settings: Row, menu: Menu, ids: Row, chance: Chance
) -> None:
    """Each of many games a decision further, as `steps` says: what is legal then, what is seen."""
    for i in range(len(decisions)):
        step_game(games, i, cards, decisions[i], settings, menu, ids, chance)
