"""The legal decisions in each phase of Duel, written as menus.

The order is that of docs/rules/duel.md, "A turn" and of the phases that follow. Functions take the
state `s`, the card table `cards` and the offset `me` of the seat to move.
"""

from __future__ import annotations

from parure.games.duel import decisions, layout
from parure.games.duel.card_table import NO_CARD
from parure.games.duel.geometry import ALL_CELLS, NOT_FIRST_COLUMN, NOT_LAST_COLUMN
from parure.games.duel.paying import (
    least_gold,
    max_lack,
    max_off_any_color,
    max_off_by_kind,
    pay_menu,
    price_of,
)
from parure.games.duel.row_access import (
    add_card,
    card_at,
    cells_holding,
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
from parure.games.engine.payment import gold_needed
from parure.games.engine.simd import find_affordable, find_different
from parure.games.engine.tokens import V, Y


@kernel
def legal(s: Row, cards: Cards, menu: Menu) -> int:
    """Write the menu of the current phase and return the number of legal decisions."""
    phase = s[layout.PHASE]
    if phase == layout.TURN:
        return turn_menu(s, cards, menu)
    menu[0] = one_word_menu(s, cards, phase)
    if phase == layout.KEEP or phase == layout.BOTTOM:
        peek_menu(s, menu)
        return popcount(menu[0]) + popcount(menu[1])
    return popcount(menu[0])


@inlined
def one_word_menu(s: Row, cards: Cards, phase: int) -> int:
    """Return the menu of a phase whose menu is a single word; the most frequent phases first."""
    me = mover(s)
    if phase == layout.DISCARD:
        return kinds_in(s[me + layout.TOKENS] & ~uncounted_lanes(s, me))
    if phase == layout.RESERVE or phase == layout.RESERVE_MORE:
        return reserve_menu(s)
    if phase == layout.PAY:
        return pay_menu(s, cards, me)
    if phase == layout.COLOR:
        return kinds_in(s[me + layout.BONUSES])
    if phase == layout.COLLECT or phase == layout.COLLECT_MORE:
        return collect_menu(s)
    if phase == layout.STEAL:
        return stealable_kinds(s)
    if phase == layout.ROYAL:
        return s[layout.FACE_UP_ROYALS]
    if phase == layout.SECOND:
        return privilege_cells(s, cards, me, tokens_on_board(s)) | 1 << decisions.DONE_BIT
    if phase == layout.WINDOW:
        return usable_counterfeiters(s, me) | 1 << decisions.DONE_BIT
    if phase == layout.COUNTERFEITER:
        return counterfeiter_menu(s)
    if phase == layout.DRAW:
        return (2 << min(lane_sum(s[layout.BAG]), 2)) - 1  # 0, 1, 2
    if phase == layout.DECK:
        return nonempty_decks(s)
    return 0


# --- phase `turn`: docs/rules/duel.md, "A turn" ---------------------------------------------------


@inlined
def turn_menu(s: Row, cards: Cards, menu: Menu) -> int:
    """Write the menu of phase `turn` and return the number of legal decisions."""
    me = mover(s)
    tokens = tokens_on_board(s)
    write_lines(tokens, menu)
    if s[me + layout.PRIVILEGES] and not s[layout.REPLENISHED]:
        cells = privilege_cells(s, cards, me, tokens)
        menu[decisions.PRIVILEGE_WORD] |= cells << decisions.UPPER_HALF
    last_word = buyable_places(s, cards, me, s[me + layout.TOKENS]) << decisions.BUY_BIT
    if can_reserve(s, me):
        last_word |= s[layout.BOARD + Y]
    has_empty_cell = (tokens | s[layout.BOARD + Y]) != ALL_CELLS
    if not s[layout.REPLENISHED] and s[layout.BAG] and has_empty_cell:
        last_word |= 1 << decisions.REPLENISH_BIT
    if tokens == 0 and last_word == 0:
        last_word |= 1 << decisions.PASS_BIT
    # After `pass`: docs/rules/duel.md, "Anti-blocking", 5
    if s[layout.CLAIMABLE]:
        last_word |= 1 << decisions.CLAIM_BIT
    menu[decisions.LAST_WORD] = last_word
    number = 0
    for word in range(decisions.MENU_WORDS):
        number += popcount(menu[word])
    return number


@inlined
def privilege_cells(s: Row, cards: Cards, me: int, tokens: int) -> int:
    """Return the cells from which a privilege may take a token.

    A mandatory action or a replenish must remain possible: docs/rules/duel.md, "A turn". With a
    token in the bag or two on the board it always does.
    """
    if s[layout.BAG] or tokens & (tokens - 1):
        return tokens
    return last_token(s, cards, me, tokens)


@outlined
def last_token(s: Row, cards: Cards, me: int, token: int) -> int:
    """Return the cell of the last token on the board if an action is possible without it."""
    if token == 0 or (s[layout.BOARD + Y] and can_reserve(s, me)):
        return token
    purse = s[me + layout.TOKENS] + one_of(kind_at(s, token))
    return token if buyable_places(s, cards, me, purse) else 0


@inlined
def write_lines(tokens: int, menu: Menu) -> None:
    """Write all lines of 1, 2 and 3 tokens by their first cells: docs/rules/duel.md, "The board".

    The order is that of `geometry.FAMILIES`.
    """
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
def can_reserve(s: Row, me: int) -> bool:
    """Return whether the reserve is not full and some card can be reserved."""
    if s[me + layout.RESERVED_COUNT] >= reserve_limit(s, me):
        return False
    if s[layout.DECK_SIZES] or s[layout.DECK_SIZES + 1] or s[layout.DECK_SIZES + 2]:
        return True
    return face_up_slots(s) != 0


@inlined
def reserve_limit(s: Row, me: int) -> int:
    """Return the number of cards that a seat may reserve.

    With C15: docs/rules/counterfeiters.md, "Counterfeiter cards".
    """
    if has_bit(s[me + layout.COUNTERFEITERS_HELD], layout.C15):
        return layout.MAX_RESERVED
    return layout.RESERVE_LIMIT


@inlined
def face_up_slots(s: Row) -> int:
    """Return the slots of the pyramid that hold a card."""
    return find_different(s, layout.SLOTS, layout.PYRAMID_SLOTS, NO_CARD)


@inlined
def nonempty_decks(s: Row) -> int:
    """Return the jewel decks that are not empty."""
    decks = 0
    for deck in range(layout.JEWEL_DECKS):
        if s[layout.DECK_SIZES + deck]:
            decks |= 1 << deck
    return decks


@inlined
def buyable_places(s: Row, cards: Cards, me: int, purse: int) -> int:
    """Return the places whose card a purse can pay for: pyramid, reserve, Counterfeiter row."""
    wealth = s[me + layout.BONUSES] + (purse & NON_GOLD_LANES)
    gold = gold_in(purse)
    if s[layout.WITH_COUNTERFEITERS]:
        places = affordable_places(s, cards, me, wealth, gold)
        if s[me + layout.DISCOUNTS] and count_of(purse, V) + gold > 0:
            places = add_discounted_places(s, cards, me, purse, places)
    else:
        places = find_affordable(s, layout.SLOTS, layout.PYRAMID_SLOTS, wealth, gold)
        places |= (
            find_affordable(s, me + layout.RESERVED, layout.RESERVE_LIMIT, wealth, gold)
            << decisions.RESERVE_PLACE
        )
    # A joker needs a bonus in the tableau.
    if s[me + layout.BONUSES] == 0 and places:
        return remove_jokers(s, cards, me, places)
    return places


@inlined
def card_in_place(s: Row, me: int, place: int) -> int:
    """Return the card in a place that `buyable_places` lists."""
    if place < decisions.RESERVE_PLACE:
        return card_number(s[layout.SLOTS + place])
    if place < decisions.ROW_PLACE:
        return card_number(s[me + layout.RESERVED + place - decisions.RESERVE_PLACE])
    return card_number(s[layout.COUNTERFEITER_ROW + place - decisions.ROW_PLACE])


@outlined
def remove_jokers(s: Row, cards: Cards, me: int, places: int) -> int:
    """Return some places without those that hold a joker."""
    left = places
    while left:
        place = lowest_bit(left)
        left &= left - 1
        if cards[layout.CARD_COLOR, card_in_place(s, me, place)] == layout.JOKER:
            places ^= 1 << place
    return places


# --- buying with The Counterfeiters ---------------------------------------------------------------


@inlined
def affordable_places(s: Row, cards: Cards, me: int, wealth: int, gold: int) -> int:
    """Return the places whose card wealth and gold pay for without discounts.

    Bonuses pay for Counterfeiters too: docs/rules/counterfeiters.md, "Changes to the turn", 3.
    """
    places = find_affordable(s, layout.SLOTS, layout.PYRAMID_SLOTS, wealth, gold)
    places |= (
        find_affordable(s, me + layout.RESERVED, layout.MAX_RESERVED, wealth, gold)
        << decisions.RESERVE_PLACE
    )
    # A priced card does not hold the gold of its price, which some Counterfeiters have:
    # docs/rules/counterfeiters.md, "Changes to the turn", 4
    for i in range(layout.COUNTERFEITER_SLOTS):
        cost = cards[layout.COST, card_number(s[layout.COUNTERFEITER_ROW + i]) & CARD_MASK]
        is_affordable = as_int(gold_needed(cost, wealth) <= gold)
        places |= is_affordable << (decisions.ROW_PLACE + i)
    return places


@outlined
def add_discounted_places(s: Row, cards: Cards, me: int, purse: int, places: int) -> int:
    """Add the places whose card a purse can pay for with discounts only.

    docs/rules/counterfeiters.md, "Discounts", 4
    """
    discounts = s[me + layout.DISCOUNTS]
    wealth = s[me + layout.BONUSES] + (purse & NON_GOLD_LANES)
    # Two cheap upper bounds select the places to look at: discounts without their glassware, and
    # the tokens that all glassware and gold can cover.
    max_wealth = wealth + max_off_by_kind(discounts)
    max_gold = gold_in(purse) + max_off_any_color(discounts)
    candidates = affordable_places(s, cards, me, max_wealth, max_gold)
    candidates &= affordable_places(s, cards, me, wealth, max_lack(purse)) & ~places
    while candidates:
        place = lowest_bit(candidates)
        candidates &= candidates - 1
        price = price_of(cards, card_in_place(s, me, place), s[me + layout.BONUSES])
        if least_gold(price, purse, discounts) <= gold_in(purse):
            places |= 1 << place
    return places


# --- the phases after `turn` ----------------------------------------------------------------------


@inlined
def reserve_menu(s: Row) -> int:
    """Return the menu of phases `reserve` and `reserve-more`: face-up cards and decks."""
    menu = nonempty_decks(s) << decisions.DECK_BIT
    menu |= face_up_slots(s)
    if s[layout.PHASE] == layout.RESERVE_MORE:
        menu |= 1 << decisions.DONE_BIT
    return menu


@inlined
def collect_menu(s: Row) -> int:
    """Return the cells that may be collected from, and `done` where it is legal.

    `done` is legal from the start for R8 and R12: docs/rules/counterfeiters.md, "Royals R5 to R12".
    """
    cells = cells_holding(s, s[layout.COLLECT_KINDS])
    ability = s[layout.COLLECT_ABILITY]
    is_optional = ability == layout.TAKES_FOUR_ALIKE or ability == layout.TAKES_THREE
    if is_optional or s[layout.PHASE] == layout.COLLECT_MORE:
        return cells | 1 << decisions.DONE_BIT
    return cells


@inlined
def stealable_kinds(s: Row) -> int:
    """Return the kinds that can be stolen from the opponent: all but gold."""
    return kinds_in(s[opponent(s) + layout.TOKENS] & NON_GOLD_LANES)


@inlined
def uncounted_lanes(s: Row, me: int) -> int:
    """Return the lanes of tokens that do not count toward the limit: glassware with C12.

    docs/rules/counterfeiters.md, "Changes to the turn", 6 and
    docs/rules/counterfeiters.md, "Counterfeiter cards".
    """
    return 0xFF << GLASS_SHIFT if has_bit(s[me + layout.COUNTERFEITERS_HELD], layout.C12) else 0


# --- phases of The Counterfeiters -----------------------------------------------------------------


@inlined
def usable_counterfeiters(s: Row, me: int) -> int:
    """Return the Counterfeiters that may be used in the window now.

    docs/rules/counterfeiters.md, "Counterfeiter cards". What was gained in this turn counts:
    docs/rules/counterfeiters.md, "The window", 1.
    """
    unused = s[me + layout.COUNTERFEITERS_HELD] & ~s[layout.USED]
    purse = s[me + layout.TOKENS]
    glass = count_of(purse, V) + gold_in(purse)
    menu = 0
    if has_bit(unused, layout.C09) and s[layout.FACE_UP_ROYALS] and glass >= bribe_cost(s, me):
        menu |= 1 << layout.C09
    if glass >= 1 and s[me + layout.PRIVILEGES]:
        if has_bit(unused, layout.C10) and not s[layout.AGAIN]:
            menu |= 1 << layout.C10
        if has_bit(unused, layout.C11) and stealable_kinds(s):
            menu |= 1 << layout.C11
    has_room = s[me + layout.RESERVED_COUNT] < reserve_limit(s, me)
    if has_bit(unused, layout.C17) and glass >= 2 and has_room and nonempty_decks(s):
        menu |= 1 << layout.C17
    return menu


@inlined
def bribe_cost(s: Row, me: int) -> int:
    """Return the glassware that C09 costs: docs/rules/counterfeiters.md, "Counterfeiter cards"."""
    return 1 + popcount(s[me + layout.ROYALS_HELD])


@inlined
def counterfeiter_menu(s: Row) -> int:
    """Return the menu of R9: docs/rules/counterfeiters.md, "Royals R5 to R12"."""
    menu = 0
    for slot in range(layout.COUNTERFEITER_SLOTS):
        card = card_number(s[layout.COUNTERFEITER_ROW + slot])
        if card != layout.EMPTY:
            menu |= 1 << (card - layout.FIRST_COUNTERFEITER)
    if s[layout.DECK_SIZES + layout.COUNTERFEITER_DECK]:
        menu |= 1 << decisions.COUNTERFEITER_DECK_BIT
    return menu


@inlined
def peek_menu(s: Row, menu: Menu) -> None:
    """Write the menu of phases `keep` and `bottom`: the cards that C17 looks at."""
    menu[1] = 0
    top = top_index(s, s[layout.PEEK_DECK])
    for index in range(top, top + s[layout.PEEKED]):
        add_card(menu, 0, card_at(s, index))
