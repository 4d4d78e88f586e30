"""What is legal in each phase of Duel: the menus."""

from __future__ import annotations

from parure.games.duel import decisions, layout
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
    top_index,
)
from parure.games.engine.arrays import Cards, Menu, Row
from parure.games.engine.bits import (
    GLASS_SHIFT,
    NON_GOLD_LANES,
    as_int,
    count_of,
    gold_in,
    has_bit,
    kinds_in,
    lane_sum,
    lowest_bit,
    one_of,
    popcount,
)
from parure.games.engine.card_storage import CARD_MASK, card_number
from parure.games.engine.jit import inlined, kernel, outlined
from parure.games.engine.simd import find_affordable, find_different
from parure.games.engine.tokens import V, Y


@kernel
def legal(s: Row, cards: Cards, menu: Menu) -> int:
    """Write the legal decisions into the menu of the phase; gives how many there are."""
    phase = s[layout.PHASE]
    if phase == layout.TURN:
        return turn_menu(s, cards, menu)
    menu[0] = small_menu(s, cards, phase)
    if phase == layout.KEEP or phase == layout.BOTTOM:
        peek_menu(s, menu)
        return popcount(menu[0]) + popcount(menu[1])
    return popcount(menu[0])


@inlined
def turn_menu(s: Row, cards: Cards, menu: Menu) -> int:
    """Phase `turn`."""
    me = mover(s)
    tokens = tokens_on_board(s)
    line_menu(tokens, menu)
    if s[me + layout.PRIVILEGES] and not s[layout.REPLENISHED]:
        menu[decisions.PRIVILEGE_WORD] |= (
            privilege_cells(s, cards, me, tokens) << decisions.UPPER_HALF
        )
    others = buyable(s, cards, me, s[me + layout.TOKENS]) << decisions.BUY_BIT
    if can_reserve(s, me):
        others |= s[layout.BOARD + Y]
    if not s[layout.REPLENISHED] and s[layout.BAG] and (tokens | s[layout.BOARD + Y]) != ALL_CELLS:
        others |= 1 << decisions.REPLENISH_BIT
    if tokens == 0 and others == 0:
        others |= 1 << decisions.PASS_BIT
    if s[layout.CLAIMABLE]:
        others |= 1 << decisions.CLAIM_BIT
    menu[decisions.OTHERS_WORD] = others
    number = 0
    for word in range(decisions.OTHERS_WORD + 1):
        number += popcount(menu[word])
    return number


@inlined
def line_menu(tokens: int, menu: Menu) -> None:
    """All lines of 1, 2 and 3 adjacent tokens, by their first cells."""
    across = tokens & (tokens >> 1) & NOT_LAST_COLUMN
    down = tokens & (tokens >> 5)
    down_right = tokens & (tokens >> 6) & NOT_LAST_COLUMN
    down_left = tokens & (tokens >> 4) & NOT_FIRST_COLUMN
    menu[0] = tokens | across << decisions.UPPER_HALF
    menu[1] = down | down_right << decisions.UPPER_HALF
    menu[2] = down_left | (across & (across >> 1)) << decisions.UPPER_HALF
    menu[3] = (down & (down >> 5)) | (down_right & (down_right >> 6)) << decisions.UPPER_HALF
    menu[4] = down_left & (down_left >> 4)


@inlined
def privilege_cells(s: Row, cards: Cards, me: int, tokens: int) -> int:
    """The cells a privilege may take from: a mandatory action or a replenish must stay possible."""
    if s[layout.BAG] or tokens & (tokens - 1):
        return tokens
    return last_token(s, cards, me, tokens)


@outlined
def last_token(s: Row, cards: Cards, me: int, token: int) -> int:
    """The cell of the last token on the board, if an action is possible without it."""
    if token == 0 or (s[layout.BOARD + Y] and can_reserve(s, me)):
        return token
    purse = s[me + layout.TOKENS] + one_of(kind_at(s, token))
    return token if buyable(s, cards, me, purse) else 0


@inlined
def can_reserve(s: Row, me: int) -> bool:
    """Whether there is room in the reserve, and a card for it."""
    if s[me + layout.RESERVED_COUNT] >= reserve_limit(s, me):
        return False
    if s[layout.DECK_SIZES] or s[layout.DECK_SIZES + 1] or s[layout.DECK_SIZES + 2]:
        return True
    return face_up(s) != 0


@inlined
def face_up(s: Row) -> int:
    """The slots of the pyramid that hold a card."""
    return find_different(s, layout.SLOTS, layout.PYRAMID_SLOTS, NO_CARD)


@inlined
def reserve_limit(s: Row, me: int) -> int:
    """How many cards a seat may hold in reserve."""
    if has_bit(s[me + layout.COUNTERFEITERS_HELD], decisions.C15):
        return layout.MAX_RESERVED
    return layout.RESERVE_LIMIT


@inlined
def buyable(s: Row, cards: Cards, me: int, purse: int) -> int:
    """The places whose card a purse can pay for: pyramid, reserve, Counterfeiter row."""
    wealth = s[me + layout.BONUSES] + (purse & NON_GOLD_LANES)
    gold = gold_in(purse)
    if s[layout.WITH_COUNTERFEITERS]:
        places = within_reach(s, cards, me, wealth, gold)
        if s[me + layout.DISCOUNTS] and count_of(purse, V) + gold > 0:
            places = with_discounts(s, cards, me, purse, places)
    else:
        places = find_affordable(s, layout.SLOTS, layout.PYRAMID_SLOTS, wealth, gold)
        places |= (
            find_affordable(s, me + layout.RESERVED, layout.RESERVE_LIMIT, wealth, gold)
            << decisions.RESERVE_PLACE
        )
    if s[me + layout.BONUSES] == 0 and places:
        return without_jokers(s, cards, me, places)
    return places


@inlined
def within_reach(s: Row, cards: Cards, me: int, wealth: int, gold: int) -> int:
    """The same without discounts, for certain wealth and gold, with The Counterfeiters."""
    places = find_affordable(s, layout.SLOTS, layout.PYRAMID_SLOTS, wealth, gold)
    places |= (
        find_affordable(s, me + layout.RESERVED, layout.MAX_RESERVED, wealth, gold)
        << decisions.RESERVE_PLACE
    )
    return places | payable_row(s, cards, wealth, gold) << decisions.ROW_PLACE


@inlined
def payable_row(s: Row, cards: Cards, wealth: int, gold: int) -> int:
    """Which cards of the Counterfeiter row these pay for: a price there may name gold."""
    places = 0
    for i in range(3):
        cost = cards[layout.COST, card_number(s[layout.COUNTERFEITER_ROW + i]) & CARD_MASK]
        places |= as_int(gold_needed(cost, wealth) <= gold) << i
    return places


@inlined
def card_in(s: Row, me: int, place: int) -> int:
    """The card in a place that `buyable` counts."""
    if place < decisions.RESERVE_PLACE:
        return card_number(s[layout.SLOTS + place])
    if place < decisions.ROW_PLACE:
        return card_number(s[me + layout.RESERVED + place - decisions.RESERVE_PLACE])
    return card_number(s[layout.COUNTERFEITER_ROW + place - decisions.ROW_PLACE])


@outlined
def without_jokers(s: Row, cards: Cards, me: int, places: int) -> int:
    """Some places without those that hold a joker."""
    left = places
    while left:
        place = lowest_bit(left)
        left &= left - 1
        if cards[layout.CARD_COLOR, card_in(s, me, place)] == layout.JOKER:
            places ^= 1 << place
    return places


@outlined
def with_discounts(s: Row, cards: Cards, me: int, purse: int, places: int) -> int:
    """Places, and those that a purse can pay for with discounts only."""
    discounts = s[me + layout.DISCOUNTS]
    wealth = s[me + layout.BONUSES] + (purse & NON_GOLD_LANES)
    with_all = wealth + most_off(discounts), gold_in(purse) + most_off_any(discounts)
    near = within_reach(s, cards, me, *with_all)  # if glassware cost nothing
    near &= within_reach(s, cards, me, wealth, most_lacking(purse)) & ~places
    while near:
        place = lowest_bit(near)
        near &= near - 1
        price = price_of(cards, card_in(s, me, place), s[me + layout.BONUSES])
        if least_gold(price, purse, discounts) <= gold_in(purse):
            places |= 1 << place
    return places


@inlined
def reserve_menu(s: Row) -> int:
    """Phases `reserve` and `reserve-more`: face-up cards and decks."""
    menu = decks_left(s) << decisions.DECK_BIT
    menu |= face_up(s)
    if s[layout.PHASE] == layout.RESERVE_MORE:
        menu |= 1 << decisions.DONE_BIT
    return menu


@inlined
def small_menu(s: Row, cards: Cards, phase: int) -> int:
    """The phases whose menu is a single word."""
    me = mover(s)
    if phase == layout.DISCARD:
        return kinds_in(s[me + layout.TOKENS] & ~uncounted(s, me))
    if phase == layout.RESERVE or phase == layout.RESERVE_MORE:
        return reserve_menu(s)
    if phase == layout.PAY:
        return pay_menu(s, cards, me)
    if phase == layout.COLOR:
        return kinds_in(s[me + layout.BONUSES])
    if phase == layout.COLLECT or phase == layout.COLLECT_MORE:
        return collect_menu(s)
    if phase == layout.STEAL:
        return stealable(s)
    if phase == layout.ROYAL:
        return s[layout.FACE_UP_ROYALS]
    if phase == layout.SECOND:
        return privilege_cells(s, cards, me, tokens_on_board(s)) | 1 << decisions.DONE_BIT
    if phase == layout.WINDOW:
        return usable(s, me) | 1 << decisions.DONE_BIT
    if phase == layout.COUNTERFEITER:
        return counterfeiter_menu(s)
    if phase == layout.DRAW:
        return (2 << min(lane_sum(s[layout.BAG]), 2)) - 1
    if phase == layout.DECK:
        return decks_left(s)
    return 0


@inlined
def collect_menu(s: Row) -> int:
    """The cells that may be collected from, and `done` where it is offered."""
    cells = collectable(s, s[layout.COLLECT_KINDS])
    ability = s[layout.COLLECT_ABILITY]
    may_refuse = ability == layout.TAKES_FOUR_ALIKE or ability == layout.TAKES_THREE
    if may_refuse or s[layout.PHASE] == layout.COLLECT_MORE:
        return cells | 1 << decisions.DONE_BIT
    return cells


@inlined
def collectable(s: Row, kinds: int) -> int:
    """The cells that hold a token of certain kinds."""
    cells = 0
    for kind in range(8):
        if has_bit(kinds, kind):
            cells |= s[layout.BOARD + kind]
    return cells


@inlined
def stealable(s: Row) -> int:
    """The kinds that can be stolen from the opponent: any but gold."""
    return kinds_in(s[opponent(s) + layout.TOKENS] & NON_GOLD_LANES)


@inlined
def uncounted(s: Row, me: int) -> int:
    """The lane of tokens that do not count toward the ten, if there is one: C12's glassware."""
    return 0xFF << GLASS_SHIFT if has_bit(s[me + layout.COUNTERFEITERS_HELD], decisions.C12) else 0


@inlined
def usable(s: Row, me: int) -> int:
    """The Counterfeiters that may be used in the window now."""
    unused = s[me + layout.COUNTERFEITERS_HELD] & ~s[layout.USED]
    purse = s[me + layout.TOKENS]
    glass = count_of(purse, V) + gold_in(purse)
    menu = 0
    if has_bit(unused, decisions.C09) and s[layout.FACE_UP_ROYALS] and glass >= bribe(s, me):
        menu |= 1 << decisions.C09
    if glass >= 1 and s[me + layout.PRIVILEGES]:
        if has_bit(unused, decisions.C10) and not s[layout.AGAIN]:
            menu |= 1 << decisions.C10
        if has_bit(unused, decisions.C11) and stealable(s):
            menu |= 1 << decisions.C11
    has_room = s[me + layout.RESERVED_COUNT] < reserve_limit(s, me)
    if has_bit(unused, decisions.C17) and glass >= 2 and has_room and decks_left(s):
        menu |= 1 << decisions.C17
    return menu


@inlined
def bribe(s: Row, me: int) -> int:
    """What C09 costs in glassware."""
    return 1 + popcount(s[me + layout.ROYALS_HELD])


@inlined
def decks_left(s: Row) -> int:
    """The jewel decks that are not empty."""
    left = 0
    for deck in range(3):
        if s[layout.DECK_SIZES + deck]:
            left |= 1 << deck
    return left


@inlined
def counterfeiter_menu(s: Row) -> int:
    """The Counterfeiters that a royal may bring."""
    menu = 0
    for slot in range(3):
        card = card_number(s[layout.COUNTERFEITER_ROW + slot])
        if card != layout.EMPTY:
            menu |= 1 << (card - layout.FIRST_COUNTERFEITER)
    if s[layout.DECK_SIZES + layout.COUNTERFEITER_DECK]:
        menu |= 1 << decisions.COUNTERFEITER_DECK_BIT
    return menu


@inlined
def peek_menu(s: Row, menu: Menu) -> None:
    """Phases `keep` and `bottom`: the cards that are being looked at."""
    menu[1] = 0
    top = top_index(s, s[layout.PEEK_DECK])
    for place in range(top, top + s[layout.PEEKED]):
        add_card(menu, 0, card_at(s, place))
