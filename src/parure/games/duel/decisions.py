"""The decisions of Duel: docs/rules/record.md, "Decisions".

Each decision has an integer, a verb with an argument, and a text. The integers of plain Duel come
first, so that its decisions are a prefix of those with The Counterfeiters. See
:mod:`parure.games.engine.decision_table` for menus.
"""

from __future__ import annotations

import numpy as np

from parure.games.duel import layout
from parure.games.duel.cards import COUNTERFEITERS, JEWELS, ROYALS
from parure.games.duel.geometry import CELLS, FAMILIES, lines
from parure.games.engine.decision_table import DecisionTable
from parure.games.engine.tokens import GEMS, LETTERS

VERBS = (
    "take",
    "privilege",
    "replenish",
    "gold",
    "reserve",
    "reserve deck",
    "buy",
    "pay",
    "gold-for",
    "color",
    "collect",
    "steal",
    "royal",
    "discard",
    "pass",
    "claim",
    "discount",
    "use",
    "deck",
    "keep",
    "bottom",
    "counterfeiter",
    "counterfeiter deck",
    "draw",
    "done",
)
(
    TAKE,
    PRIVILEGE,
    REPLENISH,
    GOLD,
    RESERVE,
    RESERVE_DECK,
    BUY,
    PAY,
    GOLD_FOR,
    COLOR,
    COLLECT,
    STEAL,
    ROYAL,
    DISCARD,
    PASS,
    CLAIM,
    DISCOUNT,
    USE,
    DECK,
    KEEP,
    BOTTOM,
    COUNTERFEITER,
    COUNTERFEITER_DECK,
    DRAW,
    DONE,
) = range(len(VERBS))

# --- menus: the meaning of each bit ---------------------------------------------------------------
# In phase `turn` the lines of each family have half a word, by their first cell; so have the
# privileges. The last word holds the other decisions. A card to buy or to reserve is listed by its
# *place*: 12 slots of the pyramid, 5 in the reserve, 3 slots of the Counterfeiter row.

MENU_WORDS = 6
UPPER_HALF = 32
PRIVILEGE_WORD, LAST_WORD = 4, 5
RESERVE_PLACE = layout.PYRAMID_SLOTS
ROW_PLACE = RESERVE_PLACE + layout.MAX_RESERVED
PLACES = ROW_PLACE + layout.COUNTERFEITER_SLOTS
BUY_BIT = layout.CELLS  # in the last word, after the cells of gold
REPLENISH_BIT, PASS_BIT, CLAIM_BIT = range(BUY_BIT + PLACES, BUY_BIT + PLACES + 3)
DECK_BIT = layout.PYRAMID_SLOTS  # phases `reserve` and `reserve-more`, after the pyramid
COUNTERFEITER_DECK_BIT = layout.COUNTERFEITERS
DONE_BIT = 40
# The pay menu, in the order in which a payment is spelled: C01 to C05, C06, C07, C08, `gold-for`.
THREE_OFF_BIT, PEARL_OFF_BIT, ANY_OFF_BIT, GOLD_FOR_BIT, PAY_BIT = 5, 10, 11, 16, 23


def _card_bit(card: int) -> int:
    """Return the menu bit of a card in a set of cards."""
    return card if card < layout.LEVEL_3 else 64 + card - layout.LEVEL_3


def _add_plain_decisions(table: DecisionTable) -> None:
    """Add the decisions of Duel without The Counterfeiters."""
    add = table.add
    for family, (length, direction) in enumerate(FAMILIES):
        for first, cells in lines(length, direction).items():
            text = "take " + " ".join(CELLS[cell] for cell in cells)
            bit = UPPER_HALF * family + first
            add(TAKE, sum(1 << cell for cell in cells), text, (layout.TURN, bit))
    last_word = 64 * LAST_WORD
    for i, cell in enumerate(CELLS):
        bits = (layout.TURN, 64 * PRIVILEGE_WORD + UPPER_HALF + i), (layout.SECOND, i)
        add(PRIVILEGE, 1 << i, f"privilege {cell}", *bits)
    for i, cell in enumerate(CELLS):
        add(GOLD, 1 << i, f"gold {cell}", (layout.TURN, last_word + i))
    for i, cell in enumerate(CELLS):
        add(COLLECT, 1 << i, f"collect {cell}", (layout.COLLECT, i), (layout.COLLECT_MORE, i))
    add(REPLENISH, 0, "replenish", (layout.TURN, last_word + REPLENISH_BIT))
    add(PASS, 0, "pass", (layout.TURN, last_word + PASS_BIT))
    add(CLAIM, 0, "claim", (layout.TURN, last_word + CLAIM_BIT))
    for i, jewel in enumerate(JEWELS):
        add(BUY, i, f"buy {jewel.id}")
    for i, jewel in enumerate(JEWELS):
        add(RESERVE, i, f"reserve {jewel.id}")
    for deck in range(layout.JEWEL_DECKS):
        bits = (layout.RESERVE, DECK_BIT + deck), (layout.RESERVE_MORE, DECK_BIT + deck)
        add(RESERVE_DECK, deck, f"reserve deck{deck + 1}", *bits)
    for kind, letter in enumerate("wugrkp"):
        add(GOLD_FOR, kind, f"gold-for {letter}", (layout.PAY, GOLD_FOR_BIT + kind))
    add(PAY, 0, "pay", (layout.PAY, PAY_BIT))
    for kind, letter in enumerate(GEMS):
        add(COLOR, kind, f"color {letter}", (layout.COLOR, kind))
    for kind, letter in enumerate("wugrkp"):
        add(STEAL, kind, f"steal {letter}", (layout.STEAL, kind))
    for i, royal in enumerate(ROYALS[: layout.BASE_ROYALS]):
        add(ROYAL, i, f"royal {royal.id}", (layout.ROYAL, i))
    for kind, letter in enumerate(LETTERS):
        if letter != "v":
            add(DISCARD, kind, f"discard {letter}", (layout.DISCARD, kind))


def _add_counterfeiter_decisions(table: DecisionTable) -> None:
    """Add the decisions that The Counterfeiters bring."""
    add = table.add
    glass = LETTERS.index("v")
    for i, card in enumerate(COUNTERFEITERS):
        add(BUY, layout.FIRST_COUNTERFEITER + i, f"buy {card.id}")
    add(GOLD_FOR, glass, "gold-for v", (layout.PAY, GOLD_FOR_BIT + glass))
    add(STEAL, glass, "steal v", (layout.STEAL, glass))
    for i, royal in enumerate(ROYALS[layout.BASE_ROYALS :], start=layout.BASE_ROYALS):
        add(ROYAL, i, f"royal {royal.id}", (layout.ROYAL, i))
    add(DISCARD, glass, "discard v", (layout.DISCARD, glass))
    for i, card in enumerate(COUNTERFEITERS[: layout.C06]):
        add(DISCOUNT, i, f"discount {card.id}", (layout.PAY, i))
    for kind, letter in enumerate(GEMS):
        bit = THREE_OFF_BIT + kind
        add(DISCOUNT, bit, f"discount C06 {letter}", (layout.PAY, bit))
    add(DISCOUNT, PEARL_OFF_BIT, "discount C07", (layout.PAY, PEARL_OFF_BIT))
    for kind, letter in enumerate(GEMS):
        bit = ANY_OFF_BIT + kind
        add(DISCOUNT, bit, f"discount C08 {letter}", (layout.PAY, bit))
    for number in (layout.C09, layout.C10, layout.C11, layout.C17):
        add(USE, number, f"use {COUNTERFEITERS[number].id}", (layout.WINDOW, number))
    for deck in range(layout.JEWEL_DECKS):
        add(DECK, deck, f"deck {deck + 1}", (layout.DECK, deck))
    for i, jewel in enumerate(JEWELS):
        add(KEEP, i, f"keep {jewel.id}", (layout.KEEP, _card_bit(i)))
    for i, jewel in enumerate(JEWELS):
        add(BOTTOM, i, f"bottom {jewel.id}", (layout.BOTTOM, _card_bit(i)))
    for i, card in enumerate(COUNTERFEITERS):
        add(COUNTERFEITER, i, f"counterfeiter {card.id}", (layout.COUNTERFEITER, i))
    bit = COUNTERFEITER_DECK_BIT
    add(COUNTERFEITER_DECK, 0, "counterfeiter deck", (layout.COUNTERFEITER, bit))
    for number in range(3):
        add(DRAW, number, f"draw {number}", (layout.DRAW, number))
    phases_with_done = (
        layout.SECOND,
        layout.COLLECT,
        layout.COLLECT_MORE,
        layout.RESERVE_MORE,
        layout.WINDOW,
    )
    add(DONE, 0, "done", *((phase, DONE_BIT) for phase in phases_with_done))


_table = DecisionTable(len(layout.PHASES), MENU_WORDS)
_add_plain_decisions(_table)
PLAIN_DECISIONS = len(_table.texts)
_add_counterfeiter_decisions(_table)

TEXTS = tuple(_table.texts)
VERB = np.array(_table.verbs, np.int8)  # small types, so that the tables stay in the L1 cache
ARGUMENT = np.array(_table.arguments, np.int32)

# The meaning of a bit of a phase's menu: a decision, and its verb and argument. Where the card in a
# place decides, decision and argument are -1 - place.
DECISION_AT = _table.decision_at
VERB_AT, ARGUMENT_AT = VERB[DECISION_AT], ARGUMENT[DECISION_AT]
for _phase, _verb, _first, _places in (
    (layout.TURN, BUY, 64 * LAST_WORD + BUY_BIT, PLACES),
    (layout.RESERVE, RESERVE, 0, RESERVE_PLACE),
    (layout.RESERVE_MORE, RESERVE, 0, RESERVE_PLACE),
):
    _bits = slice(_first, _first + _places)
    VERB_AT[_phase, _bits] = _verb
    DECISION_AT[_phase, _bits] = ARGUMENT_AT[_phase, _bits] = -1 - np.arange(_places)

# Add the number of the card.
FIRST_BUY = TEXTS.index("buy J1-01")
FIRST_RESERVE = TEXTS.index("reserve J1-01")
FIRST_BUY_COUNTERFEITER = TEXTS.index("buy C01") - layout.FIRST_COUNTERFEITER

# `index & MASK` is the index, and tells the compiler that it is not negative.
DECISION_MASK, PHASE_MASK, WORD_MASK, BIT_MASK = 1023, 31, 7, 511
