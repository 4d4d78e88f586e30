"""Tables of a game's decisions: text, verb, argument, and the menu bits that stand for them.

A *decision* is an integer from 0 up. Its *verb* is what is done, its *argument* what it is done
with: a card, a kind of token, a set of cells. A *menu* is the set of legal decisions of a phase, a
few words whose bits have a meaning of their own in each phase.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


class DecisionTable:
    """Collects the decisions of a game in the order of their integers."""

    def __init__(self, phases: int, menu_words: int) -> None:
        self.texts: list[str] = []
        self.verbs: list[int] = []
        self.arguments: list[int] = []
        # The decision for each bit of each phase's menu; -1 where a bit has none of its own:
        # it is not used, or it stands for the card in a slot or reserve.
        self.decision_at: NDArray[np.int16] = np.full((phases, 64 * menu_words), -1, np.int16)

    def add(self, verb: int, argument: int, text: str, *bits: tuple[int, int]) -> None:
        """Append a decision; each of `bits` is a phase and a bit of its menu."""
        for phase, bit in bits:
            self.decision_at[phase, bit] = len(self.texts)
        self.texts.append(text)
        self.verbs.append(verb)
        self.arguments.append(argument)
