"""Every decision of Splendor as an integer, a verb with its argument, and a text.

The integers count from 0 without a gap. The kernel lists what is legal as a *menu*: a word whose
bits mean, in each phase, the decisions that `DECISION_AT` says. Cards on the table and in the
reserve are listed by their *places*: which decision that is depends on the card that lies there.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

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

# --- the menu: which bit stands for what ----------------------------------------------------------
# In phase `turn` takes come first, then cards to reserve, decks, cards to buy, `pass`.

MENU_WORDS = 1
# what may be taken: 3 different gems, 2, 1, or 2 alike
TAKES = (
    *map("".join, combinations(GEMS, 3)),
    *map("".join, combinations(GEMS, 2)),
    *GEMS,
    *(letter * 2 for letter in GEMS),
)
ALIKE_BIT = len(TAKES) - len(GEMS)
# places: the face-up cards, then the mover's reserve
RESERVE_PLACE = layout.DECKS * layout.FACE_UP
PLACES = RESERVE_PLACE + layout.RESERVE_LIMIT
RESERVE_BIT = len(TAKES)
DECK_BIT = RESERVE_BIT + RESERVE_PLACE
BUY_BIT = DECK_BIT + layout.DECKS
PASS_BIT = BUY_BIT + PLACES
PAY_BIT = len(GEMS)  # behind `gold-for`, in the order in which a payment is spelled


def _different(kinds: int) -> int:
    """The takes of different gems, as menu bits, when the supply has a certain set of kinds."""
    supply = [letter for kind, letter in enumerate(GEMS) if kinds >> kind & 1]
    takes = map("".join, combinations(supply, min(len(supply), 3)))
    return sum(1 << TAKES.index(take) for take in takes if take)


DIFFERENT = np.array([_different(kinds) for kinds in range(1 << len(GEMS))])


class _Catalogue:
    """Collects decisions: their texts, verbs and arguments, and where they stand in the menus."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.verbs: list[int] = []
        self.arguments: list[int] = []
        self.decision_at = np.full((len(layout.PHASES), 64 * MENU_WORDS), -1, np.int64)

    def add(self, verb: int, argument: int, text: str, *where: tuple[int, int]) -> None:
        """A new decision, and where it is listed: a phase and a bit of its menu."""
        for phase, bit in where:
            self.decision_at[phase, bit] = len(self.texts)
        self.texts.append(text)
        self.verbs.append(verb)
        self.arguments.append(argument)


def _all_decisions() -> _Catalogue:
    catalogue = _Catalogue()
    add = catalogue.add
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
    return catalogue


_catalogue = _all_decisions()

TEXTS = tuple(_catalogue.texts)
VERB = np.array(_catalogue.verbs)
ARGUMENT = np.array(_catalogue.arguments)
FIRST_RESERVE = _catalogue.verbs.index(RESERVE)  # the decision on card 0; the others follow
FIRST_BUY = _catalogue.verbs.index(BUY)
# -1 where the decision depends on the card in a place, or the bit has no meaning
DECISION_AT = _catalogue.decision_at
# how many words the menu of each phase takes
WORDS_IN = np.ones(len(layout.PHASES), np.int64)
