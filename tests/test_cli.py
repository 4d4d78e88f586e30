"""The command line: help, completion, and mistakes that end in one line."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.command_line import FINISHED, UNFINISHED, Run

import parure
from parure.bots.registry import BUILT_IN

PROGRAM = [sys.executable, "-c", "from parure.cli import main; main()"]


def test_help_lists_the_commands(run: Run) -> None:
    shown = run("--help").out
    for command in ("play", "replay", "simulate", "arena", "serve", "--install-completion"):
        assert command in shown


def test_the_command_line_starts_without_numpy_and_rich() -> None:
    program = "import sys, parure.cli; sys.exit('numpy' in sys.modules or 'rich' in sys.modules)"
    subprocess.run([sys.executable, "-c", program], check=True)


def test_version(run: Run) -> None:
    assert run("--version").out == f"parure {parure.__version__}\n"


def test_new_prints_a_record(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "new.json"
    file.write_text(run("new", "splendor", "--players", 3, "--seed", 7).out)
    assert parure.load(file) == parure.new("splendor", players=3, seed=7)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["new", "chess"], "no game is called 'chess'"),
        (["new", "duel", "--players", "3"], "2 players"),
        (["new", "splendor", "--players", "9"], "9"),
        (["new", "splendor", "--anti-blocking"], "anti-blocking"),
        (["play", "duel", "--seat", "nobody"], "no bot is called 'nobody'"),
        (["play", "duel", "--record", UNFINISHED], "exists"),
        (["play", "--resume", UNFINISHED], "--seat"),
        (["play", "duel", "--resume", UNFINISHED], "the file says what is played"),
        (["play", "--resume", "missing.json"], "there is no file missing.json"),
        (["simulate", "duel", "--bot", "random", "--bot", "clever"], "no bot is called 'clever'"),
        (["simulate", "duel", "-n", "0"], "-n"),
        (["simulate", "splendor", "-p", "4", "-b", "random", "-b", "random"], "2 bots for 4 seats"),
        (["replay", "missing.json"], "missing.json: No such file"),
        (["replay", "--legal", "--step", UNFINISHED], "exclude"),
        (["repaly"], "repaly"),
    ],
)
def test_a_mistake_ends_in_one_line(run: Run, arguments: list[str], complaint: str) -> None:
    ran = run(*arguments)
    assert ran.status > 0
    assert complaint in ran.err.splitlines()[-1]
    assert "Traceback" not in ran.err


def test_a_closed_pipe_prints_no_traceback() -> None:
    command = [*PROGRAM, "replay", "--legal", str(FINISHED)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert b"Traceback" not in process.stderr.read()
        assert process.wait() == 1


# --- shell completion -----------------------------------------------------------------------------


def complete(line: str, folder: Path | None = None) -> list[str]:
    """Return what Bash offers for the last word of a line."""
    words = line.split(" ")
    environment = {
        **os.environ,
        "_PARURE_COMPLETE": "complete_bash",
        "COMP_WORDS": line,
        "COMP_CWORD": str(len(words) - 1),
    }
    program = "import sys; sys.argv[0] = 'parure'; from parure.cli import main; main()"
    ran = subprocess.run(
        [sys.executable, "-c", program],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
        cwd=folder,
    )
    assert ran.stderr == ""
    return ran.stdout.split()


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("parure sim", ["simulate"]),
        ("parure play du", ["duel", "duel+counterfeiters"]),
        ("parure arena splendor-", ["splendor-2", "splendor-3", "splendor-4"]),
        ("parure play duel --seat p", ["player"]),
        ("parure simulate duel --bot g", ["greedy"]),
    ],
)
def test_words_are_completed(line: str, expected: list[str]) -> None:
    assert complete(line) == expected


def test_all_bots_are_completed() -> None:
    assert set(complete("parure bot ")) >= set(BUILT_IN)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_completion_script_is_printed(shell: str) -> None:
    program = "import sys; sys.argv[0] = 'parure'; from parure.cli import main; main()"
    environment = {**os.environ, "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}
    ran = subprocess.run(
        [sys.executable, "-c", program, "--show-completion", shell],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "_PARURE_COMPLETE" in ran.stdout
