"""Games on a Ray cluster: a real one, of this machine alone."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import closing
from pathlib import Path

import pytest
from tests.arena import players

from parure.arena.cluster import Cluster
from parure.arena.plan import Plan
from parure.arena.store import Asked, Store
from parure.arena.tournament import Tournament
from parure.errors import ParureError
from parure.games.record import read_all


def test_without_ray_its_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ParureError, match=r"parure\[cluster\]"):
        Cluster("local")


@pytest.mark.parametrize("address", ["localhost:1", "localhost:999999"])
def test_nobody_at_home_is_told_at_once(address: str) -> None:
    pytest.importorskip("ray")
    with pytest.raises(ParureError, match="no Ray cluster at 'localhost:"):
        Cluster(address)


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")  # of Ray's own
def test_two_workers_one_killed_midway(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No game is lost, none counts twice, and all are those that would be played at home."""
    pytest.importorskip("ray")
    signatures = tmp_path / "signatures"
    signatures.mkdir()
    monkeypatch.setenv("PARURE_TEST_FOLDER", str(signatures))
    plan = Plan.of("splendor", ["thinks", "random"], seed=2)
    killed = []
    with (
        closing(Store(tmp_path / "games", plan, Asked(60))) as store,
        closing(Cluster("local", 2, player=players.play_and_sign)) as cluster,
    ):
        tournament = Tournament(store)

        def watch(_: int) -> None:
            if tournament.done == 3:
                newest = max(signatures.iterdir(), key=lambda path: path.stat().st_mtime)
                process, worker = newest.name.split("-")
                os.kill(int(worker), signal.SIGKILL)
                killed.extend([int(process), int(worker)])

        tournament.play(cluster, watch)
        assert tournament.standings.is_complete
        assert tournament.done == tournament.total == 60
    assert killed, "a worker was killed"
    workers = {path.name.partition("-")[2] for path in signatures.iterdir()}
    assert len(workers) >= 3, "another worker took over"
    fixtures = [fixture for number in range(30) for fixture in plan.set_of(0, number)]
    assert sorted(store.games) == [fixture.key for fixture in fixtures]
    records = dict(zip(store.games, read_all(tmp_path / "games" / "records.jsonl"), strict=True))
    for fixture in fixtures:
        assert records[fixture.key] == players.play_at_home(fixture)[1]
