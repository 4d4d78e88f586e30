"""The rules of Splendor Duel, with The Counterfeiters as an option.

Set-up, what a decision does, what follows it, the end of a turn; what is legal stands in
:mod:`.legal`, the single actions in :mod:`.actions`. Functions take the state as `s`, a row of
words whose fields are named in :mod:`.layout`, and the card table `cards`; `me` and `them` are the
offsets of two seats in the row. Nothing here checks a decision: it must be one that
:func:`~parure.games.duel.legal.legal` lists.
"""

from __future__ import annotations

import numpy as np

from parure.games.duel import decisions as to
from parure.games.duel import layout as at
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
    FIRST_PLACES,
    SPIRAL,
    add_card,
    card_at,
    draw_card,
    lay_card,
    mover,
    opponent,
    priced,
    remove_card,
    top_of,
)
from parure.games.engine.arrays import Cards, Chance, Mask, Menu, Rng, Row
from parure.games.engine.bits import (
    GLASS_SHIFT,
    HIGH,
    LANES,
    ONE_GOLD,
    as_int,
    has,
    lowest,
    nth,
    one,
    popcount,
    total,
)
from parure.games.engine.jit import helper, kernel, routine
from parure.games.engine.rng import random_below
from parure.games.engine.tokens import P, Y

__all__ = [
    "apply",
    "choose",
    "choose_many",
    "deal",
    "determinize",
    "hide",
    "lay_out",
    "legal",
    "legal_ids",
    "playout",
    "step_many",
]

SLOT_DECKS = np.array([0] * 5 + [1] * 4 + [2] * 3 + [at.COUNTERFEITER_DECK] * 3)
PEARL_AND_GOLD_LANES = 0x7F * (1 << 8 * P) + 0x7F * ONE_GOLD
ALL_PEARLS_AND_GOLD = 2 * (1 << 8 * P) + 3 * ONE_GOLD


# --- set-up ---------------------------------------------------------------------------------------


@helper
def clear_table(s: Row) -> None:
    """A table before the set-up: everything in the bag, the decks whole but not yet laid."""
    for word in range(at.OPTION_WORDS, at.ROW_WORDS):
        s[word] = 0
    s[at.CARD] = at.EMPTY
    s[at.BAG] = 0x0300_0204_0404_0404
    s[at.FACE_UP_ROYALS] = 0b1111
    s[at.GAPS] = (1 << at.PYRAMID_SLOTS) - 1
    for deck in range(3):
        s[at.DECK_SIZES + deck] = DECK_ENDS[deck] - FIRST_PLACES[deck]
    for slot in range(15):
        s[at.SLOTS + slot] = NO_CARD
    for i in range(at.MAX_RESERVED):
        s[at.SEATS + at.RESERVED + i] = NO_CARD
        s[at.SEATS + at.SEAT_WORDS + at.RESERVED + i] = NO_CARD
    if s[at.WITH_COUNTERFEITERS]:
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
    end = DECK_ENDS[deck]
    for place in range(top_of(s, deck), end):
        card = nth(left, random_below(rng, end - place))
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
def deal(s: Row, rng: Rng, chance: Chance) -> None:
    """A new game, shuffled, with the options that stand in the row."""
    clear_table(s)
    chance[0] = 0
    for deck in range(at.DECKS):
        shuffle(s, deck, rng)
    replenish(s, rng, chance)
    open_table(s)


@kernel
def lay_out(s: Row, places: Row, board: Row) -> None:
    """A new game with the given cards in the decks' places and tokens along the spiral."""
    clear_table(s)
    for place in range(len(places)):
        lay_card(s, place, places[place])
    for i in range(at.CELLS):
        s[at.BOARD + board[i]] |= 1 << SPIRAL[i]
        s[at.BAG] -= one(board[i])
    open_table(s)


# --- what a decision does -------------------------------------------------------------------------


@kernel
def apply(s: Row, cards: Cards, decision: int, rng: Rng, chance: Chance) -> None:
    """Do a legal decision and all that follows from it, up to the next one.

    What chance brings is written to `chance`: a count, then the kinds. If the count is not zero
    when the decision comes, these tokens come out of the bag instead of random ones.
    """
    verb = as_int(to.VERB[decision & to.DECISION_MASK])
    what = as_int(to.ARGUMENT[decision & to.DECISION_MASK])
    act(s, cards, verb, what, rng, chance)


@helper
def act(s: Row, cards: Cards, verb: int, what: int, rng: Rng, chance: Chance) -> None:
    """The same, the decision being given as its verb and argument."""
    me = mover(s)
    s[at.CLAIMABLE] = 0
    if verb == to.TAKE:
        take_line(s, me, what)
    elif verb == to.BUY:
        start_paying(s, what, price_of(cards, what, s[me + at.BONUSES]), 0)
        answer_warning(s, me)
    elif verb == to.RESERVE:
        take_from_pyramid(s, what)
        reserve(s, me, what)
        add_card(s, at.KNOWN + 2 * at.EVERYONE, what)
    elif verb == to.RESERVE_DECK:
        card = draw_card(s, what)
        remove_card(s, at.KNOWN + 2 * s[at.SEAT], card)  # its owner knows it anyhow
        reserve(s, me, card)
    elif verb == to.GOLD:
        s[at.BOARD + Y] ^= what
        s[me + at.TOKENS] += ONE_GOLD
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
        s[at.PHASE] = at.GOING_ON
    elif verb == to.GOLD_FOR:
        s[at.GOLD_LAID] += one(what)
        s[at.PAY_STEP] = to.GOLD_FOR_BIT + what
        s[at.PHASE] = at.SETTLING
    elif verb == to.PAY:
        s[at.PHASE] = at.PAYING
    elif verb == to.COLLECT:
        collect(s, me, what)
    elif verb == to.STEAL:
        s[me + at.TOKENS] += one(what)
        s[opponent(s) + at.TOKENS] -= one(what)
        s[at.PHASE] = at.GOING_ON
    elif verb == to.COLOR:
        color_joker(s, cards, me, what)
    elif verb == to.ROYAL:
        take_royal(s, cards, me, what)
    elif verb == to.CLAIM:
        end_game(s, 1 << s[at.SEAT], at.CLAIM_REASON)
    elif verb == to.PASS:
        s[at.PHASE] = at.GOING_ON
    else:
        apply_counterfeiters(s, cards, me, verb, what, rng, chance)

    if s[at.PHASE] == at.SETTLING:
        settle(s, cards, me)
    if s[at.PHASE] == at.PAYING:
        pay(s, cards, me)
    if s[at.PHASE] == at.GOING_ON:
        go_on(s, me)


@routine
def apply_counterfeiters(
    s: Row, cards: Cards, me: int, verb: int, what: int, rng: Rng, chance: Chance
) -> None:
    """The decisions that only The Counterfeiters know."""
    s[at.PHASE], phase = at.GOING_ON, s[at.PHASE]
    if verb == to.DISCOUNT:
        s[at.PRICE] = discounted(s[at.PRICE], cards, what)
        s[at.PAY_STEP], s[at.PAY_USES] = after_discount(s, what)
        s[at.PHASE] = at.SETTLING
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
            s[me + at.TOKENS] += one(as_int(chance[1 + i]))
    elif verb == to.DONE and phase == at.SECOND:
        s[at.PHASE] = at.TURN
    elif verb == to.DONE and phase == at.WINDOW:
        s[at.WINDOW_IS_PAST] = 1
    elif verb == to.DONE:
        stop_choosing(s)


# --- what follows ---------------------------------------------------------------------------------


@helper
def go_on(s: Row, me: int) -> None:
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
    elif s[at.TURNS] >= at.MAX_TURNS:
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
        s[at.SLOTS + slot] = priced(card)
        if s[at.WITH_COUNTERFEITERS]:  # C17 may have shown where it lay
            forget(s, card)


@helper
def victory(s: Row, me: int) -> int:
    """Why the player to move wins, the first reason that holds; 0 if none does."""
    royals = s[me + at.ROYALS_HELD]
    color_goal = at.COLOR_GOAL - as_int(has(royals, at.R6))
    if s[me + at.SCORE] >= at.GOAL:
        return at.POINTS_REASON
    if s[me + at.CROWNS_HELD] >= at.CROWNS_GOAL - as_int(has(royals, at.R7)):
        return at.CROWNS_REASON
    if (s[me + at.SCORE_BY_COLOR] + (0x80 - color_goal) * LANES) & HIGH:  # in any lane
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


# --- many decisions in one call -------------------------------------------------------------------


@helper
def random_bit(s: Row, cards: Cards, rng: Rng, menu: Menu) -> int:
    """The bit of the phase's menu that stands for a legal decision, each equally likely."""
    n = random_below(rng, legal(s, cards, menu))
    word = 0
    if s[at.PHASE] == at.TURN:
        passed = 0
        counted = 0
        for i in range(to.OTHERS_WORD):  # without branches: they would be guessed wrong
            counted += popcount(menu[i])
            is_past = n >= counted
            word += as_int(is_past)
            passed = counted if is_past else passed
        n -= passed
    elif n >= popcount(menu[0]):
        n -= popcount(menu[0])
        word = 1
    word &= to.WORD_MASK
    return 64 * word + nth(menu[word], n)


@helper
def decision_at(s: Row, phase: int, bit: int) -> int:
    """The decision that a bit of the phase's menu stands for."""
    decision = as_int(to.DECISION_AT[phase & to.PHASE_MASK, bit & to.BIT_MASK])
    if decision < 0:  # a place: it depends on the card there
        card = card_in(s, mover(s), -1 - decision)
        if phase != at.TURN:
            return to.FIRST_RESERVE + card
        return to.FIRST_BUY + card if card < at.JEWELS else to.FIRST_BUY_COUNTERFEITER + card
    return decision


@kernel
def choose(s: Row, cards: Cards, rng: Rng, menu: Menu) -> int:
    """A legal decision, each equally likely."""
    bit = random_bit(s, cards, rng, menu)
    return decision_at(s, s[at.PHASE], bit)


@kernel
def playout(s: Row, cards: Cards, rng: Rng, menu: Menu, chance: Chance) -> int:
    """Play to the end with random decisions; gives their number."""
    decisions = 0
    while s[at.PHASE] != at.OVER:
        bit = random_bit(s, cards, rng, menu) & to.BIT_MASK
        phase = s[at.PHASE] & to.PHASE_MASK
        verb = as_int(to.VERB_AT[phase, bit])
        what = as_int(to.ARGUMENT_AT[phase, bit])
        if what < 0:  # a place
            what = card_in(s, mover(s), -1 - what)
        chance[0] = 0
        act(s, cards, verb, what, rng, chance)
        decisions += 1
    return decisions


@helper
def words_in(phase: int) -> int:
    """How many words the menu of a phase takes."""
    if phase == at.TURN:
        return to.MENU_WORDS
    return 2 if phase == at.KEEP or phase == at.BOTTOM else 1


@kernel
def legal_ids(s: Row, cards: Cards, menu: Menu, ids: Row) -> int:
    """Write all legal decisions as integers; gives how many there are."""
    number = legal(s, cards, menu)
    phase = s[at.PHASE]
    written = 0
    for word in range(words_in(phase)):
        bits = menu[word]
        while bits:
            ids[written] = decision_at(s, phase, 64 * word + lowest(bits))
            written += 1
            bits &= bits - 1
    return number


@kernel
def step_many(
    rows: Row, cards: Cards, decisions: Row, rngs: Rng, menu: Menu, chance: Chance, masks: Mask
) -> None:
    """Do one decision in each of many games and write what is legal then.

    A game that was over begins anew instead, its decision unread. Row i of `rngs` is the generator
    of game i; `masks` has a column for each decision.
    """
    for i in range(len(rows)):
        s = rows[i]
        if s[at.PHASE] == at.OVER:
            deal(s, rngs[i], chance)
        else:
            chance[0] = 0
            apply(s, cards, decisions[i], rngs[i], chance)
        mask = masks[i]
        for decision in range(len(mask)):
            mask[decision] = 0
        phase = s[at.PHASE]
        if phase == at.OVER:
            continue
        legal(s, cards, menu)
        for word in range(words_in(phase)):
            bits = menu[word]
            while bits:
                mask[decision_at(s, phase, 64 * word + lowest(bits))] = 1
                bits &= bits - 1


@kernel
def choose_many(rows: Row, cards: Cards, rngs: Rng, menu: Menu, decisions: Row) -> None:
    """A random legal decision for each of many games; 0 where the game is over."""
    for i in range(len(rows)):
        s = rows[i]
        decisions[i] = 0 if s[at.PHASE] == at.OVER else choose(s, cards, rngs[i], menu)
