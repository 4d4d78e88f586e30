"""Ahead-of-time compilation: a match shows that its bot is not ready, and waits for it."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from random import Random

import pytest
from tests.server.clients import ApiClient

import parure
from parure.bots import bot
from parure.games.registry import GAMES
from parure.server import warmup
from parure.server.bot_pool import OFFERED_BOTS
from parure.server.messages import Refused
from parure.server.warmup import GROUPS, PLANS, WITHOUT_SEARCH, WarmupProcesses, kernel_group


@pytest.fixture
def empty_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """An empty kernel cache."""
    monkeypatch.setattr(warmup, "_compiled", set())
    monkeypatch.setattr(warmup, "JIT", True)
    monkeypatch.setattr(warmup, "kernel_cache_directory", lambda: tmp_path)
    return tmp_path


def mark_all_compiled() -> None:
    for group in GROUPS:
        marker = warmup._marker(group)
        assert marker is not None
        marker.touch()


def test_the_groups_cover_all_offered_bots() -> None:
    needed = {kernel_group(spec, game) for spec in OFFERED_BOTS for game in GAMES}
    assert needed == set(GROUPS)
    assert len(GROUPS) == len(set(GROUPS))
    for family, plan in PLANS.items():
        assert plan[0] == (family, "random")  # the rules first: the server waits for them


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("spec", WITHOUT_SEARCH)
def test_bots_without_search(game: str, spec: str) -> None:
    view = parure.new(game, seed=1).view(0)
    assert bot(spec).decide(view, Random(1)).iterations == 0


def test_a_match_waits_for_its_bot(api: ApiClient, empty_cache: Path) -> None:
    created = api.create("Ann", "bot:greedy", begins=1)
    with api.connect(created, created["seat"]) as ann:
        assert [player.is_ready for player in ann.now.players] == [False, True]
        ann.receive_all()
        assert not ann.now.turn.is_yours
        mark_all_compiled()
        ann.wait_for_turn()
        assert all(player.is_ready for player in ann.now.players)


def test_no_hint_before_a_bot_is_compiled(api: ApiClient, empty_cache: Path) -> None:
    created = api.create("Ann", "bot:random", begins=0)
    with api.connect(created) as ann:
        refused = ann.command("hint")
        assert isinstance(refused, Refused)
        assert refused.code == "not_ready"


def test_processes_compile_what_is_missing(
    empty_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[list[str]] = []

    class FakeProcess:
        def __init__(self, command: list[str], **_: object) -> None:
            started.append(command)
            mark_all_compiled()

        def poll(self) -> None:
            return None

        def terminate(self) -> None:
            pass

        wait = terminate

    monkeypatch.setattr("subprocess.Popen", FakeProcess)
    with WarmupProcesses() as processes:
        processes.wait_for_rules()
        assert processes.has_rules
    assert started == [[sys.executable, "-m", "parure.server.warmup", "splendor"]]
    with WarmupProcesses():
        assert len(started) == 1  # nothing is missing any more


def test_a_process_that_has_ended_is_waited_for(
    empty_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It does not stay as a zombie while the server runs."""
    monkeypatch.setattr(warmup, "PLANS", {"--help": (GROUPS[0],)})
    with WarmupProcesses() as processes:
        (process,) = processes._processes
        deadline = time.monotonic() + 60
        while process.returncode is None:  # nobody here asks for it
            assert time.monotonic() < deadline
            time.sleep(0.01)
