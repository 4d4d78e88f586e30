"""The kernels of all games: every way to play a game, compiled or not, gives the same game."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from tests.games.engine.test_rng import random_below
from tests.games.random_games import GAMES, SEEDS, each_game, examples, is_uniform

from parure.games.engine.jit import JIT
from parure.games.engine.rng import new_rng
from parure.games.playouts import generators, play_out
from parure.games.registry import rules
from parure.games.rules import CHANCE_SIZE, MENU_WORDS, Rules

NUMBER = 25 if JIT else 2  # of games


def scratch() -> tuple[Any, Any]:
    """Return arrays for a menu and for chance."""
    return np.empty(MENU_WORDS, np.int64), np.zeros(CHANCE_SIZE, np.uint8)


# --- playouts -------------------------------------------------------------------------------------


@each_game
@given(seed=SEEDS)
@examples(20)
def test_playout_equals_choose_and_apply(game: str, seats: int, seed: int) -> None:
    game_rules, (menu, chance) = rules(game, seats), scratch()
    kernel, rng = game_rules.kernel, new_rng(seed)
    row = game_rules.deal(rng)
    whole, whole_rng = row.copy(), rng.copy()
    number = kernel.playout(whole, game_rules.cards, whole_rng, menu, chance)
    steps = 0
    while row[game_rules.layout.PHASE] != game_rules.layout.OVER:
        decision = kernel.choose(row, game_rules.cards, rng, menu)
        chance[0] = 0
        kernel.apply(row, game_rules.cards, decision, rng, chance)
        steps += 1
    assert steps == number
    assert (row == whole).all()
    assert (rng == whole_rng).all()


@each_game
@given(seed=SEEDS)
@examples(10)
def test_playout_equals_legal_ids_and_a_random_index(game: str, seats: int, seed: int) -> None:
    """The n-th decision in the order of the menu, with n from the same generator."""
    game_rules, (menu, chance) = rules(game, seats), scratch()
    rng = new_rng(seed)
    kernel: Any = game_rules.kernel
    row = game_rules.deal(rng)
    whole, whole_rng = row.copy(), rng.copy()
    game_rules.kernel.playout(whole, game_rules.cards, whole_rng, menu, chance)
    ids = np.empty(256, np.int64)
    while row[game_rules.layout.PHASE] != game_rules.layout.OVER:
        number = game_rules.kernel.legal_ids(row, game_rules.cards, menu, ids)
        assert (
            number == len(set(ids[:number].tolist())) == kernel.legal(row, game_rules.cards, menu)
        )
        game_rules.apply(row, int(ids[random_below(rng, number)]), rng)
    assert (row == whole).all()
    assert (rng == whole_rng).all()


@each_game
def test_play_out_uses_the_generator_of_each_game(game: str, seats: int) -> None:
    game_rules, (menu, chance) = rules(game, seats), scratch()
    results = play_out(game_rules, generators(3, 0, NUMBER))
    rngs = generators(3, 0, NUMBER)
    for i in range(NUMBER):
        row = game_rules.deal(rngs[i])
        number = game_rules.kernel.playout(row, game_rules.cards, rngs[i], menu, chance)
        layout = game_rules.layout
        assert results[i].tolist() == [
            number,
            row[layout.TURNS],
            row[layout.REASON],
            row[layout.WINNERS],
        ]


@each_game
def test_choose_is_uniform(game: str, seats: int) -> None:
    game_rules, (menu, _) = rules(game, seats), scratch()
    rng = new_rng(4)
    row = game_rules.deal(rng)
    for _ in range(25):
        legal = game_rules.legal(row)
        number = 20 * len(legal)
        counts = Counter(
            game_rules.kernel.choose(row, game_rules.cards, rng, menu) for _ in range(number)
        )
        assert set(counts) <= set(legal)
        assert is_uniform(counts, len(legal))
        game_rules.apply(row, game_rules.kernel.choose(row, game_rules.cards, rng, menu), rng)
        if row[game_rules.layout.PHASE] == game_rules.layout.OVER:
            break


# --- the same games everywhere --------------------------------------------------------------------


DIGESTS = {
    "duel": "db6b39f163d58a28",
    "duel+counterfeiters": "7284b704173f6a6c",
    "splendor-2": "8234a2f0ee080a74",
    "splendor-3": "628aa4450a6380e1",
    "splendor-4": "c4775271e7ea8fa1",
}


def digest(game_rules: Rules, number: int = 12) -> str:
    """Return a hash of every row of some seeded games."""
    menu, chance = scratch()
    hashed = hashlib.sha256()
    for seed in range(number):
        rng = new_rng(seed)
        row = game_rules.deal(rng)
        while row[game_rules.layout.PHASE] != game_rules.layout.OVER:
            hashed.update(row.astype("<i8").tobytes())
            decision = game_rules.kernel.choose(row, game_rules.cards, rng, menu)
            chance[0] = 0
            game_rules.kernel.apply(row, game_rules.cards, decision, rng, chance)
        hashed.update(row.astype("<i8").tobytes())
    return hashed.hexdigest()[:16]


@each_game
def test_seeded_games_are_the_same_on_every_machine(game: str, seats: int) -> None:
    game_rules = rules(game, seats)
    assert digest(game_rules) == DIGESTS[game_rules.label]


PRINT_DIGEST = """
import importlib.util, sys
spec = importlib.util.spec_from_file_location("kernels", sys.argv[1])
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
print(module.JIT, module.digest(module.rules(sys.argv[2], int(sys.argv[3]))))
"""


def digest_elsewhere(game: str, seats: int, **environment: str) -> str:
    """Return the digest that another process computes."""
    return subprocess.run(
        [sys.executable, "-c", PRINT_DIGEST, __file__, game, str(seats)],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()


@each_game
@pytest.mark.skipif(not JIT, reason="these are the plain kernels")
def test_compiled_kernels_equal_plain_python(game: str, seats: int) -> None:
    elsewhere = digest_elsewhere(game, seats, NUMBA_DISABLE_JIT="1")
    assert elsewhere == f"False {digest(rules(game, seats))}"


@pytest.mark.long
@pytest.mark.skipif(not JIT, reason="nothing is compiled")
@pytest.mark.parametrize(
    "variant",
    [
        {"NUMBA_BOUNDSCHECK": "1"},  # checks that no index is out of bounds
        {"NUMBA_CPU_NAME": "generic"},  # neither BMI2 nor AVX2
    ],
)
def test_other_compiler_settings_give_the_same_games(
    tmp_path: Path, variant: dict[str, str]
) -> None:
    environment = {**variant, "PARURE_CACHE": str(tmp_path)}
    for game, seats in GAMES:
        elsewhere = digest_elsewhere(game, seats, **environment)
        assert elsewhere == f"True {digest(rules(game, seats))}"
