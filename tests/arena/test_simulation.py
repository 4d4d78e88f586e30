"""`parure simulate`: summaries and records do not depend on how the games are played."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from tests.command_line import Run

import parure


@pytest.mark.parametrize("game", ["splendor", "duel", "duel+counterfeiters"])
def test_the_summary_adds_up(run: Run, game: str) -> None:
    ran = run("simulate", game, "-n", 50, "--json")
    summary = json.loads(ran.out)
    assert summary["games"] == 50
    assert sum(summary["wins"].values()) == 50
    assert sum(sum(wins.values()) for wins in summary["reasons"].values()) == 50
    assert summary["decisions"]["least"] <= summary["decisions"]["median"]
    assert "median" in run("simulate", game, "-n", 50).out


def test_records_and_processes_do_not_change_the_games(run: Run, tmp_path: Path) -> None:
    command = ("simulate", "splendor", "-p", 3, "-n", 45, "--seed", 5, "--json")
    expected = run(*command).out
    folder, lines, packed = tmp_path / "games", tmp_path / "games.jsonl", tmp_path / "g.jsonl.gz"
    assert run(*command, "--records", folder).out == expected
    assert run(*command, "--save", lines, "--jobs", 2).out == expected
    assert run(*command, "--save", packed).out == expected
    assert gzip.decompress(packed.read_bytes()) == lines.read_bytes()
    records = [json.loads(line) for line in lines.read_text().splitlines()]
    files = sorted(folder.iterdir())
    assert [json.loads(file.read_text()) for file in files] == records
    assert len(records) == 45
    assert parure.load(files[7]).decisions == records[7]["decisions"]


def test_an_unwritable_folder_is_named(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    ran = run("simulate", "splendor", "-n", 5, "--records", tmp_path / "file" / "games")
    assert ran.status == 1
    assert ran.err.startswith("parure: ")
    assert str(tmp_path / "file") in ran.err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_reported(run: Run) -> None:
    ran = run("simulate", "splendor", "-n", 50, "--save", "/dev/full")
    assert ran.status == 1
    assert "stopped after 0 games" in ran.err
    assert "No space left" in ran.err
