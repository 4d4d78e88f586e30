"""Many games, or many continuations of one, in one call."""

from __future__ import annotations

from typing import Any

import numpy as np

from parure.games.duel import kernel as duel
from parure.games.duel import layout as duel_layout
from parure.games.engine.arrays import Cards, Chance, Menu, Rng, Row
from parure.games.engine.jit import announce_compilation, kernel
from parure.games.rules import CHANCE_SIZE, MENU_WORDS, Rules
from parure.games.splendor import kernel as splendor
from parure.games.splendor import layout as splendor_layout

# What is kept of a game: a column of the results each.
DECISIONS, TURNS, REASON, WINNERS = range(4)
RESULT_FIELDS = 4


def generators(seed: int, first: int, number: int) -> Rng:
    """The generators of the games `first`, `first + 1`, … of a series, a row each.

    >>> bool((generators(7, 0, 5)[3:] == generators(7, 3, 2)).all())
    True
    """
    rngs: Rng = np.random.PCG64(seed).advance(first).random_raw(number).reshape(number, 1)
    return rngs


def play_out(rules: Rules, rngs: Rng) -> Row:
    """Deal a game from each generator and play it to its end at random; a row of results each."""
    announce_compilation(rules.kernel)
    play = splendor_games if rules.game == "splendor" else duel_games
    menu, chance = np.empty(MENU_WORDS, np.int64), np.zeros(CHANCE_SIZE, np.uint8)
    results: Row = np.empty((len(rngs), RESULT_FIELDS), np.int64)
    play(rules.blank(), rules.cards, rngs, menu, chance, results)
    return results


# Numba compiles a loop for one kernel at a time, so there is one function for each game.


@kernel
def duel_games(s: Row, cards: Cards, rngs: Rng, menu: Menu, chance: Chance, results: Row) -> None:
    """A game of Duel from each generator, with the options that stand in the row."""
    for i in range(len(rngs)):
        duel.deal(s, rngs[i], chance)
        results[i, DECISIONS] = duel.playout(s, cards, rngs[i], menu, chance)
        results[i, TURNS] = s[duel_layout.TURNS]
        results[i, REASON] = s[duel_layout.REASON]
        results[i, WINNERS] = s[duel_layout.WINNERS]


@kernel
def splendor_games(
    s: Row, cards: Cards, rngs: Rng, menu: Menu, chance: Chance, results: Row
) -> None:
    """A game of Splendor from each generator, for the seats that stand in the row."""
    for i in range(len(rngs)):
        splendor.deal(s, rngs[i], chance)
        results[i, DECISIONS] = splendor.playout(s, cards, rngs[i], menu, chance)
        results[i, TURNS] = s[splendor_layout.TURNS]
        results[i, REASON] = s[splendor_layout.REASON]
        results[i, WINNERS] = s[splendor_layout.WINNERS]


def after_each(rules: Rules, s: Row, decisions: list[int], rng: Rng) -> Row:
    """The state after each of some legal decisions, a row each; the one before stays as it is."""
    announce_compilation(rules.kernel)
    apply_each = splendor_after_each if rules.game == "splendor" else duel_after_each
    rows = np.repeat(s[np.newaxis], len(decisions), axis=0)
    ids = np.array(decisions, np.int64)
    apply_each(rows, rules.cards, ids, rng, np.zeros(CHANCE_SIZE, np.uint8))
    return rows


@kernel
def duel_after_each(rows: Row, cards: Cards, decisions: Row, rng: Rng, chance: Chance) -> None:
    """Do one decision in each row of Duel."""
    for i in range(len(rows)):
        chance[0] = 0
        duel.apply(rows[i], cards, decisions[i], rng, chance)


@kernel
def splendor_after_each(rows: Row, cards: Cards, decisions: Row, rng: Rng, chance: Chance) -> None:
    """Do one decision in each row of Splendor."""
    for i in range(len(rows)):
        chance[0] = 0
        splendor.apply(rows[i], cards, decisions[i], rng, chance)


class Batch:
    """Many games of the same rules, each a step further with every call of `step`.

    A game that is over begins anew. Row i of `masks` flags what is legal in game i.
    """

    def __init__(self, rules: Rules, number: int, seed: int) -> None:
        self.rules = rules
        self.rows = np.repeat(rules.blank()[np.newaxis], number, axis=0)
        self.rows[:, rules.layout.PHASE] = rules.layout.OVER
        self.rngs = generators(seed, 0, number)
        self.masks = np.zeros((number, len(rules.decision_texts)), np.bool_)
        self._menu = np.empty(MENU_WORDS, np.int64)
        self._chance = np.zeros(CHANCE_SIZE, np.uint8)
        announce_compilation(rules.kernel)

    def step(self, decisions: Row) -> None:
        """Do one legal decision in each game; unchecked."""
        kernel: Any = self.rules.kernel
        kernel.step_many(
            self.rows,
            self.rules.cards,
            decisions,
            self.rngs,
            self._menu,
            self._chance,
            self.masks,
        )

    def choose(self, decisions: Row) -> None:
        """Write a random legal decision for each game; 0 where it is over."""
        self.rules.kernel.choose_many(self.rows, self.rules.cards, self.rngs, self._menu, decisions)
