"""The command `parure arena`: what it prints, and that it continues after any interruption."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import time
from contextlib import nullcontext
from functools import partial
from pathlib import Path

import pytest
from tests.arena.sample_bots import fails
from tests.command_line import Run

from parure.arena.command import play_tournament
from parure.arena.participants import Participants
from parure.arena.plan import Plan
from parure.arena.processes import Processes
from parure.arena.store import Request, read_games
from parure.games.record import read_all

KEYS = ["a", "b", "games", "wins_a", "wins_b", "draws", "score_a", "interval"]


@pytest.fixture
def run_arena(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run) -> Run:
    """Run `parure arena` in a temporary folder."""
    monkeypatch.chdir(tmp_path)
    return partial(run, "arena")


def test_two_bots_as_json(run_arena: Run, tmp_path: Path) -> None:
    status, out, err = run_arena("splendor", "random", "random", "-n", 15, "--seed", 3, "--json")
    result = json.loads(out)
    assert status == 0
    assert list(result) == KEYS
    assert (result["a"], result["b"], result["games"]) == ("random", "random", 16)
    assert result["wins_a"] + result["wins_b"] + result["draws"] == 16
    assert result["score_a"] == round((result["wins_a"] + result["draws"] / 2) / 16, 4)
    low, high = result["interval"]
    assert 0 <= low < result["score_a"] < high <= 1
    folder = Path("arena/splendor-2-random-random-3")
    assert str(folder) in err
    assert len(list(read_all(tmp_path / folder / "records.jsonl"))) == 16
    assert (tmp_path / folder / "report.html").exists()


def test_the_same_command_plays_nothing_twice(run_arena: Run, tmp_path: Path) -> None:
    first = run_arena("duel", "random", "random", "-n", 8, "--json")
    games = read_games(tmp_path / "arena" / "duel-random-random-0")
    again = run_arena("duel", "random", "random", "-n", 8, "--json")
    assert again[1] == first[1]
    assert "8 of 8 already" in again[2]
    more = run_arena("duel", "random", "random", "-n", 14, "--json", "--jobs", 2)
    assert json.loads(more[1])["games"] == 14
    assert read_games(tmp_path / "arena" / "duel-random-random-0")[:8] == games
    assert run_arena("duel", "random", "random", "-n", 14, "-o", "other", "--json")[1] == more[1]
    assert run_arena("duel", "random", "random", "-n", 8, "--json")[1] == first[1]


def test_several_bots(run_arena: Run) -> None:
    command = ("splendor-3", "random", "random", "random", "-n", 6, "-o", "here", "-j", 2)
    status, out, _ = run_arena(*command, "--json", "--anchor", "random")
    result = json.loads(out)
    assert status == 0
    assert result["games"] == 18
    assert [list(pair)[:8] for pair in result["pairs"]] == [KEYS] * 3
    assert result["ratings"][0]["elo"] == result["ratings"][0]["error"] == 0
    assert len(result["seats"]) == 3
    assert sum(seat["score"] for seat in result["seats"]) == pytest.approx(1, abs=0.001)
    assert sum(result["reasons"].values()) == 18
    _, table, err = run_arena("--report", "here")
    assert table.count("random") >= 9
    assert "seat 2 scores" in table
    assert "report.html" in err


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["duel", "random", "clever"], "no bot is called 'clever'"),
        (["duel", "random"], "at least two bots"),
        ([], "name a game"),
        (["chess", "random", "random"], "no game is called 'chess'"),
        (["splendor", "random", "random", "--anti-blocking"], "anti-blocking"),
        (["duel", "random", "random", "-n", "0"], "-n"),
        (["duel", "random", "random", "--anchor", "clever"], "anchor"),
        (["duel", "random", "random", "--game-timeout", "inf"], "--game-timeout"),
        (["duel", "random", "random", "--game-timeout", "nan"], "--game-timeout"),
        (["duel", "random", "exec:cat \udcff"], "is not valid Unicode"),
        (["--report", "nowhere"], "nowhere contains no tournament"),
        (["duel", "--report", "nowhere"], "no game"),
        (["duel", "random", "random", "-o", "file/folder"], "file"),
    ],
)
def test_mistakes_end_in_one_line(
    run_arena: Run, tmp_path: Path, arguments: list[str], complaint: str
) -> None:
    (tmp_path / "file").touch()
    status, out, err = run_arena(*arguments)
    assert status > 0
    assert out == ""
    assert complaint in err.splitlines()[-1]
    assert "Traceback" not in err


def test_another_tournament_in_the_folder_is_refused(run_arena: Run) -> None:
    run_arena("splendor", "random", "random", "-n", 2, "-o", "here")
    status, _, err = run_arena("splendor", "random", "random", "-n", 2, "-o", "here", "--seed", 1)
    assert status == 1
    assert "here contains another tournament: its seed is 0, not 1" in err


# --- until sure -----------------------------------------------------------------------------------


def test_until_sure_stops_early_and_reports_it(
    run_arena: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    participants = Participants(["random", fails])
    play_tournament(
        Plan.create("duel", participants),
        participants,
        tmp_path / "here",
        Request(1000, until_sure=True),
        lambda: Processes(participants),
        lambda _total, _done: nullcontext(lambda _: None),
    )
    assert len(read_games(tmp_path / "here")) < 40
    status, out, err = run_arena("--report", "here", "--json")
    assert status == 0
    assert list(json.loads(out)) == KEYS
    assert json.loads(out)["score_a"] == 1
    assert json.loads(out)["interval"][0] > 0.5
    assert "random is stronger (95 % sure) after" in err
    _, table, _ = run_arena("--report", "here")
    assert "fails at seat 1: it closed its output" in table
    page = (tmp_path / "here" / "report.html").read_text()
    assert "it closed its output" in page


def test_until_sure_may_stay_unsure(run_arena: Run) -> None:
    _, out, err = run_arena("splendor", "random", "random", "-n", 6, "--until-sure", "--json")
    assert json.loads(out)["games"] == 6
    assert "random against random: not sure after 6 games" in err


# --- interrupted ----------------------------------------------------------------------------------

COMMAND = [sys.executable, "-c", "from parure.cli import main; main()", "arena"]
TOURNAMENT = ["duel", "random", "random", "--seed", "5", "--jobs", "2", "--json"]


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The output of the tournament without any interruption."""
    folder = tmp_path_factory.mktemp("uninterrupted")
    command = [*COMMAND, *TOURNAMENT, "-n", "60", "-o", str(folder)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def resume(folder: Path) -> str:
    """Continue the tournament to its end and return the output."""
    command = [*COMMAND, *TOURNAMENT, "-n", "60", "-o", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "already" in done.stderr
    games = read_games(folder)
    assert len(list(read_all(folder / "records.jsonl"))) == len(games)
    assert {game.key for game in games} >= {(0, n, game) for n in range(30) for game in (0, 1)}
    return done.stdout


def children(process: int) -> list[int]:
    path = Path(f"/proc/{process}/task/{process}/children")
    return [int(child) for child in path.read_text().split()]


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="looks for processes in /proc")
@pytest.mark.parametrize("interruption", [signal.SIGINT, signal.SIGKILL])
def test_an_interrupted_tournament_can_be_continued(
    tmp_path: Path, uninterrupted: str, interruption: signal.Signals
) -> None:
    command = [*COMMAND, *TOURNAMENT, "-n", "20000", "-o", str(tmp_path)]
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        # A shell starts background jobs with interrupts ignored.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as process:
        games = tmp_path / "games.jsonl"
        while not games.exists() or games.stat().st_size < 1500:
            assert process.poll() is None
            time.sleep(0.01)
        workers = children(process.pid)
        if interruption == signal.SIGINT:
            os.killpg(process.pid, interruption)  # as a terminal does
        else:
            process.kill()
        out, err = process.communicate()
    assert out == ""
    assert "Traceback" not in err
    if interruption == signal.SIGINT:
        assert process.returncode == 130
        stored = len(games.read_text().splitlines())
        assert (
            f"stopped; {stored} of 20,000 games are stored in {tmp_path}; repeat the command" in err
        )
    while any(Path(f"/proc/{worker}/exe").exists() for worker in workers):
        time.sleep(0.05)  # the workers end with their parent; if not, this test does not end
    assert resume(tmp_path) == uninterrupted


def test_a_full_disk_keeps_the_games_so_far(tmp_path: Path, uninterrupted: str) -> None:
    limit = 60_000  # bytes that a file may have

    done = subprocess.run(
        [*COMMAND, *TOURNAMENT, "-n", "60", "-o", str(tmp_path)],
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
    )
    assert done.returncode == 1
    stored = len(read_games(tmp_path))
    assert 5 < stored < 60
    assert f"stopped; {stored} of 60 games are stored" in done.stderr
    assert "records.jsonl: File too large" in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr
    assert resume(tmp_path) == uninterrupted
