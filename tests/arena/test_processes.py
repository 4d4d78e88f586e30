"""Games in processes: the same ones, none lost, none twice, whatever becomes of the processes."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import closing
from multiprocessing import active_children
from pathlib import Path

import pytest
from tests.arena import players

from parure.arena.game import PlayedGame
from parure.arena.plan import Fixture, Plan
from parure.arena.processes import ATTEMPTS, Processes
from parure.games.record import Record, replay


def fixtures(plan: Plan, sets: int) -> list[Fixture]:
    return [fixture for number in range(sets) for fixture in plan.set_of(0, number)]


def records(games: list[PlayedGame]) -> dict[tuple[int, int, int], Record]:
    """The records by their place; each may be there once."""
    found = {game.key: record for game, record in games}
    assert len(found) == len(games)
    return found


def test_games_are_those_that_are_played_at_home() -> None:
    plan = Plan.of("duel", ["random", "buys"])
    with closing(Processes(2, player=players.play)) as processes:
        played = records(list(processes.play(fixtures(plan, 5))))
        assert len(active_children()) == 2
    assert active_children() == []
    assert played == records([players.play_at_home(fixture) for fixture in fixtures(plan, 5)])


def test_a_killed_process_loses_no_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARURE_TEST_FOLDER", str(tmp_path))
    plan = Plan.of("splendor", ["thinks", "random"])
    played = []
    with closing(Processes(2, player=players.play_and_sign)) as processes:
        for game in processes.play(fixtures(plan, 4)):
            played.append(game)
            if len(played) in (2, 5):
                newest = max(tmp_path.iterdir(), key=lambda path: path.stat().st_mtime)
                os.kill(int(newest.name.partition("-")[0]), signal.SIGKILL)
    assert len(list(tmp_path.iterdir())) >= 3, "another process took over"
    assert records(played) == records([players.play_at_home(f) for f in fixtures(plan, 4)])
    assert not any(game.failure for game, _ in played)


def test_a_bot_that_hangs_loses() -> None:
    plan = Plan.of("duel", ["hangs", "random"])
    with closing(Processes(2, game_timeout=3, player=players.play)) as processes:
        played = list(processes.play(plan.set_of(0, 0)))
    for game, record in played:
        assert (game.winners, game.reason) == ([1 - game.game], "timeout")
        assert "the game took more than 3 s" in game.failure
        assert game.seconds[game.game] > 2
        assert game.turns >= 3
        *_, state = replay(record)
        assert state.outcome
        assert state.outcome.reason == "timeout"


def test_a_program_that_hangs_does_not_outlive_its_game(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "import os, pathlib, time\n"
        f"pathlib.Path({str(tmp_path)!r}, str(os.getpid()) + '.pid').touch()\n"
        "time.sleep(120)\n"
    )
    plan = Plan.of("splendor", [f"exec:{sys.executable} {program}", "random"])
    with closing(Processes(1, game_timeout=2)) as processes:
        [(game, _)] = processes.play(plan.set_of(0, 0)[:1])
    assert game.reason == "timeout"
    [number] = [int(path.stem) for path in tmp_path.glob("*.pid")]
    with pytest.raises(ProcessLookupError):
        os.kill(number, 0)


def test_a_bot_that_takes_its_process_down_loses() -> None:
    plan = Plan.of("duel", ["dies", "random"])
    with closing(Processes(1, player=players.play)) as processes:
        [(game, record)] = processes.play(plan.set_of(0, 0)[1:])
    assert (game.winners, game.reason) == ([0], "resigned")
    assert f"its process died {ATTEMPTS} times, at last with status 5" in game.failure
    assert len(record.decisions) >= 3


def test_fixtures_are_asked_for_when_they_can_be_played() -> None:
    plan = Plan.of("splendor", ["random", "random"])
    asked = []

    def upcoming() -> Iterator[Fixture]:
        for fixture in fixtures(plan, 10):
            asked.append(fixture)
            yield fixture

    with closing(Processes(1, player=players.play)) as processes:
        with closing(processes.play(upcoming())) as games:
            next(games)
            next(games)
        assert len(asked) == 2
