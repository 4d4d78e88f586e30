"""What happens without a command: bots resume after a restart, and clocks run out."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest
from tests.server.clients import ApiClient, FakeClock, running, settings_for
from tests.server.responses import bearer
from tests.server.test_sockets import wait_for_presence

from parure.bots import Answer, Bot
from parure.games.view import View
from parure.server.bot_pool import BotPool
from parure.server.messages import Done
from parure.server.registry import MatchRegistry
from parure.server.scheduler import RESTART_GRACE_MS
from parure.server.store import Unavailable


@pytest.mark.parametrize("player", ["random", "level:1", "level:6"])
def test_a_bots_turn_is_resumed_after_a_restart(tmp_path: Path, player: str) -> None:
    """The bot was to move when the server stopped."""
    with running(settings_for(tmp_path, bot_pause=600)) as (api, _):
        match = api.create("Ann", f"bot:{player}")
        with api.connect(match, 0) as ann:
            ann.play_turn()
    with running(settings_for(tmp_path)) as (api, _), api.connect(match, 0) as ann:
        ann.wait_for_turn()
        assert ann.now.turn.is_yours
        assert {line.seat for line in ann.log} == {0, 1}


def test_a_bot_waits_until_somebody_is_connected(api: ApiClient, registry: MatchRegistry) -> None:
    """A match that is only read over HTTP does not let its bots decide."""
    match = api.create("Ann", "bot:random", begins=1)
    summary = api.http.get(f"/api/matches/{match['match']}", headers=bearer(match["watch"]["key"]))
    assert summary.json()["to_move"] == 0
    session = registry.sessions[match["match"]]
    assert not session.scheduler.is_deciding
    with api.connect(match, match["seat"]) as ann:
        ann.wait_for_turn()
        assert ann.now.turn.is_yours


@pytest.mark.parametrize("end", ["left", "resigned"])
def test_a_bot_stops_when_its_decision_is_not_wanted_any_more(
    api: ApiClient, registry: MatchRegistry, end: str
) -> None:
    match = api.create("Ann", "bot:mcts:5s", begins=1)
    with api.connect(match, match["seat"]) as ann:
        session = registry.sessions[match["match"]]
        while not registry.bot_pool._running:
            time.sleep(0.001)
        (thinking,) = registry.bot_pool._running
        if end == "resigned":
            assert isinstance(ann.command("resign"), Done)
    while registry.bot_pool.pending or session.scheduler.is_deciding:
        time.sleep(0.001)
    while registry.bot_pool.is_running(thinking):
        time.sleep(0.001)
    assert thinking.memory == 0
    assert session.match.fixed_count == 0  # it has not decided


def test_a_bot_whose_thread_still_runs_is_replaced(
    api: ApiClient, registry: MatchRegistry, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = api.create("Ann", "bot:mcts:1")
    with api.connect(match, 0):
        scheduler = registry.sessions[match["match"]].scheduler
        first = scheduler._bot(1, "mcts:1")
        assert scheduler._bot(1, "mcts:1") is first
        monkeypatch.setattr(registry.bot_pool, "is_running", lambda _: True)
        assert scheduler._bot(1, "mcts:1") is not first


def test_time_runs_out(api: ApiClient, registry: MatchRegistry, clock: FakeClock) -> None:
    match = api.create("Ann", "Bob", clock={"kind": "turn", "seconds": 60})
    with api.connect(match, 0) as ann, api.connect(match, 1) as bob:
        while ann.now.clock is None or ann.now.clock.running is None:
            ann.receive()
        clock.advance(registry, 59)
        ann.receive_all()
        assert ann.now.table.outcome is None
        clock.advance(registry, 1)
        bob.wait_for_end()
        assert bob.now.table.outcome is not None
        assert bob.now.table.outcome.reason == "timeout"
        assert bob.now.table.outcome.winners == (1,)


def test_a_complete_turn_is_ended_when_time_runs_out(
    api: ApiClient, registry: MatchRegistry, clock: FakeClock
) -> None:
    match = api.create("Ann", "Bob", clock={"kind": "turn", "seconds": 60})
    with api.connect(match, 0) as ann, api.connect(match, 1) as bob:
        ann.decide(ann.take_decision())
        clock.advance(registry, 60)
        bob.wait_for_turn()
        assert bob.now.turn.is_yours
        assert bob.now.table.outcome is None


def test_after_a_restart_players_have_time_to_reconnect(tmp_path: Path) -> None:
    """Time that ran out while the server was down counts only after a grace period."""
    clock, settings = FakeClock(), settings_for(tmp_path)
    with running(settings, clock) as (api, registry):
        match = api.create("Ann", "Bob", clock={"kind": "turn", "seconds": 1})
        with api.connect(match, 0), api.connect(match, 1):
            pass
    clock.advance(registry, 10)
    with running(settings, clock) as (api, registry), api.connect(match, 1) as bob:
        clock.advance(registry, RESTART_GRACE_MS / 1000 - 1)
        bob.receive_all()
        assert bob.now.table.outcome is None
        clock.advance(registry, 1)
        bob.wait_for_end()
        session = registry.sessions[match["match"]]
        assert session.match.changed_at - registry.started_at == RESTART_GRACE_MS


def test_a_bots_thought_is_not_played_for_a_person_who_sat_down_again(
    api: ApiClient, registry: MatchRegistry, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    decide, may_answer = BotPool.decide, asyncio.Event()

    async def decide_slowly(self: BotPool, player: Bot, view: View) -> Answer:
        answer = await decide(self, player, view)
        await may_answer.wait()
        return answer

    monkeypatch.setattr(BotPool, "decide", decide_slowly)
    match = api.create("Ann", "Bob")
    with api.connect(match, 0) as ann:
        with api.connect(match, 1):
            wait_for_presence(ann, seat=1, is_connected=True)
        wait_for_presence(ann, seat=1, is_connected=False)  # before the clock goes on
        clock.advance(registry, registry.settings.take_over_after)
        ann.play_turn()
        assert isinstance(ann.command("take_over", seat=1, bot="random"), Done)
        session = registry.sessions[match["match"]]
        with api.connect(match, 1) as bob:
            assert isinstance(bob.command("sit_down"), Done)
            loop = session._runner.get_loop()
            loop.call_soon_threadsafe(may_answer.set)
            deadline = time.monotonic() + 60
            while session.scheduler.is_deciding and time.monotonic() < deadline:
                time.sleep(0.01)
            bob.receive_all()
            assert bob.now.turn.is_yours
            assert {line.seat for line in bob.log} == {0}


@pytest.mark.parametrize("jump", [3600, -7200], ids=["down for an hour", "wall clock set back"])
def test_the_time_between_two_runs_is_not_charged(tmp_path: Path, jump: int) -> None:
    """Nor does a wall clock that was set back stop the players' clocks."""
    clock, settings = FakeClock(), settings_for(tmp_path)
    with running(settings, clock) as (api, registry):
        match = api.create("Ann", "Bob", clock={"kind": "bank", "seconds": 60})
        with api.connect(match, 0) as ann, api.connect(match, 1):
            while ann.now.clock is None or ann.now.clock.running is None:
                ann.receive()
            clock.advance(registry, 10)
    clock.advance(registry, jump)
    with running(settings, clock) as (api, registry), api.connect(match, 0) as ann:
        assert ann.now.clock is not None
        assert ann.now.clock.left == [50_000, 60_000]
        clock.advance(registry, 5)
        assert isinstance(ann.decide(ann.take_decision(), end_turn=True), Done)
        assert ann.now.clock.left == [45_000, 60_000]
        clock.advance(registry, 60)
        ann.wait_for_end()


def test_the_clocks_stand_still_while_nothing_can_be_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = FakeClock()
    with running(settings_for(tmp_path), clock) as (api, registry):
        match = api.create("Ann", "Bob", clock={"kind": "turn", "seconds": 60})
        with api.connect(match, 0) as ann, api.connect(match, 1):
            while ann.now.clock is None or ann.now.clock.running is None:
                ann.receive()
            loop = registry.sessions[match["match"]]._runner.get_loop()

            async def fail(_: int) -> None:
                raise Unavailable("no database")

            monkeypatch.setattr(registry.store, "store_time", fail)
            asyncio.run_coroutine_threadsafe(registry._store_time(), loop).result(60)
            clock.advance(registry, 3600)
            ann.receive_all()
            assert ann.now.table.outcome is None
            monkeypatch.undo()
            asyncio.run_coroutine_threadsafe(registry._store_time(), loop).result(60)
            clock.advance(registry, 59)
            ann.receive_all()
            assert ann.now.table.outcome is None
            clock.advance(registry, 1)
            ann.wait_for_end()
