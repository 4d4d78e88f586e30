"""The server's clock, and the players' clocks."""

from __future__ import annotations

import pytest
from tests.server.clients import FakeClock

from parure.server.clock import MatchTime, PlayerClocks, Run, SteadyClock
from parure.server.log_entries import Clock


def test_setting_the_wall_clock_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    wall, monotonic = 1_000_000.0, 50.0
    monkeypatch.setattr("parure.server.clock.time.time", lambda: wall)
    monkeypatch.setattr("parure.server.clock.time.monotonic", lambda: monotonic)
    clock = SteadyClock()
    assert clock.now() == 1_000_000_000
    for jump in (7200.0, -7200.0):
        wall += jump
        monotonic += 1.5
    assert clock.now() == 1_000_003_000


def test_a_bank_pays_for_turns_and_gains_the_increment() -> None:
    clocks = PlayerClocks(Clock("bank", 60, 5), seats=2, created=0)
    assert clocks.deadline(0) is None
    clocks.start(10_000)
    assert clocks.deadline(0) == 70_000
    clocks.turn_ended(0, 30_000)
    assert clocks.left == [45_000, 60_000]
    assert clocks.deadline(1) == 90_000
    assert clocks.remaining(1, 40_000) == [45_000, 50_000]
    assert clocks.remaining(1, 999_000) == [45_000, 0]


def test_a_turn_clock_starts_again_every_turn() -> None:
    clocks = PlayerClocks(Clock("turn", 60), seats=2, created=0)
    clocks.start(0)
    clocks.turn_ended(0, 59_000)
    assert clocks.left == [60_000, 60_000]
    assert clocks.deadline(1) == 119_000


def test_a_copy_is_independent() -> None:
    clocks = PlayerClocks(Clock("bank", 60), seats=2, created=0)
    clocks.start(0)
    other = clocks.copy()
    other.turn_ended(0, 30_000)
    assert clocks.left == [60_000, 60_000]
    assert other.left == [30_000, 60_000]


def test_without_a_clock_nobody_has_a_deadline() -> None:
    clocks = PlayerClocks(None, seats=2, created=0)
    clocks.start(0)
    assert clocks.deadline(0) is None


def test_workers_of_a_run_have_the_same_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that is started later does not read the wall clock again."""
    run = Run.start()
    monkeypatch.setattr("parure.server.clock.VARIABLE", "PARURE_TEST_RUN")
    monkeypatch.setenv("PARURE_TEST_RUN", "")  # so that it is removed after the test
    run.to_environment()
    monkeypatch.setattr("parure.server.clock.time.time", lambda: 0.0)
    monkeypatch.setattr("parure.server.clock.time.monotonic", lambda: 50.0)
    later = SteadyClock(Run.from_environment())
    assert later.now() == SteadyClock(run).now() == int((50 + run.wall_offset) * 1000)


def test_the_match_time_stands_still_while_nothing_can_be_stored() -> None:
    clock = FakeClock(1000)
    time = MatchTime(clock)
    time.start(-400)
    time.stored(time.now())
    clock._now += 100
    assert time.now() == 700
    time.not_stored()
    time.not_stored()
    clock._now += 10_000
    assert time.now() == 600  # since it was last stored
    time.stored(time.now())
    clock._now += 30
    assert time.now() == 630
