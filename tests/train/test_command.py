"""The commands `parure train …`."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from tests.command_line import Run
from tests.train.test_run import TINY

from parure.train.run import encode_config

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
    assert played.err.splitlines()[-1] == "3 of 3 shards"
    assert (
        run("train", "selfplay", config, "--out", shards, "-n", 5).err == ""
    )  # nothing is missing
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


def test_errors_are_one_line(run: Run, tmp_path: Path) -> None:
    done = run("train", "selfplay", "chess", "--out", tmp_path / "shards")
    assert done.status == 1
    assert done.err.startswith("parure: there is no configuration 'chess'")
    done = run("train", "gate", "splendor-2", tmp_path / "missing.npz", "-n", 2)
    assert done.status == 1
    assert "missing.npz" in done.err
