"""The rules of Splendor Duel, with The Counterfeiters as an option.

Set-up, what a decision does, what follows it, the end of a turn; what is legal stands in
:mod:`.legal`, the single actions in :mod:`.actions`. Functions take the state as `s`, a row of
words whose fields are named in :mod:`.layout`, and the card table `cards`; `me` and `them` are the
offsets of two seats in the row. Nothing here checks a decision: it must be one that
:func:`~parure.games.duel.legal.legal` lists.
"""

from __future__ import annotations

import numpy as np

from parure.games.duel import decisions, layout
from parure.games.duel.actions import (
    collect,
    color_joker,
    draw_from_bag,
    forget,
    gain_counterfeiter,
    keep,
    look_at_deck,
    pay,
    put_under,
    replenish,
    reserve,
    settle,
    start_paying,
    stop_choosing,
    take_from_pyramid,
    take_from_row,
    take_line,
    take_privilege,
    take_royal,
    use_privilege,
)
from parure.games.duel.card_table import NO_CARD
from parure.games.duel.hidden import determinize, hide
from parure.games.duel.legal import bribe, card_in, legal, uncounted, usable
from parure.games.duel.paying import after_discount, discounted, price_of
from parure.games.duel.row_access import (
    DECK_ENDS,
    DECK_STARTS,
    SPIRAL,
    add_card,
    card_at,
    draw_card,
    mover,
    opponent,
    priced_card,
    put_card,
    remove_card,
    top_index,
)
from parure.games.engine.arrays import Cards, Chance, Menu, Rng, Row
from parure.games.engine.bits import (
    GLASS_SHIFT,
    LANE_HIGH_BITS,
    LANE_ONES,
    ONE_GOLD,
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
from parure.games.engine.tokens import P, Y

__all__ = [
    "apply",
    "apply_each",
    "choose",
    "choose_many",
    "deal",
    "determinize",
    "hide",
    "lay_out",
    "legal",
    "legal_ids",
    "playout",
    "playout_many",
]

SLOT_DECKS = np.array([0] * 5 + [1] * 4 + [2] * 3 + [layout.COUNTERFEITER_DECK] * 3)
PEARL_AND_GOLD_LANES = 0x7F * (1 << 8 * P) + 0x7F * ONE_GOLD
ALL_PEARLS_AND_GOLD = 2 * (1 << 8 * P) + 3 * ONE_GOLD


# --- set-up ---------------------------------------------------------------------------------------


@inlined
def clear_table(s: Row) -> None:
    """A table before the set-up: everything in the bag, the decks whole but not yet laid."""
    for word in range(layout.OPTION_WORDS, layout.ROW_WORDS):
        s[word] = 0
    s[layout.CARD] = layout.EMPTY
    s[layout.BAG] = 0x0300_0204_0404_0404
    s[layout.FACE_UP_ROYALS] = 0b1111
    s[layout.GAPS] = (1 << layout.PYRAMID_SLOTS) - 1
    for deck in range(3):
        s[layout.DECK_SIZES + deck] = DECK_ENDS[deck] - DECK_STARTS[deck]
    for slot in range(15):
        s[layout.SLOTS + slot] = NO_CARD
    for i in range(layout.MAX_RESERVED):
        s[layout.SEATS + layout.RESERVED + i] = NO_CARD
        s[layout.SEATS + layout.SEAT_WORDS + layout.RESERVED + i] = NO_CARD
    if s[layout.WITH_COUNTERFEITERS]:
        s[layout.BAG] += 4 << GLASS_SHIFT
        s[layout.FACE_UP_ROYALS] = 0
        s[layout.GAPS] = (1 << 15) - 1
        s[layout.DECK_SIZES + layout.COUNTERFEITER_DECK] = layout.COUNTERFEITERS
        s[layout.DECK_SIZES + layout.ROYAL_DECK] = layout.ROYALS


@inlined
def shuffle(s: Row, deck: int, rng: Rng) -> None:
    """Lay the cards of a whole deck in random order."""
    left = (1 << s[layout.DECK_SIZES + deck]) - 1
    first_card = 0 if deck == layout.ROYAL_DECK else DECK_STARTS[deck]
    end = DECK_ENDS[deck]
    for place in range(top_index(s, deck), end):
        card = nth_bit(left, random_below(rng, end - place))
        left ^= 1 << card
        put_card(s, place, first_card + card)


@inlined
def open_table(s: Row) -> None:
    """Reveal the first cards and begin, decks and board being ready."""
    refill(s)
    if s[layout.WITH_COUNTERFEITERS]:
        for _ in range(4):
            s[layout.FACE_UP_ROYALS] |= 1 << draw_card(s, layout.ROYAL_DECK)
    s[layout.SEATS + layout.SEAT_WORDS + layout.PRIVILEGES] = 1  # seat 1's
    begin_turn(s)


@kernel
def deal(s: Row, rng: Rng, chance: Chance) -> None:
    """A new game, shuffled, with the options that stand in the row."""
    clear_table(s)
    chance[0] = 0
    for deck in range(layout.DECKS):
        shuffle(s, deck, rng)
    replenish(s, rng, chance)
    open_table(s)


@kernel
def lay_out(s: Row, places: Row, board: Row) -> None:
    """A new game with the given cards in the decks' places and tokens along the spiral."""
    clear_table(s)
    for place in range(len(places)):
        put_card(s, place, places[place])
    for i in range(layout.CELLS):
        s[layout.BOARD + board[i]] |= 1 << SPIRAL[i]
        s[layout.BAG] -= one_of(board[i])
    open_table(s)


# --- what a decision does -------------------------------------------------------------------------


@kernel
def apply(s: Row, cards: Cards, decision: int, rng: Rng, chance: Chance) -> None:
    """Do a legal decision and all that follows from it, up to the next one.

    What chance brings is written to `chance`: a count, then the kinds. If the count is not zero
    when the decision comes, these tokens come out of the bag instead of random ones.
    """
    verb = as_int(decisions.VERB[decision & decisions.DECISION_MASK])
    what = as_int(decisions.ARGUMENT[decision & decisions.DECISION_MASK])
    act(s, cards, verb, what, rng, chance)


@inlined
def act(s: Row, cards: Cards, verb: int, what: int, rng: Rng, chance: Chance) -> None:
    """The same, the decision being given as its verb and argument."""
    me = mover(s)
    s[layout.CLAIMABLE] = 0
    if verb == decisions.TAKE:
        take_line(s, me, what)
    elif verb == decisions.BUY:
        start_paying(s, what, price_of(cards, what, s[me + layout.BONUSES]), 0)
        answer_warning(s, me)
    elif verb == decisions.RESERVE:
        take_from_pyramid(s, what)
        reserve(s, me, what)
        add_card(s, layout.KNOWN + 2 * layout.EVERYONE, what)
    elif verb == decisions.RESERVE_DECK:
        card = draw_card(s, what)
        remove_card(s, layout.KNOWN + 2 * s[layout.SEAT], card)  # its owner knows it anyhow
        reserve(s, me, card)
    elif verb == decisions.GOLD:
        s[layout.BOARD + Y] ^= what
        s[me + layout.TOKENS] += ONE_GOLD
        s[layout.RESERVES_LEFT] = (
            2 if has_bit(s[me + layout.COUNTERFEITERS_HELD], decisions.C15) else 1
        )
        s[layout.PHASE] = layout.RESERVE
    elif verb == decisions.PRIVILEGE:
        use_privilege(s, cards, me, what)
    elif verb == decisions.REPLENISH:
        replenish(s, rng, chance)
        s[layout.REPLENISHED] = 1
        take_privilege(s, opponent(s), me)
    elif verb == decisions.DISCARD:
        s[me + layout.TOKENS] -= one_of(what)
        s[layout.BAG] += one_of(what)
        if what == P:
            answer_warning(s, me)
        s[layout.PHASE] = layout.GOING_ON
    elif verb == decisions.GOLD_FOR:
        s[layout.GOLD_LAID] += one_of(what)
        s[layout.PAY_STEP] = decisions.GOLD_FOR_BIT + what
        s[layout.PHASE] = layout.SETTLING
    elif verb == decisions.PAY:
        s[layout.PHASE] = layout.PAYING
    elif verb == decisions.COLLECT:
        collect(s, me, what)
    elif verb == decisions.STEAL:
        s[me + layout.TOKENS] += one_of(what)
        s[opponent(s) + layout.TOKENS] -= one_of(what)
        s[layout.PHASE] = layout.GOING_ON
    elif verb == decisions.COLOR:
        color_joker(s, cards, me, what)
    elif verb == decisions.ROYAL:
        take_royal(s, cards, me, what)
    elif verb == decisions.CLAIM:
        end_game(s, 1 << s[layout.SEAT], layout.CLAIM_REASON)
    elif verb == decisions.PASS:
        s[layout.PHASE] = layout.GOING_ON
    else:
        apply_counterfeiters(s, cards, me, verb, what, rng, chance)

    if s[layout.PHASE] == layout.SETTLING:
        settle(s, cards, me)
    if s[layout.PHASE] == layout.PAYING:
        pay(s, cards, me)
    if s[layout.PHASE] == layout.GOING_ON:
        go_on(s, me)


@outlined
def apply_counterfeiters(
    s: Row, cards: Cards, me: int, verb: int, what: int, rng: Rng, chance: Chance
) -> None:
    """The decisions that only The Counterfeiters know."""
    s[layout.PHASE], phase = layout.GOING_ON, s[layout.PHASE]
    if verb == decisions.DISCOUNT:
        s[layout.PRICE] = discounted(s[layout.PRICE], cards, what)
        s[layout.PAY_STEP], s[layout.PAY_USES] = after_discount(s, what)
        s[layout.PHASE] = layout.SETTLING
    elif verb == decisions.USE:
        glass = bribe(s, me) if what == decisions.C09 else 2 if what == decisions.C17 else 1
        start_paying(s, what, glass << GLASS_SHIFT, decisions.GOLD_FOR_BIT)
        s[layout.IS_USE] = 1
    elif verb == decisions.DECK:
        look_at_deck(s, what)
    elif verb == decisions.KEEP:
        keep(s, me, what)
    elif verb == decisions.BOTTOM:
        if card_at(s, top_index(s, s[layout.PEEK_DECK])) != what:
            put_under(s, s[layout.PEEK_DECK], 1)
            put_under(s, s[layout.PEEK_DECK], 0)
        else:
            put_under(s, s[layout.PEEK_DECK], 0)
            put_under(s, s[layout.PEEK_DECK], 0)
        s[layout.PEEKED] = 0
        s[layout.PEEK_DECK] = 0
    elif verb == decisions.COUNTERFEITER:
        take_from_row(s, what)
        gain_counterfeiter(s, cards, me, what)
    elif verb == decisions.COUNTERFEITER_DECK:
        card = draw_card(s, layout.COUNTERFEITER_DECK)
        gain_counterfeiter(s, cards, me, card - layout.FIRST_COUNTERFEITER)
    elif verb == decisions.DRAW:
        draw_from_bag(s, what, rng, chance)
        for i in range(what):
            s[me + layout.TOKENS] += one_of(as_int(chance[1 + i]))
    elif verb == decisions.DONE and phase == layout.SECOND:
        s[layout.PHASE] = layout.TURN
    elif verb == decisions.DONE and phase == layout.WINDOW:
        s[layout.WINDOW_IS_PAST] = 1
    elif verb == decisions.DONE:
        stop_choosing(s)


# --- what follows ---------------------------------------------------------------------------------


@inlined
def go_on(s: Row, me: int) -> None:
    """After the mandatory action and whatever it caused: royals, window, discard, end of turn."""
    if s[layout.ROYALS_DUE]:
        if s[layout.FACE_UP_ROYALS]:
            s[layout.PHASE] = layout.ROYAL
            return
        s[layout.ROYALS_DUE] = 0
    if s[layout.WITH_COUNTERFEITERS] and not s[layout.WINDOW_IS_PAST]:
        if usable(s, me):
            s[layout.PHASE] = layout.WINDOW
            return
        s[layout.WINDOW_IS_PAST] = 1
    if lane_sum(s[me + layout.TOKENS] & ~uncounted(s, me)) > layout.TOKEN_LIMIT:
        s[layout.PHASE] = layout.DISCARD
        return
    end_turn(s, me)


@inlined
def end_turn(s: Row, me: int) -> None:
    """Refill, victory, limit, and whose turn is next."""
    refill(s)
    s[layout.TURNS] += 1
    reason = victory(s, me)
    if reason:
        end_game(s, 1 << s[layout.SEAT], reason)
    elif s[layout.TURNS] >= layout.MAX_TURNS:
        end_game(s, 0, layout.LIMIT_REASON)
    else:
        if not s[layout.AGAIN]:
            s[layout.SEAT] = 1 - s[layout.SEAT]
        begin_turn(s)


@inlined
def refill(s: Row) -> None:
    """Gaps in the pyramid and the Counterfeiter row are filled from their decks."""
    while s[layout.GAPS]:
        slot = lowest_bit(s[layout.GAPS])
        s[layout.GAPS] &= s[layout.GAPS] - 1
        card = draw_card(s, SLOT_DECKS[slot])
        s[layout.SLOTS + slot] = priced_card(card)
        if s[layout.WITH_COUNTERFEITERS]:  # C17 may have shown where it lay
            forget(s, card)


@inlined
def victory(s: Row, me: int) -> int:
    """Why the player to move wins, the first reason that holds; 0 if none does."""
    royals = s[me + layout.ROYALS_HELD]
    color_goal = layout.COLOR_GOAL - as_int(has_bit(royals, layout.R6))
    if s[me + layout.SCORE] >= layout.GOAL:
        return layout.POINTS_REASON
    if s[me + layout.CROWNS_HELD] >= layout.CROWNS_GOAL - as_int(has_bit(royals, layout.R7)):
        return layout.CROWNS_REASON
    if (
        s[me + layout.SCORE_BY_COLOR] + (0x80 - color_goal) * LANE_ONES
    ) & LANE_HIGH_BITS:  # in any lane
        return layout.COLOR_REASON
    return 0


@inlined
def end_game(s: Row, winners: int, reason: int) -> None:
    """The game is over."""
    s[layout.PHASE] = layout.OVER
    s[layout.WINNERS] = winners
    s[layout.REASON] = reason


@inlined
def begin_turn(s: Row) -> None:
    """A new turn of the seat to move, an extra one too."""
    s[layout.PHASE] = layout.TURN
    s[layout.REPLENISHED] = 0
    s[layout.AGAIN] = 0
    s[layout.USED] = 0
    s[layout.WINDOW_IS_PAST] = 0
    if s[layout.ANTI_BLOCKING]:
        watch_for_blocking(s, mover(s), opponent(s))


# --- the option "anti-blocking" -------------------------------------------------------------------


@outlined
def watch_for_blocking(s: Row, me: int, them: int) -> None:
    """Count turns begun with all gold and pearls; an unanswered warning may be claimed."""
    s[layout.CLAIMABLE] = s[them + layout.IS_WARNED]
    s[them + layout.IS_WARNED] = 0
    if s[me + layout.TOKENS] & PEARL_AND_GOLD_LANES == ALL_PEARLS_AND_GOLD:
        s[me + layout.BLOCKED_TURNS] += 1
    else:
        s[me + layout.BLOCKED_TURNS] = 0
    if s[me + layout.BLOCKED_TURNS] >= 3:
        s[me + layout.IS_WARNED] = 1


@inlined
def answer_warning(s: Row, me: int) -> None:
    """Buying a card or discarding a pearl answers the warning."""
    s[me + layout.IS_WARNED] = 0


# --- many decisions in one call -------------------------------------------------------------------


@inlined
def random_bit(s: Row, cards: Cards, rng: Rng, menu: Menu) -> int:
    """The bit of the phase's menu that stands for a legal decision, each equally likely."""
    n = random_below(rng, legal(s, cards, menu))
    word = 0
    if s[layout.PHASE] == layout.TURN:
        passed = 0
        counted = 0
        for i in range(decisions.OTHERS_WORD):  # without branches: they would be guessed wrong
            counted += popcount(menu[i])
            is_past = n >= counted
            word += as_int(is_past)
            passed = counted if is_past else passed
        n -= passed
    elif n >= popcount(menu[0]):
        n -= popcount(menu[0])
        word = 1
    word &= decisions.WORD_MASK
    return 64 * word + nth_bit(menu[word], n)


@inlined
def decision_at(s: Row, phase: int, bit: int) -> int:
    """The decision that a bit of the phase's menu stands for."""
    decision = as_int(decisions.DECISION_AT[phase & decisions.PHASE_MASK, bit & decisions.BIT_MASK])
    if decision < 0:  # a place: it depends on the card there
        card = card_in(s, mover(s), -1 - decision)
        if phase != layout.TURN:
            return decisions.FIRST_RESERVE + card
        return (
            decisions.FIRST_BUY + card
            if card < layout.JEWELS
            else decisions.FIRST_BUY_COUNTERFEITER + card
        )
    return decision


@kernel
def choose(s: Row, cards: Cards, rng: Rng, menu: Menu) -> int:
    """A legal decision, each equally likely."""
    bit = random_bit(s, cards, rng, menu)
    return decision_at(s, s[layout.PHASE], bit)


@kernel
def playout(s: Row, cards: Cards, rng: Rng, menu: Menu, chance: Chance) -> int:
    """Play to the end with random decisions; gives their number."""
    number = 0
    while s[layout.PHASE] != layout.OVER:
        bit = random_bit(s, cards, rng, menu) & decisions.BIT_MASK
        phase = s[layout.PHASE] & decisions.PHASE_MASK
        verb = as_int(decisions.VERB_AT[phase, bit])
        what = as_int(decisions.ARGUMENT_AT[phase, bit])
        if what < 0:  # a place
            what = card_in(s, mover(s), -1 - what)
        chance[0] = 0
        act(s, cards, verb, what, rng, chance)
        number += 1
    return number


@inlined
def words_in(phase: int) -> int:
    """How many words the menu of a phase takes."""
    if phase == layout.TURN:
        return decisions.MENU_WORDS
    return 2 if phase == layout.KEEP or phase == layout.BOTTOM else 1


@kernel
def legal_ids(s: Row, cards: Cards, menu: Menu, ids: Row) -> int:
    """Write all legal decisions as integers; gives how many there are."""
    number = legal(s, cards, menu)
    phase = s[layout.PHASE]
    written = 0
    for word in range(words_in(phase)):
        bits = menu[word]
        while bits:
            ids[written] = decision_at(s, phase, 64 * word + lowest_bit(bits))
            written += 1
            bits &= bits - 1
    return number


@kernel
def apply_each(rows: Row, cards: Cards, chosen: Row, rng: Rng, chance: Chance) -> None:
    """Do one legal decision in each row."""
    for i in range(len(rows)):
        chance[0] = 0
        apply(rows[i], cards, chosen[i], rng, chance)


@kernel
def playout_many(s: Row, cards: Cards, rngs: Rng, menu: Menu, chance: Chance, results: Row) -> None:
    """Deal a game from each generator, play it out, and write decisions, turns, reason, winners."""
    for i in range(len(rngs)):
        deal(s, rngs[i], chance)
        results[i, 0] = playout(s, cards, rngs[i], menu, chance)
        results[i, 1] = s[layout.TURNS]
        results[i, 2] = s[layout.REASON]
        results[i, 3] = s[layout.WINNERS]


@kernel
def choose_many(rows: Row, cards: Cards, rngs: Rng, menu: Menu, decisions: Row) -> None:
    """A random legal decision for each of many games; 0 where the game is over."""
    for i in range(len(rows)):
        s = rows[i]
        decisions[i] = 0 if s[layout.PHASE] == layout.OVER else choose(s, cards, rngs[i], menu)
