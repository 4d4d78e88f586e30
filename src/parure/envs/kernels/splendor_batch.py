"""What a seat of Splendor observes, and many games of it a step further in one call.

Seats are told from the observer on: itself, then the one who moves next, and so on, so the
observation of a game with fewer seats is the first part of one with more. It holds what the seat
may know and nothing else: written from a state or from that seat's view it is the same.
"""

from __future__ import annotations

import numpy as np

from parure.envs.kernels import splendor_observation_layout as seen
from parure.envs.kernels.batch_step import MARGINS, Batch, make_step
from parure.envs.kernels.observation_layout import BITS_AS_BYTES
from parure.games.engine.arrays import Cards, Chance, Mask, Menu, Row
from parure.games.engine.bits import gold_in, has_bit, lane_sum, popcount, saturating_sub
from parure.games.engine.card_storage import card_number
from parure.games.engine.jit import inlined, kernel, outlined
from parure.games.engine.tokens import KIND_OF_LETTER, pack
from parure.games.splendor import kernel as splendor
from parure.games.splendor import layout
from parure.games.splendor.cards import DEVELOPMENTS
from parure.games.splendor.row_access import has_card, level_of

GOAL = layout.GOAL  # points; margins are measured by it
CARD_WORDS = 2
SEAT_WORDS = 2 + layout.RESERVE_LIMIT * CARD_WORDS
ONE_LEVEL = 1 << 56  # the level stands in the last byte of the price
PUBLIC = 1 << 56


def _features() -> Row:
    """The color and points of each card as a word."""
    words = np.zeros(layout.CARDS, np.int64)
    for number, card in enumerate(DEVELOPMENTS):
        words[number] = 1 << 8 * KIND_OF_LETTER[card.color] | pack([0] * 5 + [card.points, 1])
    return words


FEATURES = _features()
ALL_LOW = (1 << layout.LEVEL_2) - 1
ALL_HIGH = (1 << (layout.DEVELOPMENTS - layout.LEVEL_2)) - 1
LOW_BYTE = 0xFF

# --- observing ------------------------------------------------------------------------------------


@outlined
def observe(s: Row, cards: Cards, seat: int, out: Row) -> None:
    """Write what a seat observes, a word for eight bytes."""
    me = layout.SEATS + seat * layout.SEAT_WORDS
    seats = s[layout.SEAT_COUNT]
    out[seen.SITUATION] = (
        1 << (s[layout.PHASE] << 3)
        | (s[layout.TURNS] >> 1) << 40
        | s[layout.PASSES] << 48
        | s[layout.LAST_ROUND] << 56
    )
    to_move = s[layout.SEAT] - seat if s[layout.SEAT] >= seat else s[layout.SEAT] - seat + seats
    out[seen.PLACE] = 1 << (seat << 3) | 1 << (32 + (to_move << 3))
    out[seen.SUPPLY] = s[layout.SUPPLY]
    out[seen.PRICE] = s[layout.PRICE]
    out[seen.GOLD_LAID] = s[layout.GOLD_LAID]
    out[seen.BUYING] = FEATURES[s[layout.CARD]]
    observe_nobles(s, cards, me, out)
    for slot in range(layout.DECKS * layout.FACE_UP):
        card = card_number(s[layout.SLOTS + slot])
        show_card(s, cards, card, me, out, seen.PYRAMID + CARD_WORDS * slot, PUBLIC)
    for place in range(seats):
        whose = seat + place if seat + place < seats else seat + place - seats
        observe_seat(s, cards, whose, place == 0, out, seen.SEATS + SEAT_WORDS * place)
    observe_unseen(s, seat, out)


@inlined
def observe_nobles(s: Row, cards: Cards, me: int, out: Row) -> None:
    """A word for each noble."""
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
        out[seen.NOBLES + noble] = word


@inlined
def show_card(
    s: Row, cards: Cards, card: int, whose: int, out: Row, word: int, public: int
) -> None:
    """A known development as two words, its price that for a seat; nothing where there is none."""
    if card >= layout.DEVELOPMENTS:
        out[word] = 0
        out[word + 1] = 0
        return
    price = saturating_sub(cards[layout.COST, card], s[whose + layout.BONUSES])
    lacking = lane_sum(saturating_sub(price, s[whose + layout.TOKENS]))
    can_pay = 1 if lacking <= gold_in(s[whose + layout.TOKENS]) else 0
    out[word] = price | lacking << 40 | can_pay << 48 | (1 + level_of(card)) * ONE_LEVEL
    out[word + 1] = FEATURES[card] | public


@inlined
def observe_seat(s: Row, cards: Cards, seat: int, is_own: bool, out: Row, first: int) -> None:
    """What lies before a seat; of the reserve what the observer knows."""
    whose = layout.SEATS + seat * layout.SEAT_WORDS
    out[first] = (
        s[whose + layout.TOKENS]
        | s[whose + layout.SCORE] << 40
        | s[whose + layout.RESERVED_COUNT] << 48
    )
    out[first + 1] = (
        s[whose + layout.BONUSES]
        | lane_sum(s[whose + layout.BONUSES]) << 40
        | popcount(s[whose + layout.NOBLES_HELD]) << 48
        | (1 if s[layout.SEAT] == seat else 0) << 56
    )
    for i in range(layout.RESERVE_LIMIT):
        card = card_number(s[whose + layout.RESERVED + i])
        word = first + 2 + CARD_WORDS * i
        is_public = card < layout.DEVELOPMENTS and has_card(s, layout.KNOWN, card)
        if is_own or is_public or card == layout.EMPTY:
            show_card(s, cards, card, whose, out, word, PUBLIC if is_public else 0)
        else:
            level = card - layout.UNKNOWN if card >= layout.UNKNOWN else level_of(card)
            out[word] = (1 + level) * ONE_LEVEL
            out[word + 1] = 0


@inlined
def observe_unseen(s: Row, seat: int, out: Row) -> None:
    """The developments that may lie anywhere, the sizes of the decks, what others hold hidden."""
    low, high = s[layout.KNOWN], s[layout.KNOWN + 1]
    counts = 0
    for deck in range(layout.DECKS):
        counts |= s[layout.DECK_SIZES + deck] << (16 + 8 * deck)
    for slot in range(layout.DECKS * layout.FACE_UP):
        low, high = with_card(low, high, card_number(s[layout.SLOTS + slot]))
    for other in range(s[layout.SEAT_COUNT]):
        whose = layout.SEATS + other * layout.SEAT_WORDS
        low |= s[whose + layout.TABLEAU]
        high |= s[whose + layout.TABLEAU + 1]
        for i in range(s[whose + layout.RESERVED_COUNT]):
            card = card_number(s[whose + layout.RESERVED + i])
            if other == seat:
                low, high = with_card(low, high, card)
            elif card >= layout.UNKNOWN:
                counts += 1 << (40 + 8 * (card - layout.UNKNOWN))
            elif not has_card(s, layout.KNOWN, card):
                counts += 1 << (40 + 8 * level_of(card))
    low, high = ALL_LOW & ~low, ALL_HIGH & ~high
    for i in range(5):
        out[seen.UNSEEN + i] = BITS_AS_BYTES[(low >> 8 * i) & LOW_BYTE]
    for i in range(7):
        out[seen.UNSEEN + 5 + i] = BITS_AS_BYTES[(high >> 8 * i) & LOW_BYTE]
    out[seen.UNSEEN + 11] |= counts


@inlined
def with_card(low: int, high: int, card: int) -> tuple[int, int]:
    """A set of developments with one card, if it is a development."""
    if card < layout.LEVEL_2:
        return low | 1 << card, high
    if card < layout.DEVELOPMENTS:
        return low, high | 1 << (card - layout.LEVEL_2)
    return low, high


@kernel
def observe_many(rows: Row, cards: Cards, viewers: Row, observations: Row) -> None:
    """What a seat of each of many games observes."""
    for i in range(len(rows)):
        observe(rows[i], cards, viewers[i], observations[i])


# --- stepping -------------------------------------------------------------------------------------


@kernel
def reward(s: Row, kind: int, rewards: Mask) -> None:
    """What a finished game brings each seat; the sum is 0."""
    seats = s[layout.SEAT_COUNT]
    points = 0
    for seat in range(seats):
        points += s[layout.SEATS + seat * layout.SEAT_WORDS + layout.SCORE]
    winners = popcount(s[layout.WINNERS])
    for seat in range(seats):
        if kind == MARGINS:  # ahead of the mean of the others
            own = s[layout.SEATS + seat * layout.SEAT_WORDS + layout.SCORE]
            rewards[seat] = (seats * own - points) / ((seats - 1) * GOAL)
        elif winners == 0:
            rewards[seat] = 0
        elif has_bit(s[layout.WINNERS], seat):
            rewards[seat] = (seats - winners) / (winners * (seats - 1))
        else:
            rewards[seat] = -1 / (seats - 1)


step_game = make_step(splendor, layout, reward, observe)


@kernel
def step_many(
    games: Batch, cards: Cards, decisions: Row, settings: Row, menu: Menu, ids: Row, chance: Chance
) -> None:
    """Each of many games a decision further, as `steps` says: what is legal then, what is seen."""
    for i in range(len(decisions)):
        step_game(games, i, cards, decisions[i], settings, menu, ids, chance)
