"""The HTTP routes: create, inspect, delete, export, import and replay matches."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from tests.server.clients import (
    METRICS_TOKEN,
    ApiClient,
    FakeClock,
    SocketClient,
    running,
    settings_for,
)
from tests.server.responses import bearer, duel_record, error

from parure import __version__
from parure.server import middleware, routes
from parure.server.limits import Rate
from parure.server.messages import Done, Refused
from parure.server.registry import MatchRegistry

METRICS = {"Authorization": f"Bearer {METRICS_TOKEN}"}


def test_metrics_are_closed_without_the_token(api: ApiClient) -> None:
    """They count what happens in matches of others, undone decisions included."""
    for headers in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": "Bearer"}):
        answer = api.http.get("/api/metrics", headers=headers)
        assert answer.status_code in (401, 404)
        assert "parure_" not in answer.text


def test_metrics_are_closed_if_no_token_is_configured(
    api: ApiClient, registry: MatchRegistry, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "settings", replace(registry.settings, metrics_token=""))
    for token in (f" {METRICS_TOKEN}", "", " None"):
        headers = {"Authorization": f"Bearer{token}"}
        assert api.http.get("/api/metrics", headers=headers).status_code in (401, 404)


def test_health_and_metrics(api: ApiClient) -> None:
    assert api.http.get("/api/health").json() == {"status": "ok", "version": __version__}
    api.create("Ann", "Bob")
    text = api.http.get("/api/metrics", headers=METRICS).text
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


@pytest.mark.parametrize("path", ["record", "replay"])
def test_a_game_cannot_go_on_once_its_decks_are_known(api: ApiClient, path: str) -> None:
    match, rng = api.create("Ann", "bot:random", game="splendor"), Random(3)
    with api.connect(match, 0) as ann:
        play_to_the_end(ann, rng)
        assert isinstance(ann.command("take_back"), Done)  # nothing is known yet
        play_to_the_end(ann, rng)
        assert ann.now.turn.can_take_back
        url = f"/api/matches/{match['match']}/{path}"
        for key in (match["watch"]["key"], match["seats"][0]["key"]):
            assert api.http.get(url, headers=bearer(key)).status_code == 200
        refused = ann.command("take_back")
        assert isinstance(refused, Refused)
        assert refused.code == "no_take_back"
        assert not ann.now.turn.can_take_back


def play_to_the_end(client: SocketClient, rng: Random) -> None:
    """Play at random until the game is over."""
    while client.now.table.outcome is None:
        client.wait_for_turn()
        if client.now.turn.is_yours:
            client.decide(client.random_decision(rng), end_turn=True)


def test_a_summary_does_not_tell_when_another_seat_tries_something(
    api: ApiClient, registry: MatchRegistry, clock: FakeClock
) -> None:
    match = api.create("Ann", "Bob")
    url, key = f"/api/matches/{match['match']}", bearer(match["seats"][1]["key"])
    with api.connect(match, 0) as ann, api.connect(match, 1):
        before = api.http.get(url, headers=key).json()
        clock.advance(registry, 10)
        ann.decide(ann.take_decision())
        assert api.http.get(url, headers=key).json() == before
        ann.command("undo")
        assert api.http.get(url, headers=key).json() == before
        ann.decide(ann.take_decision(), end_turn=True)
        assert api.http.get(url, headers=key).json()["changed"] == before["changed"] + 10_000


def test_names_lose_what_cannot_be_seen(api: ApiClient) -> None:
    match = api.create("A\u202enn\u200b \x07 B", "\u2066\u3164Bob\ufe0f")
    assert [seat["name"] for seat in match["seats"]] == ["Ann B", "Bob"]
    with api.connect(match, 1, name="\u200f B\u00adob\n\u2028by\t ") as bob:
        assert bob.now.players[1].name == "Bob by"


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
    monkeypatch.setattr(middleware, "CREATIONS", Rate(2, 0))
    with running(settings_for(tmp_path, limits=1)) as (api, _):
        responses = [api.http.post("/api/matches", json={"players": [{}, {}]}) for _ in range(3)]
        assert [response.status_code for response in responses] == [201, 201, 429]
        assert error(responses[-1]) == (429, "rate")
        # counted before the body is parsed: what is no JSON is refused for the same reason
        assert error(api.http.post("/api/replays", content=b"[" * 1000)) == (429, "rate")


def test_replays_are_limited_per_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(routes, "REPLAYS", Rate(2, 0))
    with running(settings_for(tmp_path, limits=1)) as (api, _):
        match = api.create("Ann", "Bob")
        with api.connect(match) as ann:
            assert isinstance(ann.command("resign"), Done)
        address, headers = f"/api/matches/{match['match']}/replay", bearer(match["watch"]["key"])
        statuses = [api.http.get(address, headers=headers).status_code for _ in range(3)]
        assert statuses == [200, 200, 429]


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
