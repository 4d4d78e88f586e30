"""Games stay in the folder whatever interrupts writing."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.arena.sample_bots import play_here

from parure.arena import store as store_module
from parure.arena.game import PlayedGame
from parure.arena.plan import Plan
from parure.arena.store import Request, Store, read_games, read_plan, read_request
from parure.errors import ParureError
from parure.games.record import read_all, replay

PLAN = Plan(game="splendor", seats=2, options={}, bots=["random", "random"], seed=4)
REQUEST = Request(10)


@pytest.fixture(scope="module")
def played() -> list[PlayedGame]:
    """Six games."""
    return [play_here(fixture) for number in range(3) for fixture in PLAN.fixtures(0, number)]


def stored_keys(folder: Path) -> list[tuple[int, int, int]]:
    """Return the keys of the games in a folder after opening it."""
    with closing(Store(folder, PLAN, REQUEST)) as store:
        records = list(read_all(folder / "records.jsonl"))
        assert len(records) == len((folder / "games.jsonl").read_text().splitlines())
        assert len(records) == len(store.games)
        return list(store.games)


def test_games_and_records_are_read_again(tmp_path: Path, played: list[PlayedGame]) -> None:
    with closing(Store(tmp_path / "new" / "folder", PLAN, REQUEST)) as store:
        assert all(store.append(game) for game in played)
    folder = tmp_path / "new" / "folder"
    assert read_games(folder) == [game for game, _ in played]
    records = list(read_all(folder / "records.jsonl"))
    assert records == [record for _, record in played]
    for record in records:
        *_, state = replay(record)
        assert state.is_over
    assert read_plan(folder) == PLAN
    assert read_request(folder) == REQUEST


def test_a_missing_file_deletes_no_game(tmp_path: Path, played: list[PlayedGame]) -> None:
    with closing(Store(tmp_path, PLAN, REQUEST)) as store:
        for game in played:
            store.append(game)
    (tmp_path / "records.jsonl").unlink()
    games = (tmp_path / "games.jsonl").read_bytes()
    with pytest.raises(ParureError, match=f"has {len(played)} games in games.jsonl but 0"):
        Store(tmp_path, PLAN, REQUEST)
    assert (tmp_path / "games.jsonl").read_bytes() == games


@pytest.mark.parametrize(
    ("field", "value"),
    [("pair", 1), ("set", -1), ("game", 2), ("lineup", [1, 0]), ("winners", [2]), ("seconds", [])],
)
def test_a_game_of_another_tournament_is_refused(
    tmp_path: Path, played: list[PlayedGame], field: str, value: object
) -> None:
    game, record = played[0]
    with closing(Store(tmp_path, PLAN, REQUEST)) as store:
        store.append(PlayedGame(replace(game, **{field: value}), record))
    with pytest.raises(ParureError, match=r"line 1: not a game of this tournament"):
        read_games(tmp_path)


def test_a_game_is_stored_once(tmp_path: Path, played: list[PlayedGame]) -> None:
    with closing(Store(tmp_path, PLAN, REQUEST)) as store:
        assert store.append(played[0])
        assert not store.append(played[0])
    assert len(stored_keys(tmp_path)) == 1
    games = tmp_path / "games.jsonl"
    games.write_bytes(games.read_bytes() * 2)  # a duplicate counts once
    assert len(read_games(tmp_path)) == 1


@pytest.mark.parametrize("file", ["games.jsonl", "records.jsonl"])
@pytest.mark.parametrize("cut", [1, 20, -1])
def test_an_incomplete_line_is_removed(
    tmp_path: Path, played: list[PlayedGame], file: str, cut: int
) -> None:
    with closing(Store(tmp_path, PLAN, REQUEST)) as store:
        for game in played[:4]:
            store.append(game)
    path = tmp_path / file
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:3]) + lines[3][:cut])
    assert stored_keys(tmp_path) == [game.key for game, _ in played[:3]]
    with closing(Store(tmp_path, PLAN, REQUEST)) as store:
        for game in played:
            store.append(game)
    assert stored_keys(tmp_path) == [game.key for game, _ in played]


def test_a_game_that_cannot_be_written_leaves_no_trace(
    tmp_path: Path, played: list[PlayedGame], monkeypatch: pytest.MonkeyPatch
) -> None:
    append = store_module._append

    def disk_full(path: Path, line: bytes) -> None:
        if path.name == "games.jsonl":
            append(path, line[:10])
            raise OSError(28, "No space left on device", str(path))
        append(path, line)

    with closing(Store(tmp_path, PLAN, REQUEST)) as store:
        store.append(played[0])
        monkeypatch.setattr(store_module, "_append", disk_full)
        with pytest.raises(OSError, match="No space left"):
            store.append(played[1])
        monkeypatch.undo()
        assert list(store.games) == [played[0][0].key]
        store.append(played[2])
    assert stored_keys(tmp_path) == [played[0][0].key, played[2][0].key]


@pytest.mark.parametrize(
    ("other", "named"),
    [
        ({"seed": 5}, "its seed is 4, not 5"),
        ({"bots": ["random"] * 3}, "its bots is"),
        ({"game": "duel"}, "its game is 'splendor', not 'duel'"),
    ],
)
def test_another_tournament_is_refused(
    tmp_path: Path, played: list[PlayedGame], other: dict[str, object], named: str
) -> None:
    import msgspec

    with closing(Store(tmp_path, PLAN, REQUEST)) as store:
        store.append(played[0])
    with pytest.raises(ParureError, match=named):
        Store(tmp_path, msgspec.structs.replace(PLAN, **other), REQUEST)
    assert stored_keys(tmp_path) == [played[0][0].key]


def test_a_later_request_replaces_the_first(tmp_path: Path) -> None:
    Store(tmp_path, PLAN, REQUEST).close()
    Store(tmp_path, PLAN, Request(50, until_sure=True)).close()
    assert read_request(tmp_path) == Request(50, until_sure=True)


def test_a_folder_is_opened_once(tmp_path: Path) -> None:
    pytest.importorskip("fcntl")
    with closing(Store(tmp_path, PLAN, REQUEST)), pytest.raises(ParureError, match="in use"):
        Store(tmp_path, PLAN, REQUEST)
    Store(tmp_path, PLAN, REQUEST).close()


@pytest.mark.parametrize("file", ["plan.json", "games.jsonl"])
def test_a_damaged_folder_is_an_error(tmp_path: Path, played: list[PlayedGame], file: str) -> None:
    with closing(Store(tmp_path, PLAN, REQUEST)) as store:
        store.append(played[0])
    (tmp_path / file).write_bytes(b'{"nonsense": \xff}\n')
    with pytest.raises(ParureError, match=file):
        Store(tmp_path, PLAN, REQUEST)


def test_a_folder_without_a_tournament_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ParureError, match="contains no tournament"):
        read_plan(tmp_path)
