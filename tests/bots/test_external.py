"""Bots that are programs: they play whole games, and lose with a reason when they fail."""

from __future__ import annotations

import json
import os
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from time import monotonic, sleep
from typing import Any

import pytest
from hypothesis import given
from tests.games.test_hidden import CARD, KINDS, SEEDS, each_kind, games, hidden_from, moments

import parure
from parure.bots import Answer, Bot, BotFailure, Budget, Candidate, bot, external
from parure.bots.base import BotTimeout
from parure.bots.external import ExternalBot, decide_message
from parure.bots.match_loop import play_decision
from parure.bots.protocol import line_of
from parure.errors import NotationError
from parure.games.position import Outcome

ROOT = Path(__file__).parents[2]
PYTHON = shlex.quote(sys.executable)
EXAMPLE = f"exec:{PYTHON} {shlex.quote(str(ROOT / 'examples' / 'external_bot.py'))}"
SERVED = f"exec:{PYTHON} -m parure bot random"
PROGRAM = Path(__file__).with_name("faulty_program.py")


def spec(how: str, file: Path | str = "", limit: str = "") -> str:
    """A bot that goes wrong in a certain way."""
    command = [sys.executable, str(PROGRAM), how, *([str(file)] if file else [])]
    return f"exec:{limit}{':' if limit else ''}{shlex.join(command)}"


@pytest.fixture
def called() -> Iterator[Any]:
    """Make bots that are closed when the test is over."""
    made: list[Bot] = []

    def call(text: str) -> Bot:
        made.append(bot(text))
        return made[-1]

    yield call
    for one in made:
        one.close()


def failure_of(one: Bot) -> str:
    """How a bot fails within a game."""
    state, failure = parure.new("duel", seed=7), None
    bots = [one, bot("random")]
    while not state.is_over:
        failure = play_decision(state, bots[state.seat], Random(1)) or failure
    message = str(failure)
    assert message.isprintable()
    assert message.startswith("exec:")
    return message


def is_running(pid: int) -> bool:
    """Whether a process is there and no zombie."""
    try:
        status = Path(f"/proc/{pid}/stat").read_text("utf-8")
    except OSError:
        return False
    return status.rpartition(")")[2].split()[0] != "Z"


# --- whole games ----------------------------------------------------------------------------------


@each_kind
@pytest.mark.parametrize("spec", [EXAMPLE, SERVED], ids=["example", "served"])
def test_a_program_plays_a_whole_game(called: Any, spec: str, game: str, seats: int) -> None:
    state = parure.new(game, players=seats, seed=11)
    program, random = called(spec), Random(5)
    while not state.is_over:
        player = program if state.seat == seats - 1 else bot("random")
        assert play_decision(state, player, random) is None
    assert state.outcome is not None
    assert state.outcome.reason not in ("resigned", "timeout")
    assert seats - 1 in state.movers


def test_a_program_plays_the_same_game_again(called: Any) -> None:
    def game() -> list[str]:
        state, random = parure.new("duel", seed=3), Random(3)
        bots = [called(EXAMPLE), called(SERVED)]
        while not state.is_over:
            play_decision(state, bots[state.seat], random)
        return state.decisions

    assert game() == game()


def test_one_program_plays_game_after_game(called: Any) -> None:
    one = called(SERVED)
    for game, seats in KINDS:
        view = parure.new(game, players=seats, seed=1).view(0)
        assert one.decide(view, Random(1)).decision in view.legal_decisions
    assert one.name == "random"


def test_the_example_is_better_than_chance(called: Any) -> None:
    wins = 0
    for seed in range(6):
        state, random = parure.new("splendor", seed=seed), Random(seed)
        bots = [called(EXAMPLE), bot("random")]
        while not state.is_over:
            play_decision(state, bots[state.seat], random)
        assert state.outcome
        wins += 0 in state.outcome.winners
    assert wins >= 5


def test_thoughts_come_along(called: Any) -> None:
    view = parure.new("splendor", seed=7).view(0)
    assert called(spec("fine")).decide(view, Random(1)) == Answer(
        "take wug", "it is the�first", (Candidate("take wug", 0.75, 0.5),), 9
    )


# --- what goes over the wire ----------------------------------------------------------------------


@each_kind
@given(seed=SEEDS)
@games(3)
def test_no_line_depends_on_what_is_hidden(game: str, seats: int, seed: int) -> None:
    for number, state in enumerate(moments(game, seats, seed)):
        if state.is_over:
            break
        view = state.view(state.seat)
        twin = parure.determinize(view, seed=seed + number)
        line = line_of(decide_message(view, 5, Budget(seconds=1.0)))
        assert line_of(decide_message(twin.view(twin.seat), 5, Budget(seconds=1.0))) == line
        assert line.count(b"\n") == 1
        assert not hidden_from(view, state) & set(CARD.findall(line.decode()))


def test_a_program_is_told_the_same_whatever_is_hidden(called: Any, tmp_path: Path) -> None:
    """The same, of all that really goes over the wire during a turn."""
    state = parure.new("duel", seed=5)
    gold = next(text for text in state.legal_decisions if text.startswith("gold"))
    state.play(gold)
    state.play("reserve deck3")
    told = []
    for n, true in enumerate((state, parure.determinize(state.view(1), seed=1))):
        file = tmp_path / f"{n}.jsonl"
        called(spec("record", file)).decide(true.view(1), Random(1))
        told.append(file.read_text("utf-8"))
    assert state.players[0].reserved != true.players[0].reserved
    assert told[0] == told[1]
    types = [json.loads(line)["type"] for line in told[0].splitlines()]
    assert types == ["hello", "game", "decide"]


def test_budgets_are_told() -> None:
    view = parure.new("duel", seed=7).view(0)

    def told(*arguments: Any) -> tuple[Any, Any]:
        message = json.loads(line_of(decide_message(view, 5, *arguments)))
        return message["budget"], message["limit"]

    seconds = {"seconds": 10.0, "left": 7.0, "iterations": None}
    assert told(Budget(seconds=10.0), 3.0) == (seconds, 10.0)  # 10 + 1 + 2 - 3
    assert told(Budget(seconds=10.0), 99.0) == (seconds | {"left": 0.0}, 0.0)
    iterations = {"seconds": None, "left": None, "iterations": 50}
    assert told(Budget(iterations=50)) == (iterations, 60.0)
    assert told(None, 0.0, 5.0) == (None, 5.0)


# --- failures -------------------------------------------------------------------------------------

FAILURES = {
    "crash-at-start": "ended with status 1; its last words: no such network",
    "crash": "ended with status 1; its last words: RuntimeError: no more �[31mideas",
    "exit": "ended with status 3",
    "die": "was ended by signal 15",
    "close": "closed its output or was killed",
    "garbage": "answered 'I would buy� something'",
    "array": "answered '[[[[",
    "long": "wrote more than 1,048,576 bytes for one answer",
    "flood": "wrote more than 1,048,576 bytes to stderr at once",
    "twice": "spoke without being asked",
    "error": "gave up: my head aches",
    "ready": "answered with ready, not with decision",
    "illegal": "decided 'pass', which is not legal",
    "chance": "decided 'replenish > wwwww', which is not legal",
    "number": 'answered \'{"type": "decision", "decision": 0}\'',
    "newer": "speaks protocol 2",
}


@pytest.mark.parametrize("how", FAILURES)
def test_failures_are_told_in_a_line(called: Any, how: str) -> None:
    one = called(spec(how))
    start = monotonic()
    assert FAILURES[how] in failure_of(one)
    assert monotonic() - start < 10
    with pytest.raises(BotFailure, match="has failed before"):
        one.decide(parure.new("duel", seed=7).view(0), Random(1))


@pytest.mark.parametrize("how", ["hang", "moan"])
def test_a_program_that_hangs_is_killed(called: Any, how: str) -> None:
    one = called(spec(how, limit="300ms"))
    state = parure.new("duel", seed=7)
    with pytest.raises(BotTimeout, match=r"took more than 0.3 s; its last words: (thinking|www)"):
        one.decide(state.view(0), Random(1))


def test_a_program_that_hangs_at_its_start_is_killed(
    called: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(external, "START_LIMIT", 0.2)
    assert "took more than 0.2 s" in failure_of(called(spec("hang-at-start")))


def test_the_decisions_of_a_turn_share_its_time(
    called: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(external, "GRACE", 1.3)
    one = called(spec("slow"))  # 0.8 s for each decision
    view = parure.new("duel", seed=7).view(0)
    budget = Budget(seconds=0.1)
    one.decide(view, Random(1), budget)
    with pytest.raises(BotTimeout, match=r"took more than 1.41 s for its turn"):
        one.decide(view, Random(1), budget)  # the same turn


def test_a_new_turn_has_new_time(called: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(external, "GRACE", 2.0)
    one, state = called(spec("slow")), parure.new("splendor", seed=7)
    for _ in range(3):
        state.play(one.decide(state.view(0), Random(1), Budget(seconds=0.1)).decision)
        state.play(state.legal_decisions[0])


def test_complaints_larger_than_a_pipe_do_no_harm(called: Any) -> None:
    one, state = called(spec("talk")), parure.new("splendor", seed=7)
    for _ in range(3):
        state.play(one.decide(state.view(state.seat), Random(1)).decision)


def test_who_fails_has_lost_and_the_record_says_so(called: Any) -> None:
    state = parure.new("splendor", players=3, seed=7)
    state.play("take wug")
    failure = play_decision(state, called(spec("garbage")), Random(1))
    assert failure is not None
    assert state.record().result == Outcome((0, 2), "resigned")
    duel = parure.new("duel", seed=7)
    assert play_decision(duel, called(spec("hang", limit="100ms")), Random(1)) is not None
    assert duel.record().result == Outcome((1,), "timeout")


# --- processes ------------------------------------------------------------------------------------


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks into /proc")
@pytest.mark.parametrize("how", ["family", "stay"])
def test_nothing_runs_on_once_a_bot_is_closed(how: str, tmp_path: Path) -> None:
    file = tmp_path / "child"
    one = bot(spec(how, file))
    assert isinstance(one, ExternalBot)
    one.decide(parure.new("duel", seed=7).view(0), Random(1))
    assert one._process is not None
    pids = [one._process._popen.pid, *([int(file.read_text())] if how == "family" else [])]
    assert all(map(is_running, pids))
    start = monotonic()
    one.close()
    one.close()
    assert monotonic() - start < 5
    for _ in range(50):  # a grandchild ends as soon as it is scheduled
        if not any(map(is_running, pids)):
            break
        sleep(0.1)
    assert not any(map(is_running, pids))
    assert not (Path("/proc") / str(pids[0])).exists()  # no zombie either


def test_a_bot_that_nobody_closes_is_ended_with_it() -> None:
    one = bot(spec("fine"))
    assert isinstance(one, ExternalBot)
    one.decide(parure.new("duel", seed=7).view(0), Random(1))
    assert one._process is not None
    popen = one._process._popen
    del one
    assert popen.returncode == 0


def test_a_program_that_cannot_be_started_has_lost(called: Any, tmp_path: Path) -> None:
    file = tmp_path / "script"
    file.write_bytes(b"\x00not a program")
    file.chmod(0o755)
    assert "cannot be started: Exec format error" in failure_of(called(f"exec:{file}"))


# --- names ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("exec", "needs a command"),
        ("exec:", "needs a command"),
        ("exec:   ", "needs a command"),
        ("exec:''", "needs a command"),
        ("exec:5s:", "needs a command"),
        ("exec:0s:cat", "leaves no time to think"),
        ("exec:1.2.3s:cat", "is no budget"),
        ("exec:'cat", "is no command: No closing quotation"),
        ("exec:./no-such-program --fast", "./no-such-program is no program that can be found"),
        ("exec:/dev", "/dev is no program that can be found"),
        ("exec:\x1b[31m", "�[31m is no program"),
    ],
)
def test_a_command_that_cannot_be_is_told_at_once(text: str, problem: str) -> None:
    with pytest.raises(NotationError) as refused:
        bot(text)
    assert problem in str(refused.value)


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="POSIX only")
def test_a_file_that_may_not_be_run_is_told_at_once(tmp_path: Path) -> None:
    file = tmp_path / "mybot"
    file.write_text("#!/bin/sh\n")
    with pytest.raises(NotationError, match="mybot may not be run"):
        bot(f"exec:{file}")


def test_a_limit_is_part_of_the_name() -> None:
    for text, limit in (("exec:cat", 60.0), ("exec:5s:cat x", 5.0), ("exec:200ms:cat", 0.2)):
        one = bot(text)
        assert isinstance(one, ExternalBot)
        assert one.limit == limit
        assert one.command[0] == "cat"
