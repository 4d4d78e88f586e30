"""Two workers that share a database, over a bus in this process."""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import pytest
from tests.server.clients import ApiClient, FakeClock, running, settings_for

from parure.server import registry as module
from parure.server.bus import AnyNotice, Bus, Listener, Resync
from parure.server.errors import ApiError
from parure.server.messages import Done, Refused
from parure.server.registry import MatchRegistry


class MemoryBus(Bus):
    """A bus between the servers of a test, which may lose everything."""

    is_shared = True
    members: ClassVar[dict[MemoryBus, tuple[asyncio.AbstractEventLoop, Listener]]] = {}
    is_losing: ClassVar[bool] = False

    def __init__(self, _: str) -> None:
        pass

    async def open(self, listener: Listener, resync: Resync) -> None:
        """Join the others."""
        self.members[self] = (asyncio.get_running_loop(), listener)

    def publish(self, notice: AnyNotice) -> None:
        """Pass a notice to the others."""
        for member, (loop, listener) in tuple(self.members.items()):
            if member is not self and not self.is_losing:
                loop.call_soon_threadsafe(listener, notice)

    async def close(self) -> None:
        """Leave."""
        del self.members[self]


TAKE_OVER_AFTER = 20  # seconds: less than a worker may be silent

Worker = tuple[ApiClient, MatchRegistry]


@pytest.fixture
def shared_clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def workers(
    tmp_path: Path, shared_clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[Worker, Worker]]:
    """Two workers; they look every few milliseconds for what is due."""
    monkeypatch.setattr(module, "RedisBus", MemoryBus)
    monkeypatch.setattr(module, "SWEEP_INTERVAL", 0.01)
    fields = {"redis": "memory", "take_over_after": TAKE_OVER_AFTER}
    with contextlib.ExitStack() as stack:
        first, second = (
            stack.enter_context(running(settings_for(tmp_path, **fields), shared_clock))
            for _ in range(2)
        )
        yield first, second


def wait_until(is_true: Callable[[], Any]) -> None:
    deadline = time.monotonic() + 60
    while not is_true():
        assert time.monotonic() < deadline
        time.sleep(0.005)


def wait_for_sweeps(registry: MatchRegistry, number: int = 3) -> None:
    """Wait until a worker has looked several times for what is due."""
    before = registry.metrics.sweeps
    wait_until(lambda: registry.metrics.sweeps >= before + number)


def test_a_seat_that_left_another_worker_is_away_from_then_on(
    workers: tuple[Worker, Worker], shared_clock: FakeClock
) -> None:
    (first, first_registry), (second, _) = workers
    match = first.create("Ann", "Bob")
    with first.connect(match, 0) as ann:
        session = first_registry.sessions[match["match"]]
        with second.connect(match, 1):
            wait_until(lambda: session.presence.seconds_away(1, shared_clock.now()) is None)
            shared_clock.advance(first_registry, TAKE_OVER_AFTER + 5)
        wait_until(lambda: session.presence.seconds_away(1, shared_clock.now()) is not None)
        refused = ann.command("take_over", seat=1, bot="random")
        assert isinstance(refused, Refused)
        assert refused.code == "not_away"
        shared_clock.advance(first_registry, TAKE_OVER_AFTER)
        assert isinstance(ann.command("take_over", seat=1, bot="random"), Done)


def test_lost_notices_are_made_up_for(
    workers: tuple[Worker, Worker], monkeypatch: pytest.MonkeyPatch
) -> None:
    (first, _), (second, _) = workers
    match = first.create("Ann", "Bob")
    with first.connect(match, 0) as ann, second.connect(match, 1) as bob:
        monkeypatch.setattr(MemoryBus, "is_losing", True)
        ann.play_turn()
        bob.play_turn()
        ann.wait_for_turn()
        assert [line.decision for line in ann.log] == [line.decision for line in bob.log]


def test_one_worker_ends_the_game_of_a_player_without_time(
    workers: tuple[Worker, Worker], shared_clock: FakeClock
) -> None:
    (first, first_registry), (_, second_registry) = workers
    registries = (first_registry, second_registry)
    match = first.create("Ann", "Bob", clock={"kind": "turn", "seconds": 3600})
    with first.connect(match, 0), first.connect(match, 1):
        pass
    wait_until(lambda: not first_registry.sessions[match["match"]].presence)
    shared_clock.advance(first_registry, 100)  # long idle, and the deadline far away
    wait_until(lambda: not first_registry.sessions)
    shared_clock.advance(first_registry, 3600)
    wait_until(lambda: any(match["match"] in registry.sessions for registry in registries))
    (loaded,) = (registry for registry in registries if registry.sessions)
    wait_until(lambda: loaded.sessions[match["match"]].match.is_over)
    for registry in registries:
        wait_for_sweeps(registry)
    assert sum(match["match"] in registry.sessions for registry in registries) == 1


def test_a_match_in_which_a_bot_is_to_move_is_loaded_when_somebody_comes(
    workers: tuple[Worker, Worker],
) -> None:
    (first, first_registry), (second, second_registry) = workers
    match = first.create("Ann", "bot:random", begins=1)
    for registry in (first_registry, second_registry):
        wait_for_sweeps(registry)
        assert match["match"] not in registry.sessions
    with second.connect(match, match["seat"]) as ann:
        ann.wait_for_turn()
        assert match["match"] not in first_registry.sessions


def test_a_bot_decides_in_the_worker_that_somebody_is_connected_to(
    workers: tuple[Worker, Worker],
) -> None:
    """A worker that stops because everybody left gives the decision back."""
    (first, first_registry), (second, _) = workers
    match = first.create("Ann", "bot:mcts:5s", begins=1)
    with second.connect(match, None) as watcher:
        with first.connect(match, match["seat"]):
            pass
        while not watcher.log:
            watcher.receive()
    assert not first_registry.bot_pool.pending


def test_an_address_may_not_have_much_work_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What waits takes memory. One thing is computed at a time, short ones first."""
    monkeypatch.setattr(module, "MAX_WAITING", 2)
    registry, is_free = MatchRegistry(settings_for(tmp_path)), threading.Event()
    order: list[str] = []

    def work(name: str) -> None:
        order.append(name)
        is_free.wait(60)

    async def run() -> None:
        def start(name: str, address: str) -> asyncio.Task[None]:
            is_long = name == "record"
            computing = registry.compute(address, partial(work, name), is_long=is_long)
            return asyncio.create_task(computing)

        tasks = [start(name, "192.0.2.1") for name in ("first", "record", "position")]
        await asyncio.sleep(0)
        with pytest.raises(ApiError):
            await start("refused", "192.0.2.1")
        tasks.append(start("other", "192.0.2.2"))
        await asyncio.sleep(0)
        is_free.set()
        await asyncio.gather(*tasks)

    asyncio.run(run())
    registry.bot_pool.close()
    assert order == ["first", "position", "other", "record"]
