"""Games on a Ray cluster, a real one on this machine."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import closing
from pathlib import Path

import pytest
from tests.arena.sample_bots import leaves_process_ids, play_here

from parure.arena.cluster import Cluster
from parure.arena.participants import Participants
from parure.arena.plan import Plan
from parure.arena.store import Request, Store
from parure.arena.tournament import Tournament
from parure.errors import ParureError
from parure.games.record import read_all

PARTICIPANTS = Participants(["random", "random"])


def test_a_missing_ray_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ParureError, match=r"parure\[cluster\]"):
        Cluster(PARTICIPANTS, "local")


@pytest.mark.parametrize("address", ["localhost:1", "localhost:999999"])
def test_an_unreachable_address_is_an_error(address: str) -> None:
    pytest.importorskip("ray")
    with pytest.raises(ParureError, match="no Ray cluster at 'localhost:"):
        Cluster(PARTICIPANTS, address)


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")  # of Ray's own
def test_two_workers_one_killed_midway(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No game is lost or counted twice, and all equal those played in this process."""
    pytest.importorskip("ray")
    process_ids = tmp_path / "process_ids"
    process_ids.mkdir()
    monkeypatch.setenv("PARURE_TEST_FOLDER", str(process_ids))
    participants = Participants([leaves_process_ids, "random"])
    plan = Plan.create("splendor", participants, seed=2)
    killed = []
    with (
        closing(Store(tmp_path / "games", plan, Request(60))) as store,
        closing(Cluster(participants, "local", 2)) as cluster,
    ):
        tournament = Tournament(store)

        def kill_worker(_: int) -> None:
            if tournament.done == 3:
                newest = max(process_ids.iterdir(), key=lambda path: path.stat().st_mtime)
                process, worker = newest.name.split("-")
                os.kill(int(worker), signal.SIGKILL)
                killed.extend([int(process), int(worker)])

        tournament.play(cluster, kill_worker)
        assert tournament.standings.is_complete
        assert tournament.done == tournament.total == 60
    assert killed, "a worker was killed"
    workers = {path.name.partition("-")[2] for path in process_ids.iterdir()}
    assert len(workers) >= 3, "another worker took over"
    fixtures = [fixture for number in range(30) for fixture in plan.fixtures(0, number)]
    assert sorted(store.games) == [fixture.key for fixture in fixtures]
    records = dict(zip(store.games, read_all(tmp_path / "games" / "records.jsonl"), strict=True))
    for fixture in fixtures:
        assert records[fixture.key] == play_here(fixture, participants).record
