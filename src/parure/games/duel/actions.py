"""What the decisions of Duel do, one by one: tokens, cards, abilities, Counterfeiters.

Each leaves the state in the phase that chooses next, or in one of the stages that `apply` resolves:
`SETTLING` a price, `PAYING` it, `GOING_ON` with the turn.
"""

from __future__ import annotations

from parure.games.duel import decisions, layout
from parure.games.duel.card_table import NO_CARD
from parure.games.duel.geometry import SIDE
from parure.games.duel.legal import (
    can_reserve,
    collectable,
    counterfeiter_menu,
    privilege_cells,
    stealable,
)
from parure.games.duel.paying import discounts_left, pay_menu, payment
from parure.games.duel.row_access import (
    ALONG_SPIRAL,
    DECK_ENDS,
    SPIRAL,
    add_card,
    card_at,
    draw_card,
    empty_cells,
    kind_at,
    opponent,
    priced_card,
    put_card,
    remove_card,
    tokens_on_board,
    top_index,
)
from parure.games.engine.arrays import Cards, Chance, Rng, Row
from parure.games.engine.bits import (
    LANE_COUNT,
    LANE_ONES,
    as_int,
    count_of,
    counts_from_totals,
    has_bit,
    lane_sum,
    lanes_greater_than,
    lowest_bit,
    one_of,
    popcount,
    running_totals,
)
from parure.games.engine.card_storage import card_number
from parure.games.engine.jit import inlined, outlined
from parure.games.engine.rng import random_below
from parure.games.engine.simd import find_equal
from parure.games.engine.tokens import P, Y

ALL_BUT_GOLD = (1 << Y) - 1  # as a set of kinds
WHOLE_ROW = (1 << SIDE) - 1  # of the board


# --- tokens and privileges ------------------------------------------------------------------------


@inlined
def take_line(s: Row, me: int, line: int) -> None:
    """Take the tokens of a line; three alike or two pearls give the opponent a privilege."""
    taken = 0
    for kind in range(Y):
        cells = s[layout.BOARD + kind] & line
        taken += popcount(cells) << (8 * kind)
        s[layout.BOARD + kind] ^= cells
    s[me + layout.TOKENS] += taken
    three_alike = taken & (taken >> 1) & LANE_ONES  # a count of 3 has both bits
    if three_alike or count_of(taken, P) >= 2:
        take_privilege(s, opponent(s), me)
    s[layout.PHASE] = layout.GOING_ON


@inlined
def pick_up(s: Row, me: int, cell: int) -> int:
    """Take the token on a cell; gives its kind."""
    kind = kind_at(s, cell)
    s[layout.BOARD + kind] ^= cell
    s[me + layout.TOKENS] += one_of(kind)
    return kind


@inlined
def take_privilege(s: Row, taker: int, other: int) -> None:
    """A privilege from the table; if none lies there, from the other; with all three, nothing."""
    if s[taker + layout.PRIVILEGES] + s[other + layout.PRIVILEGES] < layout.TOTAL_PRIVILEGES:
        s[taker + layout.PRIVILEGES] += 1
    elif s[other + layout.PRIVILEGES]:
        s[taker + layout.PRIVILEGES] += 1
        s[other + layout.PRIVILEGES] -= 1


@inlined
def use_privilege(s: Row, cards: Cards, me: int, cell: int) -> None:
    """Return a privilege for a token; with C13 the turn's first one may take a second."""
    pick_up(s, me, cell)
    if s[layout.PHASE] == layout.SECOND:
        s[layout.PHASE] = layout.TURN
        return
    s[me + layout.PRIVILEGES] -= 1
    if has_bit(s[me + layout.COUNTERFEITERS_HELD] & ~s[layout.USED], decisions.C13):
        s[layout.USED] |= 1 << decisions.C13
        if privilege_cells(s, cards, me, tokens_on_board(s)):
            s[layout.PHASE] = layout.SECOND


@inlined
def draw_from_bag(s: Row, number: int, rng: Rng, chance: Chance) -> None:
    """Take tokens out of the bag: those that `chance` names, or random ones."""
    bag = s[layout.BAG]
    if chance[0] == 0:
        left = lane_sum(bag)
        up_to = running_totals(bag)
        for i in range(number):
            from_drawn_kind_on = lanes_greater_than(up_to, random_below(rng, left))
            chance[1 + i] = LANE_COUNT - popcount(from_drawn_kind_on)
            up_to -= from_drawn_kind_on
            left -= 1
        bag = counts_from_totals(up_to)
    else:
        for i in range(number):
            bag -= one_of(as_int(chance[1 + i]))
    chance[0] = number
    s[layout.BAG] = bag


@inlined
def replenish(s: Row, rng: Rng, chance: Chance) -> None:
    """Lay tokens from the bag on the empty cells along the spiral."""
    empty = empty_cells(s)
    along_spiral = 0
    for row in range(SIDE):
        along_spiral |= ALONG_SPIRAL[row, (empty >> SIDE * row) & WHOLE_ROW]
    number = min(popcount(empty), lane_sum(s[layout.BAG]))
    draw_from_bag(s, number, rng, chance)
    for i in range(number):
        s[layout.BOARD + chance[1 + i]] |= 1 << SPIRAL[lowest_bit(along_spiral)]
        along_spiral &= along_spiral - 1


# --- reserving ------------------------------------------------------------------------------------


@inlined
def take_from_pyramid(s: Row, card: int) -> bool:
    """Take a card if it is face up, and say whether; the gap stays until the end of the turn."""
    slots = find_equal(s, layout.SLOTS, layout.PYRAMID_SLOTS, priced_card(card))
    if slots == 0:
        return False
    s[layout.SLOTS + lowest_bit(slots)] = NO_CARD
    s[layout.GAPS] |= slots
    return True


@inlined
def reserve(s: Row, me: int, card: int) -> None:
    """Put a card into the reserve; with C15 another may follow."""
    into_reserve(s, me, card)
    s[layout.RESERVES_LEFT] -= 1
    s[layout.PHASE] = layout.GOING_ON
    if s[layout.RESERVES_LEFT] > 0:
        if can_reserve(s, me):
            s[layout.PHASE] = layout.RESERVE_MORE
        else:
            s[layout.RESERVES_LEFT] = 0


@inlined
def into_reserve(s: Row, me: int, card: int) -> None:
    """Add a card to the reserve."""
    s[me + layout.RESERVED + s[me + layout.RESERVED_COUNT]] = priced_card(card)
    s[me + layout.RESERVED_COUNT] += 1


@inlined
def take_from_reserve(s: Row, me: int, card: int) -> None:
    """Take a card out of the reserve and close the gap."""
    kept = 0
    for i in range(s[me + layout.RESERVED_COUNT]):
        other = s[me + layout.RESERVED + i]
        if card_number(other) != card:
            s[me + layout.RESERVED + kept] = other
            kept += 1
    s[me + layout.RESERVED + kept] = NO_CARD
    s[me + layout.RESERVED_COUNT] = kept
    forget(s, card)


# --- buying ---------------------------------------------------------------------------------------


@inlined
def start_paying(s: Row, card: int, price: int, step: int) -> None:
    """A price has been named."""
    s[layout.CARD] = card
    s[layout.PRICE] = price
    s[layout.PAY_STEP] = step
    s[layout.PHASE] = layout.SETTLING


@inlined
def settle(s: Row, cards: Cards, me: int) -> None:
    """Pay, or ask how where there is something to choose."""
    if pay_menu(s, cards, me) & ~(1 << decisions.PAY_BIT):
        s[layout.PHASE] = layout.PAY
        for i in range(s[me + layout.RESERVED_COUNT]):
            card = card_number(s[me + layout.RESERVED + i])
            if card == s[layout.CARD] and not s[layout.IS_USE]:  # it has been named
                forget(s, s[layout.CARD])
                add_card(s, layout.KNOWN + 2 * layout.EVERYONE, s[layout.CARD])
    else:
        s[layout.PHASE] = layout.PAYING


@inlined
def pay(s: Row, cards: Cards, me: int) -> None:
    """Spent tokens go to the bag; then comes what they were spent for."""
    spent = payment(s, s[me + layout.TOKENS])
    s[me + layout.TOKENS] -= spent
    s[layout.BAG] += spent
    card = s[layout.CARD]
    is_use = s[layout.IS_USE]
    s[layout.CARD] = layout.EMPTY
    s[layout.IS_USE] = 0
    s[layout.PRICE] = 0
    s[layout.GOLD_LAID] = 0
    s[layout.PAY_STEP] = 0
    s[layout.PAY_USES] = 0
    s[layout.PHASE] = layout.GOING_ON
    if is_use:
        use(s, me, card)
    elif card < layout.JEWELS:
        gain_jewel(s, cards, me, card)
    else:
        take_from_row(s, card - layout.FIRST_COUNTERFEITER)
        gain_counterfeiter(s, cards, me, card - layout.FIRST_COUNTERFEITER)


@inlined
def gain_jewel(s: Row, cards: Cards, me: int, card: int) -> None:
    """A bought card comes into the tableau, and its abilities work."""
    if not take_from_pyramid(s, card):
        take_from_reserve(s, me, card)
    add_card(s, me + layout.TABLEAU, card)
    color = cards[layout.CARD_COLOR, card]
    points = cards[layout.POINTS, card]
    s[me + layout.BONUSES] += cards[layout.BONUS, card]
    s[me + layout.SCORE] += points
    if color < layout.JOKER:
        s[me + layout.SCORE_BY_COLOR] += points << (8 * color)
    gain_crowns(s, me, cards[layout.CROWNS, card])
    use_ability(s, me, cards[layout.ABILITY, card], color)
    if color == layout.JOKER:
        s[layout.CARD] = card
        s[layout.PHASE] = layout.COLOR


@inlined
def color_joker(s: Row, cards: Cards, me: int, color: int) -> None:
    """A joker takes the color of a bonus already owned."""
    card = s[layout.CARD]
    s[layout.CARD] = layout.EMPTY
    s[me + layout.BONUSES] += one_of(color)
    s[me + layout.SCORE_BY_COLOR] += cards[layout.POINTS, card] << (8 * color)
    s[me + layout.JOKER_COLORS] |= (color + 1) << (4 * joker_number(cards, card))
    s[layout.PHASE] = layout.GOING_ON


@inlined
def joker_number(cards: Cards, card: int) -> int:
    """Which joker of the deck a card is, counted from 0."""
    if card < layout.LEVEL_3:
        return popcount(cards[layout.JOKERS, 0] & ((1 << card) - 1))
    before = cards[layout.JOKERS, 1] & ((1 << (card - layout.LEVEL_3)) - 1)
    return popcount(cards[layout.JOKERS, 0]) + popcount(before)


@inlined
def gain_crowns(s: Row, me: int, crowns: int) -> None:
    """A royal is due on reaching 3 crowns, and again on reaching 6."""
    before = s[me + layout.CROWNS_HELD]
    after = before + crowns
    s[me + layout.CROWNS_HELD] = after
    s[layout.ROYALS_DUE] += as_int(before < 3 <= after) + as_int(before < 6 <= after)


# --- abilities of jewels and royals ---------------------------------------------------------------


@inlined
def use_ability(s: Row, me: int, ability: int, color: int) -> None:
    """What a jewel or royal does when it is taken; enters the phase that chooses, if any."""
    if ability == layout.TAKES_TOKEN:
        takes_two = has_bit(s[me + layout.COUNTERFEITERS_HELD], decisions.C16)
        kinds = ALL_BUT_GOLD if takes_two else 1 << color
        start_collecting(s, ability, kinds, 1 + as_int(takes_two), color)
    elif ability == layout.STEALS:
        if stealable(s):
            s[layout.PHASE] = layout.STEAL
    elif ability == layout.TAKES_PRIVILEGE:
        take_privilege(s, me, opponent(s))
    elif ability == layout.GOES_AGAIN:
        s[layout.AGAIN] = 1
    elif ability != 0:
        use_new_ability(s, me, ability)


@outlined
def use_new_ability(s: Row, me: int, ability: int) -> None:
    """Those of royals R5 to R12."""
    if ability == layout.RESERVES:
        if can_reserve(s, me):
            s[layout.RESERVES_LEFT] = 1
            s[layout.PHASE] = layout.RESERVE
    elif ability == layout.TAKES_FOUR_ALIKE:
        start_collecting(s, ability, ALL_BUT_GOLD, 4, 0)
    elif ability == layout.TAKES_THREE:
        start_collecting(s, ability, ALL_BUT_GOLD, 3, 0)
    elif ability == layout.TAKES_GOLD:
        start_collecting(s, ability, 1 << Y, 1, 0)
    elif ability == layout.TAKES_COUNTERFEITER:
        if counterfeiter_menu(s):
            s[layout.PHASE] = layout.COUNTERFEITER
    elif ability == layout.DRAWS_FROM_BAG and s[layout.BAG]:
        s[layout.PHASE] = layout.DRAW


@inlined
def start_collecting(s: Row, ability: int, kinds: int, number: int, color: int) -> None:
    """Up to a number of tokens of certain kinds come from the board, if it holds one.

    `color` is that of the card that collects, 0 where it does not matter.
    """
    if collectable(s, kinds):
        s[layout.COLLECT_COLOR] = color
        s[layout.COLLECT_ABILITY] = ability
        s[layout.COLLECT_KINDS] = kinds
        s[layout.COLLECTS_LEFT] = number
        s[layout.PHASE] = layout.COLLECT


@inlined
def collect(s: Row, me: int, cell: int) -> None:
    """Take a token from the board; another may follow."""
    kind = pick_up(s, me, cell)
    ability = s[layout.COLLECT_ABILITY]
    s[layout.COLLECTS_LEFT] -= 1
    if ability == layout.TAKES_FOUR_ALIKE:
        s[layout.COLLECT_KINDS] = 1 << kind
    elif ability == layout.TAKES_TOKEN:  # C16: two only of the card's color
        s[layout.COLLECT_KINDS] = 1 << kind if kind == s[layout.COLLECT_COLOR] else 0
    if s[layout.COLLECTS_LEFT] and collectable(s, s[layout.COLLECT_KINDS]):
        s[layout.PHASE] = layout.COLLECT_MORE
    else:
        stop_choosing(s)


@inlined
def stop_choosing(s: Row) -> None:
    """No more is collected or reserved; the turn goes on."""
    s[layout.COLLECT_ABILITY] = 0
    s[layout.COLLECT_KINDS] = 0
    s[layout.COLLECT_COLOR] = 0
    s[layout.COLLECTS_LEFT] = 0
    s[layout.RESERVES_LEFT] = 0
    s[layout.PHASE] = layout.GOING_ON


@inlined
def take_royal(s: Row, cards: Cards, me: int, royal: int) -> None:
    """Take a royal, for crowns or as a bribe; only a bribed one is replaced."""
    s[layout.FACE_UP_ROYALS] ^= 1 << royal
    s[me + layout.ROYALS_HELD] |= 1 << royal
    s[me + layout.SCORE] += cards[layout.POINTS, layout.FIRST_ROYAL + royal]
    if s[layout.IS_BRIBE]:
        s[layout.IS_BRIBE] = 0
        if s[layout.DECK_SIZES + layout.ROYAL_DECK]:
            s[layout.FACE_UP_ROYALS] |= 1 << draw_card(s, layout.ROYAL_DECK)
    else:
        s[layout.ROYALS_DUE] -= 1
    s[layout.PHASE] = layout.GOING_ON
    use_ability(s, me, cards[layout.ABILITY, layout.FIRST_ROYAL + royal], layout.COLORLESS)


# --- Counterfeiters -------------------------------------------------------------------------------


@inlined
def take_from_row(s: Row, number: int) -> None:
    """Take a face-up Counterfeiter; the gap stays until the end of the turn."""
    for slot in range(12, 15):
        if card_number(s[layout.SLOTS + slot]) == layout.FIRST_COUNTERFEITER + number:
            s[layout.SLOTS + slot] = NO_CARD
            s[layout.GAPS] |= 1 << slot


@inlined
def gain_counterfeiter(s: Row, cards: Cards, me: int, number: int) -> None:
    """A Counterfeiter works from the moment it is owned; crowns count at once."""
    s[me + layout.COUNTERFEITERS_HELD] |= 1 << number
    if number <= decisions.C08:
        s[me + layout.DISCOUNTS] = discounts_left(s, cards, me, 0, 0)
    gain_crowns(s, me, cards[layout.CROWNS, layout.FIRST_COUNTERFEITER + number])


@inlined
def use(s: Row, me: int, card: int) -> None:
    """The effect of a Counterfeiter in the window, its glassware being paid."""
    s[layout.USED] |= 1 << card
    if card == decisions.C09:
        s[layout.IS_BRIBE] = 1
        s[layout.PHASE] = layout.ROYAL
    elif card == decisions.C10:
        s[me + layout.PRIVILEGES] -= 1
        s[layout.AGAIN] = 1
    elif card == decisions.C11:
        s[me + layout.PRIVILEGES] -= 1
        s[layout.PHASE] = layout.STEAL
    else:
        s[layout.PHASE] = layout.DECK


@inlined
def look_at_deck(s: Row, deck: int) -> None:
    """C17: its user sees the top three. There is one C17, so the opponent never knows of any."""
    s[layout.PEEK_DECK] = deck
    s[layout.PEEKED] = min(s[layout.DECK_SIZES + deck], 3)
    top = top_index(s, deck)
    for place in range(top, top + s[layout.PEEKED]):
        add_card(s, layout.KNOWN + 2 * s[layout.SEAT], card_at(s, place))
    s[layout.PHASE] = layout.KEEP


@inlined
def keep(s: Row, me: int, card: int) -> None:
    """C17: one card into the reserve; of the others, two are put in order, one goes under."""
    deck = s[layout.PEEK_DECK]
    place = top_index(s, deck)
    carried = card_at(s, place)
    while carried != card:  # the cards above it move down by one
        place += 1
        below_it = card_at(s, place)
        put_card(s, place, carried)
        carried = below_it
    draw_card(s, deck)
    remove_card(s, layout.KNOWN + 2 * s[layout.SEAT], card)
    into_reserve(s, me, card)
    s[layout.PEEKED] -= 1
    if s[layout.PEEKED] == 2:
        s[layout.PHASE] = layout.BOTTOM
        return
    if s[layout.PEEKED] == 1:
        put_under(s, deck, 0)
    s[layout.PEEKED] = 0
    s[layout.PEEK_DECK] = 0


@inlined
def put_under(s: Row, deck: int, depth: int) -> None:
    """Move the card that lies `depth` below the top to the bottom of its deck."""
    place = top_index(s, deck) + depth
    card = card_at(s, place)
    while place + 1 < DECK_ENDS[deck]:
        put_card(s, place, card_at(s, place + 1))
        place += 1
    put_card(s, place, card)


@inlined
def forget(s: Row, card: int) -> None:
    """A card has come into the open: nobody needs to remember where it lies."""
    if card < layout.JEWELS:
        for viewer in range(3):
            remove_card(s, layout.KNOWN + 2 * viewer, card)
