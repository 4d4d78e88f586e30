"""A server that is killed loses nothing that it acknowledged."""

from __future__ import annotations

import contextlib
import threading
import time
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.server.clients import ServerProcess, SocketClient
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from parure.server.messages import Done


def play_through_restarts(
    port: int,
    match: str,
    key: str,
    rng: Random,
    acknowledged: list[str],
    stop: threading.Event,
) -> None:
    """Play a seat, reconnecting and repeating the unanswered command after every kill."""
    pending: dict[str, Any] | None = None
    number = 0
    while not stop.is_set():
        try:
            with SocketClient(port, match, key) as client:
                while not stop.is_set():
                    if pending is None:
                        while not client.now.turn.is_yours:
                            if client.now.table.outcome is not None or stop.is_set():
                                return
                            with contextlib.suppress(TimeoutError):
                                client.receive(0.2)
                        number += 1
                        pending = {
                            "type": "decide",
                            "id": f"{key[:6]}-{number}",
                            "version": client.now.version,
                            "decisions": [client.random_decision(rng)],
                            "end_turn": True,
                        }
                    client.send(**pending)
                    answer = client.answer(pending["id"])
                    assert isinstance(answer, Done), answer
                    acknowledged.append(pending["decisions"][0])
                    pending = None
        except (OSError, ConnectionClosed, InvalidHandshake, TimeoutError, EOFError):
            time.sleep(0.05)


def kill_repeatedly(folder: Path, matches: int, kills: int, decisions: int) -> None:
    """Kill the server after every `decisions` acknowledged ones; the games must not end before."""
    stop = threading.Event()
    with ServerProcess(str(folder / "killed.sqlite")) as server:
        created = [server.api.create("Ann", "Bob", game="splendor") for _ in range(matches)]
        acknowledged: dict[str, list[str]] = {match["match"]: [] for match in created}
        threads = [
            threading.Thread(
                target=play_through_restarts,
                args=(
                    server.port,
                    match["match"],
                    match["seats"][seat]["key"],
                    Random(seat),
                    acknowledged[match["match"]],
                    stop,
                ),
            )
            for match in created
            for seat in (0, 1)
        ]

        def wait_for_decisions() -> None:
            deadline = time.monotonic() + 120
            goal = sum(map(len, acknowledged.values())) + decisions
            while sum(map(len, acknowledged.values())) < goal:
                assert time.monotonic() < deadline, "the matches do not go on"
                time.sleep(0.01)

        for thread in threads:
            thread.start()
        try:
            for _ in range(kills):
                wait_for_decisions()
                server.kill()
                server.start()
            wait_for_decisions()
        finally:
            stop.set()
            for thread in threads:
                thread.join(120)
        assert not any(thread.is_alive() for thread in threads)
        for match in created:
            stored = 0
            for seat in (0, 1):  # the seat to move also sees its provisional decisions
                with server.api.connect(match, seat) as client:
                    stored = max(stored, len(client.log))
            assert len(acknowledged[match["match"]]) <= stored
            assert stored <= len(acknowledged[match["match"]]) + 1  # one may be unanswered


def test_a_killed_server_loses_no_acknowledged_decision(tmp_path: Path) -> None:
    kill_repeatedly(tmp_path, matches=4, kills=2, decisions=40)


@pytest.mark.long
def test_many_kills(tmp_path: Path) -> None:
    kill_repeatedly(tmp_path, matches=20, kills=12, decisions=80)
