"""The examples run: with small settings here, the training in the long tests."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import parure
from parure.envs import BatchSearch, Games
from parure.games.registry import rules

EXAMPLES = Path(__file__).parents[2] / "examples"


def example(name: str, function: str = "main") -> Any:
    return runpy.run_path(str(EXAMPLES / f"{name}.py"))[function]


def test_every_example_is_run_here() -> None:
    names = {file.stem for file in EXAMPLES.glob("*.py")} - {"external_bot"}  # in tests/bots
    text = Path(__file__).read_text("utf-8")
    assert all(f'example("{name}")' in text for name in names)


def test_random_agents(capsys: pytest.CaptureFixture[str]) -> None:
    won = example("random_agents")(2)
    assert sum(won.values()) == pytest.approx(0)


def test_vector_loop(capsys: pytest.CaptureFixture[str]) -> None:
    assert -1 <= example("vector_loop")(120, 16) <= 1
    assert "steps per second" in capsys.readouterr().out


def test_self_play(capsys: pytest.CaptureFixture[str]) -> None:
    assert example("self_play")(3, 2, 2).shape == (6, 832)


@pytest.mark.slow_without_jit
def test_self_play_does_not_look_at_hidden_cards() -> None:
    """Its decisions are the same whatever the hidden cards are."""
    best_decision = example("self_play", "best_decision")
    state = parure.new("duel", seed=2)
    for number in range(12):
        chosen = set()
        for guess in (state, parure.determinize(state.view(state.seat), seed=number)):
            games = Games("duel", 1, seed=1)
            games.set_state(0, guess, seed=int(guess.rng[0]))
            chosen.add(best_decision(games, 0, np.random.default_rng(number), 4))
        assert len(chosen) == 1
        state.play(chosen.pop())


def test_openspiel_mcts(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("pyspiel")
    assert sum(example("openspiel_mcts")(2, 4)) == 0
    assert "4 decisions" in capsys.readouterr().out


@pytest.mark.filterwarnings("ignore")  # of the training library's own
def test_maskable_ppo_trains_as_many_steps_as_it_says(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("sb3_contrib")
    assert len(example("maskable_ppo")(8192, games=2)) == 3
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == [
        "0",
        "4,096",
        "8,192",
    ]


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
def test_baselines_are_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("sb3_contrib")
    rows = example("baselines")("splendor-2", 4096, 2)
    assert len(rows) == 14
    assert "MaskablePPO, 4,096 steps" in rows[2]


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")  # of the training library's own
def test_maskable_ppo_learns_to_beat_random(tmp_path: Path) -> None:
    pytest.importorskip("sb3_contrib")
    shares = example("maskable_ppo")(82_000, str(tmp_path / "curve.svg"), rounds=2, games=200)
    assert shares[-1] > 0.65
    assert shares[-1] > shares[0] + 0.1
    assert (tmp_path / "curve.svg").stat().st_size > 1000


def search_won(first: BatchSearch, second: BatchSearch, number: int) -> float:
    """The share of games that one search wins against another, at alternating seats."""
    games = Games("splendor", number, seed=5, autoreset="off")
    while not games.is_over.all():
        decisions = games.random_decisions()
        for place, search in enumerate((first, second)):
            is_own = games.seats == (np.arange(number) + place) % 2
            decisions[is_own] = search.run(games.rows[is_own]).visits.argmax(axis=1)
        games.step(decisions)
    return float(np.mean([games.rewards_if_ended(i)[i % 2] for i in range(number)]) + 1) / 2


@pytest.mark.long
def test_alphazero_learns(capsys: pytest.CaptureFixture[str]) -> None:
    """After a short training the network beats itself as it was before."""
    torch = pytest.importorskip("torch")
    torch.manual_seed(1)
    main = example("alphazero")
    names, won = main.__globals__, []
    untrained = names["Network"](Games("splendor", 1))
    evaluate = torch.inference_mode()(lambda *arrays: untrained(*map(torch.from_numpy, arrays)))

    def play_untrained(search: BatchSearch, opponent: str, number: int) -> float:
        rival = BatchSearch(search.rules, evaluate, simulations=512, leaves=8)
        won.append(search_won(search, rival, number))
        return won[-1]

    names["share_won"], match = play_untrained, names["share_won"]
    main(500, "the untrained network", 60)
    assert "500 steps" in capsys.readouterr().out
    assert won[0] > 0.8
    player = BatchSearch(rules("splendor"), evaluate, simulations=8)
    assert 0 <= match(player, "greedy", 4) <= 1


def test_alphazero_is_short() -> None:
    lines = (EXAMPLES / "alphazero.py").read_text("utf-8").splitlines()
    assert len(lines) <= 80
