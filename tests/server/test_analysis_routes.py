"""The analysis board over HTTP: positions, records, decisions, chance, and the engine."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.server.clients import ApiClient, running, settings_for
from tests.server.responses import duel_record, error

import parure
from parure.bots import Bot, Budget
from parure.games.view import View
from parure.server import engine_stream
from parure.server.analysis_models import EngineReport
from parure.server.bot_pool import BotPool
from parure.server.engine_stream import EngineBot
from parure.server.registry import MatchRegistry

VIEW = "splendor-2/view:0/seat:0/turns:0/D1:16,01,37,24/D2:20,28,11,02/D3:08,01,12,11/N:01,05,10"


def post(api: ApiClient, path: str, **body: Any) -> Any:
    answer = api.http.post(f"/api/analysis/{path}", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def refused(api: ApiClient, path: str, **body: Any) -> tuple[int, str]:
    return error(api.http.post(f"/api/analysis/{path}", json=body))


def test_open_a_text(api: ApiClient) -> None:
    found = post(api, "position", text=VIEW)
    assert (found["text"], found["is_state"], found["table"]["viewer"]) == (VIEW, False, 0)
    assert {"take wug", "reserve deck1"} <= {choice["decision"] for choice in found["choices"]}
    again = post(api, "position", view=found["table"])
    assert again["text"] == VIEW


@pytest.mark.parametrize("game", ["splendor", "duel", "duel+counterfeiters"])
def test_deal_look_from_a_seat_and_deal_the_rest(api: ApiClient, game: str) -> None:
    dealt = post(api, "position", game=game)
    assert dealt["is_state"]
    seen = post(api, "position", text=dealt["text"], viewer=1)
    assert not seen["is_state"]
    assert "deck1" not in seen["text"]
    assert refused(api, "position", text=seen["text"], viewer=0) == (409, "impossible")
    whole = post(api, "position", text=seen["text"], deal=True)
    assert whole["is_state"]
    assert post(api, "position", text=whole["text"], viewer=1)["text"] == seen["text"]


def test_contradictions_are_named(api: ApiClient) -> None:
    wrong = api.http.post("/api/analysis/position", json={"text": f"{VIEW}/cards1:D3-08"})
    assert error(wrong) == (409, "impossible")
    assert "D3-08 is in the pyramid and in seat 1's cards" in wrong.json()["error"]["message"]


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"text": ""},
        {"text": "x" * 4001},
        {"text": 5},
        {"text": "chess/e4"},
        {"text": VIEW, "game": "duel"},
        {"view": {}},
        {"view": {"kind": "duel", "players": [None] * 50}},
        {"game": "duel", "players": 4},
        {"game": "chess"},
        {"text": VIEW, "viewer": 9},
        {"text": VIEW, "further": 1},
    ],
)
def test_bad_positions(api: ApiClient, body: dict[str, Any]) -> None:
    status, _ = refused(api, "position", **body)
    assert status in (409, 422)


def test_bad_decisions(api: ApiClient) -> None:
    assert refused(api, "play", text=VIEW, decision="jump") == (409, "impossible")
    assert refused(api, "play", text=VIEW, decision="buy D3-08") == (409, "impossible")
    assert refused(api, "play", text=VIEW, decision="x" * 100)[0] == 422
    came = {"enter_chance": True, "cards": ["D1-16"]}
    assert refused(api, "play", text=VIEW, decision="reserve D1-16", **came)[0] == 409
    many = {"enter_chance": True, "cards": ["D1-02"] * 31}
    assert refused(api, "play", text=VIEW, decision="reserve D1-16", **many)[0] == 422


def test_a_record_and_its_steps(api: ApiClient) -> None:
    record = duel_record()
    found = post(api, "record", record=record)
    assert len(found["steps"]) == len(record["decisions"]) + 1
    assert found["steps"][0]["line"] is None
    step = found["steps"][7]
    assert post(api, "position", text=step["text"])["is_state"]
    assert error(api.http.post("/api/analysis/record", json={"record": {}}))[0] in (409, 422)


def test_play_with_chance_at_random_and_entered(api: ApiClient) -> None:
    drawn = post(api, "play", text=VIEW, decision="reserve D1-16")
    assert drawn["pending"] is None
    assert drawn["event"]["decision"] == "reserve D1-16"
    asked = post(api, "play", text=VIEW, decision="reserve D1-16", enter_chance=True)
    assert asked["position"] is None
    came = asked["pending"]["cards"][0]["options"][3]
    entered = post(
        api, "play", text=VIEW, decision="reserve D1-16", enter_chance=True, cards=[came]
    )
    assert entered["position"]["table"]["pyramid"][0][0] == came


def test_others_reserves_stay_hidden(api: ApiClient) -> None:
    """The mover's draw is in no part of the answer to another viewer."""
    view = parure.position(VIEW.replace("view:0", "view:1"))
    answer = post(api, "play", text=view.text(), decision="reserve deck3", enter_chance=True)
    position = answer["position"]
    assert position["table"]["players"][0]["reserved"] == ["??3"]
    assert "reserved0:??3" in position["text"]
    shown = {name for row in position["table"]["pyramid"] for name in row}
    named = {word for choice in position["choices"] for word in choice["decision"].split()}
    assert {name for name in named if name.startswith("D3")} <= shown


def test_nothing_is_remembered(api: ApiClient) -> None:
    """The same request has the same answer, whatever was asked in between."""
    first = post(api, "play", text=VIEW, decision="reserve deck1")
    post(api, "play", text=VIEW, decision="reserve deck2")
    assert post(api, "play", text=VIEW, decision="reserve deck1") == first


# --- the engine -----------------------------------------------------------------------------------


def reports(api: ApiClient, text: str, **body: Any) -> list[dict[str, Any]]:
    request = {"text": text, **body}
    with api.http.stream("POST", "/api/analysis/engine", json=request, timeout=60) as answer:
        assert answer.status_code == 200
        assert answer.headers["X-Accel-Buffering"] == "no", "nginx would collect the lines"
        return [msgspec.json.decode(line) for line in answer.iter_lines()]


def test_the_engine_reports_until_it_is_final(
    api: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_stream, "BUDGET", Budget(iterations=300))
    found = reports(api, VIEW, lines=2)
    assert [report["is_final"] for report in found] == [False] * (len(found) - 1) + [True]
    last = found[-1]
    assert len(last["choices"]) == 2
    assert sum(last["values"]) == pytest.approx(1)
    assert set(last["choices"][0]["words"]) == {"en", "fr", "es"}


def test_the_engine_looks_from_any_seat(api: ApiClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_stream, "BUDGET", Budget(iterations=100))
    for viewer in ("1", "all"):
        last = reports(api, VIEW.replace("view:0", f"view:{viewer}"))[-1]
        assert last["error"] is None
        assert last["choices"]


def test_an_engine_that_nobody_reads_stops(api: ApiClient, registry: MatchRegistry) -> None:
    request = {"text": VIEW}
    with api.http.stream("POST", "/api/analysis/engine", json=request, timeout=60) as answer:
        next(answer.iter_lines())
    for _ in range(600):
        if not registry.bot_pool.pending and not registry.limits._open_sockets:
            break
        api.http.get("/api/health")
    assert registry.bot_pool.pending == 0
    assert not registry.bot_pool._running or all(
        thought.stop.is_set() for thought in registry.bot_pool._running.values()
    )


def test_the_tree_of_an_analysis_is_part_of_the_memory_for_bots(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_stream, "BUDGET", Budget(iterations=20_000))
    with running(settings_for(tmp_path, bot_memory=4, searches=1)) as (api, _):
        assert 0 < reports(api, VIEW)[-1]["iterations"] < 20_000


def test_a_slow_reader_receives_the_newest_report() -> None:
    """Reports that wait to be read would fill the memory."""

    class BusyPool(BotPool):
        async def analyse(self, player: Bot, view: View, address: str = "") -> None:
            assert isinstance(player, EngineBot)
            for number in range(100):
                is_final = number == 99
                player._report(EngineReport([], [], number, is_exact=False, is_final=is_final))

    async def read() -> list[int]:
        view, pool = parure.new("splendor", seed=1).view(0), BusyPool(1)
        lines = engine_stream.engine_lines(pool, view, 3, "", lambda: None)
        found = [msgspec.json.decode(line, type=EngineReport).iterations async for line in lines]
        pool.close()
        return found

    assert asyncio.run(read()) == [99]


def test_bad_engine_requests(api: ApiClient) -> None:
    assert refused(api, "engine", text=VIEW, lines=11)[0] == 422
    assert refused(api, "engine", text="nonsense") == (409, "impossible")


def test_the_limits_hold(tmp_path: Path) -> None:
    with running(settings_for(tmp_path, limits=0.05)) as (api, _):
        statuses = [
            api.http.post("/api/analysis/position", json={"text": VIEW}).status_code
            for _ in range(6)
        ]
    assert statuses[0] == 200
    assert 429 in statuses
