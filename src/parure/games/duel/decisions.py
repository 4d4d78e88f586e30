"""Every decision of Duel as an integer, a verb with its argument, and a text.

The integers count from 0 without a gap. Those of plain Duel come first, so that its decision space
is the first part of that with The Counterfeiters. The kernel lists what is legal as a *menu*:
a few words whose bits mean, in each phase, the decisions that `DECISION_AT` says.
"""

from __future__ import annotations

import numpy as np

from parure.games.duel import layout
from parure.games.duel.cards import COUNTERFEITERS, JEWELS, ROYALS
from parure.games.duel.geometry import CELLS, FAMILIES, lines
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

# --- the menus: which bit stands for what ---------------------------------------------------------
# In phase `turn` each family of lines has half a word and so have the privileges; the last word
# holds the rest. A card to buy or reserve is known by its place, so that its bit never moves:
# 12 in the pyramid, 5 in the reserve, 3 in the Counterfeiter row.

MENU_WORDS = 6
UPPER_HALF = 32
PRIVILEGE_WORD, OTHERS_WORD = 4, 5
BUY_BIT, REPLENISH_BIT, PASS_BIT, CLAIM_BIT = 25, 45, 46, 47  # in the last word, behind gold
RESERVE_PLACE, ROW_PLACE, PLACES = 12, 17, 20
DECK_BIT = 12  # three decks to reserve from
DONE_BIT = 40
# the pay menu, in the order in which a payment is spelled
THREE_OFF_BIT, PEARL_OFF_BIT, ANY_OFF_BIT, GOLD_FOR_BIT, PAY_BIT = 5, 10, 11, 16, 23
COUNTERFEITER_DECK_BIT = 17

C06, C07, C08, C09, C10, C11, C12, C13, C14, C15, C16, C17 = range(5, 17)
USES = (C09, C10, C11, C17)


class _Catalogue:
    """Collects decisions: their texts, verbs and arguments, and where they stand in the menus."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.verbs: list[int] = []
        self.arguments: list[int] = []
        self.decision_at = np.zeros((len(layout.PHASES), 64 * MENU_WORDS), np.int16)

    def add(self, verb: int, argument: int, text: str, *places: tuple[int, int]) -> None:
        """A new decision; each place is a phase and a bit of its menu."""
        for phase, bit in places:
            self.decision_at[phase, bit] = len(self.texts)
        self.texts.append(text)
        self.verbs.append(verb)
        self.arguments.append(argument)


def _card_bit(card: int) -> int:
    return card if card < layout.LEVEL_3 else 64 + card - layout.LEVEL_3


def _plain(catalogue: _Catalogue) -> None:
    """The decisions of Duel itself."""
    add = catalogue.add
    for family, (length, step) in enumerate(FAMILIES):
        for first, cells in lines(length, step).items():
            text = "take " + " ".join(CELLS[cell] for cell in cells)
            add(TAKE, sum(1 << cell for cell in cells), text, (layout.TURN, 32 * family + first))
    last = 64 * OTHERS_WORD
    for i, cell in enumerate(CELLS):
        places = (layout.TURN, 64 * PRIVILEGE_WORD + UPPER_HALF + i), (layout.SECOND, i)
        add(PRIVILEGE, 1 << i, f"privilege {cell}", *places)
    for i, cell in enumerate(CELLS):
        add(GOLD, 1 << i, f"gold {cell}", (layout.TURN, last + i))
    for i, cell in enumerate(CELLS):
        add(COLLECT, 1 << i, f"collect {cell}", (layout.COLLECT, i), (layout.COLLECT_MORE, i))
    add(REPLENISH, 0, "replenish", (layout.TURN, last + REPLENISH_BIT))
    add(PASS, 0, "pass", (layout.TURN, last + PASS_BIT))
    add(CLAIM, 0, "claim", (layout.TURN, last + CLAIM_BIT))
    for i, jewel in enumerate(JEWELS):
        add(BUY, i, f"buy {jewel.id}")
    for i, jewel in enumerate(JEWELS):
        add(RESERVE, i, f"reserve {jewel.id}")
    for deck in range(3):
        places = (layout.RESERVE, DECK_BIT + deck), (layout.RESERVE_MORE, DECK_BIT + deck)
        add(RESERVE_DECK, deck, f"reserve deck{deck + 1}", *places)
    for kind, letter in enumerate("wugrkp"):
        add(GOLD_FOR, kind, f"gold-for {letter}", (layout.PAY, GOLD_FOR_BIT + kind))
    add(PAY, 0, "pay", (layout.PAY, PAY_BIT))
    for kind, letter in enumerate(GEMS):
        add(COLOR, kind, f"color {letter}", (layout.COLOR, kind))
    for kind, letter in enumerate("wugrkp"):
        add(STEAL, kind, f"steal {letter}", (layout.STEAL, kind))
    for i, royal in enumerate(ROYALS[:4]):
        add(ROYAL, i, f"royal {royal.id}", (layout.ROYAL, i))
    for kind, letter in enumerate(LETTERS):
        if letter != "v":
            add(DISCARD, kind, f"discard {letter}", (layout.DISCARD, kind))


def _counterfeiters(catalogue: _Catalogue) -> None:
    """What The Counterfeiters add."""
    add = catalogue.add
    glass = LETTERS.index("v")
    for i, card in enumerate(COUNTERFEITERS):
        add(BUY, layout.FIRST_COUNTERFEITER + i, f"buy {card.id}")
    add(GOLD_FOR, glass, "gold-for v", (layout.PAY, GOLD_FOR_BIT + glass))
    add(STEAL, glass, "steal v", (layout.STEAL, glass))
    for i, royal in enumerate(ROYALS[4:], start=4):
        add(ROYAL, i, f"royal {royal.id}", (layout.ROYAL, i))
    add(DISCARD, glass, "discard v", (layout.DISCARD, glass))
    for i, card in enumerate(COUNTERFEITERS[:5]):
        add(DISCOUNT, i, f"discount {card.id}", (layout.PAY, i))
    for kind, letter in enumerate(GEMS):
        bit = THREE_OFF_BIT + kind
        add(DISCOUNT, bit, f"discount C06 {letter}", (layout.PAY, bit))
    add(DISCOUNT, PEARL_OFF_BIT, "discount C07", (layout.PAY, PEARL_OFF_BIT))
    for kind, letter in enumerate(GEMS):
        bit = ANY_OFF_BIT + kind
        add(DISCOUNT, bit, f"discount C08 {letter}", (layout.PAY, bit))
    for number in USES:
        add(USE, number, f"use {COUNTERFEITERS[number].id}", (layout.WINDOW, number))
    for deck in range(3):
        add(DECK, deck, f"deck {deck + 1}", (layout.DECK, deck))
    for i, jewel in enumerate(JEWELS):
        add(KEEP, i, f"keep {jewel.id}", (layout.KEEP, _card_bit(i)))
    for i, jewel in enumerate(JEWELS):
        add(BOTTOM, i, f"bottom {jewel.id}", (layout.BOTTOM, _card_bit(i)))
    for i, card in enumerate(COUNTERFEITERS):
        add(COUNTERFEITER, i, f"counterfeiter {card.id}", (layout.COUNTERFEITER, i))
    place = (layout.COUNTERFEITER, COUNTERFEITER_DECK_BIT)
    add(COUNTERFEITER_DECK, 0, "counterfeiter deck", place)
    for n in range(3):
        add(DRAW, n, f"draw {n}", (layout.DRAW, n))
    stoppable = (
        layout.SECOND,
        layout.COLLECT,
        layout.COLLECT_MORE,
        layout.RESERVE_MORE,
        layout.WINDOW,
    )
    add(DONE, 0, "done", *((phase, DONE_BIT) for phase in stoppable))


_catalogue = _Catalogue()
_plain(_catalogue)
PLAIN_DECISIONS = len(_catalogue.texts)
_counterfeiters(_catalogue)

TEXTS = tuple(_catalogue.texts)
# These tell the compiler that an index is not negative.
DECISION_MASK, PHASE_MASK, WORD_MASK, BIT_MASK = 1023, 31, 7, 511
VERB = np.array(_catalogue.verbs, np.int8)  # small tables stay in the fastest cache
ARGUMENT = np.array(_catalogue.arguments, np.int32)

# What a bit of a phase's menu stands for: a decision, and that as verb and argument. Where the card
# in a place decides, decision and argument are -1 - place.
DECISION_AT = _catalogue.decision_at
VERB_AT, ARGUMENT_AT = VERB[DECISION_AT], ARGUMENT[DECISION_AT]
for _phase, _verb, _first, _places in (
    (layout.TURN, BUY, 64 * OTHERS_WORD + BUY_BIT, PLACES),
    (layout.RESERVE, RESERVE, 0, RESERVE_PLACE),
    (layout.RESERVE_MORE, RESERVE, 0, RESERVE_PLACE),
):
    _bits = slice(_first, _first + _places)
    VERB_AT[_phase, _bits] = _verb
    DECISION_AT[_phase, _bits] = ARGUMENT_AT[_phase, _bits] = -1 - np.arange(_places)
FIRST_BUY = TEXTS.index("buy J1-01")
FIRST_RESERVE = TEXTS.index("reserve J1-01")
FIRST_BUY_COUNTERFEITER = TEXTS.index("buy C01") - layout.FIRST_COUNTERFEITER  # + the card's number
