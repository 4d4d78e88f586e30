"""`parure bot`: requests, answers, and errors for requests that cannot be answered."""

from __future__ import annotations

import json
import subprocess
import sys
from io import BytesIO
from random import Random
from typing import Any

import pytest

import parure
from parure.bots import Answer, Bot, BotLike, Budget, Candidate
from parure.bots.external import decide_message
from parure.bots.protocol import MAX_LINE_BYTES, Message, encode
from parure.bots.protocol_server import serve
from parure.errors import NotationError
from parure.games.view import View

HELLO = {"type": "hello", "protocol": 1, "name": "test"}
GAME = {"type": "game", "game": "duel", "seats": 2, "options": {}, "seat": 0}
STATE = parure.new("duel", seed=7)


def request(**changes: Any) -> dict[str, Any]:
    """Return a request for a decision, with some fields changed."""
    message: dict[str, Any] = json.loads(encode(decide_message(STATE.view(0), 5, None)))
    return message | changes


def answers_to(*requests: object, bot: BotLike = "random") -> list[dict[str, Any]]:
    """Return the answers to requests; bytes are sent as they are."""
    lines = [
        line if isinstance(line, bytes) else json.dumps(line).encode() + b"\n" for line in requests
    ]
    answers = BytesIO()
    serve(bot, BytesIO(b"".join(lines)), answers)
    return [json.loads(line) for line in answers.getvalue().splitlines()]


def error_of(*requests: object) -> str:
    """Return the error for the last request; the one after it is answered again."""
    *_, error, hello = answers_to(HELLO, GAME, *requests, HELLO)
    assert hello["type"] == "hello"
    assert error["type"] == "error"
    reason = error["reason"]
    assert isinstance(reason, str)
    assert reason.isprintable()
    return reason


def test_a_session() -> None:
    hello, ready, decision = answers_to(HELLO, GAME, request(), {"type": "quit"}, HELLO)
    assert hello == {"type": "hello", "protocol": 1, "name": "random"}
    assert ready == {"type": "ready"}
    assert decision["decision"] in STATE.legal_decisions
    assert decision["decision"] == Random(5).choice(STATE.view(0).legal_decisions)


def test_the_end_of_the_input_ends_the_session() -> None:
    assert answers_to() == []
    assert len(answers_to(HELLO, b"\n", json.dumps(GAME).encode())) == 2  # without an end of line


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"uci\n", "not a message of the protocol"),
        (b"\xff\xfe\n", "not a message of the protocol"),
        (b"{}\n", "`type`"),
        (b"[" * 50_000 + b"\n", "not a message of the protocol"),
        (b" " * 10 + b"x" * (3 * MAX_LINE_BYTES) + b"\n", "longer than 1,048,576 bytes"),
        ({"type": "fly"}, "'fly'"),
        (HELLO | {"protocol": 2}, "this is version 1 of the protocol, not 2"),
        (GAME | {"game": "chess"}, "chess"),
        (GAME | {"seats": 3}, "for 2 players"),
        (GAME | {"seat": 2}, "no seat 2"),
        (GAME | {"options": {"fast": True}}, "no option"),
        (request(view=None), "names its game"),
        (request(view={"game": "duel"}), "missing required field"),
        (request(legal=["pass"]), "does not list the legal decisions"),
        (request(budget={"seconds": 0}), "budget.seconds"),
        (request(budget={"iterations": -1}), "budget.iterations"),
        (decide_message(parure.new("splendor", seed=7).view(0), 1, None), "announced"),
        (decide_message(STATE.view(1), 1, None), "announced"),
    ],
)
def test_wrong_requests_are_answered_with_errors(line: Any, reason: str) -> None:
    if isinstance(line, Message):
        line = encode(line)
    assert reason in error_of(line)


def test_a_decision_needs_a_game_and_a_turn() -> None:
    assert "`decide` came before `game`" in answers_to(request())[0]["reason"]
    other = json.loads(encode(decide_message(STATE.view(1), 1, None)))
    assert "seat 1 is not to move" in answers_to(GAME | {"seat": 1}, other)[1]["reason"]


def test_an_unknown_bot_is_refused_at_once() -> None:
    with pytest.raises(NotationError, match="no bot is called 'ranbom'"):
        answers_to(bot="ranbom")


class PrintingBot(Bot):
    """Prints, and returns its budget as the reason."""

    def choose(self, view: View, rng: Random, budget: Budget | None) -> Answer:
        sys.stdout.write("not part of the protocol\n")
        first = view.legal_decisions[0]
        return Answer(first, f"given {budget}", (Candidate(first, 1.0, 0.25),), 3)


@pytest.mark.parametrize("bot", [PrintingBot, PrintingBot()], ids=["class", "object"])
def test_candidates_and_budgets_are_passed_on(
    bot: BotLike, capsys: pytest.CaptureFixture[str]
) -> None:
    seconds = {"seconds": 1.5, "left": 0.25}
    answers = answers_to(
        GAME,
        request(budget=seconds),
        request(budget={"iterations": 20}),
        request(budget={}),
        bot=bot,
    )
    assert [answer["because"] for answer in answers[1:]] == ["given 1.5s", "given 20", "given None"]
    first = STATE.legal_decisions[0]
    assert answers[1] == {
        "type": "decision",
        "decision": first,
        "because": "given 1.5s",
        "candidates": [{"decision": first, "share": 1.0, "value": 0.25, "visits": 0}],
        "iterations": 3,
    }
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("not part of the protocol") == 3


def test_the_command_serves() -> None:
    requests = b"".join(json.dumps(line).encode() + b"\n" for line in (HELLO, GAME, request()))
    command = [sys.executable, "-m", "parure", "bot", "random"]
    done = subprocess.run(command, input=requests, capture_output=True, check=True)
    types = [json.loads(line)["type"] for line in done.stdout.splitlines()]
    assert types == ["hello", "ready", "decision"]
    wrong = subprocess.run([*command[:-1], "nobody"], input=requests, capture_output=True)
    assert wrong.returncode == 1
    assert wrong.stdout == b""
    assert wrong.stderr.decode().startswith("parure: no bot is called 'nobody'")
    closed = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=True)
    assert closed.stdout == b""
