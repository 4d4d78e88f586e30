"""The decisions of Splendor: docs/rules/record.md, "Decisions".

Each decision has an integer, a verb with an argument, and a text. See
:mod:`parure.games.engine.decision_table` for menus.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from parure.games.engine.decision_table import DecisionTable
from parure.games.engine.tokens import GEMS, KIND_OF_LETTER
from parure.games.splendor import layout
from parure.games.splendor.cards import DEVELOPMENTS, NOBLES

VERBS = (
    "take",
    "reserve",
    "reserve deck",
    "buy",
    "pass",
    "gold-for",
    "pay",
    "discard",
    "noble",
)
(
    TAKE,
    RESERVE,
    RESERVE_DECK,
    BUY,
    PASS,
    GOLD_FOR,
    PAY,
    DISCARD,
    NOBLE,
) = range(len(VERBS))

# --- menus: the meaning of each bit ---------------------------------------------------------------
# In phase `turn`: takes, then cards to reserve, decks, cards to buy, `pass`. A card is listed by
# its *place*: 12 slots, then 3 in the reserve of the seat to move.

MENU_WORDS = 1
# docs/rules/splendor.md, "A turn": three different gems, two, one, or two alike
TAKES = (
    *map("".join, combinations(GEMS, 3)),
    *map("".join, combinations(GEMS, 2)),
    *GEMS,
    *(letter * 2 for letter in GEMS),
)
TWO_ALIKE_BIT = len(TAKES) - len(GEMS)
RESERVE_PLACE = layout.DECKS * layout.FACE_UP
PLACES = RESERVE_PLACE + layout.RESERVE_LIMIT
RESERVE_BIT = len(TAKES)
DECK_BIT = RESERVE_BIT + RESERVE_PLACE
BUY_BIT = DECK_BIT + layout.DECKS
PASS_BIT = BUY_BIT + PLACES
PAY_BIT = len(GEMS)  # after `gold-for`, in the order in which a payment is spelled


def _different_takes(kinds: int) -> int:
    """Return the takes of different gems for a set of kinds in the supply, as menu bits."""
    supply = [letter for kind, letter in enumerate(GEMS) if kinds >> kind & 1]
    takes = map("".join, combinations(supply, min(len(supply), 3)))
    return sum(1 << TAKES.index(take) for take in takes if take)


DIFFERENT_TAKES = np.array([_different_takes(kinds) for kinds in range(1 << len(GEMS))])


def _all_decisions() -> DecisionTable:
    table = DecisionTable(len(layout.PHASES), MENU_WORDS)
    add = table.add
    for i, take in enumerate(TAKES):
        packed = sum(1 << 8 * KIND_OF_LETTER[letter] for letter in take)
        add(TAKE, packed, f"take {take}", (layout.TURN, i))
    for i, card in enumerate(DEVELOPMENTS):
        add(RESERVE, i, f"reserve {card.id}")
    for deck in range(layout.DECKS):
        add(RESERVE_DECK, deck, f"reserve deck{deck + 1}", (layout.TURN, DECK_BIT + deck))
    for i, card in enumerate(DEVELOPMENTS):
        add(BUY, i, f"buy {card.id}")
    add(PASS, 0, "pass", (layout.TURN, PASS_BIT))
    for kind, letter in enumerate(GEMS):
        add(GOLD_FOR, kind, f"gold-for {letter}", (layout.PAY, kind))
    add(PAY, 0, "pay", (layout.PAY, PAY_BIT))
    for letter in (*GEMS, "y"):
        kind = KIND_OF_LETTER[letter]
        add(DISCARD, kind, f"discard {letter}", (layout.DISCARD, kind))
    for i, noble in enumerate(NOBLES):
        add(NOBLE, i, f"noble {noble.id}", (layout.NOBLE, i))
    return table


_table = _all_decisions()

TEXTS = tuple(_table.texts)
VERB = np.array(_table.verbs)
ARGUMENT = np.array(_table.arguments)
DECISION_AT = _table.decision_at  # -1 where the card in a place decides
# Add the number of the card.
FIRST_RESERVE = _table.verbs.index(RESERVE)
FIRST_BUY = _table.verbs.index(BUY)
