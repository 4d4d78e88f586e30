"""The commands `parure train …`."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from tests.command_line import Run
from tests.train.test_run import TINY

from parure.train.config import encode_config

pytestmark = pytest.mark.slow_without_jit


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "tiny.toml"
    path.write_bytes(encode_config(TINY))
    return path


def test_the_three_steps_one_by_one(run: Run, config: Path, tmp_path: Path) -> None:
    pytest.importorskip("torch")
    shards, network = tmp_path / "shards", tmp_path / "network.npz"
    played = run("train", "selfplay", config, "--out", shards, "-n", 5)
    assert played.status == 0
    assert played.err.splitlines() == ["2 of 5 games", "4 of 5 games", "5 of 5 games"]
    again = run("train", "selfplay", config, "--out", shards, "-n", 5)
    assert again.err == "nothing to play, 5 games are there\n"
    fitted = run("train", "fit", config, shards, "--out", network)
    assert fitted.status == 0
    assert msgspec.json.decode(fitted.out)["steps"] > 0
    gated = run("train", "gate", config, network, "-n", 2)
    assert gated.status == 0
    assert gated.out.endswith("% of 2 games\n")


def test_a_run_of_one_generation(run: Run, config: Path, tmp_path: Path) -> None:
    pytest.importorskip("torch")
    done = run("train", "run", config, "--folder", tmp_path / "run", "--generations", 1)
    assert done.status == 0
    assert "accepted, rating" in done.err


def test_shards_of_another_game_are_refused(run: Run, config: Path, tmp_path: Path) -> None:
    pytest.importorskip("torch")
    assert run("train", "selfplay", config, "--out", tmp_path / "shards", "-n", 2).status == 0
    done = run("train", "fit", "splendor-3", tmp_path / "shards", "--out", tmp_path / "a.npz")
    assert done.status == 1
    assert "holds positions of splendor-2" in done.err


@pytest.mark.parametrize("missing", ["torch", "matplotlib"])
def test_a_run_needs_its_packages_before_it_plays(
    run: Run, config: Path, tmp_path: Path, missing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None if name == missing else name)
    done = run("train", "run", config, "--folder", tmp_path / "run")
    assert done.status == 1
    assert f"training needs {missing}: pip install 'parure[train]'" in done.err
    assert not (tmp_path / "run").exists()


def test_errors_are_one_line(run: Run, tmp_path: Path) -> None:
    done = run("train", "selfplay", "chess", "--out", tmp_path / "shards")
    assert done.status == 1
    assert done.err.startswith("parure: there is no configuration 'chess'")
    done = run("train", "gate", "splendor-2", tmp_path / "missing.npz", "-n", 2)
    assert done.status == 1
    assert "missing.npz" in done.err
