"""The examples run: with small settings here, the training in the long tests."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"


def example(name: str) -> Any:
    return runpy.run_path(str(EXAMPLES / f"{name}.py"))["main"]


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


def test_openspiel_mcts(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("pyspiel")
    assert sum(example("openspiel_mcts")(2, 4)) == 0
    assert "4 decisions" in capsys.readouterr().out


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")  # of the training library's own
def test_maskable_ppo_learns_to_beat_random(tmp_path: Path) -> None:
    pytest.importorskip("sb3_contrib")
    shares = example("maskable_ppo")(82_000, str(tmp_path / "curve.svg"), rounds=2, games=200)
    assert shares[-1] > 0.65
    assert shares[-1] > shares[0] + 0.1
    assert (tmp_path / "curve.svg").stat().st_size > 1000
