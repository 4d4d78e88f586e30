"""The actions of a turn of Duel: privileges, replenishing, taking tokens, reserving.

Buying is in :mod:`.purchase`. Each function leaves PHASE at the phase that is next, or at one of
the stages of `apply` that `layout` names.
"""

from __future__ import annotations

from parure.games.duel import layout
from parure.games.duel.card_table import NO_CARD
from parure.games.duel.geometry import SIDE
from parure.games.duel.legal import can_reserve, privilege_cells
from parure.games.duel.row_access import (
    ALONG_SPIRAL,
    SPIRAL,
    add_card,
    add_to_reserve,
    draw_card,
    empty_cells,
    kind_at,
    opponent,
    priced_card,
    remove_card,
    tokens_on_board,
)
from parure.games.engine.arrays import Cards, Chance, Rng, Row
from parure.games.engine.bits import (
    LANE_COUNT,
    LANE_ONES,
    ONE_GOLD,
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
from parure.games.engine.jit import inlined
from parure.games.engine.rng import random_below
from parure.games.engine.simd import find_equal
from parure.games.engine.tokens import P, Y

WHOLE_BOARD_ROW = (1 << SIDE) - 1


# --- privileges -----------------------------------------------------------------------------------


@inlined
def take_privilege(s: Row, taker: int, other: int) -> None:
    """Give a privilege to the seat `taker`: docs/rules/duel.md, "Taking a privilege"."""
    if s[taker + layout.PRIVILEGES] + s[other + layout.PRIVILEGES] < layout.TOTAL_PRIVILEGES:
        s[taker + layout.PRIVILEGES] += 1
    elif s[other + layout.PRIVILEGES]:
        s[taker + layout.PRIVILEGES] += 1
        s[other + layout.PRIVILEGES] -= 1


@inlined
def use_privilege(s: Row, cards: Cards, me: int, cell: int) -> None:
    """Do `privilege c3`: docs/rules/duel.md, "A turn"."""
    take_token(s, me, cell)
    if s[layout.PHASE] == layout.SECOND:
        s[layout.PHASE] = layout.TURN
        return
    s[me + layout.PRIVILEGES] -= 1
    # C13: docs/rules/counterfeiters.md, "Counterfeiter cards"
    if has_bit(s[me + layout.COUNTERFEITERS_HELD] & ~s[layout.USED], layout.C13):
        s[layout.USED] |= 1 << layout.C13
        if privilege_cells(s, cards, me, tokens_on_board(s)):
            s[layout.PHASE] = layout.SECOND


@inlined
def take_token(s: Row, me: int, cell: int) -> int:
    """Take the token on a cell and return its kind."""
    kind = kind_at(s, cell)
    s[layout.BOARD + kind] ^= cell
    s[me + layout.TOKENS] += one_of(kind)
    return kind


# --- replenishing ---------------------------------------------------------------------------------


@inlined
def replenish(s: Row, rng: Rng, chance: Chance) -> None:
    """Lay tokens from the bag on the empty cells along the spiral: docs/rules/duel.md, "A turn".

    With too few cells the rest stays in the bag:
    docs/rules/counterfeiters.md, "Changes to the turn", 2.
    """
    empty = empty_cells(s)
    along_spiral = 0
    for row in range(SIDE):
        along_spiral |= ALONG_SPIRAL[row, (empty >> SIDE * row) & WHOLE_BOARD_ROW]
    number = min(popcount(empty), lane_sum(s[layout.BAG]))
    draw_from_bag(s, number, rng, chance)
    for i in range(number):
        s[layout.BOARD + chance[1 + i]] |= 1 << SPIRAL[lowest_bit(along_spiral)]
        along_spiral &= along_spiral - 1


@inlined
def draw_from_bag(s: Row, number: int, rng: Rng, chance: Chance) -> None:
    """Remove tokens from the bag, and write their number and kinds to `chance`.

    The tokens are those that `chance` already lists, or random ones if it lists none:
    docs/rules/README.md, "Chance".
    """
    bag = s[layout.BAG]
    if chance[0] == 0:
        left = lane_sum(bag)
        totals = running_totals(bag)
        for i in range(number):
            drawn_kind_and_later = lanes_greater_than(totals, random_below(rng, left))
            chance[1 + i] = LANE_COUNT - popcount(drawn_kind_and_later)
            totals -= drawn_kind_and_later
            left -= 1
        bag = counts_from_totals(totals)
    else:
        for i in range(number):
            bag -= one_of(as_int(chance[1 + i]))
    chance[0] = number
    s[layout.BAG] = bag


# --- taking a line --------------------------------------------------------------------------------


@inlined
def take_line(s: Row, me: int, line: int) -> None:
    """Do `take a1 b1 c1`: docs/rules/duel.md, "A turn".

    Glassware is taken too: docs/rules/counterfeiters.md, "Changes to the turn", 1.
    """
    taken = 0
    for kind in range(Y):
        cells = s[layout.BOARD + kind] & line
        taken += popcount(cells) << (8 * kind)
        s[layout.BOARD + kind] ^= cells
    s[me + layout.TOKENS] += taken
    has_three_alike = taken & (taken >> 1) & LANE_ONES  # only a count of 3 has both low bits
    if has_three_alike or count_of(taken, P) >= 2:
        take_privilege(s, opponent(s), me)
    s[layout.PHASE] = layout.ACTION_DONE


# --- taking gold and reserving --------------------------------------------------------------------


@inlined
def take_gold(s: Row, me: int, cell: int) -> None:
    """Do `gold d4`: docs/rules/duel.md, "A turn"."""
    s[layout.BOARD + Y] ^= cell
    s[me + layout.TOKENS] += ONE_GOLD
    # C15: docs/rules/counterfeiters.md, "Counterfeiter cards"
    s[layout.RESERVES_LEFT] = 2 if has_bit(s[me + layout.COUNTERFEITERS_HELD], layout.C15) else 1
    s[layout.PHASE] = layout.RESERVE


@inlined
def reserve_face_up(s: Row, me: int, card: int) -> None:
    """Do `reserve J2-05`; both players have seen the card."""
    take_from_pyramid(s, card)
    reserve(s, me, card)
    add_card(s, layout.KNOWN + 2 * layout.EVERYONE, card)


@inlined
def reserve_from_deck(s: Row, me: int, deck: int) -> None:
    """Do `reserve deck2`."""
    card = draw_card(s, deck)
    remove_card(s, layout.KNOWN + 2 * s[layout.SEAT], card)  # owning it implies knowing it
    reserve(s, me, card)


@inlined
def reserve(s: Row, me: int, card: int) -> None:
    """Add a card to the reserve; with C15 another may follow."""
    add_to_reserve(s, me, card)
    s[layout.RESERVES_LEFT] -= 1
    s[layout.PHASE] = layout.ACTION_DONE
    if s[layout.RESERVES_LEFT] > 0:
        if can_reserve(s, me):
            s[layout.PHASE] = layout.RESERVE_MORE
        else:
            s[layout.RESERVES_LEFT] = 0


@inlined
def take_from_pyramid(s: Row, card: int) -> bool:
    """Remove a card from the pyramid and return whether it was there.

    The gap stays until the end of the turn: docs/rules/duel.md, "After the mandatory action", 5.
    """
    slots = find_equal(s, layout.SLOTS, layout.PYRAMID_SLOTS, priced_card(card))
    if slots == 0:
        return False
    s[layout.SLOTS + lowest_bit(slots)] = NO_CARD
    s[layout.GAPS] |= slots
    return True


@inlined
def forget_place(s: Row, card: int) -> None:
    """Remove a card that has become public from what anybody knows about decks and reserves."""
    if card < layout.JEWELS:
        for viewer in range(3):
            remove_card(s, layout.KNOWN + 2 * viewer, card)
