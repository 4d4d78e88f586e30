"""Games in worker processes equal those in this process; none is lost or played twice."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import closing
from multiprocessing import active_children, connection
from multiprocessing.connection import Connection
from pathlib import Path
from types import SimpleNamespace

import pytest
from tests.arena.sample_bots import (
    buys,
    cannot_be_made,
    hangs,
    kills_its_process,
    leaves_process_ids,
    play_here,
)

from parure.arena import processes
from parure.arena.game import PlayedGame
from parure.arena.participants import Participants
from parure.arena.plan import Fixture, Plan
from parure.arena.processes import MAX_ATTEMPTS, InProcess, Processes
from parure.games.record import Record, replay


def fixtures(plan: Plan, sets: int) -> list[Fixture]:
    return [fixture for number in range(sets) for fixture in plan.fixtures(0, number)]


def records(games: list[PlayedGame]) -> dict[tuple[int, int, int], Record]:
    """Return the records by the keys of their games, each of which may occur once."""
    by_key = {game.key: record for game, record in games}
    assert len(by_key) == len(games)
    return by_key


def test_processes_play_the_same_games_as_this_process() -> None:
    participants = Participants(["random", buys])
    games = fixtures(Plan.create("duel", participants), 5)
    with closing(Processes(participants, 2)) as workers:
        played = records(list(workers.play(games)))
        assert len(active_children()) == 2
    assert active_children() == []
    assert played == records(list(InProcess(participants).play(games)))


def test_a_killed_process_loses_no_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARURE_TEST_FOLDER", str(tmp_path))
    participants = Participants([leaves_process_ids, "random"])
    games = fixtures(Plan.create("splendor", participants), 4)
    played = []
    with closing(Processes(participants, 2)) as workers:
        for game in workers.play(games):
            played.append(game)
            if len(played) in (2, 5):
                newest = max(tmp_path.iterdir(), key=lambda path: path.stat().st_mtime)
                os.kill(int(newest.name.partition("-")[0]), signal.SIGKILL)
    assert len(list(tmp_path.iterdir())) >= 3, "another process took over"
    assert records(played) == records([play_here(game, participants) for game in games])
    assert not any(game.failure for game, _ in played)


class FakeTime:
    """A clock that is at 0 until a file exists and all messages are read, and then at 100 s."""

    def __init__(self, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._file = file
        self._now = 0.0
        monkeypatch.setattr(processes, "connection", SimpleNamespace(wait=self._wait))

    def clock(self) -> float:
        return self._now

    def _wait(self, connections: list[Connection], timeout: float) -> list[object]:
        exists = self._file.exists()
        ready: list[object] = list(connection.wait(connections, 0.05))
        if exists and not ready:
            self._now = 100.0
        return ready


@pytest.mark.parametrize("seat", [0, 1])
def test_a_bot_that_hangs_loses(seat: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARURE_TEST_FOLDER", str(tmp_path))
    participants = Participants([hangs, "random"])
    plan = Plan.create("duel", participants)
    clock = FakeTime(tmp_path / "hanging", monkeypatch).clock
    with closing(Processes(participants, game_timeout=60, clock=clock)) as workers:
        [(game, record)] = workers.play([plan.fixtures(0, 0)[seat]])
    assert (game.winners, game.reason) == ([1 - seat], "timeout")
    assert game.failure.endswith("the game took more than 60 s, 100.0 of them here")
    assert game.seconds[seat] == 100
    assert game.turns >= 3
    *_, state = replay(record)
    assert state.outcome
    assert state.outcome.reason == "timeout"


def test_a_program_that_hangs_ends_with_its_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "import os, pathlib, time\n"
        f"folder = pathlib.Path({str(tmp_path)!r})\n"
        "(folder / 'draft').write_text(str(os.getpid()))\n"
        "(folder / 'draft').rename(folder / 'process_id')\n"
        "time.sleep(3600)\n"
    )
    participants = Participants([f"exec:{sys.executable} {program}", "random"])
    plan = Plan.create("splendor", participants)
    clock = FakeTime(tmp_path / "process_id", monkeypatch).clock
    with closing(Processes(participants, game_timeout=60, clock=clock)) as workers:
        [(game, _)] = workers.play(plan.fixtures(0, 0)[:1])
    assert game.reason == "timeout"
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "process_id").read_text()), 0)


def test_a_bot_that_kills_its_process_loses() -> None:
    participants = Participants([kills_its_process, "random"])
    plan = Plan.create("duel", participants)
    with closing(Processes(participants)) as workers:
        [(game, record)] = workers.play(plan.fixtures(0, 0)[1:])
    assert (game.winners, game.reason) == ([0], "resigned")
    expected = f"its process died {MAX_ATTEMPTS} times, the last time with status 5"
    assert expected in game.failure
    assert len(record.decisions) >= 3


def test_a_bot_that_cannot_be_made_in_a_worker_loses() -> None:
    participants = Participants([cannot_be_made, "random"])
    plan = Plan.create("duel", participants)
    with closing(Processes(participants)) as workers:
        [(game, _)] = workers.play(plan.fixtures(0, 0)[:1])
    assert (game.winners, game.reason) == ([1], "resigned")
    assert game.failure == "cannot_be_made at seat 0: FileNotFoundError: the weights are missing"


def test_a_fixture_is_taken_when_it_can_be_started() -> None:
    participants = Participants(["random", "random"])
    plan = Plan.create("splendor", participants)
    taken = []

    def upcoming() -> Iterator[Fixture]:
        for fixture in fixtures(plan, 10):
            taken.append(fixture)
            yield fixture

    with closing(Processes(participants)) as workers:
        with closing(workers.play(upcoming())) as games:
            next(games)
            next(games)
        assert len(taken) == 2
