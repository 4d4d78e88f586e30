"""SVG charts for a narrow column; colors come from the style sheet of the page around them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10

WIDTH = 340
LEFT, RIGHT = 2, WIDTH - 2
ROW_HEIGHT = 46  # a name with its value, and the mark below
MAX_NAME_LENGTH = 30
MAX_BINS = 20


@dataclass(frozen=True)
class Estimate:
    """A value with its confidence interval."""

    name: str
    value: float
    low: float
    high: float
    label: str  # the value as text


@dataclass(frozen=True)
class Bar:
    """A bar that is divided into segments; their sizes are fractions of its full length."""

    name: str
    label: str
    segments: Mapping[str, float]


def interval_chart(rows: Sequence[Estimate], title: str, baseline: float, unit: str = "") -> str:
    """Draw values with their intervals, and a line at the baseline."""
    low = min([baseline, *(row.low for row in rows)])
    high = max([baseline, *(row.high for row in rows)])
    scale = _Scale.around(low, high)
    parts, bottom = [], len(rows) * ROW_HEIGHT + 6
    for tick in scale.ticks:
        x, kind = scale(tick), "zero" if abs(tick - baseline) < 1e-9 else "grid"
        parts.append(f'<line class="{kind}" x1="{x:.1f}" x2="{x:.1f}" y1="0" y2="{bottom}"/>')
        parts.append(_text(x, bottom + 16, f"{tick:g}{unit}".replace("-", "−"), "tick", _anchor(x)))
    if baseline not in scale.ticks:
        x = scale(baseline)
        parts.append(f'<line class="zero" x1="{x:.1f}" x2="{x:.1f}" y1="0" y2="{bottom}"/>')
    for number, row in enumerate(rows):
        y = number * ROW_HEIGHT
        parts += _heading(y, row.name, row.label)
        x1, x, x2 = scale(row.low), scale(row.value), scale(row.high)
        y += 31
        parts.append(f'<line class="whisker" x1="{x1:.1f}" x2="{x2:.1f}" y1="{y}" y2="{y}"/>')
        for end in (x1, x2):
            parts.append(
                f'<line class="whisker" x1="{end:.1f}" x2="{end:.1f}" y1="{y - 5}" y2="{y + 5}"/>'
            )
        parts.append(f'<circle class="dot" cx="{x:.1f}" cy="{y}" r="5"/>')
    return _svg(title, bottom + 22, parts)


def histogram(values: Sequence[int], title: str, unit: str, grain: int = 1) -> str:
    """Draw how often each value occurs, in bins whose width is a multiple of `grain`."""
    low, high = min(values) // grain * grain, max(values)
    bin_width = grain * ceil((high - low + 1) / (MAX_BINS * grain))
    counts = [0] * ((high - low) // bin_width + 1)
    for value in values:
        counts[(value - low) // bin_width] += 1
    height, gap = 150, 2
    width = (RIGHT - LEFT) / len(counts)
    parts = []
    for number, count in enumerate(counts):
        bar_height = height * count / max(counts)
        first = low + number * bin_width
        label = f"{first}" if bin_width == 1 else f"{first} to {first + bin_width - 1}"
        parts.append(
            f'<rect class="bar" x="{LEFT + number * width + gap / 2:.1f}" '
            f'y="{height - bar_height + 16:.1f}" width="{max(width - gap, 1):.1f}" '
            f'height="{bar_height:.1f}"><title>{label} {unit}: {count}</title></rect>'
        )
    base = height + 16
    parts.append(f'<line class="zero" x1="{LEFT}" x2="{RIGHT}" y1="{base}" y2="{base}"/>')
    parts.append(_text(LEFT, 11, f"{max(counts)} games", "tick", "start"))
    end = low + bin_width * len(counts)
    scale = _Scale(low, end, _ticks(low, end))
    for tick in scale.ticks:
        parts.append(_text(scale(tick), base + 16, f"{tick:g}", "tick", _anchor(scale(tick))))
    return _svg(title, base + 22, parts)


def stacked_bars(bars: Sequence[Bar], title: str) -> str:
    """Draw bars of segments side by side."""
    parts: list[str] = []
    for number, bar in enumerate(bars):
        y, x = number * ROW_HEIGHT, float(LEFT)
        parts += _heading(y, bar.name, bar.label)
        parts.append(
            f'<rect class="track" x="{LEFT}" y="{y + 24}" width="{RIGHT - LEFT}" height="14"/>'
        )
        for kind, fraction in bar.segments.items():
            width = fraction * (RIGHT - LEFT)
            parts.append(
                f'<rect class="kind-{escape(kind)}" x="{x:.1f}" y="{y + 24}" width="{width:.1f}" '
                f'height="14"><title>{escape(kind)}: {fraction:.1%}</title></rect>'
            )
            x += width
    return _svg(title, len(bars) * ROW_HEIGHT, parts)


@dataclass(frozen=True)
class _Scale:
    """Maps a value to its x coordinate."""

    low: float
    high: float
    ticks: list[float]

    @classmethod
    def around(cls, low: float, high: float) -> _Scale:
        """Return a scale with a margin at both ends."""
        margin = (high - low or 1) * 0.06
        return cls(low - margin, high + margin, _ticks(low - margin, high + margin))

    def __call__(self, value: float) -> float:
        return LEFT + (value - self.low) / (self.high - self.low) * (RIGHT - LEFT)


def _ticks(low: float, high: float) -> list[float]:
    """Return up to seven round numbers in a range.

    >>> _ticks(-63, 91)
    [-50.0, 0.0, 50.0]
    """
    rough = (high - low) / 5
    power = 10.0 ** floor(log10(rough))
    step = next(n * power for n in (1, 2, 5, 10) if n * power >= rough)
    return [round(n * step, 9) for n in range(ceil(low / step), floor(high / step) + 1)]


def _anchor(x: float) -> str:
    """Return the alignment that keeps a tick's text inside the chart."""
    return "start" if x < LEFT + 16 else "end" if x > RIGHT - 16 else "middle"


def _heading(y: float, name: str, label: str) -> list[str]:
    short = name if len(name) <= MAX_NAME_LENGTH else f"{name[: MAX_NAME_LENGTH - 1]}…"
    return [
        _text(LEFT, y + 16, short, "name", "start", name),
        _text(RIGHT, y + 16, label, "value", "end"),
    ]


def _text(x: float, y: float, text: str, kind: str, anchor: str, tooltip: str = "") -> str:
    title = f"<title>{escape(tooltip)}</title>" if tooltip else ""
    return (
        f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">'
        f"{escape(text)}{title}</text>"
    )


def _svg(title: str, height: float, parts: Sequence[str]) -> str:
    return (
        f'<svg viewBox="0 0 {WIDTH} {height:.0f}" role="img" aria-label="{escape(title)}">'
        + "".join(parts)
        + "</svg>"
    )
