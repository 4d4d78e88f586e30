"""Fuzzing the record reader: it accepts its input or raises RecordError, and nothing else.

docs/rules/record.md, "Checking a record"
"""

from __future__ import annotations

import copy
import json
from bisect import bisect_left
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.games.random_games import each_game

import parure
from parure.errors import RecordError
from parure.games import record
from parure.games.engine.jit import JIT

many = settings(
    max_examples=150 if JIT else 15, deadline=None, suppress_health_check=list(HealthCheck)
)


@cache
def good_record(game: str, seats: int) -> str:
    """Return the record of the first decisions of a game."""
    state = parure.new(game, players=seats, seed=1)
    random = Random(1)
    for _ in range(30):
        state.play(random.choice(state.legal_decisions))
    return record.encode(state.record()).decode()


def is_accepted(data: bytes | str) -> bool:
    """Return whether a record is accepted; any error but RecordError is raised."""
    try:
        *_, state = record.replay(record.decode(data))
    except RecordError:
        return False
    text = record.encode(state.record())
    assert record.encode(record.decode(text)) == text
    return True


@each_game
def test_the_good_record_is_accepted(game: str, seats: int) -> None:
    assert is_accepted(good_record(game, seats))
    assert is_accepted(good_record(game, seats).encode())


# --- random input ---------------------------------------------------------------------------------

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(-(2**70), 2**70)
    | st.floats()
    | st.text(max_size=20)
    | st.sampled_from(["duel", "J1-01", "D1-01", "R1", "C17", "w" * 25, "\0", "points", "take a1"])
)
JSON = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=9), inner),
    max_leaves=12,
)
PARTS = {
    "format": st.just("parure-record/1") | SCALARS,
    "game": st.sampled_from(["splendor", "duel", "duel+counterfeiters"]) | SCALARS,
    "options": st.dictionaries(st.just("anti-blocking") | st.text(), JSON, max_size=2) | JSON,
    "players": st.lists(st.text(), max_size=5) | JSON,
    "setup": st.fixed_dictionaries({}, optional=dict.fromkeys(("decks", "board", "bag"), JSON))
    | JSON,
    "decisions": st.lists(st.sampled_from(["take a1", "pass", ""]) | st.text()) | JSON,
}


@given(data=st.binary(max_size=200))
@many
def test_any_bytes(data: bytes) -> None:
    assert not is_accepted(data)


@given(data=st.text(st.characters(codec="utf-8"), max_size=200))
@many
def test_any_text(data: str) -> None:
    assert not is_accepted(data)


def test_a_lone_surrogate_in_a_text() -> None:
    assert not is_accepted(good_record("duel", 2).replace("player", "\ud800"))


@given(data=JSON)
@many
def test_any_json(data: Any) -> None:
    assert not is_accepted(json.dumps(data))


@given(data=st.fixed_dictionaries(PARTS))
@many
def test_any_json_in_the_shape_of_a_record(data: Any) -> None:
    assert not is_accepted(json.dumps(data))


# --- a good record, changed -----------------------------------------------------------------------


def locations_in(value: Any) -> list[tuple[Any, Any]]:
    """Return every container in a value with each of its keys or indices."""
    locations = []
    items: list[Any] = []
    if isinstance(value, dict):
        items = list(value)
    elif isinstance(value, list):
        items = list(range(len(value)))
    for key in items:
        locations.append((value, key))
        locations += locations_in(value[key])
    return locations


@each_game
@given(data=st.data())
@many
def test_values_replaced_dropped_or_doubled(game: str, seats: int, data: st.DataObject) -> None:
    broken = json.loads(good_record(game, seats))
    locations = locations_in(broken)
    for _ in range(data.draw(st.integers(1, 3))):
        container, key = data.draw(st.sampled_from(locations))
        other, other_key = data.draw(st.sampled_from(locations))
        change = data.draw(st.sampled_from(["replace", "drop", "double", "swap"]))
        if isinstance(container, list) and not key < len(container):
            continue
        if isinstance(container, dict) and key not in container:
            continue
        if change == "replace":
            container[key] = data.draw(JSON)
        elif change == "drop":
            del container[key]
        elif change == "double" and isinstance(container, list):
            container.insert(key, container[key])
        elif change == "swap" and (
            other_key in other if isinstance(other, dict) else other_key < len(other)
        ):
            container[key] = copy.deepcopy(other[other_key])
    is_accepted(json.dumps(broken))


@each_game
@given(data=st.data())
@many
def test_a_record_truncated_or_with_changed_bytes(
    game: str, seats: int, data: st.DataObject
) -> None:
    text = bytearray(good_record(game, seats).encode())
    for _ in range(data.draw(st.integers(0, 3))):
        text[data.draw(st.integers(0, len(text) - 1))] = data.draw(st.integers(0, 255))
    is_accepted(bytes(text[: data.draw(st.integers(0, len(text)))]))


@each_game
@given(data=st.data())
@many
def test_other_decisions(game: str, seats: int, data: st.DataObject) -> None:
    """Decisions of the game in any order, with any outcome of chance: accepted if legal."""
    changed = json.loads(good_record(game, seats))
    texts = st.sampled_from(parure.rules(game, seats).decision_texts)
    outcomes = st.text("wugrkpvyx >", max_size=30)
    odd = st.builds("{} > {}".format, texts | st.just("replenish"), outcomes)
    cut = data.draw(st.integers(0, 30))
    changed["decisions"] = changed["decisions"][:cut] + data.draw(st.lists(texts | odd, max_size=5))
    is_accepted(json.dumps(changed))


RESULTS = JSON | st.fixed_dictionaries(
    {
        "winners": st.lists(st.integers(-1, 4) | st.integers(), max_size=4) | JSON,
        "reason": st.sampled_from(["points", "limit", "resigned", "timeout", ""]) | JSON,
    }
)


@each_game
@given(result=RESULTS)
@many
def test_other_results(game: str, seats: int, result: Any) -> None:
    changed = json.loads(good_record(game, seats)) | {"result": result}
    if is_accepted(json.dumps(changed)):
        winners = result["winners"]
        assert result["reason"] in ("resigned", "timeout")
        assert winners
        assert winners == sorted(set(winners) & set(range(seats)))


# --- extreme sizes --------------------------------------------------------------------------------


def max_depth(opening: str, closing: str) -> int:
    """Return about the deepest nesting that the JSON decoder accepts."""

    def is_too_deep(depth: int) -> bool:
        try:
            msgspec.json.decode(opening * depth + "1" + closing * depth)
        except RecursionError:
            return True
        return False

    return bisect_left(range(200_000), True, key=is_too_deep)


@pytest.mark.parametrize(("opening", "closing"), ["[]", ('{"a":', "}")])
@pytest.mark.parametrize(
    ("part", "whole"),
    [
        ('"J1-01"', "{}"),
        ('"players"', '"x": {}, "players"'),
        ('"options": {}', '"options": {{"a": {}}}'),
    ],
)
def test_deep_nesting(opening: str, closing: str, part: str, whole: str) -> None:
    assert part in good_record("duel", 2)
    limit = max_depth(opening, closing)
    for depth in (10, 100, *range(limit - 30, limit + 30), 200_000):
        deep = opening * depth + "1" + closing * depth
        assert not is_accepted(deep)
        assert not is_accepted(good_record("duel", 2).replace(part, whole.format(deep)))


@pytest.mark.parametrize(
    "number", ["1" + "0" * 30, "-1" + "0" * 400, "1" * 5_000, "1e999", "-0", "1.5", "NaN", "1E-999"]
)
@pytest.mark.parametrize("old", ['"J1-01"', '"R1"', '"take', '"duel"', '"parure-record/1"', '""'])
def test_huge_and_odd_numbers(number: str, old: str) -> None:
    assert not is_accepted(good_record("duel", 2).replace(old, number))
    assert not is_accepted(
        good_record("duel", 2).replace('"options": {}', f'"options": {{"a": {number}}}')
    )
    result = f', "result": {{"winners": [{number}], "reason": "resigned"}}}}'
    accepted = is_accepted(good_record("duel", 2).rstrip().removesuffix("}") + result)
    assert accepted == (number == "-0")


@pytest.mark.parametrize("old", ['"J1-01"', '"R1"', '"duel"', '"parure-record/1"', '""'])
@pytest.mark.parametrize("new", ["\\u0000", "x" * 1_000_000, "é" * 1_000, "\\ud83d\\ude00"])
def test_odd_strings(old: str, new: str) -> None:
    assert not is_accepted(good_record("duel", 2).replace(old, f'"{new}"'))


@pytest.mark.parametrize(
    "part",
    [
        '"J1-01"',
        '"R1"',
        '"duel"',
        '"parure-record/1"',
        '"setup"',
        '"decks"',
        '"take c5"',
    ],
)
def test_errors_do_not_repeat_a_long_text(part: str) -> None:
    assert part in good_record("duel", 2)
    text = good_record("duel", 2).replace(part, f'"{"x" * 100_000}"')
    with pytest.raises(RecordError) as error:
        list(record.replay(record.decode(text)))
    assert len(str(error.value)) < 10_000


def test_unusual_names_of_players_are_kept() -> None:
    names = ["\0", "é😀\u202e" + "x" * 100_000]
    text = good_record("duel", 2).replace('"player"', json.dumps(names[0]), 1)
    text = text.replace('"player"', json.dumps(names[1]), 1)
    *_, state = record.replay(record.decode(text))
    assert state.names == names
    assert is_accepted(record.encode(state.record()))


def test_files_that_are_too_long(tmp_path: Path) -> None:
    file = tmp_path / "long.json"
    file.write_bytes(b" " * (record.MAX_BYTES + 100))
    with pytest.raises(RecordError, match="too long"):
        record.read(file)
    with pytest.raises(RecordError, match="too long"):
        record.decode(" " * (record.MAX_BYTES + 1))


def test_too_many_decisions() -> None:
    changed = json.loads(good_record("splendor", 2))
    changed["decisions"] = ["pass"] * (record.MAX_DECISIONS + 1)
    assert not is_accepted(json.dumps(changed))
    changed["decisions"] = ["pass"] * record.MAX_DECISIONS
    assert not is_accepted(json.dumps(changed))


def test_files_that_are_not_records(tmp_path: Path) -> None:
    file = tmp_path / "record.json"
    for data in (b"", b"\xff\xfe\x00", b"\x00" * 100, b"\xef\xbb\xbf{}", b"[]", b'{"format": 1}'):
        file.write_bytes(data)
        with pytest.raises(RecordError):
            parure.load(file)
