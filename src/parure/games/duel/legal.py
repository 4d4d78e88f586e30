"""What is legal in each phase of Duel: the menus."""

from __future__ import annotations

from parure.games.duel import decisions as to
from parure.games.duel import layout as at
from parure.games.duel.card_table import NO_CARD
from parure.games.duel.geometry import ALL_CELLS, NOT_FIRST_COLUMN, NOT_LAST_COLUMN
from parure.games.duel.paying import (
    gold_needed,
    least_gold,
    most_lacking,
    most_off,
    most_off_any,
    pay_menu,
    price_of,
)
from parure.games.duel.row_access import (
    add_card,
    card_at,
    kind_at,
    mover,
    opponent,
    tokens_on_board,
    top_of,
)
from parure.games.engine.arrays import Cards, Menu, Row
from parure.games.engine.bits import (
    GLASS_SHIFT,
    NO_GOLD,
    as_int,
    count_of,
    gold_in,
    has,
    kinds_in,
    lowest,
    one,
    popcount,
    total,
)
from parure.games.engine.card_storage import CARD_MASK, number_of
from parure.games.engine.jit import helper, kernel, routine
from parure.games.engine.simd import other_than, payable
from parure.games.engine.tokens import V, Y


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
    return face_up(s) != 0


@helper
def face_up(s: Row) -> int:
    """The slots of the pyramid that hold a card."""
    return other_than(s, at.SLOTS, at.PYRAMID_SLOTS, NO_CARD)


@helper
def reserve_limit(s: Row, me: int) -> int:
    """How many cards a seat may hold in reserve."""
    if has(s[me + at.COUNTERFEITERS_HELD], to.C15):
        return at.MAX_RESERVED
    return at.RESERVE_LIMIT


@helper
def buyable(s: Row, cards: Cards, me: int, purse: int) -> int:
    """The places whose card a purse can pay for: pyramid, reserve, Counterfeiter row."""
    wealth = s[me + at.BONUSES] + (purse & NO_GOLD)
    gold = gold_in(purse)
    if s[at.WITH_COUNTERFEITERS]:
        places = within_reach(s, cards, me, wealth, gold)
        if s[me + at.DISCOUNTS] and count_of(purse, V) + gold > 0:
            places = with_discounts(s, cards, me, purse, places)
    else:
        places = payable(s, at.SLOTS, at.PYRAMID_SLOTS, wealth, gold)
        places |= payable(s, me + at.RESERVED, at.RESERVE_LIMIT, wealth, gold) << to.RESERVE_PLACE
    if s[me + at.BONUSES] == 0 and places:
        return without_jokers(s, cards, me, places)
    return places


@helper
def within_reach(s: Row, cards: Cards, me: int, wealth: int, gold: int) -> int:
    """The same without discounts, for certain wealth and gold, with The Counterfeiters."""
    places = payable(s, at.SLOTS, at.PYRAMID_SLOTS, wealth, gold)
    places |= payable(s, me + at.RESERVED, at.MAX_RESERVED, wealth, gold) << to.RESERVE_PLACE
    return places | payable_row(s, cards, wealth, gold) << to.ROW_PLACE


@helper
def payable_row(s: Row, cards: Cards, wealth: int, gold: int) -> int:
    """Which cards of the Counterfeiter row these pay for: a price there may name gold."""
    places = 0
    for i in range(3):
        cost = cards[at.COST, number_of(s[at.COUNTERFEITER_ROW + i]) & CARD_MASK]
        places |= as_int(gold_needed(cost, wealth) <= gold) << i
    return places


@helper
def card_in(s: Row, me: int, place: int) -> int:
    """The card in a place that `buyable` counts."""
    if place < to.RESERVE_PLACE:
        return number_of(s[at.SLOTS + place])
    if place < to.ROW_PLACE:
        return number_of(s[me + at.RESERVED + place - to.RESERVE_PLACE])
    return number_of(s[at.COUNTERFEITER_ROW + place - to.ROW_PLACE])


@routine
def without_jokers(s: Row, cards: Cards, me: int, places: int) -> int:
    """Some places without those that hold a joker."""
    left = places
    while left:
        place = lowest(left)
        left &= left - 1
        if cards[at.CARD_COLOR, card_in(s, me, place)] == at.JOKER:
            places ^= 1 << place
    return places


@routine
def with_discounts(s: Row, cards: Cards, me: int, purse: int, places: int) -> int:
    """Places, and those that a purse can pay for with discounts only."""
    discounts = s[me + at.DISCOUNTS]
    wealth = s[me + at.BONUSES] + (purse & NO_GOLD)
    with_all = wealth + most_off(discounts), gold_in(purse) + most_off_any(discounts)
    near = within_reach(s, cards, me, *with_all)  # if glassware cost nothing
    near &= within_reach(s, cards, me, wealth, most_lacking(purse)) & ~places
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
    menu |= face_up(s)
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
    glass = count_of(purse, V) + gold_in(purse)
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
        card = number_of(s[at.COUNTERFEITER_ROW + slot])
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
