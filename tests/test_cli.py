"""The command line: what each command prints, and that mistakes end in one line."""

from __future__ import annotations

import gzip
import io
import json
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

import pytest

import parure
from parure.cli import main

RECORDS = Path(__file__).parent / "data" / "records"
SHORT = RECORDS / "duel-s1-0096.json"  # unfinished
FINISHED = RECORDS / "splendor-2-s1-0049.json"


@dataclass
class Ran:
    """How a command ended."""

    status: int
    out: str
    err: str


Run = Callable[..., Ran]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command in this process, with lines to type."""

    def run(*arguments: object, typed: str = "") -> Ran:
        monkeypatch.setattr(sys, "argv", ["parure", *map(str, arguments)])
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        with pytest.raises(SystemExit) as end:
            main()
        out, err = capsys.readouterr()
        status = end.value.code or 0
        assert isinstance(status, int)
        return Ran(status, out, err)

    return run


def expected_lines(record: Path) -> str:
    return gzip.decompress(record.with_suffix(".legal.jsonl.gz").read_bytes()).decode()


# --- the whole ------------------------------------------------------------------------------------


def test_help_is_quick() -> None:
    command = [sys.executable, "-c", "from parure.cli import main; main()", "--help"]
    times = []
    for _ in range(3):
        start = perf_counter()
        shown = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        times.append(perf_counter() - start)
    assert "simulate" in shown
    assert min(times) < 0.5, "0.3 s on an idle machine"


def test_command_line_starts_without_the_rules() -> None:
    program = "import sys, parure.cli; sys.exit('numpy' in sys.modules or 'rich' in sys.modules)"
    subprocess.run([sys.executable, "-c", program], check=True)


def test_version(run: Run) -> None:
    assert run("--version").out == f"parure {parure.__version__}\n"


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["new", "chess"], "no game is called 'chess'"),
        (["new", "duel", "--players", "3"], "2 players"),
        (["new", "splendor", "--players", "9"], "9"),
        (["new", "splendor", "--anti-blocking"], "anti-blocking"),
        (["play", "duel", "--seat", "nobody"], "no bot is called 'nobody'"),
        (["play", "duel", "--record", SHORT], "exists"),
        (["play", "--resume", SHORT], "--seat"),
        (["play", "duel", "--resume", SHORT], "those of the file"),
        (["play", "--resume", "missing.json"], "No such file"),
        (["simulate", "duel", "--bot", "random", "--bot", "clever"], "no bot is called 'clever'"),
        (["simulate", "duel", "-n", "0"], "-n"),
        (["simulate", "splendor", "-p", "4", "-b", "random", "-b", "random"], "2 bots for 4 seats"),
        (["replay", "missing.json"], "missing.json: No such file"),
        (["replay", "--legal", "--step", SHORT], "exclude"),
        (["repaly"], "repaly"),
    ],
)
def test_mistakes_end_in_one_line(run: Run, arguments: list[str], complaint: str) -> None:
    ran = run(*arguments)
    assert ran.status > 0
    assert complaint in ran.err.splitlines()[-1]
    assert "Traceback" not in ran.err


# --- new, replay ----------------------------------------------------------------------------------


def test_new_prints_a_record(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "new.json"
    file.write_text(run("new", "splendor", "--players", 3, "--seed", 7).out)
    assert parure.load(file) == parure.new("splendor", players=3, seed=7)


def test_replay_tells_the_game(run: Run) -> None:
    ran = run("replay", FINISHED)
    decisions = json.loads(FINISHED.read_text())["decisions"]
    told = [line for line in ran.out.splitlines() if re.match(r" *\d+  seat \d  ", line)]
    assert [line.split(maxsplit=4)[4] for line in told] == decisions
    assert str(parure.load(FINISHED)) in ran.out


@pytest.mark.parametrize("record", sorted(RECORDS.glob("*.json")), ids=lambda path: path.stem)
def test_replay_lists_what_was_legal(run: Run, record: Path) -> None:
    assert run("replay", "--legal", record).out == expected_lines(record)


BAD_FILES = {
    "empty": b"",
    "binary": bytes(range(256)),
    "truncated": FINISHED.read_bytes()[:500],
    "nested": b"[" * 100_000,
    "huge": b" " * (5 << 20),
    "null": b"null",
    "hostile name": b'{"format": "\\u001b[2J\\u0000"}',
    "illegal": SHORT.read_bytes().replace(b"take c3 c4 c5", b"take a1 b2 c4"),
}


@pytest.mark.parametrize("name", BAD_FILES)
def test_bad_file_does_not_stop_the_others(run: Run, tmp_path: Path, name: str) -> None:
    bad = tmp_path / "bad.json"
    bad.write_bytes(BAD_FILES[name])
    ran = run("replay", "--legal", SHORT, bad, FINISHED)
    assert ran.status == 1
    assert ran.out.startswith(expected_lines(SHORT))
    assert ran.out.endswith(expected_lines(FINISHED))
    assert ran.err.startswith(f"parure: {bad}: ")
    assert ran.err.count("\n") == 1
    assert ran.err[:-1].isprintable()


def test_names_cannot_control_the_terminal(run: Run, tmp_path: Path) -> None:
    record = json.loads(SHORT.read_text()) | {"players": ["\x1b[2J", "ü"]}
    file = tmp_path / "names.json"
    file.write_text(json.dumps(record))
    ran = run("replay", file)
    assert "\x1b" not in ran.out
    assert "ü" in ran.out


def test_step_goes_forth_and_back(run: Run) -> None:
    number = len(json.loads(SHORT.read_text())["decisions"])
    places = re.compile(rf"\[(\d+)/{number}\]")
    ran = run("replay", "--step", SHORT, typed="\nb\nb\n?\n" + "\n" * (number + 1) + "never read\n")
    assert places.findall(ran.out) == [*"01000", *map(str, range(1, number + 1))]
    assert places.findall(run("replay", "--step", SHORT, typed="\nq\n\n").out) == ["0", "1"]


def test_closed_pipe_is_no_error_message() -> None:
    program = "from parure.cli import main; main()"
    command = [sys.executable, "-c", program, "replay", "--legal", str(FINISHED)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert b"Traceback" not in process.stderr.read()
        assert process.wait() == 1


# --- play -----------------------------------------------------------------------------------------


def test_person_plays_and_goes_on_later(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    first = run("play", "splendor", "--seed", 7, "--record", file, typed="take guw\nquit\n")
    assert first.status == 0
    assert f"--resume {file}" in first.out
    assert "seat 1 (level:2):" in first.out
    state = parure.load(file)
    assert state.names == ["player", "level:2"]
    assert state.decisions[0] == "take wug"
    assert state.seat == 0
    assert run("play", "--resume", file, typed="undo\n").status == 0
    assert parure.load(file).decisions == []


def test_bad_input_is_explained(run: Run, tmp_path: Path) -> None:
    typed = (
        "fly\nbuy d3-99\nreplenish > www\nbuy j3-08\ngold z9\nundo\nsave\nsave /dev/null/x\n999\n"
    )
    ran = run("play", "duel", "--seed", 7, typed=typed)
    assert ran.status == 0
    assert ran.out.count("' is no decision") == 5
    assert "buy J3-08 is not legal: " in ran.out
    assert "no decision of yours" in ran.out
    assert "save FILE" in ran.out
    assert "could not be kept" in ran.out
    assert "not kept" in ran.out.splitlines()[-1]


def test_commands_of_the_table(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "saved.json"
    ran = run("play", "duel", "--seed", 7, typed=f"help\nboard\ntake\nsave {file}\n1\n")
    assert "take back" in ran.out
    assert ran.out.count("seat 0 to move, phase turn") == 2
    assert "take a1 b1 c1" in ran.out
    assert parure.load(file).decisions == ["gold e2"]


def test_screen_is_handed_over_between_persons(run: Run) -> None:
    seats = ("--seat", "player", "--seat", "player")
    ran = run("play", "splendor", "--seed", 7, *seats, typed="\nreserve deck3\n\n")
    before, after = ran.out.split("Seat 1 is to move")
    own = parure.new("splendor", seed=7)
    own.play("reserve deck3")
    secret = own.players[0].reserved[0]
    assert secret not in before  # reserved, and at once the other one's turn
    assert secret not in after
    assert "seat 0 (player): reserve deck3" in after


def test_bots_alone_play_to_the_end(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "bots.json"
    seats = ("--seat", "random", "--seat", "random", "--seat", "random")
    ran = run("play", "splendor", "--seed", 1, "--record", file, *seats)
    assert ran.status == 0
    state = parure.load(file)
    assert state.seats == 3
    assert state.outcome is not None
    assert ran.out.endswith(f"{state.view(None)}\n\n")


# --- simulate, bench ------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["splendor", "duel", "duel+counterfeiters"])
def test_simulation_sums_up(run: Run, game: str) -> None:
    ran = run("simulate", game, "-n", 50, "--json")
    summary = json.loads(ran.out)
    assert summary["games"] == 50
    assert sum(summary["wins"].values()) == 50
    assert sum(sum(wins.values()) for wins in summary["reasons"].values()) == 50
    assert summary["decisions"]["least"] <= summary["decisions"]["median"]
    assert "median" in run("simulate", game, "-n", 50).out


def test_simulated_games_are_the_same_however_they_are_played(run: Run, tmp_path: Path) -> None:
    command = ("simulate", "splendor", "-p", 3, "-n", 45, "--seed", 5, "--json")
    plain = run(*command).out
    folder, lines, packed = tmp_path / "games", tmp_path / "games.jsonl", tmp_path / "g.jsonl.gz"
    assert run(*command, "--records", folder).out == plain
    assert run(*command, "--save", lines, "--jobs", 2).out == plain
    assert run(*command, "--save", packed).out == plain
    assert gzip.decompress(packed.read_bytes()) == lines.read_bytes()
    records = [json.loads(line) for line in lines.read_text().splitlines()]
    files = sorted(folder.iterdir())
    assert [json.loads(file.read_text()) for file in files] == records
    assert len(records) == 45
    assert parure.load(files[7]).decisions == records[7]["decisions"]


def test_unwritable_place_is_named(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    ran = run("simulate", "splendor", "-n", 5, "--records", tmp_path / "file" / "games")
    assert ran.status == 1
    assert ran.err.startswith("parure: ")
    assert str(tmp_path / "file") in ran.err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_full_disk_is_told(run: Run) -> None:
    ran = run("simulate", "splendor", "-n", 50, "--save", "/dev/full")
    assert ran.status == 1
    assert "stopped after 0 games" in ran.err
    assert "No space left" in ran.err


def test_bench_measures_every_game(run: Run) -> None:
    speeds = json.loads(run("bench", "--json", "--seconds", 0).out)
    assert list(speeds) == [
        "duel",
        "duel+counterfeiters",
        "splendor-2",
        "splendor-3",
        "splendor-4",
        "search",
        "batch",
        "envs",
    ]
    assert set(speeds["duel"]) == {"games_per_second", "decisions_per_second"}
    assert speeds["batch"]["steps_per_second"] > 0
    assert set(speeds["envs"]) == {
        f"{kind} {game}"
        for kind in ("vector", "pettingzoo")
        for game in ("duel", "duel+counterfeiters", "splendor-2")
    }
