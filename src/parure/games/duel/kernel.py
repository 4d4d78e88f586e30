"""The rules of Splendor Duel, with The Counterfeiters as an option.

In the order of the book: set-up, what is legal in each phase, what each decision does, what follows
it, the end of a turn. Functions take the state as `s`, a row of words whose fields are named in
:mod:`.layout`, and the card table `cards`; `me` and `them` are the offsets of two seats in the row.
Nothing here checks a decision: it must be one that :func:`legal` lists.
"""

from __future__ import annotations

import numpy as np

from parure.games.bits import (
    GLASS_SHIFT,
    GOLD_SHIFT,
    LANES,
    NO_GOLD,
    ONE_GOLD,
    below,
    gold_in,
    guarded_excess,
    has,
    kinds_in,
    lane,
    lowest,
    nth,
    nth_token,
    one,
    popcount,
    total,
)
from parure.games.compiled import helper, kernel, routine
from parure.games.duel import decisions as to
from parure.games.duel import geometry
from parure.games.duel import layout as at
from parure.games.duel.paying import (
    after_discount,
    discounted,
    discounts_left,
    gold_needed,
    least_gold,
    most_off,
    most_off_any,
    pay_menu,
    payment,
    price_of,
)
from parure.games.kinds import P, V, Y
from parure.games.typing import Cards, Chance, Mask, Menu, Rng, Row

SPIRAL = np.array(geometry.SPIRAL)
DECK_ENDS = np.array(at.DECK_ENDS)
FIRST_PLACES = np.array([0, *at.DECK_ENDS[:-1]])
ALL_CELLS = geometry.ALL_CELLS
NOT_FIRST_COLUMN = geometry.NOT_FIRST_COLUMN
NOT_LAST_COLUMN = geometry.NOT_LAST_COLUMN
SLOT_DECKS = np.array([0] * 5 + [1] * 4 + [2] * 3 + [at.COUNTERFEITER_DECK] * 3)

ALL_BUT_GOLD = (1 << Y) - 1  # as a set of kinds
GEM_SET = (1 << 5) - 1
ALL_PEARLS_AND_GOLD = 2 * (1 << 8 * P) + 3 * ONE_GOLD
PEARL_AND_GOLD_LANES = 0x7F * (1 << 8 * P) + 0x7F * ONE_GOLD
R6, R7 = 5, 6

# Stages inside one decision, in the place of a phase.
SETTLING = at.OVER + 1  # a price is to be paid, unless there is something to choose
GOING_ON = at.OVER + 2  # the turn goes on with whatever comes next


@helper
def mover(s: Row) -> int:
    """The seat whose decision it is."""
    return at.SEATS + (s[at.SEAT] & 1) * at.SEAT_WORDS


@helper
def opponent(s: Row) -> int:
    """The other one."""
    return at.SEATS + (~s[at.SEAT] & 1) * at.SEAT_WORDS


# === cards and decks ==============================================================================


@helper
def add_card(s: Row, cards_at: int, card: int) -> None:
    """Put a jewel into a set of cards."""
    if card < at.LEVEL_3:
        s[cards_at] |= 1 << card
    else:
        s[cards_at + 1] |= 1 << (card - at.LEVEL_3)


@helper
def has_card(s: Row, cards_at: int, card: int) -> bool:
    """Whether a jewel is in a set of cards."""
    if card < at.LEVEL_3:
        return has(s[cards_at], card)
    return has(s[cards_at + 1], card - at.LEVEL_3)


@helper
def remove_card(s: Row, cards_at: int, card: int) -> None:
    """Take a jewel out of a set of cards, if it is there."""
    if card < at.LEVEL_3:
        s[cards_at] &= ~(1 << card)
    else:
        s[cards_at + 1] &= ~(1 << (card - at.LEVEL_3))


@helper
def level_of(card: int) -> int:
    """The deck, 0 to 2, that a jewel belongs to."""
    return np.int64(card >= at.LEVEL_2) + np.int64(card >= at.LEVEL_3)


@helper
def card_at(s: Row, place: int) -> int:
    """The card at a place among all decks' places."""
    return (s[at.DECK_BYTES + (place >> 3)] >> ((place & 7) << 3)) & 0x7F


@helper
def lay_card(s: Row, place: int, card: int) -> None:
    """Put a card at a place among all decks' places."""
    word, shift = at.DECK_BYTES + (place >> 3), (place & 7) << 3
    s[word] = (s[word] & ~(0x7F << shift)) | (card << shift)


@helper
def top_of(s: Row, deck: int) -> int:
    """The place of a deck's top card."""
    return DECK_ENDS[deck] - s[at.DECK_SIZES + deck]


@helper
def draw_card(s: Row, deck: int) -> int:
    """Take the top card of a deck; EMPTY if there is none."""
    if s[at.DECK_SIZES + deck] == 0:
        return at.EMPTY
    place = top_of(s, deck)
    card = card_at(s, place)
    lay_card(s, place, 0)
    s[at.DECK_SIZES + deck] -= 1
    return card


# === set-up =======================================================================================


@helper
def clear_table(s: Row, with_counterfeiters: bool, anti_blocking: bool) -> None:
    """A table before the set-up: everything in the bag, the decks whole but not yet laid."""
    for word in range(at.ROW_WORDS):
        s[word] = 0
    s[at.WITH_COUNTERFEITERS] = with_counterfeiters
    s[at.ANTI_BLOCKING] = anti_blocking
    s[at.CARD] = at.EMPTY
    s[at.BAG] = 0x0300_0204_0404_0404
    s[at.FACE_UP_ROYALS] = 0b1111
    s[at.GAPS] = (1 << 12) - 1
    for deck in range(3):
        s[at.DECK_SIZES + deck] = DECK_ENDS[deck] - FIRST_PLACES[deck]
    for slot in range(15):
        s[at.SLOTS + slot] = at.EMPTY
    for i in range(5):
        s[at.SEATS + at.RESERVED + i] = at.EMPTY
        s[at.SEATS + at.SEAT_WORDS + at.RESERVED + i] = at.EMPTY
    if with_counterfeiters:
        s[at.BAG] += 4 << GLASS_SHIFT
        s[at.FACE_UP_ROYALS] = 0
        s[at.GAPS] = (1 << 15) - 1
        s[at.DECK_SIZES + at.COUNTERFEITER_DECK] = at.COUNTERFEITERS
        s[at.DECK_SIZES + at.ROYAL_DECK] = at.ROYALS


@helper
def shuffle(s: Row, deck: int, rng: Rng) -> None:
    """Lay the cards of a whole deck in random order."""
    left = (1 << s[at.DECK_SIZES + deck]) - 1
    first_card = 0 if deck == at.ROYAL_DECK else FIRST_PLACES[deck]
    for place in range(top_of(s, deck), DECK_ENDS[deck]):
        card = draw_unseen(left, rng)
        left ^= 1 << card
        lay_card(s, place, first_card + card)


@helper
def open_table(s: Row) -> None:
    """Reveal the first cards and begin, decks and board being ready."""
    refill(s)
    if s[at.WITH_COUNTERFEITERS]:
        for _ in range(4):
            s[at.FACE_UP_ROYALS] |= 1 << draw_card(s, at.ROYAL_DECK)
    s[at.SEATS + at.SEAT_WORDS + at.PRIVILEGES] = 1  # seat 1's
    begin_turn(s)


@kernel
def deal(s: Row, rng: Rng, chance: Chance, with_counterfeiters: bool, anti_blocking: bool) -> None:
    """A new game, shuffled."""
    clear_table(s, with_counterfeiters, anti_blocking)
    for deck in range(at.DECKS):
        shuffle(s, deck, rng)
    replenish(s, rng, chance)
    open_table(s)


@kernel
def lay_out(
    s: Row, places: Row, board: Row, with_counterfeiters: bool, anti_blocking: bool
) -> None:
    """A new game with the given cards in the decks' places and tokens along the spiral."""
    clear_table(s, with_counterfeiters, anti_blocking)
    for place in range(len(places)):
        lay_card(s, place, places[place])
    for i in range(at.CELLS):
        s[at.BOARD + board[i]] |= 1 << SPIRAL[i]
        s[at.BAG] -= one(board[i])
    open_table(s)


# === what is legal ================================================================================


@kernel
def legal(s: Row, cards: Cards, menu: Menu) -> int:
    """Write the legal decisions into the menu of the phase; gives how many there are."""
    phase = s[at.PHASE]
    if phase == at.TURN:
        return turn_menu(s, cards, menu)
    menu[0] = small_menu(s, cards, phase)
    if phase == at.KEEP or phase == at.BOTTOM:
        peek_menu(s, menu)
        return popcount(menu[0]) + popcount(menu[1])
    return popcount(menu[0])


@helper
def turn_menu(s: Row, cards: Cards, menu: Menu) -> int:
    """Phase `turn`."""
    me = mover(s)
    tokens = tokens_on_board(s)
    line_menu(tokens, menu)
    if s[me + at.PRIVILEGES] and not s[at.REPLENISHED]:
        menu[to.PRIVILEGE_WORD] |= privilege_cells(s, cards, me, tokens) << to.UPPER_HALF
    others = buyable(s, cards, me, s[me + at.TOKENS]) << to.BUY_BIT
    if can_reserve(s, me):
        others |= s[at.BOARD + Y]
    if not s[at.REPLENISHED] and s[at.BAG] and (tokens | s[at.BOARD + Y]) != ALL_CELLS:
        others |= 1 << to.REPLENISH_BIT
    if tokens == 0 and others == 0:
        others |= 1 << to.PASS_BIT
    if s[at.CLAIMABLE]:
        others |= 1 << to.CLAIM_BIT
    menu[to.OTHERS_WORD] = others
    number = 0
    for word in range(to.OTHERS_WORD + 1):
        number += popcount(menu[word])
    return number


@helper
def tokens_on_board(s: Row) -> int:
    """The cells that hold a token other than gold."""
    cells = 0
    for kind in range(Y):
        cells |= s[at.BOARD + kind]
    return cells


@helper
def empty_cells(s: Row) -> int:
    """The cells without a token."""
    return ALL_CELLS & ~(tokens_on_board(s) | s[at.BOARD + Y])


@helper
def line_menu(tokens: int, menu: Menu) -> None:
    """All lines of 1, 2 and 3 adjacent tokens, by their first cells."""
    across = tokens & (tokens >> 1) & NOT_LAST_COLUMN
    down = tokens & (tokens >> 5)
    down_right = tokens & (tokens >> 6) & NOT_LAST_COLUMN
    down_left = tokens & (tokens >> 4) & NOT_FIRST_COLUMN
    menu[0] = tokens | across << to.UPPER_HALF
    menu[1] = down | down_right << to.UPPER_HALF
    menu[2] = down_left | (across & (across >> 1)) << to.UPPER_HALF
    menu[3] = (down & (down >> 5)) | (down_right & (down_right >> 6)) << to.UPPER_HALF
    menu[4] = down_left & (down_left >> 4)


@helper
def privilege_cells(s: Row, cards: Cards, me: int, tokens: int) -> int:
    """The cells a privilege may take from: a mandatory action or a replenish must stay possible."""
    if s[at.BAG] or tokens & (tokens - 1):
        return tokens
    return last_token(s, cards, me, tokens)


@routine
def last_token(s: Row, cards: Cards, me: int, token: int) -> int:
    """The cell of the last token on the board, if an action is possible without it."""
    if token == 0 or (s[at.BOARD + Y] and can_reserve(s, me)):
        return token
    purse = s[me + at.TOKENS] + one(kind_at(s, token))
    return token if buyable(s, cards, me, purse) else 0


@helper
def can_reserve(s: Row, me: int) -> bool:
    """Whether there is room in the reserve, and a card for it."""
    if s[me + at.RESERVED_COUNT] >= reserve_limit(s, me):
        return False
    if s[at.DECK_SIZES] or s[at.DECK_SIZES + 1] or s[at.DECK_SIZES + 2]:
        return True
    for slot in range(12):
        if s[at.SLOTS + slot] != at.EMPTY:
            return True
    return False


@helper
def reserve_limit(s: Row, me: int) -> int:
    """How many cards a seat may hold in reserve."""
    return 5 if has(s[me + at.COUNTERFEITERS_HELD], to.C15) else 3


@helper
def buyable(s: Row, cards: Cards, me: int, purse: int) -> int:
    """The places whose card a purse can pay for: pyramid, reserve, Counterfeiter row."""
    wealth = s[me + at.BONUSES] + (purse & NO_GOLD)
    gold = gold_in(purse)
    if s[at.WITH_COUNTERFEITERS]:
        places = payable(s, cards, at.SLOTS, 12, wealth, gold)
        places |= payable(s, cards, me + at.RESERVED, 5, wealth, gold) << to.RESERVE_PLACE
        places |= payable_row(s, cards, wealth, gold) << to.ROW_PLACE
        if s[me + at.DISCOUNTS] and lane(purse, V) + gold > 0:
            places = with_discounts(s, cards, me, purse, places)
    else:
        places = payable(s, cards, at.SLOTS, 12, wealth, gold)
        places |= payable(s, cards, me + at.RESERVED, 3, wealth, gold) << to.RESERVE_PLACE
    if s[me + at.BONUSES] == 0:
        places &= ~joker_places(s, cards, me)
    return places


@helper
def payable(s: Row, cards: Cards, first: int, number: int, wealth: int, gold: int) -> int:
    """Which of some places in a row hold a jewel that wealth and gold can pay for."""
    places = 0
    for i in range(number):
        cost = cards[at.GUARDED_COST, s[first + i] & at.CARD_MASK]
        places |= np.int64(total(guarded_excess(cost, wealth)) <= gold) << i
    return places


@helper
def payable_row(s: Row, cards: Cards, wealth: int, gold: int) -> int:
    """The same for the Counterfeiter row, where a price may name gold."""
    places = 0
    for i in range(3):
        cost = cards[at.COST, s[at.COUNTERFEITER_ROW + i] & at.CARD_MASK]
        places |= np.int64(gold_needed(cost, wealth) <= gold) << i
    return places


@helper
def card_in(s: Row, me: int, place: int) -> int:
    """The card in a place that `buyable` counts."""
    if place < to.RESERVE_PLACE:
        return s[at.SLOTS + place]
    if place < to.ROW_PLACE:
        return s[me + at.RESERVED + place - to.RESERVE_PLACE]
    return s[at.COUNTERFEITER_ROW + place - to.ROW_PLACE]


@routine
def joker_places(s: Row, cards: Cards, me: int) -> int:
    """The places that hold a joker."""
    places = 0
    for place in range(to.ROW_PLACE):
        if cards[at.CARD_COLOR, card_in(s, me, place)] == at.JOKER:
            places |= 1 << place
    return places


@routine
def with_discounts(s: Row, cards: Cards, me: int, purse: int, places: int) -> int:
    """Places, and those that a purse can pay for with discounts only."""
    discounts = s[me + at.DISCOUNTS]
    wealth = s[me + at.BONUSES] + (purse & NO_GOLD) + most_off(discounts)
    gold = gold_in(purse) + most_off_any(discounts)
    near = payable(s, cards, at.SLOTS, 12, wealth, gold)  # if glassware cost nothing
    near |= payable(s, cards, me + at.RESERVED, 5, wealth, gold) << to.RESERVE_PLACE
    near |= payable_row(s, cards, wealth, gold) << to.ROW_PLACE
    near &= ~places
    while near:
        place = lowest(near)
        near &= near - 1
        price = price_of(cards, card_in(s, me, place), s[me + at.BONUSES])
        if least_gold(price, purse, discounts) <= gold_in(purse):
            places |= 1 << place
    return places


@helper
def reserve_menu(s: Row) -> int:
    """Phases `reserve` and `reserve-more`: face-up cards and decks."""
    menu = decks_left(s) << to.DECK_BIT
    for slot in range(12):
        menu |= np.int64(s[at.SLOTS + slot] != at.EMPTY) << slot
    if s[at.PHASE] == at.RESERVE_MORE:
        menu |= 1 << to.DONE_BIT
    return menu


@helper
def small_menu(s: Row, cards: Cards, phase: int) -> int:
    """The phases whose menu is a single word."""
    me = mover(s)
    if phase == at.DISCARD:
        return kinds_in(s[me + at.TOKENS] & ~uncounted(s, me))
    if phase == at.RESERVE or phase == at.RESERVE_MORE:
        return reserve_menu(s)
    if phase == at.PAY:
        return pay_menu(s, cards, me)
    if phase == at.COLOR:
        return kinds_in(s[me + at.BONUSES])
    if phase == at.COLLECT or phase == at.COLLECT_MORE:
        return collect_menu(s)
    if phase == at.STEAL:
        return stealable(s)
    if phase == at.ROYAL:
        return s[at.FACE_UP_ROYALS]
    if phase == at.SECOND:
        return privilege_cells(s, cards, me, tokens_on_board(s)) | 1 << to.DONE_BIT
    if phase == at.WINDOW:
        return usable(s, me) | 1 << to.DONE_BIT
    if phase == at.COUNTERFEITER:
        return counterfeiter_menu(s)
    if phase == at.DRAW:
        return (2 << min(total(s[at.BAG]), 2)) - 1
    if phase == at.DECK:
        return decks_left(s)
    return 0


@helper
def collect_menu(s: Row) -> int:
    """The cells that may be collected from, and `done` where it is offered."""
    cells = collectable(s, s[at.COLLECT_KINDS])
    ability = s[at.COLLECT_ABILITY]
    may_refuse = ability == at.TAKES_FOUR_ALIKE or ability == at.TAKES_THREE
    if may_refuse or s[at.PHASE] == at.COLLECT_MORE:
        return cells | 1 << to.DONE_BIT
    return cells


@helper
def collectable(s: Row, kinds: int) -> int:
    """The cells that hold a token of certain kinds."""
    cells = 0
    for kind in range(8):
        if has(kinds, kind):
            cells |= s[at.BOARD + kind]
    return cells


@helper
def stealable(s: Row) -> int:
    """The kinds that can be stolen from the opponent: any but gold."""
    return kinds_in(s[opponent(s) + at.TOKENS] & NO_GOLD)


@helper
def uncounted(s: Row, me: int) -> int:
    """The lane of tokens that do not count toward the ten, if there is one: C12's glassware."""
    return 0xFF << GLASS_SHIFT if has(s[me + at.COUNTERFEITERS_HELD], to.C12) else 0


@helper
def usable(s: Row, me: int) -> int:
    """The Counterfeiters that may be used in the window now."""
    unused = s[me + at.COUNTERFEITERS_HELD] & ~s[at.USED]
    purse = s[me + at.TOKENS]
    glass = lane(purse, V) + gold_in(purse)
    menu = 0
    if has(unused, to.C09) and s[at.FACE_UP_ROYALS] and glass >= bribe(s, me):
        menu |= 1 << to.C09
    if glass >= 1 and s[me + at.PRIVILEGES]:
        if has(unused, to.C10) and not s[at.AGAIN]:
            menu |= 1 << to.C10
        if has(unused, to.C11) and stealable(s):
            menu |= 1 << to.C11
    has_room = s[me + at.RESERVED_COUNT] < reserve_limit(s, me)
    if has(unused, to.C17) and glass >= 2 and has_room and decks_left(s):
        menu |= 1 << to.C17
    return menu


@helper
def bribe(s: Row, me: int) -> int:
    """What C09 costs in glassware."""
    return 1 + popcount(s[me + at.ROYALS_HELD])


@helper
def decks_left(s: Row) -> int:
    """The jewel decks that are not empty."""
    left = 0
    for deck in range(3):
        if s[at.DECK_SIZES + deck]:
            left |= 1 << deck
    return left


@helper
def counterfeiter_menu(s: Row) -> int:
    """The Counterfeiters that a royal may bring."""
    menu = 0
    for slot in range(3):
        card = s[at.COUNTERFEITER_ROW + slot]
        if card != at.EMPTY:
            menu |= 1 << (card - at.FIRST_COUNTERFEITER)
    if s[at.DECK_SIZES + at.COUNTERFEITER_DECK]:
        menu |= 1 << to.COUNTERFEITER_DECK_BIT
    return menu


@helper
def peek_menu(s: Row, menu: Menu) -> None:
    """Phases `keep` and `bottom`: the cards that are being looked at."""
    menu[1] = 0
    top = top_of(s, s[at.PEEK_DECK])
    for place in range(top, top + s[at.PEEKED]):
        add_card(menu, 0, card_at(s, place))


# === what a decision does =========================================================================


@kernel
def apply(s: Row, cards: Cards, decision: int, rng: Rng, chance: Chance) -> None:
    """Do a legal decision and all that follows from it, up to the next one.

    What chance brings is written to `chance`: a count, then the kinds. If the count is not zero
    when the decision comes, these tokens come out of the bag instead of random ones.
    """
    verb = np.int64(to.VERB[decision & to.DECISION_MASK])
    what = np.int64(to.ARGUMENT[decision & to.DECISION_MASK])
    me = mover(s)
    s[at.CLAIMABLE] = 0
    if verb == to.TAKE:
        take_line(s, me, what)
    elif verb == to.BUY:
        start_paying(s, what, price_of(cards, what, s[me + at.BONUSES]), 0)
        answer_warning(s, me)
    elif verb == to.RESERVE:
        reserve(s, me, take_from_pyramid(s, what))
        add_card(s, at.KNOWN + 2 * at.EVERYONE, what)
    elif verb == to.RESERVE_DECK:
        reserve(s, me, draw_card(s, what))
    elif verb == to.GOLD:
        pick_up(s, me, what)
        s[at.RESERVES_LEFT] = 2 if has(s[me + at.COUNTERFEITERS_HELD], to.C15) else 1
        s[at.PHASE] = at.RESERVE
    elif verb == to.PRIVILEGE:
        use_privilege(s, cards, me, what)
    elif verb == to.REPLENISH:
        replenish(s, rng, chance)
        s[at.REPLENISHED] = 1
        take_privilege(s, opponent(s), me)
    elif verb == to.DISCARD:
        s[me + at.TOKENS] -= one(what)
        s[at.BAG] += one(what)
        if what == P:
            answer_warning(s, me)
        s[at.PHASE] = GOING_ON
    elif verb == to.GOLD_FOR:
        s[at.GOLD_LAID] += one(what)
        s[at.PAY_STEP] = to.GOLD_FOR_BIT + what
        s[at.PHASE] = SETTLING
    elif verb == to.PAY:
        pay(s, cards, me)
    elif verb == to.COLLECT:
        collect(s, me, what)
    elif verb == to.STEAL:
        s[me + at.TOKENS] += one(what)
        s[opponent(s) + at.TOKENS] -= one(what)
        s[at.PHASE] = GOING_ON
    elif verb == to.COLOR:
        color_joker(s, cards, me, what)
    elif verb == to.ROYAL:
        take_royal(s, cards, me, what)
    elif verb == to.CLAIM:
        end_game(s, 1 << s[at.SEAT], at.CLAIM_REASON)
    elif verb == to.PASS:
        s[at.PHASE] = GOING_ON
    else:
        apply_counterfeiters(s, cards, me, verb, what, rng, chance)

    if s[at.PHASE] == SETTLING:
        settle(s, cards, me)
    if s[at.PHASE] == GOING_ON:
        go_on(s, cards, me)


@routine
def apply_counterfeiters(
    s: Row, cards: Cards, me: int, verb: int, what: int, rng: Rng, chance: Chance
) -> None:
    """The decisions that only The Counterfeiters know."""
    s[at.PHASE], phase = GOING_ON, s[at.PHASE]
    if verb == to.DISCOUNT:
        s[at.PRICE] = discounted(s[at.PRICE], cards, what)
        s[at.PAY_STEP], s[at.PAY_USES] = after_discount(s, what)
        s[at.PHASE] = SETTLING
    elif verb == to.USE:
        glass = bribe(s, me) if what == to.C09 else 2 if what == to.C17 else 1
        start_paying(s, what, glass << GLASS_SHIFT, to.GOLD_FOR_BIT)
        s[at.IS_USE] = 1
    elif verb == to.DECK:
        look_at_deck(s, what)
    elif verb == to.KEEP:
        keep(s, me, what)
    elif verb == to.BOTTOM:
        if card_at(s, top_of(s, s[at.PEEK_DECK])) != what:
            put_under(s, s[at.PEEK_DECK], 1)
            put_under(s, s[at.PEEK_DECK], 0)
        else:
            put_under(s, s[at.PEEK_DECK], 0)
            put_under(s, s[at.PEEK_DECK], 0)
        s[at.PEEKED] = 0
        s[at.PEEK_DECK] = 0
    elif verb == to.COUNTERFEITER:
        take_from_row(s, what)
        gain_counterfeiter(s, cards, me, what)
    elif verb == to.COUNTERFEITER_DECK:
        card = draw_card(s, at.COUNTERFEITER_DECK)
        gain_counterfeiter(s, cards, me, card - at.FIRST_COUNTERFEITER)
    elif verb == to.DRAW:
        draw_from_bag(s, what, rng, chance)
        for i in range(what):
            s[me + at.TOKENS] += one(chance[1 + i])
    elif verb == to.DONE and phase == at.SECOND:
        s[at.PHASE] = at.TURN
    elif verb == to.DONE and phase == at.WINDOW:
        s[at.WINDOW_IS_PAST] = 1
    elif verb == to.DONE:
        stop_choosing(s)


# --- tokens and privileges ------------------------------------------------------------------------


@helper
def take_line(s: Row, me: int, line: int) -> None:
    """Take the tokens of a line; three alike or two pearls give the opponent a privilege."""
    taken = 0
    for kind in range(Y):
        cells = s[at.BOARD + kind] & line
        taken += popcount(cells) << (8 * kind)
        s[at.BOARD + kind] ^= cells
    s[me + at.TOKENS] += taken
    three_alike = taken & (taken >> 1) & LANES  # a count of 3 has both bits
    if three_alike or lane(taken, P) >= 2:
        take_privilege(s, opponent(s), me)
    s[at.PHASE] = GOING_ON


@helper
def kind_at(s: Row, cell: int) -> int:
    """The kind of the token on a cell."""
    kind = 0
    while s[at.BOARD + kind] & cell == 0:
        kind += 1
    return kind


@helper
def pick_up(s: Row, me: int, cell: int) -> int:
    """Take the token on a cell; gives its kind."""
    kind = kind_at(s, cell)
    s[at.BOARD + kind] ^= cell
    s[me + at.TOKENS] += one(kind)
    return kind


@helper
def take_privilege(s: Row, taker: int, other: int) -> None:
    """A privilege from the table; if none lies there, from the other; with all three, nothing."""
    if s[taker + at.PRIVILEGES] + s[other + at.PRIVILEGES] < at.PRIVILEGES_IN_ALL:
        s[taker + at.PRIVILEGES] += 1
    elif s[other + at.PRIVILEGES]:
        s[taker + at.PRIVILEGES] += 1
        s[other + at.PRIVILEGES] -= 1


@helper
def use_privilege(s: Row, cards: Cards, me: int, cell: int) -> None:
    """Return a privilege for a token; with C13 the turn's first one may take a second."""
    pick_up(s, me, cell)
    if s[at.PHASE] == at.SECOND:
        s[at.PHASE] = at.TURN
        return
    s[me + at.PRIVILEGES] -= 1
    if has(s[me + at.COUNTERFEITERS_HELD] & ~s[at.USED], to.C13):
        s[at.USED] |= 1 << to.C13
        if privilege_cells(s, cards, me, tokens_on_board(s)):
            s[at.PHASE] = at.SECOND


@helper
def draw_from_bag(s: Row, number: int, rng: Rng, chance: Chance) -> None:
    """Take tokens out of the bag: those that `chance` names, or random ones."""
    is_known = chance[0] > 0
    chance[0] = number
    for i in range(number):
        if not is_known:
            chance[1 + i] = nth_token(s[at.BAG], below(rng, total(s[at.BAG])))
        s[at.BAG] -= one(np.int64(chance[1 + i]))


@helper
def replenish(s: Row, rng: Rng, chance: Chance) -> None:
    """Lay tokens from the bag on the empty cells along the spiral."""
    empty = empty_cells(s)
    draw_from_bag(s, min(popcount(empty), total(s[at.BAG])), rng, chance)
    laid = 0
    for i in range(at.CELLS):
        cell = 1 << SPIRAL[i]
        if empty & cell and laid < chance[0]:
            laid += 1
            s[at.BOARD + chance[laid]] |= cell


# --- reserving ------------------------------------------------------------------------------------


@helper
def take_from_pyramid(s: Row, card: int) -> int:
    """Take a face-up card, if it is one; the gap stays until the end of the turn."""
    for slot in range(12):
        if s[at.SLOTS + slot] == card:
            s[at.SLOTS + slot] = at.EMPTY
            s[at.GAPS] |= 1 << slot
    return card


@helper
def reserve(s: Row, me: int, card: int) -> None:
    """Put a card into the reserve; with C15 another may follow."""
    into_reserve(s, me, card)
    s[at.RESERVES_LEFT] -= 1
    s[at.PHASE] = GOING_ON
    if s[at.RESERVES_LEFT] > 0:
        if can_reserve(s, me):
            s[at.PHASE] = at.RESERVE_MORE
        else:
            s[at.RESERVES_LEFT] = 0


@helper
def into_reserve(s: Row, me: int, card: int) -> None:
    """Add a card to the reserve."""
    s[me + at.RESERVED + s[me + at.RESERVED_COUNT]] = card
    s[me + at.RESERVED_COUNT] += 1


@helper
def take_from_reserve(s: Row, me: int, card: int) -> None:
    """Take a card out of the reserve, if it is there, and close the gap."""
    kept = 0
    for i in range(s[me + at.RESERVED_COUNT]):
        other = s[me + at.RESERVED + i]
        if other != card:
            s[me + at.RESERVED + kept] = other
            kept += 1
    if kept < s[me + at.RESERVED_COUNT]:
        s[me + at.RESERVED + kept] = at.EMPTY
        s[me + at.RESERVED_COUNT] = kept


# --- buying ---------------------------------------------------------------------------------------


@helper
def start_paying(s: Row, card: int, price: int, step: int) -> None:
    """A price has been named."""
    s[at.CARD] = card
    s[at.PRICE] = price
    s[at.PAY_STEP] = step
    s[at.PHASE] = SETTLING


@helper
def settle(s: Row, cards: Cards, me: int) -> None:
    """Pay, or ask how where there is something to choose."""
    if pay_menu(s, cards, me) & ~(1 << to.PAY_BIT):
        s[at.PHASE] = at.PAY
        if not s[at.IS_USE] and s[at.CARD] < at.JEWELS:
            add_card(s, at.KNOWN + 2 * at.EVERYONE, s[at.CARD])  # it has been named
    else:
        pay(s, cards, me)


@helper
def pay(s: Row, cards: Cards, me: int) -> None:
    """Spent tokens go to the bag; then comes what they were spent for."""
    spent = payment(s, s[me + at.TOKENS])
    s[me + at.TOKENS] -= spent
    s[at.BAG] += spent
    card = s[at.CARD]
    is_use = s[at.IS_USE]
    s[at.CARD] = at.EMPTY
    s[at.IS_USE] = 0
    s[at.PRICE] = 0
    s[at.GOLD_LAID] = 0
    s[at.PAY_STEP] = 0
    s[at.PAY_USES] = 0
    s[at.PHASE] = GOING_ON
    if is_use:
        use(s, me, card)
    elif card < at.JEWELS:
        gain_jewel(s, cards, me, card)
    else:
        take_from_row(s, card - at.FIRST_COUNTERFEITER)
        gain_counterfeiter(s, cards, me, card - at.FIRST_COUNTERFEITER)


@helper
def gain_jewel(s: Row, cards: Cards, me: int, card: int) -> None:
    """A bought card comes into the tableau, and its abilities work."""
    take_from_pyramid(s, card)
    take_from_reserve(s, me, card)
    forget(s, card)
    add_card(s, me + at.TABLEAU, card)
    color = cards[at.CARD_COLOR, card]
    points = cards[at.POINTS, card]
    s[me + at.BONUSES] += cards[at.BONUS, card]
    s[me + at.SCORE] += points
    if color < at.JOKER:
        s[me + at.SCORE_BY_COLOR] += points << (8 * color)
    gain_crowns(s, me, cards[at.CROWNS, card])
    use_ability(s, me, cards[at.ABILITY, card], color)
    if color == at.JOKER:
        s[at.CARD] = card
        s[at.PHASE] = at.COLOR


@helper
def color_joker(s: Row, cards: Cards, me: int, color: int) -> None:
    """A joker takes the color of a bonus already owned."""
    card = s[at.CARD]
    s[at.CARD] = at.EMPTY
    s[me + at.BONUSES] += one(color)
    s[me + at.SCORE_BY_COLOR] += cards[at.POINTS, card] << (8 * color)
    s[me + at.JOKER_COLORS] |= (color + 1) << (4 * joker_number(cards, card))
    s[at.PHASE] = GOING_ON


@helper
def joker_number(cards: Cards, card: int) -> int:
    """Which joker of the deck a card is, counted from 0."""
    if card < at.LEVEL_3:
        return popcount(cards[at.JOKERS, 0] & ((1 << card) - 1))
    before = cards[at.JOKERS, 1] & ((1 << (card - at.LEVEL_3)) - 1)
    return popcount(cards[at.JOKERS, 0]) + popcount(before)


@helper
def gain_crowns(s: Row, me: int, crowns: int) -> None:
    """A royal is due on reaching 3 crowns, and again on reaching 6."""
    before = s[me + at.CROWNS_HELD]
    after = before + crowns
    s[me + at.CROWNS_HELD] = after
    s[at.ROYALS_DUE] += np.int64(before < 3 <= after) + np.int64(before < 6 <= after)


# --- abilities of jewels and royals ---------------------------------------------------------------


@helper
def use_ability(s: Row, me: int, ability: int, color: int) -> None:
    """What a jewel or royal does when it is taken; enters the phase that chooses, if any."""
    if ability == at.TAKES_TOKEN:
        s[at.COLLECT_COLOR] = color
        if has(s[me + at.COUNTERFEITERS_HELD], to.C16):
            start_collecting(s, ability, ALL_BUT_GOLD, 2)
        else:
            start_collecting(s, ability, 1 << color, 1)
    elif ability == at.STEALS:
        if stealable(s):
            s[at.PHASE] = at.STEAL
    elif ability == at.TAKES_PRIVILEGE:
        take_privilege(s, me, opponent(s))
    elif ability == at.GOES_AGAIN:
        s[at.AGAIN] = 1
    elif ability != 0:
        use_new_ability(s, me, ability)


@routine
def use_new_ability(s: Row, me: int, ability: int) -> None:
    """Those of royals R5 to R12."""
    if ability == at.RESERVES:
        if can_reserve(s, me):
            s[at.RESERVES_LEFT] = 1
            s[at.PHASE] = at.RESERVE
    elif ability == at.TAKES_FOUR_ALIKE:
        start_collecting(s, ability, ALL_BUT_GOLD, 4)
    elif ability == at.TAKES_THREE:
        start_collecting(s, ability, ALL_BUT_GOLD, 3)
    elif ability == at.TAKES_GOLD:
        start_collecting(s, ability, 1 << Y, 1)
    elif ability == at.TAKES_COUNTERFEITER:
        if counterfeiter_menu(s):
            s[at.PHASE] = at.COUNTERFEITER
    elif ability == at.DRAWS_FROM_BAG and s[at.BAG]:
        s[at.PHASE] = at.DRAW


@helper
def start_collecting(s: Row, ability: int, kinds: int, number: int) -> None:
    """Up to a number of tokens of certain kinds come from the board, if it holds one."""
    if collectable(s, kinds):
        s[at.COLLECT_ABILITY] = ability
        s[at.COLLECT_KINDS] = kinds
        s[at.COLLECTS_LEFT] = number
        s[at.PHASE] = at.COLLECT


@helper
def collect(s: Row, me: int, cell: int) -> None:
    """Take a token from the board; another may follow."""
    kind = pick_up(s, me, cell)
    ability = s[at.COLLECT_ABILITY]
    s[at.COLLECTS_LEFT] -= 1
    if ability == at.TAKES_FOUR_ALIKE:
        s[at.COLLECT_KINDS] = 1 << kind
    elif ability == at.TAKES_TOKEN:  # C16: two only of the card's color
        s[at.COLLECT_KINDS] = 1 << kind if kind == s[at.COLLECT_COLOR] else 0
    if s[at.COLLECTS_LEFT] and collectable(s, s[at.COLLECT_KINDS]):
        s[at.PHASE] = at.COLLECT_MORE
    else:
        stop_choosing(s)


@helper
def stop_choosing(s: Row) -> None:
    """No more is collected or reserved; the turn goes on."""
    s[at.COLLECT_ABILITY] = 0
    s[at.COLLECT_KINDS] = 0
    s[at.COLLECT_COLOR] = 0
    s[at.COLLECTS_LEFT] = 0
    s[at.RESERVES_LEFT] = 0
    s[at.PHASE] = GOING_ON


@helper
def take_royal(s: Row, cards: Cards, me: int, royal: int) -> None:
    """Take a royal, for crowns or as a bribe; only a bribed one is replaced."""
    s[at.FACE_UP_ROYALS] ^= 1 << royal
    s[me + at.ROYALS_HELD] |= 1 << royal
    s[me + at.SCORE] += cards[at.POINTS, at.FIRST_ROYAL + royal]
    if s[at.IS_BRIBE]:
        s[at.IS_BRIBE] = 0
        if s[at.DECK_SIZES + at.ROYAL_DECK]:
            s[at.FACE_UP_ROYALS] |= 1 << draw_card(s, at.ROYAL_DECK)
    else:
        s[at.ROYALS_DUE] -= 1
    s[at.PHASE] = GOING_ON
    use_ability(s, me, cards[at.ABILITY, at.FIRST_ROYAL + royal], at.COLORLESS)


# --- Counterfeiters -------------------------------------------------------------------------------


@helper
def take_from_row(s: Row, number: int) -> None:
    """Take a face-up Counterfeiter; the gap stays until the end of the turn."""
    for slot in range(12, 15):
        if s[at.SLOTS + slot] == at.FIRST_COUNTERFEITER + number:
            s[at.SLOTS + slot] = at.EMPTY
            s[at.GAPS] |= 1 << slot


@helper
def gain_counterfeiter(s: Row, cards: Cards, me: int, number: int) -> None:
    """A Counterfeiter works from the moment it is owned; crowns count at once."""
    s[me + at.COUNTERFEITERS_HELD] |= 1 << number
    if number <= to.C08:
        s[me + at.DISCOUNTS] = discounts_left(s, cards, me, 0, 0)
    gain_crowns(s, me, cards[at.CROWNS, at.FIRST_COUNTERFEITER + number])


@helper
def use(s: Row, me: int, card: int) -> None:
    """The effect of a Counterfeiter in the window, its glassware being paid."""
    s[at.USED] |= 1 << card
    if card == to.C09:
        s[at.IS_BRIBE] = 1
        s[at.PHASE] = at.ROYAL
    elif card == to.C10:
        s[me + at.PRIVILEGES] -= 1
        s[at.AGAIN] = 1
    elif card == to.C11:
        s[me + at.PRIVILEGES] -= 1
        s[at.PHASE] = at.STEAL
    else:
        s[at.PHASE] = at.DECK


@helper
def look_at_deck(s: Row, deck: int) -> None:
    """C17: its user sees the top three; whatever the opponent knew of these places is over."""
    s[at.PEEK_DECK] = deck
    s[at.PEEKED] = min(s[at.DECK_SIZES + deck], 3)
    top = top_of(s, deck)
    for place in range(top, top + s[at.PEEKED]):
        add_card(s, at.KNOWN + 2 * s[at.SEAT], card_at(s, place))
        remove_card(s, at.KNOWN + 2 * (1 - s[at.SEAT]), card_at(s, place))
    s[at.PHASE] = at.KEEP


@helper
def keep(s: Row, me: int, card: int) -> None:
    """C17: one card into the reserve; of the others, two are put in order, one goes under."""
    deck = s[at.PEEK_DECK]
    place = top_of(s, deck)
    carried = card_at(s, place)
    while carried != card:  # the cards above it move down by one
        place += 1
        below_it = card_at(s, place)
        lay_card(s, place, carried)
        carried = below_it
    draw_card(s, deck)
    remove_card(s, at.KNOWN + 2 * s[at.SEAT], card)
    into_reserve(s, me, card)
    s[at.PEEKED] -= 1
    if s[at.PEEKED] == 2:
        s[at.PHASE] = at.BOTTOM
        return
    if s[at.PEEKED] == 1:
        put_under(s, deck, 0)
    s[at.PEEKED] = 0
    s[at.PEEK_DECK] = 0


@helper
def put_under(s: Row, deck: int, depth: int) -> None:
    """Move the card that lies `depth` below the top to the bottom of its deck."""
    place = top_of(s, deck) + depth
    card = card_at(s, place)
    while place + 1 < DECK_ENDS[deck]:
        lay_card(s, place, card_at(s, place + 1))
        place += 1
    lay_card(s, place, card)


# === what follows =================================================================================


@helper
def go_on(s: Row, cards: Cards, me: int) -> None:
    """After the mandatory action and whatever it caused: royals, window, discard, end of turn."""
    if s[at.ROYALS_DUE]:
        if s[at.FACE_UP_ROYALS]:
            s[at.PHASE] = at.ROYAL
            return
        s[at.ROYALS_DUE] = 0
    if s[at.WITH_COUNTERFEITERS] and not s[at.WINDOW_IS_PAST]:
        if usable(s, me):
            s[at.PHASE] = at.WINDOW
            return
        s[at.WINDOW_IS_PAST] = 1
    if total(s[me + at.TOKENS] & ~uncounted(s, me)) > at.TOKEN_LIMIT:
        s[at.PHASE] = at.DISCARD
        return
    end_turn(s, me)


@helper
def end_turn(s: Row, me: int) -> None:
    """Refill, victory, limit, and whose turn is next."""
    refill(s)
    s[at.TURNS] += 1
    reason = victory(s, me)
    if reason:
        end_game(s, 1 << s[at.SEAT], reason)
    elif s[at.TURNS] >= at.MOST_TURNS:
        end_game(s, 0, at.LIMIT_REASON)
    else:
        if not s[at.AGAIN]:
            s[at.SEAT] = 1 - s[at.SEAT]
        begin_turn(s)


@helper
def refill(s: Row) -> None:
    """Gaps in the pyramid and the Counterfeiter row are filled from their decks."""
    while s[at.GAPS]:
        slot = lowest(s[at.GAPS])
        s[at.GAPS] &= s[at.GAPS] - 1
        card = draw_card(s, SLOT_DECKS[slot])
        s[at.SLOTS + slot] = card
        forget(s, card)


@helper
def victory(s: Row, me: int) -> int:
    """Why the player to move wins, the first reason that holds; 0 if none does."""
    royals = s[me + at.ROYALS_HELD]
    color_goal = 9 if has(royals, R6) else 10
    if s[me + at.SCORE] >= 20:
        return at.POINTS_REASON
    if s[me + at.CROWNS_HELD] >= (9 if has(royals, R7) else 10):
        return at.CROWNS_REASON
    for color in range(5):
        if lane(s[me + at.SCORE_BY_COLOR], color) >= color_goal:
            return at.COLOR_REASON
    return 0


@helper
def end_game(s: Row, winners: int, reason: int) -> None:
    """The game is over."""
    s[at.PHASE] = at.OVER
    s[at.WINNERS] = winners
    s[at.REASON] = reason


@helper
def begin_turn(s: Row) -> None:
    """A new turn of the seat to move, an extra one too."""
    s[at.PHASE] = at.TURN
    s[at.REPLENISHED] = 0
    s[at.AGAIN] = 0
    s[at.USED] = 0
    s[at.WINDOW_IS_PAST] = 0
    if s[at.ANTI_BLOCKING]:
        watch_for_blocking(s, mover(s), opponent(s))


# --- the option "anti-blocking" -------------------------------------------------------------------


@routine
def watch_for_blocking(s: Row, me: int, them: int) -> None:
    """Count turns begun with all gold and pearls; an unanswered warning may be claimed."""
    s[at.CLAIMABLE] = s[them + at.IS_WARNED]
    s[them + at.IS_WARNED] = 0
    if s[me + at.TOKENS] & PEARL_AND_GOLD_LANES == ALL_PEARLS_AND_GOLD:
        s[me + at.BLOCKED_TURNS] += 1
    else:
        s[me + at.BLOCKED_TURNS] = 0
    if s[me + at.BLOCKED_TURNS] >= 3:
        s[me + at.IS_WARNED] = 1


@helper
def answer_warning(s: Row, me: int) -> None:
    """Buying a card or discarding a pearl answers the warning."""
    s[me + at.IS_WARNED] = 0


# === hidden information ===========================================================================


@helper
def forget(s: Row, card: int) -> None:
    """A card has come into the open: nobody needs to remember where it lies."""
    if card < at.JEWELS:
        for viewer in range(3):
            remove_card(s, at.KNOWN + 2 * viewer, card)


@kernel
def hide(s: Row, viewer: int) -> None:
    """Turn a state into what a seat, or EVERYONE, knows of it: other cards become UNKNOWN."""
    for deck in range(at.DECKS):
        for place in range(top_of(s, deck), DECK_ENDS[deck]):
            if deck >= 3 or not is_known(s, card_at(s, place), viewer):
                lay_card(s, place, at.UNKNOWN + deck)
    for seat in range(2):
        if seat != viewer:
            them = at.SEATS + seat * at.SEAT_WORDS
            for i in range(s[them + at.RESERVED_COUNT]):
                card = s[them + at.RESERVED + i]
                if not is_known(s, card, viewer):
                    s[them + at.RESERVED + i] = at.UNKNOWN + level_of(card)
            s[at.KNOWN + 2 * seat] = 0
            s[at.KNOWN + 2 * seat + 1] = 0


@helper
def is_known(s: Row, card: int, viewer: int) -> bool:
    """Whether a viewer knows where a card in a deck or a reserve lies."""
    return has_card(s, at.KNOWN + 2 * at.EVERYONE, card) or has_card(
        s, at.KNOWN + 2 * viewer, card
    )


@kernel
def determinize(s: Row, rng: Rng) -> None:
    """Turn a view into a full state: each way to place the unseen cards is equally likely."""
    fill_unknown(s, rng)


@helper
def fill_unknown(s: Row, rng: Rng) -> None:
    """Put a random unseen card in the place of each unknown one."""
    low, high, counterfeiters, royals = unseen(s)
    for deck in range(at.DECKS):
        for place in range(top_of(s, deck), DECK_ENDS[deck]):
            if card_at(s, place) != at.UNKNOWN + deck:
                continue
            if deck < 2:
                card = draw_unseen(level_part(low, deck), rng)
                low ^= 1 << card
            elif deck == 2:
                card = draw_unseen(high, rng)
                high ^= 1 << card
                card += at.LEVEL_3
            elif deck == at.COUNTERFEITER_DECK:
                card = draw_unseen(counterfeiters, rng)
                counterfeiters ^= 1 << card
                card += at.FIRST_COUNTERFEITER
            else:
                card = draw_unseen(royals, rng)
                royals ^= 1 << card
            lay_card(s, place, card)
    for seat in range(2):
        them = at.SEATS + seat * at.SEAT_WORDS
        for i in range(s[them + at.RESERVED_COUNT]):
            level = s[them + at.RESERVED + i] - at.UNKNOWN
            if level >= 0:
                if level < 2:
                    card = draw_unseen(level_part(low, level), rng)
                    low ^= 1 << card
                else:
                    card = draw_unseen(high, rng)
                    high ^= 1 << card
                    card += at.LEVEL_3
                s[them + at.RESERVED + i] = card


@helper
def draw_unseen(cards_left: int, rng: Rng) -> int:
    """A random member of a set."""
    return nth(cards_left, below(rng, popcount(cards_left)))


@helper
def level_part(low: int, level: int) -> int:
    """The cards of level 1 or 2 in the low word of a set."""
    level_1 = (1 << at.LEVEL_2) - 1
    return low & level_1 if level == 0 else low & ~level_1


@helper
def unseen(s: Row) -> tuple[int, int, int, int]:
    """The cards that stand nowhere in the row: jewels in two words, Counterfeiters, royals."""
    low = (1 << at.LEVEL_3) - 1
    high = (1 << (at.JEWELS - at.LEVEL_3)) - 1
    counterfeiters = (1 << at.COUNTERFEITERS) - 1
    royals = ((1 << at.ROYALS) - 1) & ~s[at.FACE_UP_ROYALS]
    for slot in range(12):
        low, high = without(low, high, s[at.SLOTS + slot])
    for slot in range(3):
        card = s[at.COUNTERFEITER_ROW + slot]
        if card < at.EMPTY:
            counterfeiters &= ~(1 << (card - at.FIRST_COUNTERFEITER))
    for seat in range(2):
        them = at.SEATS + seat * at.SEAT_WORDS
        low &= ~s[them + at.TABLEAU]
        high &= ~s[them + at.TABLEAU + 1]
        counterfeiters &= ~s[them + at.COUNTERFEITERS_HELD]
        royals &= ~s[them + at.ROYALS_HELD]
        for i in range(s[them + at.RESERVED_COUNT]):
            low, high = without(low, high, s[them + at.RESERVED + i])
    for deck in range(3):
        for place in range(top_of(s, deck), DECK_ENDS[deck]):
            low, high = without(low, high, card_at(s, place))
    return low, high, counterfeiters, royals


@helper
def without(low: int, high: int, card: int) -> tuple[int, int]:
    """A set of jewels without one card, if it is a jewel."""
    if card < at.LEVEL_3:
        return low & ~(1 << card), high
    if card < at.JEWELS:
        return low, high & ~(1 << (card - at.LEVEL_3))
    return low, high


# === many decisions in one call ===================================================================


@helper
def nth_decision(s: Row, menu: Menu, n: int) -> int:
    """The n-th decision of the menu."""
    phase = s[at.PHASE]
    word = 0
    if phase == at.TURN:
        passed = 0
        counted = 0
        for i in range(to.OTHERS_WORD):  # without branches: they would be guessed wrong
            counted += popcount(menu[i])
            is_past = n >= counted
            word += np.int64(is_past)
            passed = counted if is_past else passed
        n -= passed
    elif n >= popcount(menu[0]):
        n -= popcount(menu[0])
        word = 1
    return decision_at(s, phase, 64 * word + nth(menu[word], n))


@helper
def decision_at(s: Row, phase: int, bit: int) -> int:
    """The decision that a bit of the phase's menu stands for."""
    decision = np.int64(to.DECISION_AT[phase & to.PHASE_MASK, bit])
    if decision < 0:  # a place: it depends on the card there
        place = -1 - decision
        if phase != at.TURN:
            return to.FIRST_RESERVE + s[at.SLOTS + place]
        card = card_in(s, mover(s), place)
        return to.FIRST_BUY + card if card < at.JEWELS else to.FIRST_BUY_COUNTERFEITER + card
    return decision


@kernel
def choose(s: Row, cards: Cards, rng: Rng, menu: Menu) -> int:
    """A legal decision, each equally likely."""
    number = legal(s, cards, menu)
    return nth_decision(s, menu, below(rng, number))


@kernel
def playout(s: Row, cards: Cards, rng: Rng, menu: Menu, chance: Chance) -> int:
    """Play to the end with random decisions; gives their number."""
    decisions = 0
    while s[at.PHASE] != at.OVER:
        decision = choose(s, cards, rng, menu)
        chance[0] = 0
        apply(s, cards, decision, rng, chance)
        decisions += 1
    return decisions
