"""What happens without a command: bots resume after a restart, and clocks run out."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.server.clients import ApiClient, FakeClock, running, settings_for

from parure.server.registry import MatchRegistry
from parure.server.scheduler import RESTART_GRACE_MS


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
