"""What was played stays, whatever happens while a game is written."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.arena.players import play_at_home

from parure.arena import store as module
from parure.arena.game import PlayedGame
from parure.arena.plan import Plan
from parure.arena.store import Asked, Store, read_asked, read_games, read_plan
from parure.errors import ParureError
from parure.games.record import read_all, replay

PLAN = Plan(game="splendor", seats=2, options={}, bots=["random", "random"], seed=4)
ASKED = Asked(10)


@pytest.fixture(scope="module")
def played() -> list[PlayedGame]:
    """Some games."""
    return [play_at_home(fixture) for number in range(3) for fixture in PLAN.set_of(0, number)]


def kept(folder: Path) -> list[tuple[int, int, int]]:
    """The games in a folder, after it was opened for more."""
    with closing(Store(folder, PLAN, ASKED)) as store:
        records = list(read_all(folder / "records.jsonl"))
        assert len(records) == len((folder / "games.jsonl").read_text().splitlines())
        assert len(records) == len(store.games)
        return list(store.games)


def test_games_and_records_come_back(tmp_path: Path, played: list[PlayedGame]) -> None:
    with closing(Store(tmp_path / "new" / "folder", PLAN, ASKED)) as store:
        assert all(store.keep(game) for game in played)
    folder = tmp_path / "new" / "folder"
    assert read_games(folder) == [game for game, _ in played]
    records = list(read_all(folder / "records.jsonl"))
    assert records == [record for _, record in played]
    for record in records:
        *_, state = replay(record)
        assert state.is_over
    assert read_plan(folder) == PLAN
    assert read_asked(folder) == ASKED


def test_a_file_that_is_missing_costs_no_game(tmp_path: Path, played: list[PlayedGame]) -> None:
    with closing(Store(tmp_path, PLAN, ASKED)) as store:
        for game in played:
            store.keep(game)
    (tmp_path / "records.jsonl").unlink()
    games = (tmp_path / "games.jsonl").read_bytes()
    with pytest.raises(ParureError, match=f"has {len(played)} games in games.jsonl but 0"):
        Store(tmp_path, PLAN, ASKED)
    assert (tmp_path / "games.jsonl").read_bytes() == games


@pytest.mark.parametrize(
    ("field", "value"),
    [("pair", 1), ("set", -1), ("game", 2), ("lineup", [1, 0]), ("winners", [2]), ("seconds", [])],
)
def test_a_game_of_another_tournament_is_refused(
    tmp_path: Path, played: list[PlayedGame], field: str, value: object
) -> None:
    game, record = played[0]
    with closing(Store(tmp_path, PLAN, ASKED)) as store:
        store.keep((replace(game, **{field: value}), record))
    with pytest.raises(ParureError, match=r"line 1: not a game of this tournament"):
        read_games(tmp_path)


def test_a_game_is_kept_once(tmp_path: Path, played: list[PlayedGame]) -> None:
    with closing(Store(tmp_path, PLAN, ASKED)) as store:
        assert store.keep(played[0])
        assert not store.keep(played[0])
    assert len(kept(tmp_path)) == 1
    games = tmp_path / "games.jsonl"
    games.write_bytes(games.read_bytes() * 2)  # were it there twice, it would count once
    assert len(read_games(tmp_path)) == 1


@pytest.mark.parametrize("file", ["games.jsonl", "records.jsonl"])
@pytest.mark.parametrize("cut", [1, 20, -1])
def test_a_torn_line_is_dropped(
    tmp_path: Path, played: list[PlayedGame], file: str, cut: int
) -> None:
    with closing(Store(tmp_path, PLAN, ASKED)) as store:
        for game in played[:4]:
            store.keep(game)
    path = tmp_path / file
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:3]) + lines[3][:cut])
    assert kept(tmp_path) == [game.key for game, _ in played[:3]]
    with closing(Store(tmp_path, PLAN, ASKED)) as store:
        for game in played:
            store.keep(game)
    assert kept(tmp_path) == [game.key for game, _ in played]


def test_a_game_that_cannot_be_written_leaves_nothing(
    tmp_path: Path, played: list[PlayedGame], monkeypatch: pytest.MonkeyPatch
) -> None:
    append = module._append

    def full(path: Path, line: bytes) -> None:
        if path.name == "games.jsonl":
            append(path, line[:10])
            raise OSError(28, "No space left on device", str(path))
        append(path, line)

    with closing(Store(tmp_path, PLAN, ASKED)) as store:
        store.keep(played[0])
        monkeypatch.setattr(module, "_append", full)
        with pytest.raises(OSError, match="No space left"):
            store.keep(played[1])
        monkeypatch.undo()
        assert list(store.games) == [played[0][0].key]
        store.keep(played[2])
    assert kept(tmp_path) == [played[0][0].key, played[2][0].key]


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

    with closing(Store(tmp_path, PLAN, ASKED)) as store:
        store.keep(played[0])
    with pytest.raises(ParureError, match=named):
        Store(tmp_path, msgspec.structs.replace(PLAN, **other), ASKED)
    assert kept(tmp_path) == [played[0][0].key]


def test_more_may_be_asked_for(tmp_path: Path) -> None:
    Store(tmp_path, PLAN, ASKED).close()
    Store(tmp_path, PLAN, Asked(50, until_sure=True)).close()
    assert read_asked(tmp_path) == Asked(50, until_sure=True)


def test_two_cannot_have_a_folder(tmp_path: Path) -> None:
    pytest.importorskip("fcntl")
    with closing(Store(tmp_path, PLAN, ASKED)), pytest.raises(ParureError, match="in use"):
        Store(tmp_path, PLAN, ASKED)
    Store(tmp_path, PLAN, ASKED).close()


@pytest.mark.parametrize("file", ["plan.json", "games.jsonl"])
def test_a_spoilt_folder_is_told(tmp_path: Path, played: list[PlayedGame], file: str) -> None:
    with closing(Store(tmp_path, PLAN, ASKED)) as store:
        store.keep(played[0])
    (tmp_path / file).write_bytes(b'{"nonsense": \xff}\n')
    with pytest.raises(ParureError, match=file):
        Store(tmp_path, PLAN, ASKED)


def test_a_folder_without_a_tournament_is_told(tmp_path: Path) -> None:
    with pytest.raises(ParureError, match="holds no tournament"):
        read_plan(tmp_path)
