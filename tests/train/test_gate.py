"""The match between a candidate and the best network."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.train.test_run import TINY

from parure.bots.mcts import MctsBot
from parure.bots.network.weights import encode_parameters, random_parameters
from parure.errors import ParureError
from parure.train.config import Config, Gate
from parure.train.gate import GateTask, gate_tasks, play_deal, play_match, read_scores
from parure.train.workers import InProcess


class Scores(InProcess):
    """Gives every deal the same scores, and keeps the deals."""

    def __init__(self, scores: list[float], deals: int = 100) -> None:
        self.scores = scores
        self.left = deals
        self.seeds: list[str] = []

    def map(
        self, function: Callable[[Any], Any], tasks: Iterable[Any]
    ) -> Iterator[tuple[Any, Any]]:
        assert function is play_deal
        for task in tasks:
            if not self.left:
                raise KeyboardInterrupt
            self.left -= 1
            self.seeds.append(task.seed)
            yield task, self.scores


@pytest.fixture
def candidate(tmp_path: Path) -> Path:
    path = tmp_path / "candidate.npz"
    path.write_bytes(encode_parameters(TINY.game, random_parameters(TINY.rules)))
    return path


def config(games: int = 8, iterations: int = 8) -> Config:
    return msgspec.structs.replace(TINY, gate=Gate(games=games, iterations=iterations))


def ignore(done: int, total: int) -> None: ...


def test_a_match_goes_on_where_it_was_stopped(candidate: Path, tmp_path: Path) -> None:
    path, tasks = tmp_path / "gate.jsonl", gate_tasks(config(), candidate, None, "gate")
    first, second = Scores([1.0, 1.0], deals=2), Scores([0.5, 0.0])
    with pytest.raises(KeyboardInterrupt):
        play_match(tasks, first, ignore, path)
    progress: list[tuple[int, int]] = []
    played = play_match(tasks, second, lambda *numbers: progress.append(numbers), path)
    assert played == (5 / 8, 8)
    assert first.seeds + second.seeds == [task.seed for task in tasks]
    assert progress == [(6, 8), (8, 8)]
    third = Scores([0.0, 0.0])
    assert play_match(tasks, third, ignore, path) == played
    assert not third.seeds


def test_scores_are_kept_where_the_match_is_killed_at_its_beginning(
    candidate: Path, tmp_path: Path
) -> None:
    """Lines of earlier deals are in the file before the next deal is played."""
    path, tasks = tmp_path / "gate.jsonl", gate_tasks(config(), candidate, None, "gate")
    with pytest.raises(KeyboardInterrupt):
        play_match(tasks, Scores([1.0, 1.0], deals=2), ignore, path)

    class Killed(Scores):
        def map(
            self, function: Callable[[Any], Any], tasks: Iterable[Any]
        ) -> Iterator[tuple[Any, Any]]:
            assert len(read_scores(path, 2)) == 2
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play_match(tasks, Killed([]), ignore, path)
    assert len(read_scores(path, 2)) == 2


@pytest.mark.parametrize("damage", [b"damaged\n", b"\xff\xfe\n", b"3\n", b'["a",[1.0]]\n', b'["'])
def test_a_damaged_line_is_played_again(damage: bytes, candidate: Path, tmp_path: Path) -> None:
    path, tasks = tmp_path / "gate.jsonl", gate_tasks(config(), candidate, None, "gate")
    play_match(tasks, Scores([1.0, 1.0]), ignore, path)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:1], *lines[2:], damage]))
    again = Scores([1.0, 1.0])
    assert play_match(tasks, again, ignore, path) == (1.0, 8)
    assert again.seeds == [tasks[1].seed]
    assert sorted(path.read_bytes().splitlines(keepends=True)) == sorted(lines)


def test_only_deals_of_the_present_settings_count(candidate: Path, tmp_path: Path) -> None:
    path = tmp_path / "gate.jsonl"
    for settings, scores, expected in (
        (config(games=8), [1.0, 1.0], (1.0, 8)),
        (config(games=4), [0.0, 0.0], (1.0, 4)),
        (config(games=4, iterations=9), [0.0, 0.0], (0.0, 4)),
        (config(games=8), [0.0, 0.0], (1.0, 8)),
    ):
        tasks = gate_tasks(settings, candidate, None, "gate")
        assert play_match(tasks, Scores(scores), ignore, path) == expected


def test_each_file_of_weights_is_read_once(candidate: Path) -> None:
    tasks = gate_tasks(config(), candidate, candidate, "gate")
    assert len({id(task.candidate) for task in tasks}) == 1
    assert len({id(task.opponent) for task in tasks}) == 1


def test_a_damaged_network_is_named(candidate: Path) -> None:
    candidate.write_bytes(b"damaged")
    with pytest.raises(ParureError, match=r"candidate\.npz cannot be read"):
        gate_tasks(config(), candidate, None, "gate")


@pytest.mark.slow_without_jit
def test_a_deal_with_three_seats_is_played_from_each(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_three = msgspec.structs.replace(config(games=4, iterations=2), game="splendor-3")
    path = tmp_path / "candidate.npz"
    content = encode_parameters("splendor-3", random_parameters(with_three.rules))
    path.write_bytes(content)
    networks: list[object] = []

    class RecordedBot(MctsBot):
        def __init__(self, *arguments: Any, **options: Any) -> None:
            networks.append(options["network"])
            super().__init__(*arguments, **options)

    monkeypatch.setattr("parure.train.gate.MctsBot", RecordedBot)
    tasks = gate_tasks(with_three, path, None, "gate")
    assert len(tasks) == 2
    score, games = play_match(tasks, InProcess(), ignore)
    assert games == 6
    assert 0 <= score <= 1
    from_each_seat = [content, None, None, None, content, None, None, None, content]
    assert networks == 2 * from_each_seat
    scores = play_deal(GateTask("splendor-3", content, None, 2, tasks[0].seed))
    assert len(scores) == 3
    assert all(0 <= score <= 1 for score in scores)
