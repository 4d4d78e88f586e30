"""The rules of Splendor, for 2 to 4 players.

Set-up, what a decision does, what follows it, the end of a turn; what is legal stands in
:mod:`.legal`, what each seat knows in :mod:`.hidden`. Functions take the state as `s`, a row of
words whose fields are named in :mod:`.layout`, and the card table `cards`; `me` is the offset of
the seat to move in the row. Nothing here checks a decision: it must be one that
:func:`~parure.games.splendor.legal.legal` lists.

Names and parameters are those of Duel's kernel. Splendor has no chance after the set-up: `rng` and
`chance` lie unused where only the other game needs them.
"""

from __future__ import annotations

from parure.games.engine.arrays import Cards, Chance, Menu, Rng, Row
from parure.games.engine.bits import (
    GOLD_SHIFT,
    ONE_GOLD,
    gold_in,
    lane_min,
    lane_sum,
    lowest_bit,
    nth_bit,
    one_of,
    saturating_sub,
)
from parure.games.engine.card_storage import card_number, random_member
from parure.games.engine.jit import inlined, kernel, outlined
from parure.games.engine.rng import random_below
from parure.games.splendor import decisions, layout
from parure.games.splendor.card_table import NO_CARD
from parure.games.splendor.hidden import all_cards, determinize, hide
from parure.games.splendor.legal import gold_needed, legal, pay_menu, visitors
from parure.games.splendor.row_access import (
    DECK_ENDS,
    DECK_STARTS,
    add_card,
    draw_card,
    level_of,
    mover,
    priced_card,
    put_card,
    remove_card,
)

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

GEM_LANES = 0x01_0101_0101  # a 1 in the lane of each gem
TOTAL_GOLD = 5

# Stages inside one decision, in the place of a phase.
SETTLING = layout.OVER + 1  # a price is to be paid, unless there is something to choose
PAYING = layout.OVER + 2  # it is clear how
GOING_ON = layout.OVER + 3  # the turn goes on with whatever comes next
ENDING = layout.OVER + 4  # nothing comes any more


# --- set-up ---------------------------------------------------------------------------------------


@inlined
def clear_table(s: Row) -> None:
    """A table before the set-up: no cards, no nobles."""
    for word in range(layout.OPTION_WORDS, layout.ROW_WORDS):
        s[word] = 0
    seats = s[layout.SEAT_COUNT]
    s[layout.CARD] = layout.EMPTY
    gems = 7 if seats == 4 else seats + 2
    s[layout.SUPPLY] = gems * GEM_LANES + TOTAL_GOLD * ONE_GOLD
    for seat in range(layout.MAX_SEATS):
        for i in range(layout.RESERVE_LIMIT):
            s[layout.SEATS + seat * layout.SEAT_WORDS + layout.RESERVED + i] = NO_CARD


@inlined
def open_table(s: Row) -> None:
    """Reveal the first cards, the decks being laid. Seat 0 is to move."""
    for deck in range(layout.DECKS):
        s[layout.DECK_SIZES + deck] = DECK_ENDS[deck] - DECK_STARTS[deck]
        for i in range(layout.FACE_UP):
            s[layout.SLOTS + layout.FACE_UP * deck + i] = priced_card(draw_card(s, deck))


@kernel
def deal(s: Row, rng: Rng, chance: Chance) -> None:
    """A new game, shuffled, for the seats that stand in the row."""
    clear_table(s)
    for deck in range(layout.DECKS):
        left = all_cards(deck)
        for place in range(DECK_STARTS[deck], DECK_ENDS[deck]):
            card = random_member(left, rng)
            left ^= 1 << card
            put_card(s, place, DECK_STARTS[deck] + card)
    nobles = (1 << layout.NOBLES) - 1
    for _ in range(s[layout.SEAT_COUNT] + 1):
        nobles ^= 1 << random_member(nobles, rng)
    s[layout.FACE_UP_NOBLES] = nobles ^ ((1 << layout.NOBLES) - 1)
    open_table(s)


@kernel
def lay_out(s: Row, places: Row, nobles: Row) -> None:
    """A new game with the given cards in the decks' places and the given nobles."""
    clear_table(s)
    for place in range(len(places)):
        put_card(s, place, places[place])
    for i in range(len(nobles)):
        s[layout.FACE_UP_NOBLES] |= 1 << nobles[i]
    open_table(s)


# --- what a decision does -------------------------------------------------------------------------


@kernel
def apply(s: Row, cards: Cards, decision: int, rng: Rng, chance: Chance) -> None:
    """Do a legal decision and all that follows from it, up to the next one."""
    verb = decisions.VERB[decision]
    what = decisions.ARGUMENT[decision]
    me = mover(s)
    gone = layout.EMPTY  # the card that has left its place
    stage = GOING_ON
    if verb == decisions.TAKE:
        s[layout.SUPPLY] -= what
        s[me + layout.TOKENS] += what
    elif verb == decisions.DISCARD:
        s[layout.SUPPLY] += one_of(what)
        s[me + layout.TOKENS] -= one_of(what)
    elif verb == decisions.BUY:
        s[layout.CARD] = what
        s[layout.PRICE] = saturating_sub(cards[layout.COST, what], s[me + layout.BONUSES])
        stage = SETTLING
    elif verb == decisions.RESERVE:
        reserve(s, me, what)
        add_card(s, layout.KNOWN, what)
        gone = what
    elif verb == decisions.RESERVE_DECK:
        reserve(s, me, draw_card(s, what))
    elif verb == decisions.GOLD_FOR:
        s[layout.GOLD_LAID] += one_of(what)
        s[layout.PAY_STEP] = what
        stage = SETTLING
    elif verb == decisions.PAY:
        stage = PAYING
    elif verb == decisions.NOBLE:
        s[layout.FACE_UP_NOBLES] ^= 1 << what
        s[me + layout.NOBLES_HELD] |= 1 << what
        s[me + layout.SCORE] += cards[layout.POINTS, layout.FIRST_NOBLE + what]
        stage = ENDING
    s[layout.PASSES] = s[layout.PASSES] + 1 if verb == decisions.PASS else 0

    if stage == SETTLING:
        stage = settle(s, me)
    if stage == PAYING:
        gone = s[layout.CARD]
        pay(s, me)
        gain(s, cards, me, gone)
        stage = GOING_ON
    if gone != layout.EMPTY:
        replace_face_up(s, gone)
    if stage == GOING_ON:
        stage = go_on(s, cards, me)
    if stage == ENDING:
        stage = end_turn(s, me)
    s[layout.PHASE] = stage


@inlined
def reserve(s: Row, me: int, card: int) -> None:
    """Put a card into the reserve, and take a gold if there is one."""
    s[me + layout.RESERVED + s[me + layout.RESERVED_COUNT]] = priced_card(card)
    s[me + layout.RESERVED_COUNT] += 1
    if gold_in(s[layout.SUPPLY]):
        s[layout.SUPPLY] -= ONE_GOLD
        s[me + layout.TOKENS] += ONE_GOLD


@inlined
def settle(s: Row, me: int) -> int:
    """Go on to pay, or ask how where there is something to choose."""
    if pay_menu(s, me) == 1 << decisions.PAY_BIT:
        return PAYING
    for i in range(layout.RESERVE_LIMIT):
        if card_number(s[me + layout.RESERVED + i]) == s[layout.CARD]:
            add_card(s, layout.KNOWN, s[layout.CARD])  # it has been named
    return layout.PAY


@inlined
def pay(s: Row, me: int) -> None:
    """Spent pieces go back to the supply."""
    price = s[layout.PRICE]
    laid = s[layout.GOLD_LAID]
    purse = s[me + layout.TOKENS]
    gold = gold_needed(price, purse) + lane_sum(laid)
    spent = lane_min(price, purse) - laid + (gold << GOLD_SHIFT)
    s[me + layout.TOKENS] -= spent
    s[layout.SUPPLY] += spent
    s[layout.CARD] = layout.EMPTY
    s[layout.PRICE] = 0
    s[layout.GOLD_LAID] = 0
    s[layout.PAY_STEP] = 0


@inlined
def gain(s: Row, cards: Cards, me: int, card: int) -> None:
    """A bought card comes into the tableau."""
    take_from_reserve(s, me, card)
    remove_card(s, layout.KNOWN, card)
    add_card(s, me + layout.TABLEAU, card)
    s[me + layout.BONUSES] += cards[layout.BONUS, card]
    s[me + layout.SCORE] += cards[layout.POINTS, card]


@inlined
def take_from_reserve(s: Row, me: int, card: int) -> None:
    """Take a card out of the reserve, if it is there, and close the gap."""
    kept = 0
    for i in range(s[me + layout.RESERVED_COUNT]):
        other = s[me + layout.RESERVED + i]
        if card_number(other) != card:
            s[me + layout.RESERVED + kept] = other
            kept += 1
    if kept < s[me + layout.RESERVED_COUNT]:
        s[me + layout.RESERVED + kept] = NO_CARD
        s[me + layout.RESERVED_COUNT] = kept


@inlined
def replace_face_up(s: Row, card: int) -> None:
    """If a card has left the table, the top card of its deck comes in its place."""
    level = level_of(card)
    slot = layout.SLOTS + layout.FACE_UP * level
    last = slot + layout.FACE_UP - 1
    while card_number(s[slot]) != card and slot < last:
        slot += 1
    if card_number(s[slot]) == card:
        s[slot] = priced_card(draw_card(s, level))


# --- what follows ---------------------------------------------------------------------------------


@inlined
def go_on(s: Row, cards: Cards, me: int) -> int:
    """After the action: discard, noble, end of turn."""
    if lane_sum(s[me + layout.TOKENS]) > layout.TOKEN_LIMIT:
        return layout.DISCARD
    if visitors(s, cards, me):
        return layout.NOBLE
    return ENDING


@inlined
def end_turn(s: Row, me: int) -> int:
    """The end of the game, or whose turn is next."""
    s[layout.TURNS] += 1
    seats = s[layout.SEAT_COUNT]
    if s[me + layout.SCORE] >= layout.GOAL:
        s[layout.LAST_ROUND] = 1
    is_round_over = s[layout.SEAT] == seats - 1
    if s[layout.LAST_ROUND] and is_round_over:
        s[layout.REASON] = layout.POINTS_REASON
    elif s[layout.PASSES] >= seats:
        s[layout.REASON] = layout.STALEMATE_REASON
    elif s[layout.TURNS] >= layout.MAX_TURNS:
        s[layout.REASON] = layout.LIMIT_REASON
    else:
        s[layout.SEAT] = 0 if is_round_over else s[layout.SEAT] + 1
        return layout.TURN
    s[layout.WINNERS] = leaders(s)
    return layout.OVER


@outlined
def leaders(s: Row) -> int:
    """Most points, then fewest developments bought; who is still equal shares."""
    best = -1
    winners = 0
    for seat in range(s[layout.SEAT_COUNT]):
        them = layout.SEATS + seat * layout.SEAT_WORDS
        standing = 128 * s[them + layout.SCORE] + 127 - lane_sum(s[them + layout.BONUSES])
        if standing > best:
            best = standing
            winners = 0
        if standing == best:
            winners |= 1 << seat
    return winners


# --- many decisions in one call -------------------------------------------------------------------


@inlined
def nth_decision(s: Row, menu: Menu, n: int) -> int:
    """The n-th decision of the menu."""
    return decision_at(s, s[layout.PHASE], nth_bit(menu[0], n))


@inlined
def decision_at(s: Row, phase: int, bit: int) -> int:
    """The decision that a bit of the phase's menu stands for."""
    decision = decisions.DECISION_AT[phase, bit]
    if decision >= 0:
        return decision
    if bit < decisions.DECK_BIT:
        return decisions.FIRST_RESERVE + card_number(s[layout.SLOTS + bit - decisions.RESERVE_BIT])
    place = bit - decisions.BUY_BIT
    if place < decisions.RESERVE_PLACE:
        return decisions.FIRST_BUY + card_number(s[layout.SLOTS + place])
    return decisions.FIRST_BUY + card_number(
        s[mover(s) + layout.RESERVED + place - decisions.RESERVE_PLACE]
    )


@kernel
def choose(s: Row, cards: Cards, rng: Rng, menu: Menu) -> int:
    """A legal decision, each equally likely."""
    number = legal(s, cards, menu)
    return nth_decision(s, menu, random_below(rng, number))


@kernel
def playout(s: Row, cards: Cards, rng: Rng, menu: Menu, chance: Chance) -> int:
    """Play to the end with random decisions; gives their number."""
    number = 0
    while s[layout.PHASE] != layout.OVER:
        decision = choose(s, cards, rng, menu)
        apply(s, cards, decision, rng, chance)
        number += 1
    return number


@kernel
def legal_ids(s: Row, cards: Cards, menu: Menu, ids: Row) -> int:
    """Write all legal decisions as integers; gives how many there are."""
    number = legal(s, cards, menu)
    bits = menu[0]
    for n in range(number):
        ids[n] = decision_at(s, s[layout.PHASE], lowest_bit(bits))
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
