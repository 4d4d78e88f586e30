"""The server's log: what a client sends does not fill it."""

from __future__ import annotations

import logging

from parure.server.logs import MAX_LINE_LENGTH, MAX_LINES, LimitedFormatter


def formatted(message: str, error: BaseException | None = None) -> list[str]:
    details = (type(error), error, error.__traceback__) if error is not None else None
    record = logging.LogRecord("parure", logging.ERROR, "x.py", 1, message, (), details)
    return LimitedFormatter("%(levelname)s: %(message)s").format(record).splitlines()


def test_lines_have_a_limited_length() -> None:
    assert formatted("short") == ["ERROR: short"]
    (line,) = formatted("x" * 100_000)
    assert line.startswith("ERROR: xxx")
    assert len(line) == MAX_LINE_LENGTH + 1


def test_a_traceback_has_a_limited_size() -> None:
    try:
        raise OSError("File name too long: " + "a" * 100_000)
    except OSError as error:
        lines = formatted("failed", error)
    assert lines[-1].startswith("OSError: File name too long: aaa")
    assert max(map(len, lines)) <= MAX_LINE_LENGTH + 1
    assert len(formatted("line\n" * 1000 + "end")) == MAX_LINES + 1
    assert formatted("line\n" * 1000 + "end")[-1] == "end"
