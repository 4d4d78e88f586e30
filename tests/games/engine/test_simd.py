"""Comparisons of many words at once, compared with plain loops."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.games.engine.calls import callable_from_python
from tests.games.random_games import each_game, examples

from parure.games.engine import simd
from parure.games.engine.card_storage import priced_cards
from parure.games.engine.tokens import pack
from parure.games.registry import rules

FIND_EQUAL = callable_from_python(simd.find_equal, 4)
FIND_AFFORDABLE = callable_from_python(simd.find_affordable, 5)
COUNTS = st.lists(st.integers(0, 15), min_size=8, max_size=8)


@given(
    words=st.lists(st.integers(-2, 2) | st.integers(-(2**63), 2**63 - 1), min_size=20),
    data=st.data(),
)
@examples(100)
def test_find_equal(words: list[int], data: st.DataObject) -> None:
    number = data.draw(st.integers(1, 15))
    first = data.draw(st.integers(0, len(words) - number - 3))
    word = data.draw(st.sampled_from(words))
    equal = sum(1 << i for i in range(number) if words[first + i] == word)
    assert FIND_EQUAL(np.array(words), first, number, word) == equal


@given(costs=st.lists(COUNTS, min_size=20, max_size=40), data=st.data())
@examples(100)
def test_find_affordable(costs: list[list[int]], data: st.DataObject) -> None:
    number = data.draw(st.integers(1, 15))
    first = data.draw(st.integers(0, len(costs) - number - 3))
    wealth, gold = data.draw(COUNTS)[:7], data.draw(st.integers(0, 60))
    lacking = [
        sum(max(price - have, 0) for price, have in zip(cost, wealth, strict=False))
        for cost in costs[first : first + number]
    ]
    affordable = sum(1 << i for i in range(number) if lacking[i] <= gold)
    priced = priced_cards(np.array([pack(cost) for cost in costs]))
    assert FIND_AFFORDABLE(priced, first, number, pack(wealth), gold) == affordable


@each_game
def test_vectors_stay_within_the_row(game: str, seats: int) -> None:
    """The vector versions read up to three words after the last one."""
    layout: Any = rules(game, seats).layout
    reserved = getattr(layout, "MAX_RESERVED", layout.RESERVE_LIMIT)
    assert layout.RESERVED + -(-reserved // 4) * 4 <= layout.SEAT_WORDS
