"""The folder of a tournament: its plan, and every game that was played to its end.

    plan.json       the game, the bots and the seed
    request.json    how many games were last requested
    games.jsonl     a line for each game: lineup, winners, reason, thinking times
    records.jsonl   its record, in the line of the same number
    report.html, report.json

Lines are only appended, one game at a time, so an interruption cannot damage earlier games: an
incomplete last line, or one without its counterpart in the other file, is removed when the folder
is opened again.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

import msgspec

from parure.arena.game import GameResult, PlayedGame
from parure.arena.plan import Plan
from parure.atomic_write import write_atomically
from parure.errors import ParureError
from parure.file_lock import lock_folder

T = TypeVar("T")

PLAN, REQUEST, GAMES, RECORDS = "plan.json", "request.json", "games.jsonl", "records.jsonl"


class Request(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How much of a tournament to play: the games of each pair, or fewer with `until_sure`."""

    games: int
    until_sure: bool = False


def default_folder(plan: Plan) -> Path:
    """Return the default folder of a tournament, named after its game, bots and seed.

    >>> default_folder(Plan.create("duel", ["random", "random"], seed=7)).as_posix()
    'arena/duel-random-random-7'
    """
    name = re.sub(r"[^\w+.]+", "-", " ".join([plan.label, *plan.bots]))
    return Path("arena") / f"{name[:100]}-{plan.seed}"


def read_plan(folder: Path) -> Plan:
    """Return the plan of the tournament in a folder; ParureError if there is none."""
    return _read(folder / PLAN, Plan)


def read_request(folder: Path) -> Request:
    """Return the last request of the tournament in a folder; ParureError if there is none."""
    return _read(folder / REQUEST, Request)


def read_games(folder: Path) -> list[GameResult]:
    """Return the games in a folder without duplicates; ParureError if one does not belong there."""
    games: dict[tuple[int, int, int], GameResult] = {}
    for game in _parse_lines(folder / GAMES, read_plan(folder)):
        games.setdefault(game.key, game)
    return list(games.values())


class Store:
    """The folder of a tournament, opened to add games; only one process at a time can open it."""

    def __init__(self, folder: Path, plan: Plan, request: Request) -> None:
        self.folder = folder
        self.plan = plan
        self.request = request
        folder.mkdir(parents=True, exist_ok=True)
        self._lock = lock_folder(folder)
        try:
            self._check_plan()
            write_atomically(folder / REQUEST, msgspec.json.encode(request) + b"\n")
            self._remove_incomplete_lines()
            self.games = {game.key: game for game in read_games(folder)}
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Unlock the folder."""
        self._lock.close()

    def append(self, played: PlayedGame) -> bool:
        """Add a game and its record; return False if the folder has it already.

        Raises:
            OSError: The game could not be written; the folder is unchanged.
        """
        result, record = played
        if result.key in self.games:
            return False
        # the record first: a game counts once its line is in games.jsonl
        paths = [self.folder / RECORDS, self.folder / GAMES]
        sizes = [path.stat().st_size for path in paths]
        try:
            for path, value in zip(paths, (record, result), strict=True):
                _append(path, msgspec.json.encode(value) + b"\n")
        except BaseException:  # KeyboardInterrupt too
            for path, size in zip(paths, sizes, strict=True):
                with suppress(OSError):
                    os.truncate(path, size)
            raise
        self.games[result.key] = result
        return True

    def _check_plan(self) -> None:
        """Write the plan to a new folder, or check that an old one has the same plan."""
        path = self.folder / PLAN
        if not path.exists():
            write_atomically(path, msgspec.json.encode(self.plan) + b"\n")
            return
        stored = read_plan(self.folder)
        for name in Plan.__struct_fields__:
            if getattr(stored, name) != getattr(self.plan, name):
                raise ParureError(
                    f"{self.folder} contains another tournament: its {name} is "
                    f"{getattr(stored, name)!r}, not {getattr(self.plan, name)!r}; "
                    "choose another folder with --output"
                )

    def _remove_incomplete_lines(self) -> None:
        """Remove what an interruption left half written."""
        paths = [self.folder / GAMES, self.folder / RECORDS]
        for path in paths:
            path.touch()
        games, records = (_count_lines(path) for path in paths)
        if abs(games - records) > 1:
            raise ParureError(
                f"{self.folder} has {games} games in {GAMES} but {records} in {RECORDS}, which no "
                "interruption can cause; restore the missing file, or choose another folder"
            )
        complete = min(games, records)
        for path in paths:
            size = _size_of_lines(path, complete)
            if size < path.stat().st_size:
                os.truncate(path, size)


def _read(path: Path, content_type: type[T]) -> T:
    try:
        return msgspec.json.decode(path.read_bytes(), type=content_type)
    except (FileNotFoundError, NotADirectoryError):
        raise ParureError(f"{path.parent} contains no tournament") from None
    except (msgspec.DecodeError, UnicodeError) as error:
        raise ParureError(f"{path} is damaged: {error}") from None


def _append(path: Path, line: bytes) -> None:
    try:
        with path.open("ab") as file:
            file.write(line)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None


def _parse_lines(path: Path, plan: Plan) -> Iterator[GameResult]:
    if not path.exists():
        return
    with path.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            if not line.endswith(b"\n"):
                return  # still being written
            try:
                game = msgspec.json.decode(line, type=GameResult)
            except (msgspec.DecodeError, UnicodeError) as error:
                raise ParureError(f"{path}, line {number}: not a played game: {error}") from None
            if not game.belongs_to(plan):
                raise ParureError(f"{path}, line {number}: not a game of this tournament")
            yield game


def _count_lines(path: Path) -> int:
    with path.open("rb") as file:
        return sum(line.endswith(b"\n") for line in file)


def _size_of_lines(path: Path, number: int) -> int:
    with path.open("rb") as file:
        return sum(len(file.readline()) for _ in range(number))
