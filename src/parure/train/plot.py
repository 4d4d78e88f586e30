"""A plot of the rating by generation."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from parure.train.run import Generation


def plot_ratings(game: str, generations: Sequence[Generation], path: Path) -> None:
    """Write an SVG with the rating of the best network against the games it learned from."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(6, 3.5), layout="constrained")
    games = [0, *(line.games for line in generations)]
    axes.step(games, [0.0, *(line.rating for line in generations)], where="post", color="#2a6f97")
    accepted = [line for line in generations if line.is_accepted]
    axes.plot(
        [line.games for line in accepted], [line.rating for line in accepted], "o", color="#2a6f97"
    )
    axes.set(title=game, xlabel="games of self-play", ylabel="Elo above the start")
    axes.grid(alpha=0.3)
    figure.savefig(path, format="svg", metadata={"Date": None})
    pyplot.close(figure)
