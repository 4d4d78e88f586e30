"""Charts as SVG, drawn for a narrow column; the colours are those of the page around them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10

WIDTH = 340
LEFT, RIGHT = 2, WIDTH - 2
ROW = 46  # a name with its value, and its mark below
MAX_SIGNS = 30  # of a name


@dataclass(frozen=True)
class Estimate:
    """A value to draw, with the ends of its interval."""

    name: str
    value: float
    low: float
    high: float
    told: str  # the value in words


def estimates(rows: Sequence[Estimate], title: str, middle: float, unit: str = "") -> str:
    """Values with their intervals around the line of no difference."""
    low = min([middle, *(row.low for row in rows)])
    high = max([middle, *(row.high for row in rows)])
    scale = _Scale.around(low, high)
    parts, bottom = [], len(rows) * ROW + 6
    for tick in scale.ticks:
        x, kind = scale(tick), "zero" if abs(tick - middle) < 1e-9 else "grid"
        parts.append(f'<line class="{kind}" x1="{x:.1f}" x2="{x:.1f}" y1="0" y2="{bottom}"/>')
        parts.append(_text(x, bottom + 16, f"{tick:g}{unit}".replace("-", "−"), "tick", _anchor(x)))
    if middle not in scale.ticks:
        x = scale(middle)
        parts.append(f'<line class="zero" x1="{x:.1f}" x2="{x:.1f}" y1="0" y2="{bottom}"/>')
    for number, row in enumerate(rows):
        y = number * ROW
        parts += _heading(y, row.name, row.told)
        x1, x, x2 = scale(row.low), scale(row.value), scale(row.high)
        y += 31
        parts.append(f'<line class="reach" x1="{x1:.1f}" x2="{x2:.1f}" y1="{y}" y2="{y}"/>')
        for end in (x1, x2):
            parts.append(
                f'<line class="reach" x1="{end:.1f}" x2="{end:.1f}" y1="{y - 5}" y2="{y + 5}"/>'
            )
        parts.append(f'<circle class="dot" cx="{x:.1f}" cy="{y}" r="5"/>')
    return _drawing(title, bottom + 22, parts)


def histogram(values: Sequence[int], title: str, unit: str, grain: int = 1) -> str:
    """How often each length occurs, in up to twenty steps that are multiples of the grain."""
    least, most = min(values) // grain * grain, max(values)
    step = grain * ceil((most - least + 1) / (20 * grain))
    counts = [0] * ((most - least) // step + 1)
    for value in values:
        counts[(value - least) // step] += 1
    height, gap = 150, 2
    width = (RIGHT - LEFT) / len(counts)
    parts = []
    for number, count in enumerate(counts):
        tall = height * count / max(counts)
        first = least + number * step
        told = f"{first}" if step == 1 else f"{first} to {first + step - 1}"
        parts.append(
            f'<rect class="bar" x="{LEFT + number * width + gap / 2:.1f}" '
            f'y="{height - tall + 16:.1f}" width="{max(width - gap, 1):.1f}" '
            f'height="{tall:.1f}"><title>{told} {unit}: {count}</title></rect>'
        )
    base = height + 16
    parts.append(f'<line class="zero" x1="{LEFT}" x2="{RIGHT}" y1="{base}" y2="{base}"/>')
    parts.append(_text(LEFT, 11, f"{max(counts)} games", "tick", "start"))
    scale = _Scale(least, least + step * len(counts), _ticks(least, least + step * len(counts)))
    for tick in scale.ticks:
        parts.append(_text(scale(tick), base + 16, f"{tick:g}", "tick", _anchor(scale(tick))))
    return _drawing(title, base + 22, parts)


def shares(rows: Sequence[tuple[str, str, Mapping[str, float]]], title: str) -> str:
    """For each name, and what is told of it, parts of a whole side by side."""
    parts: list[str] = []
    for number, (name, told, share) in enumerate(rows):
        y, x = number * ROW, float(LEFT)
        parts += _heading(y, name, told)
        parts.append(
            f'<rect class="rail" x="{LEFT}" y="{y + 24}" width="{RIGHT - LEFT}" height="14"/>'
        )
        for kind, part in share.items():
            wide = part * (RIGHT - LEFT)
            parts.append(
                f'<rect class="kind-{escape(kind)}" x="{x:.1f}" y="{y + 24}" width="{wide:.1f}" '
                f'height="14"><title>{escape(kind)}: {part:.1%}</title></rect>'
            )
            x += wide
    return _drawing(title, len(rows) * ROW, parts)


@dataclass(frozen=True)
class _Scale:
    """Where a value lies from left to right."""

    low: float
    high: float
    ticks: list[float]

    @classmethod
    def around(cls, low: float, high: float) -> _Scale:
        """A scale with room for both ends."""
        room = (high - low or 1) * 0.06
        return cls(low - room, high + room, _ticks(low - room, high + room))

    def __call__(self, value: float) -> float:
        return LEFT + (value - self.low) / (self.high - self.low) * (RIGHT - LEFT)


def _ticks(low: float, high: float) -> list[float]:
    """Up to seven round numbers between two ends.

    >>> _ticks(-63, 91)
    [-50.0, 0.0, 50.0]
    """
    rough = (high - low) / 5
    power = 10.0 ** floor(log10(rough))
    step = next(n * power for n in (1, 2, 5, 10) if n * power >= rough)
    return [round(n * step, 9) for n in range(ceil(low / step), floor(high / step) + 1)]


def _anchor(x: float) -> str:
    """How a text below a tick is set so that it stays inside."""
    return "start" if x < LEFT + 16 else "end" if x > RIGHT - 16 else "middle"


def _heading(y: float, name: str, told: str) -> list[str]:
    short = name if len(name) <= MAX_SIGNS else f"{name[: MAX_SIGNS - 1]}…"
    return [
        _text(LEFT, y + 16, short, "name", "start", name),
        _text(RIGHT, y + 16, told, "value", "end"),
    ]


def _text(x: float, y: float, text: str, kind: str, anchor: str, title: str = "") -> str:
    hint = f"<title>{escape(title)}</title>" if title else ""
    return (
        f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">'
        f"{escape(text)}{hint}</text>"
    )


def _drawing(title: str, height: float, parts: Sequence[str]) -> str:
    return (
        f'<svg viewBox="0 0 {WIDTH} {height:.0f}" role="img" aria-label="{escape(title)}">'
        + "".join(parts)
        + "</svg>"
    )
