"""Who is connected to a match, here and at other workers."""

from __future__ import annotations

from typing import cast

from starlette.websockets import WebSocket
from tests.server.matches import new_match

from parure.server.bus import WorkerPresence
from parure.server.connection import Connection
from parure.server.presence import WORKER_TIMEOUT_MS, PresenceTracker


def connection(seat: int | None) -> Connection:
    return Connection(cast(WebSocket, None), seat)


def test_a_player_is_away_after_the_last_connection_is_closed() -> None:
    presence = PresenceTracker(2, now=0)
    assert presence.seconds_away(0, now=5000) == 5
    tabs = [connection(0), connection(0)]
    for tab in tabs:
        presence.add(tab)
    assert presence.remove(tabs[0], now=10_000)
    assert presence.seconds_away(0, now=11_000) is None
    assert presence.remove(tabs[1], now=12_000)
    assert not presence.remove(tabs[1], now=13_000)
    assert presence.seconds_away(0, now=15_000) == 3


def test_other_workers_count_until_they_are_silent() -> None:
    presence = PresenceTracker(2, now=0)
    presence.add(connection(None))
    notice = WorkerPresence(worker="other", match="m", seats=[1], watchers=2)
    assert presence.update_worker(notice, now=1000)
    assert not presence.update_worker(notice, now=2000)  # nothing new
    message = presence.message(new_match(), now=2000)
    assert message.watchers == 3
    assert [player.is_connected for player in message.players] == [False, True]
    assert not presence.drop_silent_workers(now=2000 + WORKER_TIMEOUT_MS)
    assert presence.drop_silent_workers(now=2001 + WORKER_TIMEOUT_MS)
    assert presence.message(new_match(), now=40_000).watchers == 1


def test_a_notice_lists_the_clients_of_this_worker() -> None:
    presence = PresenceTracker(3, now=0)
    for seat in (2, 0, 2, None):
        presence.add(connection(seat))
    notice = presence.notice("here", "m", wants_reply=True)
    assert (notice.seats, notice.watchers, notice.wants_reply) == ([0, 2], 1, True)


def test_a_seat_that_left_another_worker_has_just_left() -> None:
    """Not when this worker last saw it: a bot may take over only after the whole delay."""
    presence = PresenceTracker(2, now=0)
    there = WorkerPresence(worker="other", match="m", seats=[1], watchers=0)
    gone = WorkerPresence(worker="other", match="m", seats=[], watchers=0)
    presence.update_worker(there, now=1000)
    presence.update_worker(gone, now=600_000)
    assert presence.seconds_away(1, now=601_000) == 1
    presence.update_worker(there, now=700_000)
    assert presence.seconds_away(1, now=701_000) is None
    assert presence.drop_silent_workers(now=700_001 + WORKER_TIMEOUT_MS)
    assert (
        presence.seconds_away(1, now=701_000 + WORKER_TIMEOUT_MS) == WORKER_TIMEOUT_MS // 1000 + 1
    )
