"""Records that start from a position: docs/rules/record.md, "From a position"."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from tests.games.random_games import each_game

import parure
from parure.errors import NotationError, RecordError
from parure.games.record import decode, encode, final_state, replay


def position_record(**parts: Any) -> dict[str, Any]:
    """Return a record that starts from a position as JSON data; parts may be replaced."""
    return {
        "format": "parure-record/1",
        "game": "splendor",
        "options": {},
        "players": ["a", "b"],
        "position": parure.new("splendor", seed=7).text(),
        "decisions": ["take wug"],
    } | parts


def study(game: str, seats: int) -> parure.State:
    """Return a game that started from a position in the middle of another one."""
    random = Random(4)
    start = parure.new(game, players=seats, seed=4)
    while start.turns < 8 or start.phase == "turn":
        start.play(random.choice(list(start.legal_decisions)))
    state = parure.new(position=start.view(start.seat), seed=5)
    for _ in range(12):
        state.play(random.choice(list(state.legal_decisions)))
    return state


@each_game
def test_a_study_is_saved_and_replayed(game: str, seats: int, tmp_path: Path) -> None:
    state = study(game, seats)
    state.save(tmp_path / "study.json")
    loaded = parure.load(tmp_path / "study.json")
    assert loaded == state
    assert loaded.record() == state.record()
    assert loaded.decisions == state.decisions
    moments = [step.words.tobytes() for step in replay(state.record())]
    assert len(moments) == 13
    for _ in range(12):
        state.undo()
    assert state.words.tobytes() == moments[0]


@each_game
def test_a_study_is_played_on_to_a_result(game: str, seats: int) -> None:
    state = study(game, seats)
    random = Random(1)
    while not state.is_over:
        state.play(random.choice(list(state.legal_decisions)))
    again = final_state(decode(encode(state.record())))
    assert again.outcome == state.outcome


def test_the_record_has_a_position_instead_of_a_setup() -> None:
    data = msgspec.json.decode(encode(study("duel", 2).record()))
    assert list(data) == ["format", "game", "options", "players", "position", "decisions"]
    data = msgspec.json.decode(encode(parure.new("duel", seed=1).record()))
    assert list(data) == ["format", "game", "options", "players", "setup", "decisions"]


def test_a_position_keeps_the_spelling_of_its_record() -> None:
    text = parure.new("splendor", seed=7).text().replace("/", " ")
    record = decode(msgspec.json.encode(position_record(position=text)))
    assert final_state(record).record().position == text


WITH_OPTION = parure.new("duel", seed=1, options={"anti-blocking": True}).text()
FALSE = [
    ({"setup": {"decks": [], "nobles": []}}, "not from both"),
    ({"position": ""}, "missing required field `setup`, or `position` instead"),
    ({"position": "splendor"}, "the position: the position lacks D1"),
    ({"position": parure.new("splendor", seed=7).view(0).text()}, "must be a state"),
    ({"position": parure.new("duel", seed=7).text()}, "is of duel, not of splendor-2"),
    ({"players": ["a", "b", "c"]}, "is of splendor-2, not of splendor-3"),
    ({"game": "duel", "position": WITH_OPTION}, "not with the same options"),
    ({"decisions": ["take www"]}, "not a decision"),
]


@pytest.mark.parametrize(("parts", "reason"), FALSE)
def test_a_false_record_is_refused(parts: dict[str, Any], reason: str) -> None:
    final_state(decode(msgspec.json.encode(position_record())))
    with pytest.raises(RecordError, match=reason):
        final_state(decode(msgspec.json.encode(position_record(**parts))))


def test_an_option_of_the_position_is_one_of_the_record() -> None:
    options = {"anti-blocking": True}
    parts = {"game": "duel", "position": WITH_OPTION, "options": options, "decisions": []}
    state = final_state(decode(msgspec.json.encode(position_record(**parts))))
    assert dict(state.options) == options


def test_a_game_starts_from_a_text_a_view_or_a_state() -> None:
    state = parure.new("duel", seed=3)
    assert parure.new(position=state.text(), players=["Ann", "Bob"]).names == ["Ann", "Bob"]
    assert parure.new(position=state) == state
    view = state.view(1)
    first, again, other = (parure.new(position=view, seed=seed) for seed in (1, 1, 2))
    assert first == again != other
    assert first.view(1) == other.view(1) == view
    with pytest.raises(NotationError, match="says which game"):
        parure.new("duel", position=state)  # type: ignore[call-overload]
    with pytest.raises(NotationError, match="2 seats, not 3"):
        parure.new(position=state, players=3)
    with pytest.raises(TypeError, match="a state, a view or a text"):
        parure.new(position=7)  # type: ignore[call-overload]
