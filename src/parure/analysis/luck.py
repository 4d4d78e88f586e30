"""How lucky each seat was: what chance brought, compared with what it could have brought.

The luck of a chance event is the value of the position after it less the mean of the values after
other outcomes of the same event. An outcome is drawn by giving the cards that nobody has seen
another order, and by drawing from the bag again. What happened and the alternatives are then
equally likely, whatever the value function, so the expected luck of every event is exactly zero.

Outcomes are valued by short searches, which are shifted to agree on average with the long search
of the decision. The shift comes from one half of the alternatives and is used with the other half,
so that it does not depend on what it is used on. docs/reference/analysis.md, "Luck".
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from parure.analysis.tree import PositionSearch, Values
from parure.games.engine.arrays import Row
from parure.games.engine.rng import new_rng
from parure.games.rules import Rules
from parure.games.state import State

ALTERNATIVES = 48  # other outcomes of an event
HALF = ALTERNATIVES // 2
REPEATS = 8  # evaluations of what happened
ITERATIONS = 64  # of the search that evaluates an outcome
SMALLEST = 1e-4  # a chance below this is taken for this
SEED_STEP = 1_000_003  # between the seeds of two decisions

Floats: TypeAlias = NDArray[np.float64]


class Luck(NamedTuple):
    """What chance brought to each seat, and the standard error of each number."""

    values: Values
    errors: Values


def no_luck(seats: int) -> Luck:
    """Return the luck of a decision in which chance has no part."""
    return Luck((0.0,) * seats, (0.0,) * seats)


def has_chance(before: State, after: State, decision: str) -> bool:
    """Return whether chance had a part in a decision: cards were drawn, or tokens from the bag."""
    rules, layout = before.rules, before.rules.layout
    decks = slice(layout.DECK_SIZES, layout.DECK_SIZES + layout.DECKS)
    if not np.array_equal(before.words[decks], after.words[decks]):
        return True
    return bool(rules.chance_size(before.words, decision.partition(" > ")[0]))


def luck_of(
    before: State,
    after: State,
    decision: str,
    expected: Values,
    search: PositionSearch,
    seed: int = 0,
) -> Luck:
    """Return the luck of a decision that led from one state to the next.

    Args:
        before: The state in which the decision was taken.
        after: The state after it, with what chance brought.
        decision: Its text, with or without what chance brought.
        expected: The value of the decision for each seat, before chance had its part.
        search: Any search of the same game; it is begun again.
        seed: The same seed gives the same result.
    """
    if not has_chance(before, after, decision):
        return no_luck(before.seats)
    rules, seat = before.rules, before.seat
    seeds = iter(range(seed * SEED_STEP, (seed + 1) * SEED_STEP))
    rows = [after.words] * (1 if after.is_over else REPEATS)
    happened = np.array([_value(search, rules, row, seat, next(seeds)) for row in rows])
    others = outcomes(before, decision, seed)
    values = np.array([_value(search, rules, row, seat, next(seeds)) for row in others])
    halves = values[:HALF], values[HALF:]
    differences = []
    variances = []
    for one, other in (halves, halves[::-1]):
        factors = _factors(one, expected)
        shifted, shifted_others = _shift(happened, factors), _shift(other, factors)
        differences.append(shifted.mean(axis=0) - shifted_others.mean(axis=0))
        variances.append(_variance_of_mean(shifted) + _variance_of_mean(shifted_others) / 2)
    return Luck(_tuple(np.mean(differences, axis=0)), _tuple(np.sqrt(np.mean(variances, axis=0))))


def _factors(values: Floats, expected: Values) -> Floats:
    """Return the factors on the seats' odds that bring the mean of values to what is expected."""
    wanted = np.clip(expected, SMALLEST, 1.0)
    factors: Floats = wanted / np.clip(values.mean(axis=0), SMALLEST, 1.0)
    return factors


def _shift(values: Floats, factors: Floats) -> Floats:
    """Return values multiplied by factors, with a sum of 1 again."""
    products = values * factors
    shifted: Floats = products / products.sum(axis=1, keepdims=True)
    return shifted


def _variance_of_mean(values: Floats) -> Floats:
    if len(values) < 2:
        return np.zeros(values.shape[1])
    variance: Floats = values.var(axis=0, ddof=1) / len(values)
    return variance


def _tuple(numbers: Floats) -> Values:
    return tuple(float(number) for number in numbers)


def _value(search: PositionSearch, rules: Rules, words: Row, viewer: int, seed: int) -> Values:
    """Return the value of a state for each seat, from what the viewer knows."""
    layout = rules.layout
    if words[layout.PHASE] == layout.OVER:
        outcome = rules.state_type(rules, words, new_rng(0)).outcome
        assert outcome is not None
        return outcome.scores(rules.seats)
    seen = words.copy()
    rules.kernel.hide(seen, viewer)
    search.restart(rules.view_type(rules, seen, viewer), new_rng(seed))
    search.advance(ITERATIONS)
    return search.mean_values()


def outcomes(before: State, decision: str, seed: int = 0) -> Iterator[Row]:
    """Yield states after a decision, with other outcomes of chance.

    The cards that nobody has seen are shuffled, and the shuffled decks then turned one card at a
    time: each state alone is drawn from the distribution of the game, and together they bring as
    many different cards to the top as possible. The two halves are independent.
    """
    rules = before.rules
    number = rules.decision(decision.partition(" > ")[0])
    rng, generator = new_rng(seed), np.random.default_rng(seed)
    decks = [(places, before.row[places]) for places in unseen_places(before)]
    for i in range(ALTERNATIVES):
        row = before.words.copy()
        for places, cards in decks:
            if i % HALF % len(cards) == 0:
                generator.shuffle(cards)
            row.view(np.uint8)[places] = np.roll(cards, -(i % HALF))
        rules.apply(row, number, rng)
        yield row


def unseen_places(state: State) -> list[NDArray[np.int64]]:
    """Return for each deck the bytes of the row that hold cards which nobody has seen."""
    layout = state.rules.layout
    seen = {state.card_numbers[card] for card in state.seen_in_decks}
    first = layout.DECK_BYTES * state.words.itemsize
    found = []
    for deck in range(layout.DECKS):
        end, size = first + layout.DECK_ENDS[deck], int(state.words[layout.DECK_SIZES + deck])
        is_seen = seen if deck < len(state.deck_sizes) else ()  # nobody looks into other decks
        places = [i for i in range(end - size, end) if int(state.row[i]) not in is_seen]
        if places:
            found.append(np.array(places))
    return found
