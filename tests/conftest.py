"""Fixtures of all tests."""

from __future__ import annotations

import io
import sys

import pytest
from tests.command_line import Result, Run

from parure.cli import main


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command of the command line in this process, with lines to type."""

    def run(*arguments: object, typed: str = "") -> Result:
        monkeypatch.setattr(sys, "argv", ["parure", *map(str, arguments)])
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        with pytest.raises(SystemExit) as end:
            main()
        out, err = capsys.readouterr()
        status = end.value.code or 0
        assert isinstance(status, int)
        return Result(status, out, err)

    return run
