"""Loops over many games in one call, for the kernel module of any game.

Numba caches machine code only of functions at the level of a module, and compiles a loop for one
game at a time. So `batch_loops` returns inlined loops, and the kernel module of each game wraps
them into kernels.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

from parure.games.engine.arrays import Cards, Chance, Mask, Menu, Rng, Row
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
    playout_recorded: Callable[[Row, Cards, Rng, Menu, Chance, Row, Chance], int]
    replay_many: Callable[[Row, Cards, Row, int, Rng, Menu, Row, Chance, Row, Mask], int]


def batch_loops(
    layout: ResultLayout,
    deal: Callable[..., None],
    apply: Callable[..., None],
    choose: Callable[..., int],
    playout: Callable[..., int],
    legal_ids: Callable[..., int],
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

    @inlined
    def playout_recorded(
        s: Row, cards: Cards, rng: Rng, menu: Menu, chance: Chance, ids: Row, drawn: Chance
    ) -> int:
        """Play random decisions until the game is over or `ids` is full; return their number.

        The decisions are written to `ids`. Row i of `drawn` receives what chance brought with
        decision i: the number of tokens, then their kinds.
        """
        number = 0
        while number < len(ids) and s[layout.PHASE] != layout.OVER:
            decision = choose(s, cards, rng, menu)
            chance[0] = 0
            apply(s, cards, decision, rng, chance)
            ids[number] = decision
            for i in range(1 + chance[0]):
                drawn[number, i] = chance[i]
            number += 1
        return number

    @inlined
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
        """Apply decisions from number `first` on, and return the number of the first that is left.

        `chance` says what chance brings with the first decision. A later decision is left if
        chance has a part in it, which `~decision` in place of the decision announces; any
        decision is left if it is not legal or the game is over. Before decision i is applied, row
        i of `rows` and of `masks` receive the state and what is legal.
        """
        for n in range(first, len(decisions)):
            decision = decisions[n]
            if decision < 0:
                if n > first:
                    return n
                decision = ~decision
            if s[layout.PHASE] == layout.OVER:
                return n
            is_legal = False
            for i in range(legal_ids(s, cards, menu, ids)):
                masks[n, ids[i]] = 1
                is_legal |= ids[i] == decision
            if not is_legal:
                return n
            for i in range(len(s)):
                rows[n, i] = s[i]
            if n > first:
                chance[0] = 0
            apply(s, cards, decision, rng, chance)
        return len(decisions)

    return BatchLoops(playout_many, apply_each, choose_many, playout_recorded, replay_many)
