"""The command as a whole: what it prints, and that it goes on after whatever stopped it."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import nullcontext
from functools import partial
from pathlib import Path

import pytest
from tests.arena import players

from parure.arena import command
from parure.arena.plan import Plan
from parure.arena.processes import Processes
from parure.arena.store import Asked, read_games
from parure.cli import main
from parure.games.record import read_all

KEYS = ["a", "b", "games", "wins_a", "wins_b", "draws", "score_a", "interval"]

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run the command in a folder of its own; gives its status and what it printed."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["parure", "arena", *map(str, arguments)])
        with pytest.raises(SystemExit) as end:
            main()
        status = end.value.code or 0
        assert isinstance(status, int)
        return status, *capsys.readouterr()

    return run


def test_two_bots_as_json(run: Run, tmp_path: Path) -> None:
    status, out, err = run("splendor", "random", "random", "-n", 15, "--seed", 3, "--json")
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


def test_the_same_command_plays_nothing_twice(run: Run, tmp_path: Path) -> None:
    first = run("duel", "random", "random", "-n", 8, "--json")
    games = read_games(tmp_path / "arena" / "duel-random-random-0")
    again = run("duel", "random", "random", "-n", 8, "--json")
    assert again[1] == first[1]
    assert "8 of 8 already" in again[2]
    more = run("duel", "random", "random", "-n", 14, "--json", "--jobs", 2)
    assert json.loads(more[1])["games"] == 14
    assert read_games(tmp_path / "arena" / "duel-random-random-0")[:8] == games
    assert run("duel", "random", "random", "-n", 14, "-o", "other", "--json")[1] == more[1]
    assert run("duel", "random", "random", "-n", 8, "--json")[1] == first[1]


def test_several_bots(run: Run) -> None:
    command = ("splendor-3", "random", "random", "random", "-n", 6, "-o", "here", "-j", 2)
    status, out, _ = run(*command, "--json", "--anchor", "random")
    told = json.loads(out)
    assert status == 0
    assert told["games"] == 18
    assert [list(pair)[:8] for pair in told["pairs"]] == [KEYS] * 3
    assert told["ratings"][0]["elo"] == told["ratings"][0]["error"] == 0
    assert len(told["seats"]) == 3
    assert sum(seat["score"] for seat in told["seats"]) == pytest.approx(1, abs=0.001)
    assert sum(told["reasons"].values()) == 18
    _, table, err = run("--report", "here")
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
        (["duel", "random", "exec:cat \udcff"], "is no text"),
        (["--report", "nowhere"], "nowhere holds no tournament"),
        (["duel", "--report", "nowhere"], "no game"),
        (["duel", "random", "random", "-o", "file/folder"], "file"),
    ],
)
def test_mistakes_end_in_one_line(
    run: Run, tmp_path: Path, arguments: list[str], complaint: str
) -> None:
    (tmp_path / "file").touch()
    status, out, err = run(*arguments)
    assert status > 0
    assert out == ""
    assert complaint in err.splitlines()[-1]
    assert "Traceback" not in err


def test_another_tournament_in_the_folder_is_refused(run: Run) -> None:
    run("splendor", "random", "random", "-n", 2, "-o", "here")
    status, _, err = run("splendor", "random", "random", "-n", 2, "-o", "here", "--seed", 1)
    assert status == 1
    assert "here holds another tournament: its seed is 0, not 1" in err


# --- until sure -----------------------------------------------------------------------------------


def test_until_sure_stops_early_and_says_so(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = Plan.of("duel", ["random", "fails"])
    workers = partial(Processes, 1, player=players.play)
    watch = lambda number, done: nullcontext(lambda _: None)  # noqa: E731
    command.play(plan, tmp_path / "here", Asked(1000, until_sure=True), workers, watch)
    assert len(read_games(tmp_path / "here")) < 40
    status, out, err = run("--report", "here", "--json")
    assert status == 0
    assert list(json.loads(out)) == KEYS
    assert json.loads(out)["score_a"] == 1
    assert json.loads(out)["interval"][0] > 0.5
    assert "sure at 95 % that random is stronger after" in err
    _, table, _ = run("--report", "here")
    assert "fails at seat 1: it closed its output" in table
    page = (tmp_path / "here" / "report.html").read_text()
    assert "it closed its output" in page


def test_until_sure_may_stay_unsure(run: Run) -> None:
    _, out, err = run("splendor", "random", "random", "-n", 6, "--until-sure", "--json")
    assert json.loads(out)["games"] == 6
    assert "random against random: not sure after 6 games" in err


# --- interrupted ----------------------------------------------------------------------------------

COMMAND = [sys.executable, "-c", "from parure.cli import main; main()", "arena"]
TOURNAMENT = ["duel", "random", "random", "--seed", "5", "--jobs", "2", "--json"]


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What the tournament says if nothing happens."""
    folder = tmp_path_factory.mktemp("undisturbed")
    command = [*COMMAND, *TOURNAMENT, "-n", "60", "-o", str(folder)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def resumed(folder: Path) -> str:
    """What the tournament says when it is brought to its end."""
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
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_an_interrupted_tournament_goes_on(
    tmp_path: Path, undisturbed: str, how: signal.Signals
) -> None:
    command = [*COMMAND, *TOURNAMENT, "-n", "20000", "-o", str(tmp_path)]
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        # Whoever runs the tests in the background of a shell has interrupts ignored.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as process:
        games, until = tmp_path / "games.jsonl", time.monotonic() + 60
        while not games.exists() or games.stat().st_size < 1500:
            assert time.monotonic() < until
            assert process.poll() is None
            time.sleep(0.01)
        workers = children(process.pid)
        if how == signal.SIGINT:
            os.killpg(process.pid, how)  # as a terminal does
        else:
            process.kill()
        out, err = process.communicate(timeout=60)
    assert out == ""
    assert "Traceback" not in err
    if how == signal.SIGINT:
        assert process.returncode == 130
        kept = len(games.read_text().splitlines())
        assert f"stopped; {kept} of 20,000 games are kept in {tmp_path}; the same command" in err
    until = time.monotonic() + 10
    while any(Path(f"/proc/{worker}/exe").exists() for worker in workers):
        assert time.monotonic() < until, "its processes end with it"
        time.sleep(0.05)
    assert resumed(tmp_path) == undisturbed


def test_a_full_disk_keeps_what_was_played(tmp_path: Path, undisturbed: str) -> None:
    limit = 60_000  # bytes that a file may have

    done = subprocess.run(
        [*COMMAND, *TOURNAMENT, "-n", "60", "-o", str(tmp_path)],
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
    )
    assert done.returncode == 1
    kept = len(read_games(tmp_path))
    assert 5 < kept < 60
    assert f"stopped; {kept} of 60 games are kept" in done.stderr
    assert "records.jsonl: File too large" in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr
    assert resumed(tmp_path) == undisturbed
