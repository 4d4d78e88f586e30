"""The rules of Splendor, for 2 to 4 players.

This module follows docs/rules/splendor.md, "Splendor": set-up, what a decision does, the steps
after the action, the end of a turn and of the game. :mod:`.legal` lists the legal decisions, and
:mod:`.hidden` makes views.

Functions take the state `s`, a row of words whose fields are named in :mod:`.layout`, and the card
table `cards`; `me` is the offset of the seat to move. A decision is not checked: it must be one
that :func:`~parure.games.splendor.legal.legal` lists.

The parameters are those of every game's kernel. Splendor has no chance after the set-up, so `rng`
and `chance` are not used by `apply`.
"""

from __future__ import annotations

from parure.games.engine.arrays import Cards, Chance, Mask, Menu, Rng, Row
from parure.games.engine.batch_loops import batch_loops
from parure.games.engine.bits import (
    ONE_GOLD,
    as_int,
    gold_in,
    lane_sum,
    lowest_bit,
    nth_bit,
    one_of,
    saturating_sub,
)
from parure.games.engine.card_storage import card_number, random_member
from parure.games.engine.jit import inlined, kernel, outlined
from parure.games.engine.payment import payment
from parure.games.engine.rng import random_below
from parure.games.splendor import decisions, layout
from parure.games.splendor.card_table import NO_CARD
from parure.games.splendor.hidden import determinize, hide
from parure.games.splendor.legal import eligible_nobles, legal, pay_menu
from parure.games.splendor.row_access import (
    DECK_ENDS,
    DECK_STARTS,
    add_card,
    add_to_reserve,
    draw_card,
    level_of,
    mover,
    priced_card,
    put_card,
    remove_card,
    remove_from_reserve,
    shuffle_deck,
)

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


# --- docs/rules/splendor.md, "Set-up" -------------------------------------------------------------


@kernel
def deal(s: Row, rng: Rng, chance: Chance) -> None:
    """Set up a new game at random, for the number of seats that the row already holds."""
    reset(s)
    for deck in range(layout.DECKS):
        shuffle_deck(s, deck, DECK_STARTS[deck], rng)
    all_nobles = (1 << layout.NOBLES) - 1
    left = all_nobles
    for _ in range(s[layout.SEAT_COUNT] + 1):
        left ^= 1 << random_member(left, rng)
    s[layout.FACE_UP_NOBLES] = all_nobles ^ left
    reveal_cards(s)


@kernel
def set_up(s: Row, deck_cards: Row, nobles: Row) -> None:
    """Set up a new game with given cards in all decks and given face-up nobles."""
    reset(s)
    for index in range(len(deck_cards)):
        put_card(s, index, deck_cards[index])
    for i in range(len(nobles)):
        s[layout.FACE_UP_NOBLES] |= 1 << nobles[i]
    reveal_cards(s)


@inlined
def reset(s: Row) -> None:
    """Clear all but the number of seats: all tokens in the supply, all decks without cards."""
    for word in range(layout.OPTION_WORDS, layout.ROW_WORDS):
        s[word] = 0
    s[layout.CARD] = layout.EMPTY
    s[layout.SUPPLY] = layout.TOTAL_TOKENS[s[layout.SEAT_COUNT]]
    for deck in range(layout.DECKS):
        s[layout.DECK_SIZES + deck] = DECK_ENDS[deck] - DECK_STARTS[deck]
    for seat in range(layout.MAX_SEATS):
        for i in range(layout.RESERVE_LIMIT):
            s[layout.SEATS + seat * layout.SEAT_WORDS + layout.RESERVED + i] = NO_CARD


@inlined
def reveal_cards(s: Row) -> None:
    """Fill the slots of each level from its deck."""
    for deck in range(layout.DECKS):
        for i in range(layout.FACE_UP):
            s[layout.SLOTS + layout.FACE_UP * deck + i] = priced_card(draw_card(s, deck))


# --- docs/rules/splendor.md, "A turn" -------------------------------------------------------------


@kernel
def apply(s: Row, cards: Cards, decision: int, rng: Rng, chance: Chance) -> None:
    """Apply a legal decision and everything that follows, up to the next decision."""
    verb = decisions.VERB[decision]
    argument = decisions.ARGUMENT[decision]
    me = mover(s)
    gone = layout.EMPTY  # the card that has left its slot or reserve
    stage = layout.ACTION_DONE
    if verb == decisions.TAKE:
        s[layout.SUPPLY] -= argument
        s[me + layout.TOKENS] += argument
    elif verb == decisions.DISCARD:  # docs/rules/splendor.md, "After the action", 3
        s[layout.SUPPLY] += one_of(argument)
        s[me + layout.TOKENS] -= one_of(argument)
    elif verb == decisions.BUY:
        s[layout.CARD] = argument
        s[layout.PRICE] = saturating_sub(cards[layout.COST, argument], s[me + layout.BONUSES])
        stage = layout.PAYMENT_OPEN
    elif verb == decisions.RESERVE:
        reserve(s, me, argument)
        add_card(s, layout.KNOWN, argument)
        gone = argument
    elif verb == decisions.RESERVE_DECK:
        reserve(s, me, draw_card(s, argument))
    elif verb == decisions.GOLD_FOR:
        s[layout.GOLD_LAID] += one_of(argument)
        s[layout.PAY_STEP] = argument
        stage = layout.PAYMENT_OPEN
    elif verb == decisions.PAY:
        stage = layout.PAYMENT_CHOSEN
    elif verb == decisions.NOBLE:  # docs/rules/splendor.md, "After the action", 4
        s[layout.FACE_UP_NOBLES] ^= 1 << argument
        s[me + layout.NOBLES_HELD] |= 1 << argument
        s[me + layout.SCORE] += cards[layout.POINTS, layout.FIRST_NOBLE + argument]
        stage = layout.TURN_DONE
    s[layout.PASSES] = s[layout.PASSES] + 1 if verb == decisions.PASS else 0

    if stage == layout.PAYMENT_OPEN:
        stage = offer_payment(s, me)
    if stage == layout.PAYMENT_CHOSEN:
        gone = s[layout.CARD]
        pay(s, me)
        gain_development(s, cards, me, gone)
        stage = layout.ACTION_DONE
    if gone != layout.EMPTY:
        refill(s, gone)
    if stage == layout.ACTION_DONE:
        stage = next_phase(s, cards, me)
    if stage == layout.TURN_DONE:
        stage = end_turn(s, me)
    s[layout.PHASE] = stage


@inlined
def reserve(s: Row, me: int, card: int) -> None:
    """Add a card to the reserve, and take a gold if the supply has one.

    docs/rules/splendor.md, "Rulings", 4
    """
    add_to_reserve(s, me, card)
    if gold_in(s[layout.SUPPLY]):
        s[layout.SUPPLY] -= ONE_GOLD
        s[me + layout.TOKENS] += ONE_GOLD


# --- docs/rules/splendor.md, "After the action" ---------------------------------------------------


@inlined
def offer_payment(s: Row, me: int) -> int:
    """Return phase `pay`, or the stage that skips it if `pay` is all that it offers.

    docs/rules/README.md, "Decisions and phases", 1 and, after each `gold-for`,
    docs/rules/README.md, "Decisions and phases", 2.
    """
    if pay_menu(s, me) == 1 << decisions.PAY_BIT:
        return layout.PAYMENT_CHOSEN
    for i in range(layout.RESERVE_LIMIT):
        if card_number(s[me + layout.RESERVED + i]) == s[layout.CARD]:  # `buy` has named it
            add_card(s, layout.KNOWN, s[layout.CARD])
    return layout.PAY


@inlined
def pay(s: Row, me: int) -> None:
    """Pay the price to the supply: docs/rules/splendor.md, "After the action", 1.

    Exactly the price: docs/rules/splendor.md, "Rulings", 2.
    """
    spent = payment(s[layout.PRICE], s[layout.GOLD_LAID], s[me + layout.TOKENS])
    s[me + layout.TOKENS] -= spent
    s[layout.SUPPLY] += spent
    s[layout.CARD] = layout.EMPTY
    s[layout.PRICE] = 0
    s[layout.GOLD_LAID] = 0
    s[layout.PAY_STEP] = 0


@inlined
def gain_development(s: Row, cards: Cards, me: int, card: int) -> None:
    """Add a bought card to the tableau."""
    remove_from_reserve(s, me, card)
    remove_card(s, layout.KNOWN, card)
    add_card(s, me + layout.TABLEAU, card)
    s[me + layout.BONUSES] += cards[layout.BONUS, card]
    s[me + layout.SCORE] += cards[layout.POINTS, card]


@inlined
def refill(s: Row, card: int) -> None:
    """Replace a card that has left from its deck, if it was face up.

    docs/rules/splendor.md, "After the action", 2
    """
    level = level_of(card)
    slot = layout.SLOTS + layout.FACE_UP * level
    last = slot + layout.FACE_UP - 1
    while card_number(s[slot]) != card and slot < last:
        slot += 1
    if card_number(s[slot]) == card:
        s[slot] = priced_card(draw_card(s, level))


@inlined
def next_phase(s: Row, cards: Cards, me: int) -> int:
    """Return the next phase that applies: discard, noble; or the stage that ends the turn."""
    # docs/rules/splendor.md, "After the action", 3
    if lane_sum(s[me + layout.TOKENS]) > layout.TOKEN_LIMIT:
        return layout.DISCARD
    # docs/rules/splendor.md, "After the action", 4. A single noble is still a decision:
    # docs/rules/README.md, "Decisions and phases", 3
    if eligible_nobles(s, cards, me):
        return layout.NOBLE
    return layout.TURN_DONE


# --- docs/rules/splendor.md, "End" ----------------------------------------------------------------


@inlined
def end_turn(s: Row, me: int) -> int:
    """End the turn, and return phase `turn` of the next seat or phase `over`.

    docs/rules/splendor.md, "After the action", 5; docs/rules/splendor.md, "End";
    docs/rules/splendor.md, "Stalemate and limit".
    """
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
    s[layout.WINNERS] = best_seats(s)
    return layout.OVER


@outlined
def best_seats(s: Row) -> int:
    """Return the seats with most points, and among them those with the fewest developments."""
    best = -1
    winners = 0
    for seat in range(s[layout.SEAT_COUNT]):
        them = layout.SEATS + seat * layout.SEAT_WORDS
        rank = 128 * s[them + layout.SCORE] + 127 - lane_sum(s[them + layout.BONUSES])
        if rank > best:
            best = rank
            winners = 0
        if rank == best:
            winners |= 1 << seat
    return winners


# --- lists of decisions, random decisions ---------------------------------------------------------


@kernel
def legal_ids(s: Row, cards: Cards, menu: Menu, ids: Row) -> int:
    """Write all legal decisions to `ids` and return their number."""
    number = legal(s, cards, menu)
    bits = menu[0]
    for n in range(number):
        ids[n] = decision_at(s, s[layout.PHASE], lowest_bit(bits))
        bits &= bits - 1
    return number


@inlined
def decision_at(s: Row, phase: int, bit: int) -> int:
    """Return the decision that a bit of a phase's menu stands for."""
    decision = as_int(decisions.DECISION_AT[phase, bit])
    if decision >= 0:
        return decision
    if bit < decisions.DECK_BIT:
        return decisions.FIRST_RESERVE + card_number(s[layout.SLOTS + bit - decisions.RESERVE_BIT])
    place = bit - decisions.BUY_BIT
    if place < decisions.RESERVE_PLACE:
        return decisions.FIRST_BUY + card_number(s[layout.SLOTS + place])
    reserved = mover(s) + layout.RESERVED
    return decisions.FIRST_BUY + card_number(s[reserved + place - decisions.RESERVE_PLACE])


@kernel
def choose(s: Row, cards: Cards, rng: Rng, menu: Menu) -> int:
    """Return a random legal decision, each equally likely."""
    number = legal(s, cards, menu)
    return decision_at(s, s[layout.PHASE], nth_bit(menu[0], random_below(rng, number)))


@kernel
def playout(s: Row, cards: Cards, rng: Rng, menu: Menu, chance: Chance) -> int:
    """Play random decisions until the game is over and return their number."""
    number = 0
    while s[layout.PHASE] != layout.OVER:
        decision = choose(s, cards, rng, menu)
        apply(s, cards, decision, rng, chance)
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
