"""Loops over many games in one call, for the kernel module of any game.

Numba caches machine code only of functions at the level of a module, and compiles a loop for one
game at a time. So `batch_loops` returns inlined loops, and the kernel module of each game wraps
them into kernels.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

from parure.games.engine.arrays import Cards, Chance, Menu, Rng, Row
from parure.games.engine.jit import inlined

# The columns of the results of `playout_many`.
DECISIONS, TURNS, REASON, WINNERS = range(4)
RESULT_COLUMNS = 4


class ResultLayout(Protocol):
    """What `batch_loops` needs of a game's layout."""

    # ruff: noqa: N802
    @property
    def PHASE(self) -> int: ...
    @property
    def OVER(self) -> int: ...
    @property
    def TURNS(self) -> int: ...
    @property
    def REASON(self) -> int: ...
    @property
    def WINNERS(self) -> int: ...


class BatchLoops(NamedTuple):
    """Compiled loops over many games; see `batch_loops`."""

    playout_many: Callable[[Row, Cards, Rng, Menu, Chance, Row], None]
    apply_each: Callable[[Row, Cards, Row, Rng, Chance], None]
    choose_many: Callable[[Row, Cards, Rng, Menu, Row], None]


def batch_loops(
    layout: ResultLayout,
    deal: Callable[..., None],
    apply: Callable[..., None],
    choose: Callable[..., int],
    playout: Callable[..., int],
) -> BatchLoops:
    """Return the loops for a game, given its layout and kernels."""

    @inlined
    def playout_many(
        s: Row, cards: Cards, rngs: Rng, menu: Menu, chance: Chance, results: Any
    ) -> None:
        """Deal a game from each generator, play it out and write a row of results.

        `s` holds the options of the game and is overwritten.
        """
        for i in range(len(rngs)):
            deal(s, rngs[i], chance)
            results[i, DECISIONS] = playout(s, cards, rngs[i], menu, chance)
            results[i, TURNS] = s[layout.TURNS]
            results[i, REASON] = s[layout.REASON]
            results[i, WINNERS] = s[layout.WINNERS]

    @inlined
    def apply_each(rows: Row, cards: Cards, chosen: Row, rng: Rng, chance: Chance) -> None:
        """Apply one decision to each row."""
        for i in range(len(rows)):
            chance[0] = 0
            apply(rows[i], cards, chosen[i], rng, chance)

    @inlined
    def choose_many(rows: Row, cards: Cards, rngs: Rng, menu: Menu, chosen: Row) -> None:
        """Write a random legal decision for each row; 0 where the game is over."""
        for i in range(len(rows)):
            is_over = rows[i][layout.PHASE] == layout.OVER
            chosen[i] = 0 if is_over else choose(rows[i], cards, rngs[i], menu)

    return BatchLoops(playout_many, apply_each, choose_many)
