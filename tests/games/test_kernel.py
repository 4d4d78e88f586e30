"""The compiled kernels: each against a slower way to the same result."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from parure.games.engine import bits, simd
from parure.games.engine import rng as rng_module
from parure.games.engine.card_storage import priced_cards
from parure.games.engine.jit import JIT
from parure.games.engine.rng import new_rng
from parure.games.engine.tokens import pack, unpack
from parure.games.playouts import generators, play_out
from parure.games.registry import rules
from parure.games.rules import CHANCE_SIZE, MENU_WORDS, Rules

KINDS = [("duel", 2), ("duel+counterfeiters", 2), ("splendor", 2), ("splendor", 3), ("splendor", 4)]
SEEDS = st.integers(0, 2**64 - 1)
MANY, FEW = (2_000, 25) if JIT else (200, 2)

each_kind = pytest.mark.parametrize(("game", "seats"), KINDS)


def games(number: int) -> settings:
    return settings(
        max_examples=number if JIT else max(1, number // 10),
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )


def scratch() -> tuple[Any, Any]:
    """A menu and a place for what chance brings."""
    return np.empty(MENU_WORDS, np.int64), np.zeros(CHANCE_SIZE, np.uint8)


# --- helpers have no door to Python when they are compiled ----------------------------------------


def callable_from_python(function: Any, arguments: int) -> Any:
    """A helper with another function around it."""
    if not JIT:
        return function
    if arguments == 1:
        return numba.njit(lambda one: function(one))
    if arguments == 2:
        return numba.njit(lambda one, two: function(one, two))
    return numba.njit(lambda *these: function(*these))


BELOW = callable_from_python(rng_module.random_below, 2)
POPCOUNT = callable_from_python(bits.popcount, 1)
LOWEST = callable_from_python(bits.lowest_bit, 1)
NTH = callable_from_python(bits.nth_bit, 2)
TOTAL = callable_from_python(bits.lane_sum, 1)
KINDS_IN = callable_from_python(bits.kinds_in, 1)
RUNNING_TOTALS = callable_from_python(bits.running_totals, 1)
BEYOND = callable_from_python(bits.lanes_greater_than, 2)
COUNTS_FROM = callable_from_python(bits.counts_from_totals, 1)
HAS = callable_from_python(bits.has_bit, 2)
LANE = callable_from_python(bits.count_of, 2)
ONE = callable_from_python(bits.one_of, 1)
EXCESS = callable_from_python(bits.saturating_sub, 2)
SMALLER = callable_from_python(bits.lane_min, 2)
GOLD_IN = callable_from_python(bits.gold_in, 1)
EQUAL_TO = callable_from_python(simd.find_equal, 4)
PAYABLE = callable_from_python(simd.find_affordable, 5)


# --- a playout is legal, choose, apply ------------------------------------------------------------


@each_kind
@given(seed=SEEDS)
@games(20)
def test_a_playout_is_choosing_and_applying_one_by_one(game: str, seats: int, seed: int) -> None:
    by, (menu, chance) = rules(game, seats), scratch()
    kernel, rng = by.kernel, new_rng(seed)
    row = by.deal(rng)
    whole, whole_rng = row.copy(), rng.copy()
    number = kernel.playout(whole, by.cards, whole_rng, menu, chance)
    steps = 0
    while row[by.layout.PHASE] != by.layout.OVER:
        decision = kernel.choose(row, by.cards, rng, menu)
        chance[0] = 0
        kernel.apply(row, by.cards, decision, rng, chance)
        steps += 1
    assert steps == number
    assert (row == whole).all()
    assert (rng == whole_rng).all()


def random_below(rng: Any, n: int) -> int:
    """A slow double of `rng.random_below`: splitmix64 and Lemire's method, in plain integers."""
    while True:
        rng[0] = (int(rng[0]) + 0x9E3779B97F4A7C15) % 2**64
        z = int(rng[0])
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % 2**64
        z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
        product = ((z ^ z >> 31) >> 32) * n
        if product % 2**32 >= 2**32 % n:
            return product >> 32


@each_kind
@given(seed=SEEDS)
@games(10)
def test_a_playout_is_choosing_by_hand(game: str, seats: int, seed: int) -> None:
    """The n-th of the decisions as the menu lists them, n from the same generator."""
    by, (menu, chance) = rules(game, seats), scratch()
    rng = new_rng(seed)
    kernel: Any = by.kernel
    row = by.deal(rng)
    whole, whole_rng = row.copy(), rng.copy()
    by.kernel.playout(whole, by.cards, whole_rng, menu, chance)
    ids = np.empty(256, np.int64)
    while row[by.layout.PHASE] != by.layout.OVER:
        number = by.kernel.legal_ids(row, by.cards, menu, ids)
        assert number == len(set(ids[:number].tolist())) == kernel.legal(row, by.cards, menu)
        by.apply(row, int(ids[random_below(rng, number)]), rng)
    assert (row == whole).all()
    assert (rng == whole_rng).all()


@each_kind
def test_play_out_plays_each_game_from_its_own_generator(game: str, seats: int) -> None:
    by, (menu, chance) = rules(game, seats), scratch()
    results = play_out(by, generators(3, 0, FEW))
    rngs = generators(3, 0, FEW)
    for i in range(FEW):
        row = by.deal(rngs[i])
        number = by.kernel.playout(row, by.cards, rngs[i], menu, chance)
        at = by.layout
        assert results[i].tolist() == [number, row[at.TURNS], row[at.REASON], row[at.WINNERS]]


# --- the same everywhere --------------------------------------------------------------------------

DIGESTS = {
    "duel": "db6b39f163d58a28",
    "duel+counterfeiters": "7284b704173f6a6c",
    "splendor-2": "8234a2f0ee080a74",
    "splendor-3": "628aa4450a6380e1",
    "splendor-4": "c4775271e7ea8fa1",
}


def digest(by: Rules, number: int = 12) -> str:
    """A hash of every row of some games from seeds."""
    menu, chance = scratch()
    hashed = hashlib.sha256()
    for seed in range(number):
        rng = new_rng(seed)
        row = by.deal(rng)
        while row[by.layout.PHASE] != by.layout.OVER:
            hashed.update(row.astype("<i8").tobytes())
            decision = by.kernel.choose(row, by.cards, rng, menu)
            chance[0] = 0
            by.kernel.apply(row, by.cards, decision, rng, chance)
        hashed.update(row.astype("<i8").tobytes())
    return hashed.hexdigest()[:16]


@each_kind
def test_games_from_seeds_are_the_same_on_every_machine(game: str, seats: int) -> None:
    by = rules(game, seats)
    assert digest(by) == DIGESTS[by.label]


PRINT_DIGEST = """
import importlib.util, sys
spec = importlib.util.spec_from_file_location("kernels", sys.argv[1])
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
print(module.JIT, module.digest(module.rules(sys.argv[2], int(sys.argv[3]))))
"""


def digest_elsewhere(game: str, seats: int, **environment: str) -> str:
    """The digest as another process computes it."""
    return subprocess.run(
        [sys.executable, "-c", PRINT_DIGEST, __file__, game, str(seats)],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()


@each_kind
@pytest.mark.skipif(not JIT, reason="these are the plain kernels")
def test_plain_python_gives_what_the_compiled_kernels_give(game: str, seats: int) -> None:
    there = digest_elsewhere(game, seats, NUMBA_DISABLE_JIT="1")
    assert there == f"False {digest(rules(game, seats))}"


@pytest.mark.long
@pytest.mark.skipif(not JIT, reason="nothing is compiled")
@pytest.mark.parametrize(
    "variant",
    [
        {"NUMBA_BOUNDSCHECK": "1"},  # no index is out of bounds
        {"NUMBA_CPU_NAME": "generic"},  # can neither spread bits nor look at four words at once
    ],
)
def test_kernels_compiled_otherwise_give_the_same(tmp_path: Path, variant: dict[str, str]) -> None:
    environment = {**variant, "PARURE_CACHE": str(tmp_path)}
    for game, seats in KINDS:
        there = digest_elsewhere(game, seats, **environment)
        assert there == f"True {digest(rules(game, seats))}"


# --- chance ---------------------------------------------------------------------------------------


def likely(counts: Counter[Any], number: int) -> bool:
    """Whether counts of as many equally likely things are as even as chance makes them.

    A chi-square test that fails once in a million times; the bound is Wilson and Hilferty's.
    """
    if number == 1:
        return len(counts) == 1
    expected = counts.total() / number
    chi_square = sum((n - expected) ** 2 for n in counts.values()) / expected
    chi_square += (number - len(counts)) * expected
    free = number - 1
    return bool(chi_square < free * (1 - 2 / (9 * free) + 4.75 * (2 / (9 * free)) ** 0.5) ** 3)


@given(seed=SEEDS, n=st.integers(1, 2**31) | st.integers(1, 40))
@games(200)
def test_below_is_its_slow_double(seed: int, n: int) -> None:
    rng, slow = new_rng(seed), new_rng(seed)
    assert [BELOW(rng, n) for _ in range(5)] == [random_below(slow, n) for _ in range(5)]
    assert (rng == slow).all()


@pytest.mark.parametrize("n", [1, 2, 3, 7, 25, 111])
def test_below_is_uniform(n: int) -> None:
    rng = new_rng(1)
    counts = Counter(int(BELOW(rng, n)) for _ in range(MANY * 10))
    assert set(counts) <= set(range(n))
    assert likely(counts, n)


def test_below_redraws_what_would_be_uneven() -> None:
    """For a number just above 2**31, half of all draws are thrown away."""
    n, rng = 2**31 + 1, new_rng(1)
    draws = [int(BELOW(rng, n)) for _ in range(MANY)]
    steps = int(rng[0] - np.uint64(1)) * pow(0x9E3779B97F4A7C15, -1, 2**64) % 2**64
    assert all(0 <= draw < n for draw in draws)
    assert 1.8 < steps / MANY < 2.2


@each_kind
def test_choose_is_uniform(game: str, seats: int) -> None:
    by, (menu, _) = rules(game, seats), scratch()
    rng = new_rng(4)
    row = by.deal(rng)
    for _ in range(25):
        legal = by.legal(row)
        number = 20 * len(legal)
        counts = Counter(by.kernel.choose(row, by.cards, rng, menu) for _ in range(number))
        assert set(counts) <= set(legal)
        assert likely(counts, len(legal))
        by.apply(row, by.kernel.choose(row, by.cards, rng, menu), rng)
        if row[by.layout.PHASE] == by.layout.OVER:
            break


# --- bits against naive doubles -------------------------------------------------------------------

SETS = st.integers(1, 2**63 - 1) | st.integers(0, 62).map(lambda n: 1 << n)
COUNTS = st.lists(st.integers(0, 15), min_size=8, max_size=8)
FULL = st.lists(st.integers(0, 127), min_size=8, max_size=8)


@given(number=SETS)
@games(100)
def test_sets(number: int) -> None:
    members = [n for n in range(63) if number >> n & 1]
    assert POPCOUNT(number) == len(members)
    assert LOWEST(number) == members[0]
    assert [NTH(number, n) for n in range(len(members))] == members
    assert [n for n in range(63) if HAS(number, n)] == members


@given(counts=COUNTS)
@games(100)
def test_packed_counts(counts: list[int]) -> None:
    packed = pack(counts)
    assert list(unpack(packed)) == counts
    assert TOTAL(packed) == sum(counts)
    assert KINDS_IN(packed) == sum(1 << kind for kind, n in enumerate(counts) if n)
    assert [LANE(packed, kind) for kind in range(8)] == counts
    assert GOLD_IN(packed) == counts[7]
    assert sum(n * ONE(kind) for kind, n in enumerate(counts)) == packed
    tokens = [kind for kind, n in enumerate(counts) for _ in range(n)]
    up_to = RUNNING_TOTALS(packed)
    for n, kind in enumerate(tokens):  # drawing the n-th lowers the totals from its kind on
        assert BEYOND(up_to, n) == sum(1 << 8 * later for later in range(kind, 8))
    assert COUNTS_FROM(up_to) == packed


@given(left=FULL, right=FULL)
@games(100)
def test_two_packed_counts(left: list[int], right: list[int]) -> None:
    pairs = list(zip(left, right, strict=True))[:7]  # gold is left out
    assert EXCESS(pack(left), pack(right)) == pack(max(a - b, 0) for a, b in pairs)
    assert SMALLER(pack(left), pack(right)) == pack(min(a, b) for a, b in pairs)


@given(
    words=st.lists(st.integers(-2, 2) | st.integers(-(2**63), 2**63 - 1), min_size=20),
    data=st.data(),
)
@games(100)
def test_words_simd(words: list[int], data: st.DataObject) -> None:
    number = data.draw(st.integers(1, 15))
    first = data.draw(st.integers(0, len(words) - number - 3))
    word = data.draw(st.sampled_from(words))
    equal = sum(1 << i for i in range(number) if words[first + i] == word)
    assert EQUAL_TO(np.array(words), first, number, word) == equal


@each_kind
def test_whole_vectors_stay_within_the_row(game: str, seats: int) -> None:
    """Looking at four words at a time reads some after the last one."""
    at: Any = rules(game, seats).layout
    reserved = getattr(at, "MAX_RESERVED", at.RESERVE_LIMIT)
    assert at.RESERVED + -(-reserved // 4) * 4 <= at.SEAT_WORDS


@given(costs=st.lists(COUNTS, min_size=20, max_size=40), data=st.data())
@games(100)
def test_prices_simd(costs: list[list[int]], data: st.DataObject) -> None:
    number = data.draw(st.integers(1, 15))
    first = data.draw(st.integers(0, len(costs) - number - 3))
    wealth, gold = data.draw(COUNTS)[:7], data.draw(st.integers(0, 60))
    lacking = [
        sum(max(price - have, 0) for price, have in zip(cost, wealth, strict=False))
        for cost in costs[first : first + number]
    ]
    payable = sum(1 << i for i in range(number) if lacking[i] <= gold)
    priced = priced_cards(np.array([pack(cost) for cost in costs]))
    assert PAYABLE(priced, first, number, pack(wealth), gold) == payable
