"""The rules of Splendor Duel, with The Counterfeiters as an option.

This module follows docs/rules/duel.md, "Splendor Duel": set-up, what a decision does, the steps
after the mandatory action, the end of a turn. The decisions are carried out by :mod:`.actions`,
:mod:`.purchase`, :mod:`.abilities` and :mod:`.counterfeiters`; :mod:`.legal` lists the legal ones,
and :mod:`.hidden` makes views.

Functions take the state `s`, a row of words whose fields are named in :mod:`.layout`, and the card
table `cards`; `me` and `them` are the offsets of the seat to move and of its opponent. A decision
is not checked: it must be one that :func:`~parure.games.duel.legal.legal` lists.
"""

from __future__ import annotations

import numpy as np

from parure.games.duel import decisions, layout
from parure.games.duel.abilities import (
    collect,
    color_joker,
    finish_choosing,
    steal,
    take_royal,
)
from parure.games.duel.actions import (
    draw_from_bag,
    forget_place,
    replenish,
    reserve_face_up,
    reserve_from_deck,
    take_gold,
    take_line,
    take_privilege,
    use_privilege,
)
from parure.games.duel.card_table import NO_CARD
from parure.games.duel.counterfeiters import (
    bottom,
    gain_counterfeiter,
    keep,
    peek,
    take_from_row,
)
from parure.games.duel.hidden import determinize, hide
from parure.games.duel.legal import (
    bribe_cost,
    card_in_place,
    legal,
    uncounted_lanes,
    usable_counterfeiters,
)
from parure.games.duel.paying import discounted_price, price_of, step_after_discount
from parure.games.duel.purchase import offer_payment, pay, set_price
from parure.games.duel.row_access import (
    DECK_ENDS,
    DECK_STARTS,
    SPIRAL,
    draw_card,
    mover,
    opponent,
    priced_card,
    put_card,
    shuffle_deck,
)
from parure.games.engine.arrays import Cards, Chance, Mask, Menu, Rng, Row
from parure.games.engine.batch_loops import batch_loops
from parure.games.engine.bits import (
    GLASS_SHIFT,
    LANE_HIGH_BITS,
    LANE_ONES,
    as_int,
    has_bit,
    lane_sum,
    lowest_bit,
    nth_bit,
    one_of,
    popcount,
)
from parure.games.engine.jit import inlined, kernel, outlined
from parure.games.engine.rng import random_below
from parure.games.engine.tokens import P, pack

__all__ = [
    "apply",
    "apply_each",
    "choose",
    "choose_many",
    "deal",
    "determinize",
    "hide",
    "legal",
    "legal_ids",
    "playout",
    "playout_many",
    "playout_recorded",
    "replay_many",
    "set_up",
]

ALL_SLOTS = layout.PYRAMID_SLOTS + layout.COUNTERFEITER_SLOTS
SLOT_DECKS = np.array(
    [level for level, slots in enumerate(layout.PYRAMID) for _ in range(slots)]
    + [layout.COUNTERFEITER_DECK] * layout.COUNTERFEITER_SLOTS
)
PEARL_AND_GOLD_LANES = pack([0, 0, 0, 0, 0, 0x7F, 0, 0x7F])
ALL_PEARLS_AND_GOLD = layout.TOTAL_TOKENS & PEARL_AND_GOLD_LANES


# --- docs/rules/duel.md, "Set-up" and docs/rules/counterfeiters.md, "Set-up" ----------------------


@kernel
def deal(s: Row, rng: Rng, chance: Chance) -> None:
    """Set up a new game at random, with the options that the row already holds."""
    reset(s)
    chance[0] = 0
    for deck in range(layout.DECKS):
        first_card = 0 if deck == layout.ROYAL_DECK else DECK_STARTS[deck]
        shuffle_deck(s, deck, first_card, rng)
    replenish(s, rng, chance)
    start(s)


@kernel
def set_up(s: Row, deck_cards: Row, board: Row) -> None:
    """Set up a new game with given cards in all decks and given tokens along the spiral."""
    reset(s)
    for index in range(len(deck_cards)):
        put_card(s, index, deck_cards[index])
    for i in range(layout.CELLS):
        s[layout.BOARD + board[i]] |= 1 << SPIRAL[i]
        s[layout.BAG] -= one_of(board[i])
    start(s)


@inlined
def reset(s: Row) -> None:
    """Clear all but the options: all tokens in the bag, all decks complete but without cards."""
    for word in range(layout.OPTION_WORDS, layout.ROW_WORDS):
        s[word] = 0
    s[layout.CARD] = layout.EMPTY
    for slot in range(ALL_SLOTS):
        s[layout.SLOTS + slot] = NO_CARD
    for i in range(layout.MAX_RESERVED):
        s[layout.SEATS + layout.RESERVED + i] = NO_CARD
        s[layout.SEATS + layout.SEAT_WORDS + layout.RESERVED + i] = NO_CARD
    for deck in range(layout.JEWEL_DECKS):
        s[layout.DECK_SIZES + deck] = DECK_ENDS[deck] - DECK_STARTS[deck]
    if s[layout.WITH_COUNTERFEITERS]:
        s[layout.BAG] = layout.TOTAL_TOKENS_WITH_GLASS
        s[layout.DECK_SIZES + layout.COUNTERFEITER_DECK] = layout.COUNTERFEITERS
        s[layout.DECK_SIZES + layout.ROYAL_DECK] = layout.ROYALS
        s[layout.GAPS] = (1 << ALL_SLOTS) - 1
    else:
        s[layout.BAG] = layout.TOTAL_TOKENS
        s[layout.FACE_UP_ROYALS] = (1 << layout.BASE_ROYALS) - 1
        s[layout.GAPS] = (1 << layout.PYRAMID_SLOTS) - 1


@inlined
def start(s: Row) -> None:
    """Reveal cards and start the first turn, once the decks and the board are filled."""
    refill(s)
    if s[layout.WITH_COUNTERFEITERS]:
        for _ in range(layout.ROYAL_SLOTS):
            s[layout.FACE_UP_ROYALS] |= 1 << draw_card(s, layout.ROYAL_DECK)
    s[layout.SEATS + layout.SEAT_WORDS + layout.PRIVILEGES] = 1  # of seat 1
    start_turn(s)


# --- docs/rules/duel.md, "A turn" -----------------------------------------------------------------


@kernel
def apply(s: Row, cards: Cards, decision: int, rng: Rng, chance: Chance) -> None:
    """Apply a legal decision and everything that follows, up to the next decision.

    The tokens that chance brings are written to `chance`: their number, then the kind of each. If
    the number is not zero at the start, chance brings the listed tokens instead of random ones.
    """
    verb = as_int(decisions.VERB[decision & decisions.DECISION_MASK])
    argument = as_int(decisions.ARGUMENT[decision & decisions.DECISION_MASK])
    apply_verb(s, cards, verb, argument, rng, chance)


@inlined
def apply_verb(s: Row, cards: Cards, verb: int, argument: int, rng: Rng, chance: Chance) -> None:
    """Like `apply`, but takes the verb and argument of the decision. Frequent verbs come first."""
    me = mover(s)
    s[layout.CLAIMABLE] = 0  # docs/rules/duel.md, "Anti-blocking", 3
    if verb == decisions.TAKE:
        take_line(s, me, argument)
    elif verb == decisions.BUY:
        set_price(s, argument, price_of(cards, argument, s[me + layout.BONUSES]), 0)
        clear_warning(s, me)
    elif verb == decisions.RESERVE:
        reserve_face_up(s, me, argument)
    elif verb == decisions.RESERVE_DECK:
        reserve_from_deck(s, me, argument)
    elif verb == decisions.GOLD:
        take_gold(s, me, argument)
    elif verb == decisions.PRIVILEGE:
        use_privilege(s, cards, me, argument)
    elif verb == decisions.REPLENISH:
        replenish(s, rng, chance)
        s[layout.REPLENISHED] = 1
        take_privilege(s, opponent(s), me)
    elif verb == decisions.DISCARD:
        discard(s, me, argument)
    elif verb == decisions.GOLD_FOR:
        s[layout.GOLD_LAID] += one_of(argument)
        s[layout.PAY_STEP] = decisions.GOLD_FOR_BIT + argument
        s[layout.PHASE] = layout.PAYMENT_OPEN
    elif verb == decisions.PAY:
        s[layout.PHASE] = layout.PAYMENT_CHOSEN
    elif verb == decisions.COLLECT:
        collect(s, me, argument)
    elif verb == decisions.STEAL:
        steal(s, me, argument)
    elif verb == decisions.COLOR:
        color_joker(s, cards, me, argument)
    elif verb == decisions.ROYAL:
        take_royal(s, cards, me, argument)
    elif verb == decisions.CLAIM:
        end_game(s, 1 << s[layout.SEAT], layout.CLAIM_REASON)
    elif verb == decisions.PASS:
        # The window follows: docs/rules/counterfeiters.md, "The window", 3
        s[layout.PHASE] = layout.ACTION_DONE
    else:
        apply_counterfeiter_verb(s, cards, me, verb, argument, rng, chance)

    if s[layout.PHASE] == layout.PAYMENT_OPEN:
        offer_payment(s, cards, me)
    if s[layout.PHASE] == layout.PAYMENT_CHOSEN:
        pay(s, cards, me)
    if s[layout.PHASE] == layout.ACTION_DONE:
        continue_turn(s, me)


@outlined
def apply_counterfeiter_verb(
    s: Row, cards: Cards, me: int, verb: int, argument: int, rng: Rng, chance: Chance
) -> None:
    """Apply a decision that exists only with The Counterfeiters."""
    s[layout.PHASE], phase = layout.ACTION_DONE, s[layout.PHASE]
    if verb == decisions.DISCOUNT:
        s[layout.PRICE] = discounted_price(s[layout.PRICE], cards, argument)
        s[layout.PAY_STEP], s[layout.PAY_USES] = step_after_discount(s, argument)
        s[layout.PHASE] = layout.PAYMENT_OPEN
    elif verb == decisions.USE:
        if argument == layout.C09:
            glass = bribe_cost(s, me)
        else:
            glass = 2 if argument == layout.C17 else 1
        # docs/rules/counterfeiters.md, "The window", 4
        set_price(s, argument, glass << GLASS_SHIFT, decisions.GOLD_FOR_BIT)
        s[layout.IS_USE] = 1
    elif verb == decisions.DECK:
        peek(s, argument)
    elif verb == decisions.KEEP:
        keep(s, me, argument)
    elif verb == decisions.BOTTOM:
        bottom(s, argument)
    elif verb == decisions.COUNTERFEITER:
        take_from_row(s, argument)
        gain_counterfeiter(s, cards, me, argument)
    elif verb == decisions.COUNTERFEITER_DECK:
        card = draw_card(s, layout.COUNTERFEITER_DECK)
        gain_counterfeiter(s, cards, me, card - layout.FIRST_COUNTERFEITER)
    elif verb == decisions.DRAW:
        draw_from_bag(s, argument, rng, chance)
        for i in range(argument):
            s[me + layout.TOKENS] += one_of(as_int(chance[1 + i]))
    elif verb == decisions.DONE and phase == layout.SECOND:
        s[layout.PHASE] = layout.TURN
    elif verb == decisions.DONE and phase == layout.WINDOW:
        s[layout.WINDOW_IS_PAST] = 1
    elif verb == decisions.DONE:
        finish_choosing(s)


# --- docs/rules/duel.md, "After the mandatory action" ---------------------------------------------


@inlined
def continue_turn(s: Row, me: int) -> None:
    """Enter the next phase that applies: royal, window, discard; or end the turn.

    docs/rules/counterfeiters.md, "The window", 5
    """
    # docs/rules/duel.md, "After the mandatory action", 3
    if s[layout.ROYALS_DUE]:
        if s[layout.FACE_UP_ROYALS]:
            s[layout.PHASE] = layout.ROYAL
            return
        s[layout.ROYALS_DUE] = 0
    # docs/rules/counterfeiters.md, "The window"
    if s[layout.WITH_COUNTERFEITERS] and not s[layout.WINDOW_IS_PAST]:
        if usable_counterfeiters(s, me):
            s[layout.PHASE] = layout.WINDOW
            return
        s[layout.WINDOW_IS_PAST] = 1
    # docs/rules/duel.md, "After the mandatory action", 4
    if lane_sum(s[me + layout.TOKENS] & ~uncounted_lanes(s, me)) > layout.TOKEN_LIMIT:
        s[layout.PHASE] = layout.DISCARD
        return
    end_turn(s, me)


@inlined
def discard(s: Row, me: int, kind: int) -> None:
    """Do `discard k`: docs/rules/duel.md, "After the mandatory action", 4."""
    s[me + layout.TOKENS] -= one_of(kind)
    s[layout.BAG] += one_of(kind)
    if kind == P:
        clear_warning(s, me)
    s[layout.PHASE] = layout.ACTION_DONE


@inlined
def end_turn(s: Row, me: int) -> None:
    """Refill, check for the end of the game, and start the next turn."""
    refill(s)
    s[layout.TURNS] += 1
    reason = victory(s, me)
    if reason:
        end_game(s, 1 << s[layout.SEAT], reason)
    elif s[layout.TURNS] >= layout.MAX_TURNS:  # docs/rules/duel.md, "Length"
        end_game(s, 0, layout.LIMIT_REASON)
    else:
        if not s[layout.AGAIN]:  # docs/rules/duel.md, "After the mandatory action", 7
            s[layout.SEAT] = 1 - s[layout.SEAT]
        start_turn(s)


@inlined
def refill(s: Row) -> None:
    """Fill the gaps in the pyramid and the Counterfeiter row from their decks.

    docs/rules/duel.md, "After the mandatory action", 5 and
    docs/rules/counterfeiters.md, "Changes to the turn", 5.
    """
    while s[layout.GAPS]:
        slot = lowest_bit(s[layout.GAPS])
        s[layout.GAPS] &= s[layout.GAPS] - 1
        card = draw_card(s, SLOT_DECKS[slot])
        s[layout.SLOTS + slot] = priced_card(card)
        if s[layout.WITH_COUNTERFEITERS]:  # C17 may have shown the card in its deck
            forget_place(s, card)


@inlined
def victory(s: Row, me: int) -> int:
    """Return the first reason for which the seat to move wins; 0 if there is none.

    docs/rules/duel.md, "After the mandatory action", 6
    """
    royals = s[me + layout.ROYALS_HELD]
    color_goal = layout.COLOR_GOAL - as_int(has_bit(royals, layout.R6))
    crowns_goal = layout.CROWNS_GOAL - as_int(has_bit(royals, layout.R7))
    if s[me + layout.SCORE] >= layout.GOAL:
        return layout.POINTS_REASON
    if s[me + layout.CROWNS_HELD] >= crowns_goal:
        return layout.CROWNS_REASON
    # The addition sets the high bit of each lane that reaches the goal.
    if (s[me + layout.SCORE_BY_COLOR] + (0x80 - color_goal) * LANE_ONES) & LANE_HIGH_BITS:
        return layout.COLOR_REASON
    return 0


@inlined
def end_game(s: Row, winners: int, reason: int) -> None:
    """End the game; `winners` is a set of seats."""
    s[layout.PHASE] = layout.OVER
    s[layout.WINNERS] = winners
    s[layout.REASON] = reason


@inlined
def start_turn(s: Row) -> None:
    """Start a turn, or an extra turn, of the seat to move."""
    s[layout.PHASE] = layout.TURN
    s[layout.REPLENISHED] = 0
    s[layout.AGAIN] = 0
    s[layout.USED] = 0
    s[layout.WINDOW_IS_PAST] = 0
    if s[layout.ANTI_BLOCKING]:
        update_warnings(s, mover(s), opponent(s))


# --- docs/rules/duel.md, "Anti-blocking" ----------------------------------------------------------


@outlined
def update_warnings(s: Row, me: int, them: int) -> None:
    """Offer `claim`, count and warn at the start of a turn."""
    # docs/rules/duel.md, "Anti-blocking", 3
    s[layout.CLAIMABLE] = s[them + layout.IS_WARNED]
    s[them + layout.IS_WARNED] = 0
    # docs/rules/duel.md, "Anti-blocking", 1
    if s[me + layout.TOKENS] & PEARL_AND_GOLD_LANES == ALL_PEARLS_AND_GOLD:
        s[me + layout.BLOCKED_TURNS] += 1
    else:
        s[me + layout.BLOCKED_TURNS] = 0
    # docs/rules/duel.md, "Anti-blocking", 2
    if s[me + layout.BLOCKED_TURNS] >= 3:
        s[me + layout.IS_WARNED] = 1


@inlined
def clear_warning(s: Row, me: int) -> None:
    """End the warning, because the seat buys a card or discards a pearl.

    docs/rules/duel.md, "Anti-blocking", 4
    """
    s[me + layout.IS_WARNED] = 0


# --- lists of decisions, random decisions ---------------------------------------------------------


@kernel
def legal_ids(s: Row, cards: Cards, menu: Menu, ids: Row) -> int:
    """Write all legal decisions to `ids` and return their number."""
    number = legal(s, cards, menu)
    phase = s[layout.PHASE]
    written = 0
    for word in range(menu_words(phase)):
        bits = menu[word]
        while bits:
            ids[written] = decision_at(s, phase, 64 * word + lowest_bit(bits))
            written += 1
            bits &= bits - 1
    return number


@inlined
def menu_words(phase: int) -> int:
    """Return the number of words of a phase's menu."""
    if phase == layout.TURN:
        return decisions.MENU_WORDS
    return 2 if phase == layout.KEEP or phase == layout.BOTTOM else 1


@inlined
def decision_at(s: Row, phase: int, bit: int) -> int:
    """Return the decision that a bit of a phase's menu stands for."""
    decision = as_int(decisions.DECISION_AT[phase & decisions.PHASE_MASK, bit & decisions.BIT_MASK])
    if decision >= 0:
        return decision
    card = card_in_place(s, mover(s), -1 - decision)
    if phase != layout.TURN:
        return decisions.FIRST_RESERVE + card
    if card < layout.JEWELS:
        return decisions.FIRST_BUY + card
    return decisions.FIRST_BUY_COUNTERFEITER + card


@kernel
def choose(s: Row, cards: Cards, rng: Rng, menu: Menu) -> int:
    """Return a random legal decision, each equally likely."""
    bit = random_menu_bit(s, cards, rng, menu)
    return decision_at(s, s[layout.PHASE], bit)


@inlined
def random_menu_bit(s: Row, cards: Cards, rng: Rng, menu: Menu) -> int:
    """Return a random bit of the menu of the current phase, each equally likely."""
    n = random_below(rng, legal(s, cards, menu))
    word = 0
    if s[layout.PHASE] == layout.TURN:
        skipped = 0
        counted = 0
        for i in range(decisions.LAST_WORD):  # without branches: they would be mispredicted
            counted += popcount(menu[i])
            is_past = n >= counted
            word += as_int(is_past)
            skipped = counted if is_past else skipped
        n -= skipped
    elif n >= popcount(menu[0]):
        n -= popcount(menu[0])
        word = 1
    word &= decisions.WORD_MASK
    return 64 * word + nth_bit(menu[word], n)


@kernel
def playout(s: Row, cards: Cards, rng: Rng, menu: Menu, chance: Chance) -> int:
    """Play random decisions until the game is over and return their number.

    Menu bits are looked up as verb and argument, which is faster than `choose` and `apply`.
    """
    number = 0
    while s[layout.PHASE] != layout.OVER:
        bit = random_menu_bit(s, cards, rng, menu) & decisions.BIT_MASK
        phase = s[layout.PHASE] & decisions.PHASE_MASK
        verb = as_int(decisions.VERB_AT[phase, bit])
        argument = as_int(decisions.ARGUMENT_AT[phase, bit])
        if argument < 0:
            argument = card_in_place(s, mover(s), -1 - argument)
        chance[0] = 0
        apply_verb(s, cards, verb, argument, rng, chance)
        number += 1
    return number


# --- many games in one call, see `batch_loops` ----------------------------------------------------

_loops = batch_loops(layout, deal, apply, choose, playout, legal_ids)
_playout_many, _apply_each, _choose_many, _playout_recorded, _replay_many = _loops


@kernel
def playout_many(s: Row, cards: Cards, rngs: Rng, menu: Menu, chance: Chance, results: Row) -> None:
    """Play a random game from each generator and write a row of results."""
    _playout_many(s, cards, rngs, menu, chance, results)


@kernel
def apply_each(rows: Row, cards: Cards, chosen: Row, rng: Rng, chance: Chance) -> None:
    """Apply one decision to each row."""
    _apply_each(rows, cards, chosen, rng, chance)


@kernel
def choose_many(rows: Row, cards: Cards, rngs: Rng, menu: Menu, chosen: Row) -> None:
    """Write a random legal decision for each row; 0 where the game is over."""
    _choose_many(rows, cards, rngs, menu, chosen)


@kernel
def playout_recorded(
    s: Row, cards: Cards, rng: Rng, menu: Menu, chance: Chance, ids: Row, drawn: Chance
) -> int:
    """Play random decisions until the game is over, write them, and return their number."""
    return _playout_recorded(s, cards, rng, menu, chance, ids, drawn)


@kernel
def replay_many(
    s: Row,
    cards: Cards,
    decisions: Row,
    first: int,
    rng: Rng,
    menu: Menu,
    ids: Row,
    chance: Chance,
    rows: Row,
    masks: Mask,
) -> int:
    """Apply recorded decisions and write every state and what is legal in it."""
    return _replay_many(s, cards, decisions, first, rng, menu, ids, chance, rows, masks)
