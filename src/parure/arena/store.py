"""The folder of a tournament: its plan, and every game that was played to its end.

    plan.json       what is played
    asked.json      how much of it was asked for last
    games.jsonl     a line for each game: who played, how it ended, how long they thought
    records.jsonl   its record, in the line of the same number
    report.html, report.json

Lines are only ever appended, a game at a time. Whatever happens meanwhile, the games before stay
whole: a last line without its end or without its counterpart is dropped when the folder is opened
again.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import IO, TypeVar

import msgspec

from parure.arena.game import Played, PlayedGame
from parure.arena.plan import Plan
from parure.atomic_write import write_atomically
from parure.errors import ParureError

fcntl: ModuleType | None
try:
    import fcntl
except ImportError:  # Windows
    fcntl = None

T = TypeVar("T")

PLAN, ASKED, GAMES, RECORDS = "plan.json", "asked.json", "games.jsonl", "records.jsonl"


class Asked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How much of a tournament is to be played: games of each pair, fewer once it is sure."""

    games: int
    until_sure: bool = False


def default_folder(plan: Plan) -> Path:
    """Where a tournament is kept if nobody says otherwise: named by what is played.

    >>> default_folder(Plan.of("duel", ["random", "random"], seed=7)).as_posix()
    'arena/duel-random-random-7'
    """
    name = re.sub(r"[^\w+.]+", "-", " ".join([plan.label, *plan.bots]))
    return Path("arena") / f"{name[:100]}-{plan.seed}"


def read_plan(folder: Path) -> Plan:
    """The plan of the tournament in a folder; ParureError if there is none."""
    return _read(folder / PLAN, Plan)


def read_asked(folder: Path) -> Asked:
    """How much was asked for last of the tournament in a folder."""
    return _read(folder / ASKED, Asked)


def read_games(folder: Path) -> list[Played]:
    """The games in a folder, each once; ParureError if one is not of its tournament."""
    return list(_first_of_each(_lines(folder / GAMES, read_plan(folder))))


class Store:
    """The folder of a tournament, open for more games. One process at a time may have it."""

    def __init__(self, folder: Path, plan: Plan, asked: Asked) -> None:
        self.folder = folder
        self.plan = plan
        self.asked = asked
        folder.mkdir(parents=True, exist_ok=True)
        self._lock = _locked(folder)
        try:
            self._agree()
            write_atomically(folder / ASKED, msgspec.json.encode(asked) + b"\n")
            self._mend()
            self.games = {game.key: game for game in read_games(folder)}
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Let others have the folder."""
        self._lock.close()

    def keep(self, played: PlayedGame) -> bool:
        """Append a game and its record; False if it was there already. OSError changes nothing."""
        game, record = played
        if game.key in self.games:
            return False
        paths = [self.folder / RECORDS, self.folder / GAMES]  # a game counts once its line is there
        sizes = [path.stat().st_size for path in paths]
        try:
            for path, value in zip(paths, (record, game), strict=True):
                _append(path, msgspec.json.encode(value) + b"\n")
        except BaseException:  # an interruption too
            for path, size in zip(paths, sizes, strict=True):
                with suppress(OSError):
                    os.truncate(path, size)
            raise
        self.games[game.key] = game
        return True

    def _agree(self) -> None:
        """See that the folder is of the same tournament, or begin it."""
        path = self.folder / PLAN
        if not path.exists():
            write_atomically(path, msgspec.json.encode(self.plan) + b"\n")
            return
        there = read_plan(self.folder)
        for name in Plan.__struct_fields__:
            if getattr(there, name) != getattr(self.plan, name):
                raise ParureError(
                    f"{self.folder} holds another tournament: its {name} is "
                    f"{getattr(there, name)!r}, not {getattr(self.plan, name)!r}; "
                    "name another folder with --output"
                )

    def _mend(self) -> None:
        """Drop what an interruption left half written."""
        paths = [self.folder / GAMES, self.folder / RECORDS]
        for path in paths:
            path.touch()
        games, records = (_count_lines(path) for path in paths)
        if abs(games - records) > 1:
            raise ParureError(
                f"{self.folder} has {games} games in {GAMES} but {records} in {RECORDS}: no "
                "interruption does that; bring back what is missing, or name another folder"
            )
        whole = min(games, records)
        for path in paths:
            size = _size_of_lines(path, whole)
            if size < path.stat().st_size:
                os.truncate(path, size)


def _read(path: Path, shape: type[T]) -> T:
    try:
        return msgspec.json.decode(path.read_bytes(), type=shape)
    except (FileNotFoundError, NotADirectoryError):
        raise ParureError(f"{path.parent} holds no tournament") from None
    except (msgspec.DecodeError, UnicodeError) as error:
        raise ParureError(f"{path}: not of a tournament: {error}") from None


def _append(path: Path, line: bytes) -> None:
    try:
        with path.open("ab") as file:
            file.write(line)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None


def _lines(path: Path, plan: Plan) -> Iterator[Played]:
    if not path.exists():
        return
    with path.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            if not line.endswith(b"\n"):
                return  # still being written
            try:
                game = msgspec.json.decode(line, type=Played)
            except (msgspec.DecodeError, UnicodeError) as error:
                raise ParureError(f"{path}, line {number}: not a played game: {error}") from None
            if not game.is_of(plan):
                raise ParureError(f"{path}, line {number}: not a game of this tournament")
            yield game


def _first_of_each(games: Iterator[Played]) -> Iterator[Played]:
    seen = set()
    for game in games:
        if game.key not in seen:
            seen.add(game.key)
            yield game


def _count_lines(path: Path) -> int:
    with path.open("rb") as file:
        return sum(line.endswith(b"\n") for line in file)


def _size_of_lines(path: Path, number: int) -> int:
    with path.open("rb") as file:
        return sum(len(file.readline()) for _ in range(number))


def _locked(folder: Path) -> IO[bytes]:
    """A hold on a folder that ends with the process at the latest."""
    lock = (folder / ".lock").open("wb")
    if fcntl is not None:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.close()
            raise ParureError(f"{folder} is in use: another process plays its games") from None
    return lock
