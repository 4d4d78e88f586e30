"""The HTTP side: making, asking about, deleting, exporting and importing matches."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from tests.server.clients import HOST, ApiClient, running, settings_for

from parure import __version__

RECORDS = Path(__file__).parents[1] / "data" / "records"


def bearer(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


def error(answer: httpx.Response) -> tuple[int, str]:
    body = answer.json()
    assert set(body) == {"error"}
    assert set(body["error"]) == {"code", "message"}
    return answer.status_code, body["error"]["code"]


def some_record() -> dict[str, Any]:
    file = sorted(RECORDS.rglob("*duel*.json"))[0]
    record: dict[str, Any] = msgspec.json.decode(file.read_bytes())
    return record


def test_health_and_metrics(api: ApiClient) -> None:
    assert api.http.get("/api/health").json() == {"status": "ok", "version": __version__}
    api.create("Ann", "Bob")
    text = api.http.get("/api/metrics").text
    created = next(line for line in text.splitlines() if line.startswith("parure_matches_created"))
    assert int(created.split()[1]) >= 1


def test_the_catalogue_and_the_cards(api: ApiClient) -> None:
    catalogue = api.http.get("/api/catalogue").json()
    assert [game["game"] for game in catalogue["games"]] == [
        "splendor",
        "duel",
        "duel+counterfeiters",
    ]
    assert "random" in [bot["bot"] for bot in catalogue["bots"]]
    assert catalogue["is_local_only"]
    sizes = {"splendor": 100, "duel": 71, "duel+counterfeiters": 96}
    for game, size in sizes.items():
        cards = api.http.get(f"/api/cards/{game}").json()["cards"]
        assert len(cards) == size
        assert len({card["id"] for card in cards}) == size
    assert error(api.http.get("/api/cards/chess")) == (404, "game")


def test_who_begins(api: ApiClient) -> None:
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
def test_a_match_that_cannot_be(
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
    assert api.http.get("/api/matches").status_code == 405


def test_a_match_is_deleted_before_it_is_shared(api: ApiClient) -> None:
    match = api.create("Ann", "Bob")
    url, key = f"/api/matches/{match['match']}", bearer(match["creator_key"])
    assert error(api.http.delete(url, headers=bearer(match["seats"][0]["key"]))) == (401, "link")
    with api.connect(match, 0) as ann:
        with api.connect(match, 1, creator=match["creator_key"]):
            assert api.http.get(url, headers=key).json()["can_delete"]
        assert api.http.delete(url, headers=key).status_code == 204
        assert ann.closed() == (4410, "gone")
    assert error(api.http.get(url, headers=key)) == (404, "link")


def test_a_shared_match_stays(api: ApiClient) -> None:
    match = api.create("Ann", "Bob")
    url, key = f"/api/matches/{match['match']}", bearer(match["creator_key"])
    with api.connect(match, 1):
        assert error(api.http.delete(url, headers=key)) == (409, "shared")
        assert not api.http.get(url, headers=key).json()["can_delete"]


def test_the_record_of_an_unfinished_game_is_kept_back(api: ApiClient) -> None:
    match = api.create("Ann", "Bob")
    for what in ("record", "replay"):
        for key in (match["seats"][0]["key"], match["watch"]["key"], match["creator_key"]):
            url = f"/api/matches/{match['match']}/{what}"
            assert error(api.http.get(url, headers=bearer(key))) == (409, "running")


def test_a_record_can_be_looked_at(api: ApiClient) -> None:
    record = some_record()
    replay = api.http.post("/api/replays", json={"record": record}).json()
    assert len(replay["steps"]) == len(record["decisions"]) + 1
    assert [step["line"]["decision"] for step in replay["steps"][1:]] == record["decisions"]
    assert replay["steps"][0]["line"] is None
    assert replay["result"] == record.get("result")
    assert "??" not in msgspec.json.encode(replay["steps"][-1]["table"]).decode()
    broken = {**record, "decisions": ["take a1 b1 c1 d1"]}
    assert error(api.http.post("/api/replays", json={"record": broken})) == (409, "impossible")
    assert error(api.http.post("/api/replays", json={"record": {}})) == (409, "impossible")


def test_a_match_goes_on_from_a_record(api: ApiClient) -> None:
    record = some_record()
    body = {
        "record": record,
        "at": 10,
        "players": [{"name": "Ann"}, {"bot": "random"}],
        "creator": 0,
    }
    match = api.http.post("/api/matches/import", json=body).json()
    with api.connect(match, 0) as ann:
        ann.until_turn()
        assert [line.decision for line in ann.log][:10] == record["decisions"][:10]
        assert ann.now.choices
    finished = api.http.post("/api/matches/import", json={**body, "at": None})
    assert error(finished) == (409, "impossible")
    assert error(api.http.post("/api/matches/import", json={**body, "at": 9999})) == (
        409,
        "impossible",
    )
    assert error(api.http.post("/api/matches/import", json={**body, "creator": 1})) == (
        409,
        "impossible",
    )


def test_a_body_that_nests_without_end(api: ApiClient) -> None:
    for body in (b"[" * 100_000, b'{"record":' * 20_000):
        answer = api.http.post("/api/replays", content=body)
        assert answer.status_code in (400, 422)
        assert error(answer)[1] == "invalid"


def test_too_much_is_refused(api: ApiClient) -> None:
    answer = api.http.post("/api/matches", content=b"x" * (5 << 20))
    assert error(answer) == (413, "size")

    def endless() -> Any:
        for _ in range(100):
            yield b"x" * 65536

    answer = api.http.post("/api/matches", content=endless())
    assert error(answer) == (413, "size")


def test_a_page_of_another_site_cannot_post(api: ApiClient) -> None:
    body: dict[str, Any] = {"players": [{}, {}]}
    away = api.http.post("/api/matches", json=body, headers={"Origin": "http://evil.example"})
    assert error(away) == (403, "origin")
    own = {"Origin": f"http://{HOST}:{api.port}"}
    assert api.http.post("/api/matches", json=body, headers=own).status_code == 201


@pytest.mark.parametrize("path", ["/", "/api/health", "/api/nothing", "/table/x"])
def test_every_answer_is_dressed(api: ApiClient, path: str) -> None:
    headers = api.http.get(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["x-content-type-options"] == "nosniff"
    assert "server" not in headers


def test_the_front_end_is_served(tmp_path: Path) -> None:
    built = tmp_path / "static"
    (built / "assets").mkdir(parents=True)
    (built / "index.html").write_text("<!doctype html>Parure", encoding="utf-8")
    (built / "assets" / "page-1.js").write_text("1", encoding="utf-8")
    (tmp_path / "secret.txt").write_text("secret", encoding="utf-8")
    with running(settings_for(tmp_path, static=str(built))) as (api, _):
        for path in ("/", "/table/0123456789abcdef", "/help"):
            assert api.http.get(path).text == "<!doctype html>Parure"
        asset = api.http.get("/assets/page-1.js")
        assert asset.headers["content-type"].startswith("text/javascript")
        assert "immutable" in asset.headers["cache-control"]
        assert api.http.get("/assets/nothing.js").status_code == 404
        for sly in ("/../secret.txt", "/%2e%2e/secret.txt", "/assets/..%2f..%2fsecret.txt"):
            assert "secret" not in api.http.get(sly).text


def test_without_a_front_end_it_says_so(tmp_path: Path) -> None:
    with running(settings_for(tmp_path, static=str(tmp_path))) as (api, _):
        answer = api.http.get("/")
        assert answer.status_code == 503
        assert "make play" in answer.text


def test_limits(tmp_path: Path) -> None:
    with running(settings_for(tmp_path, limits=0.1)) as (api, _):
        statuses = [
            api.http.post("/api/matches", json={"players": [{}, {}]}).status_code for _ in range(5)
        ]
        assert statuses[:2] == [201, 201]
        assert statuses[-1] == 429
        for _ in range(20):
            answer = api.http.get("/api/health")
        assert error(answer) == (429, "rate")


def test_no_secret_reaches_a_log(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")
    with running(settings_for(tmp_path)) as (api, registry):
        match = api.create("Ann", "Bob")
        with api.connect(match, 0) as ann:
            ann.decide(ann.now.choices[0].decision)
            ann.link.send("nonsense")
            ann.closed()
        api.http.get(f"/api/matches/{match['match']}", headers=bearer("wrong"))
        secrets = [match["creator_key"], match["watch"]["key"], registry.secret.hex()]
        secrets += [seat["key"] for seat in match["seats"]]
    own = [r for r in caplog.records if r.name.startswith(("parure", "uvicorn", "sqlalchemy"))]
    told = "\n".join(record.getMessage() for record in own)
    assert not [secret for secret in secrets if secret in told]
