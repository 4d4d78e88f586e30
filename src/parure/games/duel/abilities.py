"""Abilities, crowns and royals of Duel: docs/rules/duel.md, "After the mandatory action", 2.

Royals R5 to R12: docs/rules/counterfeiters.md, "Royals R5 to R12".
"""

from __future__ import annotations

from parure.games.duel import layout
from parure.games.duel.actions import take_privilege, take_token
from parure.games.duel.legal import can_reserve, counterfeiter_menu, stealable_kinds
from parure.games.duel.row_access import cells_holding, draw_card, opponent
from parure.games.engine.arrays import Cards, Row
from parure.games.engine.bits import as_int, has_bit, one_of, popcount
from parure.games.engine.jit import inlined, outlined
from parure.games.engine.tokens import Y

ALL_BUT_GOLD = (1 << Y) - 1  # set of kinds


@inlined
def use_ability(s: Row, me: int, ability: int, color: int) -> None:
    """Apply the ability of a jewel or royal; if it needs a decision, enter its phase.

    `color` is that of the jewel.
    """
    if ability == layout.TAKES_TOKEN:
        # C16: docs/rules/counterfeiters.md, "Counterfeiter cards"
        has_c16 = has_bit(s[me + layout.COUNTERFEITERS_HELD], layout.C16)
        kinds = ALL_BUT_GOLD if has_c16 else 1 << color
        start_collecting(s, ability, kinds, 1 + as_int(has_c16), color)
    elif ability == layout.STEALS:
        if stealable_kinds(s):
            s[layout.PHASE] = layout.STEAL
    elif ability == layout.TAKES_PRIVILEGE:
        take_privilege(s, me, opponent(s))
    elif ability == layout.GOES_AGAIN:
        s[layout.AGAIN] = 1  # at most one extra turn comes of one turn
    elif ability != 0:
        use_royal_ability(s, me, ability)


@outlined
def use_royal_ability(s: Row, me: int, ability: int) -> None:
    """Enter the phase of an ability that only the royals R5 to R12 have.

    docs/rules/counterfeiters.md, "Royals R5 to R12"
    """
    if ability == layout.RESERVES:
        if can_reserve(s, me):
            s[layout.RESERVES_LEFT] = 1
            s[layout.PHASE] = layout.RESERVE
    elif ability == layout.TAKES_FOUR_ALIKE:
        start_collecting(s, ability, ALL_BUT_GOLD, 4, 0)
    elif ability == layout.TAKES_COUNTERFEITER:
        if counterfeiter_menu(s):
            s[layout.PHASE] = layout.COUNTERFEITER
    elif ability == layout.DRAWS_FROM_BAG:
        if s[layout.BAG]:
            s[layout.PHASE] = layout.DRAW
    elif ability == layout.TAKES_GOLD:
        start_collecting(s, ability, 1 << Y, 1, 0)
    elif ability == layout.TAKES_THREE:
        start_collecting(s, ability, ALL_BUT_GOLD, 3, 0)


# --- jokers ---------------------------------------------------------------------------------------


@inlined
def color_joker(s: Row, cards: Cards, me: int, color: int) -> None:
    """Do `color u`: docs/rules/duel.md, "After the mandatory action", 2."""
    card = s[layout.CARD]
    s[layout.CARD] = layout.EMPTY
    s[me + layout.BONUSES] += one_of(color)
    s[me + layout.SCORE_BY_COLOR] += cards[layout.POINTS, card] << (8 * color)
    s[me + layout.JOKER_COLORS] |= (color + 1) << (4 * joker_index(cards, card))
    s[layout.PHASE] = layout.ACTION_DONE


@inlined
def joker_index(cards: Cards, card: int) -> int:
    """Return the position of a joker among all jokers, counted from 0."""
    if card < layout.LEVEL_3:
        return popcount(cards[layout.JOKERS, 0] & ((1 << card) - 1))
    before = cards[layout.JOKERS, 1] & ((1 << (card - layout.LEVEL_3)) - 1)
    return popcount(cards[layout.JOKERS, 0]) + popcount(before)


# --- collecting tokens from the board -------------------------------------------------------------


@inlined
def start_collecting(s: Row, ability: int, kinds: int, number: int, color: int) -> None:
    """Enter phase `collect` for up to some tokens of a set of kinds, if the board holds one.

    `color` is that of the jewel that collects, 0 for a royal.
    """
    if cells_holding(s, kinds):
        s[layout.COLLECT_COLOR] = color
        s[layout.COLLECT_ABILITY] = ability
        s[layout.COLLECT_KINDS] = kinds
        s[layout.COLLECTS_LEFT] = number
        s[layout.PHASE] = layout.COLLECT


@inlined
def collect(s: Row, me: int, cell: int) -> None:
    """Do `collect b4`; another may follow.

    Never gives the opponent a privilege:
    docs/rules/counterfeiters.md, "Privileges, replacement and crowns", 1.
    """
    kind = take_token(s, me, cell)
    ability = s[layout.COLLECT_ABILITY]
    s[layout.COLLECTS_LEFT] -= 1
    if ability == layout.TAKES_FOUR_ALIKE:
        s[layout.COLLECT_KINDS] = 1 << kind
    elif ability == layout.TAKES_TOKEN:  # C16: a second token only of the card's color
        s[layout.COLLECT_KINDS] = 1 << kind if kind == s[layout.COLLECT_COLOR] else 0
    # docs/rules/README.md, "Decisions and phases", 2
    if s[layout.COLLECTS_LEFT] and cells_holding(s, s[layout.COLLECT_KINDS]):
        s[layout.PHASE] = layout.COLLECT_MORE
    else:
        finish_choosing(s)


@inlined
def finish_choosing(s: Row) -> None:
    """End phases in which several tokens are collected or several cards reserved."""
    s[layout.COLLECT_ABILITY] = 0
    s[layout.COLLECT_KINDS] = 0
    s[layout.COLLECT_COLOR] = 0
    s[layout.COLLECTS_LEFT] = 0
    s[layout.RESERVES_LEFT] = 0
    s[layout.PHASE] = layout.ACTION_DONE


# --- stealing -------------------------------------------------------------------------------------


@inlined
def steal(s: Row, me: int, kind: int) -> None:
    """Do `steal r`: docs/rules/duel.md, "After the mandatory action", 2."""
    s[me + layout.TOKENS] += one_of(kind)
    s[opponent(s) + layout.TOKENS] -= one_of(kind)
    s[layout.PHASE] = layout.ACTION_DONE


# --- crowns and royals: docs/rules/duel.md, "After the mandatory action", 3 -----------------------


@inlined
def gain_crowns(s: Row, me: int, crowns: int) -> None:
    """Add crowns; a royal is due on reaching 3, and again on reaching 6."""
    before = s[me + layout.CROWNS_HELD]
    after = before + crowns
    s[me + layout.CROWNS_HELD] = after
    s[layout.ROYALS_DUE] += as_int(before < 3 <= after) + as_int(before < 6 <= after)


@inlined
def take_royal(s: Row, cards: Cards, me: int, royal: int) -> None:
    """Do `royal R2`, and apply the royal's ability."""
    s[layout.FACE_UP_ROYALS] ^= 1 << royal
    s[me + layout.ROYALS_HELD] |= 1 << royal
    s[me + layout.SCORE] += cards[layout.POINTS, layout.FIRST_ROYAL + royal]
    # docs/rules/counterfeiters.md, "Privileges, replacement and crowns", 2
    if s[layout.IS_BRIBE]:
        s[layout.IS_BRIBE] = 0
        if s[layout.DECK_SIZES + layout.ROYAL_DECK]:
            s[layout.FACE_UP_ROYALS] |= 1 << draw_card(s, layout.ROYAL_DECK)
    else:
        s[layout.ROYALS_DUE] -= 1
    s[layout.PHASE] = layout.ACTION_DONE
    use_ability(s, me, cards[layout.ABILITY, layout.FIRST_ROYAL + royal], layout.COLORLESS)
