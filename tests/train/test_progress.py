"""Lines of progress."""

from __future__ import annotations

from parure.train.progress import Progress


def test_lines_come_every_few_seconds_at_most() -> None:
    lines: list[str] = []
    now = [0.0]
    progress = Progress(lines.append, seconds=5.0, clock=lambda: now[0])
    for second in range(1, 17):
        now[0] = float(second)
        progress(f"line {second}")
    assert lines == ["line 5", "line 10", "line 15"]
