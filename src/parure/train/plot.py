"""A plot of the rating by generation."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from parure.train.run import Generation


def plot_ratings(game: str, generations: Sequence[Generation], path: Path) -> None:
    """Write an SVG with the rating of the best network after each generation."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(6, 3.5), layout="constrained")
    color = "#2a6f97"
    axes.axhline(0, color="gray", linewidth=0.8)
    points = [(line.generation, line.rating) for line in generations]
    axes.step(*zip(*points, strict=True), where="post", color=color)
    for is_accepted, face, label in (True, color, "accepted"), (False, "white", "rejected"):
        chosen = [
            point
            for point, line in zip(points, generations, strict=True)
            if line.is_accepted == is_accepted
        ]
        if chosen:
            x, y = zip(*chosen, strict=True)
            axes.plot(x, y, "o", color=color, markerfacecolor=face, label=label)
    axes.set(title=game, xlabel="generation", ylabel="Elo above the start")
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.grid(alpha=0.3)
    axes.legend()
    figure.savefig(path, format="svg", metadata={"Date": None})
    pyplot.close(figure)
