"""What the decisions of Duel do, one by one: tokens, cards, abilities, Counterfeiters.

Each leaves the state in the phase that chooses next, or in one of the stages that `apply` resolves:
`SETTLING` a price, `PAYING` it, `GOING_ON` with the turn.
"""

from __future__ import annotations

from parure.games.duel import decisions as to
from parure.games.duel import layout as at
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
    lay_card,
    opponent,
    priced,
    remove_card,
    tokens_on_board,
    top_of,
)
from parure.games.engine.arrays import Cards, Chance, Rng, Row
from parure.games.engine.bits import (
    LANE_COUNT,
    LANES,
    as_int,
    count_of,
    counts_from,
    has,
    lanes_greater_than,
    lowest,
    one,
    popcount,
    running_totals,
    total,
)
from parure.games.engine.card_storage import number_of
from parure.games.engine.jit import helper, routine
from parure.games.engine.rng import random_below
from parure.games.engine.simd import equal_to
from parure.games.engine.tokens import P, Y

ALL_BUT_GOLD = (1 << Y) - 1  # as a set of kinds
WHOLE_ROW = (1 << SIDE) - 1  # of the board


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
    if three_alike or count_of(taken, P) >= 2:
        take_privilege(s, opponent(s), me)
    s[at.PHASE] = at.GOING_ON


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
    if s[taker + at.PRIVILEGES] + s[other + at.PRIVILEGES] < at.TOTAL_PRIVILEGES:
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
    bag = s[at.BAG]
    if chance[0] == 0:
        left = total(bag)
        up_to = running_totals(bag)
        for i in range(number):
            from_drawn_kind_on = lanes_greater_than(up_to, random_below(rng, left))
            chance[1 + i] = LANE_COUNT - popcount(from_drawn_kind_on)
            up_to -= from_drawn_kind_on
            left -= 1
        bag = counts_from(up_to)
    else:
        for i in range(number):
            bag -= one(as_int(chance[1 + i]))
    chance[0] = number
    s[at.BAG] = bag


@helper
def replenish(s: Row, rng: Rng, chance: Chance) -> None:
    """Lay tokens from the bag on the empty cells along the spiral."""
    empty = empty_cells(s)
    along_spiral = 0
    for row in range(SIDE):
        along_spiral |= ALONG_SPIRAL[row, (empty >> SIDE * row) & WHOLE_ROW]
    number = min(popcount(empty), total(s[at.BAG]))
    draw_from_bag(s, number, rng, chance)
    for i in range(number):
        s[at.BOARD + chance[1 + i]] |= 1 << SPIRAL[lowest(along_spiral)]
        along_spiral &= along_spiral - 1


# --- reserving ------------------------------------------------------------------------------------


@helper
def take_from_pyramid(s: Row, card: int) -> bool:
    """Take a card if it is face up, and say whether; the gap stays until the end of the turn."""
    slots = equal_to(s, at.SLOTS, at.PYRAMID_SLOTS, priced(card))
    if slots == 0:
        return False
    s[at.SLOTS + lowest(slots)] = NO_CARD
    s[at.GAPS] |= slots
    return True


@helper
def reserve(s: Row, me: int, card: int) -> None:
    """Put a card into the reserve; with C15 another may follow."""
    into_reserve(s, me, card)
    s[at.RESERVES_LEFT] -= 1
    s[at.PHASE] = at.GOING_ON
    if s[at.RESERVES_LEFT] > 0:
        if can_reserve(s, me):
            s[at.PHASE] = at.RESERVE_MORE
        else:
            s[at.RESERVES_LEFT] = 0


@helper
def into_reserve(s: Row, me: int, card: int) -> None:
    """Add a card to the reserve."""
    s[me + at.RESERVED + s[me + at.RESERVED_COUNT]] = priced(card)
    s[me + at.RESERVED_COUNT] += 1


@helper
def take_from_reserve(s: Row, me: int, card: int) -> None:
    """Take a card out of the reserve and close the gap."""
    kept = 0
    for i in range(s[me + at.RESERVED_COUNT]):
        other = s[me + at.RESERVED + i]
        if number_of(other) != card:
            s[me + at.RESERVED + kept] = other
            kept += 1
    s[me + at.RESERVED + kept] = NO_CARD
    s[me + at.RESERVED_COUNT] = kept
    forget(s, card)


# --- buying ---------------------------------------------------------------------------------------


@helper
def start_paying(s: Row, card: int, price: int, step: int) -> None:
    """A price has been named."""
    s[at.CARD] = card
    s[at.PRICE] = price
    s[at.PAY_STEP] = step
    s[at.PHASE] = at.SETTLING


@helper
def settle(s: Row, cards: Cards, me: int) -> None:
    """Pay, or ask how where there is something to choose."""
    if pay_menu(s, cards, me) & ~(1 << to.PAY_BIT):
        s[at.PHASE] = at.PAY
        for i in range(s[me + at.RESERVED_COUNT]):
            card = number_of(s[me + at.RESERVED + i])
            if card == s[at.CARD] and not s[at.IS_USE]:  # it has been named
                forget(s, s[at.CARD])
                add_card(s, at.KNOWN + 2 * at.EVERYONE, s[at.CARD])
    else:
        s[at.PHASE] = at.PAYING


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
    s[at.PHASE] = at.GOING_ON
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
    if not take_from_pyramid(s, card):
        take_from_reserve(s, me, card)
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
    s[at.PHASE] = at.GOING_ON


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
    s[at.ROYALS_DUE] += as_int(before < 3 <= after) + as_int(before < 6 <= after)


# --- abilities of jewels and royals ---------------------------------------------------------------


@helper
def use_ability(s: Row, me: int, ability: int, color: int) -> None:
    """What a jewel or royal does when it is taken; enters the phase that chooses, if any."""
    if ability == at.TAKES_TOKEN:
        takes_two = has(s[me + at.COUNTERFEITERS_HELD], to.C16)
        kinds = ALL_BUT_GOLD if takes_two else 1 << color
        start_collecting(s, ability, kinds, 1 + as_int(takes_two), color)
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
        start_collecting(s, ability, ALL_BUT_GOLD, 4, 0)
    elif ability == at.TAKES_THREE:
        start_collecting(s, ability, ALL_BUT_GOLD, 3, 0)
    elif ability == at.TAKES_GOLD:
        start_collecting(s, ability, 1 << Y, 1, 0)
    elif ability == at.TAKES_COUNTERFEITER:
        if counterfeiter_menu(s):
            s[at.PHASE] = at.COUNTERFEITER
    elif ability == at.DRAWS_FROM_BAG and s[at.BAG]:
        s[at.PHASE] = at.DRAW


@helper
def start_collecting(s: Row, ability: int, kinds: int, number: int, color: int) -> None:
    """Up to a number of tokens of certain kinds come from the board, if it holds one.

    `color` is that of the card that collects, 0 where it does not matter.
    """
    if collectable(s, kinds):
        s[at.COLLECT_COLOR] = color
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
    s[at.PHASE] = at.GOING_ON


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
    s[at.PHASE] = at.GOING_ON
    use_ability(s, me, cards[at.ABILITY, at.FIRST_ROYAL + royal], at.COLORLESS)


# --- Counterfeiters -------------------------------------------------------------------------------


@helper
def take_from_row(s: Row, number: int) -> None:
    """Take a face-up Counterfeiter; the gap stays until the end of the turn."""
    for slot in range(12, 15):
        if number_of(s[at.SLOTS + slot]) == at.FIRST_COUNTERFEITER + number:
            s[at.SLOTS + slot] = NO_CARD
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
    """C17: its user sees the top three. There is one C17, so the opponent never knows of any."""
    s[at.PEEK_DECK] = deck
    s[at.PEEKED] = min(s[at.DECK_SIZES + deck], 3)
    top = top_of(s, deck)
    for place in range(top, top + s[at.PEEKED]):
        add_card(s, at.KNOWN + 2 * s[at.SEAT], card_at(s, place))
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


@helper
def forget(s: Row, card: int) -> None:
    """A card has come into the open: nobody needs to remember where it lies."""
    if card < at.JEWELS:
        for viewer in range(3):
            remove_card(s, at.KNOWN + 2 * viewer, card)
