"""What a seat of Duel observes, and many games of it a step further in one call.

The observation of plain Duel is the first part of that with The Counterfeiters. It holds what the
seat may know and nothing else: written from a state or from that seat's view it is the same.
"""

from __future__ import annotations

import numpy as np

from parure.envs.kernels import duel_observation_layout as seen
from parure.envs.kernels.batch_step import MARGINS, Batch, make_step
from parure.envs.kernels.observation_layout import BITS_AS_BYTES
from parure.games.duel import decisions as to
from parure.games.duel import kernel as duel
from parure.games.duel import layout as at
from parure.games.duel.cards import JEWELS
from parure.games.duel.hidden import is_known
from parure.games.duel.row_access import card_at, level_of, top_of
from parure.games.engine.arrays import Cards, Chance, Mask, Menu, Row
from parure.games.engine.bits import has, lowest, one, saturating_sub, total
from parure.games.engine.card_storage import number_of
from parure.games.engine.jit import helper, kernel, routine
from parure.games.engine.tokens import Y, pack

GOAL = 20  # points; margins are measured by it
CARD_WORDS = 3
ONE_LEVEL = 1 << 56  # the level stands in the last byte of the price
PUBLIC = 1 << 56


def _features() -> Row:
    """The color, and what else stands on a card, as two words for each card."""
    words = np.zeros((at.CARDS, 2), np.int64)
    colors = {"joker": at.JOKER, "none": at.COLORLESS}
    for number, jewel in enumerate(JEWELS):
        color = "wugrk".find(jewel.color)
        words[number, 0] = 1 << 8 * colors.get(jewel.color, color)
        abilities = [jewel.ability == name for name in ("token", "steal", "privilege", "again")]
        words[number, 1] = pack([1, jewel.points, jewel.bonus, jewel.crowns, *abilities])
    return words


FEATURES = _features()
ALL_LOW = (1 << at.LEVEL_3) - 1
ALL_HIGH = (1 << (at.JEWELS - at.LEVEL_3)) - 1
LOW_NIBBLE, LOW_BYTE = 0xF, 0xFF

# --- observing ------------------------------------------------------------------------------------


@routine
def observe(s: Row, cards: Cards, seat: int, out: Row) -> None:
    """Write what a seat observes, a word for eight bytes."""
    me = at.SEATS + (seat & 1) * at.SEAT_WORDS
    them = at.SEATS + (~seat & 1) * at.SEAT_WORDS
    observe_situation(s, seat, out)
    observe_board(s, out)
    observe_royals(s, seat, me, them, out)
    observe_seat(s, me, out, seen.OWN)
    observe_seat(s, them, out, seen.OTHER)
    for slot in range(12):
        card = number_of(s[at.SLOTS + slot])
        show_card(s, cards, card, me, out, seen.PYRAMID + CARD_WORDS * slot, PUBLIC)
    for i in range(3):
        show_own(s, cards, me, i, out, seen.OWN_RESERVE + CARD_WORDS * i)
        show_other(s, cards, seat, them, i, out, seen.OTHER_RESERVE + CARD_WORDS * i)
    observe_unseen(s, seat, me, them, out)
    if s[at.WITH_COUNTERFEITERS]:
        observe_counterfeiters(s, cards, seat, me, them, out)


@helper
def observe_situation(s: Row, seat: int, out: Row) -> None:
    """Phase and turn, the bag, and what is being paid."""
    phase = s[at.PHASE]
    out[seen.SITUATION] = 0
    out[seen.SITUATION + 1] = 0
    out[seen.SITUATION + 2] = (
        (s[at.TURNS] >> 1) << 16
        | (1 if s[at.SEAT] == seat else 0) << 24
        | s[at.REPLENISHED] << 32
        | s[at.AGAIN] << 40
        | s[at.ROYALS_DUE] << 48
        | s[at.CLAIMABLE] << 56
    )
    out[seen.SITUATION + (phase >> 3)] |= 1 << ((phase & 7) << 3)
    out[seen.BAG] = s[at.BAG]
    out[seen.PRICE] = s[at.PRICE]
    out[seen.GOLD_LAID] = s[at.GOLD_LAID]
    card = at.EMPTY if s[at.IS_USE] else s[at.CARD]
    out[seen.BUYING] = FEATURES[card, 0]
    out[seen.BUYING + 1] = FEATURES[card, 1]


@helper
def observe_board(s: Row, out: Row) -> None:
    """A one-hot word for each cell."""
    for cell in range(at.CELLS):
        out[seen.BOARD + cell] = 0
    for kind in range(8):
        cells = s[at.BOARD + kind]
        while cells:
            out[seen.BOARD + lowest(cells)] = 1 << (kind << 3)
            cells &= cells - 1


@helper
def observe_royals(s: Row, seat: int, me: int, them: int, out: Row) -> None:
    """The first four royals, the privileges left, and what may still be taken."""
    table = at.TOTAL_PRIVILEGES - s[me + at.PRIVILEGES] - s[them + at.PRIVILEGES]
    out[seen.ROYALS] = (
        BITS_AS_BYTES[s[at.FACE_UP_ROYALS] & LOW_NIBBLE]
        | BITS_AS_BYTES[s[me + at.ROYALS_HELD] & LOW_NIBBLE] << 32
    )
    out[seen.ROYALS + 1] = (
        BITS_AS_BYTES[s[them + at.ROYALS_HELD] & LOW_NIBBLE]
        | table << 32
        | s[at.COLLECTS_LEFT] << 40
        | s[at.RESERVES_LEFT] << 48
        | seat << 56
    )


@helper
def observe_seat(s: Row, whose: int, out: Row, first: int) -> None:
    """What lies open before a seat."""
    out[first] = s[whose + at.TOKENS]
    out[first + 1] = (
        s[whose + at.BONUSES]
        | s[whose + at.SCORE] << 40
        | s[whose + at.CROWNS_HELD] << 48
        | s[whose + at.PRIVILEGES] << 56
    )
    out[first + 2] = (
        s[whose + at.SCORE_BY_COLOR]
        | s[whose + at.RESERVED_COUNT] << 40
        | min(s[whose + at.BLOCKED_TURNS], 3) << 48
        | s[whose + at.IS_WARNED] << 56
    )


@helper
def show_card(
    s: Row, cards: Cards, card: int, whose: int, out: Row, word: int, public: int
) -> None:
    """A known jewel as three words, its price that for a seat; nothing where there is no card."""
    if card >= at.JEWELS:
        hide_card(out, word)
        return
    price = saturating_sub(cards[at.COST, card], s[whose + at.BONUSES])
    lacking = total(saturating_sub(price, s[whose + at.TOKENS]))
    out[word] = price | lacking << 48 | (1 + level_of(card)) * ONE_LEVEL
    out[word + 1] = FEATURES[card, 0] | public
    out[word + 2] = FEATURES[card, 1]


@helper
def hide_card(out: Row, word: int) -> None:
    """No card, or none that may be seen."""
    out[word] = 0
    out[word + 1] = 0
    out[word + 2] = 0


@helper
def show_own(s: Row, cards: Cards, me: int, i: int, out: Row, word: int) -> None:
    """A card of the observer's own reserve."""
    card = number_of(s[me + at.RESERVED + i])
    public = PUBLIC if card < at.JEWELS and is_known(s, card, at.EVERYONE) else 0
    show_card(s, cards, card, me, out, word, public)


@helper
def show_other(s: Row, cards: Cards, seat: int, them: int, i: int, out: Row, word: int) -> None:
    """A card of the opponent's reserve: all of it if it is known, else its level."""
    card = number_of(s[them + at.RESERVED + i])
    if card < at.JEWELS and is_known(s, card, seat):
        show_card(s, cards, card, them, out, word, PUBLIC if is_known(s, card, at.EVERYONE) else 0)
        return
    hide_card(out, word)
    if card < at.JEWELS:
        out[word] = (1 + level_of(card)) * ONE_LEVEL
    elif card >= at.UNKNOWN:
        out[word] = (1 + card - at.UNKNOWN) * ONE_LEVEL


@helper
def observe_unseen(s: Row, seat: int, me: int, them: int, out: Row) -> None:
    """The jewels that may lie anywhere, and the sizes of the decks."""
    everyone = at.KNOWN + 2 * at.EVERYONE
    own = at.KNOWN + 2 * seat
    low = s[me + at.TABLEAU] | s[them + at.TABLEAU] | s[everyone] | s[own]
    high = s[me + at.TABLEAU + 1] | s[them + at.TABLEAU + 1] | s[everyone + 1] | s[own + 1]
    for slot in range(12):
        low, high = with_card(low, high, number_of(s[at.SLOTS + slot]))
    for i in range(5):
        low, high = with_card(low, high, number_of(s[me + at.RESERVED + i]))
    spell_jewels(ALL_LOW & ~low, ALL_HIGH & ~high, out, seen.UNSEEN)
    sizes = 0
    for deck in range(at.DECKS):
        sizes |= s[at.DECK_SIZES + deck] << (24 + 8 * deck)
    out[seen.UNSEEN + 8] |= sizes


@helper
def with_card(low: int, high: int, card: int) -> tuple[int, int]:
    """A set of jewels with one card, if it is a jewel."""
    if card < at.LEVEL_3:
        return low | 1 << card, high
    if card < at.JEWELS:
        return low, high | 1 << (card - at.LEVEL_3)
    return low, high


@helper
def spell_jewels(low: int, high: int, out: Row, word: int) -> None:
    """A set of jewels as a byte for each."""
    for i in range(6):
        out[word + i] = BITS_AS_BYTES[(low >> 8 * i) & LOW_BYTE]
    rest = (low >> 48) | high << (at.LEVEL_3 - 48)
    for i in range(3):
        out[word + 6 + i] = BITS_AS_BYTES[(rest >> 8 * i) & LOW_BYTE]


# --- observing The Counterfeiters -----------------------------------------------------------------


@helper
def observe_counterfeiters(s: Row, cards: Cards, seat: int, me: int, them: int, out: Row) -> None:
    """What only The Counterfeiters have."""
    out[seen.MORE_ROYALS] = BITS_AS_BYTES[s[at.FACE_UP_ROYALS] >> 4]
    out[seen.MORE_ROYALS + 1] = BITS_AS_BYTES[s[me + at.ROYALS_HELD] >> 4]
    out[seen.MORE_ROYALS + 2] = BITS_AS_BYTES[s[them + at.ROYALS_HELD] >> 4]
    for number in range(at.COUNTERFEITERS):
        observe_counterfeiter(s, cards, number, me, them, out, seen.COUNTERFEITERS + 2 * number)
    for i in range(2):
        show_own(s, cards, me, 3 + i, out, seen.OWN_MORE_RESERVE + CARD_WORDS * i)
        show_other(s, cards, seat, them, 3 + i, out, seen.OTHER_MORE_RESERVE + CARD_WORDS * i)
    peeked = s[at.PEEKED] if s[at.SEAT] == seat else 0
    top = top_of(s, s[at.PEEK_DECK])
    for i in range(3):
        card = card_at(s, top + i) if i < peeked else at.EMPTY
        show_card(s, cards, card, me, out, seen.PEEKED + CARD_WORDS * i, 0)
    observe_known(s, seat, me, them, out)
    is_looking = 1 if s[at.PEEKED] else 0
    out[seen.KNOWN + 8] |= (
        s[at.WINDOW_IS_PAST] << 24 | s[at.IS_BRIBE] << 32 | is_looking << (40 + 8 * s[at.PEEK_DECK])
    )


@helper
def observe_counterfeiter(
    s: Row, cards: Cards, number: int, me: int, them: int, out: Row, word: int
) -> None:
    """One Counterfeiter as two words."""
    card = at.FIRST_COUNTERFEITER + number
    is_face_up = 0
    for slot in range(3):
        is_face_up |= 1 if number_of(s[at.COUNTERFEITER_ROW + slot]) == card else 0
    is_own = 1 if has(s[me + at.COUNTERFEITERS_HELD], number) else 0
    is_other = 1 if has(s[them + at.COUNTERFEITERS_HELD], number) else 0
    is_active = 1 if s[at.CARD] == (number if s[at.IS_USE] else card) else 0
    cost = cards[at.COST, card]
    gold = (cost >> 8 * Y) * one(Y)
    price = saturating_sub(cost, s[me + at.BONUSES])
    lacking = total(saturating_sub(price, s[me + at.TOKENS]))
    out[word] = price | gold if is_face_up else 0
    out[word + 1] = (
        is_face_up
        | is_own << 8
        | is_other << 16
        | (1 if has(s[at.USED], number) else 0) << 24
        | is_active << 32
        | (lacking if is_face_up else 0) << 40
        | (0 if is_face_up or is_own or is_other else 1) << 48
        | (s[at.PAY_USES] if discount_at(s[at.PAY_STEP]) == number else 0) << 56
    )


@helper
def discount_at(step: int) -> int:
    """The Counterfeiter whose discount stands at a step of the payment; -1 past all of them."""
    if step < to.THREE_OFF_BIT:
        return step
    if step < to.PEARL_OFF_BIT:
        return to.C06
    if step < to.ANY_OFF_BIT:
        return to.C07
    return to.C08 if step < to.GOLD_FOR_BIT else -1


@helper
def observe_known(s: Row, seat: int, me: int, them: int, out: Row) -> None:
    """The jewels whose place in a deck the seat knows: what it knows less what is reserved."""
    low = s[at.KNOWN + 2 * seat] | s[at.KNOWN + 2 * at.EVERYONE]
    high = s[at.KNOWN + 2 * seat + 1] | s[at.KNOWN + 2 * at.EVERYONE + 1]
    own_low, own_high = 0, 0
    for i in range(5):
        own, other = number_of(s[me + at.RESERVED + i]), number_of(s[them + at.RESERVED + i])
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
        ahead = s[at.SEATS + at.SCORE] - s[at.SEATS + at.SEAT_WORDS + at.SCORE]
        rewards[0] = ahead / GOAL
        rewards[1] = -ahead / GOAL
    else:
        winners = s[at.WINNERS]
        rewards[0] = (winners & 1) - (winners >> 1 & 1)
        rewards[1] = -rewards[0]


step_game = make_step(duel, at, reward, observe)


@kernel
def step_many(
    games: Batch, cards: Cards, decisions: Row, settings: Row, menu: Menu, ids: Row, chance: Chance
) -> None:
    """Each of many games a decision further, as `steps` says: what is legal then, what is seen."""
    for i in range(len(decisions)):
        step_game(games, i, cards, decisions[i], settings, menu, ids, chance)
