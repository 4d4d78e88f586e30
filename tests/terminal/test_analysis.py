"""`parure analyse` and `parure review` on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.command_line import FINISHED, Run

import parure


@pytest.fixture
def record(tmp_path: Path) -> Path:
    state = parure.new("splendor", players=["Ann", "Bob"], seed=7)
    for decision in ("take wug", "take urk", "take wrk"):
        state.play(decision)
    state.save(tmp_path / "game.json")
    return tmp_path / "game.json"


@pytest.mark.slow_without_jit
def test_analyse_a_record_at_a_step(run: Run, record: Path) -> None:
    result = run("analyse", f"{record}:1", "--budget", "100", "--seed", "1")
    assert result.status == 0, result.err
    assert "seat 1 to move" in result.out
    assert result.out.count("% of visits") == 3


@pytest.mark.slow_without_jit
def test_analyse_a_text_as_json(run: Run) -> None:
    text = parure.new("splendor", seed=7).text()
    arguments = ("--budget", "50", "--lines", "2", "--json", "--language", "es")
    result = run("analyse", text, *arguments)
    assert result.status == 0, result.err
    found = json.loads(result.out)
    assert len(found["choices"]) == 2
    assert found["choices"][0]["reason"].startswith(("toma", "reserva"))


def test_analyse_wants_a_position(run: Run, record: Path) -> None:
    assert run("analyse").status != 0
    assert run("analyse", str(record), "--stream").status != 0
    result = run("analyse", str(record), "--language", "de")
    assert result.status != 0
    assert "no words in 'de'" in result.err


@pytest.mark.slow_without_jit
def test_review_prints_a_table(run: Run, record: Path) -> None:
    result = run("review", str(record), "--budget", "40")
    assert result.status == 0, result.err
    for text in ("Accuracy", "Ann", "Bob", "take wug"):
        assert text in result.out
    french = run("review", str(record), "--budget", "40", "--language", "fr")
    assert "Précision" in french.out


@pytest.mark.slow_without_jit
def test_review_as_json_and_as_a_page(run: Run, record: Path, tmp_path: Path) -> None:
    page = tmp_path / "review.html"
    result = run("review", str(record), "--budget", "40", "--json", "--html", str(page))
    assert result.status == 0, result.err
    assert [turn["seat"] for turn in json.loads(result.out)["turns"]] == [0, 1, 0]
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    two = run("review", str(record), str(FINISHED), "--html", str(page))
    assert two.status != 0
    assert "a page shows one game, not 2" in two.err
