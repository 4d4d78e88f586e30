"""Playing over real sockets: answers, versions, repeats, two tabs, watchers, bots, rematches."""

from __future__ import annotations

import contextlib
import json
import socket
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.server.clients import HOST, ApiClient, FakeClock, SocketClient
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect
from websockets.typing import Origin

from parure.games.duel.geometry import CELLS
from parure.server import match as match_module
from parure.server.messages import Done, HintGiven, Pong, Presence, Refused, Update
from parure.server.registry import MatchRegistry


def assert_refused(answer: Done | Refused, code: str) -> None:
    """Check that a command was refused with a code."""
    assert isinstance(answer, Refused)
    assert answer.code == code


def wait_for_presence(client: SocketClient, seat: int, is_connected: bool) -> Presence:
    """Wait until a seat is reported as connected or not."""
    while True:
        message = client.receive()
        if isinstance(message, Presence) and message.players[seat].is_connected == is_connected:
            return message


def test_a_turn_between_two_players(api: ApiClient) -> None:
    match = api.create("Ann", "Bob")
    with api.connect(match, 0) as ann, api.connect(match, 1, name="Bobby") as bob:
        done = ann.decide(ann.take_decision())
        assert isinstance(done, Done)
        assert done.version == ann.now.version
        assert ann.now.turn.is_complete
        assert isinstance(ann.command("end_turn"), Done)
        bob.wait_for_turn()
        assert bob.now.version == ann.now.version
        assert [line.decision for line in bob.log] == [line.decision for line in ann.log]
        assert bob.now.players[1].name == "Bobby"
        assert ann.now.choices == []
        assert bob.now.choices


def test_provisional_decisions_are_not_sent_to_others(api: ApiClient) -> None:
    match = api.create("Ann", "Bob")
    with api.connect(match, 0) as ann, api.connect(match, 1) as bob:
        bob.receive_all()
        ann.decide(ann.take_decision())
        ann.command("undo")
        assert bob.receive_all() == []


def test_a_stale_command_is_refused_after_the_current_view(api: ApiClient) -> None:
    match = api.create("Ann", "Bob")
    with api.connect(match, 0) as ann:
        old = ann.now.version
        ann.decide(ann.take_decision())
        refused = ann.decide("pass", version=old)
        assert isinstance(refused, Refused)
        assert refused.code == "stale"
        assert refused.version == ann.now.version
        assert ann.now.turn.is_complete
        assert isinstance(ann.command("end_turn", version=refused.version), Done)


def test_the_same_command_twice_is_applied_once(api: ApiClient) -> None:
    match = api.create("Ann", "Bob")
    with api.connect(match, 0) as ann:
        version, take = ann.now.version, ann.take_decision()
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
        left.decide(left.take_decision())
        right.wait_for_version(left.now.version)
        assert right.now.turn.is_complete
        assert right.log == left.log
        assert isinstance(right.command("undo"), Done)
        left.wait_for_version(right.now.version)
        assert left.log == right.log == []
        version = left.now.version
        left.decide(left.take_decision(), end_turn=True)
        beaten = right.decide(right.take_decision(), version=version)
        assert isinstance(beaten, Refused)
        assert beaten.code == "stale"


def test_a_watcher_sees_and_cannot_play(api: ApiClient) -> None:
    match = api.create("Ann", "Bob", game="splendor")
    with api.connect(match, 0) as ann, api.connect(match, None) as watcher:
        ann.decide("reserve deck1", end_turn=True)
        watcher.wait_for_version(ann.now.version)
        assert watcher.welcome.seat is None
        assert watcher.now.choices == []
        assert watcher.now.table.players[0].reserved == ["??1"]
        assert ann.now.table.players[0].reserved[0].startswith("D1-")
        assert_refused(watcher.decide("take wug"), "watcher")


def test_a_refusal_gives_a_reason(api: ApiClient) -> None:
    match = api.create("Ann", "Bob", game="splendor")
    with api.connect(match, 0) as ann, api.connect(match, 1) as bob:
        assert_refused(ann.decide("take wwg"), "illegal")
        refused = ann.decide("buy D3-01")
        assert isinstance(refused, Refused)
        assert "D3-01" in refused.message
        assert_refused(bob.decide("take wug"), "turn")


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
def test_invalid_messages_close_the_socket(api: ApiClient, sent: str | bytes, code: int) -> None:
    match = api.create("Ann", "Bob")
    with api.connect(match, 0) as ann:
        ann.socket.send(sent)
        assert ann.close_reason()[0] == code
    with api.connect(match, 0) as ann:  # the match is unchanged
        assert isinstance(ann.decide(ann.take_decision()), Done)


def rejection(api: ApiClient, match: str, **hello: Any) -> tuple[int, str]:
    """Return the close code and the error code of a rejected socket."""
    url = f"ws://{HOST}:{api.port}/api/matches/{match}/socket"
    with connect(url, compression=None) as link:
        link.send(msgspec.json.encode(hello).decode())
        message = msgspec.json.decode(link.recv(10))
        with pytest.raises(ConnectionClosed) as closed:
            link.recv(10)
        assert closed.value.rcvd is not None
        return closed.value.rcvd.code, message["code"]


@pytest.mark.parametrize("match", ["%00", "a" * 300, "%ff", "0123456789ABCDEF"])
def test_what_cannot_be_a_match_is_not_looked_for(
    api: ApiClient, registry: MatchRegistry, match: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PostgreSQL answers a zero byte with an error, which made the server unhealthy."""

    async def load(_: str) -> None:
        raise AssertionError("the database was asked")

    monkeypatch.setattr(registry.store, "load", load)
    assert rejection(api, match, type="hello", key="x") == (4401, "link")
    assert api.http.get("/api/health").status_code == 200


def test_a_wrong_key_is_rejected(api: ApiClient) -> None:
    match, other = api.create("Ann", "Bob"), api.create("Ann", "bot:random")
    right = match["seats"][0]["key"]
    assert rejection(api, match["match"], type="hello", key="x") == (4401, "link")
    assert rejection(api, other["match"], type="hello", key=right) == (4401, "link")
    assert rejection(api, "0" * 16, type="hello", key=right) == (4401, "link")
    assert rejection(api, match["match"], type="hello", key=match["creator_key"])[0] == 4401
    assert rejection(api, match["match"], type="ping") == (4400, "hello")


def test_a_page_of_another_site_is_rejected(api: ApiClient) -> None:
    match = api.create("Ann", "Bob")
    url = f"ws://{HOST}:{api.port}/api/matches/{match['match']}/socket"
    with connect(url, origin=Origin("http://evil.example"), compression=None) as link:
        assert msgspec.json.decode(link.recv(10))["code"] == "origin"
    own = f"http://{HOST}:{api.port}"
    with connect(url, origin=Origin(own), compression=None) as link:
        link.send(msgspec.json.encode({"type": "ping"}).decode())
        assert msgspec.json.decode(link.recv(10))["code"] == "hello"


def test_a_socket_under_another_name_is_rejected(api: ApiClient) -> None:
    """A page of another site whose name leads here has the same origin as the host it asks for."""
    match = api.create("Ann", "Bob")
    url = f"ws://{HOST}:{api.port}/api/matches/{match['match']}/socket"
    host = f"evil.example:{api.port}"
    here = socket.create_connection((HOST, api.port))  # where the other site's name leads
    evil = url.replace(f"{HOST}:{api.port}", host)
    with connect(evil, sock=here, origin=Origin(f"http://{host}"), compression=None) as link:
        assert msgspec.json.decode(link.recv(10))["code"] == "origin"


def test_probes_of_hidden_tokens_are_refused_alike(api: ApiClient) -> None:
    """Like `test_played`, over a socket: a refusal does not say what a replenish would bring."""
    match = api.create("Ann", "Bob", game="duel+counterfeiters")
    with api.connect(match, 0) as ann, api.connect(match, 1) as bob:
        ann.decide(ann.take_decision(), end_turn=True)
        bob.wait_for_turn()
        probes = [f"{verb} {cell}" for verb in ("take", "gold") for cell in CELLS]
        answers = [bob.decide("replenish", probe, "x") for probe in probes]
        found = {(a.code, a.message) for a in answers if isinstance(a, Refused)}
        assert {code for code, _ in found} == {"reveals"}
        assert len(found) == 1
        assert isinstance(bob.decide("replenish"), Done)


def test_resigning_works_after_endless_undoing(
    api: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(match_module, "MAX_REVERSALS", 20)
    check_resigning_after_undoing(api, commands=100)


@pytest.mark.long
def test_resigning_works_after_ten_thousand_commands(api: ApiClient) -> None:
    check_resigning_after_undoing(api, commands=10_000)


def check_resigning_after_undoing(api: ApiClient, commands: int) -> None:
    match = api.create("Ann", "Bob")
    with api.connect(match, 0) as ann, api.connect(match, 1) as bob:
        answers: set[str] = set()
        for _ in range(commands // 2):
            text = ann.take_decision() if ann.now.choices else "x"
            for answer in (ann.decide(text), ann.command("undo")):
                answers.add(answer.code if isinstance(answer, Refused) else "done")
        assert answers == {"done", "complete", "long"}
        assert isinstance(ann.command("end_turn"), Done)  # the game goes on
        bob.play_turn()
        assert isinstance(bob.command("resign", version=0), Done)  # at any version
        ann.wait_for_end()


def test_a_whole_game_against_a_bot(api: ApiClient) -> None:
    match, rng = api.create("Ann", "bot:random", game="splendor"), Random(1)
    with api.connect(match, 0) as ann:
        for _ in range(600):
            ann.wait_for_turn()
            if ann.now.table.outcome is not None:
                break
            buys = [c for c in ann.now.choices if c.payments]
            if buys:
                answer = ann.decide(*rng.choice(rng.choice(buys).payments).decisions, end_turn=True)
            else:
                answer = ann.decide(ann.random_decision(rng), end_turn=True)
            assert isinstance(answer, Done), answer
        assert ann.now.table.outcome is not None
        assert [line.number for line in ann.log] == list(range(len(ann.log)))
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
        assert hint.version == ann.now.version
        assert 0 < len(hint.candidates) <= 3
        for candidate in hint.candidates:
            assert candidate.decision in [choice.decision for choice in ann.now.choices]
            assert candidate.reasons[0].decision == candidate.line[0] == candidate.decision
            assert set(candidate.words) == {"en", "fr", "es"}
            assert 0 <= candidate.value <= 1
        ann.decide(ann.take_decision(), end_turn=True)
        ann.wait_for_turn()
        assert isinstance(ann.command("take_back"), Done)
        assert ann.now.table == start
        assert ann.log == []


def test_no_hint_between_players(api: ApiClient) -> None:
    match = api.create("Ann", "Bob")
    with api.connect(match, 0) as ann:
        assert_refused(ann.command("hint"), "no_hint")


def test_resignation_and_rematch(api: ApiClient) -> None:
    match = api.create("Ann", "Bob")
    with api.connect(match, 0) as ann, api.connect(match, 1) as bob:
        assert isinstance(bob.command("resign"), Done)
        assert isinstance(bob.command("rematch"), Done)
        ann.wait_for_version(bob.now.version)
        while not ann.now.players[1].wants_rematch:
            ann.receive()
        assert ann.now.next is None
        assert isinstance(ann.command("rematch"), Done)
        for_ann, for_bob = ann.wait_for_rematch(), bob.wait_for_rematch()
        assert for_ann.match == for_bob.match
        new, ann_key, bob_key = for_bob.match, for_ann.key, for_bob.key
    with SocketClient(api.port, new, ann_key) as ann, SocketClient(api.port, new, bob_key) as bob:
        assert (ann.welcome.seat, bob.welcome.seat) == (1, 0)
        assert [player.name for player in ann.now.players] == ["Bob", "Ann"]
        assert bob.now.turn.is_yours
    with api.connect(match, 1) as bob:  # the key is still sent to later connections
        assert bob.now.next is not None
        assert bob.now.next.key == bob_key


def test_a_bot_takes_over_and_the_player_returns(
    api: ApiClient, registry: MatchRegistry, clock: FakeClock
) -> None:
    match = api.create("Ann", "Bob")
    with api.connect(match, 0) as ann:
        with api.connect(match, 1):
            assert_refused(ann.command("take_over", seat=1, bot="random"), "not_away")
        wait_for_presence(ann, seat=1, is_connected=False)  # before the clock goes on
        assert_refused(ann.command("take_over", seat=1, bot="random"), "not_away")
        clock.advance(registry, registry.settings.take_over_after)
        assert_refused(ann.command("take_over", seat=1, bot="exec:/bin/sh"), "bot")
        command = {"seat": 1, "bot": "random", "id": "once", "version": ann.now.version}
        for is_repeated in (False, True):
            done = ann.command("take_over", **command)
            assert isinstance(done, Done)
            assert done.is_repeated == is_repeated
        ann.decide(ann.take_decision(), end_turn=True)
        ann.wait_for_turn()
        assert {line.seat for line in ann.log} == {0, 1}
        with api.connect(match, 1) as bob:
            assert bob.now.players[1].bot == "random"
            assert isinstance(bob.command("sit_down"), Done)
            ann.decide(ann.take_decision(), end_turn=True)
            bob.wait_for_turn()
            assert bob.now.choices


def test_presence_is_sent(api: ApiClient) -> None:
    match = api.create("Ann", "Bob")
    with api.connect(match, 0) as ann:
        with api.connect(match, 1):
            assert wait_for_presence(ann, seat=1, is_connected=True).players[1].away is None
        assert wait_for_presence(ann, seat=1, is_connected=False).players[1].away == 0


def test_ping(api: ApiClient) -> None:
    match = api.create("Ann", "Bob")
    with api.connect(match, 0) as ann:
        ann.send(type="ping")
        while not isinstance(ann.receive(), Pong):
            pass


def test_updates_keep_the_clients_log_complete(api: ApiClient) -> None:
    """After decisions, undos and take-backs the log equals that of a new connection."""
    match, rng = api.create("Ann", "bot:random"), Random(9)
    with api.connect(match, 0) as ann:
        for _ in range(60):
            ann.wait_for_turn()
            if ann.now.table.outcome is not None:
                break
            roll = rng.random()
            if ann.now.turn.is_complete:
                ann.command("end_turn" if roll < 0.7 else "undo")
            elif roll < 0.8:
                ann.decide(ann.random_decision(rng), end_turn=roll < 0.3)
            elif roll < 0.9 and ann.now.turn.can_undo:
                ann.command("undo", all=True)
            elif ann.now.turn.can_take_back:
                ann.command("take_back")
        ann.wait_for_turn()
        with api.connect(match, 0) as newcomer:
            assert newcomer.log == ann.log
            assert newcomer.now.table == ann.now.table
    assert any(isinstance(message, Update) for message in ann.received)


def test_a_client_that_disappears_affects_nobody(api: ApiClient) -> None:
    match = api.create("Ann", "Bob")
    with api.connect(match, 0) as ann:
        bob = api.connect(match, 1)
        bob.socket.socket.shutdown(socket.SHUT_RDWR)  # without a closing handshake
        ann.play_turn()
        with api.connect(match, 1) as back:
            assert back.now.turn.is_yours
        bob.close()


HOSTILE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner),
    max_leaves=12,
)
TYPES = st.sampled_from(
    "hello decide end_turn undo take_back resign rematch take_over sit_down hint ping x".split()
)
DECISIONS = st.sampled_from(
    ["take a1", "pass", "buy J1-01", "replenish > www", "reserve deck1", "\0", "take", "é", "claim"]
)
COMMANDS = st.fixed_dictionaries(
    {"type": TYPES},
    optional={
        "id": st.text(max_size=70),
        "version": st.integers(-2, 3) | st.floats(),
        "decisions": st.lists(DECISIONS | st.text(max_size=50), max_size=3) | HOSTILE,
        "end_turn": st.booleans() | st.none(),
        "seat": st.integers(-1, 5),
        "bot": st.text(max_size=50) | st.just("exec:ls"),
        "all": st.booleans(),
        "key": st.text(max_size=70),
        "more": HOSTILE,
    },
)


@settings(
    max_examples=80,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(data=COMMANDS.map(json.dumps) | HOSTILE.map(json.dumps) | st.text() | st.binary())
def test_hostile_messages(api: ApiClient, data: str | bytes) -> None:
    """The socket is closed or gets an answer, and the server goes on."""
    match = api.create("Ann", "Bob")
    with api.connect(match, 0) as ann, api.connect(match, 1) as bob:
        with contextlib.suppress(ConnectionClosed):
            ann.socket.send(data)
            ann.receive_all()
        assert b"Traceback" not in msgspec.json.encode(bob.now)
    assert api.http.get("/api/health").status_code == 200
