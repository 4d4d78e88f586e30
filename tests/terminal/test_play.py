"""`parure play`: people and bots at one table."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from tests.command_line import Run

import parure
from parure.bots import bot
from parure.terminal.play import STATUS_DELAY, show_thinking


def test_a_game_is_played_and_continued_later(run: Run, tmp_path: Path) -> None:
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


def test_bad_input_is_explained(run: Run) -> None:
    typed = (
        "fly\nbuy d3-99\nreplenish > www\nbuy j3-08\ngold z9\nundo\nsave\nsave /dev/null/x\n999\n"
    )
    ran = run("play", "duel", "--seed", 7, typed=typed)
    assert ran.status == 0
    assert ran.out.count("' is not a decision of duel") == 4
    assert "what chance brings cannot be typed" in ran.out
    assert "buy J3-08 is not legal: " in ran.out
    assert "there is no decision of yours to undo" in ran.out
    assert "save FILE" in ran.out
    assert "the game could not be saved" in ran.out
    assert "not saved" in ran.out.splitlines()[-1]


def test_a_typing_mistake_suggests_a_legal_decision(run: Run) -> None:
    ran = run("play", "splendor", "--seed", 7, typed="tak wug\n")
    assert "the nearest legal decision is 'take wug'" in ran.out


def test_commands(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "saved.json"
    ran = run("play", "duel", "--seed", 7, typed=f"help\nboard\ntake\nsave {file}\n1\n")
    assert "take back" in ran.out
    assert ran.out.count("seat 0 to move, phase turn") == 2
    assert "take a1 b1 c1" in ran.out
    assert parure.load(file).decisions == ["gold e2"]


@pytest.mark.slow_without_jit
def test_a_hint_names_a_legal_decision_and_changes_nothing(run: Run) -> None:
    plain = run("play", "splendor", "--seed", 7, typed="take wug\nquit\n").out
    ran = run("play", "splendor", "--seed", 7, typed="hint\ntake wug\nquit\n")
    assert ran.status == 0
    first, *others = [line for line in ran.out.splitlines() if line not in plain.splitlines()]
    legal = parure.new("splendor", players=2, seed=7).legal_decisions
    assert first.partition("   ")[0].rpartition("> ")[2] in legal
    assert len(others) == 3
    assert all(line.partition(" to win with ")[2] in legal for line in others)
    assert "hint, undo, help, quit" in plain


def test_resuming_names_what_is_wrong(run: Run, tmp_path: Path) -> None:
    missing = tmp_path / "missing.json"
    ran = run("play", "duel", "--resume", missing)
    assert ran.status == 2
    assert "--resume: there is no file" in " ".join(ran.err.split())
    assert "missing.json" in ran.err
    file = tmp_path / "game.json"
    parure.new("duel", seed=1).save(file)
    ran = run("play", "duel", "--resume", file)
    assert ran.status == 2
    assert "leave out the game" in " ".join(ran.err.split())


def test_the_screen_is_handed_over_between_people(run: Run) -> None:
    seats = ("--seat", "player", "--seat", "player")
    ran = run("play", "splendor", "--seed", 7, *seats, typed="\nreserve deck3\n\n")
    before, after = ran.out.split("Seat 1 is to move")
    own = parure.new("splendor", seed=7)
    own.play("reserve deck3")
    secret = own.players[0].reserved[0]
    assert secret not in before, "reserving ends the turn"
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


@pytest.mark.parametrize(("seconds", "is_shown"), [(0.0, False), (STATUS_DELAY + 1, True)])
def test_progress_is_shown_when_a_bot_thinks_for_long(
    monkeypatch: pytest.MonkeyPatch, seconds: float, is_shown: bool
) -> None:
    shown: list[str] = []

    class FakeStatus:
        def __init__(self, text: str, console: object) -> None:
            self.text = text

        def update(self, text: str) -> None:
            self.text = text

        def start(self) -> None:
            shown.append(self.text)

        def stop(self) -> None:
            pass

    monkeypatch.setattr("parure.terminal.play.Status", FakeStatus)
    times = iter([0.0, seconds])
    thinking = bot("random")
    with show_thinking(thinking, "mcts:[red]", clock=lambda: next(times)):
        report = thinking.on_progress
        assert report is not None
        report(1234)
    assert shown == ([r"mcts:\[red] thinks … 1,234 iterations"] if is_shown else [])
    assert bot("random").on_progress is None


def test_a_bot_of_an_installed_package_plays(tmp_path: Path) -> None:
    """An entry point in the group `parure.bots` is enough."""
    (tmp_path / "installed_bot.py").write_text(
        "from parure.bots import Bot\n"
        "class First(Bot):\n"
        "    def __init__(self, detail=''):\n"
        "        self.detail = detail\n"
        "    def choose(self, view, rng, budget):\n"
        "        return view.legal_decisions[0]\n"
    )
    info = tmp_path / "installed_bot-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: installed-bot\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[parure.bots]\nfirst = installed_bot:First\n")
    program = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r}); from parure.cli import main\n"
        "if __name__ == '__main__': main()\n"
    )
    script = tmp_path / "parure.script.py"
    script.write_text(program)

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, str(script), *arguments]
        return subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)

    file = tmp_path / "game.json"
    ran = run("play", "splendor", "-s", "first", "-s", "first:x", "--record", str(file))
    assert ran.returncode == 0, ran.stderr
    state = parure.load(file)
    assert state.names == ["first", "first:x"]
    assert state.is_over
    ran = run("arena", "splendor", "first", "random", "-n", "2", "--json")
    assert ran.returncode == 0, ran.stderr
    assert '"games": 2' in ran.stdout
    assert "lost" not in ran.stderr
