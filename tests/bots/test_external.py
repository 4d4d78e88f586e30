"""Bots that are programs: they play whole games, and lose with a message when they fail."""

from __future__ import annotations

import json
import os
import shlex
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from time import sleep
from typing import Any

import pytest
from hypothesis import given
from tests.games.hidden_information import CARD, hidden_cards, hiding_game
from tests.games.random_games import GAMES, SEEDS, each_game, examples

import parure
from parure.bots import Answer, Bot, BotFailure, Budget, Candidate, bot, external, process
from parure.bots.base import BotTimeout
from parure.bots.external import ExternalBot, decide_message
from parure.bots.match_loop import play_decision
from parure.bots.protocol import Decide, Decision, Game, Hello, Ready, decode_request, encode
from parure.errors import NotationError
from parure.games.position import Outcome

NewBot = Callable[[str], Bot]

ROOT = Path(__file__).parents[2]
PYTHON = shlex.quote(sys.executable)
EXAMPLE = f"exec:{PYTHON} {shlex.quote(str(ROOT / 'examples' / 'external_bot.py'))}"
SERVED = f"exec:{PYTHON} -m parure bot random"
PROGRAM = Path(__file__).with_name("faulty_program.py")


def command(fault: str, file: Path | str = "") -> list[str]:
    """Return the command of a program with a fault."""
    return [sys.executable, str(PROGRAM), fault, *([str(file)] if file else [])]


def spec(fault: str, file: Path | str = "", limit: str = "") -> str:
    """Return the specification of a program with a fault."""
    return f"exec:{limit}{':' if limit else ''}{shlex.join(command(fault, file))}"


@pytest.fixture
def new_bot() -> Iterator[Callable[[str], Bot]]:
    """Make bots that are closed when the test is over."""
    made: list[Bot] = []

    def make(text: str) -> Bot:
        made.append(bot(text))
        return made[-1]

    yield make
    for one in made:
        one.close()


def failure_of(one: Bot) -> str:
    """Return the message with which a bot fails in a game."""
    state, failure = parure.new("duel", seed=7), None
    bots = [one, bot("random")]
    while not state.is_over:
        failure = play_decision(state, bots[state.seat], Random(1)) or failure
    message = str(failure)
    assert message.isprintable()
    assert message.startswith("exec:")
    return message


def is_running(pid: int) -> bool:
    """Return whether a process exists and is no zombie."""
    try:
        status = Path(f"/proc/{pid}/stat").read_text("utf-8")
    except OSError:
        return False
    return status.rpartition(")")[2].split()[0] != "Z"


# --- whole games ----------------------------------------------------------------------------------


@each_game
@pytest.mark.parametrize("spec", [EXAMPLE, SERVED], ids=["example", "served"])
def test_a_program_plays_a_whole_game(new_bot: NewBot, spec: str, game: str, seats: int) -> None:
    state = parure.new(game, players=seats, seed=11)
    program, random = new_bot(spec), Random(5)
    while not state.is_over:
        player = program if state.seat == seats - 1 else bot("random")
        assert play_decision(state, player, random) is None
    assert state.outcome is not None
    assert state.outcome.reason not in ("resigned", "timeout")
    assert seats - 1 in state.movers


def test_the_same_seeds_give_the_same_game(new_bot: NewBot) -> None:
    def game() -> list[str]:
        state, random = parure.new("duel", seed=3), Random(3)
        bots = [new_bot(EXAMPLE), new_bot(SERVED)]
        while not state.is_over:
            play_decision(state, bots[state.seat], random)
        return state.decisions

    assert game() == game()


def test_one_program_plays_several_games(new_bot: NewBot) -> None:
    one = new_bot(SERVED)
    for game, seats in GAMES:
        view = parure.new(game, players=seats, seed=1).view(0)
        assert one.decide(view, Random(1)).decision in view.legal_decisions
    assert isinstance(one, ExternalBot)
    assert one.name == "random"


def test_the_example_beats_random(new_bot: NewBot) -> None:
    wins = 0
    for seed in range(6):
        state, random = parure.new("splendor", seed=seed), Random(seed)
        bots = [new_bot(EXAMPLE), bot("random")]
        while not state.is_over:
            play_decision(state, bots[state.seat], random)
        assert state.outcome
        wins += 0 in state.outcome.winners
    assert wins >= 5


def test_candidates_and_reason_are_kept_if_they_make_sense(new_bot: NewBot) -> None:
    view = parure.new("splendor", seed=7).view(0)
    assert new_bot(spec("none")).decide(view, Random(1)) == Answer(
        "take wug", "it is the�first", (Candidate("take wug", 0.75, 0.5),), 9
    )


# --- requests -------------------------------------------------------------------------------------


@each_game
@given(seed=SEEDS)
@examples(3)
def test_no_request_depends_on_hidden_cards(game: str, seats: int, seed: int) -> None:
    for number, state in enumerate(hiding_game(game, seats, seed)):
        if state.is_over:
            break
        view = state.view(state.seat)
        twin = parure.determinize(view, seed=seed + number)
        line = encode(decide_message(view, 5, Budget(seconds=1.0)))
        assert encode(decide_message(twin.view(twin.seat), 5, Budget(seconds=1.0))) == line
        assert line.count(b"\n") == 1
        assert not hidden_cards(view, state) & set(CARD.findall(line.decode()))


def test_hidden_cards_do_not_reach_the_program(new_bot: NewBot, tmp_path: Path) -> None:
    """The same, of all lines that a program receives during a turn."""
    state = parure.new("duel", seed=5)
    gold = next(text for text in state.legal_decisions if text.startswith("gold"))
    state.play(gold)
    state.play("reserve deck3")
    received = []
    for n, possible in enumerate((state, parure.determinize(state.view(1), seed=1))):
        file = tmp_path / f"{n}.jsonl"
        new_bot(spec("record", file)).decide(possible.view(1), Random(1))
        received.append(file.read_text("utf-8"))
    assert state.players[0].reserved != possible.players[0].reserved
    assert received[0] == received[1]
    types = [json.loads(line)["type"] for line in received[0].splitlines()]
    assert types == ["hello", "game", "decide"]


def test_the_budget_is_part_of_a_request() -> None:
    view = parure.new("duel", seed=7).view(0)

    def sent(*arguments: Any) -> tuple[Any, Any]:
        message = json.loads(encode(decide_message(view, 5, *arguments)))
        return message["budget"], message["limit"]

    seconds = {"seconds": 10.0, "left": 7.0, "iterations": None}
    assert sent(Budget(seconds=10.0), 3.0) == (seconds, 10.0)  # 10 + 1 + 2 - 3
    assert sent(Budget(seconds=10.0), 99.0) == (seconds | {"left": 0.0}, 0.0)
    iterations = {"seconds": None, "left": None, "iterations": 50}
    assert sent(Budget(iterations=50)) == (iterations, 60.0)
    assert sent(None, 0.0, 5.0) == (None, 5.0)


# --- failures -------------------------------------------------------------------------------------

FAILURES = {
    "crash-at-start": "ended with status 1; its last line on stderr: no such network",
    "crash": "status 1; its last line on stderr: RuntimeError: no �[31mcandidates",
    "exit": "ended with status 3",
    "die": "was ended by signal 15",
    "close": "closed its output or was killed",
    "garbage": "answered 'not� JSON'",
    "array": "answered '[[[[",
    "long": "wrote more than 1,048,576 bytes for one answer",
    "flood": "wrote more than 1,048,576 bytes to stderr at once",
    "twice": "wrote a line that was not requested",
    "error": "answered with an error: no network loaded",
    "ready": "answered with ready, not with decision",
    "illegal": "decided 'pass', which is not legal",
    "chance": "decided 'replenish > wwwww', which is not legal",
    "number": 'answered \'{"type": "decision", "decision": 0}\'',
    "newer": "uses version 2 of the protocol, not 1",
}


@pytest.mark.parametrize("fault", FAILURES)
def test_a_failure_has_a_message_of_one_line(
    new_bot: NewBot, fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if fault != "close":  # this program never ends on its own
        monkeypatch.setattr(process, "QUIT_SECONDS", 60)
    one = new_bot(spec(fault))
    assert FAILURES[fault] in failure_of(one)
    with pytest.raises(BotFailure, match="has already failed"):
        one.decide(parure.new("duel", seed=7).view(0), Random(1))


def test_messages_larger_than_a_pipe_do_no_harm(new_bot: NewBot) -> None:
    one, state = new_bot(spec("complain-once")), parure.new("splendor", seed=7)
    for _ in range(3):
        state.play(one.decide(state.view(state.seat), Random(1)).decision)


def test_a_failure_is_in_the_record(new_bot: NewBot) -> None:
    state = parure.new("splendor", players=3, seed=7)
    state.play("take wug")
    failure = play_decision(state, new_bot(spec("garbage")), Random(1))
    assert failure is not None
    assert state.record().result == Outcome((0, 2), "resigned")
    duel = parure.new("duel", seed=7)
    assert play_decision(duel, new_bot(spec("hang", limit="100ms")), Random(1)) is not None
    assert duel.record().result == Outcome((1,), "timeout")


# --- time limits ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("fault", "last_line"), [("hang", "thinking"), ("complain", "www")])
@pytest.mark.parametrize(
    ("budget", "limit"), [(None, "0.3 s"), (Budget(seconds=10), "13 s for its turn")]
)
def test_a_program_that_hangs_is_killed(
    fault: str, last_line: str, budget: Budget | None, limit: str
) -> None:
    """The time is over as soon as the program has written to stderr."""

    def clock() -> float:
        return 1000.0 if one._process is not None and one._process._stderr_tail else 0.0

    one = ExternalBot(command(fault), limit=0.3, clock=clock)
    expected = rf"took more than {limit}; its last line on stderr: {last_line}"
    with pytest.raises(BotTimeout, match=expected):
        one.decide(parure.new("duel", seed=7).view(0), Random(1), budget)
    assert one._process is None


def test_a_program_that_hangs_at_its_start_is_killed(
    new_bot: NewBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(external, "START_LIMIT", 0.2)
    assert "took more than 0.2 s" in failure_of(new_bot(spec("hang-at-start")))


class SimulatedProgram:
    """Stands for a program, and takes 0.8 s for each decision on a clock of its own."""

    now = 0.0

    def __init__(self, *_: object) -> None:
        pass

    @classmethod
    def clock(cls) -> float:
        return cls.now

    def ask(self, line: bytes, seconds: float, limit_text: str = "") -> bytes:
        request = decode_request(line)
        if isinstance(request, Hello):
            return encode(request)
        if isinstance(request, Game):
            return encode(Ready())
        assert isinstance(request, Decide)
        SimulatedProgram.now += min(seconds, 0.8)
        if seconds < 0.8:
            raise BotTimeout(f"took more than {limit_text}")
        return encode(Decision(request.legal[0]))

    def end(self) -> None:
        pass


def test_the_decisions_of_a_turn_share_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three decisions of 0.8 s do not fit into 0.1 s + 10% + 2 s of grace."""
    monkeypatch.setattr(external, "Process", SimulatedProgram)
    one, state = ExternalBot(["slow"], clock=SimulatedProgram.clock), parure.new("duel", seed=7)
    budget = Budget(seconds=0.1)
    for _ in range(2):
        one.decide(state.view(0), Random(1), budget)
    with pytest.raises(BotTimeout, match=r"took more than 2.11 s for its turn"):
        one.decide(state.view(0), Random(1), budget)  # the same turn


def test_a_new_turn_has_new_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(external, "Process", SimulatedProgram)
    one, state = ExternalBot(["slow"], clock=SimulatedProgram.clock), parure.new("splendor", seed=7)
    for _ in range(5):
        state.play(one.decide(state.view(0), Random(1), Budget(seconds=0.1)).decision)
        state.play(state.legal_decisions[0])


# --- processes ------------------------------------------------------------------------------------


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks into /proc")
@pytest.mark.parametrize("fault", ["child", "ignore-quit"])
def test_closing_a_bot_ends_all_its_processes(fault: str, tmp_path: Path) -> None:
    file = tmp_path / "child"
    one = bot(spec(fault, file))
    assert isinstance(one, ExternalBot)
    one.decide(parure.new("duel", seed=7).view(0), Random(1))
    assert one._process is not None
    pids = [one._process._popen.pid, *([int(file.read_text())] if fault == "child" else [])]
    assert all(map(is_running, pids))
    one.close()
    one.close()
    for _ in range(600):  # a grandchild ends as soon as it is scheduled
        if not any(map(is_running, pids)):
            break
        sleep(0.1)
    assert not any(map(is_running, pids))
    assert not (Path("/proc") / str(pids[0])).exists()  # no zombie either


def test_a_program_ends_with_its_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "QUIT_SECONDS", 60)  # long enough to end on its own
    one = bot(spec("none"))
    assert isinstance(one, ExternalBot)
    one.decide(parure.new("duel", seed=7).view(0), Random(1))
    assert one._process is not None
    popen = one._process._popen
    del one
    assert popen.returncode == 0


def test_a_program_that_cannot_be_started_loses(new_bot: NewBot, tmp_path: Path) -> None:
    file = tmp_path / "script"
    file.write_bytes(b"\x00not a program")
    file.chmod(0o755)
    assert "cannot be started: Exec format error" in failure_of(new_bot(f"exec:{file}"))


# --- specifications -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("exec", "needs a command"),
        ("exec:", "needs a command"),
        ("exec:   ", "needs a command"),
        ("exec:''", "needs a command"),
        ("exec:5s:", "needs a command"),
        ("exec:0s:cat", "leaves no time to think"),
        ("exec:1.2.3s:cat", "is not a budget"),
        ("exec:'cat", "is not a command: No closing quotation"),
        ("exec:./no-such-program --fast", "the program ./no-such-program was not found"),
        ("exec:/dev", "the program /dev was not found"),
        ("exec:\x1b[31m", "the program �[31m was not found"),
    ],
)
def test_a_wrong_command_is_refused(text: str, problem: str) -> None:
    with pytest.raises(NotationError) as refused:
        bot(text)
    assert problem in str(refused.value)


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="POSIX only")
def test_a_file_that_is_not_executable_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "mybot"
    file.write_text("#!/bin/sh\n")
    with pytest.raises(NotationError, match="mybot is not executable"):
        bot(f"exec:{file}")


def test_a_time_limit_is_part_of_the_specification() -> None:
    for text, limit in (("exec:cat", 60.0), ("exec:5s:cat x", 5.0), ("exec:200ms:cat", 0.2)):
        one = bot(text)
        assert isinstance(one, ExternalBot)
        assert one.limit == limit
        assert one.command[0] == "cat"
