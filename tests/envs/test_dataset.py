"""Data sets: one row for each decision, the same after a stop, and readable by common tools."""

from __future__ import annotations

import gzip
import importlib
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pyarrow import parquet
from typer.testing import CliRunner

import parure
from parure.cli import app
from parure.envs import observation_layout
from parure.envs.dataset import Progress, batches, byte_rows, export, record_table
from parure.errors import NotationError, RecordError
from parure.games.record import Thought, replay
from parure.games.record_arrays import replay_arrays
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
        mask = np.frombuffer(row["mask"], np.uint8)
        assert np.flatnonzero(mask).tolist() == again.legal_decisions.ids
        fields = split(np.frombuffer(row["observation"], np.uint8))
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
    assert "9 records, 2 of them left out" in done.stdout
    assert "left out: d.json: decision 3: 'pass'" in done.stderr
    assert "left out: e.json: not a record" in done.stderr
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


def test_without_pyarrow_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.delitem(sys.modules, "parure.envs.dataset")
    with pytest.raises(parure.ParureError, match=r"pip install 'parure\[rl\]'"):
        importlib.import_module("parure.envs.dataset")


def save_lines(path: Path, *lines: bytes) -> None:
    path.write_bytes(b"".join(line + b"\n" for line in lines))


def test_a_bad_line_alone_is_left_out_and_blank_lines_are_skipped(
    records: Path, tmp_path: Path
) -> None:
    good = [(records / f"a{number}.json").read_bytes().strip() for number in range(3)]
    wrong = good[1].replace(b'"take', b'"tke', 1)
    file, out = tmp_path / "games.jsonl", tmp_path / "out"
    save_lines(file, good[0], b"{", b"", b"  ", wrong, good[1], b"\xff", good[2])
    progress = export_all([file], out, part_size=2)
    assert progress.is_complete
    assert progress.records == 6
    assert [line.partition(":")[0] for line in progress.refused] == [
        "games.jsonl, line 2",
        "games.jsonl, line 5",
        "games.jsonl, line 7",
    ]
    assert max(map(len, progress.refused)) < 200  # without a list of all legal decisions
    table = parquet.read_table(out / "duel")
    assert sorted(set(table["record"].to_pylist())) == [0, 3, 5]
    assert len(table) == sum(len(json.loads(record)["decisions"]) for record in good)
    done = run(file, "--out", out, "--part", 2)
    assert done.exit_code == 1
    assert "6 records, 3 of them left out" in done.stdout


def test_a_line_that_is_too_long_is_one_bad_record(
    records: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    good = (records / "c.json").read_bytes().strip()
    monkeypatch.setattr("parure.games.record.MAX_BYTES", 2 * len(good))
    file = tmp_path / "games.jsonl"
    save_lines(file, good, b"x" * 9 * len(good), good)
    progress = export_all([file], tmp_path / "out")
    assert progress.records == 3
    assert len(progress.refused) == 1
    assert "line 2: too long" in progress.refused[0]


def test_a_damaged_file_keeps_what_can_be_read(records: Path, tmp_path: Path) -> None:
    good = (records / "a0.json").read_bytes()
    file = tmp_path / "games.jsonl.gz"
    file.write_bytes(gzip.compress(good) + gzip.compress(good)[:-30])
    progress = export_all([file, records / "a1.json"], tmp_path / "out")
    assert progress.records == 3
    assert progress.refused[0].startswith("games.jsonl.gz, after line 1: not a valid gzip file")


def test_several_processes_write_the_same_files(records: Path, tmp_path: Path) -> None:
    (records / "b9.json").write_text("{}")
    one, two = tmp_path / "one", tmp_path / "two"
    export_all([records], one, part_size=2)
    *_, progress = export([records], two, part_size=2, jobs=2)
    assert progress.is_complete
    names = sorted(file.relative_to(one) for file in one.rglob("*") if file.is_file())
    assert names == sorted(file.relative_to(two) for file in two.rglob("*") if file.is_file())
    assert all((one / name).read_bytes() == (two / name).read_bytes() for name in names)


@pytest.mark.parametrize("game", ["splendor", "duel", "duel+counterfeiters"])
def test_arrays_hold_what_replaying_yields(game: str) -> None:
    record = play(game, 5).record()
    arrays = replay_arrays(record)
    *states, last = (state.words.copy() for state in replay(record))
    assert np.array_equal(arrays.rows, states)
    assert np.array_equal(arrays.state.words, last)


DAMAGES = ["unknown", "illegal", "chance", "no chance", "needless chance", "after the end"]


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_wrong_decision_is_refused_as_replaying_refuses_it(damage: str) -> None:
    record = play("duel", 5).record()
    texts = record.decisions
    number = next(n for n, text in enumerate(texts) if text.startswith("replenish"))
    if damage == "unknown":
        texts[number] = "jump"
    elif damage == "illegal":
        texts[number] = "pass"
    elif damage == "chance":
        texts[number] += "w"
    elif damage == "no chance":
        texts[number] = "replenish"
    elif damage == "needless chance":
        texts[0] += " > w"
    else:
        texts.append("pass")
    with pytest.raises(RecordError) as slow:
        list(replay(record))
    with pytest.raises(RecordError) as fast:
        replay_arrays(record)
    assert str(fast.value) == str(slow.value)


# --- thoughts -------------------------------------------------------------------------------------


@pytest.mark.slow_without_jit
def test_thoughts_become_columns(tmp_path: Path) -> None:
    file, out = tmp_path / "games.jsonl", tmp_path / "out"
    words = ["simulate", "splendor", "-n", "2", "-b", "mcts-linear:20", "-b", "random"]
    command = [*words, "--thoughts", "--save", str(file)]
    assert CliRunner().invoke(app, command).exit_code == 0
    assert export_all([file], out).refused == []
    rows = parquet.read_table(out / "splendor-2").to_pylist()
    thoughtful = [row for row in rows if row["visits"]]
    assert thoughtful
    assert {row["seat"] for row in thoughtful} == {0}
    for row in thoughtful:
        mask = np.frombuffer(row["mask"], np.uint8)
        assert mask[row["candidates"]].all()
        assert row["candidates"][0] == row["decision"]  # the most visited is played
        assert row["visits"] == sorted(row["visits"], reverse=True)
        assert all(0 <= value <= 1 for value in row["values"])
    columns = ("decision", "visits", "values", "candidates")
    (batch,) = batches(out, 10**6, shuffle=False, columns=columns)
    for row, visits, values, considered in zip(
        rows, batch["visits"], batch["values"], batch["candidates"], strict=True
    ):
        expected = dict(zip(row["candidates"] or (), row["visits"] or (), strict=True))
        assert (
            dict(zip(np.flatnonzero(visits).tolist(), visits[visits > 0].tolist(), strict=True))
            == expected
        )
        assert np.flatnonzero(~np.isnan(values)).tolist() == sorted(expected)
        assert np.flatnonzero(considered).tolist() == sorted(expected)


def test_thoughts_need_records_to_be_kept_in() -> None:
    done = CliRunner().invoke(app, ["simulate", "splendor", "-n", "1", "--thoughts"])
    assert done.exit_code == 2
    assert "--save" in done.stderr


@pytest.mark.parametrize("considered", ["jump", "discard w"])
def test_thoughts_of_what_was_not_legal_are_refused(considered: str) -> None:
    record = play("splendor", 1, max_decisions=2).record()
    record.thoughts = [None, Thought({considered: 1}, [0.5])]
    with pytest.raises(RecordError, match=f"'{considered}': not legal"):
        record_table(record)


# --- readers --------------------------------------------------------------------------------------


@pytest.fixture
def folder(records: Path, tmp_path: Path) -> Path:
    """Return an export of Duel and Splendor for three, in several parts."""
    export_all([records], tmp_path / "out", part_size=2)
    return tmp_path / "out"


def test_every_library_reads_the_same_arrays(folder: Path) -> None:
    pandas = pytest.importorskip("pandas")
    polars = pytest.importorskip("polars")
    duckdb = pytest.importorskip("duckdb")
    duel, size = folder / "duel", 832
    table = parquet.read_table(duel)
    observations = byte_rows(table["observation"])
    assert observations.shape == (len(table), size)
    assert observations.tolist() == [list(row) for row in table["observation"].to_pylist()]

    frame = pandas.read_parquet(duel)
    joined = b"".join(frame["observation"])
    assert np.array_equal(np.frombuffer(joined, np.uint8).reshape(-1, size), observations)

    lazy = polars.scan_parquet(duel / "*.parquet").select("observation").collect()
    array = polars.Array(polars.UInt8, size)
    rows = lazy["observation"].bin.reinterpret(dtype=array).to_numpy()
    assert np.array_equal(rows, observations)

    query = f"select observation from '{duel}/*.parquet' order by record, number"
    joined = b"".join(duckdb.sql(query).fetchnumpy()["observation"])
    assert np.array_equal(np.frombuffer(joined, np.uint8).reshape(-1, size), observations)


def test_torch_takes_a_batch_without_copying(folder: Path) -> None:
    torch = pytest.importorskip("torch")
    batch = next(batches(folder / "duel", 64))
    tensor = torch.from_numpy(batch["observation"])
    assert tensor.shape == (64, 832)
    tensor += 1
    assert np.array_equal(tensor.numpy(), batch["observation"])


@pytest.mark.parametrize("pool", [1, 8])
def test_batches_hold_every_decision_once(folder: Path, pool: int) -> None:
    columns = ("record", "number", "observation", "mask", "decision", "result")
    found = list(batches(folder / "duel", 50, seed=3, columns=columns, pool=pool))
    assert [len(batch["decision"]) for batch in found[:-1]] == [50] * (len(found) - 1)
    table = parquet.read_table(folder / "duel").to_pylist()
    expected = {(row["record"], row["number"]): row for row in table}
    assert sum(len(batch["decision"]) for batch in found) == len(expected)
    for batch in found:
        for i, key in enumerate(zip(*(batch[name].tolist() for name in columns[:2]), strict=True)):
            row = expected.pop(key)
            assert batch["observation"][i].tobytes() == row["observation"]
            assert batch["mask"][i].tobytes() == row["mask"]
            assert batch["decision"][i] == row["decision"]
            result = batch["result"][i]
            assert np.isnan(result) if row["result"] is None else result == row["result"]
    assert not expected


def test_the_seed_decides_the_order(folder: Path) -> None:
    def order(**options: Any) -> list[tuple[int, int]]:
        columns = ("record", "number")
        found = batches(folder / "duel", 40, columns=columns, **options)
        pairs = [(batch["record"].tolist(), batch["number"].tolist()) for batch in found]
        return [key for records, numbers in pairs for key in zip(records, numbers, strict=True)]

    assert order(seed=1) == order(seed=1) != order(seed=2)
    assert order(shuffle=False) == sorted(order(seed=1))


def test_wrong_arguments_of_batches_are_errors(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(RecordError, match="several games"):
        batches(folder, 10)
    with pytest.raises(RecordError, match="no data set"):
        batches(tmp_path / "empty", 10)
    with pytest.raises(NotationError, match="no column 'x'"):
        batches(folder / "duel", 10, columns=["x"])
    with pytest.raises(NotationError, match="size"):
        batches(folder / "duel", 0)
