"""Data sets: one row for each decision, the same after a stop, and readable by common tools."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pyarrow import parquet
from typer.testing import CliRunner

import parure
from parure.cli import app
from parure.envs import observation_layout
from parure.envs.dataset import Progress, export, record_table
from parure.errors import RecordError
from parure.games.state import State


def play(game: str, seed: int, players: int | None = None, max_decisions: int = 10**6) -> State:
    state = parure.new(game, players=players, seed=seed)
    while not state.is_over and len(state.decisions) < max_decisions:
        state.play(
            state.legal_decisions[-1 - len(state.decisions) % 3 % len(state.legal_decisions)]
        )
    return state


@pytest.fixture
def records(tmp_path: Path) -> Path:
    """Return a folder of seven records: Duel, Splendor for three, and a game that is not over."""
    folder = tmp_path / "records"
    folder.mkdir()
    for number in range(4):
        play("duel", number).save(folder / f"a{number}.json")
    for number in range(2):
        play("splendor", number, 3).save(folder / f"b{number}.json")
    play("duel", 9, max_decisions=20).save(folder / "c.json")
    return folder


def run(*words: Any) -> Any:
    return CliRunner().invoke(app, ["export", *map(str, words)])


def export_all(paths: list[Path], folder: Path, part_size: int = 200) -> Progress:
    *_, progress = export(paths, folder, part_size)
    return progress


# --- the rows -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "players"), [("duel", 2), ("splendor", 4)])
def test_a_row_holds_observation_mask_decision_and_result(game: str, players: int) -> None:
    state = play(game, 3, players)
    table = record_table(state.record(), 7)
    assert table.num_rows == len(state.decisions)
    assert state.outcome is not None
    again = parure.new(game, players=players, seed=3)
    split = observation_layout(state.rules).split
    for row in table.to_pylist():
        assert row["record"] == 7
        assert row["number"] == len(again.decisions)
        assert row["seat"] == again.seat
        assert row["phase"] == again.phase
        assert row["turn"] == again.turns
        assert np.flatnonzero(row["mask"]).tolist() == again.legal_decisions.ids
        fields = split(np.array(row["observation"]))
        assert fields["own_points"] == again.players[again.seat].points
        assert row["reason"] == state.outcome.reason
        assert (row["result"] > 0) == (again.seat in state.outcome.winners)
        assert again.rules.decision_texts[row["decision"]] == row["text"].partition(" > ")[0]
        again.play(row["decision"])


def test_a_running_game_has_no_result() -> None:
    table = record_table(play("duel", 1, max_decisions=5).record())
    assert table.column("result").to_pylist() == [None] * 5
    assert table.column("reason").to_pylist() == [None] * 5


def test_the_metadata_describes_the_layout() -> None:
    metadata = json.loads(
        record_table(play("duel", 1, max_decisions=5).record()).schema.metadata[b"parure"]
    )
    layout = observation_layout(parure.rules("duel"))
    assert metadata["observation_version"] == layout.version
    assert metadata["pieces"][-1] == ["deck_sizes", layout.size - 5, [5]]


# --- the folder -----------------------------------------------------------------------------------


def test_each_game_has_a_folder_and_parts_are_limited(records: Path, tmp_path: Path) -> None:
    progress = export_all([records], tmp_path / "out", part_size=3)
    assert progress.is_complete
    assert progress.records == 7
    found = sorted(str(file.relative_to(tmp_path / "out")) for file in tmp_path.rglob("*.parquet"))
    assert found == [
        "duel/part-000000.parquet",
        "duel/part-000001.parquet",
        "duel/part-000002.parquet",
        "splendor-3/part-000001.parquet",
    ]
    rows = sum(parquet.read_table(tmp_path / "out" / file).num_rows for file in found)
    assert rows == progress.decisions


def test_a_stopped_export_continues(records: Path, tmp_path: Path) -> None:
    whole, stopped = tmp_path / "whole", tmp_path / "stopped"
    export_all([records], whole, part_size=2)
    steps: Any = export([records], stopped, part_size=2)
    next(steps)
    assert next(steps).records == 2
    steps.close()
    (stopped / "duel" / "part-000001.parquet").write_bytes(b"half written")
    kept = (stopped / "duel" / "part-000000.parquet").stat().st_mtime_ns
    progress = export_all([records], stopped, part_size=2)
    assert progress.is_complete
    assert (stopped / "duel" / "part-000000.parquet").stat().st_mtime_ns == kept
    for file in whole.rglob("*.parquet"):
        other = stopped / file.relative_to(whole)
        assert parquet.read_table(file).equals(parquet.read_table(other))
    assert not list(stopped.rglob("*.part"))


def test_a_folder_with_other_content_is_refused(records: Path, tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="not empty and holds no export"):
        export_all([records], records)
    export_all([records / "a0.json"], tmp_path / "out")
    with pytest.raises(RecordError, match="an export of other records"):
        export_all([records], tmp_path / "out")
    (tmp_path / "out" / "progress.json").write_text("{")
    with pytest.raises(RecordError, match="cannot be read"):
        export_all([records / "a0.json"], tmp_path / "out")


# --- the command ----------------------------------------------------------------------------------


def test_the_command_reports_what_it_exported_and_refused(records: Path, tmp_path: Path) -> None:
    record = json.loads((records / "a0.json").read_text())
    record["decisions"][3] = "pass"
    (records / "d.json").write_text(json.dumps(record))
    (records / "e.json").write_text("{}")
    done = run(records, "--out", tmp_path / "out", "--part", 4)
    assert done.exit_code == 1
    assert "9 records" in done.stdout
    assert "d.json, record 7: decision 3: 'pass'" in done.stderr
    assert "e.json, record 8: not a record" in done.stderr
    assert len(done.stderr.splitlines()) == 2
    again = run(records, "--out", tmp_path / "out", "--part", 4)
    assert (again.exit_code, again.stdout) == (1, done.stdout)


def test_a_compressed_file_of_lines_is_exported(tmp_path: Path) -> None:
    runner = CliRunner()
    save = tmp_path / "games.jsonl.gz"
    runner.invoke(app, ["simulate", "splendor", "-n", "5", "--save", str(save)])
    done = run(save, "--out", tmp_path / "out")
    assert done.exit_code == 0
    assert "5 records" in done.stdout


def test_no_records_are_an_error(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    done = run(tmp_path / "empty", "--out", tmp_path / "out")
    assert done.exit_code != 0
    assert "there are no records" in str(done.exception)
    assert run(tmp_path / "no.json", "--out", tmp_path / "out").exit_code != 0


# --- readers --------------------------------------------------------------------------------------


def test_pandas_polars_and_duckdb_read_it(records: Path, tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    polars = pytest.importorskip("polars")
    duckdb = pytest.importorskip("duckdb")
    progress = export_all([records], tmp_path / "out", part_size=3)
    duel, splendor = tmp_path / "out" / "duel", tmp_path / "out" / "splendor-3"
    frame = pandas.read_parquet(duel)
    assert np.stack(frame["observation"]).shape == (len(frame), 832)
    assert np.stack(frame["mask"]).shape == (len(frame), 389)
    other = polars.read_parquet(splendor / "*.parquet")
    assert (
        other["observation"].to_numpy().shape[1]
        == observation_layout(parure.rules("splendor", 3)).size
    )
    assert len(frame) + len(other) == progress.decisions
    query = f"select count(*), max(len(mask)), min(result) from '{duel}/*.parquet'"
    assert duckdb.sql(query).fetchall() == [(len(frame), 389, -1.0)]
