"""Run the command line inside the tests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, TypeAlias

RECORDS = Path(__file__).parent / "data" / "records"
UNFINISHED = RECORDS / "duel-s1-0096.json"
FINISHED = RECORDS / "splendor-2-s1-0049.json"


class Result(NamedTuple):
    """The exit status and output of a command."""

    status: int
    out: str
    err: str


Run: TypeAlias = Callable[..., Result]
"""Runs a command in this process, with the lines that are typed as `typed`."""
