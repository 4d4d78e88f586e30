"""The server's log: lines of a limited length, on standard error."""

from __future__ import annotations

import logging

MAX_LINE_LENGTH = 500  # characters
MAX_LINES = 100  # of one record: a traceback


class LimitedFormatter(logging.Formatter):
    """Cut long lines and long tracebacks: what a client sends must not fill the log."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the text of a record."""
        lines = super().format(record).splitlines() or [""]
        if len(lines) > MAX_LINES:
            half = MAX_LINES // 2
            left_out = f"… ({len(lines) - 2 * half} lines left out)"
            lines = [*lines[:half], left_out, *lines[-half:]]
        return "\n".join(map(_cut, lines))


def _cut(line: str) -> str:
    return line if len(line) <= MAX_LINE_LENGTH else f"{line[:MAX_LINE_LENGTH]}…"


def configure_logging() -> None:
    """Log to standard error; called in each process."""
    handler = logging.StreamHandler()
    handler.setFormatter(LimitedFormatter("%(levelname)s: %(message)s"))
    logging.basicConfig(level=logging.INFO, handlers=[handler])
    logging.getLogger("alembic").setLevel(logging.WARNING)
