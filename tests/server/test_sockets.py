"""Playing over real sockets: answers, versions, repeats, two tabs, watchers, bots, rematch."""

from __future__ import annotations

import time
from random import Random
from typing import Any

import msgspec
import pytest
from tests.server.clients import HOST, ApiClient, SocketClient
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from parure.server.messages import Done, HintGiven, Pong, Presence, Refused, Update


def a_take(client: SocketClient) -> str:
    """A decision that completes a turn."""
    return next(c.decision for c in client.now.choices if c.decision.startswith("take"))


def test_a_turn_between_two_persons(api: ApiClient) -> None:
    match = api.create("Ann", "Bob")
    with api.connect(match, 0) as ann, api.connect(match, 1, name="Bobby") as bob:
        done = ann.decide(a_take(ann))
        assert isinstance(done, Done)
        assert done.version == ann.now.version
        assert ann.now.turn.is_complete
        assert isinstance(ann.command("end_turn"), Done)
        bob.until_turn()
        assert bob.now.version == ann.now.version
        assert [line.decision for line in bob.log] == [line.decision for line in ann.log]
        assert bob.now.players[1].name == "Bobby"
        assert ann.now.choices == []
        assert bob.now.choices


def test_provisional_decisions_are_not_sent_to_others(api: ApiClient) -> None:
    match = api.create("Ann", "Bob")
    with api.connect(match, 0) as ann, api.connect(match, 1) as bob:
        while not bob.quiet():
            pass
        ann.decide(a_take(ann))
        ann.command("undo")
        assert bob.quiet()


def test_a_stale_command_is_refused_with_the_current_view(api: ApiClient) -> None:
    match = api.create("Ann", "Bob")
    with api.connect(match, 0) as ann:
        old = ann.now.version
        ann.decide(a_take(ann))
        refused = ann.decide("pass", version=old)
        assert isinstance(refused, Refused)
        assert refused.code == "stale"
        assert refused.snapshot.turn.is_complete
        assert isinstance(ann.command("end_turn", version=refused.snapshot.version), Done)


def test_the_same_command_twice_is_applied_once(api: ApiClient) -> None:
    match = api.create("Ann", "Bob")
    with api.connect(match, 0) as ann:
        version, take = ann.now.version, a_take(ann)
        first = ann.decide(take, id="x", version=version, end_turn=True)
        again = ann.decide(take, id="x", version=version, end_turn=True)
        assert isinstance(first, Done)
        assert isinstance(again, Done)
        assert (first.is_repeated, again.is_repeated) == (False, True)
        assert len(ann.log) == 1
    with api.connect(match, 0) as ann:  # after a lost connection
        again = ann.decide(take, id="x", version=version)
        assert isinstance(again, Done)
        assert again.is_repeated


def test_two_tabs_on_one_seat(api: ApiClient) -> None:
    match = api.create("Ann", "Bob")
    with api.connect(match, 0) as left, api.connect(match, 0) as right:
        left.decide(a_take(left))
        right.until_version(left.now.version)
        assert right.now.turn.is_complete
        assert right.log == left.log
        assert isinstance(right.command("undo"), Done)
        left.until_version(right.now.version)
        assert left.log == right.log == []
        version = left.now.version
        left.decide(a_take(left), end_turn=True)
        beaten = right.decide(a_take(right), version=version)
        assert isinstance(beaten, Refused)
        assert beaten.code == "stale"


def test_a_watcher_sees_and_cannot_play(api: ApiClient) -> None:
    match = api.create("Ann", "Bob", game="splendor")
    with api.connect(match, 0) as ann, api.connect(match, None) as watcher:
        ann.decide("reserve deck1", end_turn=True)
        watcher.until_version(ann.now.version)
        assert watcher.welcome.seat is None
        assert watcher.now.choices == []
        assert watcher.now.table.players[0].reserved == ["??1"]
        assert ann.now.table.players[0].reserved[0].startswith("D1-")
        refused = watcher.decide("take wug")
        assert isinstance(refused, Refused)
        assert refused.code == "watcher"


def test_a_refusal_says_why(api: ApiClient) -> None:
    match = api.create("Ann", "Bob", game="splendor")
    with api.connect(match, 0) as ann, api.connect(match, 1) as bob:
        refused = ann.decide("take wwg")
        assert isinstance(refused, Refused)
        assert refused.code == "illegal"
        refused = ann.decide("buy D3-01")
        assert isinstance(refused, Refused)
        assert "D3-01" in refused.message
        refused = bob.decide("take wug")
        assert isinstance(refused, Refused)
        assert refused.code == "turn"


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        ("", 4400),
        ("{", 4400),
        ("[]", 4400),
        ('{"type": "conjure"}', 4400),
        ('{"type": "decide"}', 4400),
        ('{"type": "ping", "more": 1}', 4400),
        ('{"type": "hello", "key": "x"}', 4400),
        ('{"type": "decide", "id": "", "version": 0, "decisions": ["pass"]}', 4400),
        ('{"type": "decide", "id": "a", "version": -1, "decisions": ["pass"]}', 4400),
        ('{"type": "decide", "id": "a", "version": 0, "decisions": []}', 4400),
        ('{"type": "take_over", "id": "a", "version": 0, "seat": 9, "bot": "random"}', 4400),
        ("[" * 10_000, 4400),
        ("x" * 20_000, 4400),
        ("x" * 70_000, 1009),
        (b"ping", 4400),
    ],
)
def test_what_is_not_understood_closes_the_socket(
    api: ApiClient, sent: str | bytes, code: int
) -> None:
    match = api.create("Ann", "Bob")
    with api.connect(match, 0) as ann:
        ann.link.send(sent)
        assert ann.closed()[0] == code
    with api.connect(match, 0) as ann:  # and nothing else happened
        assert isinstance(ann.decide(a_take(ann)), Done)


def first_answer(api: ApiClient, match: str, **hello: Any) -> tuple[int, str]:
    """How a socket is turned away."""
    url = f"ws://{HOST}:{api.port}/api/matches/{match}/socket"
    with connect(url, compression=None) as link:
        link.send(msgspec.json.encode(hello).decode())
        message = msgspec.json.decode(link.recv(10))
        with pytest.raises(ConnectionClosed) as closed:
            link.recv(10)
        assert closed.value.rcvd is not None
        return closed.value.rcvd.code, message["code"]


def test_a_wrong_link_opens_nothing(api: ApiClient) -> None:
    match, other = api.create("Ann", "Bob"), api.create("Ann", "bot:random")
    right = match["seats"][0]["key"]
    assert first_answer(api, match["match"], type="hello", key="x") == (4401, "link")
    assert first_answer(api, other["match"], type="hello", key=right) == (4401, "link")
    assert first_answer(api, "0" * 16, type="hello", key=right) == (4401, "link")
    assert first_answer(api, match["match"], type="hello", key=match["creator_key"])[0] == 4401
    assert first_answer(api, match["match"], type="ping") == (4400, "hello")


def test_a_page_of_another_site_is_turned_away(api: ApiClient) -> None:
    match = api.create("Ann", "Bob")
    url = f"ws://{HOST}:{api.port}/api/matches/{match['match']}/socket"
    with connect(url, origin=Origin("http://evil.example"), compression=None) as link:
        assert msgspec.json.decode(link.recv(10))["code"] == "origin"
    own = f"http://{HOST}:{api.port}"
    with connect(url, origin=Origin(own), compression=None) as link:
        link.send(msgspec.json.encode({"type": "ping"}).decode())
        assert msgspec.json.decode(link.recv(10))["code"] == "hello"


def test_a_whole_game_against_a_bot(api: ApiClient) -> None:
    match, rng = api.create("Ann", "bot:random", game="splendor"), Random(1)
    with api.connect(match, 0) as ann:
        for _ in range(600):
            ann.until_turn()
            if ann.now.table.outcome is not None:
                break
            buys = [c for c in ann.now.choices if c.payments]
            if buys:
                answer = ann.decide(*rng.choice(rng.choice(buys).payments).decisions, end_turn=True)
            else:
                answer = ann.decide(ann.any_decision(rng), end_turn=True)
            assert isinstance(answer, Done), answer
        assert ann.now.table.outcome is not None
        assert [line.n for line in ann.log] == list(range(len(ann.log)))
        key = {"Authorization": f"Bearer {match['seats'][0]['key']}"}
        record = api.http.get(f"/api/matches/{match['match']}/record", headers=key).json()
        assert record["decisions"] == [line.decision for line in ann.log]
        replay = api.http.get(f"/api/matches/{match['match']}/replay", headers=key).json()
        assert len(replay["steps"]) == len(record["decisions"]) + 1
        assert replay["result"] == record["result"]


def test_take_back_and_hints_against_a_bot(api: ApiClient) -> None:
    match = api.create("Ann", "bot:random")
    with api.connect(match, 0) as ann:
        start = ann.now.table
        ann.send(type="hint", id="h", version=ann.now.version)
        while not isinstance(hint := ann.receive(), HintGiven):
            pass
        assert hint.decision in [choice.decision for choice in ann.now.choices]
        assert 0 < len(hint.gains) <= 2
        ann.decide(a_take(ann), end_turn=True)
        ann.until_turn()
        assert isinstance(ann.command("take_back"), Done)
        assert ann.now.table == start
        assert ann.log == []


def test_no_hint_between_persons(api: ApiClient) -> None:
    match = api.create("Ann", "Bob")
    with api.connect(match, 0) as ann:
        refused = ann.command("hint")
        assert isinstance(refused, Refused)
        assert refused.code == "no_hint"


def test_resigning_and_a_rematch(api: ApiClient) -> None:
    match = api.create("Ann", "Bob")
    with api.connect(match, 0) as ann, api.connect(match, 1) as bob:
        assert isinstance(bob.command("resign"), Done)
        assert isinstance(bob.command("rematch"), Done)
        ann.until_version(bob.now.version)
        while not ann.now.players[1].wants_rematch:
            ann.receive()
        assert ann.now.next is None
        assert isinstance(ann.command("rematch"), Done)
        for_ann, for_bob = ann.until_rematch(), bob.until_rematch()
        assert for_ann.match == for_bob.match
        new, ann_key, bob_key = for_bob.match, for_ann.key, for_bob.key
    with SocketClient(api.port, new, ann_key) as ann, SocketClient(api.port, new, bob_key) as bob:
        assert (ann.welcome.seat, bob.welcome.seat) == (1, 0)
        assert [player.name for player in ann.now.players] == ["Bob", "Ann"]
        assert bob.now.turn.is_yours
    with api.connect(match, 1) as bob:  # whoever comes later still finds the way
        assert bob.now.next is not None
        assert bob.now.next.key == bob_key


def test_a_bot_takes_over_and_the_person_returns(api: ApiClient) -> None:
    match = api.create("Ann", "Bob")
    with api.connect(match, 0) as ann:
        with api.connect(match, 1):
            refused = ann.command("take_over", seat=1, bot="random")
            assert isinstance(refused, Refused)
            assert refused.code == "not_away"
        time.sleep(1.3)
        refused = ann.command("take_over", seat=1, bot="exec:/bin/sh")
        assert isinstance(refused, Refused)
        assert refused.code == "bot"
        asked = {"seat": 1, "bot": "random", "id": "once", "version": ann.now.version}
        for is_repeated in (False, True):
            done = ann.command("take_over", **asked)
            assert isinstance(done, Done)
            assert done.is_repeated == is_repeated
        ann.decide(a_take(ann), end_turn=True)
        ann.until_turn()
        assert {line.seat for line in ann.log} == {0, 1}
        with api.connect(match, 1) as bob:
            assert bob.now.players[1].bot == "random"
            assert isinstance(bob.command("sit_down"), Done)
            ann.decide(a_take(ann), end_turn=True)
            bob.until_turn()
            assert bob.now.choices


def test_who_is_there_is_told(api: ApiClient) -> None:
    match = api.create("Ann", "Bob")
    with api.connect(match, 0) as ann:
        with api.connect(match, 1):
            while (
                not isinstance(told := ann.receive(), Presence) or not told.players[1].is_connected
            ):
                pass
        while not isinstance(told := ann.receive(), Presence) or told.players[1].is_connected:
            pass
        assert told.players[1].away is not None


def test_ping(api: ApiClient) -> None:
    match = api.create("Ann", "Bob")
    with api.connect(match, 0) as ann:
        ann.send(type="ping")
        while not isinstance(ann.receive(), Pong):
            pass


def test_time_runs_out(api: ApiClient) -> None:
    match = api.create("Ann", "Bob", clock={"kind": "turn", "seconds": 1})
    with api.connect(match, 0) as ann, api.connect(match, 1) as bob:
        while ann.now.clock is None or ann.now.clock.running is None:
            ann.receive()
        while bob.now.table.outcome is None:
            bob.receive()
        assert bob.now.table.outcome.reason == "timeout"
        assert bob.now.table.outcome.winners == [1]


def test_a_complete_turn_is_handed_over_when_time_runs_out(api: ApiClient) -> None:
    match = api.create("Ann", "Bob", clock={"kind": "turn", "seconds": 1})
    with api.connect(match, 0) as ann, api.connect(match, 1) as bob:
        ann.decide(a_take(ann))
        bob.until_turn()
        assert bob.now.table.outcome is None


def test_a_plain_request_is_no_socket(api: ApiClient) -> None:
    with pytest.raises(InvalidStatus), connect(f"ws://{HOST}:{api.port}/api/nothing"):
        pass


def test_every_update_fits_the_log_of_the_client(api: ApiClient) -> None:
    """After any mixture of decisions, undos and take-backs the log is what a newcomer is told."""
    match, rng = api.create("Ann", "bot:random"), Random(9)
    with api.connect(match, 0) as ann:
        for _ in range(60):
            ann.until_turn()
            if ann.now.table.outcome is not None:
                break
            roll = rng.random()
            if ann.now.turn.is_complete:
                ann.command("end_turn" if roll < 0.7 else "undo")
            elif roll < 0.8:
                ann.decide(ann.any_decision(rng), end_turn=roll < 0.3)
            elif roll < 0.9 and ann.now.turn.can_undo:
                ann.command("undo", all=True)
            elif ann.now.turn.can_take_back:
                ann.command("take_back")
        ann.until_turn()
        with api.connect(match, 0) as newcomer:
            assert newcomer.log == ann.log
            assert newcomer.now.table == ann.now.table
    assert any(isinstance(message, Update) for message in ann.received)
