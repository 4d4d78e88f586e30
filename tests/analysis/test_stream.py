"""The streaming analysis: requests in, lines of the protocol out."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

import parure
from parure.analysis.stream import AnalysisServer, serve
from parure.games.view_schema import view_data

TEXT = parure.new("splendor", seed=7).view(0).text()


def answers_to(*requests: dict[str, Any] | bytes) -> list[dict[str, Any]]:
    lines = [
        request if isinstance(request, bytes) else json.dumps(request).encode() + b"\n"
        for request in requests
    ]
    output = io.BytesIO()
    serve(io.BytesIO(b"".join(lines)), output)
    return [json.loads(line) for line in output.getvalue().splitlines()]


@pytest.mark.slow_without_jit
def test_an_analysis_with_a_budget_is_finished() -> None:
    request = {"type": "analyse", "id": "a", "position": TEXT, "budget": {"iterations": 100}}
    *infos, last = answers_to({"type": "hello", "protocol": 1}, request)
    assert infos[0] == {"type": "hello", "protocol": 1, "name": "parure analyse"}
    assert (last["type"], last["id"]) == ("analysis", "a")
    assert len(last["analysis"]["choices"]) == 3
    assert last["analysis"]["iterations"] >= 100


@pytest.mark.slow_without_jit
def test_a_view_as_data() -> None:
    import msgspec

    view = msgspec.to_builtins(view_data(parure.new("splendor", seed=7).view(0)))
    request = {"type": "analyse", "position": view, "budget": {"iterations": 50}, "lines": 1}
    (last,) = answers_to({**request, "language": "fr", "seed": 1})
    assert last["analysis"]["choices"][0]["reason"].startswith("prend ")


@pytest.mark.slow_without_jit
def test_stop_ends_an_endless_analysis() -> None:
    output = io.BytesIO()
    server = AnalysisServer(output)
    assert server.handle(json.dumps({"type": "analyse", "position": TEXT}).encode())
    assert server.handle(b'{"type": "stop"}')
    last = json.loads(output.getvalue().splitlines()[-1])
    assert last["type"] == "analysis"
    assert last["analysis"]["iterations"] > 0
    assert not server.handle(b'{"type": "quit"}')


@pytest.mark.slow_without_jit
def test_a_new_request_stops_the_one_before() -> None:
    endless = {"type": "analyse", "id": "1", "position": TEXT}
    found = answers_to(endless, {**endless, "id": "2", "budget": {"iterations": 64}})
    assert [answer["id"] for answer in found if answer["type"] == "analysis"] == ["1", "2"]


def test_bad_requests_are_answered() -> None:
    found = answers_to(
        b"nonsense\n",
        {"type": "hello", "protocol": 9},
        {"type": "analyse", "position": "chess"},
        {"type": "analyse", "position": {}},
        {"type": "stop"},
        b" " * (1 << 21) + b"\n",
    )
    assert [answer["type"] for answer in found] == ["error"] * len(found)
    assert len(found) >= 4
