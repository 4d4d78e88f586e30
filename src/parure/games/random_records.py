"""Random games with their records: compiled code plays, Python only spells the decisions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from parure.games.engine.arrays import Rng, Row
from parure.games.engine.jit import announce_compilation
from parure.games.position import Outcome
from parure.games.record import FORMAT, Record
from parure.games.rules import CHANCE_SIZE, MENU_WORDS, Rules, new_chance

DECISIONS_IN_CALL = 2048  # few random games take more


def random_records(rules: Rules, rngs: Rng, players: Sequence[str]) -> Iterator[tuple[Record, int]]:
    """Yield the record of a random game from each generator, and its number of turns.

    Args:
        rules: The game.
        rngs: One generator in each row, as `parure.games.playouts.generators` returns them.
        players: The names of the players.

    >>> from parure.games.playouts import generators
    >>> from parure.games.registry import rules
    >>> games = random_records(rules("splendor"), generators(7, 0, 2), ["random", "random"])
    >>> [(len(record.decisions), turns) for record, turns in games]
    [(91, 76), (98, 80)]
    """
    announce_compilation(rules.kernel)
    player = _Player(rules)
    layout = rules.layout
    for rng in rngs:
        row = rules.deal(rng)
        setup = rules.setup_of(row)
        decisions = player.play(row, rng)
        winners = row.item(layout.WINNERS)
        outcome = Outcome(
            tuple(seat for seat in range(rules.seats) if winners >> seat & 1),
            layout.REASONS[row.item(layout.REASON)],
        )
        record = Record(
            format=FORMAT,
            game=rules.game,
            options=dict(rules.options),
            players=list(players),
            setup=setup,
            decisions=decisions,
            result=outcome,
        )
        yield record, row.item(layout.TURNS)


class _Player:
    """Plays games to their end, one after the other, with arrays allocated once."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._texts = np.array(rules.decision_texts, object)  # an array looks up many at once
        self._menu = np.empty(MENU_WORDS, np.int64)
        self._chance = new_chance()
        self._ids = np.empty(DECISIONS_IN_CALL, np.int64)
        self._drawn = np.empty((DECISIONS_IN_CALL, CHANCE_SIZE), np.uint8)

    def play(self, row: Row, rng: Rng) -> list[str]:
        """Play random decisions until the game is over, and return them as a record holds them."""
        layout, ids, drawn = self._rules.layout, self._ids, self._drawn
        decisions: list[str] = []
        while row.item(layout.PHASE) != layout.OVER:
            number = self._rules.kernel.playout_recorded(
                row, self._rules.cards, rng, self._menu, self._chance, ids, drawn
            )
            found = self._texts.take(ids[:number]).tolist()
            kinds = drawn[:number].tobytes()
            for i in drawn[:number, 0].nonzero()[0].tolist():
                first = CHANCE_SIZE * i + 1
                brought = kinds[first : first + kinds[first - 1]]
                found[i] = self._rules.with_chance(found[i], brought)
            decisions += found
        return decisions
