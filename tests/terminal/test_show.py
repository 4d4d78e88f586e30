"""`parure show` and `parure new --position`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.command_line import FINISHED, UNFINISHED, Run

import parure
from parure.games.record import read, replay


def test_a_text_is_shown(run: Run) -> None:
    view = parure.new("duel", seed=7).view(0)
    lines = run("show", view.text()).out.splitlines()
    assert view.text() in lines
    assert lines[-1].startswith("Legal: gold ")
    assert str(view).splitlines()[0] in lines


def test_a_record_is_shown_at_any_decision(run: Run) -> None:
    states = [state.text() for state in replay(read(UNFINISHED))]
    assert states[2] in run("show", f"{UNFINISHED}:2").out.splitlines()
    assert states[-1] in run("show", UNFINISHED).out.splitlines()
    last = parure.load(FINISHED)
    assert "Legal" not in run("show", FINISHED).out
    assert last.view(1).text() in run("show", FINISHED, "--seat", 1).out.splitlines()


def test_a_position_is_shown_as_json(run: Run) -> None:
    state = parure.load(UNFINISHED)
    data = json.loads(run("show", UNFINISHED, "--json").out)
    assert data["viewer"] == data["seat"] == state.seat
    assert data["turns"] == state.turns


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["show", "chess"], "no game is called 'chess'"),
        (["show", "missing.json"], "No such file"),
        (["show", f"{UNFINISHED}:9999"], "decisions, not 9999"),
        (["show", UNFINISHED, "--seat", "2"], "there is no seat 2"),
        (["show", "duel"], "lacks J1"),
        (["show", "x" * 5000], "too long"),
        (["new"], "name a game, or give a --position"),
        (["new", "duel", "--position", "duel"], "name a game, or give a --position"),
        (["new", "--position", "duel"], "lacks J1"),
    ],
)
def test_a_mistake_ends_in_one_line(run: Run, arguments: list[str], complaint: str) -> None:
    ran = run(*arguments)
    assert ran.status > 0
    assert complaint in ran.err.splitlines()[-1]


def test_a_study_can_be_saved_and_played_on(run: Run, tmp_path: Path) -> None:
    view = parure.new("splendor", players=3, seed=7).view(0)
    file = tmp_path / "study.json"
    file.write_text(run("new", "--position", view.text(), "--seed", 1).out)
    study = parure.load(file)
    assert study.view(0) == view
    assert study == parure.new(position=view, seed=1)
    names = ["--seat", "player", "--seat", "random", "--seat", "random"]
    ran = run("play", "--resume", file, *names, typed="take wug\nquit\n")
    assert ran.status == 0
    assert parure.load(file).decisions[0] == "take wug"
    assert "take wug" in run("replay", file).out
