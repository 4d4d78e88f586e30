"""External programs as bots on the command line; one that fails loses."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import parure

ROOT = Path(__file__).parents[2]
PROGRAM = ROOT / "tests" / "bots" / "faulty_program.py"
EXAMPLE = f"exec:{shlex.join([sys.executable, str(ROOT / 'examples' / 'external_bot.py')])}"


def run(*arguments: object, typed: str = "") -> subprocess.CompletedProcess[str]:
    """Run a command in another process, with lines to type."""
    command = [sys.executable, "-m", "parure", *map(str, arguments)]
    return subprocess.run(command, input=typed, capture_output=True, text=True)


def failing_program(failure: str) -> str:
    return f"exec:{shlex.join([sys.executable, str(PROGRAM), failure])}"


def test_a_program_plays_in_a_simulation() -> None:
    ran = run("simulate", "splendor", "-n", 6, "-b", EXAMPLE, "-b", "random", "--json")
    summary = json.loads(ran.stdout)
    assert summary["games"] == 6
    assert list(summary["reasons"]) == ["points"]
    assert ran.stderr == ""


@pytest.mark.parametrize(("failure", "reason"), [("garbage", "resigned"), ("illegal", "resigned")])
def test_a_failing_program_loses_every_game(failure: str, reason: str) -> None:
    ran = run("simulate", "duel", "-n", 3, "-b", failing_program(failure), "-b", "random", "--json")
    assert ran.returncode == 0
    assert json.loads(ran.stdout)["reasons"] == {reason: {"seat 0": 0, "seat 1": 3}}
    assert len(ran.stderr.splitlines()) == 1  # the same failure is printed once
    assert ran.stderr.startswith("parure: exec:")


def test_a_person_reads_how_a_program_failed(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    seats = ("--seat", "player", "--seat", failing_program("exit"))
    ran = run("play", "splendor", "--seed", 7, "--record", file, *seats, typed="1\n1\n")
    assert ran.returncode == 0
    assert "ended with status 3" in ran.stdout
    assert "over: seat 0 won (resigned)" in ran.stdout
    state = parure.load(file)
    assert state.outcome is not None
    assert state.outcome.winners == (0,)


def test_a_program_named_in_a_record_is_not_run(tmp_path: Path) -> None:
    """A record may come from anywhere."""
    file, trace = tmp_path / "game.json", tmp_path / "trace"
    parure.new("duel", players=["player", f"exec:touch {trace}"], seed=7).save(file)
    ran = run("play", "--resume", file)
    assert ran.returncode == 1
    assert ran.stderr == f"parure: {file} names a program to run; name the players with --seat\n"
    assert not trace.exists()
    assert run("play", "--resume", file, "-s", "player", "-s", "random").returncode == 0


def test_a_missing_program_is_an_error_before_any_game() -> None:
    ran = run("simulate", "duel", "-b", "exec:./no-such-bot", "-b", "random")
    assert ran.returncode == 1
    assert ran.stdout == ""
    assert ran.stderr == "parure: exec: the program ./no-such-bot was not found\n"
