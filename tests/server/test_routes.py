"""The HTTP routes: create, inspect, delete, export, import and replay matches."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.server.clients import ApiClient, running, settings_for
from tests.server.responses import bearer, duel_record, error

from parure import __version__
from parure.server import routes
from parure.server.limits import Rate
from parure.server.messages import Done


def test_health_and_metrics(api: ApiClient) -> None:
    assert api.http.get("/api/health").json() == {"status": "ok", "version": __version__}
    api.create("Ann", "Bob")
    text = api.http.get("/api/metrics").text
    created = next(line for line in text.splitlines() if line.startswith("parure_matches_created"))
    assert int(created.split()[1]) >= 1


def test_begins_rotates_the_players(api: ApiClient) -> None:
    match = api.create("Ann", "bot:random", "Bob", game="splendor", begins=2)
    assert [seat["name"] for seat in match["seats"]] == ["Bob", "Ann", ""]
    assert match["seat"] == 1
    assert match["seats"][2]["key"] is None
    starts = {api.create("Ann", "Bob", begins=None)["seat"] for _ in range(30)}
    assert starts == {0, 1}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({}, (422, "invalid")),
        ({"players": [{}]}, (422, "invalid")),
        ({"players": [{}, {}], "cheat": True}, (422, "invalid")),
        ({"players": [{}, {}], "game": "chess"}, (422, "invalid")),
        ({"players": [{}, {}], "options": {"x": True}}, (422, "invalid")),
        ({"players": [{"name": "x" * 41}, {}]}, (422, "invalid")),
        ({"players": [{}, {}], "clock": {"kind": "turn", "seconds": 0}}, (422, "invalid")),
        ({"players": [{}, {"bot": "exec:/bin/sh"}]}, (409, "impossible")),
        ({"players": [{}, {"bot": "mcts:999s"}]}, (409, "impossible")),
        ({"players": [{}, {"bot": "nobody"}]}, (409, "impossible")),
        ({"players": [{"bot": "random"}, {"bot": "random"}]}, (409, "impossible")),
        ({"players": [{}, {}, {}]}, (409, "impossible")),
        ({"players": [{}, {}], "begins": 2}, (409, "impossible")),
        (
            {"players": [{}, {}], "game": "splendor", "options": {"anti-blocking": True}},
            (409, "impossible"),
        ),
    ],
)
def test_impossible_matches_are_refused(
    api: ApiClient, body: dict[str, Any], expected: tuple[int, str]
) -> None:
    assert error(api.http.post("/api/matches", json=body)) == expected


def test_a_summary_needs_a_key(api: ApiClient) -> None:
    match = api.create("Ann", "bot:random")
    url = f"/api/matches/{match['match']}"
    assert error(api.http.get(url)) == (401, "link")
    assert error(api.http.get(url, headers=bearer("wrong"))) == (404, "link")
    assert error(api.http.get("/api/matches/" + "0" * 16, headers=bearer("x"))) == (404, "link")
    assert error(api.http.get("/api/matches/x", headers=bearer("x"))) == (404, "path")
    summary = api.http.get(url, headers=bearer(match["seats"][0]["key"])).json()
    assert summary["seat"] == 0
    assert summary["players"] == ["Ann", "random"]
    assert not summary["is_over"]
    watcher = api.http.get(url, headers=bearer(match["watch"]["key"])).json()
    assert watcher["seat"] is None


def test_matches_cannot_be_listed(api: ApiClient) -> None:
    response = api.http.get("/api/matches")
    assert error(response) == (405, "method")
    assert response.headers["Allow"] == "POST"
    response = api.http.post("/api/matches/" + "0" * 16)
    assert response.headers["Allow"] == "DELETE, GET"


def test_an_unshared_match_can_be_deleted(api: ApiClient) -> None:
    match = api.create("Ann", "Bob")
    url, key = f"/api/matches/{match['match']}", bearer(match["creator_key"])
    assert error(api.http.delete(url, headers=bearer(match["seats"][0]["key"]))) == (401, "link")
    with api.connect(match, 0) as ann:
        with api.connect(match, 1, creator=match["creator_key"]):
            assert api.http.get(url, headers=key).json()["can_delete"]
        assert api.http.delete(url, headers=key).status_code == 204
        assert ann.close_reason() == (4410, "gone")
    assert error(api.http.get(url, headers=key)) == (404, "link")


def test_a_shared_match_cannot_be_deleted(api: ApiClient) -> None:
    match = api.create("Ann", "Bob")
    url, key = f"/api/matches/{match['match']}", bearer(match["creator_key"])
    with api.connect(match, 1):
        assert error(api.http.delete(url, headers=key)) == (409, "shared")
        assert not api.http.get(url, headers=key).json()["can_delete"]


def test_the_record_of_an_unfinished_game_is_refused(api: ApiClient) -> None:
    match = api.create("Ann", "Bob")
    for path in ("record", "replay"):
        for key in (match["seats"][0]["key"], match["watch"]["key"], match["creator_key"]):
            url = f"/api/matches/{match['match']}/{path}"
            assert error(api.http.get(url, headers=bearer(key))) == (409, "running")


def test_record_and_replay_of_a_finished_match(api: ApiClient) -> None:
    match = api.create("Ann", "Bob")
    with api.connect(match, 0) as ann, api.connect(match, 1) as bob:
        ann.play_turn()
        bob.play_turn()
        ann.wait_for_turn()
        assert isinstance(ann.command("resign"), Done)
    key = bearer(match["seats"][0]["key"])
    record = api.http.get(f"/api/matches/{match['match']}/record", headers=key).json()
    assert record["decisions"] == [line.decision for line in ann.log]
    assert record["result"] == {"winners": [1], "reason": "resigned"}
    replay = api.http.get(f"/api/matches/{match['match']}/replay", headers=key).json()
    assert len(replay["steps"]) == len(record["decisions"]) + 1
    assert replay["result"] == record["result"]


def test_replay_of_a_record(api: ApiClient) -> None:
    record = duel_record()
    replay = api.http.post("/api/replays", json={"record": record}).json()
    assert len(replay["steps"]) == len(record["decisions"]) + 1
    assert [step["line"]["decision"] for step in replay["steps"][1:]] == record["decisions"]
    assert replay["steps"][0]["line"] is None
    assert replay["result"] == record.get("result")
    assert "??" not in msgspec.json.encode(replay["steps"][-1]["table"]).decode()
    broken = {**record, "decisions": ["take a1 b1 c1 d1"]}
    assert error(api.http.post("/api/replays", json={"record": broken})) == (409, "impossible")
    assert error(api.http.post("/api/replays", json={"record": {}})) == (409, "impossible")


def test_a_match_continues_a_record(api: ApiClient) -> None:
    record = duel_record()
    body = {
        "record": record,
        "at": 10,
        "players": [{"name": "Ann"}, {"bot": "random"}],
        "creator": 0,
    }
    match = api.http.post("/api/matches/import", json=body).json()
    with api.connect(match, 0) as ann:
        ann.wait_for_turn()
        assert [line.decision for line in ann.log][:10] == record["decisions"][:10]
        assert ann.now.choices
    for impossible in ({"at": None}, {"at": 9999}, {"creator": 1}):
        response = api.http.post("/api/matches/import", json={**body, **impossible})
        assert error(response) == (409, "impossible")


def test_creations_are_limited_per_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(routes, "CREATIONS", Rate(2, 0))
    with running(settings_for(tmp_path, limits=1)) as (api, _):
        responses = [api.http.post("/api/matches", json={"players": [{}, {}]}) for _ in range(3)]
        assert [response.status_code for response in responses] == [201, 201, 429]
        assert error(responses[-1]) == (429, "rate")


def test_no_secret_is_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    with running(settings_for(tmp_path)) as (api, registry):
        match = api.create("Ann", "Bob")
        with api.connect(match, 0) as ann:
            ann.decide(ann.now.choices[0].decision)
            ann.socket.send("nonsense")
            ann.close_reason()
        api.http.get(f"/api/matches/{match['match']}", headers=bearer("wrong"))
        secrets = [match["creator_key"], match["watch"]["key"], registry.secret.hex()]
        secrets += [seat["key"] for seat in match["seats"]]
    own = [r for r in caplog.records if r.name.startswith(("parure", "uvicorn", "sqlalchemy"))]
    text = "\n".join(record.getMessage() for record in own)
    assert not [secret for secret in secrets if secret in text]
